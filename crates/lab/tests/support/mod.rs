//! A game for three with chance, to test what two-player games cannot: seatings, shared luck, and
//! several winners.

#![allow(dead_code, clippy::unwrap_used)]

use rand::{Rng, RngExt};
use tabia_catalog::{AnyGame, Listing};
use tabia_game::picture::Shade;
use tabia_game::{
    Chance, Draw, Game, Key, Perfect, Picture, Player, Stochastic, Text, TextError, Turn,
};
use tabia_lab::matches::{MatchPlan, Opening, PlayedGame};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;

/// A race of three. A die of three sides falls; the player takes it, or two points
/// for certain. Whoever has most points after six turns each wins, together with those who have as
/// many.
pub struct Race;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    points: [u8; 3],
    turns: u8,
    die: Option<u8>,
}

const TURNS: u8 = 18;

impl Game for Race {
    type State = Standing;
    type Move = u8;
    type Undo = Standing;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Standing {
        Standing {
            points: [0; 3],
            turns: 0,
            die: None,
        }
    }

    fn turn(&self, state: &Standing) -> Turn {
        match state.die {
            _ if state.turns == TURNS => Turn::Over,
            None => Turn::Chance,
            Some(_) => Turn::Player(Player(state.turns % 3)),
        }
    }

    /// Outcomes are 1, 2, 3; moves are 4 (take the die) and 5 (two points).
    fn moves(&self, state: &Standing, out: &mut Vec<u8>) {
        match self.turn(state) {
            Turn::Chance => out.extend([1, 2, 3]),
            Turn::Player(_) => out.extend([4, 5]),
            Turn::Over => {}
        }
    }

    fn play(&self, state: &mut Standing, mv: u8) -> Standing {
        let before = state.clone();
        match state.die {
            None => state.die = Some(mv),
            Some(die) => {
                state.points[usize::from(state.turns % 3)] += if mv == 4 { die } else { 2 };
                state.turns += 1;
                state.die = None;
            }
        }
        before
    }

    fn undo(&self, state: &mut Standing, before: Standing) {
        *state = before;
    }

    fn payoff(&self, state: &Standing, player: Player) -> i32 {
        let most = state.points.iter().max();
        i32::from(Some(&state.points[player.index()]) == most)
    }

    fn payoff_sum(&self) -> Option<i32> {
        None
    }
}

impl Chance for Race {
    fn outcomes(&self, _: &Standing, out: &mut Vec<(u8, u64)>) {
        out.extend([(1, 1), (2, 1), (3, 1)]);
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &Standing, rng: &mut R) -> u8 {
        rng.random_range(1..=3)
    }
}

impl Key for Race {
    fn key(&self, state: &Standing) -> u64 {
        let [a, b, c] = state.points.map(u64::from);
        let die = u64::from(state.die.unwrap_or(0));
        (((a * 64 + b) * 64 + c) * 64 + u64::from(state.turns)) * 4 + die
    }
}

impl Text for Race {
    fn position_text(&self, state: &Standing) -> String {
        let [a, b, c] = state.points;
        format!("{a}/{b}/{c}/{}/{}", state.turns, state.die.unwrap_or(0))
    }

    fn parse_position(&self, _: &str) -> Result<Standing, TextError> {
        Err(TextError::new("positions are not read"))
    }

    fn position_help(&self) -> &'static str {
        "not read"
    }

    fn move_text(&self, _: &Standing, mv: u8) -> String {
        mv.to_string()
    }
}

impl Draw for Race {
    fn picture(&self, _: &Standing, _: Option<u8>) -> Picture {
        let mut picture = Picture::default();
        picture.cell(0.0, 0.0, Shade::Light);
        picture
    }
}

pub fn race() -> Box<dyn AnyGame> {
    Listing::new(Race).chance().boxed()
}

pub fn plan(game: &str, players: &[&str], games: u64) -> MatchPlan {
    MatchPlan {
        game: game.to_string(),
        players: players.iter().map(|p| Entrant::parse(p)).collect(),
        games,
        paired: false,
        opening: Opening::Random(2),
        terms: Terms::default(),
        sprt: None,
        seed: 5,
    }
}

/// Games without what depends on the clock.
pub fn timeless<'a>(games: impl Iterator<Item = &'a PlayedGame>) -> Vec<PlayedGame> {
    let mut games: Vec<PlayedGame> = games.cloned().collect();
    for game in &mut games {
        for effort in &mut game.efforts {
            effort.seconds = 0.0;
            effort.longest = 0.0;
        }
    }
    games
}
