//! What nodes count: sums of the values of playouts, and how players read them.
//!
//! Values are added up as integers, thirty bits after the point: unlike floating-point sums they do
//! not depend on the order, and need no loop to be added by several threads.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};

use tabia_game::Player;

use super::playout::Values;

/// A value of 1, a won game, as it is added up.
pub(super) const ONE: i64 = 1 << 30;

/// A value between -1 and 1 as it is added up.
#[inline]
pub(super) fn fixed(value: f64) -> i64 {
    (value * ONE as f64).round() as i64
}

/// Adds to a counter. One thread alone need not pay for an atomic addition.
macro_rules! add {
    ($counter:expr, $amount:expr, $shared:expr) => {
        if $shared {
            $counter.fetch_add($amount, Relaxed);
        } else {
            $counter.store($counter.load(Relaxed).wrapping_add($amount), Relaxed);
        }
    };
}
pub(super) use add;

/// What some playouts were worth: to the player whose tree it is against all others if `V` is 1, to
/// every player otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayoutSums<const V: usize> {
    pub sums: [i64; V],
    pub squares: [i64; V],
    pub visits: u32,
}

impl<const V: usize> PlayoutSums<V> {
    pub const NOTHING: PlayoutSums<V> = PlayoutSums {
        sums: [0; V],
        squares: [0; V],
        visits: 0,
    };

    /// The same value several times, with or without its square.
    pub fn of(values: &Values, visits: u32, squared: bool) -> PlayoutSums<V> {
        let times = i64::from(visits);
        PlayoutSums {
            sums: std::array::from_fn(|i| fixed(values[i]) * times),
            squares: match squared {
                true => std::array::from_fn(|i| fixed(values[i] * values[i]) * times),
                false => [0; V],
            },
            visits,
        }
    }

    pub fn add(&mut self, other: &PlayoutSums<V>) {
        for i in 0..V {
            self.sums[i] += other.sums[i];
            self.squares[i] += other.squares[i];
        }
        self.visits += other.visits;
    }
}

/// How a player reads the values of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    index: usize,
    maximises: bool,
}

impl View {
    /// The view of `player` in a tree of `hero` with this many values.
    #[inline]
    pub fn new(player: Player, hero: Player, values: usize) -> View {
        match values {
            1 => View {
                index: 0,
                maximises: player == hero,
            },
            _ => View {
                index: player.index().min(values - 1),
                maximises: true,
            },
        }
    }

    /// Whether higher values of the tree are better.
    #[inline]
    pub fn maximises(self) -> bool {
        self.maximises
    }

    #[inline]
    pub fn value(self, values: &[f64]) -> f64 {
        match self.maximises {
            true => values[self.index],
            false => -values[self.index],
        }
    }

    /// One of the sums of a node. Where there is but one, the index need not be looked at.
    #[inline]
    pub fn of<const V: usize>(self, sums: &[AtomicI64; V]) -> i64 {
        sums[self.index.min(V - 1)].load(Relaxed)
    }
}

/// How often a move was played later, and the sum of the values to the player who did.
#[derive(Debug, Default)]
pub(super) struct Later {
    visits: AtomicU32,
    sum: AtomicI64,
}

impl Later {
    pub fn credit(&self, value: i64, shared: bool) {
        add!(self.visits, 1, shared);
        add!(self.sum, value, shared);
    }

    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub fn mean(&self) -> f64 {
        self.sum.load(Relaxed) as f64 / (ONE as f64 * f64::from(self.visits().max(1)))
    }

    pub fn table(size: usize) -> Box<[Later]> {
        (0..size).map(|_| Later::default()).collect()
    }
}
