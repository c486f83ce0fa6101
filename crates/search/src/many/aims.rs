//! What players want: the leaves of a search for many players.
//!
//! A leaf is a vector with a value for each player. What a finished game is worth to a player is
//! their payoff, unless they want something else: to take few tricks beyond their bid, or to lead
//! by as much as possible (Sturtevant 2004, section 6.2). [`Aims`] says so for all players
//! together, as the one who searches believes; who believes what of whom is told by
//! [`Minds`](super::minds::Minds).

use tabia_game::{CERTAIN, Game, Player, Ruling};

/// The most players of a game that is searched with vectors.
pub const MAX_PLAYERS: usize = 6;

/// A value for each player, in whole units of [`unit()`]; zero for seats that there are not.
pub type Vector = [i32; MAX_PLAYERS];

/// What each player wants of the end of a game.
pub trait Aims<G: Game>: Send + Sync {
    /// What a finished game is worth to a player. Numbers of any size may be used, as long as their
    /// absolute value is at most [`Aims::largest`].
    fn worth(&self, game: &G, state: &G::State, player: Player) -> i32;

    /// The largest absolute worth.
    fn largest(&self, game: &G) -> i32;

    /// What a game is worth to a player that the rule of repetition has ended in this position.
    fn judged(&self, game: &G, state: &G::State, ruling: Ruling, player: Player) -> i32 {
        let _ = state;
        let largest = self.largest(game);
        ruling.payoff(game, player).clamp(-largest, largest)
    }

    /// The least and the most that a player can still reach from here.
    fn range(&self, game: &G, state: &G::State, player: Player) -> (i32, i32) {
        let _ = (state, player);
        (-self.largest(game), self.largest(game))
    }

    /// No more than this is there for all players together, wherever play goes from here; without
    /// it max^n cannot prune.
    fn total(&self, game: &G, state: &G::State) -> Option<i32> {
        let _ = (game, state);
        None
    }

    /// Whether everybody wants their payoff, so that
    /// [`Key::future_key`](tabia_game::Key::future_key) tells what positions have in common.
    fn are_payoffs(&self) -> bool {
        false
    }
}

/// Everybody wants their payoff.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payoffs;

impl<G: Game> Aims<G> for Payoffs {
    fn worth(&self, game: &G, state: &G::State, player: Player) -> i32 {
        game.payoff(state, player)
    }

    fn largest(&self, game: &G) -> i32 {
        game.max_payoff()
    }

    fn range(&self, game: &G, state: &G::State, player: Player) -> (i32, i32) {
        game.payoff_range(state, player)
    }

    fn total(&self, game: &G, state: &G::State) -> Option<i32> {
        game.payoff_total(state)
    }

    fn are_payoffs(&self) -> bool {
        true
    }
}

/// The value of one unit of worth, so that the largest worth is about [`CERTAIN`] and sums of
/// worths stay exact.
pub fn unit<G: Game, A: Aims<G>>(aims: &A, game: &G) -> i32 {
    (CERTAIN / aims.largest(game).max(1)).max(1)
}

/// What a player makes of the values of all, in a search that takes them for somebody who has more
/// than their own result in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// As much as possible for themselves.
    Own,
    /// As much as possible more than the mean of the others. Counted n - 1 times, so that the
    /// values of all players cancel out exactly.
    Ahead,
    /// As little as possible for this player (the offensive search of MP-Mix; Zuckerman, Felner and
    /// Kraus 2009).
    Against(Player),
}

impl Want {
    /// What these values are worth to `player`, who wants this.
    #[inline]
    pub fn of(self, values: &Vector, player: usize, players: usize) -> i32 {
        match self {
            Want::Own => values[player],
            Want::Against(other) if other.index() == player => values[player],
            Want::Against(other) => -values[other.index()],
            Want::Ahead => {
                let all: i32 = values[..players].iter().sum();
                players as i32 * values[player] - all
            }
        }
    }
}

/// Estimates that add up to more than `total` are cut down to their shares of it above the least
/// that each player gets, so that bounds of payoffs are bounds of estimates, too.
pub fn cap(values: &mut Vector, players: usize, least: &Vector, total: i32) {
    let sum = |values: &Vector| -> i64 { values[..players].iter().map(|&v| i64::from(v)).sum() };
    for (value, &least) in values[..players].iter_mut().zip(least) {
        *value = (*value).max(least);
    }
    let room = (i64::from(total) - sum(least)).max(0);
    let asked = sum(values) - sum(least);
    if asked > room {
        for (value, &least) in values[..players].iter_mut().zip(least) {
            let above = i64::from(*value - least) * room / asked;
            *value = least + above as i32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn capped_estimates_keep_their_bounds_and_their_order(
            values in prop::array::uniform3(-1000i32..1000), total in -300i32..300,
        ) {
            let least = [-1000, -100, -200, 0, 0, 0];
            let mut capped = [values[0], values[1], values[2], 0, 0, 0];
            cap(&mut capped, 3, &least, total);
            prop_assert!(capped[..3].iter().sum::<i32>() <= total);
            for p in 0..3 {
                prop_assert!(capped[p] >= least[p]);
                prop_assert!(capped[p] <= values[p].max(least[p]));
            }
        }
    }

    #[test]
    fn wants_are_told_apart() {
        let values = [6, 2, 4, 0, 0, 0];
        assert_eq!(Want::Own.of(&values, 0, 3), 6);
        assert_eq!([0, 1, 2].map(|p| Want::Ahead.of(&values, p, 3)), [6, -6, 0]);
        assert_eq!(Want::Against(Player(0)).of(&values, 1, 3), -6);
        assert_eq!(Want::Against(Player(0)).of(&values, 0, 3), 6);
    }
}
