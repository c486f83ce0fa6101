//! Connect Four in the catalog.

use tabia_game::bits::Bits;
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, SharedListing, size_error};

use super::{Connect4, PARAMETERS, Threats, fits};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "connect4",
    "Connect Four",
    "dropped discs, four in a row wins",
    open,
)
.rules(
    "Two players drop discs into columns, where they fall onto what lies there. The first \
     with four or more of their discs in a row, upright, level or diagonal, wins; a full \
     board without such a row is a draw.",
)
.parameters(PARAMETERS)
.examples(&["connect4", "connect4:5x4,k=3", "connect4:9x8"]);

fn open(values: &OptionValues) -> OpenResult {
    let (columns, rows) = values.size("size");
    let k = values.integer("k").unsigned_abs() as usize;
    if fits::<u64>(columns, rows) {
        let listing = Listing::new(game::<u64>(columns, rows, k)?).symmetric();
        Ok(listing.alphabeta(Threats).solve(Threats).boxed())
    } else {
        let listing = SharedListing::two(game::<u128>(columns, rows, k)?);
        Ok(listing.symmetric().alphabeta(Threats).boxed())
    }
}

fn game<B: Bits>(columns: usize, rows: usize, k: usize) -> Result<Connect4<B>, OptionError> {
    Connect4::new(columns, rows, k).map_err(size_error("connect4"))
}
