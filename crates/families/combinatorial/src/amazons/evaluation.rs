//! What a search knows of Amazons: who gets where first.
//!
//! Four evaluations. `mobility` counts moves. `distance` gives every square to the side that needs
//! fewer queen moves to it (min-distance, Müller and Tegos 2002). `phases` is in the manner of
//! Antiope (Tegos 2002, chapter 6): mobility, distribution, first moves and control of the board in
//! the opening, min-distance after it; the weights are ours, since none are printed. `territory` is
//! in the manner of Lieberum (2005): territory by queen and by king moves, nearness by both, and
//! the mobility of every queen, weighed by how much of the board is still open to both sides. Its
//! weights are ours as well.
//!
//! Distances ignore the arrows that moving shoots. They are found by flooding the board, all
//! squares at once.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player};

use super::lines::{Blocked, Set};
use super::{Amazons, State};

/// What a square of territory is worth, in millionths of a win.
pub const SQUARE: i32 = 10_000;
/// What a point of Karapetyan and Lorentz (2004) is worth: twenty are one square.
pub const POINT: i32 = SQUARE / 20;

/// Which evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Territory, nearness and mobility.
    #[default]
    Territory,
    /// By the phase of the game.
    Phases,
    /// Min-distance alone.
    Distance,
    /// The numbers of moves.
    Mobility,
}

impl Evaluation {
    /// All, by name.
    pub const NAMES: &[&str] = &["territory", "phases", "distance", "mobility"];

    /// The evaluation with this name.
    pub fn named(name: &str) -> Evaluation {
        match name {
            "phases" => Evaluation::Phases,
            "distance" => Evaluation::Distance,
            "mobility" => Evaluation::Mobility,
            _ => Evaluation::Territory,
        }
    }
}

/// Knowledge of the game by one of the evaluations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judge(pub Evaluation);

impl Knowledge<Amazons> for Judge {
    fn evaluate(&self, game: &Amazons, state: &State, player: Player) -> i32 {
        let white = match self.0 {
            Evaluation::Territory => game.territory(state),
            Evaluation::Phases => game.phases(state),
            Evaluation::Distance => game.distance(state),
            Evaluation::Mobility => game.mobility(state),
        };
        let white = white.clamp(1 - i64::from(CERTAIN), i64::from(CERTAIN) - 1) as i32;
        if player == Player::FIRST {
            white
        } else {
            -white
        }
    }
}

/// Distances beyond are not told apart.
const FAR: usize = 32;

/// The squares at each distance from the queens of one side, from one on.
struct Flood {
    rings: [Set; FAR],
    count: usize,
}

impl Flood {
    #[inline]
    fn new(queens: Set, empty: Set, step: impl Fn(Set, Set) -> Set) -> Flood {
        let (mut rings, mut count) = ([0; FAR], 0);
        let (mut edge, mut left) = (queens, empty);
        while count < FAR {
            // Slides pass over squares that are nearer, steps need not.
            edge = step(edge, empty) & left;
            if edge == 0 {
                break;
            }
            left &= !edge;
            rings[count] = edge;
            count += 1;
        }
        Flood { rings, count }
    }

    fn reached(&self) -> Set {
        self.rings[..self.count]
            .iter()
            .fold(0, |set, ring| set | ring)
    }
}

/// The squares that each side reaches first, and those that both reach at once.
struct Shares {
    own: [Set; 2],
    both: Set,
}

impl Shares {
    #[inline]
    fn new([white, black]: [&Flood; 2]) -> Shares {
        let (mut own, mut both) = ([0; 2], 0);
        let mut known = 0;
        for i in 0..white.count.max(black.count) {
            let (w, b) = (white.rings[i] & !known, black.rings[i] & !known);
            both |= w & b;
            own[0] |= w & !b;
            own[1] |= b & !w;
            known |= w | b;
        }
        Shares { own, both }
    }

    /// The difference in squares, those that both reach at once a fifth for whoever moves.
    #[inline]
    fn value(&self, mover: Player) -> i64 {
        let ahead = size(self.own[0]) - size(self.own[1]);
        let tempo = size(self.both) * i64::from(SQUARE) / 5;
        ahead * i64::from(SQUARE)
            + if mover == Player::FIRST {
                tempo
            } else {
                -tempo
            }
    }
}

#[inline]
fn size(set: Set) -> i64 {
    i64::from(set.count_ones())
}

/// A whole, in the arithmetic of weights.
const ONE: i64 = 1 << 10;
/// King distances beyond count as one more than this in the nearness by king moves.
const NEARNESS: usize = 6;
/// A queen of less mobility is in trouble.
const TROUBLE: i64 = 6 * 4;
/// What a queen without any costs while the board is open, in squares.
const TRAPPED: i64 = 12;

impl Amazons {
    #[inline]
    fn queen_floods(&self, state: &State) -> [Flood; 2] {
        let empty = self.lines.full & !state.occupied();
        let step = |from, empty| self.lines.sight_of_all(from, empty);
        state.queens.map(|queens| Flood::new(queens, empty, step))
    }

    #[inline]
    fn king_floods(&self, state: &State) -> [Flood; 2] {
        let empty = self.lines.full & !state.occupied();
        let step = |from, empty| self.lines.around(from) & empty;
        state.queens.map(|queens| Flood::new(queens, empty, step))
    }

