//! Hackenbush in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Hackenbush.
pub const ENTRY: GameEntry = GameEntry::new(
    "hackenbush",
    "Hackenbush",
    "cut edges; what hangs in the air falls",
    open,
)
.rules(
    "A drawing of coloured edges stands on the ground. Left cuts blue edges, Right red \
     ones, and both may cut green ones; whatever no longer hangs on the ground falls. \
     Whoever cannot move has lost.",
)
.parameters(&[length("4", "stalks"), IMPARTIAL])
.examples(&["hackenbush", "hackenbush:2,impartial=on"]);

fn open(values: &OptionValues) -> OpenResult {
    let stalks = ["BRG", "RBB", "GBR", "RRB"];
    let n = number(values, "n").min(20);
    let start: Vec<&str> = stalks.into_iter().cycle().take(n).collect();
    opened("hackenbush", values, &start.join("+"))
}
