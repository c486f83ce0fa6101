//! Search in a fixed array (Wieczorek et al. 2013, section 3.2.2, "MCTS with fixed data storage").
//!
//! A game whose moves have numbers below k is laid out as a complete k-ary tree of depth d, and the
//! tree as an array: child j of entry i is entry k i + j + 1, so an entry says by its index alone
//! which moves lead to it. Level by level from the deepest, the entries of a level all in parallel,
//! each position is set up anew. An unfinished leaf is worth the wins of the first player in some
//! playouts less those of the second; a finished game is worth more than any number; an entry whose
//! moves are not legal is worth nothing and compares with nothing; all others are worth the
//! greatest or the least of their children. There is no tree to grow and nothing to lock.
//!
//! The luck of a leaf follows from its index, so that any number of threads finds the same.
//!
//! The fewer moves there are, the deeper the array: the paper begins with five plies and goes one
//! deeper when both sides together have 8 to 11 moves, two when they have 7, and three when they
//! have fewer. Under a limit on nodes or time, which the paper does not have, arrays of one ply,
//! two plies and so on are filled as long as the next is likely to be finished.
//!
//! Entries know no path: in a game with a rule of repetition nothing is searched, and any legal
//! move is played.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::threads;
use tabia_game::{Deterministic, Game, Key, Limits, Perfect, Player, Seed, Turn, TwoPlayer};

use crate::{Choice, Counter, Engine, Listener, Past, Reading, Situation};

/// Numbers for the moves of a position, such as those of the pieces that make them, where a
/// position has at most one move of each number.
pub trait Numbering<G: Game>: Send + Sync {
    /// One more than the largest number here and wherever play may lead from here.
    fn numbers(&self, game: &G, state: &G::State) -> usize;

    /// The move with this number; `None` if it is not legal, or the game is over.
    fn numbered(&self, game: &G, state: &G::State, number: usize) -> Option<G::Move>;

    /// How many moves all players together would have, were it their turn.
    fn mobility(&self, game: &G, state: &G::State) -> usize;
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Plies while moves are many.
    pub start: u32,
    /// Playouts of a leaf.
    pub playouts: u32,
    /// Threads that share a level.
    pub threads: usize,
    /// Where playouts come from.
    pub seed: u64,
}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "start",
        kind: ParameterKind::Integer(1, 20),
        default: "5",
        help: "plies while both sides together have more than 11 moves; up to three more later",
    },
    Parameter {
        key: "playouts",
        kind: ParameterKind::Integer(1, 10_000),
        default: "20",
        help: "playouts of a leaf",
    },
    Parameter {
        key: "threads",
        kind: ParameterKind::Integer(1, 256),
        default: "1",
        help: "threads that share a level",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the playouts",
    },
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        Config {
            start: values.integer("start").unsigned_abs() as u32,
            playouts: values.integer("playouts").unsigned_abs() as u32,
            threads: values.integer("threads").unsigned_abs() as usize,
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

impl Config {
    /// The plies for a position in which both sides together have this many moves.
    pub fn depth(&self, moves: usize) -> u32 {
        self.start
            + match moves {
                12.. => 0,
                8..=11 => 1,
                7 => 2,
                _ => 3,
            }
    }
}

/// Entries at most, 128 megabytes; deeper arrays are not laid out.
const MAX_ENTRIES: usize = 1 << 25;
/// No path is longer.
const MAX_DEPTH: usize = 64;
/// No playout is longer.
const MAX_PLAYOUT_PLIES: u32 = 10_000;
/// An entry whose moves are not legal.
const INCOMPARABLE: i32 = i32::MIN;
/// The first player has won.
const WON: i32 = i32::MAX;
/// Entries that a thread fills at a time.
const CHUNK: usize = 256;

/// A complete tree of some width as an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLayout {
    width: usize,
}

impl TreeLayout {
    /// A tree in which every node has this many children.
    pub fn new(width: usize) -> TreeLayout {
        TreeLayout { width }
    }

    /// The entries down to this depth; `None` if they are more than can be counted.
    pub fn size(self, depth: u32) -> Option<usize> {
        (0..depth).try_fold(1usize, |size, _| {
            size.checked_mul(self.width)?.checked_add(1)
        })
    }

    /// The entries at this depth.
    pub fn level(self, depth: u32) -> Option<Range<usize>> {
        let start = match depth {
            0 => 0,
            _ => self.size(depth - 1)?,
        };
        Some(start..self.size(depth)?)
    }

