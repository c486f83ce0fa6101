//! Depth-first proof-number search with a transposition table (Nagai 2002), sound in the presence
//! of repetitions, on one thread or several.
//!
//! # Repetition
//!
//! That a position recurs on the path fails an attack, so that a *disproof* may hold on one path
//! and not on another: the graph-history interaction problem. A *proof* never depends on the path,
//! since it ends in won games only. Following Kishimoto and Müller (2004) the table tells the two
//! kinds of disproof apart. Each result carries the depth of the highest position on the path it
//! relies on. A disproof that relies on nothing above its own position is final. Any other is
//! entered as *doubtful*; when it is met on another path it is simulated: the defender's remembered
//! moves are played against all of the attacker's, and only if all lines end in failed attacks,
//! final disproofs or repetitions on the present path does it count. Positions of a simulation that
//! relies on no path at all form a set that the attacker cannot leave by force, and become final
//! together.
//!
//! In games that go round and round even that would not end in a reasonable time. So now and then
//! all positions met so far are solved as one graph, in which only those never looked at are
//! unknown.
//!
//! A move is thresholded with the 1 + epsilon trick of Pawlewicz and Lew (2007), which saves most
//! of the going to and fro between moves that are equally promising.

mod keys;
mod search;
mod simulation;
mod sweep;
mod table;

use std::time::Instant;

use tabia_game::threads::{self, Job};
use tabia_game::{Cancel, Game, Key, Limits, Player, Stopped};

use crate::best_first::{Initial, Unit};
use crate::{Attack, INFINITY, Lack, Proof, Prover, Settled, Status};
use keys::{Busy, ByKey, salted};
pub use keys::{ClassKey, Keys, OwnKeys};
use search::{Terms, Worker};
use table::{Entry, Known, TranspositionTable};

/// Numbers of a position, and what a disproof relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    pn: u32,
    dn: u32,
    /// The depth of the highest position on the path that a disproof relies on; [`NOTHING`] if it
    /// holds on every path.
    low: u32,
}

/// The depth that a result relies on if it relies on no path.
const NOTHING: u32 = u32::MAX;

impl Numbers {
    const PROVED: Numbers = Numbers {
        pn: 0,
        dn: INFINITY,
        low: NOTHING,
    };

    /// Disproved, relying on a position at this depth.
    fn disproved(low: u32) -> Numbers {
        Numbers {
            pn: INFINITY,
            dn: 0,
            low,
        }
    }

    fn is_decided(self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    fn status(self) -> Status {
        match (self.pn, self.dn) {
            (0, _) => Status::Proved,
            (_, 0) => Status::Disproved,
            _ => Status::Unknown,
        }
    }
}

/// The stack of a search grows with the length of its lines; memory that is not used is not taken.
const STACK: usize = 1 << 30;

/// Nodes before the first look at everything as one graph.
const FIRST_LOOK: u64 = 1 << 16;

/// Eighths of the memory: what the table takes of it, what a look at all positions as one graph,
/// and what is left for all threads to settle disproofs with.
const TABLE: u64 = 5;
const SWEEP: u64 = 2;
const SETTLEMENT: u64 = 1;

/// What a look or a settlement has at least, however little memory there is.
const MIN_MEMORY: u64 = 1 << 20;

/// Depth-first proof-number search. It remembers what it has found and may be asked again, always
/// about positions of one game and with the same settled ones.
pub struct Dfpn<I = Unit, S = OwnKeys> {
    table: TranspositionTable,
    keys: S,
    room: ThreadMemory,
    threads: usize,
    initial: I,
    pace: Pace,
    first_look: u64,
    /// The questions that a limit left open, and how far their search had come.
    open: ByKey<Effort>,
}

/// When a search leaves a position that is not decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// When its numbers say that another position is more promising: df-pn.
    #[default]
    Numbers,
    /// Never: plain depth-first search with a memory, which tries the most promising move first.
    /// Where lines are short and most of them have to be searched anyway, that spares all the going
    /// to and fro; where moves are misjudged it does not come back. For games in which positions do
    /// not recur.
    Depth,
    /// By turns that grow slowly, and what one finds serves the other. Where positions recur
    /// it is by numbers alone.
    Both,
}

/// Nodes of the first turn of [`Pace::Both`].
const FIRST_TURN: u64 = 1 << 18;

/// Bytes of memory beside the table, for each thread.
#[derive(Clone, Copy)]
struct ThreadMemory {
    sweep: u64,
    settlement: u64,
}

/// How far the search for an answer has come.
#[derive(Clone, Copy)]
struct Effort {
    /// Nodes; with several threads also positions of simulations.
    nodes: u64,
    /// Positions that recurred on their path.
    repetitions: u64,
    /// The number of nodes at which to look at everything as one graph.
    look: u64,
}

