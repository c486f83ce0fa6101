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
.rules(
    "Pins stand in rows. A throw knocks down one pin or two that stand side by side, and \
     may so divide a row in two. Both players have the same moves. Whoever finds no pin \
     standing has lost.",
)
.parameters(&[length("13", "pins in the row"), IMPARTIAL])
.examples(&["kayles"]);

fn open(values: &OptionValues) -> OpenResult {
    opened("octal.77", values, &number(values, "n").to_string())
}
