//! EinStein würfelt nicht in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened, SharedListing};

use super::{Distance, Einstein};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "einstein",
    "EinStein würfelt nicht",
    "a die says which stone goes for the corner",
    open,
)
.examples(&["einstein"]);

fn open(_: &Values) -> Opened {
    Ok(SharedListing::two_with_chance(Einstein)
        .star_minimax(Distance)
        .expectation()
        .boxed())
}