impl Dfpn {
    /// A search that takes at most this many bytes, but for its stack; three megabytes at least.
    pub fn new(memory: u64, threads: usize) -> Dfpn {
        Dfpn::guided(memory, threads, Unit)
    }
}

impl<I> Dfpn<I> {
    /// A search whose new positions begin with these numbers.
    pub fn guided(memory: u64, threads: usize, initial: I) -> Dfpn<I> {
        let threads = threads.max(1);
        let eighth = memory / 8;
        Dfpn {
            table: TranspositionTable::new(eighth.saturating_mul(TABLE)),
            keys: OwnKeys,
            room: ThreadMemory {
                sweep: eighth.saturating_mul(SWEEP).max(MIN_MEMORY),
                settlement: (eighth * SETTLEMENT / threads as u64).max(MIN_MEMORY),
            },
            threads,
            initial,
            pace: Pace::Numbers,
            first_look: FIRST_LOOK,
            open: ByKey::default(),
        }
    }
}

impl<I, S> Dfpn<I, S> {
    /// Knows positions by other keys than their own: those that share one are searched once.
    pub fn by_keys<T>(self, keys: T) -> Dfpn<I, T> {
        Dfpn {
            table: self.table,
            keys,
            room: self.room,
            threads: self.threads,
            initial: self.initial,
            pace: self.pace,
            first_look: self.first_look,
            open: self.open,
        }
    }

    /// Looks at everything as one graph after this many nodes for the first time, and after twice
    /// as many each further time.
    pub fn first_look(self, nodes: u64) -> Dfpn<I, S> {
        Dfpn {
            first_look: nodes.max(1),
            ..self
        }
    }

    /// When the search leaves a position that is not decided.
    pub fn pace(self, pace: Pace) -> Dfpn<I, S> {
        Dfpn { pace, ..self }
    }

    /// Whatever is held is in the table.
    fn proof(&self, status: Status, nodes: u64) -> Proof {
        Proof::of(status, nodes, nodes.min(self.table.capacity() as u64))
    }
}

/// What a thread came to.
struct Ended {
    found: Result<Numbers, Stopped>,
    nodes: u64,
    effort: Effort,
    lack: Option<Lack>,
}

/// Tells the other threads to stop, even if this one panics.
struct Finish<'a>(&'a Cancel);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl<G, I, S> Prover<G> for Dfpn<I, S>
where
    G: Key,
    I: Initial<G> + Sync,
    S: Keys<G>,
{
    fn prove(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &dyn Settled<G>,
        limits: &Limits,
    ) -> Proof {
        if let Some(refused) = Proof::refused(game.repetition()) {
            return refused;
        }
        let status = attack.status(game, state, settled);
        if status != Status::Unknown {
            return self.proof(status, 1);
        }
        let (attack, same) = asked(game, attack);
        let question = (state, attack, settled);
        let proof = match self.pace {
            Pace::Numbers => self.run(game, question, limits, false),
            Pace::Depth => self.run(game, question, limits, true),
            Pace::Both => self.by_turns(game, question, limits),
        };
        if same { proof } else { proof.opposite() }
    }

    fn hint(&self, game: &G, state: &G::State, attack: Attack) -> Option<G::Move> {
        let (attack, _) = asked(game, attack);
        let entry = self.table.get(self.name(game, state, attack))?;
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.get(usize::from(entry.best?)).copied()
    }
}

/// The attack that is looked into, and whether it succeeds when the one that is asked about does.
/// Where nobody draws, one player's attack succeeds if the other's fails, and what is known of one
/// is known of both.
fn asked<G: Game>(game: &G, attack: Attack) -> (Attack, bool) {
    let first = Attack {
        attacker: Player::FIRST,
        ..attack
    };
    let same = game.has_draws() || game.max_payoff() > 1 || attack.attacker == Player::FIRST;
    (if same { attack } else { first }, same)
}

/// Whether the attack succeeds in a position, given those that are settled.
type Question<'a, G> = (&'a <G as Game>::State, Attack, &'a dyn Settled<G>);

