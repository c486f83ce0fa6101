//! Toppling Dominoes in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Toppling Dominoes.
pub const ENTRY: GameEntry = GameEntry::new(
    "toppling_dominoes",
    "Toppling Dominoes",
    "topple a domino and all on one side of it",
    open,
)
.rules(
    "Dominoes of both players stand in a row. A player topples one of their own to the left \
     or to the right, and it goes with all the dominoes on that side. Whoever cannot move \
     has lost.",
)
.parameters(&[
    length("12", "dominoes, alternately of both players"),
    IMPARTIAL,
])
.examples(&["toppling_dominoes"]);

fn open(values: &OptionValues) -> OpenResult {
    let start = "XO".repeat(number(values, "n").div_ceil(2));
    opened("toppling_dominoes", values, &start[..number(values, "n")])
}
