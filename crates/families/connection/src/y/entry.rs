//! Y in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing, integer, size_error};

use super::{Distances, PARAMETERS, Y};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "y",
    "Y",
    "connect all three sides of a triangle with a chain of stones",
    open,
)
.rules(
    "Two players place stones on empty cells of a triangle of hexagons. Whoever has a chain of \
     stones that touches all three sides wins; a cell in a corner touches two. Exactly one \
     player succeeds on a full board, so there is no draw.",
)
.parameters(PARAMETERS)
.examples(&["y", "y:3", "y:5", "y:13"]);

fn open(values: &OptionValues) -> OpenResult {
    let side: usize = integer(values, "side");
    if side * side <= u64::WIDTH {
        opened::<u64>(side)
    } else if side * side <= u128::WIDTH {
        opened::<u128>(side)
    } else {
        opened::<Wide>(side)
    }
}

fn opened<B: Bits>(side: usize) -> OpenResult {
    let game = Y::<B>::new(side).map_err(size_error("y"))?;
    let listing = SharedListing::two(game).symmetric();
    let listing = listing.alphabeta(Distances).solve(Distances);
    Ok(listing.boxed())
}
