//! Oshi-Zumo in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult, integer};
use tabia_search::mcts::WithoutChance;

use super::{OshiZumo, PARAMETERS};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "oshizumo",
    "Oshi-Zumo",
    "bid coins at the same time to push the wrestler off the board",
    open,
)
.rules(
    "A wrestler stands in the middle of a row of fields. Both players bid coins at the same \
     time; both pay their bid, and the higher one pushes the wrestler one field towards the \
     other's end. Equal bids move nothing. A player who has the minimum bid must bid at \
     least that much; one who has less bids nothing. When the wrestler is off the board or \
     nobody can bid, the player in whose half it stands has lost; in the middle it is a \
     draw.",
)
.parameters(PARAMETERS)
.examples(&["oshizumo", "oshizumo:6,fields=2,minimum=2"]);

fn open(values: &OptionValues) -> OpenResult {
    let game = OshiZumo::new(
        integer(values, "coins"),
        integer(values, "fields"),
        integer(values, "minimum"),
    );
    let listing = Listing::new(game).joint_moves::<WithoutChance>();
    Ok(listing.solve_joint_moves().boxed())
}
