//! Fanorona in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, SharedListing, size_error};

use super::{Fanorona, Material, PARAMETERS, fits};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "fanorona",
    "Fanorona",
    "capture by approach or withdrawal until none is left",
    open,
)
.rules(
    "Pieces step along the lines of the board; diagonals meet at the strong points, the corners \
     and every second point from there. A step towards enemy pieces takes all that \
     stand behind each other in that direction, and so does a step away from them in the \
     other direction; one of the two if both are possible. Capturing is compulsory. The \
     capturing piece may go on, never to a point visited before and never twice in a row in \
     one direction. Whoever takes all enemy pieces wins, and whoever cannot move has lost. \
     The second occurrence of a position is a draw.",
)
.parameters(PARAMETERS)
.later_options(&["exchanged"])
.examples(&[
    "fanorona",
    "fanorona:3x5",
    "fanorona:5x5",
    "fanorona:9x9",
    "fanorona:3x5,exchanged=on",
]);

fn open(values: &OptionValues) -> OpenResult {
    let (rows, columns) = values.size("size");
    if fits::<u64>(rows, columns) {
        let listing = Listing::new(game::<u64>(values)?).symmetric();
        let listing = listing.alphabeta(Material).solve_with_tables(Material);
        Ok(listing.boxed())
    } else if fits::<u128>(rows, columns) {
        wide(game::<u128>(values)?)
    } else {
        wide(game::<Wide>(values)?)
    }
}

fn wide<B: Bits>(game: Fanorona<B>) -> OpenResult {
    let listing = SharedListing::two(game).symmetric();
    Ok(listing.alphabeta(Material).boxed())
}

fn game<B: Bits>(values: &OptionValues) -> Result<Fanorona<B>, OptionError> {
    let (rows, columns) = values.size("size");
    let game = Fanorona::with_lines(rows, columns, values.switch("exchanged"));
    game.map_err(size_error("fanorona"))
}
