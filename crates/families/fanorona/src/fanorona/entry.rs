//! Fanorona in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, Values};
use tabia_registry::{Entry, Listing, Opened, size_error};

use super::{Fanorona, Material, PARAMETERS, fits};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "fanorona",
    "Fanorona",
    "capture by approach or withdrawal until none is left",
    open,
)
.parameters(PARAMETERS)
.examples(&["fanorona", "fanorona:3x5", "fanorona:5x5", "fanorona:9x9"]);

fn open(values: &Values) -> Opened {
    let (rows, columns) = values.size("size");
    if fits::<u64>(rows, columns) {
        let listing = listing::<u64>(rows, columns)?;
        Ok(listing.solve_with_tables(Material).boxed())
    } else if fits::<u128>(rows, columns) {
        Ok(listing::<u128>(rows, columns)?.boxed())
    } else {
        Ok(listing::<Wide>(rows, columns)?.boxed())
    }
}

fn listing<B: Bits>(rows: usize, columns: usize) -> Result<Listing<Fanorona<B>>, OptionError> {
    let game = Fanorona::new(rows, columns).map_err(size_error("fanorona"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Material))
}
