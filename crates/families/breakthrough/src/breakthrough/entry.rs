//! Breakthrough in the catalog.

use tabia_game::bits::Bits;
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, SharedListing, size_error};

use super::{Advancement, Breakthrough, PARAMETERS, SettledByArrival, fits};

/// The difference of evaluations that counts double when a position is new to a search for a proof.
const UNIT: i32 = 20_000;

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "breakthrough",
    "Breakthrough",
    "the first to bring a piece to the last rank wins",
    open,
)
.rules(
    "Each side fills its two nearest ranks. A piece steps one square straight or diagonally \
     forward onto an empty square, and takes an enemy diagonally forward, never straight \
     ahead. Whoever brings a piece to the far rank or takes all enemy pieces wins; there is \
     no draw.",
)
.parameters(PARAMETERS)
.examples(&["breakthrough", "breakthrough:5x6", "breakthrough:10x9"])
.pgn("Breakthrough");

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    if fits::<u64>(width, height) {
        let listing = Listing::new(game::<u64>(width, height)?).symmetric();
        let listing = listing.alphabeta(Advancement);
        Ok(listing
            .solve_with_sight(SettledByArrival, Advancement, UNIT)
            .boxed())
    } else {
        let listing = SharedListing::two(game::<u128>(width, height)?).symmetric();
        Ok(listing.alphabeta(Advancement).boxed())
    }
}

fn game<B: Bits>(width: usize, height: usize) -> Result<Breakthrough<B>, OptionError> {
    Breakthrough::new(width, height).map_err(size_error("breakthrough"))
}
