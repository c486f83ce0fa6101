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

use tabia_game::options::{Kind, Parameter, Values};
use tabia_game::threads;
use tabia_game::{Deterministic, Game, Key, Limits, Perfect, Player, Seed, Turn, TwoPlayer};

use crate::{Choice, Counter, Engine, Listener, Past, Situation};

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
        kind: Kind::Integer(1, 20),
        default: "5",
        help: "plies while both sides together have more than 11 moves; up to three more later",
    },
    Parameter {
        key: "playouts",
        kind: Kind::Integer(1, 10_000),
        default: "20",
        help: "playouts of a leaf",
    },
    Parameter {
        key: "threads",
        kind: Kind::Integer(1, 256),
        default: "1",
        help: "threads that share a level",
    },
    Parameter {
        key: "seed",
        kind: Kind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the playouts",
    },
];

impl From<&Values> for Config {
    fn from(values: &Values) -> Config {
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
pub struct Layout {
    width: usize,
}

impl Layout {
    /// A tree in which every node has this many children.
    pub fn new(width: usize) -> Layout {
        Layout { width }
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
    layout: Layout,
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
        let layout = Layout::new(self.numbering.numbers(game, state));
        let mut moves = Vec::new();
        path.legal_moves(game, state, &mut moves);
        let mut choice = Choice {
            best: moves.first().copied(),
            value: None,
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
mod tests {
    use super::*;
    use crate::alphabeta::{self, AlphaBeta};
    use tabia_combinatorial::Strip;
    use tabia_combinatorial::toads::Toads;
    use tabia_game::{Combinatorial, LastMover, Path, Text, Uninformed};

    const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";
    const CONFIG: Config = Config {
        start: 5,
        playouts: 20,
        threads: 1,
        seed: 7,
    };

    type Pond = LastMover<Toads>;

    fn pond(text: &str) -> Pond {
        LastMover::new(Toads, Toads.parse_position(text).unwrap())
    }

    /// Moves by the stones that make them, from the left, as texts tell.
    struct Stones;

    impl Stones {
        fn moves(
            game: &Pond,
            strip: &Strip,
            player: Player,
        ) -> Vec<<Toads as Combinatorial>::Move> {
            let mut moves = Vec::new();
            game.rules().moves(strip, player, &mut moves);
            moves
        }
    }

    impl Numbering<Pond> for Stones {
        fn numbers(&self, _: &Pond, state: &<Pond as Game>::State) -> usize {
            let text = Toads.position_text(state.position());
            let count = |stone| text.chars().filter(|&c| c == stone).count();
            count('T').max(count('F'))
        }

        fn numbered(
            &self,
            game: &Pond,
            state: &<Pond as Game>::State,
            number: usize,
        ) -> Option<<Toads as Combinatorial>::Move> {
            let Turn::Player(player) = game.turn(state) else {
                return None;
            };
            let strip = state.position();
            let stone = if player == Player::FIRST { 'T' } else { 'F' };
            let text = Toads.position_text(strip);
            let mut cells = text.char_indices().filter(|&(_, c)| c == stone);
            let cell = tabia_game::grid::file_letter(cells.nth(number)?.0);
            let from = format!("{cell}1-");
            let moves = Stones::moves(game, strip, player);
            let made = |&mv: &_| Toads.move_text(strip, player, mv).starts_with(&from);
            moves.into_iter().find(made)
        }

        fn mobility(&self, game: &Pond, state: &<Pond as Game>::State) -> usize {
            let of = |player| Stones::moves(game, state.position(), player).len();
            of(Player::FIRST) + of(Player::SECOND)
        }
    }

    fn ask<E: Engine<Pond>>(
        engine: &mut E,
        game: &Pond,
        state: &<Pond as Game>::State,
        limits: &Limits,
    ) -> Choice<<Toads as Combinatorial>::Move> {
        let path = Path::new();
        engine.choose(
            Situation {
                game,
                state,
                path: &path,
            },
            limits,
        )
    }

    /// Sizes for seven pieces, the indices of level 2, and round trips.
    #[test]
    fn wieczorek_array_sizes() {
        let layout = Layout::new(7);
        assert_eq!(layout.size(5), Some(19_608));
        assert_eq!(layout.size(8), Some(6_725_601));
        assert_eq!(layout.level(2), Some(8..57));
        assert_eq!(layout.level(0), Some(0..1));
        assert_eq!(layout.parent(0), None);
        for index in 0..1000 {
            for number in 0..7 {
                let child = layout.child(index, number);
                assert_eq!(layout.parent(child), Some((index, number)));
            }
        }
        // Sizes that nobody could store are not begun.
        assert_eq!(Layout::new(usize::MAX).size(2), None);
        assert!(Layout::new(40).size(Layout::new(40).fitting(20)).unwrap() <= MAX_ENTRIES);
        assert_eq!(Layout::new(0).fitting(5), 5);
    }

    /// Five plies at the start, where both sides together have 14 moves.
    #[test]
    fn wieczorek_depth_schedule() {
        let depths = [14, 12, 11, 8, 7, 6, 0].map(|moves| CONFIG.depth(moves));
        assert_eq!(depths, [5, 5, 6, 6, 7, 8, 8]);
    }

    /// Minimax that plays and takes back, and asks for leaves by the index that it has counted up
    /// to.
    fn minimax(
        filling: &Filling<'_, Pond, Stones>,
        state: &mut <Pond as Game>::State,
        index: usize,
        depth: u32,
    ) -> i32 {
        let game = filling.game;
        let Turn::Player(player) = game.turn(state) else {
            return game.payoff(state, Player::FIRST) * WON;
        };
        if depth == 0 {
            return filling.leaf(index, state);
        }
        let values: Vec<i32> = (0..7)
            .filter_map(|number| {
                let mv = Stones.numbered(game, state, number)?;
                let token = game.play(state, mv);
                let value = minimax(filling, state, 7 * index + 1 + number, depth - 1);
                game.undo(state, token);
                Some(value)
            })
            .collect();
        let best = match player {
            Player::FIRST => values.into_iter().max(),
            _ => values.into_iter().min(),
        };
        best.unwrap()
    }

    #[test]
    fn the_array_holds_what_minimax_finds() {
        let texts = [
            (START, "x"),
            (START, "o"),
            ("TT.T.FTFT...F.F.FF", "o"),
            ("T.TFTF.TTFF.T..FTF", "x"),
            ("TT.FF", "x"),
        ];
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap();
        for (text, side) in texts {
            let game = pond(text);
            let mut state = game.parse_position(&format!("{text} {side}")).unwrap();
            for depth in 0..=4 {
                let limits = Limits::default();
                let root = state.clone();
                let filling = Filling {
                    game: &game,
                    numbering: &Stones,
                    root: &root,
                    layout: Layout::new(7),
                    depth,
                    playouts: 4,
                    luck: Seed::new(3),
                    limits: &limits,
                    deadline: None,
                    spent: AtomicU64::new(0),
                    leaves: AtomicU64::new(0),
                    next: AtomicU64::new(0),
                    stopped: AtomicBool::new(false),
                };
                let (mut alone, mut together) = (Vec::new(), Vec::new());
                filling.fill(&mut alone, None).unwrap();
                filling.fill(&mut together, Some(&pool)).unwrap();
                assert_eq!(alone, together, "{text} {side}, depth {depth}");
                let expected = minimax(&filling, &mut state, 0, depth);
                assert_eq!(alone[0], expected, "{text} {side}, depth {depth}");
            }
        }
    }

    /// Where the array reaches the end of the game it knows who wins, as minimax does.
    #[test]
    fn the_end_of_the_game_is_exact() {
        let config = alphabeta::preset("minimax").unwrap().configure("").unwrap();
        for text in ["TT.FF", "T.TF.FF", "TTT.F", "T.F.T", "TF.TF.F", "TT..F"] {
            for side in ["x", "o"] {
                let game = pond(text);
                let state = game.parse_position(&format!("{text} {side}")).unwrap();
                let array = ask(
                    &mut Array::new(CONFIG, Stones),
                    &game,
                    &state,
                    &Limits::default(),
                );
                let mut minimax = AlphaBeta::new(config.clone(), Uninformed);
                let exact = ask(&mut minimax, &game, &state, &Limits::depth(30));
                if game.turn(&state) != Turn::Over && array.solved {
                    assert_eq!(array.value, exact.value, "{text} {side}");
                }
                assert!(
                    array.solved || array.best.is_none() || text.len() > 6,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn limits_are_kept_and_threads_do_not_matter() {
        let game = pond(START);
        let state = game.start();
        for nodes in [0, 1, 5_000, 200_000] {
            let answers = [1, 3].map(|threads| {
                let config = Config { threads, ..CONFIG };
                ask(
                    &mut Array::new(config, Stones),
                    &game,
                    &state,
                    &Limits::nodes(nodes),
                )
            });
            assert_eq!(
                (answers[0].best, answers[0].value, answers[0].depth),
                (answers[1].best, answers[1].value, answers[1].depth),
                "{nodes}"
            );
            assert!(answers[0].best.is_some());
        }
        let cancelled = Limits::default();
        cancelled.cancel.cancel();
        let stopped = ask(&mut Array::new(CONFIG, Stones), &game, &state, &cancelled);
        assert_eq!((stopped.depth, stopped.value), (0, None));
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let game = pond("FT");
        let strip: Strip = Toads.parse_position("FT").unwrap();
        let state = game.standing(strip, Player::FIRST);
        let choice = ask(
            &mut Array::new(CONFIG, Stones),
            &game,
            &state,
            &Limits::default(),
        );
        assert_eq!(choice.best, None);
    }
}