    /// Child number `number` of an entry.
    pub fn child(self, index: usize, number: usize) -> usize {
        self.width * index + number + 1
    }

    /// The parent of an entry and the number of the move that leads from it; `None` for the root.
    pub fn parent(self, index: usize) -> Option<(usize, usize)> {
        let before = index.checked_sub(1)?;
        Some((before / self.width, before % self.width))
    }

    /// The greatest depth up to `depth` whose array is small enough.
    fn fitting(self, depth: u32) -> u32 {
        let fits = |&depth: &u32| self.size(depth).is_some_and(|size| size <= MAX_ENTRIES);
        let depth = depth.min(MAX_DEPTH as u32);
        (0..=depth).take_while(fits).last().unwrap_or(0)
    }
}

/// The engine.
pub struct Array<N> {
    config: Config,
    numbering: N,
    luck: Seed,
    entries: Vec<i32>,
    pool: Option<rayon::ThreadPool>,
}

impl<N> Array<N> {
    /// An engine with these switches, and how moves are numbered.
    pub fn new(config: Config, numbering: N) -> Array<N> {
        // Without threads the work is done here.
        let pool = (config.threads > 1)
            .then(|| threads::pool(config.threads))
            .flatten();
        Array {
            config,
            numbering,
            luck: Seed::new(config.seed),
            entries: Vec::new(),
            pool,
        }
    }
}

/// What one array is filled with.
struct Filling<'a, G: Game, N> {
    game: &'a G,
    numbering: &'a N,
    root: &'a G::State,
    layout: TreeLayout,
    depth: u32,
    playouts: u32,
    luck: Seed,
    limits: &'a Limits,
    deadline: Option<Instant>,
    spent: AtomicU64,
    leaves: AtomicU64,
    /// Entries that one more level would have.
    next: AtomicU64,
    stopped: AtomicBool,
}

