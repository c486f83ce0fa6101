//! How often a node was visited, how many visits are under way, and which threads may go there: one
//! word, so that a single addition counts a visit and takes its virtual loss back.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release};

/// A virtual loss; visits lie below.
const LOSS: u64 = 1 << 32;
const LOSSES: u64 = 0xffff;
/// One more than the number of the thread that had the node for itself last.
const THREAD: u64 = 1 << 48;
const THREADS: u64 = 0x7fff;
/// The node is open to all threads.
const OPEN: u64 = 1 << 63;

/// One of the threads that work on a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crew {
    pub number: usize,
    pub threads: usize,
}

impl Crew {
    pub const ALONE: Crew = Crew {
        number: 0,
        threads: 1,
    };

    /// Whether other threads work on the same tree.
    #[inline]
    pub fn shares(self) -> bool {
        self.threads > 1
    }

    fn mark(self) -> u64 {
        self.number as u64 % THREADS + 1
    }
}

/// What a thread gets of a node that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// What all threads get.
    Open,
    /// The node and all below it for itself.
    Own,
    /// Nothing, since another one has it.
    Taken,
}

/// Visits and virtual losses.
#[derive(Debug, Default)]
pub(super) struct Entries(AtomicU64);

/// What they were at one time. Whoever asks for several things of it pays for one load.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(u64);

impl Count {
    #[inline]
    pub fn visits(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    pub fn losses(self) -> u32 {
        ((self.0 / LOSS) & LOSSES) as u32
    }

    /// Both together.
    #[inline]
    pub fn all(self) -> u32 {
        self.visits().saturating_add(self.losses())
    }

    /// Whether all threads may go there at the same time.
    #[inline]
    pub fn is_open(self) -> bool {
        self.0 & OPEN != 0
    }

    /// Whether a thread has the node for itself.
    #[inline]
    pub fn is_taken(self) -> bool {
        !self.is_open() && self.losses() > 0
    }

    /// The thread that had the node for itself last.
    #[inline]
    pub fn last(self) -> Option<usize> {
        let mark = (self.0 / THREAD) & THREADS;
        (mark as usize).checked_sub(1)
    }
}

impl Entries {
    #[inline]
    pub fn now(&self) -> Count {
        Count(self.0.load(Relaxed))
    }

    /// Counts visits and takes virtual losses back. A thread that has the node for itself need not
    /// pay for an atomic addition.
    #[inline]
    pub fn add(&self, visits: u32, losses: u32, shared: bool) {
        let more = u64::from(visits).wrapping_sub(u64::from(losses) * LOSS);
        if shared {
            self.0.fetch_add(more, Relaxed);
        } else {
            self.0
                .store(self.0.load(Relaxed).wrapping_add(more), Relaxed);
        }
    }

    /// Comes from a node that is open to all, and adds a virtual loss unless the node is taken.
    pub fn claim(&self, crew: Crew) -> Claim {
        let claim = |entries: u64| match entries {
            entries if Count(entries).is_open() => Some(entries + LOSS),
            entries if Count(entries).losses() > 0 => None,
            entries => Some(entries % THREAD + LOSS + crew.mark() * THREAD),
        };
        // What the last thread wrote below is to be seen by the next one.
        match self.0.fetch_update(AcqRel, Relaxed, claim) {
            Ok(entries) if Count(entries).is_open() => Claim::Open,
            Ok(_) => Claim::Own,
            Err(_) => Claim::Taken,
        }
    }

    /// Gives up a node that a thread had for itself, from so many visits on to all.
    pub fn release(&self, open: u32) {
        let entries = self.0.load(Relaxed).wrapping_sub(LOSS);
        let open = if entries as u32 >= open { OPEN } else { 0 };
        self.0.store(entries | open, Release);
    }

    /// Opens a node that nobody has for himself to all.
    pub fn open(&self) {
        self.0.fetch_or(OPEN, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_belongs_to_one_thread_until_it_is_open_to_all() {
        let [one, other] = [0, 1].map(|number| Crew { number, threads: 2 });
        let node = Entries::default();
        assert_eq!(node.claim(one), Claim::Own);
        assert_eq!(node.claim(other), Claim::Taken);
        node.add(5, 0, false);
        assert_eq!(
            (node.now().visits(), node.now().losses(), node.now().all()),
            (5, 1, 6)
        );
        node.release(10);
        assert_eq!((node.now().last(), node.now().is_taken()), (Some(0), false));
        assert_eq!(node.claim(other), Claim::Own);
        node.add(5, 0, false);
        node.release(10);
        assert_eq!(node.now().last(), Some(1));
        assert!(node.now().is_open());
        assert_eq!([one, other].map(|crew| node.claim(crew)), [Claim::Open; 2]);
        assert!(!node.now().is_taken());
        assert_eq!((node.now().visits(), node.now().losses()), (10, 2));
        node.add(3, 1, true);
        node.add(0, 1, true);
        assert_eq!((node.now().visits(), node.now().losses()), (13, 0));
    }
}
