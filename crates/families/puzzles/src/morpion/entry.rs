//! Morpion Solitaire in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult, uninformed_lines};

use super::{Morpion, PARAMETERS, record};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "morpion",
    "Morpion Solitaire",
    "draw as many lines of dots as you can",
    open,
)
.rules(
    "Dots form a Greek cross on a grid without end. A move adds a dot and draws a line \
     through it and four dots that lie in a row with it, upright, level or diagonal (three \
     in the 4T and 4D games). Lines in the same direction may share a dot where they touch \
     (T), or not even that (D). Each line counts one.",
)
.parameters(PARAMETERS)
.records(&[record::PENTASOL])
.examples(&["morpion", "morpion:5D", "morpion:4T", "morpion:4D"]);

fn open(values: &OptionValues) -> OpenResult {
    let listing = Listing::new(Morpion::from_values(values)?);
    Ok(listing
        .single_agent(|searches| uninformed_lines(searches).incremental(false))
        .boxed())
}
