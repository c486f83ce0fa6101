//! Boards of SameGame in one word a column, and the groups of equal blocks on them.
//!
//! A column holds three lanes of sixteen bits, one for each bit of a block's code; row `r`, counted
//! from the bottom, is bit `r` of every lane. The code of a block is its colour plus one, that of
//! an empty cell is zero. Comparing all blocks of a column with their neighbours takes a handful of
//! operations, and so does taking a run of blocks out of it.

use std::ops::{Range, RangeInclusive};

use super::Move;

/// The most columns.
pub const MAX_COLUMNS: usize = 20;
/// The most rows. The sixteenth bit of a lane stays empty, so that nothing lies above a column.
pub const MAX_ROWS: usize = 15;
/// The most colours.
pub const MAX_COLOURS: usize = 6;

/// The lowest bit of every lane.
const LANES: u64 = 0x0000_0001_0001_0001;
/// Every bit of every lane but the highest.
const BELOW_TOP: u64 = 0x7fff * LANES;
/// Bits of a lane.
const LANE: u32 = u16::BITS;

/// What a column is compared with to find a colour: a lane is inverted where the code has a zero.
static INVERTED: [u64; MAX_COLOURS] = inverted();

const fn inverted() -> [u64; MAX_COLOURS] {
    let mut all = [0; MAX_COLOURS];
    let mut colour = 0;
    while colour < MAX_COLOURS {
        let code = colour as u64 + 1;
        let mut lane = 0;
        while lane < 3 {
            if code >> lane & 1 == 0 {
                all[colour] |= 0xffff << (LANE as u64 * lane);
            }
            lane += 1;
        }
        colour += 1;
    }
    all
}

/// The cells of a column in which any lane has a bit.
#[inline]
pub(super) fn any_lane(column: u64) -> u16 {
    (column | column >> LANE | column >> (2 * LANE)) as u16
}

/// The cells of a column that are of one colour.
#[inline]
pub(super) fn of_colour(column: u64, colour: usize) -> u16 {
    let equal = column ^ INVERTED[colour % MAX_COLOURS];
    (equal & equal >> LANE & equal >> (2 * LANE)) as u16
}

/// The blocks of a column that are of the same colour as the block above.
#[inline]
fn same_above(column: u64) -> u16 {
    any_lane(column) & !any_lane(column ^ (column >> 1 & BELOW_TOP))
}

/// The blocks of a column that are of the same colour as the block beside them.
#[inline]
fn same_beside(column: u64, beside: u64) -> u16 {
    any_lane(column) & !any_lane(column ^ beside)
}

/// The blocks of a column that may be the first of a group, column by column and from the bottom:
/// there is an equal block above or to the right, but none below and none to the left.
#[inline]
pub(super) fn first_blocks(left: u64, column: u64, right: u64) -> u16 {
    let above = same_above(column);
    (above | same_beside(column, right)) & !(above << 1) & !same_beside(column, left)
}

/// The cells of `within` that hang together with `seed`, a part of it, in one column.
#[inline]
fn spread(seed: u16, within: u16) -> u16 {
    // A carry runs upwards through the cells of a run; the way down is doubled step by step.
    let up = seed | within & !within.wrapping_add(seed);
    let (mut down, mut run) = (up, within);
    down |= run & down >> 1;
    run &= run >> 1;
    down |= run & down >> 2;
    run &= run >> 2;
    down |= run & down >> 4;
    run &= run >> 4;
    down | run & down >> 8
}

/// Room for the columns of a set of cells and for one beyond, in as many machine words as that
/// takes.
const ROOM: usize = 24;

/// Cells of all columns.
pub(super) type Columns = [u16; ROOM];

/// A set of cells, column by column, as far as the columns from `first` to `last`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// The others are empty.
    pub columns: Columns,
    pub first: u8,
    pub last: u8,
}

impl Cells {
    /// The columns that have cells, and those in between.
    #[inline]
    pub fn range(&self) -> RangeInclusive<usize> {
        self.first.into()..=self.last.into()
    }

    /// How many they are.
    #[inline]
    pub fn len(&self) -> u32 {
        let columns = &self.columns[self.range()];
        columns.iter().map(|cells| cells.count_ones()).sum()
    }
}

/// Cells of all columns, four columns to a word: sets are compared and joined in a few operations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packed([u64; ROOM / 4]);

impl From<&Columns> for Packed {
    #[inline]
    fn from(columns: &Columns) -> Packed {
        Packed(std::array::from_fn(|word| {
            let column = |at: usize| u64::from(columns[4 * word + at]) << (LANE as usize * at);
            column(0) | column(1) | column(2) | column(3)
        }))
    }
}

impl Packed {
    /// Whether two sets have cells in common.
    #[inline]
    pub fn meet(&self, other: &Packed) -> bool {
        let both = self.0.iter().zip(&other.0).map(|(one, other)| one & other);
        both.fold(0, |any, cells| any | cells) != 0
    }

    /// Adds cells to a set.
    #[inline]
    pub fn add(&mut self, other: &Packed) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    /// The cells of a column.
    #[inline]
    pub fn column(&self, at: usize) -> u16 {
        (self.0[at / 4] >> (LANE as usize * (at % 4))) as u16
    }
}

/// The blocks, packed to the left and to the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    /// The last one is always empty.
    pub columns: [u64; MAX_COLUMNS + 1],
}

impl Board {
    pub const EMPTY: Board = Board {
        columns: [0; MAX_COLUMNS + 1],
    };

