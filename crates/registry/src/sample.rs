//! A game in progress as an example, for help texts and pictures.

use rand::RngExt;
use tabia_game::{Seed, Turn};

use crate::{AnyGame, CatalogError, Session};

/// A game from the start after this many moves and events of chance, drawn at random but always the
/// same ones. It ends before if the game does: the last move is always from a position that is not
/// over.
pub fn sample(game: &dyn AnyGame, plies: usize) -> Result<Box<dyn Session>, CatalogError> {
    let mut session = game.session(None)?;
    let mut rng = Seed::new(1).split("sample").rng();
    for _ in 0..plies {
        match session.turn() {
            Turn::Over => break,
            Turn::Chance => {
                session.roll(&mut rng)?;
            }
            Turn::Player(_) => {
                let moves = session.moves();
                session.play(&moves[rng.random_range(0..moves.len())])?;
            }
        }
    }
    Ok(session)
}
