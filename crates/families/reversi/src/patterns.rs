//! Evaluation by patterns (Buro 2003; Schadd 2011, section 6.4.3): what squares of a line or a
//! corner hold, looked up.
//!
//! The patterns are those of the thesis: the four kinds of orthogonal lines, the five kinds of
//! diagonals of at least four squares, and the corner of 2x4 squares, on the 8x8 board. Each square
//! is empty, own or another's, all opponents being one. A position has 42 of them, since each kind
//! lies on the board in several ways, and they share their weights. Weights differ from stage to
//! stage of the game. Their sum is how many pieces more than an equal share a player will end with.
//!
//! The weights were learnt by self-play and not from games of experts, by the commands of
//! `docs/boards.md`.

use std::sync::{Arc, LazyLock};

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Game, Knowledge, Player};

use super::evaluation::{Corners, bounded};
use super::{Othello, Place, Rolit, Score};

const SIDE: usize = 8;
const SQUARES: usize = SIDE * SIDE;
/// Patterns of a position.
pub const INSTANCES: usize = 42;
/// Different contents of all kinds of patterns: 4 x 3^8 + 3^4 + ... + 3^8 + 3^8.
pub const WEIGHTS: usize = 42_606;
/// Weights are kept as whole numbers, this many to a piece.
pub const UNIT: f32 = 16.0;

/// The squares of the patterns of a position, and where the weights of each begin.
struct Shapes {
    offsets: [u32; INSTANCES],
    /// What the pieces of each rank add to the number of each pattern: for every rank and every set
    /// of its files.
    added: Vec<[u16; INSTANCES]>,
}

static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

/// The squares of all patterns: kinds in order, with the ways in which each lies on the board.
fn kinds() -> Vec<Vec<Vec<usize>>> {
    let square = |file: usize, rank: usize| rank * SIDE + file;
    let orthogonal = (0..SIDE / 2).map(|k| (0..SIDE).map(|i| (i, k)).collect::<Vec<_>>());
    let diagonal = (4..=SIDE).map(|n| (0..n).map(|i| (i, SIDE - n + i)).collect());
    let corner = std::iter::once((0..SIDE).map(|i| (i % 4, i / 4)).collect());
    let images = |squares: Vec<(usize, usize)>| {
        let last = SIDE - 1;
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for symmetry in 0..8 {
            let image = squares.iter().map(|&(file, rank)| {
                let file = if symmetry & 1 == 0 { file } else { last - file };
                let rank = if symmetry & 2 == 0 { rank } else { last - rank };
                match symmetry & 4 {
                    0 => square(file, rank),
                    _ => square(rank, file),
                }
            });
            let list: Vec<usize> = image.collect();
            let mut set = list.clone();
            set.sort_unstable();
            // A line read backwards is the same line.
            if !sets.contains(&set) {
                sets.push(set);
                lists.push(list);
            }
        }
        lists
    };
    orthogonal
        .chain(diagonal)
        .chain(corner)
        .map(images)
        .collect()
}

impl Shapes {
    fn new() -> Shapes {
        let mut offsets = [0; INSTANCES];
        let mut added = vec![[0; INSTANCES]; SIDE << SIDE];
        let (mut offset, mut instance) = (0, 0);
        for ways in kinds() {
            let length = ways[0].len() as u32;
            for squares in ways {
                offsets[instance] = offset;
                for (digit, &square) in (0..).zip(&squares) {
                    let (rank, file) = (square / SIDE, square % SIDE);
                    for set in (0..1usize << SIDE).filter(|set| set & 1 << file != 0) {
                        added[rank << SIDE | set][instance] += 3u16.pow(digit);
                    }
                }
                instance += 1;
            }
            offset += 3u32.pow(length);
        }
        Shapes { offsets, added }
    }
}

/// The numbers of the weights of a position for the owner of `own`.
#[inline]
pub fn features(own: u64, others: u64) -> [u32; INSTANCES] {
    let shapes = &*SHAPES;
    let mut numbers = [0u16; INSTANCES];
    for rank in 0..SIDE {
        let row = |set: u64| &shapes.added[rank << SIDE | (set >> (SIDE * rank) & 0xff) as usize];
        let (own, others) = (row(own), row(others));
        for ((number, own), others) in numbers.iter_mut().zip(own).zip(others) {
            *number += own + 2 * others;
        }
    }
    std::array::from_fn(|i| shapes.offsets[i] + u32::from(numbers[i]))
}

