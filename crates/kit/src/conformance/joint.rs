//! Checks of games with simultaneous moves.

use super::{list, players};
use tabia_game::{Player, Simultaneous, Turn, TwoPlayer};

/// Ways to choose that are followed from one joint choice.
const MAX_WAYS: usize = 60;

pub(super) fn check_joint<G: Simultaneous>(game: &G, state: &G::State) -> Result<(), String> {
    let choosers = game.choosers(state);
    if choosers == 0 {
        return Ok(());
    }
    ensure!(
        (2..=game.players()).contains(&choosers),
        "{choosers} of {} players choose jointly",
        game.players()
    );
    let mut chosen: Vec<Player> = Vec::new();
    let mut ways = vec![state.clone()];
    for left in (1..=choosers).rev() {
        let Turn::Player(mover) = game.turn(&ways[0]) else {
            let turn = game.turn(&ways[0]);
            return Err(format!(
                "{left} players have not chosen, and it is {turn:?}"
            ));
        };
        ensure!(!chosen.contains(&mover), "{mover:?} chooses twice");
        for way in &ways {
            let turn = game.turn(way);
            ensure!(
                turn == Turn::Player(mover),
                "{turn:?} or {mover:?}, which tells what others have chosen"
            );
            ensure!(
                list(game, way) == list(game, &ways[0]),
                "{mover:?} has moves that depend on what others have chosen: in {way:?}"
            );
            ensure!(
                game.is_secret(way) == (left > 1),
                "{left} players have not chosen; secret: {}",
                game.is_secret(way)
            );
            ensure!(
                chosen.is_empty() || game.choosers(way) == 0,
                "a joint choice begins within another one"
            );
            for player in players(game).filter(|player| !chosen.contains(player)) {
                ensure!(
                    game.view(way, player) == game.view(&ways[0], player),
                    "{player:?} sees what others have chosen: {way:?}"
                );
            }
        }
        chosen.push(mover);
        let mut next = Vec::new();
        for way in &ways {
            for mv in list(game, way) {
                let mut child = way.clone();
                game.play(&mut child, mv);
                next.push(child);
            }
        }
        let step = next.len().div_ceil(MAX_WAYS);
        ways = next.into_iter().step_by(step).collect();
    }
    Ok(())
}

pub(super) fn check_settled<G: Simultaneous + TwoPlayer>(
    game: &G,
    state: &G::State,
) -> Result<(), String> {
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
