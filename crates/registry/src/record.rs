//! Games on file, played through.

use tabia_formats::record::Record;

use crate::{AnyGame, CatalogError, Session};

/// Plays a record through; `game` is what its spec opens.
pub fn replay(record: &Record, game: &dyn AnyGame) -> Result<Box<dyn Session>, CatalogError> {
    if let Some(seen) = &record.seen {
        return Err(CatalogError::NotOffered(format!(
            "the record tells what seat {} has seen of a game that was not over; what it does not \
             see is not there, so the game cannot be taken up again",
            seen.seat
        )));
    }
    let mut session = game.session(record.position.as_deref())?;
    session.play_line(&record.moves.join(" "))?;
    Ok(session)
}
