//! Elephants in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Elephants.
pub const ENTRY: GameEntry = GameEntry::new(
    "elephants",
    "Elephants",
    "elephants walk towards each other and stop",
    open,
)
.rules(
    "On a strip, Left's elephants step one cell to the right and Right's one cell to the \
     left, onto empty cells. Nobody jumps. Whoever cannot move has lost.",
)
.parameters(&[length("4", "elephants of each side"), IMPARTIAL])
.examples(&["elephants"]);

fn open(values: &OptionValues) -> OpenResult {
    let n = number(values, "n").min(20);
    let start = format!("{}{}", "X..".repeat(n), "..O".repeat(n));
    opened("elephants", values, &start)
}