impl<I, S> Dfpn<I, S> {
    /// Searches by numbers and depth first by turns.
    fn by_turns<G>(&mut self, game: &G, question: Question<'_, G>, limits: &Limits) -> Proof
    where
        G: Key,
        I: Initial<G> + Sync,
        S: Keys<G>,
    {
        let (started, key) = (Instant::now(), self.name(game, question.0, question.1));
        let (mut turn, mut depth_first, mut nodes) = (FIRST_TURN, false, 0);
        loop {
            let left = limits.nodes.map(|limit| limit.saturating_sub(nodes));
            let rest = Limits {
                nodes: Some(left.map_or(turn, |left| left.min(turn))),
                time: (limits.time).map(|time| time.saturating_sub(started.elapsed())),
                ..limits.clone()
            };
            let mut proof = self.run(game, question, &rest, depth_first);
            nodes += proof.nodes;
            proof.nodes = nodes;
            let late = limits.time.is_some_and(|time| started.elapsed() >= time);
            let spent = limits.nodes.is_some_and(|limit| nodes >= limit);
            // A line that is too long is one for a search that does not follow it to its end.
            let lacks = proof.lack.is_some() && !depth_first;
            let over = late || spent || lacks || limits.cancel.is_cancelled();
            if proof.status != Status::Unknown || over {
                return proof;
            }
            let recurs = self
                .open
                .get(&key)
                .is_some_and(|effort| effort.repetitions > 0);
            if depth_first || recurs {
                // What is begun again is mostly in the table, so turns need not grow fast, and
                // little is lost with the last one of the search that comes too late.
                turn = turn.saturating_add(turn / 8);
            }
            depth_first = !depth_first && !recurs;
        }
    }

    /// By what name the table knows a question.
    fn name<G: Key>(&self, game: &G, state: &G::State, attack: Attack) -> u64
    where
        S: Keys<G>,
    {
        salted(self.keys.key(game, state), attack)
    }

    /// Searches by numbers or depth first.
    fn run<G>(
        &mut self,
        game: &G,
        (state, attack, settled): Question<'_, G>,
        limits: &Limits,
        depth_first: bool,
    ) -> Proof
    where
        G: Key,
        I: Initial<G> + Sync,
        S: Keys<G>,
    {
        let key = self.name(game, state, attack);
        let effort = self.open.remove(&key).unwrap_or(Effort {
            nodes: 0,
            repetitions: 0,
            look: self.first_look,
        });
        let busy = (self.threads > 1).then(Busy::new);
        let finished = Cancel::default();
        let share = Limits {
            nodes: limits.nodes.map(|n| n.div_ceil(self.threads as u64)),
            ..limits.clone()
        };
        let (table, initial, room) = (&self.table, &self.initial, self.room);
        let keys = &self.keys;
        let search = |number: usize| {
            let _finish = Finish(&finished);
            let terms = Terms {
                limits: &share,
                finished: &finished,
                room,
                effort,
                busy: busy.as_ref(),
                number,
                depth_first,
            };
            let mut worker = Worker::new(game, (settled, initial, keys), table, attack, terms);
            Ended {
                found: worker.search(state),
                nodes: worker.nodes(),
                effort: worker.effort(),
                lack: worker.lack,
            }
        };
        let search = &search;
        let mut ended: Vec<Option<Ended>> = (0..self.threads).map(|_| None).collect();
        let jobs = ended.iter_mut().enumerate();
        let jobs = jobs
            .map(|(number, ended)| -> Job<'_> { Box::new(move || *ended = Some(search(number))) });
        // Fewer threads than asked for do as well, if there is one.
        let jobs = jobs.collect();
        threads::with_stack(STACK, jobs);
        let ended: Vec<Ended> = ended.into_iter().flatten().collect();
        let nodes = ended.iter().map(|ended| ended.nodes).sum::<u64>() + 1;
        let decided = ended.iter().filter_map(|ended| ended.found.ok());
        let mut status = decided.map(Numbers::status);
        if let Some(status) = status.find(|&status| status != Status::Unknown) {
            return self.proof(status, nodes);
        }
        let first = ended.first().map(|ended| ended.effort);
        let begun = first.filter(|effort| effort.look > self.first_look || effort.repetitions > 0);
        self.open.extend(begun.map(|effort| (key, effort)));
        let entry = self.table.get(key).map(|entry| entry.known);
        let unknown = self.proof(Status::Unknown, nodes);
        let (pn, dn) = match entry {
            Some(Known::Open { pn, dn }) => (pn, dn),
            _ => (unknown.pn, unknown.dn),
        };
        let lack = match ended.is_empty() {
            true => Some(Lack::Thread),
            false => ended.iter().find_map(|ended| ended.lack),
        };
        Proof {
            pn,
            dn,
            lack,
            ..unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_alignment::mnk::Mnk;

    #[test]
    fn a_question_left_open_is_taken_up_where_it_was_left() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let (start, attacker) = (game.start(), Player::FIRST);
        let attack = Attack {
            attacker,
            at_least: 1,
        };
        let key = salted(game.key(&start), attack);
        let mut dfpn = Dfpn::new(1 << 20, 1).first_look(64);
        for round in 1..=3 {
            let proof = dfpn.prove(&game, &start, attack, &(), &Limits::nodes(100));
            assert_eq!((proof.status, proof.nodes), (Status::Unknown, 101));
            let Effort { nodes, look, .. } = dfpn.open[&key];
            assert_eq!(nodes, 100 * round);
            // Looks come at 64 nodes and whenever they have doubled, within one expansion of nine.
            assert!(look > nodes && look < 2 * nodes + 2 * 9, "{look}");
        }
        let proof = dfpn.prove(&game, &start, attack, &(), &Limits::default());
        assert_eq!(proof.status, Status::Disproved);
        assert!(dfpn.open.is_empty());
    }
}
