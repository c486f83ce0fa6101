//! The moves of all pieces at once, and whether a side is connected, by bit operations alone.
//!
//! A piece moves as far as there are pieces on its line, and its target lies on the same line. So
//! it suffices to know for every square how many pieces stand on the line through it
//! ([`LineCounts`], summed for all squares at once by bit-sliced addition around a torus), and to
//! shift a whole side step by step: whoever arrives after `n` steps on a square whose line counts
//! `n` has made a move. Nothing here needs a population count, which the baseline of common
//! targets lacks as an instruction.

use rand::{Rng, RngExt};

use super::Move;

/// A set of squares, numbered rank by rank: a1 is bit 0, h1 is bit 7, h8 is bit 63.
pub(super) type Board = u64;

pub(super) const FILE_A: Board = 0x0101_0101_0101_0101;
pub(super) const FILE_H: Board = FILE_A << 7;
pub(super) const RANK_1: Board = 0xff;
pub(super) const RANK_8: Board = RANK_1 << 56;

/// The diagonal a1-h8 and what lies above it.
const UPPER_LEFT: Board = {
    let mut board = 0;
    let mut rank = 0;
    while rank < 8 {
        board |= (0xff >> (7 - rank)) << (8 * rank);
        rank += 1;
    }
    board
};
/// The diagonal a8-h1 and what lies below it.
const LOWER_LEFT: Board = UPPER_LEFT.swap_bytes();

/// The orientations of lines, and the two directions of each.
const FILES: usize = 0;
const RANKS: usize = 1;
const DIAGONALS: usize = 2;
const ANTIDIAGONALS: usize = 3;
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// One step forward in each orientation, as a difference of square numbers.
const STEPS: [i32; 4] = [8, 1, 9, -7];

/// A side has at most twelve pieces with eight moves each; the next power of two.
const ROOM: usize = 128;

/// The squares one file to the right; those that would leave the board disappear.
#[inline(always)]
pub(super) fn east(board: Board) -> Board {
    (board & !FILE_H) << 1
}

/// The squares one file to the left; those that would leave the board disappear.
#[inline(always)]
pub(super) fn west(board: Board) -> Board {
    (board & !FILE_A) >> 1
}

#[inline(always)]
fn step<const ORIENTATION: usize, const DIRECTION: usize>(board: Board) -> Board {
    match (ORIENTATION, DIRECTION) {
        (FILES, FORWARD) => board << 8,
        (FILES, _) => board >> 8,
        (RANKS, FORWARD) => east(board),
        (RANKS, _) => west(board),
        (DIAGONALS, FORWARD) => east(board) << 8,
        (DIAGONALS, _) => west(board) >> 8,
        (_, FORWARD) => east(board) >> 8,
        _ => west(board) << 8,
    }
}

/// For every square, how many pieces stand on the line through it in one orientation, as binary
/// digits. Eight, with which no piece can move, is written as zero.
#[derive(Clone, Copy)]
struct LineCounts {
    ones: Board,
    twos: Board,
    fours: Board,
}

impl LineCounts {
    #[inline(always)]
    fn of<const ORIENTATION: usize>(occupied: Board) -> LineCounts {
        // On the torus a diagonal closes to a ring with the one eight ranks away; the two parts
        // are counted separately.
        let part = match ORIENTATION {
            DIAGONALS => UPPER_LEFT,
            ANTIDIAGONALS => LOWER_LEFT,
            _ => return LineCounts::around_torus::<ORIENTATION>(occupied),
        };
        let inside = LineCounts::around_torus::<ORIENTATION>(occupied & part);
        let outside = LineCounts::around_torus::<ORIENTATION>(occupied & !part);
        let join = |inside: Board, outside: Board| (inside & part) | (outside & !part);
        LineCounts {
            ones: join(inside.ones, outside.ones),
            twos: join(inside.twos, outside.twos),
            fours: join(inside.fours, outside.fours),
        }
    }

