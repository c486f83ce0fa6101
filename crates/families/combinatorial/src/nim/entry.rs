//! Nim in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Nim.
pub const ENTRY: Entry = Entry::new("nim", "Nim", "take from one heap as many as you like", open)
    .parameters(&[
        length("3", "heaps, of three, five, seven and so on"),
        IMPARTIAL,
    ])
    .examples(&["nim", "nim:5"]);

fn open(values: &Values) -> Opened {
    let heaps = (1..=number(values, "n")).map(|heap| (2 * heap + 1).to_string());
    opened("nim", values, &heaps.collect::<Vec<_>>().join(","))
}
