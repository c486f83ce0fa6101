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
    deadline: Option<Instant>,
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
            || self
                .0
                .deadline
                .is_some_and(|moment| Instant::now() >= moment)
    }

    /// A flag for a part of the work: it stops with the whole, but can be stopped alone.
    pub fn part(&self) -> Cancel {
        Cancel(Arc::new(Flag {
            set: AtomicBool::new(false),
            parent: Some(self.clone()),
            deadline: None,
        }))
    }

    /// A flag for a part of the work that stops by itself at this moment, whatever time the work
    /// gives to its own parts.
    pub fn until(&self, moment: Instant) -> Cancel {
        Cancel(Arc::new(Flag {
            set: AtomicBool::new(false),
            parent: Some(self.clone()),
            deadline: Some(moment),
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

    /// What is left of the time for work that began at this moment; other limits are the same.
    pub fn since(&self, began: Instant) -> Limits {
        Limits {
            time: self.time.map(|time| time.saturating_sub(began.elapsed())),
            ..self.clone()
        }
    }

    /// Starts the clock.
    pub fn meter(&self) -> Meter {
        Meter {
            nodes: 0,
            node_limit: self.nodes.unwrap_or(u64::MAX),
            deadline: self.time.and_then(|t| Instant::now().checked_add(t)),
            cancel: self.cancel.clone(),
            stopped: false,
            next_look: 0,
            interval: 1,
            looked: None,
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
    /// The clock and the cancel flag are looked at when this many nodes are counted, and again
    /// after `interval` more.
    next_look: u64,
    interval: u64,
    /// When the clock was last looked at.
    looked: Option<Instant>,
}

impl Meter {
    /// The clock and the cancel flag are looked at once in this many nodes at least.
    const INTERVAL: u64 = 1024;
    /// And about once in this time, however long a node takes, which may be a whole playout.
    const PAUSE: Duration = Duration::from_millis(1);

    /// Counts one node; an error once a limit is reached. The node that is refused is not counted.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes >= self.next_look {
            self.look(self.nodes);
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
        if after >= self.next_look {
            self.look(after);
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

    /// Looks at the clock and the cancel flag, and decides when to look again.
    #[cold]
    fn look(&mut self, nodes: u64) {
        let now = self.deadline.map(|_| Instant::now());
        if self.cancel.is_cancelled() || self.deadline.is_some_and(|d| now >= Some(d)) {
            self.stopped = true;
        }
        let passed = now.zip(self.looked).map(|(now, then)| now - then);
        self.interval = match passed {
            Some(passed) if passed > 2 * Self::PAUSE => {
                let times = passed.as_nanos() / Self::PAUSE.as_nanos();
                (self.interval / u64::try_from(times).unwrap_or(u64::MAX)).max(1)
            }
            Some(passed) if passed > Self::PAUSE / 2 => self.interval,
            _ => (2 * self.interval).min(Self::INTERVAL),
        };
        self.looked = now;
        self.next_look = nodes.saturating_add(self.interval);
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a limit was reached.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The time that is left; `None` without a time limit.
    pub fn left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
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

    /// However long a node takes, the next look comes soon.
    #[test]
    fn slow_nodes_are_looked_at_more_often() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        let mut meter = limits.meter();
        while meter.interval < Meter::INTERVAL {
            assert!(meter.tick().is_ok());
        }
        // As if the last nodes had taken a second.
        meter.looked = Instant::now().checked_sub(Duration::from_secs(1));
        let before = meter.next_look;
        while meter.next_look == before {
            assert!(meter.tick().is_ok());
        }
        assert_eq!(meter.interval, 1);
        limits.cancel.cancel();
        assert!((0..2).any(|_| meter.tick().is_err()));
    }

    #[test]
    fn what_is_left_is_less_than_there_was() {
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            nodes: Some(7),
            ..Limits::default()
        };
        let earlier = Instant::now().checked_sub(Duration::from_secs(2));
        let left = limits.since(earlier.expect("the clock is older than two seconds"));
        assert_eq!((left.time, left.nodes), (Some(Duration::ZERO), Some(7)));
        assert_eq!(Limits::nodes(3).since(Instant::now()).time, None);
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
    fn a_part_stops_at_its_moment_and_the_whole_does_not() {
        let whole = Cancel::default();
        let [past, future] = [0, 3600].map(|seconds| {
            let moment = Instant::now() + Duration::from_secs(seconds);
            whole.until(moment)
        });
        assert!(past.is_cancelled() && past.part().is_cancelled());
        assert!(!future.is_cancelled() && !whole.is_cancelled());
        whole.cancel();
        assert!(future.is_cancelled());
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
