//! What all searches for a proof have in common: how they are asked, and what they answer.

use tabia_game::{Game, Limits, Repetition};

use crate::{Attack, Settled, Status};

/// The proof number of what cannot be proved, and the disproof number of what cannot be disproved.
/// Sums that grow this large stay one below it.
pub const INFINITY: u32 = u32::MAX;

/// What a search for a proof has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proof {
    /// Whether the attack succeeds; unknown if a limit ended the search, or something that it
    /// lacks.
    pub status: Status,
    /// The proof number of the root: zero if it is proved, [`INFINITY`] if it is disproved.
    pub pn: u32,
    /// The disproof number of the root: [`INFINITY`] if it is proved, zero if it is disproved.
    pub dn: u32,
    /// Nodes created, the root included.
    pub nodes: u64,
    /// The most nodes held in memory at once.
    pub held: u64,
    /// What the search lacked, if that and no limit on nodes or time ended it.
    pub lack: Option<Lack>,
}

/// What a search may lack. More nodes or time would not help it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Lack {
    /// The memory for its tree.
    #[error("the memory of the search is used up")]
    Memory,
    /// The room for its path.
    #[error("a line of play is longer than the search can follow")]
    Depth,
    /// A proof that holds under the game's rule of repetition, which ends or forbids other lines of
    /// play than those that never end.
    #[error("the search is not exact under the rule of repetition of this game")]
    Rule,
    /// A thread with a stack of its own.
    #[error("the system starts no thread for the search")]
    Thread,
}

impl Proof {
    /// The answer of a search that is not exact under this rule.
    pub(crate) fn refused(rule: Repetition) -> Option<Proof> {
        let proof = Proof {
            lack: Some(Lack::Rule),
            ..Proof::of(Status::Unknown, 0, 0)
        };
        (!rule.is_endless_draw()).then_some(proof)
    }

    /// The same of the opposite claim.
    pub(crate) fn opposite(self) -> Proof {
        Proof {
            status: self.status.opposite(),
            pn: self.dn,
            dn: self.pn,
            ..self
        }
    }

    /// A proof or a disproof; of what is not known, numbers that tell nothing.
    pub fn of(status: Status, nodes: u64, held: u64) -> Proof {
        let (pn, dn) = match status {
            Status::Proved => (0, INFINITY),
            Status::Disproved => (INFINITY, 0),
            Status::Unknown => (1, 1),
        };
        Proof {
            status,
            pn,
            dn,
            nodes,
            held,
            lack: None,
        }
    }
}

/// A search that proves or disproves attacks.
///
/// A position that recurs on the path since the root, or play without end, fails the attack. That
/// is exact for games without a rule of repetition and for those in which the recurrence of a whole
/// position draws ([`Repetition::is_endless_draw`]); for all others the answer is that nothing is
/// known, for lack of a [proof under the rule](Lack::Rule). The history before the root is left
/// out.
pub trait Prover<G: Game> {
    /// Finds out whether the attack succeeds in this position, as far as the limits allow.
    fn prove(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &dyn Settled<G>,
        limits: &Limits,
    ) -> Proof;

    /// The move that the search thinks best here for whoever is to move, if it remembers one.
    fn hint(&self, game: &G, state: &G::State, attack: Attack) -> Option<G::Move> {
        let _ = (game, state, attack);
        None
    }
}
