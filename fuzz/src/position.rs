//! Positions: a line with the spec of a game, then the position. What is accepted round trips, and
//! each of its moves can be read, played and taken back.

use crate::{check_refusal, check_session, split_line};
use tabia_catalog::open;

/// The target.
pub fn target(text: &str) {
    let (spec, position) = split_line(text);
    let Ok(game) = open(spec) else {
        return;
    };
    match game.session(Some(position)) {
        Ok(mut session) => check_session(&*game, &mut *session),
        Err(error) => check_refusal(&error),
    }
}
