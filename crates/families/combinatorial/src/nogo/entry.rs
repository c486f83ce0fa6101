//! NoGo in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of NoGo.
pub const ENTRY: Entry = Entry::new(
    "nogo",
    "NoGo",
    "stones that must leave every block a liberty",
    open,
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["nogo", "nogo:7x1"]);

fn open(values: &Values) -> Opened {
    opened("nogo", values, &rows(values, |_, _| '.'))
}
