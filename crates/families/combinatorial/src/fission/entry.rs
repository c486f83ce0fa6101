//! Fission in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Fission.
pub const ENTRY: Entry = Entry::new(
    "fission",
    "Fission",
    "a stone splits in two, upright or across",
    open,
)
.parameters(&[size("6x6"), IMPARTIAL])
.examples(&["fission"]);

fn open(values: &Values) -> Opened {
    let (width, height) = values.size("size");
    let middle = ((width - 1) / 2, (height - 1) / 2);
    let start = rows(values, |x, y| if (x, y) == middle { 'X' } else { '.' });
    opened("fission", values, &start)
}
