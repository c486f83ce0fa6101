//! Limits of a computation, and the meter that watches them.
//!
//! Node budgets make experiments deterministic, time budgets make play practical, and a cancel
//! flag lets a front end stop cleanly. One type carries all of them through every algorithm.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that asks running work to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    parent: Option<Cancel>,
}

impl Cancel {
    /// Asks everything that holds a clone of this flag, or of a part of it, to stop.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
            || self.0.parent.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// A flag for a part of the work: it stops with the whole, but can be stopped alone.
    pub fn part(&self) -> Cancel {
        Cancel(Arc::new(Flag {
            set: AtomicBool::new(false),
            parent: Some(self.clone()),
        }))
    }
}

/// How much a computation may spend. The default has no limit at all.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to visit, summed over all threads.
    pub nodes: Option<u64>,
    /// Simulated games. Only Monte-Carlo searches count them; other algorithms ignore this limit.
    pub playouts: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Stops the computation from outside.
    pub cancel: Cancel,
}

impl Limits {
    /// A limit on depth alone.
    pub fn depth(plies: u32) -> Limits {
        Limits {
            depth: Some(plies),
            ..Limits::default()
        }
    }

    /// A limit on nodes alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// A limit on playouts alone.
    pub fn playouts(playouts: u64) -> Limits {
        Limits {
            playouts: Some(playouts),
            ..Limits::default()
        }
    }

    /// Whether there is no limit at all.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.playouts.is_none()
            && self.time.is_none()
    }

    /// Starts the clock.
    pub fn meter(&self) -> Meter {
        Meter {
            nodes: 0,
            node_limit: self.nodes.unwrap_or(u64::MAX),
            deadline: self.time.and_then(|t| Instant::now().checked_add(t)),
            cancel: self.cancel.clone(),
            stopped: false,
        }
    }
}

/// The computation ran into one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped by a limit on nodes or time, or cancelled")]
pub struct Stopped;

/// Counts nodes against [`Limits`]. Each thread has its own.
#[derive(Clone, Debug)]
pub struct Meter {
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    cancel: Cancel,
    stopped: bool,
}

impl Meter {
    /// How often the clock and the cancel flag are looked at: once in this many nodes.
    const INTERVAL: u64 = 1024;

    /// Counts one node; an error once a limit is reached. The node that is refused is not counted.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(Self::INTERVAL) {
            self.look();
        }
        if self.stopped {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts several nodes at once; an error once a limit is reached. Those that are refused are
    /// not counted.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> Result<(), Stopped> {
        let after = self.nodes.saturating_add(nodes);
        if self.nodes == 0 || self.nodes / Self::INTERVAL != after / Self::INTERVAL {
            self.look();
        }
        if self.stopped {
            return Err(Stopped);
        }
        self.nodes = after.min(self.node_limit);
        if after > self.node_limit {
            self.stopped = true;
            return Err(Stopped);
        }
        Ok(())
    }

    #[cold]
    fn look(&mut self) {
        if self.cancel.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d) {
            self.stopped = true;
        }
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a limit was reached.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether more than this share of the time has gone by; never without a time limit.
    pub fn is_past(&self, started: Instant, share: f64) -> bool {
        self.deadline.is_some_and(|deadline| {
            started.elapsed() >= deadline.duration_since(started).mul_f64(share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_admits_exactly_that_many_nodes() {
        let mut meter = Limits::nodes(5).meter();
        let admitted = (0..10).filter(|_| meter.tick().is_ok()).count();
        assert_eq!((admitted, meter.nodes(), meter.is_stopped()), (5, 5, true));
    }

    #[test]
    fn nodes_counted_together_are_counted_like_single_ones() {
        let mut meter = Limits::nodes(5).meter();
        assert_eq!((meter.spend(3), meter.nodes()), (Ok(()), 3));
        assert_eq!((meter.spend(2), meter.nodes()), (Ok(()), 5));
        assert_eq!((meter.spend(1), meter.nodes()), (Err(Stopped), 5));
        assert!(meter.is_stopped());
        let limits = Limits::default();
        let mut meter = limits.meter();
        assert_eq!(meter.spend(Meter::INTERVAL / 2), Ok(()));
        limits.cancel.cancel();
        assert_eq!(meter.spend(Meter::INTERVAL), Err(Stopped));
    }

    #[test]
    fn cancelling_stops_within_one_interval() {
        let limits = Limits::default();
        let mut meter = limits.meter();
        assert!(meter.tick().is_ok());
        limits.cancel.cancel();
        let more = (0..2 * Meter::INTERVAL)
            .take_while(|_| meter.tick().is_ok())
            .count();
        assert!((more as u64) < Meter::INTERVAL);
    }

    #[test]
    fn parts_stop_with_the_whole_but_not_the_other_way_round() {
        let whole = Cancel::default();
        let (one, other) = (whole.part(), whole.part().part());
        one.cancel();
        assert!(one.is_cancelled() && !whole.is_cancelled() && !other.is_cancelled());
        whole.cancel();
        assert!(other.is_cancelled());
    }

    #[test]
    fn no_time_at_all_admits_nothing() {
        let limits = Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        };
        assert_eq!(limits.meter().tick(), Err(Stopped));
    }
}
