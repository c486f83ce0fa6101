//! Won, drawn or lost: the value of a position for the player to move.

use crate::Payoff;

/// The value of a position for the player to move, the better the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The opponent can force a win.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The player to move can force a win.
    Win,
}

impl Wdl {
    /// The same value as the opponent sees it.
    #[inline]
    pub fn flipped(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// What a payoff amounts to.
    #[inline]
    pub fn of_payoff(payoff: Payoff) -> Wdl {
        match payoff.signum() {
            -1 => Wdl::Loss,
            0 => Wdl::Draw,
            _ => Wdl::Win,
        }
    }

    /// The payoff in games that are only won, drawn or lost.
    #[inline]
    pub fn payoff(self) -> Payoff {
        self as Payoff - 1
    }

    /// `loss`, `draw` or `win`.
    pub fn word(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_turn_round_and_keep_their_payoffs() {
        for value in [Wdl::Loss, Wdl::Draw, Wdl::Win] {
            assert_eq!(value.flipped().payoff(), -value.payoff());
            assert_eq!(Wdl::of_payoff(7 * value.payoff()), value);
        }
        assert!(Wdl::Loss < Wdl::Draw && Wdl::Draw < Wdl::Win);
    }
}
