//! Focus in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::noise::{NOISY, noisy};
use tabia_registry::{GameEntry, Listing, OpenResult, integer, size_error};

use super::{Focus, PARAMETERS, Stacks, VictoryCondition};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "focus",
    "Focus",
    "move stacks as far as they are tall, and capture what is too tall",
    open,
)
.rules(
    "A stack belongs to the colour on top. A turn takes some men from the top of an own \
     stack and moves them exactly as many squares in a straight line as there are men. What \
     lies beyond the fifth man of a stack is taken from below: own men go to the reserve, \
     others are captured. A man of the reserve may be put on any square instead of a move. \
     Capturing enough men wins (6 with two players; 10, or a few of everybody, with more), \
     or in the long game being the only one who can move. After a fixed number of moves it \
     is a draw.",
)
.parameters(PARAMETERS)
.examples(&["focus", "focus:3", "focus:4", "focus:3,goal=long,moves=100"]);

fn open(values: &OptionValues) -> OpenResult {
    let goal = VictoryCondition::named(values.word("goal"));
    let game = Focus::new(integer(values, "players"), goal, integer(values, "moves"));
    let game = game.map_err(size_error("focus"))?;
    let know = |values: &OptionValues| Ok(noisy(Stacks, values));
    let listing = Listing::new(game)
        .symmetric()
        .many_players_with(NOISY, know)
        .best_reply_with(Focus::hand_turn, NOISY, know);
    Ok(listing.boxed())
}
