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
.parameters(&[length("4", "stalks"), IMPARTIAL])
.examples(&["hackenbush", "hackenbush:2,impartial=on"]);

fn open(values: &OptionValues) -> OpenResult {
    let stalks = ["BRG", "RBB", "GBR", "RRB"];
    let n = number(values, "n").min(20);
    let start: Vec<&str> = stalks.into_iter().cycle().take(n).collect();
    opened("hackenbush", values, &start.join("+"))
}
