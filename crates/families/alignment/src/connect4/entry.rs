//! Connect Four in the catalog.

use tabia_game::bits::Bits;
use tabia_game::options::{OptionError, Values};
use tabia_registry::{Entry, Listing, Opened, size_error};

use super::{Connect4, PARAMETERS, Threats, fits};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "connect4",
    "Connect Four",
    "dropped discs, four in a row wins",
    open,
)
.parameters(PARAMETERS)
.examples(&["connect4", "connect4:5x4,k=3", "connect4:9x8"]);

fn open(values: &Values) -> Opened {
    let (columns, rows) = values.size("size");
    let k = values.integer("k").unsigned_abs() as usize;
    if fits::<u64>(columns, rows) {
        let listing = listing::<u64>(columns, rows, k)?;
        Ok(listing.solve(Threats).boxed())
    } else {
        Ok(listing::<u128>(columns, rows, k)?.boxed())
    }
}

fn listing<B: Bits>(
    columns: usize,
    rows: usize,
    k: usize,
) -> Result<Listing<Connect4<B>>, OptionError> {
    let game = Connect4::new(columns, rows, k).map_err(size_error("connect4"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Threats))
}
