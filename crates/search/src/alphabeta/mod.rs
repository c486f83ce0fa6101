//! Alpha-beta search for two-player games of perfect information without chance.
//!
//! One search whose parts are switches of a [`Config`]: plain minimax and alpha-beta exactly as
//! printed in Schadd (2011, chapter 2), principal variation search, MTD(f), aspiration windows,
//! iterative deepening, transposition table, enhanced transposition cutoffs, dynamic move ordering
//! (Winands et al. 2004), null move, multi-cut, late-move reductions, quiescence, threads that
//! share the table. Everything but null move, multi-cut, reductions and the beam is *safe*: it
//! never changes the value, provided `graft` is off. (Quiescence changes what a leaf is worth, the
//! same for all.)
//!
//! # Repetition
//!
//! Where a game declares a rule of repetition the search keeps the path, leaves out the moves that
//! the rule forbids, and scores positions that end the game by the rule. Values then depend on the
//! path, and a table that ignores it can be wrong (the graph-history problem).
//!
//! Where a repetition *draws*, table keys are combined with the set of positions that have occurred
//! more than once, so that two paths share an entry only if the same positions are about to be
//! repeated. What remains is a position that occurs once before the node and twice within its
//! subtree, or, if the second occurrence draws, once. With alternating moves a cycle takes four
//! plies, so searches of fewer than eight plies, or four, are exact. Lines that end in such a draw
//! never count as solved. [`Stats::repetitions`](Stats) tells whether repetitions were met at all.
//!
//! Where a repetition *loses*, is *forbidden* or is *judged*, table keys are combined with all that
//! the rule may still look at (see [`Path::signature`]). Values are exact at every depth, with and
//! without a table, and lines that the rule ends count as solved. Few paths then share an entry. A
//! player all of whose moves are forbidden is noticed where moves are generated, which is not at
//! the horizon. Null moves are not in the rules and are entered on the path as nobody's moves.

mod busy;
mod config;
mod lines;
mod node;
mod ordering;
mod pruning;
mod quiescence;
mod stats;
#[cfg(test)]
mod tests;
mod window;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use tabia_game::threads::{self, Job};
use tabia_game::{
    Cancel, Deterministic, Game, Key, Knowledge, Limits, Made, MoveIndex, Path, Perfect, Player,
    Seed, Turn, TwoPlayer,
};

use crate::score;
use crate::table::TranspositionTable;
use crate::{Choice, Engine, Listener, Past, Reading, Situation};

pub use config::{
    Config, History, Increment, Method, MultiCut, NullMove, PARAMETERS, PRESETS, Preset, preset,
};
pub use stats::{NodeType, Stats};

use busy::Busy;
use lines::{Aside, Others};
use node::Worker;
pub(crate) use ordering::Killers;
use ordering::Memory;
use window::{Scored, Window};

/// The games that this search can serve.
pub trait AlphaBetaGame:
    TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Key + MoveIndex
{
}

impl<G> AlphaBetaGame for G where
    G: TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Key + MoveIndex
{
}

/// Plies a search may look ahead.
pub const MAX_DEPTH: u32 = 200;

/// The engine: switches, knowledge, and what is remembered from move to move.
pub struct AlphaBeta<K> {
    config: Config,
    knowledge: K,
    table: Option<TranspositionTable>,
    memories: Vec<Memory>,
    /// For lines other than the best one, where they are asked for.
    aside: Option<Aside>,
}

/// What one search found.
struct Found<M> {
    scored: Scored,
    line: Vec<M>,
    depth: u32,
}

impl<K> AlphaBeta<K> {
    /// An engine with these switches. The table is allocated by the first search.
    pub fn new(config: Config, knowledge: K) -> AlphaBeta<K> {
        AlphaBeta {
            config,
            knowledge,
            table: None,
            memories: Vec::new(),
            aside: None,
        }
    }

    /// The switches.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

impl<G: AlphaBetaGame, K: Knowledge<G>> Engine<G> for AlphaBeta<K> {
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        self.think(situation, limits, &mut Listener::silent())
    }

