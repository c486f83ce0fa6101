//! Product propagation (Saffidine and Cazenave 2013; Saffidine 2013, as reviewed by Hartmann
//! 2013).
//!
//! A node carries the probability that the attack succeeds, as if everything below were
//! independent: one half at a leaf, the product at a node of the defender, and at one of the
//! attacker one minus the product of what is lacking to one. The search descends to the greatest
//! probability at the attacker's nodes and to the least at the defender's.
//!
//! Products of many factors become too small for a float, and differences from one too small to be
//! seen. So a probability is kept by its logarithm together with that of its complement, and only
//! what is known is ever exactly zero or one.

use tabia_game::{Payoff, Player};

use super::frame::{BestFirst, BestFirstSearch, Measure, Solvable};
use super::{DEFAULT_BYTES, ProofPair};
use crate::{Attack, Status};

/// The probability that an attack succeeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuccessProbability {
    /// The logarithm of the probability.
    success: f64,
    /// The logarithm of its complement.
    failure: f64,
}

impl SuccessProbability {
    const PROVED: SuccessProbability = SuccessProbability {
        success: 0.0,
        failure: f64::NEG_INFINITY,
    };
    const DISPROVED: SuccessProbability = SuccessProbability {
        success: f64::NEG_INFINITY,
        failure: 0.0,
    };
    const EVEN: SuccessProbability = SuccessProbability {
        success: -std::f64::consts::LN_2,
        failure: -std::f64::consts::LN_2,
    };

    #[inline]
    fn known(holds: bool) -> SuccessProbability {
        if holds {
            SuccessProbability::PROVED
        } else {
            SuccessProbability::DISPROVED
        }
    }

    /// Whether the attack is known to succeed or to fail.
    #[inline]
    pub fn status(self) -> Status {
        if self.failure == f64::NEG_INFINITY {
            Status::Proved
        } else if self.success == f64::NEG_INFINITY {
            Status::Disproved
        } else {
            Status::Unknown
        }
    }

    /// The probability, rounded; of what is not known it may be rounded to zero or to one.
    pub fn probability(self) -> f64 {
        self.success.exp()
    }

    /// The same as the defender sees it.
    #[inline]
    fn flipped(self) -> SuccessProbability {
        SuccessProbability {
            success: self.failure,
            failure: self.success,
        }
    }

    /// Of a node at which the defender is to move, from those of its children.
    #[inline]
    fn product(children: impl Iterator<Item = SuccessProbability>) -> SuccessProbability {
        let mut success = 0.0;
        let mut status = Status::Proved;
        for child in children {
            success += child.success;
            match child.status() {
                Status::Disproved => return SuccessProbability::DISPROVED,
                Status::Unknown => status = Status::Unknown,
                Status::Proved => {}
            }
        }
        if status == Status::Proved {
            return SuccessProbability::PROVED;
        }
        let success = open(success);
        SuccessProbability {
            success,
            failure: open((-success.exp_m1()).ln()),
        }
    }
}

/// The logarithm of a probability that is neither zero nor one.
#[inline]
fn open(logarithm: f64) -> f64 {
    logarithm.clamp(f64::MIN, -f64::MIN_POSITIVE)
}

/// Product propagation has no numbers: those of what is not known tell nothing.
impl From<SuccessProbability> for ProofPair {
    fn from(chances: SuccessProbability) -> ProofPair {
        match chances.status() {
            Status::Proved => ProofPair::PROVED,
            Status::Disproved => ProofPair::DISPROVED,
            Status::Unknown => ProofPair::UNIT,
        }
    }
}

/// The chances of an attack.
pub struct Products {
    attack: Attack,
}

impl<G: Solvable> Measure<G> for Products {
    type Information = SuccessProbability;
    type Focus = ();

    #[inline]
    fn attacker(&self) -> Player {
        self.attack.attacker
    }

    #[inline]
    fn known(&self, payoff: Payoff) -> SuccessProbability {
        SuccessProbability::known(payoff >= self.attack.at_least)
    }

    #[inline]
    fn recurring(&self) -> SuccessProbability {
        SuccessProbability::DISPROVED
    }

    #[inline]
    fn estimate(&self, _: &G, _: &G::State, _: bool, _: &mut Vec<G::Move>) -> SuccessProbability {
        SuccessProbability::EVEN
    }

    #[inline]
    fn combine(&self, attacking: bool, children: &[SuccessProbability]) -> SuccessProbability {
        let children = children.iter().copied();
        if attacking {
            SuccessProbability::product(children.map(SuccessProbability::flipped)).flipped()
        } else {
            SuccessProbability::product(children)
        }
    }

    #[inline]
    fn focus(&self, root: SuccessProbability) -> Option<()> {
        (root.status() == Status::Unknown).then_some(())
    }

    #[inline]
    fn prefer(&self, (): (), attacking: bool, children: &[SuccessProbability]) -> usize {
        // Both logarithms count: one of them still tells apart what the other rounds off. Of a
        // node that is not decided, no child is decided for the mover.
        let merit = |child: SuccessProbability| {
            if attacking {
                child.success - child.failure
            } else {
                child.failure - child.success
            }
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (i, &child) in children.iter().enumerate() {
            if merit(child) > best.1 {
                best = (i, merit(child));
            }
        }
        best.0
    }
}

/// Product propagation.
#[derive(Clone, Copy, Debug)]
pub struct Pp {
    /// How many bytes the tree may take.
    pub bytes: u64,
}

impl Default for Pp {
    fn default() -> Pp {
        Pp {
            bytes: DEFAULT_BYTES,
        }
    }
}

impl BestFirst for Pp {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<G: Solvable> BestFirstSearch<G, Attack> for Pp {
    type Information = SuccessProbability;
    type Measure<'a> = Products;

    fn measure(&self, attack: Attack) -> Products {
        Products { attack }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combine(attacking: bool, children: &[SuccessProbability]) -> SuccessProbability {
        use tabia_small::lgame::LGame;
        let attack = Attack {
            attacker: tabia_game::Player::FIRST,
            at_least: 1,
        };
        Measure::<LGame>::combine(&Products { attack }, attacking, children)
    }

    #[test]
    fn probabilities_multiply() {
        let half = combine(
            false,
            &[SuccessProbability::EVEN, SuccessProbability::PROVED],
        );
        let quarter = combine(false, &[SuccessProbability::EVEN, half]);
        let more = combine(
            true,
            &[
                quarter,
                SuccessProbability::EVEN,
                SuccessProbability::DISPROVED,
            ],
        );
        let expected = [0.5, 0.25, 1.0 - 0.75 * 0.5];
        for (chances, expected) in [half, quarter, more].into_iter().zip(expected) {
            assert!((chances.probability() - expected).abs() < 1e-12);
            assert!((chances.flipped().probability() - (1.0 - expected)).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_too_small_for_a_float_is_no_proof() {
        let mut chances = SuccessProbability::EVEN;
        for level in 0..20 {
            chances = combine(level % 2 == 0, &[chances; 5000]);
            assert_eq!(chances.status(), Status::Unknown);
        }
        assert_eq!(
            combine(true, &[chances, SuccessProbability::PROVED]),
            SuccessProbability::PROVED
        );
        assert_eq!(combine(true, &[]), SuccessProbability::DISPROVED);
        assert_eq!(combine(false, &[]), SuccessProbability::PROVED);
    }
}
