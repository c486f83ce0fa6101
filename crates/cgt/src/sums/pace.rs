//! How large the parts are that are valued, found by what values cost.
//!
//! Threads keep one pace: only if they value the same parts do they know the same sums by the same
//! keys.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Positions that are looked at for the value of one part, at most.
const EFFORT: u64 = 20_000;

/// Parts with this many moves are valued before it is known what values cost.
const VALUED_AT_FIRST: u32 = 6;

/// Parts with more moves than this are never valued.
const MAX_VALUED: u32 = 24;

/// What is valued at present, and what values have cost so far.
#[derive(Debug)]
pub struct Pace {
    /// Parts with this many moves of both players together are valued.
    valued: AtomicU32,
    /// The largest that this number has been.
    ever: AtomicU32,
    /// The largest that it may be.
    most: AtomicU32,
    /// Whether the number is found by what values cost.
    adapts: bool,
    /// Sums that were searched.
    searched: AtomicU64,
    /// Positions that were looked at for values.
    spent: AtomicU64,
}

impl Pace {
    /// Once in this many sums a thread tells what values have cost.
    pub const SUMS: u64 = 64;

    pub fn new(valued: Option<u32>) -> Pace {
        let at_first = valued.unwrap_or(VALUED_AT_FIRST);
        Pace {
            valued: AtomicU32::new(at_first),
            ever: AtomicU32::new(at_first),
            most: AtomicU32::new(MAX_VALUED.max(at_first)),
            adapts: valued.is_none(),
            searched: AtomicU64::new(0),
            spent: AtomicU64::new(0),
        }
    }

    /// Whether parts with this many moves are valued.
    #[inline]
    pub fn values(&self, moves: i32) -> bool {
        i64::from(moves) <= i64::from(self.valued.load(Ordering::Relaxed))
    }

    /// Whether the value of a part with this many moves may be known.
    #[inline]
    pub fn has_valued(&self, moves: i32) -> bool {
        i64::from(moves) <= i64::from(self.ever.load(Ordering::Relaxed))
    }

    /// Positions that may be looked at for the value of one part.
    pub fn effort(&self) -> u64 {
        match self.adapts {
            true => (self.searched.load(Ordering::Relaxed) / 8 + EFFORT / 10).min(EFFORT),
            false => EFFORT,
        }
    }

    /// Values only parts with half as many moves from now on, since there is no more room for
    /// values; false if none are valued already.
    pub fn shrink(&self) -> bool {
        let valued = self.valued.load(Ordering::Relaxed);
        self.most.store(valued / 2, Ordering::Relaxed);
        self.valued.store(valued / 2, Ordering::Relaxed);
        valued > 0
    }

    /// Takes note of [`Pace::SUMS`] more sums, and of this many positions looked at for values
    /// meanwhile. Values may cost about as much time as the search, and one takes some times as
    /// long as a sum. Returns the number of moves up to which parts are valued.
    pub fn tell(&self, spent: u64) -> u32 {
        let searched = self.searched.fetch_add(Self::SUMS, Ordering::Relaxed) + Self::SUMS;
        let spent = self.spent.fetch_add(spent, Ordering::Relaxed) + spent;
        let valued = self.valued.load(Ordering::Relaxed);
        let new = match valued {
            _ if !self.adapts => valued,
            _ if spent < searched / 8 && valued < self.most.load(Ordering::Relaxed) => valued + 1,
            _ if spent > searched / 2 && valued > 0 => valued - 1,
            _ => valued,
        };
        if new != valued {
            self.valued.store(new, Ordering::Relaxed);
            self.ever.fetch_max(new, Ordering::Relaxed);
        }
        new
    }
}
