//! Search for more than two players, with perfect information and without chance.
//!
//! [`MaxN`] searches with vectors: everybody does what is best for themselves (max^n; Luckhardt and
//! Irani 1986), with any [tie rule](Ties), all [prunings](Prune) there are, and opponents who want
//! something else than their payoff ([`Aims`], [`Want`], [`Model`], [`minds`]). [`Reduced`] makes a
//! game of two players of it, who are the one at the root and the rest: paranoid search and
//! Best-Reply Search, which then have every enhancement of [`alphabeta`](crate::alphabeta).
//! [`MpMix`] chooses between them by how the game stands.

pub mod aims;
mod config;
mod lines;
pub mod minds;
mod mix;
mod models;
mod node;
mod pimc;
mod pruning;
mod reduced;
pub mod reduction;
mod replies;
mod table;
pub mod ties;

use std::time::Instant;

use tabia_game::{
    Deterministic, Game, Key, Knowledge, Limits, MoveIndex, Perfect, Player, Seed, Turn,
};

use crate::alphabeta::{Killers, MAX_DEPTH};
use crate::report::{Listener, Report};
use crate::{Choice, Counter, Engine, Past, Reading, Situation};

pub use aims::{Aims, MAX_PLAYERS, Payoffs, Vector, Want};
pub use config::{Config, Model, PARAMETERS, PRESETS, Preset, Prune, preset};
pub use mix::{MIX_PARAMETERS, Mix, MpMix, PropagationStrategy};
pub use pimc::{PIMC_PARAMETERS, Pimc};
pub use reduced::{BRS, BRS_PLUS, LEAF, PARANOID, Reduced, ReducedMcts, SOLO};
pub use reduction::ReductionObjective;
pub use ties::{Offer, Ties};

use lines::Aside;
use node::{Found, Worker};
use table::Table;

/// The games that these searches can serve.
pub trait ManyPlayerGame:
    Game<Luck = Deterministic, Information = Perfect> + Key + MoveIndex
{
}

impl<G> ManyPlayerGame for G where
    G: Game<Luck = Deterministic, Information = Perfect> + Key + MoveIndex
{
}

/// What a search counts beside its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Finished games and estimates.
    pub leaves: u64,
    /// Nodes that the table knew.
    pub table_cutoffs: u64,
    /// Nodes whose player had all they could get.
    pub immediate: u64,
    /// Nodes that somebody above did not want.
    pub rejected: u64,
    /// Rejected nodes that turned out to matter.
    pub searched_again: u64,
    /// Plies to the deepest node.
    pub deepest: usize,
}

impl Stats {
    fn add(&mut self, other: &Stats) {
        self.leaves += other.leaves;
        self.table_cutoffs += other.table_cutoffs;
        self.immediate += other.immediate;
        self.rejected += other.rejected;
        self.searched_again += other.searched_again;
        self.deepest = self.deepest.max(other.deepest);
    }

    fn counters(&self) -> Vec<(&'static str, Counter)> {
        let all = [
            ("leaves", self.leaves),
            ("table_cutoffs", self.table_cutoffs),
            ("immediate", self.immediate),
            ("rejected", self.rejected),
            ("searched_again", self.searched_again),
        ];
        let counted = all.into_iter().filter(|&(_, n)| n > 0);
        counted.map(|(name, n)| (name, Counter::One(n))).collect()
    }
}

/// What a search remembers about moves: everybody has a history of their own, every ply its
/// killers.
#[derive(Default)]
struct Memory {
    indices: usize,
    history: Vec<u32>,
    killers: Vec<Killers>,
}

impl Memory {
    fn prepare(&mut self, indices: usize, players: usize, config: &Config) {
        self.indices = indices;
        let remembered = if config.history { players * indices } else { 0 };
        self.history.resize(remembered, 0);
        // What was good in the last search counts half.
        self.history.iter_mut().for_each(|standing| *standing /= 2);
        self.killers.clear();
        self.killers
            .resize(MAX_DEPTH as usize + 1, Killers::default());
    }

    fn credit(&mut self, player: usize, index: u32, depth: i32) {
        if let Some(standing) = self.history.get_mut(player * self.indices + index as usize) {
            *standing = standing.saturating_add((depth * depth) as u32);
        }
    }

    fn standing(&self, player: usize, index: u32) -> u32 {
        let place = player * self.indices + index as usize;
        self.history.get(place).copied().unwrap_or(0)
    }

    fn killer(&mut self, ply: usize, index: u32, count: usize) {
        self.killers[ply].cutoff(index, count);
    }

    fn killer_rank(&self, ply: usize, index: u32) -> Option<usize> {
        self.killers[ply].rank(index)
    }
}

