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
.rules(
    "Six numbered stones of each side start in opposite corners of a board of five by five. \
     A die is cast before each move, and the stone with that number must move; if it is \
     gone, the next higher or the next lower one that is left. Red moves right, down or \
     diagonally between, Blue the other way. Whatever stands on the target is taken, own \
     stones too. Whoever reaches the far corner or takes all stones of the other side wins; \
     there is no draw.",
)
.examples(&["einstein"]);

fn open(_: &OptionValues) -> OpenResult {
    Ok(SharedListing::two_with_chance(Einstein)
        .star_minimax(Distance)
        .expectation()
        .boxed())
}