    /// Reports after every iteration. The best line, its value and its depth are those of the
    /// search without a listener. Other lines are searched aside after each iteration, with a table
    /// of their own, and their nodes count against the limit.
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
        self.memories.clear();
        self.aside = None;
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let estimate = self.knowledge.evaluate(game, state, player);
        Some(score::to_value(score::of_estimate(estimate)))
    }
}

impl<K> AlphaBeta<K> {
    fn think<G: AlphaBetaGame>(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move>
    where
        K: Knowledge<G>,
    {
        let Turn::Player(mover) = situation.game.turn(situation.state) else {
            return Choice::nothing();
        };
        self.prepare(situation.game, listener.lines());
        let limits = self.shared_out(limits);
        let (table, config, knowledge) = (self.table.as_ref(), &self.config, &self.knowledge);
        let busy = (config.threads > 1 && table.is_some()).then(Busy::new);
        let game_over = Cancel::default();
        let (main, helpers) = self.memories.split_at_mut(1);
        let worker = |memory, limits: &Limits, table, busy| Worker {
            game: situation.game,
            knowledge,
            config,
            table,
            busy,
            memory,
            state: situation.state.clone(),
            path: situation.path.clone(),
            meter: limits.meter(),
            stats: Stats::default(),
            moves: Vec::new(),
            scores: Vec::new(),
            priorities: Vec::new(),
            beam: Vec::new(),
            lines: Vec::new(),
            played: Vec::new(),
            repetition: situation.game.repetition(),
            max_payoff: situation.game.max_payoff(),
            distances: config.distances && situation.game.max_payoff() == 1,
            excluded: Vec::new(),
        };
        let busy = busy.as_ref();
        let mut first = worker(&mut main[0], &limits, table, busy);
        let aside = self.aside.as_mut().filter(|_| listener.lines() > 1);
        let aside =
            aside.map(|aside| worker(&mut aside.memory, &limits, aside.table.as_ref(), None));
        let helper_limits = Limits {
            cancel: game_over.clone(),
            time: None,
            ..limits.clone()
        };
        let mut stats = Stats::default();
        let mut nodes = 0;
        let mut helped: Vec<Option<(Stats, u64)>> = helpers.iter().map(|_| None).collect();
        let visited: Vec<AtomicU64> = helpers.iter().map(|_| AtomicU64::new(0)).collect();
        let jobs = helpers.iter_mut().zip(&mut helped).zip(&visited);
        let jobs = jobs.map(|((memory, helped), visited)| {
            let mut helper = worker(memory, &helper_limits, table, busy);
            let depth = helper_limits.depth;
            let job: Job<'_> = Box::new(move || {
                deepen(&mut helper, mover, depth, &mut |helper, _, _| {
                    visited.store(helper.meter.nodes(), Relaxed);
                });
                *helped = Some((helper.stats, helper.meter.nodes()));
            });
            job
        });
        let jobs = jobs.collect();
        let mut found = None;
        let mut others = Others::new(aside, listener, &visited);
        let here = &mut || {
            found = deepen(
                &mut first,
                mover,
                limits.depth,
                &mut |first, found, depth| {
                    others.report(first, found, mover, depth);
                },
            );
            game_over.cancel();
        };
        threads::beside(here, jobs);
        for (counted, visited) in helped.iter().flatten() {
            stats.add(counted);
            nodes += visited;
        }
        stats.add(&first.stats);
        stats.add(&others.stats());
        nodes += first.meter.nodes();
        let found = found.unwrap_or_else(|| first_move(&mut first));
        let choice = Choice {
            best: found.line.first().copied(),
            value: (found.depth > 0).then(|| score::to_value(found.scored.score)),
            reading: Reading::Own,
            solved: found.scored.complete,
            plies: score::plies(found.scored.score).filter(|_| found.scored.complete),
            line: found.line,
            depth: found.depth,
            nodes,
            counters: stats.counters(),
        };
        if choice.depth == 0 {
            listener.conclude(&choice);
        }
        choice
    }

    fn prepare<G: MoveIndex>(&mut self, game: &G, lines: usize) {
        let config = &self.config;
        if lines > 1 {
            let aside = self.aside.get_or_insert_with(|| Aside::new(game, config));
            aside.new_search(config);
        }
        self.memories.resize_with(config.threads.max(1), || {
            Memory::new(game.move_indices(), config)
        });
        self.memories
            .iter_mut()
            .for_each(|memory| memory.new_search(config));
        match &mut self.table {
            Some(table) => table.new_search(),
            None if config.table > 0 => {
                self.table = Some(TranspositionTable::new(config.table, config.replacement))
            }
            None => {}
        }
    }

    /// Depth within what the search can do, and node limits shared out among the threads.
    fn shared_out(&self, limits: &Limits) -> Limits {
        let threads = self.config.threads.max(1) as u64;
        Limits {
            depth: limits.depth.map(|depth| depth.min(MAX_DEPTH)),
            nodes: limits.nodes.map(|nodes| (nodes / threads).max(1)),
            ..limits.clone()
        }
    }
}

