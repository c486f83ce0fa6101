//! NoGo in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of NoGo.
pub const ENTRY: GameEntry = GameEntry::new(
    "nogo",
    "NoGo",
    "stones that must leave every block a liberty",
    open,
)
.rules(
    "Stones are placed on empty points as in Go, but every block of both sides must keep an \
     empty point beside it: neither capture nor suicide is legal. Whoever cannot move has \
     lost.",
)
.parameters(&[size("5x5"), IMPARTIAL])
.examples(&["nogo", "nogo:7x1"]);

fn open(values: &OptionValues) -> OpenResult {
    opened("nogo", values, &rows(values, |_, _| '.'))
}
