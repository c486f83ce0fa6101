//! What is known of Othello and Rolit without learning: corners, mobility and pieces; and an order
//! of moves by their squares, corners first and their neighbours last (Schadd 2011, section 6.4.3).
//!
//! The weights are made by hand: corners are never flipped, who can choose is not driven, and
//! pieces count the more the fuller the board is.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Game, Knowledge, Player};

use super::field::Field;
use super::{Othello, Place, Rolit};

/// Points of a corner, of a square to play on, and of a piece on a full board.
const CORNER: i32 = 60_000;
const MOBILITY: i32 = 5_000;
const PIECE: i32 = 10_000;

/// Corners, mobility and pieces, on boards of any size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corners;

/// What one player has of all this.
fn points<B: Bits>(field: &Field<B>, own: B, occupied: B) -> i32 {
    let squares = field.squares() as i32;
    let (filled, pieces) = (occupied.count() as i32, own.count() as i32);
    let corners = (own & field.corners()).count() as i32;
    let mobility = field.flipping(own, occupied & !own).count() as i32;
    CORNER * corners
        + MOBILITY * mobility * (squares - filled) / squares
        + PIECE * pieces * filled / squares * filled / squares
}

/// Within what can be had: with n players a loss is worth an (n - 1)-th of a win.
pub(super) fn bounded(points: i32, players: usize) -> i32 {
    let most = CERTAIN / players as i32;
    points.clamp(-most, most)
}

/// The class of a square: corners, then edges, then the inner squares, and the neighbours of
/// corners last.
pub fn order<B: Bits>(field: &Field<B>, square: usize) -> i32 {
    let side = field.side();
    let from_edge = |at: usize| at.min(side - 1 - at);
    match (from_edge(square % side), from_edge(square / side)) {
        (0, 0) => 40,
        (1, 1) => -40,
        (0, 1) | (1, 0) => -30,
        (0, _) | (_, 0) => 20,
        (1, _) | (_, 1) => -10,
        _ => 0,
    }
}

impl<B: Bits> Knowledge<Othello<B>> for Corners {
    fn evaluate(
        &self,
        game: &Othello<B>,
        state: &<Othello<B> as Game>::State,
        player: Player,
    ) -> i32 {
        let [own, other] = [state.of(player), state.of(player.other())];
        let occupied = own | other;
        let lead = points(&game.field, own, occupied) - points(&game.field, other, occupied);
        bounded(lead, 2)
    }

    fn priority(&self, game: &Othello<B>, _: &<Othello<B> as Game>::State, mv: Place) -> i32 {
        match mv.square() < game.field.squares() {
            true => order(&game.field, mv.square()),
            false => 0,
        }
    }
}

impl<B: Bits> Knowledge<Rolit<B>> for Corners {
    /// What the player has more than the others have on average.
    fn evaluate(&self, game: &Rolit<B>, state: &<Rolit<B> as Game>::State, player: Player) -> i32 {
        let players = game.players();
        let occupied = state.occupied();
        let of = |player: usize| points(&game.field, state.balls[player], occupied);
        let all: i32 = (0..players).map(of).sum();
        let own = of(player.index());
        bounded(own - (all - own) / (players as i32 - 1), players)
    }

    fn priority(&self, game: &Rolit<B>, _: &<Rolit<B> as Game>::State, mv: Place) -> i32 {
        order(&game.field, mv.square())
    }
}
