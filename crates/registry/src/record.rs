//! Games on file, played through.

use tabia_formats::record::Record;

use crate::{AnyGame, CatalogError, Session};

/// Plays a record through; `game` is what its spec opens.
pub fn replay(record: &Record, game: &dyn AnyGame) -> Result<Box<dyn Session>, CatalogError> {
    let mut session = game.session(record.position.as_deref())?;
    session.play_line(&record.moves.join(" "))?;
    Ok(session)
}
