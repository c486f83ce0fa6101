//! Backgammon in the catalog.

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_registry::{GameEntry, Listing, OpenResult};

use super::peer::GNUBG;
use super::{Backgammon, Learnt, Networks, PARAMETERS, Rules, training};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "backgammon",
    "Backgammon",
    "race your checkers home by the dice",
    open,
)
.rules(
    "Both players bring fifteen checkers home around 24 points in opposite directions and \
     bear them off; whoever is done first wins. A point held by two or more checkers is \
     closed to the other side, and a single checker that is hit starts again from the bar, \
     before any other of its side may move. A roll must be used as far as possible, the \
     larger die if only one can be, and doubles count four times. A gammon pays two and a \
     backgammon three, unless switched off; the cube, the Jacoby rule and matches are \
     options.",
)
.parameters(PARAMETERS)
.examples(&[
    "backgammon",
    "backgammon:gammons=off",
    "backgammon:cube=on,jacoby=on",
    "backgammon:match=3,cube=on",
])
.peers(&[GNUBG])
.training(training::begin);

fn open(values: &OptionValues) -> OpenResult {
    let rules = Rules::from(values);
    let game =
        Backgammon::new(rules).map_err(|error| OptionError::new(format!("backgammon: {error}")))?;
    let listing = Listing::new(game).star_minimax_with(NETWORKS, learnt);
    let listing = listing.chance_tables().expectation();
    Ok(listing.prefer("filtered").boxed())
}

/// Options of the engines of backgammon.
const NETWORKS: &[Parameter] = &[
    Parameter {
        key: "network",
        kind: ParameterKind::File,
        default: "",
        help: "weights to evaluate with, from tabia train; those that come with Tabia if none are \
               named",
    },
    Parameter {
        key: "noise",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0",
        help: "standard deviation of noise on the chance to win",
    },
];

fn learnt(values: &OptionValues) -> Result<Learnt, OptionError> {
    let learnt = match values.file("network") {
        None => Learnt::shipped().map_err(|error| error.to_string()),
        Some(file) => tabia_registry::read_file(file.as_ref())
            .map_err(|error| error.to_string())
            .and_then(|bytes| Networks::from_bytes(&bytes).map_err(|error| error.to_string()))
            .map(Learnt::new)
            .map_err(|error| format!("'{file}' holds no networks of backgammon: {error}")),
    };
    let noise = values.decimal("noise") as f32;
    Ok(learnt.map_err(OptionError::new)?.noisy(noise))
}
