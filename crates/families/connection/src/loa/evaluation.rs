//! What a position is worth, in the manner of MIA.
//!
//! The nine features are those of Winands, van den Herik and Uiterwijk (2003): concentration,
//! centralisation, position of the centre of mass, quads, mobility, walls, connectedness,
//! uniformity, and the right to move; the Euler number of Winands, Uiterwijk and van den Herik
//! (2001) joins the quads. The weights are our own. They were set by hand, checked by matches at
//! depth 3 in which no change of a single one gained beyond chance, and are frozen. Everything is
//! integer arithmetic and treats both sides and all symmetries of the board alike.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player};

use super::moves::{self, Board, FILE_A, FILE_H, RANK_1, RANK_8, east, west};
use super::{Loa, Move, State};
use tabia_game::Outcome;

const EDGE: Board = FILE_A | FILE_H | RANK_1 | RANK_8;
/// The central 4x4 squares.
const INNER: Board = 0x0000_3c3c_3c3c_0000;

/// Averages over the pieces are given in this fraction of their unit.
const FRACTION: i32 = 256;

/// Centralisation by the distances from the nearest edges, the smaller one first.
const PIECE_SQUARE: [[u32; 4]; 4] = [
    [0, 30, 35, 40],
    [0, 60, 65, 70],
    [0, 0, 80, 85],
    [0, 0, 0, 100],
];

/// File, rank and piece-square value of each square in fields of a word, to be summed together.
static FIELDS: [u32; 64] = {
    let mut fields = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let x = if file < 4 { file } else { 7 - file };
        let y = if rank < 4 { rank } else { 7 - rank };
        let value = PIECE_SQUARE[if x < y { x } else { y }][if x < y { y } else { x }];
        fields[square] = file as u32 | (rank as u32) << 8 | value << 16;
        square += 1;
    }
    fields
};

/// Distances in half squares from the 15x15 points on and between the squares, the larger one
/// of both coordinates.
static DISTANCES: [[[u8; 64]; 15]; 15] = {
    let mut distances = [[[0; 64]; 15]; 15];
    let mut y = 0;
    while y < 15 {
        let mut x = 0;
        while x < 15 {
            let mut square = 0usize;
            while square < 64 {
                let dx = (2 * (square % 8)).abs_diff(x) as u8;
                let dy = (2 * (square / 8)).abs_diff(y) as u8;
                distances[y][x][square] = if dx > dy { dx } else { dy };
                square += 1;
            }
            x += 1;
        }
        y += 1;
    }
    distances
};

/// The files of the quads (named by their left file) whose middle is at most two squares from
/// each of the 15 lines on and between the files.
const NEAR_FILES: [u8; 15] = {
    let mut near = [0; 15];
    let mut x = 0;
    while x < 15 {
        let mut file = 0;
        while file < 7 {
            if (2 * file + 1usize).abs_diff(x) <= 4 {
                near[x] |= 1 << file;
            }
            file += 1;
        }
        x += 1;
    }
    near
};

/// What the evaluation sees of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// How far the pieces are from their centre of mass on average, beyond what that many
    /// pieces need around it, in 1/256 of a square.
    pub dispersion: i32,
    /// The average piece-square value, in 1/256.
    pub centralisation: i32,
    /// How far the centre of mass is from the middle of the board, in 1/256 of a square.
    pub eccentricity: i32,
    /// Quads of three pieces at most two squares from the centre of mass.
    pub quads_of_three: i32,
    /// Quads of four pieces at most two squares from the centre of mass.
    pub quads_of_four: i32,
    /// The Euler number: groups minus holes.
    pub euler: i32,
    /// Moves: captures count double, moves to the edge half. In half moves.
    pub mobility: i32,
    /// Enemy pieces on the edge that are blocked in two inward directions; in three, twice.
    pub walls: i32,
    /// The average number of own neighbours of a piece, in 1/256.
    pub connectedness: i32,
    /// The area of the smallest rectangle around all pieces.
    pub area: i32,
}

/// What each of the [`Features`] is worth, in the unit of evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Of [`Features::dispersion`].
    pub dispersion: i32,
    /// Of [`Features::centralisation`].
    pub centralisation: i32,
    /// Of [`Features::eccentricity`].
    pub eccentricity: i32,
    /// Of [`Features::quads_of_three`].
    pub quads_of_three: i32,
    /// Of [`Features::quads_of_four`].
    pub quads_of_four: i32,
    /// Of [`Features::euler`].
    pub euler: i32,
    /// Of [`Features::mobility`].
    pub mobility: i32,
    /// Of [`Features::walls`].
    pub walls: i32,
    /// Of [`Features::connectedness`].
    pub connectedness: i32,
    /// Of [`Features::area`].
    pub area: i32,
    /// Of the right to move.
    pub to_move: i32,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            dispersion: -400,
            centralisation: 5,
            eccentricity: -50,
            quads_of_three: 6_000,
            quads_of_four: 6_000,
            euler: -8_000,
            mobility: 1_500,
            walls: 8_000,
            connectedness: 60,
            area: -1_000,
            to_move: 15_000,
        }
    }
}

