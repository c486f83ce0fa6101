//! Domineering in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Domineering.
pub const ENTRY: GameEntry = GameEntry::new(
    "domineering",
    "Domineering",
    "dominoes upright against dominoes across",
    open,
)
.rules(
    "Left puts dominoes upright on two empty squares, Right puts them across. Whoever \
     cannot move has lost.",
)
.parameters(&[size("8x8"), IMPARTIAL])
.examples(&["domineering", "domineering:5x4,impartial=on"]);

fn open(values: &OptionValues) -> OpenResult {
    opened("domineering", values, &rows(values, |_, _| '.'))
}
