//! Specs of games: what opens can be played, shown and searched.

use crate::{check_refusal, check_session};
use tabia_catalog::open;
use tabia_game::Player;

/// The target.
pub fn target(spec: &str) {
    let game = match open(spec) {
        Ok(game) => game,
        Err(error) => return check_refusal(&error),
    };
    assert!(!game.position_help().is_empty());
    for seat in 0..game.traits().players {
        let player = Player(u8::try_from(seat).expect("a seat is a small number"));
        assert!(!game.player_name(player).is_empty(), "seat {seat}");
    }
    for info in game.engines() {
        if let Err(error) = game.engine(info.name) {
            panic!("'{spec}' lists the engine {}: {error}", info.name);
        }
    }
    match game.session(None) {
        Ok(mut session) => check_session(&*game, &mut *session),
        Err(error) => panic!("'{spec}' has no start: {error}"),
    }
}
