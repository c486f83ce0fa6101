//! Files of openings: what is read can be played, leaves something to play, and is drawn by every
//! kind of opening.

use crate::split_line;
use tabia_catalog::open;
use tabia_game::Seed;
use tabia_lab::matches::{Opening, opening};

/// The target.
pub fn target(text: &str) {
    let (spec, lines) = split_line(text);
    let Ok(game) = open(spec) else {
        return;
    };
    let lines = match opening::read(lines, "fuzz", &*game) {
        Ok(lines) => lines,
        Err(error) => {
            assert!(!error.to_string().trim().is_empty(), "{error:?} is silent");
            return;
        }
    };
    for opening in [Opening::File(lines.clone()), Opening::Book(lines)] {
        let beginning = match opening.draw(&*game, 3, Seed::new(1)) {
            Ok(beginning) => beginning,
            Err(error) => panic!("what was read cannot be drawn: {error}"),
        };
        let replayed = game
            .session(beginning.position.as_deref())
            .and_then(|mut session| {
                session.play_line(&beginning.moves.join(" "))?;
                Ok(session)
            });
        match replayed {
            Ok(session) => assert!(session.ending().is_none(), "nothing is left to play"),
            Err(error) => panic!("what was read cannot be played: {error}"),
        }
    }
}
