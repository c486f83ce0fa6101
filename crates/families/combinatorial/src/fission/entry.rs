//! Fission in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Fission.
pub const ENTRY: GameEntry = GameEntry::new(
    "fission",
    "Fission",
    "a stone splits in two, upright or across",
    open,
)
.rules(
    "A stone splits in two, which go to the squares on opposite sides of it, if both are \
     empty. Left splits stones upright, Right across; the stones belong to nobody. Whoever \
     cannot move has lost.",
)
.parameters(&[size("6x6"), IMPARTIAL])
.examples(&["fission"]);

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    let middle = ((width - 1) / 2, (height - 1) / 2);
    let start = rows(values, |x, y| if (x, y) == middle { 'X' } else { '.' });
    opened("fission", values, &start)
}
