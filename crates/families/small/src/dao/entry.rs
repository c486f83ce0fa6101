//! Dao in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{Dao, State, ThreeOfFour};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "dao",
    "Dao",
    "slide pieces into a line, a square or the corners",
    open,
)
.rules(
    "Each side has four pieces on a board of four by four. A piece slides in one of the \
     eight directions as far as it can; nothing is captured and nobody may pass. A side \
     wins when its pieces fill a file, a rank, a two-by-two square or the four corners. A \
     side also wins when one of its pieces stands in a corner and the three points around \
     it are the enemy's. The third occurrence of a position is a draw.",
)
.examples(&["dao"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(Dao).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(ThreeOfFour)
        .solve_with_tables(ThreeOfFour)
        .boxed())
}
