//! Scores of a search: estimates, certain results, and how far away the end is.
//!
//! A score is an integer from the point of view of the player to move. Estimates lie strictly
//! between `-CERTAIN` and `CERTAIN`; a finished game scores its payoff as a share of the largest
//! one. In games that are only won, drawn or lost a search may also count distances: a win is then
//! worth more the sooner it comes.

use tabia_game::{CERTAIN, Payoff};

/// Larger than every score, and safe to negate.
pub const INFINITY: i32 = 1 << 22;

/// Distances are told apart up to this many plies.
pub const MAX_PLIES: i32 = 1000;

/// The score of a finished game, `ply` plies from the root.
#[inline]
pub fn of_payoff(payoff: Payoff, max_payoff: Payoff, distances: bool, ply: usize) -> i32 {
    if distances {
        let nearness = (MAX_PLIES - ply as i32).max(0);
        payoff.signum() * (CERTAIN + nearness)
    } else {
        (i64::from(payoff) * i64::from(CERTAIN) / i64::from(max_payoff.max(1))) as i32
    }
}

/// Makes an estimate a legal one.
#[inline]
pub fn of_estimate(estimate: i32) -> i32 {
    estimate.clamp(1 - CERTAIN, CERTAIN - 1)
}

/// From distance to the root to distance to the node at `ply`, for storing in a table.
#[inline]
pub fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > CERTAIN => s + ply as i32,
        s if s < -CERTAIN => s - ply as i32,
        s => s,
    }
}

/// The inverse of [`to_table`].
#[inline]
pub fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > CERTAIN => s - ply as i32,
        s if s < -CERTAIN => s + ply as i32,
        s => s,
    }
}

/// The score as a share of the largest payoff: 1 is a win.
pub fn to_value(score: i32) -> f64 {
    f64::from(score.clamp(-CERTAIN, CERTAIN)) / f64::from(CERTAIN)
}

/// Plies from the root to the end, if the score says so.
pub fn plies(score: i32) -> Option<u32> {
    (score.abs() > CERTAIN).then(|| (CERTAIN + MAX_PLIES - score.abs()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let win = |ply| of_payoff(1, 1, true, ply);
        assert!(win(3) > win(5) && win(5) > of_estimate(i32::MAX));
        assert!(-win(5) > -win(3));
        assert_eq!(
            (plies(win(5)), plies(-win(5)), plies(0)),
            (Some(5), Some(5), None)
        );
        assert_eq!(
            (to_value(win(5)), to_value(-win(9)), to_value(500_000)),
            (1.0, -1.0, 0.5)
        );
    }

    #[test]
    fn tables_hold_distances_from_the_node() {
        let score = of_payoff(-1, 1, true, 9);
        assert_eq!(plies(to_table(score, 4)), Some(5));
        assert_eq!(from_table(to_table(score, 4), 4), score);
        assert_eq!(from_table(to_table(score, 4), 2), of_payoff(-1, 1, true, 7));
    }

    #[test]
    fn payoffs_are_shares_of_the_largest() {
        assert_eq!(of_payoff(-16, 64, false, 3), -CERTAIN / 4);
    }
}