    /// Adds each square to the next on its ring, the pairs to the next pairs, and the fours.
    #[inline(always)]
    fn around_torus<const ORIENTATION: usize>(occupied: Board) -> LineCounts {
        let turned = turn::<ORIENTATION, 1>(occupied);
        let (ones, twos) = (occupied ^ turned, occupied & turned);

        let (more_ones, more_twos) = (turn::<ORIENTATION, 2>(ones), turn::<ORIENTATION, 2>(twos));
        let carry = ones & more_ones;
        let either = twos ^ more_twos;
        let fours = (twos & more_twos) | (carry & either);
        let (ones, twos) = (ones ^ more_ones, either ^ carry);

        let (more_ones, more_twos) = (turn::<ORIENTATION, 4>(ones), turn::<ORIENTATION, 4>(twos));
        let carry = ones & more_ones;
        let either = twos ^ more_twos;
        let carry_fours = (twos & more_twos) | (carry & either);
        LineCounts {
            ones: ones ^ more_ones,
            twos: either ^ carry,
            fours: fours ^ turn::<ORIENTATION, 4>(fours) ^ carry_fours,
        }
    }

    /// How many pieces stand on the line through a square, modulo eight.
    #[inline(always)]
    fn at(self, square: u32) -> i32 {
        let digit = |board: Board| (board >> square) as i32 & 1;
        digit(self.ones) + 2 * digit(self.twos) + 4 * digit(self.fours)
    }

    /// The squares whose line holds this many pieces, one to seven.
    #[inline(always)]
    fn exactly(self, count: i32) -> Board {
        let digit = |board: Board, value: i32| if count & value == 0 { !board } else { board };
        digit(self.ones, 1) & digit(self.twos, 2) & digit(self.fours, 4)
    }
}

/// Moves all squares `BY` (1, 2 or 4) steps along their rings on the torus.
#[inline(always)]
fn turn<const ORIENTATION: usize, const BY: u32>(board: Board) -> Board {
    match ORIENTATION {
        FILES => board.rotate_left(8 * BY),
        RANKS => turn_ranks::<BY>(board),
        DIAGONALS => turn_ranks::<BY>(board.rotate_left(8 * BY)),
        _ => turn_ranks::<BY>(board.rotate_right(8 * BY)),
    }
}

#[inline(always)]
fn turn_ranks<const BY: u32>(board: Board) -> Board {
    let first_files = FILE_A * ((1 << BY) - 1);
    ((board << BY) & !first_files) | ((board >> (8 - BY)) & first_files)
}

/// The targets of all moves of `own` in one direction; no two pieces share one.
#[inline(always)]
fn walk<const ORIENTATION: usize, const DIRECTION: usize>(
    own: Board,
    enemy: Board,
    counts: LineCounts,
) -> Board {
    let mut targets = 0;
    let mut reached = own;
    for distance in 1..8 {
        reached = step::<ORIENTATION, DIRECTION>(reached);
        targets |= reached & counts.exactly(distance);
        reached &= !enemy;
    }
    targets & !own
}

/// [`walk`] in both directions of an orientation.
#[inline(always)]
fn walk_both_ways<const ORIENTATION: usize>(
    own: Board,
    enemy: Board,
    counts: LineCounts,
) -> [Board; 2] {
    [
        walk::<ORIENTATION, FORWARD>(own, enemy, counts),
        walk::<ORIENTATION, BACKWARD>(own, enemy, counts),
    ]
}

/// A list of moves that is being written.
struct List {
    moves: [Move; ROOM],
    length: usize,
}

impl List {
    #[inline(always)]
    fn add_lines<const ORIENTATION: usize>(&mut self, own: Board, enemy: Board) {
        let counts = LineCounts::of::<ORIENTATION>(own | enemy);
        let step = STEPS[ORIENTATION];
        let both = walk_both_ways::<ORIENTATION>(own, enemy, counts);
        for (mut targets, step) in both.into_iter().zip([step, -step]) {
            while targets != 0 {
                let to = targets.trailing_zeros();
                let mv = Move::ending_on(to, step * counts.at(to));
                self.moves[self.length % ROOM] = mv;
                self.length += 1;
                targets &= targets - 1;
            }
        }
    }
}