/// The evaluation, with its classes of moves.
///
/// ```
/// use tabia_game::{Game, Knowledge, Player};
/// use tabia_connection::loa::{Both, Loa, Mia};
///
/// let loa = Loa::new(Both::Draw);
/// let start = loa.start();
/// let advantage = Mia::default().evaluate(&loa, &start, Player::FIRST);
/// assert!(advantage > 0, "the sides are equal but for the right to move");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mia {
    /// The weights of the features.
    pub weights: Weights,
}

impl Features {
    /// The features of both sides.
    pub fn of(state: &State) -> [Features; 2] {
        let pieces = state.pieces;
        let targets = moves::targets(pieces);
        [0, 1].map(|side| Features::of_side(pieces[side], pieces[side ^ 1], &targets[side]))
    }

    #[inline(always)]
    fn of_side(own: Board, enemy: Board, targets: &[Board; 8]) -> Features {
        let mut fields = 0;
        for square in own.iter() {
            fields += FIELDS[square];
        }
        let count = own.count().max(1) as i32;
        let (x, y) = ((fields & 0xff) as i32, (fields >> 8 & 0xff) as i32);
        let centralisation = (fields >> 16) as i32;

        let (centre_x, centre_y) = (nearest_point(x, count), nearest_point(y, count));
        let distances = &DISTANCES[centre_y][centre_x];
        let distance: i32 = own.iter().map(|square| i32::from(distances[square])).sum();
        let off_centre = (2 * x - 7 * count).abs().max((2 * y - 7 * count).abs());

        let quads = Quads::of(own);
        let near = near_quads(centre_x, centre_y);
        Features {
            dispersion: (distance - least_distance(count)) * FRACTION / (2 * count),
            centralisation: centralisation * FRACTION / count,
            eccentricity: off_centre * FRACTION / (2 * count),
            quads_of_three: (quads.threes & near).count() as i32,
            quads_of_four: (quads.fours & near).count() as i32,
            euler: quads.euler(own),
            mobility: mobility(targets, enemy),
            walls: walls(own, enemy),
            connectedness: 2 * quads.touching * FRACTION / count,
            area: area(own),
        }
    }
}

/// The point on or between squares, in half squares, that is nearest to an average coordinate.
/// What lies halfway is rounded away from the middle of the board, so that mirrored positions
/// have mirrored points.
#[inline(always)]
fn nearest_point(sum: i32, count: i32) -> usize {
    let from_middle = 2 * sum - 7 * count;
    let rounded = (2 * from_middle + count * from_middle.signum()) / (2 * count);
    (rounded + 7) as usize
}

/// The sum of distances, in half squares, when one piece stands on the centre of mass, up to
/// eight around it, and the others around those.
#[inline(always)]
fn least_distance(count: i32) -> i32 {
    2 * (count - 1) + 2 * (count - 9).max(0)
}

#[inline(always)]
fn near_quads(centre_x: usize, centre_y: usize) -> Board {
    // Spreads the eight bits over the ranks: bit `i` becomes the whole rank `i`.
    let ranks =
        (u64::from(NEAR_FILES[centre_y]).wrapping_mul(0x0002_0408_1020_4081) & FILE_A) * 0xff;
    (FILE_A * u64::from(NEAR_FILES[centre_x])) & ranks
}

/// What the 2x2 squares of the board say about a side.
struct Quads {
    /// Those with three pieces, named by their lower left square.
    threes: Board,
    /// Those with four pieces.
    fours: Board,
    /// How many pairs of pieces touch.
    touching: i32,
}

impl Quads {
    #[inline(always)]
    fn of(own: Board) -> Quads {
        let (right, above, above_right) = (west(own), own >> 8, west(own) >> 8);
        let pairs = [own & right, own & above, own & above_right, right & above];
        Quads {
            threes: (own & right & (above ^ above_right)) | ((own ^ right) & above & above_right),
            fours: own & right & above & above_right,
            touching: pairs.map(|pairs| pairs.count() as i32).iter().sum(),
        }
    }

    /// Groups minus holes, which is pieces - pairs + triples - quadruples of pieces that all touch
    /// each other: a quad of three is one triple, a quad of four is four triples and a quadruple.
    #[inline(always)]
    fn euler(&self, own: Board) -> i32 {
        own.count() as i32 - self.touching
            + self.threes.count() as i32
            + 3 * self.fours.count() as i32
    }
}

/// The Euler number of a side.
fn euler(own: Board) -> i32 {
    Quads::of(own).euler(own)
}

