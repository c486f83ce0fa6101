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
.parameters(PARAMETERS)
.records(&[record::PENTASOL])
.examples(&["morpion", "morpion:5D", "morpion:4T", "morpion:4D"]);

fn open(values: &OptionValues) -> OpenResult {
    let listing = Listing::new(Morpion::from_values(values)?);
    Ok(listing
        .single_agent(|searches| uninformed_lines(searches).incremental(false))
        .boxed())
}
