//! Do-Guti in the catalog.

use tabia_game::Uninformed;
use tabia_game::options::Values;
use tabia_registry::{Entry, Opened, SharedListing};

use super::{DoGuti, State};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "doguti",
    "Do-Guti",
    "two stones each; whoever cannot move has lost",
    open,
)
.examples(&["doguti"]);

fn open(_: &Values) -> Opened {
    let listing = SharedListing::two(DoGuti).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