/// Appends the moves of `own`.
pub(super) fn list(own: Board, enemy: Board, out: &mut Vec<Move>) {
    let mut list = List {
        moves: [Move::PASS; ROOM],
        length: 0,
    };
    list.add_lines::<FILES>(own, enemy);
    list.add_lines::<RANKS>(own, enemy);
    list.add_lines::<DIAGONALS>(own, enemy);
    list.add_lines::<ANTIDIAGONALS>(own, enemy);
    out.extend_from_slice(&list.moves[..list.length.min(ROOM)]);
}

/// The move that stands at a random place of what [`list`] would write, and is not written there:
/// most of its time goes into writing. Nothing if there is no move.
pub(super) fn draw<R: Rng + ?Sized>(own: Board, enemy: Board, rng: &mut R) -> Option<Move> {
    #[inline(always)]
    fn on_lines<const ORIENTATION: usize>(own: Board, enemy: Board) -> (LineCounts, [Board; 2]) {
        let counts = LineCounts::of::<ORIENTATION>(own | enemy);
        (counts, walk_both_ways::<ORIENTATION>(own, enemy, counts))
    }
    let lines = [
        on_lines::<FILES>(own, enemy),
        on_lines::<RANKS>(own, enemy),
        on_lines::<DIAGONALS>(own, enemy),
        on_lines::<ANTIDIAGONALS>(own, enemy),
    ];
    let sizes = lines.map(|(_, both)| both.map(|targets| targets.count_ones()));
    let total: u32 = sizes.as_flattened().iter().sum();
    // A pass is a list of one move, from which one is drawn, too.
    let mut place = rng.random_range(0..total.max(1) as usize) as u32;
    for ((counts, both), (sizes, step)) in lines.into_iter().zip(sizes.into_iter().zip(STEPS)) {
        for ((mut targets, size), step) in both.into_iter().zip(sizes).zip([step, -step]) {
            if place >= size {
                place -= size;
                continue;
            }
            for _ in 0..place {
                targets &= targets - 1;
            }
            let to = targets.trailing_zeros();
            return Some(Move::ending_on(to, step * counts.at(to)));
        }
    }
    None
}

/// Whether `own` has any move at all.
pub(super) fn any(own: Board, enemy: Board) -> bool {
    #[inline(always)]
    fn on_lines<const ORIENTATION: usize>(own: Board, enemy: Board) -> bool {
        let counts = LineCounts::of::<ORIENTATION>(own | enemy);
        walk_both_ways::<ORIENTATION>(own, enemy, counts) != [0, 0]
    }
    on_lines::<FILES>(own, enemy)
        || on_lines::<RANKS>(own, enemy)
        || on_lines::<DIAGONALS>(own, enemy)
        || on_lines::<ANTIDIAGONALS>(own, enemy)
}

/// The targets of both sides by direction.
pub(super) fn targets([first, second]: [Board; 2]) -> [[Board; 8]; 2] {
    #[inline(always)]
    fn on_lines<const ORIENTATION: usize>(first: Board, second: Board) -> [[Board; 2]; 2] {
        let counts = LineCounts::of::<ORIENTATION>(first | second);
        [
            walk_both_ways::<ORIENTATION>(first, second, counts),
            walk_both_ways::<ORIENTATION>(second, first, counts),
        ]
    }
    let lines = [
        on_lines::<FILES>(first, second),
        on_lines::<RANKS>(first, second),
        on_lines::<DIAGONALS>(first, second),
        on_lines::<ANTIDIAGONALS>(first, second),
    ];
    [0, 1].map(|side| std::array::from_fn(|i| lines[i / 2][side][i % 2]))
}

/// The squares next to any of `board`, orthogonally or diagonally.
#[inline(always)]
fn neighbours(board: Board) -> Board {
    let beside = east(board) | west(board);
    let row = board | beside;
    beside | row << 8 | row >> 8
}

/// Whether the pieces form one group; none at all do.
#[inline]
pub(super) fn is_connected(own: Board) -> bool {
    let mut group = own & own.wrapping_neg();
    if group == own {
        return true;
    }
    // Most positions have a piece all by itself, which spares the search.
    if own & !neighbours(own) != 0 {
        return false;
    }
    loop {
        let grown = own & (group | neighbours(group));
        if grown == group {
            return group == own;
        }
        group = grown;
    }
}