/// Games that are learnt: the pieces of a player and of all others on an 8x8 board.
pub trait Sided: Game<Move = Place> {
    /// The set of weights that belongs to the game.
    fn weight_set(&self) -> usize;

    /// The pieces of a player, and all others.
    fn sides(&self, state: &Self::State, player: Player) -> (u64, u64);

    /// How many pieces more than an equal share a player ended with.
    fn surplus(&self, state: &Self::State, player: Player) -> f32;
}

impl Sided for Othello<u64> {
    fn weight_set(&self) -> usize {
        0
    }

    #[inline]
    fn sides(&self, state: &Self::State, player: Player) -> (u64, u64) {
        (state.of(player), state.of(player.other()))
    }

    fn surplus(&self, state: &Self::State, player: Player) -> f32 {
        let (own, other) = self.sides(state, player);
        (own.count() as f32 - other.count() as f32) / 2.0
    }
}

impl Sided for Rolit<u64> {
    fn weight_set(&self) -> usize {
        self.players() - 2
    }

    #[inline]
    fn sides(&self, state: &Self::State, player: Player) -> (u64, u64) {
        let own = state.of(player);
        (own, state.occupied() & !own)
    }

    fn surplus(&self, state: &Self::State, player: Player) -> f32 {
        state.of(player).count() as f32 - SQUARES as f32 / self.players() as f32
    }
}

/// Why bytes are no weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternsError(String);

/// Learnt weights, for one game or for several numbers of players.
#[derive(Clone, Debug)]
pub struct Patterns {
    game: String,
    sets: usize,
    stages: usize,
    weights: Arc<[i8]>,
}

const MAGIC: &str = "tabia patterns 1";
/// Stages at most: every piece one.
const MAX_STAGES: usize = 60;
const MAX_SETS: usize = 3;

impl Patterns {
    /// Weights that know nothing yet: this many sets for this many stages.
    pub fn nothing(game: &str, sets: usize, stages: usize) -> Patterns {
        let (sets, stages) = (sets.clamp(1, MAX_SETS), stages.clamp(1, MAX_STAGES));
        Patterns {
            game: game.to_string(),
            sets,
            stages,
            weights: vec![0; sets * stages * WEIGHTS].into(),
        }
    }

    /// The same with other weights, in pieces; `None` unless there are as many.
    pub fn with(&self, weights: &[f32]) -> Option<Patterns> {
        let kept = |&weight: &f32| (weight * UNIT).round().clamp(-127.0, 127.0) as i8;
        (weights.len() == self.weights.len()).then(|| Patterns {
            weights: weights.iter().map(kept).collect(),
            ..self.clone()
        })
    }

    /// All weights, in pieces.
    pub fn weights(&self) -> Vec<f32> {
        self.weights.iter().map(|&w| f32::from(w) / UNIT).collect()
    }