/// What a search to one depth found.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched<M> {
    /// The value of each player, in units of [`aims::unit`].
    pub values: Vector,
    /// Whether no estimate went into them.
    pub complete: bool,
    /// The expected line of play.
    pub line: Vec<M>,
    /// Nodes visited, the root included.
    pub nodes: u64,
    /// What else was counted.
    pub stats: Stats,
}

/// The engine: switches, knowledge, aims, and what is remembered from move to move.
pub struct MaxN<K, A = Payoffs> {
    config: Config,
    knowledge: K,
    aims: A,
    table: Option<Table>,
    memory: Memory,
    /// Whose values the table holds, where they depend on who searches.
    searcher: Option<Player>,
    /// What the players are taken to want; everybody the same unless somebody says otherwise.
    wants: Option<[Want; MAX_PLAYERS]>,
}

impl<K> MaxN<K> {
    /// An engine with these switches, in whose eyes everybody wants their payoff.
    pub fn new(config: Config, knowledge: K) -> MaxN<K> {
        MaxN::with_aims(config, knowledge, Payoffs)
    }
}

impl<K, A> MaxN<K, A> {
    /// An engine with these switches, in whose eyes the players want this.
    pub fn with_aims(config: Config, knowledge: K, aims: A) -> MaxN<K, A> {
        MaxN {
            config,
            knowledge,
            aims,
            table: None,
            memory: Memory::default(),
            searcher: None,
            wants: None,
        }
    }

    /// The switches.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the players are taken to want, from now on.
    pub fn set_wants(&mut self, wants: Option<[Want; MAX_PLAYERS]>) {
        if self.wants != wants {
            self.wants = wants;
            self.forget();
        }
    }

    fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn worker<'a, G>(
        &'a mut self,
        situation: &Situation<'a, G>,
        mover: Player,
        limits: &Limits,
    ) -> Worker<'a, G, K, A>
    where
        G: ManyPlayerGame,
        K: Knowledge<G>,
        A: Aims<G>,
    {
        if self.searcher.replace(mover) != Some(mover) {
            self.forget();
        }
        if self.table.is_none() && self.config.table > 0 {
            self.table = Some(Table::new(self.config.table));
        }
        let game = situation.game;
        let players = game.players().min(MAX_PLAYERS);
        self.memory
            .prepare(game.move_indices(), players, &self.config);
        let own = match self.config.ahead {
            true => Want::Ahead,
            false => Want::Own,
        };
        let wants = self.wants.unwrap_or([own; MAX_PLAYERS]);
        // Bounds of payoffs say nothing of what is against somebody, and nothing of means.
        let prune = match wants.iter().all(|&want| want == own) && self.config.model == Model::Exact
        {
            true => self.config.prune,
            false => Prune::Nothing,
        };
        let unit = aims::unit(&self.aims, game);
        Worker {
            game,
            knowledge: &self.knowledge,
            unit,
            top: unit.saturating_mul(self.aims.largest(game).max(1)),
            aims: &self.aims,
            config: &self.config,
            prune,
            table: self.table.as_mut(),
            memory: &mut self.memory,
            state: situation.state.clone(),
            path: situation.path.clone(),
            meter: limits.meter(),
            stats: Stats::default(),
            root: mover.index(),
            players,
            wants,
            moves: Vec::new(),
            keys: Vec::new(),
            priorities: Vec::new(),
            frames: Vec::new(),
            waiting: Vec::new(),
            lines: Vec::new(),
            repetition: game.repetition(),
            excluded: Vec::new(),
        }
    }

    /// Searches a position to exactly this depth; `None` if a limit stops it, or nobody is to move.
    pub fn search<G>(
        &mut self,
        situation: &Situation<'_, G>,
        depth: u32,
        limits: &Limits,
    ) -> Option<Searched<G::Move>>
    where
        G: ManyPlayerGame,
        K: Knowledge<G>,
        A: Aims<G>,
    {
        let Turn::Player(mover) = situation.game.turn(situation.state) else {
            return None;
        };
        let mut worker = self.worker(situation, mover, limits);
        let depth = depth.clamp(1, MAX_DEPTH);
        let (values, complete) = iteration(&mut worker, depth as i32).ok()?;
        Some(Searched {
            values,
            complete,
            line: worker.lines[0].clone(),
            nodes: worker.meter.nodes(),
            stats: worker.stats,
        })
    }
}