impl<G, N> Filling<'_, G, N>
where
    G: TwoPlayer + Game<Luck = Deterministic>,
    N: Numbering<G>,
{
    /// The position of an entry; `None` if its moves are not legal.
    fn position(&self, index: usize) -> Option<G::State> {
        let mut path = [0; MAX_DEPTH];
        let mut length = 0;
        let mut entry = index;
        while let Some((parent, number)) = self.layout.parent(entry) {
            path[length] = number;
            length += 1;
            entry = parent;
        }
        let mut state = self.root.clone();
        for &number in path[..length].iter().rev() {
            let mv = self.numbering.numbered(self.game, &state, number)?;
            self.game.play(&mut state, mv);
        }
        Some(state)
    }

    /// The value of an entry; `below` are the entries from the next level on.
    fn value(&self, index: usize, level: u32, below: &[i32], offset: usize) -> i32 {
        if self.stopped.load(Ordering::Relaxed) {
            return INCOMPARABLE;
        }
        let Some(state) = self.position(index) else {
            return INCOMPARABLE;
        };
        let player = match self.game.turn(&state) {
            Turn::Player(player) => player,
            _ => {
                return match self.game.payoff(&state, Player::FIRST).signum() {
                    1 => WON,
                    -1 => -WON,
                    _ => 0,
                };
            }
        };
        if level == self.depth {
            return self.leaf(index, &state);
        }
        let children = (0..self.layout.width)
            .filter_map(|number| {
                below
                    .get(self.layout.child(index, number) - offset)
                    .copied()
            })
            .filter(|&value| value != INCOMPARABLE);
        let best = match player {
            Player::FIRST => children.max(),
            _ => children.min(),
        };
        best.unwrap_or(INCOMPARABLE)
    }

    /// Wins of the first player less those of the second.
    fn leaf(&self, index: usize, state: &G::State) -> i32 {
        let mut rng = self.luck.number(index as u64).rng();
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        self.next.fetch_add(moves.len() as u64, Ordering::Relaxed);
        let (mut sum, mut played) = (0, 0);
        for _ in 0..self.playouts {
            let mut state = state.clone();
            played += u64::from(self.game.play_at_random(
                &mut state,
                MAX_PLAYOUT_PLIES,
                &mut moves,
                &mut rng,
            ));
            if self.game.turn(&state) == Turn::Over {
                sum += self.game.payoff(&state, Player::FIRST).signum();
            }
        }
        let spent = self.spent.fetch_add(played, Ordering::Relaxed) + played;
        self.leaves.fetch_add(1, Ordering::Relaxed);
        let late = self.deadline.is_some_and(|end| Instant::now() >= end);
        if late
            || self.limits.cancel.is_cancelled()
            || spent > self.limits.nodes.unwrap_or(u64::MAX)
        {
            self.stopped.store(true, Ordering::Relaxed);
        }
        sum
    }

    /// Fills the array from the deepest level up; nothing if a limit was reached.
    fn fill(&self, entries: &mut Vec<i32>, pool: Option<&rayon::ThreadPool>) -> Option<()> {
        entries.clear();
        entries.resize(self.layout.size(self.depth)?, INCOMPARABLE);
        for level in (0..=self.depth).rev() {
            let Range { start, end } = self.layout.level(level)?;
            let (upper, below) = entries.split_at_mut(end);
            let row = &mut upper[start..];
            let below = &*below;
            match pool {
                None => row.iter_mut().enumerate().for_each(|(place, entry)| {
                    *entry = self.value(start + place, level, below, end);
                }),
                Some(pool) => threads::within(pool, || {
                    let mut chunks: Vec<&mut [i32]> = row.chunks_mut(CHUNK).collect();
                    threads::each_mut(&mut chunks, &|chunk, entries| {
                        for (entry, place) in entries.iter_mut().zip(chunk * CHUNK..) {
                            *entry = self.value(start + place, level, below, end);
                        }
                    });
                }),
            }
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(())
    }
}

impl<G, N> Engine<G> for Array<N>
where
    G: TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Key,
    N: Numbering<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    /// Reports the best move of every array.
    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let layout = TreeLayout::new(self.numbering.numbers(game, state));
        let mut moves = Vec::new();
        path.legal_moves(game, state, &mut moves);
        let mut choice = Choice {
            best: moves.first().copied(),
            value: None,
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            counters: Vec::new(),
        };
        let Turn::Player(player) = game.turn(state) else {
            choice.best = None;
            return choice;
        };
        // The entries of an array do not know the path to them.
        if game.repetition().is_tracked() {
            return choice;
        }
        let scheduled = self.config.depth(self.numbering.mobility(game, state));
        let deepest = layout.fitting(scheduled.min(limits.depth.unwrap_or(u32::MAX)));
        let first = match (limits.nodes, limits.time) {
            (None, None) => deepest,
            _ => 1,
        };
        let deadline = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let mut leaves = 0;
        for depth in first..=deepest {
            let filling = Filling {
                game,
                numbering: &self.numbering,
                root: state,
                layout,
                depth,
                playouts: self.config.playouts,
                luck: self.luck.number(game.key(state)),
                limits,
                deadline,
                spent: AtomicU64::new(choice.nodes),
                leaves: AtomicU64::new(0),
                next: AtomicU64::new(0),
                stopped: AtomicBool::new(false),
            };
            let filled = filling.fill(&mut self.entries, self.pool.as_ref());
            let spent = filling.spent.into_inner();
            let cost = spent - choice.nodes;
            choice.nodes = spent;
            if filled.is_none() {
                break;
            }
            choice.depth = depth;
            let value = |number: usize| {
                let entry = self.entries.get(layout.child(0, number)).copied();
                let entry = entry.filter(|&entry| entry != INCOMPARABLE)?;
                let own = match player {
                    Player::FIRST => entry,
                    _ => -entry,
                };
                Some((own, number))
            };
            // Of several the first, as pieces are numbered.
            let best = (0..layout.width)
                .filter_map(value)
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            if let Some((worth, number)) = best {
                choice.best = self.numbering.numbered(game, state, number).or(choice.best);
                choice.solved = worth.abs() == WON;
                let most = f64::from(self.config.playouts) + 1.0;
                choice.value = Some(match worth {
                    WON => 1.0,
                    worth if worth == -WON => -1.0,
                    worth => f64::from(worth) / most,
                });
            }
            choice.line = choice.best.into_iter().collect();
            listener.conclude(&choice);
            leaves = filling.leaves.into_inner();
            // A won or lost game needs no deeper array, and one that will not be finished is not
            // begun.
            let growth = filling.next.into_inner() as f64 / leaves.max(1) as f64;
            let room = limits
                .nodes
                .map_or(f64::INFINITY, |most| most as f64 - spent as f64);
            if choice.solved || cost as f64 * growth > room {
                break;
            }
        }
        if choice.depth == 0 {
            choice.line = choice.best.into_iter().collect();
            listener.conclude(&choice);
        }
        choice.counters = vec![
            ("array", Counter::One(self.entries.len() as u64)),
            ("leaves", Counter::One(leaves)),
        ];
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.config.seed);
    }
}

#[cfg(test)]
mod tests;