/// Is called after each iteration with what it found and the depth that was asked for.
type Finished<'f, 'w, G, K> =
    &'f mut dyn FnMut(&mut Worker<'w, G, K>, &Found<<G as Game>::Move>, u32);

/// Searches to the depth asked for, at once or by iterative deepening; what the last finished
/// iteration found.
fn deepen<'w, G: AlphaBetaGame, K: Knowledge<G>>(
    worker: &mut Worker<'w, G, K>,
    mover: Player,
    depth: Option<u32>,
    finished: Finished<'_, 'w, G, K>,
) -> Option<Found<G::Move>> {
    let started = Instant::now();
    let deepest = depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let first = if worker.config.deepening { 1 } else { deepest };
    let mut found: Option<Found<G::Move>> = None;
    for depth in first..=deepest {
        let guess = found.as_ref().map(|found| found.scored.score);
        match iteration(worker, mover, depth as i32, guess) {
            Ok(scored) => {
                let mut line = worker.lines[0].clone();
                extend_line(worker, &mut line, depth as usize);
                // A finished tree may be shallower than what was asked for.
                let reached = match scored.complete {
                    true => depth.min(worker.stats.deepest as u32),
                    false => depth,
                };
                let now = Found {
                    scored,
                    line,
                    depth: reached,
                };
                finished(worker, &now, depth);
                found = Some(now);
            }
            Err(_) => {
                // The best move of an unfinished first iteration is better than none.
                if found.is_none() && !worker.lines.is_empty() && !worker.lines[0].is_empty() {
                    let line = worker.lines[0].clone();
                    let scored = Scored {
                        score: 0,
                        complete: false,
                    };
                    found = Some(Found {
                        scored,
                        line,
                        depth: 0,
                    });
                }
                break;
            }
        }
        let solved = found.as_ref().is_some_and(|found| found.scored.complete);
        // An iteration takes longer than all before it together, so one begun late is lost.
        if solved || worker.meter.is_past(started, 0.6) {
            break;
        }
    }
    found
}

/// One search to a fixed depth, with the windows that the method asks for.
fn iteration<G: AlphaBetaGame, K: Knowledge<G>>(
    worker: &mut Worker<'_, G, K>,
    mover: Player,
    depth: i32,
    guess: Option<i32>,
) -> Result<Scored, tabia_game::Stopped> {
    if worker.config.method == Method::Mtdf {
        return mtdf(worker, mover, depth, guess.unwrap_or(0));
    }
    let width = worker.config.aspiration;
    let (Some(guess), true) = (guess, width > 0) else {
        return worker.root(mover, Window::FULL, depth);
    };
    let mut window = Window {
        alpha: (guess - width).max(-score::INFINITY),
        beta: (guess + width).min(score::INFINITY),
    };
    loop {
        let scored = worker.root(mover, window, depth)?;
        if scored.score <= window.alpha && window.alpha > -score::INFINITY {
            window.alpha = -score::INFINITY;
        } else if scored.score >= window.beta && window.beta < score::INFINITY {
            window.beta = score::INFINITY;
        } else {
            return Ok(scored);
        }
    }
}

