//! Domineering in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, opened, rows, size};

/// The entry of Domineering.
pub const ENTRY: Entry = Entry::new(
    "domineering",
    "Domineering",
    "dominoes upright against dominoes across",
    open,
)
.parameters(&[size("8x8"), IMPARTIAL])
.examples(&["domineering", "domineering:5x4,impartial=on"]);

fn open(values: &Values) -> Opened {
    opened("domineering", values, &rows(values, |_, _| '.'))
}
