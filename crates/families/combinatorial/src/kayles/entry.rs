//! Node-Kayles and Pin-Kayles in the catalog.

use tabia_game::options::Values;
use tabia_registry::{Entry, Opened};

use crate::entry::{IMPARTIAL, length, number, opened};

/// The entry of Node-Kayles.
pub const NODE_KAYLES: Entry = Entry::new(
    "nodekayles",
    "Node-Kayles",
    "take a vertex of a path and its neighbours",
    open_nodekayles,
)
.parameters(&[length("12", "vertices of the path"), IMPARTIAL])
.examples(&["nodekayles"]);

fn open_nodekayles(values: &Values) -> Opened {
    opened(
        "nodekayles",
        values,
        &format!("path:{}", number(values, "n")),
    )
}

/// The entry of Pin-Kayles.
pub const PIN_KAYLES: Entry = Entry::new(
    "pinkayles",
    "Pin-Kayles",
    "take one vertex of a path or two neighbours",
    open_pinkayles,
)
.parameters(&[length("12", "vertices of the path"), IMPARTIAL])
.examples(&["pinkayles"]);

fn open_pinkayles(values: &Values) -> Opened {
    opened(
        "pinkayles",
        values,
        &format!("path:{}", number(values, "n")),
    )
}
