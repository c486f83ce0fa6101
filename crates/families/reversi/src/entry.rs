//! Othello and Rolit in the catalog.

use std::sync::Arc;

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_registry::noise::{NOISY, noisy};
use tabia_registry::{GameEntry, Listing, OpenResult, SharedListing, integer, size_error};

use crate::{
    Corners, Judge, OTHELLO_PARAMETERS, Othello, Patterns, PatternsError, ROLIT_PARAMETERS, Rolit,
    Score, training,
};

/// The entry of the game.
pub const OTHELLO: GameEntry = GameEntry::new(
    "othello",
    "Othello",
    "enclose lines of discs to make them yours; most discs win",
    open_othello,
)
.rules(
    "A disc is placed so that it encloses lines of enemy discs between itself and another \
     own one; these are turned over. Every move must turn at least one disc, and whoever \
     cannot move passes. When nobody can, the player with more discs wins. With \
     score=pieces a game pays the difference of discs.",
)
.parameters(OTHELLO_PARAMETERS)
.examples(&[
    "othello",
    "othello:4,score=pieces",
    "othello:6",
    "othello:10",
])
.training(training::begin_othello);

fn open_othello(values: &OptionValues) -> OpenResult {
    let side = integer(values, "side");
    let score = Score::named(values.word("score"));
    if side * side > u64::WIDTH {
        let game = Othello::<Wide>::new(side, score).map_err(size_error("othello"))?;
        let listing = SharedListing::two(game).symmetric();
        return Ok(listing.alphabeta(Corners).boxed());
    }
    let game = Othello::<u64>::new(side, score).map_err(size_error("othello"))?;
    let (own, known) = judging(side);
    let know = move |values: &OptionValues| judge(known, values, Patterns::othello);
    let listing = Listing::new(game).symmetric().alphabeta_with(own, know);
    Ok(listing.solve(Judge::Corners).boxed())
}
/// The entry of the game.
pub const ROLIT: GameEntry = GameEntry::new(
    "rolit",
    "Rolit",
    "Othello for two to four players, in which nobody passes",
    open_rolit,
)
.rules(
    "Othello for two to four players: a ball that is placed turns all enclosed lines of \
     other colours into its own. Whoever can enclose nothing places a ball on any empty \
     square beside another one, so nobody passes and the game lasts until the board is \
     full. The most balls win, and equals share the win. With n players a share s pays ns - \
     1, in units in which all shares are whole; with score=pieces balls themselves are \
     paid.",
)
.parameters(ROLIT_PARAMETERS)
.examples(&[
    "rolit",
    "rolit:3",
    "rolit:2,side=6",
    "rolit:3,side=4,score=pieces",
    "rolit:4,side=10",
])
.training(training::begin_rolit);

fn open_rolit(values: &OptionValues) -> OpenResult {
    let (players, side) = (integer(values, "players"), integer(values, "side"));
    let score = Score::named(values.word("score"));
    if side * side > u64::WIDTH {
        let game = Rolit::<Wide>::new(players, side, score).map_err(size_error("rolit"))?;
        let know = |values: &OptionValues| Ok(noisy(Corners, values));
        let listing = SharedListing::many(game, Rolit::hand_turn).symmetric();
        return Ok(listing.many_players_with(NOISY, know).boxed());
    }
    let game = Rolit::<u64>::new(players, side, score).map_err(size_error("rolit"))?;
    let (own, known) = judging(side);
    let own = [own, NOISY].concat();
    let know = move |values: &OptionValues| {
        let judge = judge(known, values, Patterns::rolit)?;
        Ok(noisy(judge, values))
    };
    let listing = Listing::new(game).symmetric();
    let listing = listing.many_players_with(&own, know);
    Ok(listing
        .best_reply_with(Rolit::hand_turn, &own, know)
        .boxed())
}

/// How positions are judged on the 8x8 board.
const JUDGING: &[Parameter] = &[
    Parameter {
        key: "evaluation",
        kind: ParameterKind::Choice(&["patterns", "corners"]),
        default: "patterns",
        help: "what positions are judged by: learnt patterns, or corners, mobility and pieces",
    },
    Parameter {
        key: "patterns",
        kind: ParameterKind::File,
        default: "",
        help: "weights of patterns, from tabia train; those that come with Tabia if none are named",
    },
];

/// The options of engines on a board with this side, and whether there are patterns for it.
fn judging(side: usize) -> (&'static [Parameter], bool) {
    match side {
        8 => (JUDGING, true),
        _ => (&[], false),
    }
}

/// What the options of an engine ask for.
fn judge(
    known: bool,
    values: &OptionValues,
    shipped: fn() -> Result<Patterns, PatternsError>,
) -> Result<Judge, OptionError> {
    if !known {
        return Ok(Judge::Corners);
    }
    let wrong = |reason: String| OptionError::new(format!("patterns: {reason}"));
    let file = values.file("patterns");
    if values.word("evaluation") == "corners" {
        return match file {
            None => Ok(Judge::Corners),
            Some(_) => Err(wrong(
                "they are of use with evaluation=patterns only".to_string(),
            )),
        };
    }
    let own = shipped().map_err(|error| wrong(error.to_string()))?;
    let patterns = match file {
        None => own,
        Some(file) => {
            let bytes = tabia_registry::read_file(file.as_ref())
                .map_err(|e| wrong(format!("'{file}': {e}")))?;
            let read = Patterns::from_bytes(&bytes);
            let read = read.map_err(|e| wrong(format!("'{file}': {e}")))?;
            if read.game() != own.game() {
                let (theirs, ours) = (read.game(), own.game());
                return Err(wrong(format!("'{file}' is of {theirs}, not of {ours}")));
            }
            read
        }
    };
    Ok(Judge::Learnt(Arc::new(patterns)))
}
