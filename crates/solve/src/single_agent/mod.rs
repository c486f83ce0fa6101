//! Exact searches for one player, who wants as much as can be had.
//!
//! [`DepthFirst`] looks at every position, and with incremental transpositions at hardly any
//! position twice. [`BranchAndBound`] leaves out what [`OnePlayer::most`] says cannot be better
//! than the best game found. [`a_star`] and [`ida_star`] are for games whose bound is sharp, such
//! as the shortest way to a goal. All of them answer with a game that can be replayed, and say
//! whether there is none better.
//!
//! Only finished games count: what a game broken off is worth is no result.
//!
//! All of them take positions with equal keys for the same, so they are exact where positions recur
//! freely. Under any other [rule of repetition](tabia_game::Repetition) a position may be worth
//! more on one path than on another; they find nothing then, and prove nothing.

mod astar;
mod bnb;
mod incremental;

use std::sync::atomic::{AtomicU64, Ordering};

use tabia_game::threads;
use tabia_game::{Limits, Meter, OnePlayer, Payoff, Stopped};

pub use astar::{a_star, ida_star, ida_star_by};
pub use bnb::{BranchAndBound, OnFound};
pub use incremental::DepthFirst;

/// The best game that a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// What it pays; nothing if no game has been found that ends.
    pub payoff: Option<Payoff>,
    /// Its moves.
    pub line: Vec<M>,
    /// Whether no game pays more.
    pub proved: bool,
    /// Positions that were looked at, each as often as that happened.
    pub nodes: u64,
    /// Which of them were different, if the search tells.
    pub remembered: Option<Remembered>,
}

/// How many different positions a search has looked at, as far as its table remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Positions that were not known when they were met.
    pub positions: u64,
    /// Positions that gave way to others in the table, or that it had no room for, and that count
    /// as new ones when they are met again. With none of them, and on one thread, `positions` is
    /// exact.
    pub forgotten: u64,
}

impl Remembered {
    /// What several threads remember, each by itself: a position may be known to several.
    fn sum((a, b): (Remembered, Remembered)) -> Remembered {
        Remembered {
            positions: a.positions + b.positions,
            forgotten: a.forgotten + b.forgotten,
        }
    }
}

impl<M> Found<M> {
    fn nothing() -> Found<M> {
        Found {
            payoff: None,
            line: Vec::new(),
            proved: false,
            nodes: 0,
            remembered: None,
        }
    }
}

/// The stack of a search grows with the length of its lines; memory that is not used is not taken.
const STACK: usize = 1 << 30;

/// Runs a search that may go very deep.
fn with_large_stack<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    threads::on_a_stack(STACK, search)
}

/// Nodes that all threads of a search may still visit.
struct Budget(AtomicU64);

impl Budget {
    fn new(limits: &Limits) -> Budget {
        Budget(AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)))
    }

    /// Takes some of the nodes that are left.
    fn grant(&self) -> u64 {
        const GRANT: u64 = 1024;
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left - left.min(GRANT))
            });
        taken.map_or(0, |left| left.min(GRANT))
    }
}

/// Counts the nodes of one thread against the budget of all.
struct Count<'a> {
    budget: &'a Budget,
    granted: u64,
    /// Watches time and the wish to stop.
    meter: Meter,
}

impl<'a> Count<'a> {
    fn new(budget: &'a Budget, limits: &Limits) -> Count<'a> {
        let limits = Limits {
            nodes: None,
            ..limits.clone()
        };
        Count {
            budget,
            granted: 0,
            meter: limits.meter(),
        }
    }

    #[inline]
    fn tick(&mut self) -> Result<(), Stopped> {
        if self.granted == 0 {
            self.granted = self.budget.grant();
            if self.granted == 0 {
                return Err(Stopped);
            }
        }
        self.meter.tick()?;
        self.granted -= 1;
        Ok(())
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes()
    }
}

/// Gives back what was not used.
impl Drop for Count<'_> {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.granted, Ordering::Relaxed);
    }
}

/// A number for a position together with what it has brought: searches that look at all positions
/// tell those apart that differ in this alone, since they pay differently.
#[inline]
fn identity<G: OnePlayer>(game: &G, state: &G::State) -> u64 {
    let earned = game.earned(state) as u32;
    game.key(state) ^ tabia_game::zobrist::number(0xa10e, u64::from(earned))
}
