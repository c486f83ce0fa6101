//! Hex in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, Sgf, SharedListing, size_error};

use super::{Distances, Hex, PARAMETERS};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "hex",
    "Hex",
    "connect your two sides of the board with a chain of stones",
    open,
)
.rules(
    "Two players place stones on empty cells of a rhombus of hexagons. Red connects the top \
     with the bottom, Blue the left side with the right one. Exactly one of them succeeds, \
     so there is no draw. With the swap rule the second player may answer the first stone \
     by making it their own, mirrored at the long diagonal.",
)
.parameters(PARAMETERS)
.examples(&["hex", "hex:3x3", "hex:4x4,swap=on", "hex:4x3", "hex:13x13"])
.sgf(HEX);

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    if width * height <= u128::WIDTH {
        opened::<u128>(values)
    } else {
        opened::<Wide>(values)
    }
}

fn opened<B: Bits>(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    let game = Hex::<B>::new(width, height, values.switch("swap")).map_err(size_error("hex"))?;
    let listing = SharedListing::two(game).symmetric();
    let listing = listing.alphabeta(Distances).solve(Distances);
    Ok(listing.boxed())
}

/// Points and moves are written as ours.
const HEX: Sgf = Sgf {
    game: 11,
    pieces: ['x', 'o'],
    point: |cell, _| Some(cell.to_string()),
    mv: |mv, _| Some(mv.to_string()),
};
