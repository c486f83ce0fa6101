//! Nim in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Nim.
pub const ENTRY: GameEntry =
    GameEntry::new("nim", "Nim", "take from one heap as many as you like", open)
        .rules(
            "A move takes any number of counters, but at least one, from one heap. Both players \
     have the same moves. Whoever finds no counter left has lost.",
        )
        .parameters(&[
            length("3", "heaps, of three, five, seven and so on"),
            IMPARTIAL,
        ])
        .examples(&["nim", "nim:5"]);

fn open(values: &OptionValues) -> OpenResult {
    let heaps = (1..=number(values, "n")).map(|heap| (2 * heap + 1).to_string());
    opened("nim", values, &heaps.collect::<Vec<_>>().join(","))
}
