//! The entries of the board games for several players, and of Othello, the sibling of one of them.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, Values};
use tabia_games::focus::{self, Focus, Goal};
use tabia_games::reversi::{self, Corners, Othello, Rolit, Score};

use super::{Entry, size_error};
use crate::{AnyGame, Listing};

fn number(values: &Values, key: &str) -> usize {
    usize::try_from(values.integer(key)).unwrap_or_default()
}

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
        let longest = u16::try_from(values.integer("moves")).unwrap_or(u16::MAX);
        let game = Focus::new(number(values, "players"), goal, longest);
        let game = game.map_err(size_error("focus"))?;
        Ok(Listing::new(game).symmetric().boxed())
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
        match side * side <= u64::WIDTH {
            true => Ok(othello::<u64>(side, score)?.solve(Corners).boxed()),
            false => Ok(othello::<Wide>(side, score)?.boxed()),
        }
    },
};

fn othello<B: Bits>(side: usize, score: Score) -> Result<Listing<Othello<B>>, OptionError> {
    let game = Othello::new(side, score).map_err(size_error("othello"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Corners))
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
    open: |values| match number(values, "side") {
        0..=8 => rolit::<u64>(values),
        _ => rolit::<Wide>(values),
    },
};

fn rolit<B: Bits>(values: &Values) -> Result<Box<dyn AnyGame>, OptionError> {
    let score = Score::named(values.word("score"));
    let game = Rolit::<B>::new(number(values, "players"), number(values, "side"), score);
    let game = game.map_err(size_error("rolit"))?;
    Ok(Listing::new(game).symmetric().boxed())
}
