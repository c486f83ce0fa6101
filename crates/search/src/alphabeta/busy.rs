//! How threads keep out of each other's way.
//!
//! Threads that share a transposition table search the same tree. Before a thread searches a move
//! it looks whether another is at work on the same move of the same position, and if so puts it off
//! until its other moves are done: by then the table often knows the answer. This is the idea of
//! ABDADA (Weill 1996) with the marks in a small table of their own.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tabia_game::zobrist;

const SLOTS: usize = 1 << 12;

/// Moves that are being searched. A lost mark costs time, never correctness.
pub struct Busy(Vec<AtomicU64>);

impl Busy {
    /// No move is being searched.
    pub fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The mark of a move in a position; never zero.
    #[inline]
    pub fn claim(key: u64, index: u32) -> u64 {
        zobrist::mix(key ^ u64::from(index).rotate_left(40)) | 1
    }

    #[inline]
    fn slot(&self, claim: u64) -> &AtomicU64 {
        &self.0[(claim >> 32) as usize % SLOTS]
    }

    /// Whether some thread is searching the move.
    #[inline]
    pub fn is_taken(&self, claim: u64) -> bool {
        self.slot(claim).load(Relaxed) == claim
    }

    /// Marks the move as being searched.
    #[inline]
    pub fn take(&self, claim: u64) {
        self.slot(claim).store(claim, Relaxed);
    }

    /// The move has been searched.
    #[inline]
    pub fn free(&self, claim: u64) {
        let slot = self.slot(claim);
        if slot.load(Relaxed) == claim {
            slot.store(0, Relaxed);
        }
    }
}
