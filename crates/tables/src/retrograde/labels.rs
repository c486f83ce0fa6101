//! What is known of every position while a group of slices is solved, packed and shared by threads.
//!
//! [`OutcomeLabels`] take two bits a position and [`DistanceLabels`] sixteen. Both are only ever
//! changed from undecided to decided (a win may come to be a quicker one), so that threads need no
//! order among themselves: the labels of a round are the same whoever writes them.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use bytemuck::zeroed_vec;
use tabia_game::Wdl;

use crate::TableValue;

/// Labels of all positions of a group.
///
/// Work goes in rounds. A round looks at the positions that [`Labels::in_round`] lists, which were
/// decided in the round before or, where distances are told apart, are decided in this many plies.
pub trait Labels: Sync + Sized {
    /// Whether distances are told apart.
    const DISTANCES: bool;

    /// This many undecided positions.
    fn new(positions: u64) -> Self;

    /// The bytes they take.
    fn bytes(positions: u64) -> u64;

    /// The label of a position; `None` while it is undecided.
    fn get(&self, index: u64) -> Option<TableValue>;

    /// Labels a position as won, unless it is known to be won as quickly.
    fn win(&self, index: u64, plies: u16);

    /// Labels an undecided position as lost, in no fewer plies than [`Labels::last`] has told.
    fn lose(&self, index: u64, plies: u16);

    /// Labels a position as drawn for good.
    fn draw(&self, index: u64);

    /// An undecided position lasts so long at least, should it be lost.
    fn last(&self, index: u64, plies: u16);

    /// Calls for each position of a range that this round looks at. Ranges begin and end at
    /// multiples of 64.
    fn in_round(&self, round: u16, range: std::ops::Range<u64>, call: impl FnMut(u64, Wdl));

    /// Ends a round and says whether another one has anything to look at.
    fn end_round(&mut self, round: u16) -> bool;

    /// Whether a game lasts longer than can be told.
    fn overflowed(&self) -> bool;
}

const UNDECIDED: u16 = 0;
const LOSS: u16 = 1;
const WIN: u16 = 2;
const DRAW: u16 = 3;

/// Won, drawn or lost, in two bits.
pub struct OutcomeLabels {
    positions: u64,
    cells: Vec<AtomicU64>,
    /// The positions decided in the round before, and those in this one.
    fresh: [Vec<AtomicU64>; 2],
}

impl OutcomeLabels {
    const PER_WORD: u64 = 32;

    fn set(&self, index: u64, tag: u16) {
        let shift = 2 * (index % Self::PER_WORD);
        let word = &self.cells[(index / Self::PER_WORD) as usize];
        let before = word.fetch_or(u64::from(tag) << shift, Ordering::Relaxed);
        if before >> shift & 3 == u64::from(UNDECIDED) && tag != DRAW {
            let fresh = &self.fresh[1][(index / 64) as usize];
            fresh.fetch_or(1 << (index % 64), Ordering::Relaxed);
        }
    }

    fn tag(&self, index: u64) -> u16 {
        let word = self.cells[(index / Self::PER_WORD) as usize].load(Ordering::Relaxed);
        (word >> (2 * (index % Self::PER_WORD)) & 3) as u16
    }
}

impl Labels for OutcomeLabels {
    const DISTANCES: bool = false;

    fn new(positions: u64) -> OutcomeLabels {
        let words = |per: u64| zeroed_vec(positions.div_ceil(per) as usize);
        OutcomeLabels {
            positions,
            cells: words(Self::PER_WORD),
            fresh: [words(64), words(64)],
        }
    }

    fn bytes(positions: u64) -> u64 {
        positions.div_ceil(2)
    }

    #[inline]
    fn get(&self, index: u64) -> Option<TableValue> {
        let wdl = match self.tag(index) {
            LOSS => Wdl::Loss,
            WIN => Wdl::Win,
            DRAW => Wdl::Draw,
            _ => return None,
        };
        Some(TableValue { wdl, plies: None })
    }

    #[inline]
    fn win(&self, index: u64, _: u16) {
        self.set(index, WIN);
    }

    #[inline]
    fn lose(&self, index: u64, _: u16) {
        self.set(index, LOSS);
    }

    fn draw(&self, index: u64) {
        self.set(index, DRAW);
    }

    fn last(&self, _: u64, _: u16) {}

