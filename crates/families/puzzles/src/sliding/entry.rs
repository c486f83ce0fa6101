//! Sliding tiles in the catalog.

use tabia_game::Game;
use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult, integer, uninformed_lines};

use super::engine::{patterns, tables};
use super::{Blank, PARAMETERS, Sliding};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "sliding",
    "Sliding tiles",
    "bring the tiles in order in few moves",
    open,
)
.rules(
    "A tile beside the blank slides into it, until all tiles are in order. Every move costs \
     one, and a puzzle that is given up costs many.",
)
.parameters(PARAMETERS)
.examples(&["sliding", "sliding:3x3", "sliding:5x2,blank=first"]);

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    let blank = Blank::named(values.word("blank")).unwrap_or(Blank::Last);
    let game = Sliding::new(width, height, blank, integer(values, "seed"));
    let game = game.map_err(|error| OptionError::new(format!("sliding: {error}")))?;
    // Databases depend on the board alone, not on where a game starts.
    let spec = format!("sliding:{width}x{height},blank={}", values.word("blank"));
    let listing = Listing::new(game).own_tables(|game| Box::new(tables(game, spec.clone())));
    let listing = listing
        .single_agent(|searches| patterns(uninformed_lines(searches).incremental(true), spec));
    let dealt = listing.dealt_unless(values.is_given("seed"), |game, seed| {
        let seed = seed.value();
        Sliding {
            seed,
            ..game.clone()
        }
        .start()
    });
    Ok(dealt.symmetric().boxed())
}
