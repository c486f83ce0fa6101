//! The L-Game in the catalog.

use tabia_game::Uninformed;
use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{LGame, State};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "lgame",
    "The L-Game",
    "a player who cannot move their L has lost",
    open,
)
.examples(&["lgame"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(LGame).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
