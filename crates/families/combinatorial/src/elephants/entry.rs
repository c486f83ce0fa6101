//! Elephants in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Elephants.
pub const ENTRY: Entry = Entry::new(
    "elephants",
    "Elephants",
    "elephants walk towards each other and stop",
    open,
)
.parameters(&[length("4", "elephants of each side"), IMPARTIAL])
.examples(&["elephants"]);

fn open(values: &Values) -> Opened {
    let n = number(values, "n").min(20);
    let start = format!("{}{}", "X..".repeat(n), "..O".repeat(n));
    opened("elephants", values, &start)
}
