//! The proof and disproof numbers that new leaves begin with.

use tabia_game::{CERTAIN, Game, Knowledge, Player};

use super::ProofPair;

/// How hard a position looks before it is searched.
pub trait Initial<G: Game> {
    /// The numbers of an unfinished position, at which the attacker is to move or the defender;
    /// both are at least one. Moves may be appended to `moves` and must be removed again.
    fn numbers(
        &self,
        game: &G,
        state: &G::State,
        attacker: Player,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> ProofPair;
}

impl<G: Game, I: Initial<G> + ?Sized> Initial<G> for &I {
    #[inline]
    fn numbers(
        &self,
        game: &G,
        state: &G::State,
        attacker: Player,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> ProofPair {
        (**self).numbers(game, state, attacker, attacking, moves)
    }
}

/// One and one: nothing is known of a leaf (Allis et al. 1994; Schadd 2011, section 4.5.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit;

impl<G: Game> Initial<G> for Unit {
    #[inline]
    fn numbers(&self, _: &G, _: &G::State, _: Player, _: bool, _: &mut Vec<G::Move>) -> ProofPair {
        ProofPair::UNIT
    }
}

/// The numbers that the leaf would have if it were expanded into leaves of one and one: with n
/// moves, 1 and n at a node of the attacker, n and 1 at one of the defender (Allis 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility;

impl<G: Game> Initial<G> for Mobility {
    #[inline]
    fn numbers(
        &self,
        game: &G,
        state: &G::State,
        _: Player,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> ProofPair {
        let before = moves.len();
        game.moves(state, moves);
        let mobility = u32::try_from(moves.len() - before).unwrap_or(u32::MAX);
        moves.truncate(before);
        if attacking {
            ProofPair {
                pn: 1,
                dn: mobility,
            }
        } else {
            ProofPair {
                pn: mobility,
                dn: 1,
            }
        }
    }
}

/// Mobility, and an evaluation that makes promising leaves cheaper to prove and others cheaper to
/// disprove: the initialisation of EF-PN (Winands and Schadd 2011).
///
/// The step s is 1 if the evaluation for the attacker is at least `threshold`, -1 if it is at most
/// minus `threshold`, and 0 between. To the proof number of [`Mobility`] comes
/// `proof_weight` (1 - s), to the disproof number `disproof_weight` (1 + s).
#[derive(Clone, Copy, Debug)]
pub struct Guided<K> {
    /// What evaluates positions.
    pub knowledge: K,
    /// From which evaluation on a side is held to be ahead, in units of one
    /// [`CERTAIN`](tabia_game::CERTAIN)-th.
    pub threshold: i32,
    /// How much the proof number rises by step.
    pub proof_weight: u32,
    /// How much the disproof number rises by step.
    pub disproof_weight: u32,
}

impl<K> Guided<K> {
    /// Guided by this knowledge; who is ahead by a tenth of a win is ahead, and a step weighs as
    /// much as ten moves. These did well in Connect Four and Breakthrough.
    pub fn by(knowledge: K) -> Guided<K> {
        Guided {
            knowledge,
            threshold: CERTAIN / 10,
            proof_weight: 10,
            disproof_weight: 10,
        }
    }
}

/// By an evaluation alone: with every `unit` by which the attacker is ahead a leaf is taken to be
/// half as hard to prove and twice as hard to disprove. For games whose evaluation tells much and
/// in which whoever is ahead late in the game wins.
#[derive(Clone, Copy, Debug)]
pub struct Steep<K> {
    /// What evaluates positions.
    pub knowledge: K,
    /// The difference that counts double, in units of one [`CERTAIN`](tabia_game::CERTAIN)-th.
    pub unit: i32,
}

impl<K> Steep<K> {
    /// Exponents of a leaf at which nobody is ahead, and the largest one.
    const EVEN: u32 = 2;
    const MAX_EXPONENT: u32 = 8;
}

impl<G: Game, K: Knowledge<G>> Initial<G> for Steep<K> {
    #[inline]
    fn numbers(
        &self,
        game: &G,
        state: &G::State,
        attacker: Player,
        attacking: bool,
        _: &mut Vec<G::Move>,
    ) -> ProofPair {
        // Whoever is to move is about half a step ahead.
        let evaluation = self.knowledge.evaluate(game, state, attacker);
        let tempo = if attacking { 1 } else { -1 };
        let steps = (evaluation / self.unit.max(1)).saturating_add(tempo);
        let number = |steps: i32| {
            let exponent = steps.saturating_add_unsigned(Self::EVEN);
            match exponent.clamp(-1, Self::MAX_EXPONENT as i32) {
                -1 => 1,
                exponent => 1 + (1 << exponent),
            }
        };
        ProofPair {
            pn: number(steps.saturating_neg()),
            dn: number(steps),
        }
    }
}

impl<G: Game, K: Knowledge<G>> Initial<G> for Guided<K> {
    #[inline]
    fn numbers(
        &self,
        game: &G,
        state: &G::State,
        attacker: Player,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> ProofPair {
        let evaluation = self.knowledge.evaluate(game, state, attacker);
        let steps = if evaluation >= self.threshold {
            [0, 2]
        } else if evaluation <= -self.threshold {
            [2, 0]
        } else {
            [1, 1]
        };
        let ProofPair { pn, dn } = Mobility.numbers(game, state, attacker, attacking, moves);
        ProofPair {
            pn: pn.saturating_add(self.proof_weight.saturating_mul(steps[0])),
            dn: dn.saturating_add(self.disproof_weight.saturating_mul(steps[1])),
        }
    }
}
