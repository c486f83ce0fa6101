//! Col and Snort in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Col.
pub const COL: Entry = Entry::new(
    "col",
    "Col",
    "colour cells; neighbours must differ",
    open_col,
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["col"]);

fn open_col(values: &Values) -> Opened {
    opened("col", values, &rows(values, |_, _| '.'))
}

/// The entry of Snort.
pub const SNORT: Entry = Entry::new(
    "snort",
    "Snort",
    "colour cells; neighbours must agree",
    open_snort,
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["snort"]);

fn open_snort(values: &Values) -> Opened {
    opened("snort", values, &rows(values, |_, _| '.'))
}
