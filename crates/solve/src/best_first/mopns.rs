//! Proof-number search for many outcomes, MOPNS (Saffidine 2013, as reviewed by Hartmann 2013).
//!
//! For outcomes o_1 < ... < o_m a node has an effort G(o) to prove that its value is at least o,
//! and an effort S(o) to prove that it is at most o. To prove that the value is at most o_(k-1) is
//! to disprove that it is at least o_k, so G(o_k) and S(o_(k-1)) are the proof and the disproof
//! number of one threshold: a node carries such a pair for each of the m - 1 thresholds, and all
//! are kept up in one tree. Of the thresholds that are open at the root a descent is after the one
//! whose numbers have the least sum, the lowest of several; then it goes as in proof-number search.
//!
//! A child that cannot beat what its parent is sure of is decided for every threshold that is
//! still open at the parent. So no descent ever comes to it, and pruning it would change nothing.
//! With two outcomes there is one threshold, and the search is proof-number search step by step.

use tabia_game::{Game, Payoff, Player};

use super::DEFAULT_BYTES;
use super::frame::{BestFirst, BestFirstSearch, Measure, Solvable};
use super::pn::ProofPair;
use crate::Status;

/// What is asked of a position: which of some payoffs a player can be sure of. Play without end
/// is worth nothing to anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stakes<const T: usize> {
    /// Whose payoffs they are.
    pub player: Player,
    /// In ascending order. In a game that is only won, drawn or lost, 0 and 1 ask for all.
    pub thresholds: [Payoff; T],
}

/// Between which payoffs the value of a position lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// What the player can be sure of.
    pub lower: Payoff,
    /// More than this is not possible.
    pub upper: Payoff,
}

impl<const T: usize> Stakes<T> {
    /// What the numbers of the thresholds say of the value.
    pub fn bounds<G: Game>(&self, game: &G, numbers: &[ProofPair; T]) -> Bounds {
        let most = game.max_payoff();
        let mut bounds = Bounds {
            lower: most.saturating_neg(),
            upper: most,
        };
        for (threshold, numbers) in self.thresholds.into_iter().zip(numbers) {
            match numbers.status() {
                Status::Proved => bounds.lower = bounds.lower.max(threshold),
                Status::Disproved => bounds.upper = bounds.upper.min(threshold.saturating_sub(1)),
                Status::Unknown => {}
            }
        }
        bounds
    }
}

/// Each threshold has its numbers.
impl<G: Solvable, const T: usize> Measure<G> for Stakes<T> {
    type Information = [ProofPair; T];
    /// A threshold.
    type Focus = usize;

    #[inline]
    fn attacker(&self) -> Player {
        self.player
    }

    #[inline]
    fn known(&self, payoff: Payoff) -> [ProofPair; T] {
        self.thresholds
            .map(|threshold| ProofPair::known(payoff >= threshold))
    }

    #[inline]
    fn recurring(&self) -> [ProofPair; T] {
        Measure::<G>::known(self, 0)
    }

    #[inline]
    fn estimate(&self, _: &G, _: &G::State, _: bool, _: &mut Vec<G::Move>) -> [ProofPair; T] {
        [ProofPair::UNIT; T]
    }

    #[inline]
    fn combine(&self, attacking: bool, children: &[[ProofPair; T]]) -> [ProofPair; T] {
        std::array::from_fn(|t| {
            ProofPair::combine(attacking, children.iter().map(|child| child[t]))
        })
    }

    #[inline]
    fn focus(&self, root: [ProofPair; T]) -> Option<usize> {
        (0..T)
            .filter(|&t| root[t].status() == Status::Unknown)
            .min_by_key(|&t| u64::from(root[t].pn) + u64::from(root[t].dn))
    }

    #[inline]
    fn prefer(&self, threshold: usize, attacking: bool, children: &[[ProofPair; T]]) -> usize {
        ProofPair::prefer(attacking, children.iter().map(|child| child[threshold]))
    }
}

/// Proof-number search for many outcomes.
///
/// ```
/// use tabia_game::{Game, Limits, Player};
/// use tabia_alignment::mnk::Mnk;
/// use tabia_solve::best_first::{Bounds, Mopns, BestFirstSearch, Stakes};
///
/// let game = Mnk::<u64>::new(3, 3, 3)?;
/// let stakes = Stakes { player: Player::FIRST, thresholds: [0, 1] };
/// let (start, limits) = (game.start(), Limits::default());
/// let outcome = Mopns::default().search(&game, &start, stakes, &(), &limits, None);
/// assert_eq!(stakes.bounds(&game, &outcome.root), Bounds { lower: 0, upper: 0 });
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mopns {
    /// How many bytes the tree may take.
    pub bytes: u64,
}

impl Default for Mopns {
    fn default() -> Mopns {
        Mopns {
            bytes: DEFAULT_BYTES,
        }
    }
}

impl BestFirst for Mopns {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<G: Solvable, const T: usize> BestFirstSearch<G, Stakes<T>> for Mopns {
    type Information = [ProofPair; T];
    type Measure<'a> = Stakes<T>;

    fn measure(&self, stakes: Stakes<T>) -> Stakes<T> {
        stakes
    }
}