/// One search to a fixed depth, with the model of the opponents that is asked for.
fn iteration<G, K, A>(
    worker: &mut Worker<'_, G, K, A>,
    depth: i32,
) -> Result<(Vector, bool), tabia_game::Stopped>
where
    G: ManyPlayerGame,
    K: Knowledge<G>,
    A: Aims<G>,
{
    let found = match worker.config.model {
        Model::Exact => worker.search(depth)?,
        Model::Prob(hostile) => worker.search_prob(depth, hostile)?,
        Model::Soft => worker.search_soft(depth)?,
    };
    Ok(match found {
        Found::Values { values, complete } => (values, complete),
        // Nobody is above the root.
        Found::Rejected { .. } => ([0; MAX_PLAYERS], false),
    })
}

impl<G, K, A> Engine<G> for MaxN<K, A>
where
    G: ManyPlayerGame,
    K: Knowledge<G>,
    A: Aims<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        self.think(situation, limits, &mut Listener::silent())
    }

    /// Reports after every iteration. Other lines than the best one are searched aside, with a
    /// table of their own, and their nodes count against the limit.
    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        self.think(situation, limits, listener)
    }

    fn reports(&self) -> bool {
        true
    }

    fn new_game(&mut self, _: Seed) {
        self.memory.history.clear();
        self.forget();
    }

    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let estimate = self.knowledge.evaluate(game, state, player);
        Some(crate::score::to_value(crate::score::of_estimate(estimate)))
    }
}

impl<K, A> MaxN<K, A> {
    fn think<G>(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move>
    where
        G: ManyPlayerGame,
        K: Knowledge<G>,
        A: Aims<G>,
    {
        let Turn::Player(mover) = situation.game.turn(situation.state) else {
            return Choice::nothing();
        };
        let started = Instant::now();
        let mut aside = (listener.lines() > 1).then(|| {
            let players = situation.game.players().min(MAX_PLAYERS);
            Aside::new(situation.game.move_indices(), players, &self.config)
        });
        let mut worker = self.worker(&situation, mover, limits);
        let players = worker.players as f64;
        let scale = match worker.wants[mover.index()] {
            // From all to one side to all to the other.
            Want::Ahead => f64::from(worker.top) * 2.0 * (players - 1.0),
            _ => f64::from(worker.top),
        };
        let value = |values: Vector| (f64::from(values[mover.index()]) / scale).clamp(-1.0, 1.0);
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let first = if worker.config.deepening { 1 } else { deepest };
        let mut found: Option<(Vector, bool, u32)> = None;
        let mut line = Vec::new();
        for depth in first..=deepest {
            let searched = iteration(&mut worker, depth as i32);
            let Ok((values, complete)) = searched else {
                // The best move of an unfinished first iteration is better than none.
                if line.is_empty() {
                    line = worker.lines.first().cloned().unwrap_or_default();
                }
                break;
            };
            let reached = match complete {
                true => depth.min(worker.stats.deepest as u32),
                false => depth,
            };
            found = Some((values, complete, reached));
            line.clone_from(&worker.lines[0]);
            if !listener.is_silent() {
                listener.tell(&Report {
                    rank: 1,
                    depth: reached,
                    value: Some(value(values)),
                    solved: complete,
                    plies: None,
                    visits: None,
                    line: &line,
                    nodes: worker.meter.nodes(),
                    elapsed: listener.elapsed(),
                });
            }
            if let (Some(aside), Some(&best)) = (&mut aside, line.first()) {
                // What stops this search stops the main one, too.
                let best = (best, value(values));
                let _ = aside.search(&mut worker, best, depth as i32, &value, listener);
            }
            // An iteration takes longer than all before it together, so one begun late is lost.
            if complete || worker.meter.is_past(started, 0.5) {
                break;
            }
        }
        if line.is_empty() {
            let Situation { game, state, path } = situation;
            path.legal_moves(game, state, &mut line);
            line.truncate(1);
        }
        if let Some(aside) = &aside {
            worker.stats.add(&aside.stats());
        }
        let shares = |values: Vector| {
            let own = values[..worker.players].iter();
            own.map(|&own| f64::from(own) / f64::from(worker.top))
                .collect()
        };
        let aims_at_payoffs = worker.aims.are_payoffs() && worker.wants[mover.index()] == Want::Own;
        let reading = match found {
            _ if !aims_at_payoffs => Reading::Margin,
            Some((values, ..)) => Reading::Each(shares(values)),
            None => Reading::Own,
        };
        let choice = Choice {
            best: line.first().copied(),
            value: found.map(|(values, ..)| value(values)),
            reading,
            solved: found.is_some_and(|(_, complete, _)| complete),
            plies: None,
            line,
            depth: found.map_or(0, |(.., depth)| depth),
            nodes: worker.meter.nodes(),
            counters: worker.stats.counters(),
        };
        if found.is_none() {
            listener.conclude(&choice);
        }
        choice
    }
}
