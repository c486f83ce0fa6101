//! Depth-first proof-number search with a transposition table (Nagai 2002), sound in the presence of
//! repetitions, on one thread or several.
//!
//! # Repetition
//!
//! That a position recurs on the path fails an attack, so that a *disproof* may hold on one path and
//! not on another: the graph-history interaction problem. A *proof* never depends on the path, since
//! it ends in won games only. Following Kishimoto and Müller (2004) the table tells the two kinds of
//! disproof apart. Each result carries the depth of the highest position on the path it relies on. A
//! disproof that relies on nothing above its own position is final. Any other is entered as
//! *doubtful*; when it is met on another path it is simulated: the defender's remembered moves are
//! played against all of the attacker's, and only if all lines end in failed attacks, final
//! disproofs or repetitions on the present path does it count. Positions of a simulation that relies
//! on no path at all form a set that the attacker cannot leave by force, and become final together.
//!
//! In games that go round and round even that would not end in a reasonable time. So now and then all
//! positions met so far are solved as one graph, in which only those never looked at are unknown.
//!
//! A move is thresholded with the 1 + epsilon trick of Pawlewicz and Lew (2007), which saves most of
//! the going to and fro between moves that are equally promising.

mod search;
mod simulation;
mod sweep;
mod table;

use tabia_game::{Cancel, Key, Limits, Stopped};

use crate::best_first::{Initial, Unit};
use crate::{Attack, INFINITY, Proof, Prover, Settled, Status};
use search::{Busy, Worker};
use table::{Entry, Known, Table};

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

/// Depth-first proof-number search. It remembers what it has found and may be asked again, always
/// about positions of one game and with the same settled ones.
pub struct Dfpn<I = Unit> {
    table: Table,
    threads: usize,
    initial: I,
    simulated: u64,
}

impl Dfpn {
    /// A search with a table of at most so many bytes.
    pub fn new(memory: u64, threads: usize) -> Dfpn {
        Dfpn::guided(memory, threads, Unit)
    }
}

impl<I> Dfpn<I> {
    /// A search whose new positions begin with these numbers.
    pub fn guided(memory: u64, threads: usize, initial: I) -> Dfpn<I> {
        Dfpn {
            table: Table::new(memory),
            threads: threads.max(1),
            initial,
            simulated: 0,
        }
    }

    /// Positions looked at by simulations, which are not among the nodes.
    pub fn simulated(&self) -> u64 {
        self.simulated
    }
}

impl<G, I> Prover<G> for Dfpn<I>
where
    G: Key,
    I: Initial<G> + Sync,
{
    fn prove<S: Settled<G>>(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &S,
        limits: &Limits,
    ) -> Proof {
        let status = attack.status(game, state, settled);
        if status != Status::Unknown {
            return proof(status, 1);
        }
        let busy = (self.threads > 1).then(Busy::new);
        let finished = Cancel::default();
        let share = Limits {
            nodes: limits.nodes.map(|n| n.div_ceil(self.threads as u64)),
            ..limits.clone()
        };
        let (table, initial) = (&self.table, &self.initial);
        let search = |number: usize| {
            let mut worker = Worker::new(game, settled, initial, table, attack);
            worker.limit(&share, &finished);
            if let Some(busy) = &busy {
                worker.share(busy, number);
            }
            let found = worker.search(state);
            finished.cancel();
            (found, worker.nodes(), worker.simulated())
        };
        let found: Vec<(Result<Numbers, Stopped>, u64, u64)> = std::thread::scope(|scope| {
            let spawn = |number| {
                let named = std::thread::Builder::new().stack_size(STACK);
                named.spawn_scoped(scope, move || search(number))
            };
            let running: Vec<_> = (0..self.threads).map(&spawn).collect();
            let ended = running
                .into_iter()
                .filter_map(|thread| thread.ok()?.join().ok());
            ended.collect()
        });
        let nodes = found.iter().map(|(_, nodes, _)| nodes).sum::<u64>() + 1;
        self.simulated += found.iter().map(|(_, _, n)| n).sum::<u64>();
        let decided = found.iter().filter_map(|(found, ..)| found.ok());
        let status = decided.map(Numbers::status).find(|&s| s != Status::Unknown);
        match status {
            Some(status) => proof(status, nodes),
            None => {
                let entry = self.table.get(search::salted(game.key(state), attack));
                let (pn, dn) = match entry.map(|entry| entry.known) {
                    Some(Known::Open { pn, dn }) => (pn, dn),
                    _ => (1, 1),
                };
                Proof {
                    status: Status::Unknown,
                    pn,
                    dn,
                    nodes,
                    held: nodes.min(self.table.capacity() as u64),
                }
            }
        }
    }

    fn hint(&self, game: &G, state: &G::State, attack: Attack) -> Option<G::Move> {
        let entry = self.table.get(search::salted(game.key(state), attack))?;
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.get(usize::from(entry.best?)).copied()
    }
}

fn proof(status: Status, nodes: u64) -> Proof {
    let (pn, dn) = match status {
        Status::Proved => (0, INFINITY),
        Status::Disproved => (INFINITY, 0),
        Status::Unknown => (1, 1),
    };
    Proof {
        status,
        pn,
        dn,
        nodes,
        held: nodes,
    }
}
