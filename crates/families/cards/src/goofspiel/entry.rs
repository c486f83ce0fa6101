//! Goofspiel in the catalog.

use tabia_game::options::{OptionError, Values};
use tabia_registry::{Entry, Listing, Opened};

use super::{Goofspiel, PARAMETERS};

/// The entry of the game.
pub const ENTRY: Entry = Entry::new(
    "goofspiel",
    "Goofspiel",
    "bid for prizes at the same time, each card once",
    open,
)
.parameters(PARAMETERS)
.examples(&[
    "goofspiel",
    "goofspiel:13,order=random",
    "goofspiel:5,order=ascending,objective=win,ties=carry",
]);

fn open(values: &Values) -> Opened {
    let game = Goofspiel::from_values(values);
    let game = game.map_err(|error| OptionError::new(format!("goofspiel: {error}")))?;
    Ok(Listing::new(game).simultaneous().boxed())
}
