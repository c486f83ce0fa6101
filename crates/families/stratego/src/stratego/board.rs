//! The board: a hundred squares, eight of them lakes, numbered rank by rank from `a1`.

use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::{Player, zobrist};

use super::pieces::{Piece, RANKS};

/// The size of the board.
pub(super) const GRID: Grid = Grid {
    width: 10,
    height: 10,
};

/// How many squares there are, the lakes included.
pub(super) const SQUARES: usize = 100;

/// The set of lake squares: `c5`, `d5`, `g5`, `h5` and those behind them.
pub(super) const LAKES: u128 = {
    let row = 0b00_1100_1100;
    row << 40 | row << 50
};

const NOWHERE: u8 = u8::MAX;

/// The square next to each one to the left, right, below and above; lakes and the edge are nowhere.
static NEXT: [[u8; 4]; SQUARES] = {
    let mut next = [[NOWHERE; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (file, rank) = (square % 10, square / 10);
        let ways = [
            (file > 0, square.wrapping_sub(1)),
            (file < 9, square + 1),
            (rank > 0, square.wrapping_sub(10)),
            (rank < 9, square + 10),
        ];
        let mut way = 0;
        while way < 4 {
            let (exists, to) = ways[way];
            if exists && (LAKES >> to) & 1 == 0 && (LAKES >> square) & 1 == 0 {
                next[square][way] = to as u8;
            }
            way += 1;
        }
        square += 1;
    }
    next
};

/// The squares next to each one.
static NEAR: [u128; SQUARES] = {
    let mut near = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut way = 0;
        while way < 4 {
            if NEXT[square][way] != NOWHERE {
                near[square] |= 1 << NEXT[square][way];
            }
            way += 1;
        }
        square += 1;
    }
    near
};

/// The squares next to a square.
#[inline]
pub(super) fn near(square: u8) -> u128 {
    NEAR[usize::from(square)]
}

/// The next square in one of four ways.
#[inline]
pub(super) fn next(square: u8, way: usize) -> Option<u8> {
    Some(NEXT[usize::from(square)][way]).filter(|&to| to != NOWHERE)
}

/// The squares from one to another in a straight line, the last included; nothing if there is no
/// such line or a lake lies on it.
pub(super) fn line(from: u8, to: u8) -> Option<impl Iterator<Item = u8>> {
    let walk = |way| std::iter::successors(next(from, way), move |&square| next(square, way));
    let way = (0..4).find(|&way| walk(way).any(|square| square == to))?;
    let length = walk(way).position(|square| square == to)? + 1;
    Some(walk(way).take(length))
}

/// The name of a square.
pub(super) fn name(square: u8) -> String {
    GRID.name(usize::from(square) % 10, usize::from(square) / 10)
}

/// A piece goes from one square to another, or attacks what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where the piece stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

impl Step {
    /// Whether the piece goes further than to the next square, as only Scouts do.
    #[inline]
    pub(super) fn is_long(self) -> bool {
        !near(self.from).has(usize::from(self.to))
    }

    /// The number of the step among all pairs of squares.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.from) * SQUARES + usize::from(self.to)
    }
}

/// What stands where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    squares: [Option<Piece>; SQUARES],
    owned: [u128; 2],
    key: u64,
}

impl Board {
    pub const EMPTY: Board = Board {
        squares: [None; SQUARES],
        owned: [0; 2],
        key: 0,
    };

    #[inline]
    pub fn at(&self, square: u8) -> Option<Piece> {
        self.squares[usize::from(square)]
    }

    /// The squares on which pieces of this player stand.
    #[inline]
    pub fn owned(&self, player: Player) -> u128 {
        self.owned[player.index() & 1]
    }

    /// The pieces of a player and where they stand.
    #[inline]
    pub fn pieces(&self, player: Player) -> impl Iterator<Item = (u8, Piece)> {
        let squares = self.owned(player).iter();
        squares.filter_map(|square| Some((square as u8, self.squares[square]?)))
    }

    /// A number for what stands where.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Puts a piece on a square, or nothing, in place of what stands there.
    #[inline]
    pub fn set(&mut self, square: u8, piece: Option<Piece>) {
        let there = &mut self.squares[usize::from(square)];
        let bit = u128::bit(usize::from(square));
        for changed in [*there, piece].into_iter().flatten() {
            self.owned[changed.owner.index() & 1] ^= bit;
            self.key ^= key(square, changed);
        }
        *there = piece;
    }
}

fn key(square: u8, piece: Piece) -> u64 {
    let rank = piece.rank.map_or(RANKS, |rank| rank.index());
    let kind = (piece.owner.index() * (RANKS + 1) + rank) * 3 + piece.sight as usize;
    zobrist::number(0x57_7a, (kind * SQUARES + usize::from(square)) as u64)
}
