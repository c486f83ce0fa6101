//! Results of games that are won, drawn or lost, and errors about board sizes.

use crate::{Payoff, Player};

/// How a game that is won, drawn or lost stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Not over.
    Open,
    /// Won by this player.
    Won(Player),
    /// Drawn.
    Drawn,
}

impl Outcome {
    /// One for the winner, minus one for the loser, zero in between.
    pub fn payoff(self, player: Player) -> Payoff {
        match self {
            Outcome::Won(winner) if winner == player => 1,
            Outcome::Won(_) => -1,
            Outcome::Open | Outcome::Drawn => 0,
        }
    }
}

/// A board size that a game cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SizeError(pub String);