/// The number of moves, in halves: each counts 2, doubled for a capture, halved on the edge.
#[inline(always)]
fn mobility(targets: &[Board; 8], enemy: Board) -> i32 {
    // Adds the eight boards square by square; a digit is a board.
    let mut digits = [0; 4];
    for &board in targets {
        let mut carry = board;
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }
    // The value of a move is a power of two that depends on its target alone. So digits of equal
    // weight lie on different squares and are counted together.
    let once = enemy & EDGE | !enemy & !EDGE;
    let by_exponent = [!enemy & EDGE, once, enemy & !EDGE];
    let mut weighted = [0; 6];
    for (i, digit) in digits.iter().enumerate() {
        for (j, region) in by_exponent.iter().enumerate() {
            weighted[i + j] |= digit & region;
        }
    }
    let counts = weighted.map(|board| board.count() as i32);
    counts.iter().rev().fold(0, |sum, count| 2 * sum + count)
}

/// An enemy neighbour always blocks: together with the piece itself it makes the line count at
/// least two, so that the move would lead across it.
#[inline(always)]
fn walls(own: Board, enemy: Board) -> i32 {
    // Enemy squares with a piece of ours on this side of them.
    let (north, south) = (own >> 8, own << 8);
    let (east, west) = (west(own), east(own));
    let (north_east, south_east) = (east >> 8, east << 8);
    let (north_west, south_west) = (west >> 8, west << 8);
    let two_of = |a: Board, b: Board, c: Board| a & b | c & (a | b);
    let left = enemy & FILE_A;
    let right = enemy & FILE_H;
    let bottom = enemy & RANK_1;
    let top = enemy & RANK_8;
    let boards = [
        left & two_of(east, north_east, south_east) | right & two_of(west, north_west, south_west),
        bottom & two_of(north, north_east, north_west)
            | top & two_of(south, south_east, south_west),
        left & east & north_east & south_east | right & west & north_west & south_west,
        bottom & north & north_east & north_west | top & south & south_east & south_west,
    ];
    boards.map(|board| board.count() as i32).iter().sum()
}

#[inline(always)]
fn area(own: Board) -> i32 {
    let mut files = own | own >> 32;
    files |= files >> 16;
    files |= files >> 8;
    let files = files as u8;
    let width = 8 - files.leading_zeros() as i32 - files.trailing_zeros() as i32;
    let height = 8 - (own.leading_zeros() / 8) as i32 - (own.trailing_zeros() / 8) as i32;
    width * height
}

impl Mia {
    /// An evaluation with other weights.
    pub fn with(weights: Weights) -> Mia {
        Mia { weights }
    }

    fn weigh(&self, features: &Features) -> i64 {
        let weights = &self.weights;
        [
            (weights.dispersion, features.dispersion),
            (weights.centralisation, features.centralisation),
            (weights.eccentricity, features.eccentricity),
            (weights.quads_of_three, features.quads_of_three),
            (weights.quads_of_four, features.quads_of_four),
            (weights.euler, features.euler),
            (weights.mobility, features.mobility),
            (weights.walls, features.walls),
            (weights.connectedness, features.connectedness),
            (weights.area, features.area),
        ]
        .iter()
        .map(|&(weight, feature)| i64::from(weight) * i64::from(feature))
        .sum()
    }
}

impl Knowledge<Loa> for Mia {
    fn evaluate(&self, _: &Loa, state: &State, player: Player) -> i32 {
        let [first, second] = Features::of(state);
        let mut value = self.weigh(&first) - self.weigh(&second);
        let to_move = i64::from(self.weights.to_move);
        value += if state.mover == Player::FIRST {
            to_move
        } else {
            -to_move
        };
        let most = i64::from(CERTAIN - 1);
        let value = value.clamp(-most, most) as i32;
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }

    /// Captures into the central 4x4 first, then those into the 6x6 rim around it (Winands et al.
    /// 2004, section 4.2).
    fn priority(&self, _: &Loa, state: &State, mv: Move) -> i32 {
        if !state.is_capture(mv) || EDGE.has(mv.to()) {
            0
        } else if INNER.has(mv.to()) {
            2
        } else {
            1
        }
    }

    /// Captures into the central 4x4, and those that form or destroy connections (Winands et al.
    /// 2004, section 4.2): by the Euler numbers, own groups become fewer or enemy groups more.
    fn is_tactical(&self, _: &Loa, state: &State, mv: Move) -> bool {
        if !state.is_capture(mv) {
            return false;
        }
        let (own, enemy) = state.own_and_enemy();
        let (from, to) = (u64::bit(mv.from()), u64::bit(mv.to()));
        INNER & to != 0 || euler(enemy ^ to) > euler(enemy) || euler(own ^ from ^ to) < euler(own)
    }

    fn pass(&self, _: &Loa, state: &mut State) -> Option<State> {
        let (own, enemy) = state.own_and_enemy();
        if state.outcome != Outcome::Open || !moves::any(own, enemy) {
            return None;
        }
        let old = *state;
        state.pass_turn();
        Some(old)
    }

    fn is_endgame(&self, _: &Loa, state: &State) -> bool {
        state.own_and_enemy().0.count() < 5
    }
}
