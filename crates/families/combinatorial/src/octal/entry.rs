//! Kayles in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Kayles.
pub const ENTRY: Entry = Entry::new(
    "kayles",
    "Kayles",
    "knock down one pin or two neighbours",
    open,
)
.parameters(&[length("13", "pins in the row"), IMPARTIAL])
.examples(&["kayles"]);

fn open(values: &Values) -> Opened {
    opened("octal.77", values, &number(values, "n").to_string())
}
