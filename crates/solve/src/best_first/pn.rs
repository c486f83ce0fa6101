//! Proof-number search (Allis et al. 1994; Schadd 2011, section 4.5.1).
//!
//! The proof number of a node is how many leaves must be proved, at least, to prove it; the
//! disproof number is how many must be disproved to disprove it. At a node of the attacker the
//! proof number is the least of the children's and the disproof number their sum, at one of the
//! defender the other way round. The search expands the most-proving leaf, which counts in both
//! numbers of the root. Of several children that are as good as each other it takes the first.

use tabia_game::{Payoff, Player};

use super::DEFAULT_BYTES;
use super::arena::Arena;
use super::frame::{BestFirst, BestFirstSearch, Cursor, Halt, Measure, Solvable, expand};
use super::initial::{Initial, Unit};
use super::pn2::SecondLevel;
use crate::{Attack, INFINITY, Status};

/// A proof number and a disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofPair {
    /// The proof number.
    pub pn: u32,
    /// The disproof number.
    pub dn: u32,
}

impl ProofPair {
    pub(super) const PROVED: ProofPair = ProofPair {
        pn: 0,
        dn: INFINITY,
    };
    pub(super) const DISPROVED: ProofPair = ProofPair {
        pn: INFINITY,
        dn: 0,
    };
    pub(super) const UNIT: ProofPair = ProofPair { pn: 1, dn: 1 };

    /// What the numbers say.
    #[inline]
    pub fn status(self) -> Status {
        match self {
            ProofPair { pn: 0, .. } => Status::Proved,
            ProofPair { dn: 0, .. } => Status::Disproved,
            _ => Status::Unknown,
        }
    }

    #[inline]
    pub(super) fn known(holds: bool) -> ProofPair {
        if holds {
            ProofPair::PROVED
        } else {
            ProofPair::DISPROVED
        }
    }

    /// Numbers that decide nothing: only what is known may have a number of zero or without end.
    #[inline]
    pub(crate) fn open(self) -> ProofPair {
        ProofPair {
            pn: self.pn.clamp(1, INFINITY - 1),
            dn: self.dn.clamp(1, INFINITY - 1),
        }
    }

    /// The numbers of the opposite claim.
    pub fn flipped(self) -> ProofPair {
        ProofPair {
            pn: self.dn,
            dn: self.pn,
        }
    }

    /// The numbers of a node with these children.
    #[inline]
    pub(super) fn combine(attacking: bool, children: impl Iterator<Item = ProofPair>) -> ProofPair {
        if attacking {
            children.fold(ProofPair::DISPROVED, |all, child| ProofPair {
                pn: all.pn.min(child.pn),
                dn: sum(all.dn, child.dn),
            })
        } else {
            children.fold(ProofPair::PROVED, |all, child| ProofPair {
                pn: sum(all.pn, child.pn),
                dn: all.dn.min(child.dn),
            })
        }
    }

    /// Which child has the least of the numbers that the mover goes by.
    #[inline]
    pub(super) fn prefer(attacking: bool, children: impl Iterator<Item = ProofPair>) -> usize {
        let number = |child: ProofPair| if attacking { child.pn } else { child.dn };
        let mut best = (0, INFINITY);
        for (i, child) in children.enumerate() {
            if number(child) < best.1 {
                best = (i, number(child));
            }
        }
        best.0
    }
}

/// A sum that is infinite only if one of its terms is.
#[inline]
fn sum(a: u32, b: u32) -> u32 {
    if a == INFINITY || b == INFINITY {
        INFINITY
    } else {
        a.saturating_add(b).min(INFINITY - 1)
    }
}

/// Proof and disproof numbers of an attack.
pub struct ProofNumbers<'a, I> {
    pub(super) attack: Attack,
    pub(super) initial: &'a I,
    /// Of a search in two levels, how large the second may become.
    pub(super) second_level: Option<SecondLevel>,
}

impl<G: Solvable, I: Initial<G>> Measure<G> for ProofNumbers<'_, I> {
    type Information = ProofPair;
    type Focus = ();

    #[inline]
    fn attacker(&self) -> Player {
        self.attack.attacker
    }

    #[inline]
    fn known(&self, payoff: Payoff) -> ProofPair {
        ProofPair::known(payoff >= self.attack.at_least)
    }

    #[inline]
    fn recurring(&self) -> ProofPair {
        ProofPair::DISPROVED
    }

    #[inline]
    fn estimate(
        &self,
        game: &G,
        state: &G::State,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> ProofPair {
        self.initial
            .numbers(game, state, self.attack.attacker, attacking, moves)
            .open()
    }

    #[inline]
    fn combine(&self, attacking: bool, children: &[ProofPair]) -> ProofPair {
        ProofPair::combine(attacking, children.iter().copied())
    }

    #[inline]
    fn focus(&self, root: ProofPair) -> Option<()> {
        (root.status() == Status::Unknown).then_some(())
    }

    #[inline]
    fn prefer(&self, (): (), attacking: bool, children: &[ProofPair]) -> usize {
        ProofPair::prefer(attacking, children.iter().copied())
    }

    #[inline]
    fn expand(
        &self,
        cursor: &mut Cursor<'_, G>,
        arena: &mut Arena<ProofPair, G::Move>,
        leaf: u32,
    ) -> Result<ProofPair, Halt> {
        match self.second_level {
            None => expand(cursor, self, arena, leaf),
            Some(second_level) => second_level.expand(cursor, self, arena, leaf),
        }
    }
}

/// Proof-number search.
///
/// With [`Guided`](super::Guided) leaves it is the evaluation-function based proof-number search,
/// EF-PN, of Winands and Schadd (2011).
///
/// ```
/// use tabia_game::{Game, Limits, Player};
/// use tabia_alignment::mnk::Mnk;
/// use tabia_solve::{Attack, Prover, Status, best_first::Pn};
///
/// let game = Mnk::<u64>::new(3, 3, 3)?;
/// let attack = Attack { attacker: Player::FIRST, at_least: 1 };
/// let proof = Pn::default().prove(&game, &game.start(), attack, &(), &Limits::default());
/// assert_eq!(proof.status, Status::Disproved);
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pn<I = Unit> {
    /// The numbers of new leaves.
    pub initial: I,
    /// How many bytes the tree may take.
    pub bytes: u64,
}

impl Default for Pn {
    fn default() -> Pn {
        Pn {
            initial: Unit,
            bytes: DEFAULT_BYTES,
        }
    }
}

impl<I> BestFirst for Pn<I> {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<G: Solvable, I: Initial<G>> BestFirstSearch<G, Attack> for Pn<I> {
    type Information = ProofPair;
    type Measure<'a>
        = ProofNumbers<'a, I>
    where
        I: 'a;

    fn measure(&self, attack: Attack) -> ProofNumbers<'_, I> {
        ProofNumbers {
            attack,
            initial: &self.initial,
            second_level: None,
        }
    }
}
