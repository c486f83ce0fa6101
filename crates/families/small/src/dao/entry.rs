//! Dao in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened, SharedListing};

use super::{Dao, State, ThreeOfFour};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "dao",
    "Dao",
    "slide pieces into a line, a square or the corners",
    open,
)
.examples(&["dao"]);

fn open(_: &Values) -> Opened {
    let listing = SharedListing::two(Dao).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(ThreeOfFour)
        .solve_with_tables(ThreeOfFour)
        .boxed())
}
