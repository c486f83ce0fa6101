//! Search in trees with chance nodes: the *-Minimax family (Ballard 1983; Hauk, Buro and Schaeffer
//! 2004) and its successors, for two players and perfect information.
//!
//! One search whose parts are switches of a [`Config`]: Expectimax, Star1, Star2 and Star2.5 with
//! any probing factor, StarETC (Veness and Blair 2007), ChanceProbCut (Schadd 2011, chapter 5) with
//! one or several depths, and Monte Carlo *-Minimax (Lanctot et al. 2013). At a chance node all of
//! them do one thing: they keep a lower and an upper bound for each outcome and tighten it
//! ([`bounds`]). All but the last two are *safe*: they find exactly the value of Expectimax.
//!
//! # Against the printed algorithms
//!
//! Several of the published listings are wrong; what is built here differs from them as follows.
//! Hauk et al. (2004), figure 7, fail-soft return of the search phase: the outcomes not yet
//! searched count with their probed bounds, not with L. Equations 2 and 3: only the side that was
//! probed may use probed values. Section 2.5: sums of probed values are weighted. Figure 8: the
//! successor of a probed node is a chance node. Probing window: A_1 and B_1, not N(alpha - U) and
//! N(beta - L). Schadd (2011), algorithm 5.2, line 26: in negamax a probe bounds from below; lines
//! 36 and 37: the estimated windows are intersected; lines 40 and 42: estimated bounds decide. A
//! probe that fails on the far side of its window is no bound and is not used as one.

//! # Repetition
//!
//! The search keeps the path and applies the rule of repetition of the game, as
//! [alpha-beta](crate::alphabeta) does and with the same table keys: exact where a repetition
//! loses, is forbidden or is judged; where it draws, exact without a table and for shallow
//! searches. [`StarMinimax::search`] begins with a path of its own.

pub mod bounds;
mod config;
mod lines;
mod node;
mod ordering;
mod probcut;
mod table;
mod value;

use std::time::Instant;

use tabia_game::threads::{self, Job};
use tabia_game::{
    CERTAIN, Cancel, Chance, Game, Key, Knowledge, Limits, MoveIndex, Path, Perfect, Player,
    Ruling, Seed, Turn, TwoPlayer,
};

use crate::alphabeta::MAX_DEPTH;
use crate::{Choice, Counter, Engine, Listener, Past, Reading, Situation};

pub use config::{
    Clamp, Config, Filter, MoveOrder, OutcomeOrder, PARAMETERS, PRESETS, Preset, ProbeChoice,
    preset,
};
pub use probcut::Regression;
pub use value::Scalar;

use bounds::ValueRange;
use lines::Others;
use node::{Found, Worker};
pub(crate) use ordering::insertion_sort;
use table::Table;

/// The games that this search can serve.
pub trait ChanceGame: TwoPlayer + Chance + Game<Information = Perfect> + Key + MoveIndex {}

impl<G: TwoPlayer + Chance + Game<Information = Perfect> + Key + MoveIndex> ChanceGame for G {}

/// What a search counts beside its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Finished games and static evaluations.
    pub leaves: u64,
    /// Move nodes that failed high.
    pub cutoffs: u64,
    /// Chance nodes searched with pruning.
    pub chance: u64,
    /// Chance nodes decided by what the table knew of their outcomes.
    pub recalled: u64,
    /// Chance nodes whose outcomes were probed.
    pub probed: u64,
    /// Those decided by their probes.
    pub probe_cutoffs: u64,
    /// Shallow searches of all outcomes for an estimate.
    pub guesses: u64,
    /// Chance nodes decided by estimates.
    pub guessed: u64,
}

impl Stats {
    fn add(&mut self, other: &Stats) {
        self.leaves += other.leaves;
        self.cutoffs += other.cutoffs;
        self.chance += other.chance;
        self.recalled += other.recalled;
        self.probed += other.probed;
        self.probe_cutoffs += other.probe_cutoffs;
        self.guesses += other.guesses;
        self.guessed += other.guessed;
    }

    fn counters(&self) -> Vec<(&'static str, Counter)> {
        let all = [
            ("leaves", self.leaves),
            ("cutoffs", self.cutoffs),
            ("chance_nodes", self.chance),
            ("recalled", self.recalled),
            ("probed", self.probed),
            ("probe_cutoffs", self.probe_cutoffs),
            ("guesses", self.guesses),
            ("guessed", self.guessed),
        ];
        let counted = all.into_iter().filter(|&(_, n)| n > 0);
        counted.map(|(name, n)| (name, Counter::One(n))).collect()
    }
}

