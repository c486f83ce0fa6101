//! The L-Game in the catalog.

use tabia_game::Uninformed;
use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, OpenResult, SharedListing};

use super::{LGame, State};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "lgame",
    "The L-Game",
    "a player who cannot move their L has lost",
    open,
)
.rules(
    "Each side has an L of four squares on a board of four by four, and two neutral pieces \
     of one square belong to nobody. In a turn a player lifts their L and puts it back in a \
     different place, turned or turned over at will; then they may move one neutral piece \
     to any free square. Whoever cannot place their L has lost. The third occurrence of a \
     position is a draw.",
)
.examples(&["lgame"]);

fn open(_: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(LGame).symmetric().graph(State::passed);
    Ok(listing
        .alphabeta(Uninformed)
        .solve_with_tables(Uninformed)
        .boxed())
}
