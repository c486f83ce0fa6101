//! The entries of the board games for several players, and of Othello, the sibling of one of them.

use std::sync::Arc;

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{Kind, OptionError, Parameter, Values};
use tabia_games::chinese::{self, ChineseCheckers, Foreign, Rules, Target};
use tabia_games::focus::{self, Focus, Goal, Stacks};
use tabia_games::reversi::{self, Corners, Judge, Othello, Patterns, PatternsError, Rolit, Score};

use super::{Entry, size_error};
use crate::Listing;
use crate::race::{self, NOISE, NOISE_SEED, noisy};

/// The options of engines whose evaluation may be noisy.
const NOISY: &[Parameter] = &[NOISE, NOISE_SEED];

fn number(values: &Values, key: &str) -> usize {
    usize::try_from(values.integer(key)).unwrap_or_default()
}

/// A number of moves after which a game is a draw.
fn longest(values: &Values) -> u16 {
    u16::try_from(values.integer("moves")).unwrap_or(u16::MAX)
}

pub(super) const CHINESE: Entry = Entry {
    name: "chinese",
    title: "Chinese Checkers",
    summary: "be the first to fill the opposite triangle of the star",
    parameters: chinese::PARAMETERS,
    examples: &[
        "chinese",
        "chinese:2",
        "chinese:4",
        "chinese:6",
        "chinese:3,leave=on,foreign=open,target=own,moves=200",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let rules = Rules {
            leave: values.switch("leave"),
            foreign: Foreign::named(values.word("foreign")),
            target: Target::named(values.word("target")),
            longest: longest(values),
        };
        let game = ChineseCheckers::new(number(values, "players"), rules);
        let game = game.map_err(size_error("chinese"))?;
        let know = move |values: &Values| race::race(rules, values);
        let listing = Listing::new(game)
            .symmetric()
            .many_players_with(race::PARAMETERS, know)
            .best_reply_with(race::PARAMETERS, know);
        Ok(listing.solitaire_tables().boxed())
    },
};

pub(super) const FOCUS: Entry = Entry {
    name: "focus",
    title: "Focus",
    summary: "move stacks as far as they are tall, and capture what is too tall",
    parameters: focus::PARAMETERS,
    examples: &["focus", "focus:3", "focus:4", "focus:3,goal=long,moves=100"],
    pgn: None,
    sgf: None,
    open: |values| {
        let goal = Goal::named(values.word("goal"));
        let game = Focus::new(number(values, "players"), goal, longest(values));
        let game = game.map_err(size_error("focus"))?;
        let know = |values: &Values| Ok(noisy(Stacks, values));
        let listing = Listing::new(game)
            .symmetric()
            .many_players_with(NOISY, know)
            .best_reply_with(NOISY, know);
        Ok(listing.boxed())
    },
};

pub(super) const OTHELLO: Entry = Entry {
    name: "othello",
    title: "Othello",
    summary: "enclose lines of discs to make them yours; most discs win",
    parameters: reversi::OTHELLO_PARAMETERS,
    examples: &[
        "othello",
        "othello:4,score=pieces",
        "othello:6",
        "othello:10",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let side = number(values, "side");
        let score = Score::named(values.word("score"));
        if side * side > u64::WIDTH {
            let game = Othello::<Wide>::new(side, score).map_err(size_error("othello"))?;
            return Ok(Listing::new(game).symmetric().alphabeta(Corners).boxed());
        }
        let game = Othello::<u64>::new(side, score).map_err(size_error("othello"))?;
        let (own, known) = judging(side);
        let know = move |values: &Values| judge(known, values, Patterns::othello);
        let listing = Listing::new(game).symmetric().alphabeta_with(own, know);
        Ok(listing.solve(Judge::Corners).boxed())
    },
};

/// How positions are judged on the 8x8 board.
const JUDGING: &[Parameter] = &[
    Parameter {
        key: "evaluation",
        kind: Kind::Choice(&["patterns", "corners"]),
        default: "patterns",
        help: "what positions are judged by: learnt patterns, or corners, mobility and pieces",
    },
    Parameter {
        key: "patterns",
        kind: Kind::File,
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
    values: &Values,
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
            let bytes = std::fs::read(file).map_err(|e| wrong(format!("'{file}': {e}")))?;
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

pub(super) const ROLIT: Entry = Entry {
    name: "rolit",
    title: "Rolit",
    summary: "Othello for two to four players, in which nobody passes",
    parameters: reversi::ROLIT_PARAMETERS,
    examples: &[
        "rolit",
        "rolit:3",
        "rolit:2,side=6",
        "rolit:3,side=4,score=pieces",
        "rolit:4,side=10",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let (players, side) = (number(values, "players"), number(values, "side"));
        let score = Score::named(values.word("score"));
        if side * side > u64::WIDTH {
            let game = Rolit::<Wide>::new(players, side, score).map_err(size_error("rolit"))?;
            let know = |values: &Values| Ok(noisy(Corners, values));
            let listing = Listing::new(game).symmetric();
            let listing = listing.many_players_with(NOISY, know);
            return Ok(listing.best_reply_with(NOISY, know).boxed());
        }
        let game = Rolit::<u64>::new(players, side, score).map_err(size_error("rolit"))?;
        let (own, known) = judging(side);
        let own = [own, NOISY].concat();
        let know = move |values: &Values| {
            let judge = judge(known, values, Patterns::rolit)?;
            Ok(noisy(judge, values))
        };
        let listing = Listing::new(game).symmetric();
        let listing = listing.many_players_with(&own, know);
        Ok(listing.best_reply_with(&own, know).boxed())
    },
};
