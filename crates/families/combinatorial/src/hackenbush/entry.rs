//! Hackenbush in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Hackenbush.
pub const ENTRY: Entry = Entry::new(
    "hackenbush",
    "Hackenbush",
    "cut edges; what hangs in the air falls",
    open,
)
.parameters(&[length("4", "stalks"), IMPARTIAL])
.examples(&["hackenbush", "hackenbush:2,impartial=on"]);

fn open(values: &Values) -> Opened {
    let stalks = ["BRG", "RBB", "GBR", "RRB"];
    let n = number(values, "n").min(20);
    let start: Vec<&str> = stalks.into_iter().cycle().take(n).collect();
    opened("hackenbush", values, &start.join("+"))
}
