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
.examples(&["dao"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(Dao).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(ThreeOfFour)
        .solve_with_tables(ThreeOfFour)
        .boxed())
}