    /// The game they are of.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Where the weights of a set begin for a position with this many pieces.
    #[inline]
    pub fn place(&self, set: usize, pieces: usize) -> usize {
        let played = pieces.saturating_sub(4);
        let stage = (played * self.stages / (SQUARES - 4)).min(self.stages - 1);
        (set % self.sets * self.stages + stage) * WEIGHTS
    }

    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (sets, stages) = (self.sets, self.stages);
        let mut bytes = format!("{MAGIC} {} {sets} {stages}\n", self.game).into_bytes();
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
        bytes
    }

    /// From a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Patterns, PatternsError> {
        let wrong = |reason: &str| PatternsError(reason.to_string());
        let end = bytes.iter().take(100).position(|&byte| byte == b'\n');
        let (heading, weights) = bytes.split_at(end.ok_or_else(|| wrong("it has no heading"))?);
        let heading = std::str::from_utf8(heading).map_err(|_| wrong("its heading is no text"))?;
        let rest = heading
            .strip_prefix(MAGIC)
            .ok_or_else(|| PatternsError(format!("it does not begin with '{MAGIC}'")))?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let numbers = match words.as_slice() {
            [game, sets, stages] => sets
                .parse()
                .ok()
                .zip(stages.parse().ok())
                .map(|n| (*game, n)),
            _ => None,
        };
        let possible = numbers.filter(|(_, (sets, stages))| {
            (1..=MAX_SETS).contains(sets) && (1..=MAX_STAGES).contains(stages)
        });
        let Some((game, (sets, stages))) = possible else {
            return Err(wrong("its heading does not tell a game, sets and stages"));
        };
        let weights = &weights[1..];
        if weights.len() != sets * stages * WEIGHTS {
            return Err(PatternsError(format!(
                "it has {} weights where {} belong",
                weights.len(),
                sets * stages * WEIGHTS
            )));
        }
        Ok(Patterns {
            game: game.to_string(),
            sets,
            stages,
            weights: weights.iter().map(|&byte| byte as i8).collect(),
        })
    }

    /// The weights of Othello that come with the game.
    pub fn othello() -> Result<Patterns, PatternsError> {
        Patterns::from_bytes(include_bytes!("othello.pat"))
    }

    /// The weights of Rolit that come with the game.
    pub fn rolit() -> Result<Patterns, PatternsError> {
        Patterns::from_bytes(include_bytes!("rolit.pat"))
    }

    /// What the weights of a position sum to, in pieces.
    #[inline]
    pub fn surplus(&self, set: usize, own: u64, others: u64) -> f32 {
        let first = self.place(set, (own | others).count());
        let weights = &self.weights[first..][..WEIGHTS];
        let numbers = features(own, others);
        let sum: i32 = numbers
            .iter()
            .map(|&number| i32::from(weights[number as usize]))
            .sum();
        sum as f32 / UNIT
    }
}

/// Pieces as millionths of a board.
fn millionths(pieces: f32) -> i32 {
    (pieces * (CERTAIN as f32 / SQUARES as f32)) as i32
}

/// What positions are judged by.
#[derive(Clone, Debug)]
pub enum Judge {
    /// Corners, mobility and pieces.
    Corners,
    /// Learnt patterns, on the 8x8 board.
    Learnt(Arc<Patterns>),
}

impl Knowledge<Othello<u64>> for Judge {
    fn evaluate(
        &self,
        game: &Othello<u64>,
        state: &<Othello<u64> as Game>::State,
        player: Player,
    ) -> i32 {
        let Judge::Learnt(patterns) = self else {
            return Corners.evaluate(game, state, player);
        };
        // Both expectations, so that those of the players cancel out.
        let (own, other) = game.sides(state, player);
        let set = game.weight_set();
        let lead = patterns.surplus(set, own, other) - patterns.surplus(set, other, own);
        millionths(lead).clamp(1 - CERTAIN, CERTAIN - 1)
    }

    fn priority(
        &self,
        game: &Othello<u64>,
        state: &<Othello<u64> as Game>::State,
        mv: Place,
    ) -> i32 {
        Corners.priority(game, state, mv)
    }
}

impl Knowledge<Rolit<u64>> for Judge {
    fn evaluate(
        &self,
        game: &Rolit<u64>,
        state: &<Rolit<u64> as Game>::State,
        player: Player,
    ) -> i32 {
        let Judge::Learnt(patterns) = self else {
            return Corners.evaluate(game, state, player);
        };
        let players = game.players();
        let surplus = |player| {
            let (own, others) = game.sides(state, player);
            patterns.surplus(game.weight_set(), own, others)
        };
        let surplus = match players {
            2 => (surplus(player) - surplus(player.other())) / 2.0,
            _ => surplus(player),
        };
        match game.score() {
            Score::Win => bounded(millionths(surplus), players),
            Score::Pieces => {
                let fair = SQUARES as f32 / players as f32;
                millionths(fair + surplus).clamp(1, CERTAIN - 1)
            }
        }
    }

    fn priority(&self, game: &Rolit<u64>, state: &<Rolit<u64> as Game>::State, mv: Place) -> i32 {
        Corners.priority(game, state, mv)
    }
}