    /// The colour of a cell, unless it is empty.
    #[inline]
    pub fn colour(&self, column: usize, row: usize) -> Option<usize> {
        let lanes = self.columns[column] >> row;
        let code = (lanes & 1) | (lanes >> (LANE - 1) & 2) | (lanes >> (2 * LANE - 2) & 4);
        (code as usize).checked_sub(1)
    }

    /// Puts a block onto an empty cell.
    pub fn put(&mut self, column: usize, row: usize, colour: usize) {
        let code = colour as u64 + 1;
        let lanes = (code & 1) | (code & 2) << (LANE - 1) | (code & 4) << (2 * LANE - 2);
        self.columns[column] |= lanes << row;
    }

    /// The column to the left; nothing lies beyond the first.
    #[inline]
    pub fn left_of(&self, column: usize) -> u64 {
        match column.checked_sub(1) {
            Some(left) => self.columns[left],
            None => 0,
        }
    }

    /// Blocks that may be the first of a group, in a column that is not the last.
    #[inline]
    pub fn first_blocks(&self, column: usize) -> u16 {
        first_blocks(
            self.left_of(column),
            self.columns[column],
            self.columns[column + 1],
        )
    }

    /// How many columns have blocks.
    #[inline]
    pub fn width(&self) -> usize {
        let empty = self.columns.iter().position(|&column| column == 0);
        empty.unwrap_or(MAX_COLUMNS)
    }

    /// How many blocks of each colour there are.
    pub fn counts(&self) -> [u16; MAX_COLOURS] {
        let mut counts = [0; MAX_COLOURS];
        for &column in &self.columns[..self.width()] {
            for (colour, count) in counts.iter_mut().enumerate() {
                *count += of_colour(column, colour).count_ones() as u16;
            }
        }
        counts
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u32 {
        let columns = self.columns[..self.width()].iter();
        columns.map(|&column| any_lane(column).count_ones()).sum()
    }

    /// Whether there is a group of two blocks or more.
    #[inline]
    pub fn has_group(&self) -> bool {
        let pairs = self.columns.windows(2);
        pairs
            .take_while(|pair| pair[0] != 0)
            .any(|pair| same_above(pair[0]) | same_beside(pair[0], pair[1]) != 0)
    }

    /// The group of a block of this colour. With `only_first` nothing, and sooner, unless the block
    /// is the first of its group.
    #[inline]
    pub fn group(
        &self,
        column: usize,
        row: usize,
        colour: usize,
        only_first: bool,
    ) -> Option<Cells> {
        let mut columns = [0; ROOM];
        let (mut first, mut last) = (column, column);
        let seed = 1 << row;
        let own = spread(seed, of_colour(self.columns[column], colour));
        if only_first && own & (seed - 1) != 0 {
            return None;
        }
        columns[column] = own;
        // Columns whose cells have yet to be handed on to their neighbours.
        let mut open: u32 = 1 << column;
        while open != 0 {
            let from = open.trailing_zeros() as usize;
            open &= open - 1;
            let own = columns[from];
            let mut reach = |to: usize| {
                let equal = of_colour(self.columns[to], colour);
                let new = own & equal & !columns[to];
                if new != 0 {
                    columns[to] |= spread(new, equal);
                    open |= 1 << to;
                }
                new != 0
            };
            if reach(from + 1) {
                last = last.max(from + 1);
            }
            if from > 0 && reach(from - 1) {
                if only_first && from <= column {
                    return None;
                }
                first = first.min(from - 1);
            }
        }
        // The way may have come back to the first column from the right, below the block.
        if only_first && columns[column] & (seed - 1) != 0 {
            return None;
        }
        Some(Cells {
            columns,
            first: first as u8,
            last: last as u8,
        })
    }

    /// Visits the groups whose first cells lie in these columns, but for those that have been met.
    #[inline]
    pub fn each_group(
        &self,
        columns: Range<usize>,
        met: &mut Packed,
        mut visit: impl FnMut(Move, usize, &Cells),
    ) {
        for column in columns {
            let mut first = self.first_blocks(column) & !met.column(column);
            while first != 0 {
                let row = first.trailing_zeros() as usize;
                let colour = self.colour(column, row).unwrap_or(0);
                if let Some(cells) = self.group(column, row, colour, false) {
                    met.add(&Packed::from(&cells.columns));
                    visit(Move::new(column, row), colour, &cells);
                }
                // The first cell of a group comes first; others that might have been it are met by
                // now.
                first &= first - 1;
                first &= !met.column(column);
            }
        }
    }

    /// Takes blocks away. What lies above them falls, and empty columns are closed from the right;
    /// whether there were any.
    #[inline]
    pub fn remove(&mut self, cells: &Cells) -> bool {
        let mut emptied = false;
        for at in cells.range() {
            let mut gone = cells.columns[at];
            let mut column = self.columns[at];
            while gone != 0 {
                // The lowest run of cells closes; those above move down with their blocks.
                let row = gone.trailing_zeros();
                let run = (!(gone >> row)).trailing_zeros();
                let below = (1u64 << row) - 1;
                let above = (0xffff >> run) & !below;
                column = (column & (below * LANES)) | ((column >> run) & (above * LANES));
                gone = gone >> run & above as u16;
            }
            self.columns[at] = column;
            emptied |= column == 0;
        }
        if emptied {
            let mut to = usize::from(cells.first);
            for from in usize::from(cells.first)..MAX_COLUMNS {
                let column = self.columns[from];
                if column == 0 && from > cells.last.into() {
                    // Nothing lies beyond the first column that was empty before.
                    break;
                }
                self.columns[from] = 0;
                if column != 0 {
                    self.columns[to] = column;
                    to += 1;
                }
            }
        }
        emptied
    }
}
