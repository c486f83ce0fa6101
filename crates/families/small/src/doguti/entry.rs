//! Do-Guti in the catalog.

use tabia_game::Uninformed;
use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{DoGuti, State};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "doguti",
    "Do-Guti",
    "two stones each; whoever cannot move has lost",
    open,
)
.examples(&["doguti"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(DoGuti).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