    fn in_round(&self, _: u16, range: std::ops::Range<u64>, mut call: impl FnMut(u64, Wdl)) {
        for word in range.start / 64..range.end.min(self.positions).div_ceil(64) {
            let mut bits = self.fresh[0][word as usize].load(Ordering::Relaxed);
            while bits != 0 {
                let index = word * 64 + u64::from(bits.trailing_zeros());
                bits &= bits - 1;
                let lost = self.tag(index) == LOSS;
                call(index, if lost { Wdl::Loss } else { Wdl::Win });
            }
        }
    }

    fn end_round(&mut self, _: u16) -> bool {
        self.fresh.swap(0, 1);
        let mut any = 0;
        for word in &self.fresh[0] {
            any |= word.load(Ordering::Relaxed);
        }
        for word in &mut self.fresh[1] {
            *word.get_mut() = 0;
        }
        any != 0
    }

    fn overflowed(&self) -> bool {
        false
    }
}

/// Won, drawn or lost and in how many plies, in sixteen bits: the plies of an undecided position
/// are what it lasts at least, should it be lost.
pub struct DistanceLabels {
    cells: Vec<AtomicU16>,
    /// The most plies of any position.
    longest: AtomicU16,
    overflowed: AtomicBool,
}

const TAG_BITS: u16 = 2;
const TAG: u16 = (1 << TAG_BITS) - 1;
/// The most plies that can be told.
pub(super) const MAX_PLIES: u16 = u16::MAX >> TAG_BITS;

impl DistanceLabels {
    fn cell(&self, index: u64) -> &AtomicU16 {
        &self.cells[index as usize]
    }

    fn coded(&self, plies: u16, tag: u16) -> u16 {
        if plies > MAX_PLIES {
            self.overflowed.store(true, Ordering::Relaxed);
        }
        if plies > self.longest.load(Ordering::Relaxed) {
            self.longest.fetch_max(plies, Ordering::Relaxed);
        }
        plies.min(MAX_PLIES) << TAG_BITS | tag
    }
}

impl Labels for DistanceLabels {
    const DISTANCES: bool = true;

    fn new(positions: u64) -> DistanceLabels {
        DistanceLabels {
            cells: zeroed_vec(positions as usize),
            longest: AtomicU16::new(0),
            overflowed: AtomicBool::new(false),
        }
    }

    fn bytes(positions: u64) -> u64 {
        positions.saturating_mul(2)
    }

    #[inline]
    fn get(&self, index: u64) -> Option<TableValue> {
        let code = self.cell(index).load(Ordering::Relaxed);
        let plies = code >> TAG_BITS;
        match code & TAG {
            LOSS => Some(TableValue::loss(plies)),
            WIN => Some(TableValue::win(plies)),
            DRAW => Some(TableValue::DRAW),
            _ => None,
        }
    }

    #[inline]
    fn win(&self, index: u64, plies: u16) {
        let code = self.coded(plies, WIN);
        let quicker = |before: u16| match before & TAG {
            UNDECIDED => Some(code),
            WIN => (before > code).then_some(code),
            _ => None,
        };
        // Nothing to be done if it is won as quickly already.
        let _ = self
            .cell(index)
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, quicker);
    }

    #[inline]
    fn lose(&self, index: u64, plies: u16) {
        let lasts = self.cell(index).load(Ordering::Relaxed) >> TAG_BITS;
        let code = self.coded(plies.max(lasts), LOSS);
        self.cell(index).store(code, Ordering::Relaxed);
    }

    fn draw(&self, index: u64) {
        self.cell(index).store(DRAW, Ordering::Relaxed);
    }

    fn last(&self, index: u64, plies: u16) {
        let code = self.coded(plies, UNDECIDED);
        self.cell(index).store(code, Ordering::Relaxed);
    }

    fn in_round(&self, round: u16, range: std::ops::Range<u64>, mut call: impl FnMut(u64, Wdl)) {
        let wanted = [round << TAG_BITS | LOSS, round << TAG_BITS | WIN];
        let start = range.start as usize;
        let cells = &self.cells[start..self.cells.len().min(range.end as usize)];
        for (i, cell) in cells.iter().enumerate() {
            let code = cell.load(Ordering::Relaxed);
            if code == wanted[0] || code == wanted[1] {
                let wdl = if code & TAG == LOSS {
                    Wdl::Loss
                } else {
                    Wdl::Win
                };
                call((start + i) as u64, wdl);
            }
        }
    }

    fn end_round(&mut self, round: u16) -> bool {
        round < *self.longest.get_mut()
    }

    fn overflowed(&self) -> bool {
        self.overflowed.load(Ordering::Relaxed)
    }
}
