//! Moves: a line with the spec of a game, a line with a position (empty for the start), then a move
//! on each line. Whatever is played was listed, whatever is refused changes nothing, and taking
//! moves back leads through the same positions to where the game began.

use crate::{Snapshot, check_refusal, check_text, split_line};
use tabia_catalog::open;

/// The target.
pub fn target(text: &str) {
    let (spec, text) = split_line(text);
    let (position, moves) = split_line(text);
    let Ok(game) = open(spec) else {
        return;
    };
    let position = Some(position).filter(|text| !text.trim().is_empty());
    let Ok(mut session) = game.session(position) else {
        return;
    };
    let mut present = Snapshot::of(&*session);
    let mut path = vec![];
    for mv in moves.split('\n') {
        match session.play(mv) {
            Ok(()) => {
                let played = session.history().last().cloned().unwrap_or_default();
                assert!(present.moves.contains(&played), "'{played}' was not listed");
                check_text(&*game, &*session);
                path.push(std::mem::replace(&mut present, Snapshot::of(&*session)));
            }
            Err(error) => {
                check_refusal(&error);
                assert_eq!(Snapshot::of(&*session), present, "'{mv}' was refused");
            }
        }
    }
    while let Some(expected) = path.pop() {
        assert!(session.undo(), "a move that was played is not taken back");
        assert_eq!(Snapshot::of(&*session), expected, "on the way back");
    }
    assert!(!session.undo(), "more is taken back than was played");
}
