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
.parameters(PARAMETERS)
.examples(&["fanorona", "fanorona:3x5", "fanorona:5x5", "fanorona:9x9"]);

fn open(values: &OptionValues) -> OpenResult {
    let (rows, columns) = values.size("size");
    if fits::<u64>(rows, columns) {
        let listing = Listing::new(game::<u64>(rows, columns)?).symmetric();
        let listing = listing.alphabeta(Material).solve_with_tables(Material);
        Ok(listing.boxed())
    } else if fits::<u128>(rows, columns) {
        wide(game::<u128>(rows, columns)?)
    } else {
        wide(game::<Wide>(rows, columns)?)
    }
}

fn wide<B: Bits>(game: Fanorona<B>) -> OpenResult {
    let listing = SharedListing::two(game).symmetric();
    Ok(listing.alphabeta(Material).boxed())
}

fn game<B: Bits>(rows: usize, columns: usize) -> Result<Fanorona<B>, OptionError> {
    Fanorona::new(rows, columns).map_err(size_error("fanorona"))
}
