//! Morpion Solitaire in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Listing, Opened, uninformed_lines};

use super::{Morpion, PARAMETERS, record};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "morpion",
    "Morpion Solitaire",
    "draw as many lines of dots as you can",
    open,
)
.parameters(PARAMETERS)
.records(&[record::PENTASOL])
.examples(&["morpion", "morpion:5D", "morpion:4T", "morpion:4D"]);

fn open(values: &Values) -> Opened {
    let listing = Listing::new(Morpion::from_values(values)?);
    Ok(listing
        .single_agent(|searches| uninformed_lines(searches).incremental(false))
        .boxed())
}
