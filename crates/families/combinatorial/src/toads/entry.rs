//! Toads-and-Frogs in the catalog.

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{Combinatorial, LastMover};
use tabia_registry::{GameEntry, Listing, OpenResult};

use super::{Locks, Toads};
use crate::entry::{IMPARTIAL, number, opened};

/// The entry of Toads-and-Frogs.
pub const ENTRY: GameEntry = GameEntry::new(
    "toads",
    "Toads-and-Frogs",
    "toads hop right, frogs left, over one another",
    open,
)
.rules(
    "On a strip, Left's toads go to the right and Right's frogs to the left. A stone slides \
     onto an empty cell before it, or jumps over an enemy stone onto the empty cell behind \
     that. Options make slides and jumps longer, or allow jumps over own stones. Whoever \
     cannot move has lost.",
)
.parameters(PARAMETERS)
.examples(&["toads", "toads:5,2,5"]);

fn open(values: &OptionValues) -> OpenResult {
    let [toads, gap, frogs] = ["toads", "gap", "frogs"].map(|key| number(values, key));
    let start = match toads + frogs {
        0 => TOURNAMENT.to_string(),
        _ => "T".repeat(toads) + &".".repeat(gap) + &"F".repeat(frogs),
    };
    if values.switch(IMPARTIAL.key) {
        return opened("toads", values, &start);
    }
    let start = Toads
        .parse_position(&start)
        .map_err(|error| OptionError::new(format!("toads: {error}")))?;
    // A type of its own, so that playouts are fast and the evaluation knows the strip.
    let listing = Listing::new(LastMover::new(Toads, start)).alphabeta(Locks);
    let listing = listing.array(Locks).rules(Locks).sums(Locks);
    Ok(listing.solve_as_sum().boxed())
}

/// The tournament of 2013 began here (Wieczorek et al. 2013).
const TOURNAMENT: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "toads",
        kind: ParameterKind::Integer(0, 40),
        default: "0",
        help: "toads on the left; none of either for the start of the tournament of 2013",
    },
    Parameter {
        key: "gap",
        kind: ParameterKind::Integer(1, 40),
        default: "2",
        help: "empty cells between them",
    },
    Parameter {
        key: "frogs",
        kind: ParameterKind::Integer(0, 40),
        default: "0",
        help: "frogs on the right",
    },
    IMPARTIAL,
];
