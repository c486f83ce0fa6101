//! What a search may know of games of tricks: which cards to try first, and what a hand still
//! promises.
//!
//! The rules are those of Sturtevant (2004, section 5.2), "if you can't win the trick, try low
//! cards first" and "if you can use trump to win, try the lowest winning trump first", and their
//! counterparts where tricks are to be avoided.

use tabia_game::{CERTAIN, Game, Information, Knowledge, Player};

use super::{Card, State, TrickRules, Tricks, beats, winner};

/// Knowledge of every game of tricks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits;

impl<S: TrickRules, I: Information> Knowledge<Tricks<S, I>> for Habits {
    /// The middle of what the player can still get.
    fn evaluate(&self, game: &Tricks<S, I>, state: &State, player: Player) -> i32 {
        let (least, most) = game.payoff_range(state, player);
        let largest = i64::from(game.scoring.max_payoff(&game.table).max(1));
        let middle = i64::from(least + most) * i64::from(CERTAIN) / (2 * largest);
        middle.clamp(i64::from(1 - CERTAIN), i64::from(CERTAIN - 1)) as i32
    }

    fn priority(&self, game: &Tricks<S, I>, state: &State, card: Card) -> i32 {
        let rank = card.rank() as i32;
        let trick = state.trick();
        let Some(led) = trick.first() else {
            // A sure trick first; where tricks are avoided the lowest card.
            return if S::WANTED { rank } else { -rank };
        };
        let best = trick[winner(trick, S::TRUMP)];
        let wins = beats(card, best, S::TRUMP);
        let last = trick.len() + 1 == game.table.players;
        match (S::WANTED, wins) {
            (true, true) => 50 - rank - 13 * i32::from(card.suit() != led.suit()),
            (true, false) => -rank,
            // What does not win gets rid of the most.
            (false, false) => 30 + rank + 2 * i32::from(S::counts(card)),
            (false, true) if last => rank - i32::from(S::counts(card)),
            (false, true) => -rank,
        }
    }
}
