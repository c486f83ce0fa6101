//! Node-Kayles and Pin-Kayles in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Node-Kayles.
pub const NODE_KAYLES: GameEntry = GameEntry::new(
    "nodekayles",
    "Node-Kayles",
    "take a vertex of a path and its neighbours",
    open_nodekayles,
)
.rules(
    "A move takes a vertex of a graph away, with all its neighbours. Both players have the \
     same moves. Whoever cannot move has lost.",
)
.parameters(&[length("12", "vertices of the path"), IMPARTIAL])
.examples(&["nodekayles"]);

fn open_nodekayles(values: &OptionValues) -> OpenResult {
    opened(
        "nodekayles",
        values,
        &format!("path:{}", number(values, "n")),
    )
}

/// The entry of Pin-Kayles.
pub const PIN_KAYLES: GameEntry = GameEntry::new(
    "pinkayles",
    "Pin-Kayles",
    "take one vertex of a path or two neighbours",
    open_pinkayles,
)
.rules(
    "A move takes one vertex of a graph away, or two that are neighbours. Both players have \
     the same moves. Whoever cannot move has lost.",
)
.parameters(&[length("12", "vertices of the path"), IMPARTIAL])
.examples(&["pinkayles"]);

fn open_pinkayles(values: &OptionValues) -> OpenResult {
    opened(
        "pinkayles",
        values,
        &format!("path:{}", number(values, "n")),
    )
}