/// MTD(f) (Plaat et al. 1996): null-window searches raise the lower and drop the upper bound until
/// they meet.
fn mtdf<G: AlphaBetaGame, K: Knowledge<G>>(
    worker: &mut Worker<'_, G, K>,
    mover: Player,
    depth: i32,
    guess: i32,
) -> Result<Scored, tabia_game::Stopped> {
    let (mut lower, mut upper) = (-score::INFINITY, score::INFINITY);
    let mut value = Scored {
        score: guess,
        complete: false,
    };
    let mut line = Vec::new();
    let (mut lower_complete, mut upper_complete) = (false, false);
    while lower < upper {
        let beta = value.score.max(lower + 1);
        value = worker.root(mover, Window::null(beta - 1), depth)?;
        if value.score < beta {
            (upper, upper_complete) = (value.score, value.complete);
        } else {
            (lower, lower_complete) = (value.score, value.complete);
            // Only a search that failed high has a move to show for it.
            line.clone_from(&worker.lines[0]);
        }
    }
    if !line.is_empty() {
        worker.lines[0] = line;
    }
    let won = lower >= tabia_game::CERTAIN && lower_complete;
    let lost = upper <= -tabia_game::CERTAIN && upper_complete;
    value.complete = won || lost || lower_complete && upper_complete;
    Ok(value)
}

/// Lengthens a line that a table entry cut short, by following best moves in the table.
fn extend_line<G: AlphaBetaGame, K: Knowledge<G>>(
    worker: &Worker<'_, G, K>,
    line: &mut Vec<G::Move>,
    depth: usize,
) {
    let Some(table) = worker.table else { return };
    let mut state = worker.state.clone();
    // The path is needed where moves may be illegal because of it.
    let rule = worker.repetition;
    let mut path = rule.has_exact_keys().then(|| worker.path.clone());
    let mut ended = false;
    let mut follow = |state: &mut G::State, mv, path: &mut Option<Path>| {
        let made = Made::of(worker.game, rule, state, mv);
        worker.game.play(state, mv);
        let ruling = path
            .as_mut()
            .map(|path| path.enter(worker.game, rule, state, made));
        ended |= ruling.is_some_and(|ruling| !ruling.is_open());
        ended
    };
    for &mv in line.iter() {
        follow(&mut state, mv, &mut path);
    }
    let mut moves = Vec::new();
    while line.len() < depth && worker.game.turn(&state) != Turn::Over {
        let key = match &path {
            Some(path) => worker.game.key_on_path(&state, path),
            None => worker.game.key(&state),
        };
        let Some(best) = table.probe(key).and_then(|entry| entry.best) else {
            return;
        };
        moves.clear();
        worker.game.moves(&state, &mut moves);
        if let Some(path) = &path {
            path.retain_legal(worker.game, rule, &mut state, &mut moves, 0);
        }
        let Some(&mv) = moves
            .iter()
            .find(|&&mv| worker.game.move_index(mv) as u32 == best)
        else {
            return;
        };
        line.push(mv);
        if follow(&mut state, mv, &mut path) {
            return;
        }
    }
}

/// The answer of a search that was stopped before it had looked at anything.
fn first_move<G: AlphaBetaGame, K>(worker: &mut Worker<'_, G, K>) -> Found<G::Move> {
    let mut moves = Vec::new();
    worker.game.moves(&worker.state, &mut moves);
    let (game, rule) = (worker.game, worker.repetition);
    worker
        .path
        .retain_legal(game, rule, &mut worker.state, &mut moves, 0);
    moves.truncate(1);
    Found {
        scored: Scored {
            score: 0,
            complete: false,
        },
        line: moves,
        depth: 0,
    }
}