/// What a search to one depth found.
#[derive(Clone, Debug)]
pub struct Searched<M, V> {
    /// The value for the first player, in units of one [`CERTAIN`]-th of the largest payoff.
    pub value: V,
    /// Whether no static evaluation went into it.
    pub complete: bool,
    /// The best move, at a move node.
    pub best: Option<M>,
    /// Nodes visited below the root.
    pub nodes: u64,
    /// What else was counted.
    pub stats: Stats,
}

/// The engine: switches, knowledge, and what is remembered from move to move.
pub struct StarMinimax<K, V = f64> {
    config: Config,
    knowledge: K,
    regressions: Vec<Regression>,
    table: Option<Table<V>>,
    /// The table of searches for lines other than the best one.
    aside: Option<Table<V>>,
}

impl<K, V: Scalar> StarMinimax<K, V> {
    /// An engine with these switches. The table is allocated by the first search.
    pub fn new(config: Config, knowledge: K) -> StarMinimax<K, V> {
        StarMinimax {
            config,
            knowledge,
            regressions: Vec::new(),
            table: None,
            aside: None,
        }
    }

    /// Adds what ChanceProbCut knows of this knowledge. Regressions for one depth are tried in this
    /// order.
    pub fn with_regressions(mut self, regressions: &[Regression]) -> Self {
        self.regressions = regressions.to_vec();
        self
    }

    /// The switches.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Searches a position to exactly this depth, on one thread; `None` if a limit stops it. The
    /// table keeps what earlier searches left.
    pub fn search<G>(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        limits: &Limits,
    ) -> Option<Searched<G::Move, V>>
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        self.search_within(game, state, depth, all_values(), limits)
    }

    /// Searches through a window: a value outside it is only a bound.
    pub fn search_within<G>(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        window: ValueRange<V>,
        limits: &Limits,
    ) -> Option<Searched<G::Move, V>>
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        self.prepare(0);
        let mut worker = self.worker(game, state, &Path::from_start(game, state), limits, 0);
        let mut best = None;
        let depth = depth.min(MAX_DEPTH) as i32;
        let found = worker.root(depth, window, &mut best).ok()?;
        Some(Searched {
            value: found.value,
            complete: found.complete,
            best,
            nodes: worker.meter.nodes(),
            stats: worker.stats,
        })
    }

    fn prepare(&mut self, lines: usize) {
        match &mut self.aside {
            Some(table) if lines > 1 => table.new_search(),
            None if lines > 1 && self.config.table > 0 => {
                self.aside = Some(Table::new(self.config.table / lines::SHARE));
            }
            _ => {}
        }
        match &mut self.table {
            Some(table) => table.new_search(),
            None if self.config.table > 0 => self.table = Some(Table::new(self.config.table)),
            None => {}
        }
    }

    fn worker<'a, G>(
        &'a self,
        game: &'a G,
        state: &G::State,
        path: &Path,
        limits: &Limits,
        number: usize,
    ) -> Worker<'a, G, K, V>
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        let remembered = if self.config.history {
            2 * game.move_indices()
        } else {
            0
        };
        Worker {
            game,
            knowledge: &self.knowledge,
            config: &self.config,
            regressions: &self.regressions,
            table: self.table.as_ref(),
            state: state.clone(),
            path: path.clone(),
            repetition: game.repetition(),
            ruling: Ruling::Open,
            meter: limits.meter(),
            stats: Stats::default(),
            moves: Vec::new(),
            keys: Vec::new(),
            priorities: Vec::new(),
            weights: Vec::new(),
            outcomes: Vec::new(),
            history: vec![0; remembered],
            number,
            all: all_values(),
            excluded: Vec::new(),
        }
    }
}

/// The bounds of all values.
fn all_values<V: Scalar>() -> ValueRange<V> {
    let largest = V::ratio(i64::from(CERTAIN), 1);
    ValueRange {
        lo: -largest,
        hi: largest,
    }
}

/// What the last finished iteration found.
struct Deepened<M, V> {
    found: Option<(Found<V>, u32)>,
    best: Option<M>,
}

impl<G, K, V> Engine<G> for StarMinimax<K, V>
where
    G: ChanceGame,
    K: Knowledge<G>,
    V: Scalar,
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
        self.aside = None;
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }
}

