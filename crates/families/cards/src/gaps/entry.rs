//! Gaps in the catalog.

use tabia_game::Game;
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, integer, uninformed_lines};

use super::{Gaps, PARAMETERS, Variant};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "gaps",
    "Gaps",
    "bring rows of cards in order through their gaps",
    open,
)
.rules(
    "All cards are dealt into one row for each suit, and the Aces are taken out and leave \
     gaps. A gap takes the card that follows its left neighbour in the same suit; beside a \
     gap or a King nothing can be put. The aim is each row in the order of one suit; a card \
     that lies so counts one. In the basic game the Aces stand to the left of the rows; in \
     the common one any Two may go into the first column. There are no redeals.",
)
.parameters(PARAMETERS)
.examples(&[
    "gaps",
    "gaps:common",
    "gaps:ranks=4,seed=3",
    "gaps:common,ranks=5,suits=3",
]);

fn open(values: &OptionValues) -> OpenResult {
    let variant = Variant::named(values.word("variant")).unwrap_or(Variant::Basic);
    let game = Gaps::new(
        variant,
        integer(values, "ranks"),
        integer(values, "suits"),
        integer(values, "seed"),
    );
    let game = game.map_err(|error| OptionError::new(format!("gaps: {error}")))?;
    let cyclic = variant == Variant::Common;
    let listing =
        Listing::new(game).single_agent(|searches| uninformed_lines(searches).incremental(cyclic));
    let dealt = listing.dealt_unless(values.is_given("seed"), |game, seed| {
        let seed = seed.value();
        Gaps { seed, ..*game }.start()
    });
    Ok(dealt.boxed())
}
