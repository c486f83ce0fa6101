//! Pig in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{PARAMETERS, Pig, Points};

/// The entry of the game.
pub const ENTRY: GameEntry =
    GameEntry::new("pig", "Pig", "roll as you dare; a one loses the turn", open)
        .parameters(PARAMETERS)
        .examples(&["pig", "pig:20"]);

fn open(values: &OptionValues) -> OpenResult {
    let goal = u16::try_from(values.integer("goal")).unwrap_or(u16::MAX);
    Ok(SharedListing::two_with_chance(Pig::new(goal))
        .star_minimax(Points)
        .expectation()
        .boxed())
}
