//! The units of a match: what its statistics count.
//!
//! A unit is a game, or in a paired match the games of a round, which share opening and luck. A
//! unit that is not finished is left out as long as there are others: it may lack just the games
//! that one side is expected to win.

use super::PlayedGame;
use crate::statistics::Moments;
use crate::tournament::{Points, Scoring};

/// What somebody scored in a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitScore {
    /// The mean of its games.
    pub score: f64,
    /// Games that counted.
    pub games: u64,
    /// Whether all games of the unit are there.
    pub full: bool,
}

/// The units of this many games each, in their order; games come in the order of their numbers.
/// `score` says what a game counts, if it counts at all.
pub fn units<'a>(
    size: u64,
    games: impl IntoIterator<Item = &'a PlayedGame>,
    score: impl Fn(&PlayedGame) -> Option<f64>,
) -> Vec<UnitScore> {
    let mut units = Vec::new();
    let mut games = games.into_iter().peekable();
    while let Some(number) = games.peek().map(|game| game.number / size) {
        let (mut there, mut scores) = (0, Moments::default());
        while let Some(game) = games.next_if(|game| game.number / size == number) {
            there += 1;
            if let Some(score) = score(game) {
                scores.add(score);
            }
        }
        if scores.count() > 0 {
            units.push(UnitScore {
                score: scores.mean(),
                games: scores.count(),
                full: there == size,
            });
        }
    }
    if units.iter().any(|unit| unit.full) {
        units.retain(|unit| unit.full);
    }
    units
}

/// What a player scored in a game: the part of the win that fell to its seats. Nothing if it was
/// not there.
pub fn score_of_player(game: &PlayedGame, player: usize) -> Option<f64> {
    of_player(game, player, &game.shares()?)
}

/// What the game paid to a player. Nothing if it was not there, or played alone and lost by a
/// fault: that costs a point only where somebody else gets it.
pub fn payoff_of_player(game: &PlayedGame, player: usize) -> Option<f64> {
    let is_scored = game.seats.len() > 1 || game.payoffs.is_some();
    let points = game.points(&Scoring::Margin, 1).filter(|_| is_scored)?;
    of_player(game, player, &points)
}

/// The same without the luck that the player had. Nothing if that was not told.
pub fn luckless_payoff_of_player(game: &PlayedGame, player: usize) -> Option<f64> {
    let seats = game.seats.iter().zip(&game.efforts);
    let own = seats.filter(|(p, _)| **p == player);
    let luck = own.map(|(_, effort)| effort.luck).sum::<Option<f64>>()?;
    Some(payoff_of_player(game, player)? - luck)
}

fn of_player(game: &PlayedGame, player: usize, points: &[Points]) -> Option<f64> {
    let own = game.seats.iter().zip(points).filter(|(p, _)| **p == player);
    let own: Vec<Points> = own.map(|(_, points)| *points).collect();
    (!own.is_empty()).then(|| number(own.into_iter().sum()))
}

/// What a seat scored in a game, whoever sat there.
pub fn score_of_seat(game: &PlayedGame, seat: usize) -> Option<f64> {
    Some(number(*game.shares()?.get(seat)?))
}

fn number(points: Points) -> f64 {
    *points.numer() as f64 / *points.denom() as f64
}
