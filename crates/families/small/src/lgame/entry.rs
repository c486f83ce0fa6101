//! The L-Game in the catalog.

use tabia_game::Uninformed;
use tabia_game::options::Values;
use tabia_registry::{Entry, Opened, SharedListing};

use super::{LGame, State};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "lgame",
    "The L-Game",
    "a player who cannot move their L has lost",
    open,
)
.examples(&["lgame"]);

fn open(_: &Values) -> Opened {
    let listing = SharedListing::two(LGame).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
