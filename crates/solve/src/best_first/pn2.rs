//! PN2, proof-number search in two levels (Allis 1994; Breuker et al. 2001; Schadd 2011, section
//! 4.5.2).
//!
//! The most-proving leaf of the first level is not just expanded: a second proof-number search,
//! bounded in size, is made of it. Then the children of the leaf are kept, with the numbers found,
//! and all below is dropped; if the leaf was proved or disproved, its children are dropped, too.
//! The second tree grows in the same memory on top of the first. Only at the first level is
//! anything kept, so PN2 trades time for memory.

use super::DEFAULT_BYTES;
use super::arena::Arena;
use super::frame::{BestFirst, BestFirstSearch, Cursor, Halt, Solvable, develop, expand};
use super::initial::{Initial, Unit};
use super::pn::{ProofNumbers, ProofPair};
use crate::{Attack, Status};

/// How large a second-level tree may become; each has at least one expansion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SecondLevel {
    /// Until it exceeds the size of the first-level tree (Allis 1994; Schadd 2011).
    FirstLevel,
    /// Until it exceeds that fraction of the size x of the first-level tree that the logistic
    /// function 1 / (1 + exp((a - x) / b)) gives (Breuker et al. 2001).
    Fraction {
        /// The size of the first-level tree at which half of it is allowed.
        a: f64,
        /// How gradually the fraction rises: the smaller the steeper.
        b: f64,
    },
}

impl SecondLevel {
    fn bound(self, first_level: usize) -> usize {
        match self {
            SecondLevel::FirstLevel => first_level,
            SecondLevel::Fraction { a, b } => {
                let size = first_level as f64;
                // A conversion from a float saturates, and takes what is no number for zero.
                (size / (1.0 + ((a - size) / b).exp())) as usize
            }
        }
    }

    /// Searches below a leaf of the first level, and keeps its children alone.
    pub(super) fn expand<G: Solvable, I: Initial<G>>(
        self,
        cursor: &mut Cursor<'_, G>,
        measure: &ProofNumbers<'_, I>,
        arena: &mut Arena<ProofPair, G::Move>,
        leaf: u32,
    ) -> Result<ProofPair, Halt> {
        let first_level = arena.len();
        let bound = self.bound(first_level).max(1);
        // The leaf is the root of the second-level tree and counts in both.
        let goes_on = |arena: &Arena<ProofPair, G::Move>, _: &_| arena.len() - first_level < bound;
        let below =
            |cursor: &mut Cursor<'_, G>, arena: &mut _, leaf| expand(cursor, measure, arena, leaf);
        let ended = develop(cursor, measure, arena, leaf, goes_on, below);
        let found = arena.information(leaf);
        if found.status() != Status::Unknown || arena.is_leaf(leaf) {
            arena.truncate(first_level);
            arena.make_leaf(leaf);
        } else {
            arena.keep_children(leaf);
        }
        match ended {
            Err(halt) if arena.is_leaf(leaf) => Err(halt),
            // A tree that was halted is as good as one with a lower bound.
            _ => Ok(found),
        }
    }
}

/// Two-level proof-number search. With [`Guided`](super::Guided) leaves it is EF-PN2.
#[derive(Clone, Copy, Debug)]
pub struct Pn2<I = Unit> {
    /// The numbers of new leaves.
    pub initial: I,
    /// The bound of the second level.
    pub second_level: SecondLevel,
    /// How many bytes both trees may take.
    pub bytes: u64,
}

impl Default for Pn2 {
    fn default() -> Pn2 {
        Pn2 {
            initial: Unit,
            second_level: SecondLevel::FirstLevel,
            bytes: DEFAULT_BYTES,
        }
    }
}

impl<I> BestFirst for Pn2<I> {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<G: Solvable, I: Initial<G>> BestFirstSearch<G, Attack> for Pn2<I> {
    type Information = ProofPair;
    type Measure<'a>
        = ProofNumbers<'a, I>
    where
        I: 'a;

    fn measure(&self, attack: Attack) -> ProofNumbers<'_, I> {
        ProofNumbers {
            attack,
            initial: &self.initial,
            second_level: Some(self.second_level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fraction_is_a_half_at_a_and_rises_to_all() {
        let second = SecondLevel::Fraction {
            a: 1000.0,
            b: 100.0,
        };
        assert_eq!(second.bound(1000), 500);
        assert_eq!(second.bound(10_000), 10_000);
        assert_eq!(second.bound(1), 0);
        assert_eq!(SecondLevel::FirstLevel.bound(17), 17);
        for b in [0.0, -1.0, f64::NAN] {
            assert!(SecondLevel::Fraction { a: 5.0, b }.bound(5) <= 5);
        }
    }
}