    /// Min-distance.
    fn distance(&self, state: &State) -> i64 {
        let [white, black] = &self.queen_floods(state);
        Shares::new([white, black]).value(state.mover)
    }

    /// The difference of the numbers of moves as a share of their sum.
    fn mobility(&self, state: &State) -> i64 {
        let [white, black] =
            [Player::FIRST, Player::SECOND].map(|side| self.count_moves(state, side) as i64);
        i64::from(CERTAIN) / 2 * (white - black) / (white + black).max(1)
    }

    fn territory(&self, state: &State) -> i64 {
        let [white, black] = &self.queen_floods(state);
        let by_queens = Shares::new([white, black]);
        let [near, far] = &self.king_floods(state);
        let by_kings = Shares::new([near, far]);
        let open = openness(white, black, size(self.lines.full));
        let closed = ONE - open;
        let square = i64::from(SQUARE);
        let mover = state.mover;
        let value = by_queens.value(mover) * (closed + open * 7 / 20)
            + nearness(white, black) * open / 5
            + king_nearness(near, far) * open / 5
            + by_kings.value(mover) * open / 4;
        let contested = white.reached() & black.reached();
        let blocked = Blocked::new(state.occupied());
        let trouble = state.queens.map(|queens| {
            let each = queens.iter().map(|queen| {
                let room = self.elbow_room(queen, blocked, contested);
                let lack = (TROUBLE - room).max(0);
                TRAPPED * square * lack * lack / (TROUBLE * TROUBLE)
            });
            each.sum::<i64>()
        });
        (value + (trouble[1] - trouble[0]) * open) / ONE
    }

    /// The squares in sight of a queen that the opponent may want as well, in quarters: nearer ones
    /// count more.
    #[inline]
    fn elbow_room(&self, queen: usize, blocked: Blocked, contested: Set) -> i64 {
        let sight = self.lines.sight(queen, blocked) & contested;
        let [one, two] = self.lines.near[queen];
        size(sight) + size(sight & two) + 2 * size(sight & one)
    }

    /// By the phase of the game, as the share of the board that arrows cover tells it: on 10x10 the
    /// opening are the first ten moves of both.
    fn phases(&self, state: &State) -> i64 {
        if 5 * state.arrows() >= self.grid.width * self.grid.height {
            return self.distance(state);
        }
        let [white, black] = [0, 1].map(|side| self.opening(state, side));
        self.distance(state) / 2 + white - black
    }

    /// What speaks for one side in the opening: mobility, distribution, first moves and control.
    fn opening(&self, state: &State, side: usize) -> i64 {
        let (width, height) = (self.grid.width, self.grid.height);
        let blocked = Blocked::new(state.occupied());
        let square = i64::from(SQUARE);
        let (mut value, mut reached, mut quadrants) = (0, 0, 0u8);
        for queen in state.queens[side].iter() {
            let sight = self.lines.sight(queen, blocked);
            reached |= sight;
            let ways = size(sight & self.lines.near[queen][0]);
            value += ways * size(sight) * square / 60;
            if ways <= 2 {
                value -= (3 - ways) * square;
            }
            let (file, rank) = self.place(queen);
            quadrants |=
                1 << (usize::from(2 * file >= width) + 2 * usize::from(2 * rank >= height));
        }
        value += i64::from(quadrants.count_ones()) * square;
        value += size(reached) * square / 10;
        let third = |place: usize, length: usize| match (10 * place).div_ceil(length) {
            0..=3 => 0,
            4..=6 => 1,
            _ => 2,
        };
        let blocks = reached.iter().fold(0u16, |blocks, square| {
            let (file, rank) = self.place(square);
            blocks | 1 << (3 * third(rank, height) + third(file, width))
        });
        value + i64::from(blocks.count_ones()) * square / 4
    }
}

/// How much of the board both sides can get to about equally soon, out of [`ONE`]: nothing where
/// all is divided.
#[inline]
fn openness(white: &Flood, black: &Flood, squares: i64) -> i64 {
    let mut shared = 0;
    for (i, &own) in white.rings[..white.count].iter().enumerate() {
        for (j, &other) in black.rings[..black.count].iter().enumerate() {
            let apart = i.abs_diff(j);
            if apart < 8 {
                shared += (size(own & other) * ONE) >> apart;
            }
        }
    }
    // Half of the board shared is as open as it gets.
    (2 * shared / squares.max(1)).min(ONE)
}

/// Squares by how soon each side gets there by queen moves: two for the first, one for the second,
/// and so on by halves.
#[inline]
fn nearness(white: &Flood, black: &Flood) -> i64 {
    let sum = |flood: &Flood| {
        let rings = flood.rings[..flood.count.min(10)].iter().enumerate();
        rings
            .map(|(i, &ring)| (size(ring) * 2 * i64::from(SQUARE)) >> i)
            .sum::<i64>()
    };
    (sum(white) - sum(black)) / 2
}

/// How many king moves each side is ahead, by squares, up to six moves a square.
#[inline]
fn king_nearness(white: &Flood, black: &Flood) -> i64 {
    let (mut near, mut ahead) = ([0; 2], 0);
    for i in 0..NEARNESS {
        near[0] |= white.rings[i];
        near[1] |= black.rings[i];
        ahead += size(near[0] & !near[1]) - size(near[1] & !near[0]);
    }
    ahead * i64::from(SQUARE) / NEARNESS as i64
}
