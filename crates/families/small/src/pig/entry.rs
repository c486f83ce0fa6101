//! Pig in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{PARAMETERS, Pig, Points};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "pig",
    "Pig",
    "roll as you dare; a one loses the turn",
    open,
)
.rules(
    "A player rolls a die as often as they like and adds up what it shows. Holding adds the \
     sum to the player's score; a one ends the turn with nothing. Whoever holds with the \
     goal reached wins.",
)
.parameters(PARAMETERS)
.examples(&["pig", "pig:20"]);

fn open(values: &OptionValues) -> OpenResult {
    let goal = u16::try_from(values.integer("goal")).unwrap_or(u16::MAX);
    Ok(SharedListing::two_with_chance(Pig::new(goal))
        .star_minimax(Points)
        .expectation()
        .boxed())
}
