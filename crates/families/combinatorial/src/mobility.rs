//! What a search may know of any combinatorial game: whoever has more moves is better off.

use tabia_game::combinatorial::LastMoverState;
use tabia_game::{CERTAIN, Combinatorial, Game, Knowledge, LastMover, Player};

/// The difference of the numbers of moves, as a share of their sum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<R: Combinatorial> Knowledge<LastMover<R>> for Mobility {
    fn evaluate(
        &self,
        game: &LastMover<R>,
        state: &LastMoverState<R::Position>,
        player: Player,
    ) -> i32 {
        let mut moves = Vec::new();
        let [first, second] = [Player::FIRST, Player::SECOND].map(|side| {
            moves.clear();
            game.rules().moves(state.position(), side, &mut moves);
            moves.len() as i64
        });
        let ahead = match player {
            Player::FIRST => first - second,
            _ => second - first,
        };
        let share = i64::from(CERTAIN) / 2 * ahead / (first + second).max(1);
        // The game is over for whoever is to move without a move.
        match (first + second, game.payoff(state, player)) {
            (0, payoff) => payoff * (CERTAIN - 1),
            _ => share as i32,
        }
    }
}
