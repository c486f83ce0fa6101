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
.rules(
    "The players colour cells in turn, Left with one colour and Right with the other. \
     Neighbours may not have the same colour. Whoever cannot move has lost.",
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
.rules(
    "The players colour cells in turn, Left with one colour and Right with the other. \
     Neighbours may not have different colours. Whoever cannot move has lost.",
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["snort"]);

fn open_snort(values: &OptionValues) -> OpenResult {
    opened("snort", values, &rows(values, |_, _| '.'))
}
