//! Breakthrough in the catalog.

use tabia_game::bits::Bits;
use tabia_game::options::{OptionError, Values};
use tabia_registry::{Entry, Listing, Opened, size_error};

use super::{Advancement, Breakthrough, PARAMETERS, fits};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "breakthrough",
    "Breakthrough",
    "the first to bring a piece to the last rank wins",
    open,
)
.parameters(PARAMETERS)
.examples(&["breakthrough", "breakthrough:5x6", "breakthrough:10x9"])
.pgn("Breakthrough");

fn open(values: &Values) -> Opened {
    let (width, height) = values.size("size");
    if fits::<u64>(width, height) {
        let listing = listing::<u64>(width, height)?;
        Ok(listing.solve(Advancement).boxed())
    } else {
        Ok(listing::<u128>(width, height)?.boxed())
    }
}

fn listing<B: Bits>(width: usize, height: usize) -> Result<Listing<Breakthrough<B>>, OptionError> {
    let game = Breakthrough::new(width, height).map_err(size_error("breakthrough"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Advancement))
}
