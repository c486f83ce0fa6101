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
.rules(
    "Two stones of each side stand on five points: the corners of a square and its middle. \
     The diagonals and three sides join them; the side at the top is open. A stone moves \
     along a line to the free point. Nobody may pass, and whoever cannot move has lost. The \
     third occurrence of a position is a draw.",
)
.examples(&["doguti"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(DoGuti).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
