//! Goofspiel in the catalog.

use tabia_game::options::{OptionError, OptionValues};
use tabia_registry::{GameEntry, Listing, OpenResult};

use super::{Goofspiel, PARAMETERS};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "goofspiel",
    "Goofspiel",
    "bid for prizes at the same time, each card once",
    open,
)
.rules(
    "Both players hold the same cards. Prizes are turned up one by one, and both bid a card \
     for each at the same time; the higher bid takes the prize, and both cards are gone. \
     After equal bids the prize is discarded, or stays for the next. A game pays the \
     difference of points, or only who has more.",
)
.parameters(PARAMETERS)
.examples(&[
    "goofspiel",
    "goofspiel:13,order=random",
    "goofspiel:5,order=ascending,objective=win,ties=carry",
]);

fn open(values: &OptionValues) -> OpenResult {
    let game = Goofspiel::from_values(values);
    let game = game.map_err(|error| OptionError::new(format!("goofspiel: {error}")))?;
    Ok(Listing::new(game).simultaneous().boxed())
}
