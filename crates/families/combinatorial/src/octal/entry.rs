//! Kayles in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Kayles.
pub const ENTRY: GameEntry = GameEntry::new(
    "kayles",
    "Kayles",
    "knock down one pin or two neighbours",
    open,
)
.parameters(&[length("13", "pins in the row"), IMPARTIAL])
.examples(&["kayles"]);

fn open(values: &OptionValues) -> OpenResult {
    opened("octal.77", values, &number(values, "n").to_string())
}
