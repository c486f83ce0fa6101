//! Clobber in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Clobber.
pub const ENTRY: GameEntry = GameEntry::new(
    "clobber",
    "Clobber",
    "stones take their neighbours; the last to take wins",
    open,
)
.rules(
    "Stones of two colours fill the board. A stone moves to a square beside it that an \
     enemy stone holds, and takes that stone; there are no other moves. Whoever cannot move \
     has lost.",
)
.parameters(&[size("5x6"), IMPARTIAL])
.examples(&["clobber", "clobber:10x1", "clobber:4x4,impartial=on"]);

fn open(values: &OptionValues) -> OpenResult {
    let start = rows(values, |x, y| if (x + y) % 2 == 0 { 'X' } else { 'O' });
    opened("clobber", values, &start)
}
