//! Dice in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, SharedListing, size_error};
use tabia_search::chance::Regression;

use super::{Dice, FullLine, PARAMETERS, PairCount};

/// The entry of the game.
pub const ENTRY: GameEntry =
    GameEntry::new("dice", "Dice", "k in a row; a die says in which line", open)
        .rules(
            "Before each move a die is cast: X must place a stone in the rank that it shows, O in \
     the file. The first with k or more of their stones in a row wins, and a full board is \
     a draw. If the line is full the turn passes, or with an option the die is cast again.",
        )
        .parameters(PARAMETERS)
        .examples(&["dice", "dice:3,k=3", "dice:4,k=3,full=reroll", "dice:11"]);

fn open(values: &OptionValues) -> OpenResult {
    let [m, k] = ["m", "k"].map(|key| values.integer(key).unsigned_abs() as usize);
    let full = match values.word("full") {
        "reroll" => FullLine::Reroll,
        _ => FullLine::Pass,
    };
    let bits = (m + 1) * m;
    if bits > u64::WIDTH {
        let listing = SharedListing::two_with_chance(game::<Wide>(m, k, full)?);
        return Ok(listing.star_minimax(PairCount).boxed());
    }
    let known: &[_] = match (m, k, full) {
        (5, 4, FullLine::Pass) => REGRESSIONS,
        _ => &[],
    };
    let listing = Listing::new(game::<u64>(m, k, full)?).regressions(known);
    Ok(listing.star_minimax(PairCount).expectation().boxed())
}

fn game<B: Bits>(m: usize, k: usize, full: FullLine) -> Result<Dice<B>, OptionError> {
    Dice::new(m, k, full).map_err(size_error("dice"))
}

/// The lines that ChanceProbCut uses (Schadd 2011, section 5.3), as
/// `tabia reproduce chanceprobcut fit --scale full` found them: Dice on the 5x5 board with four in
/// a row, throws counted as plies.
pub const REGRESSIONS: &[Regression] = &[
    Regression {
        depth: 6,
        reduction: 4,
        slope: 0.9778,
        intercept: 46_962.0,
        deviation: 135_311.0,
    },
    Regression {
        depth: 8,
        reduction: 4,
        slope: 1.0766,
        intercept: 14_368.0,
        deviation: 126_723.0,
    },
];

/// The lines that ChanceProbCut uses (Schadd 2011, section 5.3), as
/// `tabia reproduce chanceprobcut fit --scale full` found them: The same with a very shallow search
/// before the other, for Multi-ChanceProbCut.
pub const SEVERAL_REGRESSIONS: &[Regression] = &[
    REGRESSIONS[0],
    Regression {
        depth: 8,
        reduction: 6,
        slope: 1.0831,
        intercept: -48_740.0,
        deviation: 171_873.0,
    },
    REGRESSIONS[1],
];
