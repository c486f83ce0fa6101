//! Limits of a computation, and the meter that watches them.
//!
//! Node budgets make experiments deterministic, time budgets make play practical, and a cancel
//! flag lets a front end stop cleanly. One type carries all of them through every algorithm.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that asks running work to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks everything that holds a clone of this flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much a computation may spend. The default has no limit at all.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to visit, summed over all threads.
    pub nodes: Option<u64>,
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

    /// Whether there is no limit at all.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time.is_none()
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
    fn no_time_at_all_admits_nothing() {
        let limits = Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        };
        assert_eq!(limits.meter().tick(), Err(Stopped));
    }
}
