//! Klondike in the catalog.

use tabia_game::Game;
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, integer, uninformed_lines};

use super::{Klondike, PARAMETERS, Rules};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "klondike",
    "Klondike",
    "the patience everybody knows, with all cards in sight",
    open,
)
.rules(
    "The patience with all cards known. In the piles a card goes onto one of the other \
     colour that is one higher, with all cards on it; an empty pile takes a King. The \
     foundations are built up by suit from the Ace; each card there counts one. The stock \
     is turned three cards at a time, or fewer. Turning it is no move by itself: every card \
     that can be reached so may be played at once. A few moves that lead nowhere are left \
     out.",
)
.parameters(PARAMETERS)
.examples(&[
    "klondike",
    "klondike:1,back=on",
    "klondike:ranks=3,piles=3,passes=2",
]);

fn open(values: &OptionValues) -> OpenResult {
    let small = |key| u8::try_from(values.integer(key)).unwrap_or_default();
    let rules = Rules {
        draw: small("draw"),
        passes: small("passes"),
        back: values.switch("back"),
        ranks: small("ranks"),
        piles: small("piles"),
    };
    let game = Klondike::new(rules, integer(values, "seed"));
    let game = game.map_err(|error| OptionError::new(format!("klondike: {error}")))?;
    let listing = Listing::new(game).single_agent(uninformed_lines);
    let dealt = listing.dealt_unless(values.is_given("seed"), |game, seed| {
        let seed = seed.value();
        Klondike { seed, ..*game }.start()
    });
    Ok(dealt.boxed())
}
