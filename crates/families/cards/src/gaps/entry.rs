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
