//! ChanceBreakthrough in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult, size_error};
use tabia_search::chance::Regression;

use super::{ChanceBreakthrough, PARAMETERS, PiecesAndRank};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "chancebreakthrough",
    "ChanceBreakthrough",
    "Breakthrough; dice may remove a piece",
    open,
)
.rules(
    "A piece steps one square straight or diagonally forward, and takes an enemy diagonally \
     forward. Instead of moving, a player may roll: two dice show a square, and whatever \
     stands on it is removed. Whoever brings a piece to the far rank wins, and whoever has \
     no piece left has lost.",
)
.parameters(PARAMETERS)
.examples(&["chancebreakthrough", "chancebreakthrough:3x5,filled=1"]);

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    let filled = values.integer("filled").unsigned_abs() as usize;
    let game = ChanceBreakthrough::<u64>::new(width, height, filled)
        .map_err(size_error("chancebreakthrough"))?;
    let known: &[_] = match (width, height, filled) {
        (8, 8, 2) => REGRESSIONS,
        _ => &[],
    };
    let listing = Listing::new(game).regressions(known);
    Ok(listing.star_minimax(PiecesAndRank).expectation().boxed())
}

/// The lines that ChanceProbCut uses (Schadd 2011, section 5.3), as
/// `tabia reproduce chanceprobcut fit --scale full` found them: ChanceBreakthrough on the 8x8
/// board, throws not counted as plies.
pub const REGRESSIONS: &[Regression] = &[
    Regression {
        depth: 3,
        reduction: 2,
        slope: 0.9347,
        intercept: -4_996.0,
        deviation: 89_290.0,
    },
    Regression {
        depth: 4,
        reduction: 2,
        slope: 0.9918,
        intercept: 11_914.0,
        deviation: 96_204.0,
    },
];
