//! Col and Snort in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Col.
pub const COL: GameEntry = GameEntry::new(
    "col",
    "Col",
    "colour cells; neighbours must differ",
    open_col,
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["col"]);

fn open_col(values: &OptionValues) -> OpenResult {
    opened("col", values, &rows(values, |_, _| '.'))
}

/// The entry of Snort.
pub const SNORT: GameEntry = GameEntry::new(
    "snort",
    "Snort",
    "colour cells; neighbours must agree",
    open_snort,
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["snort"]);

fn open_snort(values: &OptionValues) -> OpenResult {
    opened("snort", values, &rows(values, |_, _| '.'))
}
