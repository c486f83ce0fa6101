//! EinStein würfelt nicht in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{Distance, Einstein};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "einstein",
    "EinStein würfelt nicht",
    "a die says which stone goes for the corner",
    open,
)
.examples(&["einstein"]);

fn open(_: &OptionValues) -> OpenResult {
    Ok(SharedListing::two_with_chance(Einstein)
        .star_minimax(Distance)
        .expectation()
        .boxed())
}