impl<K, V: Scalar> StarMinimax<K, V> {
    fn think<G>(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move>
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        self.prepare(listener.lines());
        let Situation { game, state, path } = situation;
        let threads = self.config.threads.max(1);
        let share = Limits {
            nodes: limits.nodes.map(|nodes| (nodes / threads as u64).max(1)),
            ..limits.clone()
        };
        let over = Cancel::default();
        let helping = Limits {
            cancel: over.clone(),
            time: None,
            ..share.clone()
        };
        let this = &*self;
        let mut main = this.worker(game, state, path, &share, 0);
        let aside = (listener.lines() > 1).then(|| Worker {
            table: this.aside.as_ref(),
            ..this.worker(game, state, path, &share, 0)
        });
        let mut others = Others::new(aside, listener);
        let mut helped: Vec<Option<_>> = (1..threads).map(|_| None).collect();
        let helping = &helping;
        let jobs = helped.iter_mut().zip(1..).map(|(helped, number)| {
            let job: Job<'_> = Box::new(move || {
                let mut worker = this.worker(game, state, path, helping, number);
                deepen(&mut worker, helping.depth, &mut |_, _, _, _| {});
                *helped = Some((worker.meter.nodes(), worker.stats));
            });
            job
        });
        let jobs = jobs.collect();
        let mut deepened = None;
        let here = &mut || {
            deepened = Some(deepen(
                &mut main,
                share.depth,
                &mut |main, found, best, depth| {
                    others.report(main, found, best, depth);
                },
            ));
            over.cancel();
        };
        threads::beside(here, jobs);
        let deepened = deepened.expect("the search here was run");
        let mut stats = main.stats;
        stats.add(&others.stats());
        let mut nodes = main.meter.nodes();
        for (visited, counted) in helped.iter().flatten() {
            nodes += visited;
            stats.add(counted);
        }
        let best = deepened.best.or_else(|| {
            let mut moves = Vec::new();
            path.legal_moves(game, state, &mut moves);
            moves.first().copied()
        });
        let value = deepened
            .found
            .map(|(found, _)| own_share(game, state, found.value));
        let choice = Choice {
            best,
            value,
            reading: Reading::Own,
            solved: deepened.found.is_some_and(|(found, _)| found.complete),
            plies: None,
            line: best.into_iter().collect(),
            depth: deepened.found.map_or(0, |(_, depth)| depth),
            nodes,
            counters: stats.counters(),
        };
        if deepened.found.is_none() {
            listener.conclude(&choice);
        }
        choice
    }
}

/// A value as a share of the largest payoff of the player to move.
fn own_share<G: TwoPlayer, V: Scalar>(game: &G, state: &G::State, value: V) -> f64 {
    let value = value.to_f64() / f64::from(CERTAIN);
    match game.turn(state) {
        Turn::Player(Player::SECOND) => -value,
        _ => value,
    }
}

/// Is called after each iteration with what it found, the best move, and the depth.
type Finished<'f, 'w, G, K, V> =
    &'f mut dyn FnMut(&mut Worker<'w, G, K, V>, Found<V>, Option<<G as Game>::Move>, u32);

/// Searches to the depth asked for, at once or by iterative deepening.
fn deepen<'w, G, K, V>(
    worker: &mut Worker<'w, G, K, V>,
    depth: Option<u32>,
    finished: Finished<'_, 'w, G, K, V>,
) -> Deepened<G::Move, V>
where
    G: ChanceGame,
    K: Knowledge<G>,
    V: Scalar,
{
    let started = Instant::now();
    let deepest = depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    // Where chance counts every second depth would evaluate positions before a move instead of
    // before a roll, and the two are not comparable.
    let step = if worker.config.count_chance { 2 } else { 1 };
    let first = if worker.config.deepening {
        1 + (deepest - 1) % step
    } else {
        deepest
    };
    let mut deepened = Deepened {
        found: None,
        best: None,
    };
    for depth in (first..=deepest).step_by(step as usize) {
        let mut best = None;
        match worker.root(depth as i32, worker.all, &mut best) {
            Ok(found) => {
                finished(worker, found, best, depth);
                deepened = Deepened {
                    found: Some((found, depth)),
                    best,
                };
                if found.complete {
                    break;
                }
            }
            Err(_) => {
                deepened.best = deepened.best.or(best);
                break;
            }
        }
        // An iteration takes longer than all before it together, so one begun late is lost.
        if worker.meter.is_past(started, 0.4) {
            break;
        }
    }
    deepened
}
