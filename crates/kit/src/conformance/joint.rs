//! Checks of games with simultaneous moves.

use super::list;
use tabia_game::{Player, Simultaneous, Turn};

pub(super) fn check_joint<G: Simultaneous>(game: &G, state: &G::State) -> Result<(), String> {
    if !game.is_joint(state) {
        return Ok(());
    }
    ensure!(
        game.turn(state) == Turn::Player(Player::FIRST),
        "{:?} begins a joint choice",
        game.turn(state)
    );
    let mut seen = None;
    for mv in list(game, state) {
        let mut next = state.clone();
        game.play(&mut next, mv);
        ensure!(
            game.turn(&next) == Turn::Player(Player::SECOND) && !game.is_joint(&next),
            "after {mv:?} it is the turn of {:?}",
            game.turn(&next)
        );
        let known = (list(game, &next), game.observe(&next, Player::SECOND));
        match &seen {
            Some(seen) => ensure!(known == *seen, "the second player notices {mv:?}"),
            None => seen = Some(known),
        }
    }
    Ok(())
}

pub(super) fn check_settled<G: Simultaneous>(game: &G, state: &G::State) -> Result<(), String> {
    let mut rest = state.clone();
    let settled = game.settle(&mut rest);
    ensure!(
        game.turn(&rest) == game.turn(state) && list(game, &rest) == list(game, state),
        "without what is settled there are other moves in {rest:?}"
    );
    if game.turn(state) == Turn::Over {
        let left = game.payoff(&rest, Player::FIRST);
        ensure!(
            settled + left == game.payoff(state, Player::FIRST),
            "{settled} is settled and {left} is left"
        );
    }
    for mv in list(game, state) {
        let (mut one, mut other) = (state.clone(), rest.clone());
        game.play(&mut one, mv);
        game.play(&mut other, mv);
        let (sum, less) = (game.settle(&mut one), game.settle(&mut other));
        ensure!(
            one == other && sum == settled + less,
            "after {mv:?} {sum} is settled, not {settled} and {less}"
        );
    }
    Ok(())
}
