//! Games for one player: what several players scored on the same boards.
//!
//! Nobody wins such a game, so players are compared by what they scored where they began alike: the
//! games of a round are one board, and the differences of two players on the same board have the
//! interval, which leaves out how good the boards were.

use std::cmp::Ordering;

use serde::Serialize;
use tabia_game::Payoff;

use super::PlayedGame;
use crate::statistics::{CONFIDENCE, Mean, Moments};

/// How the scores of two players compare on the boards that both have played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The name of one of them.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// The boards.
    pub boards: u64,
    /// Boards on which the first scored more.
    pub better: u64,
    /// Boards on which both scored the same.
    pub equal: u64,
    /// Boards on which the first scored less.
    pub worse: u64,
    /// What the first scored more than the second on a board, where both finished their games.
    pub difference: Mean,
}

/// A board, with what each player scored on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    /// By player: nothing for a game that is not there, and nothing in it for one that has no
    /// result, which is less than any score.
    scores: Vec<Option<Option<Payoff>>>,
}

impl Board {
    /// The boards of these games, which come in the order of their numbers; each is played once by
    /// every player.
    pub fn of<'a>(players: usize, games: impl Iterator<Item = &'a PlayedGame>) -> Vec<Board> {
        let mut boards: Vec<Board> = Vec::new();
        let mut round = None;
        for game in games {
            if round.replace(game.round) != Some(game.round) {
                let scores = vec![None; players];
                boards.push(Board { scores });
            }
            let score = game.payoffs.as_ref().and_then(|payoffs| payoffs.first());
            let place = game.seats.first().copied();
            let board = boards.last_mut().zip(place);
            if let Some(slot) = board.and_then(|(board, place)| board.scores.get_mut(place)) {
                *slot = Some(score.copied());
            }
        }
        boards
    }

    /// A player's part of the first place, once all have played; a player alone has none.
    pub fn part_of_first(&self, player: usize) -> Option<f64> {
        let scores: Option<Vec<_>> = self.scores.iter().copied().collect();
        let scores = scores.filter(|scores| scores.len() > 1)?;
        let best = *scores.iter().max()?;
        let shared = scores.iter().filter(|&&score| score == best).count();
        let own = *scores.get(player)?;
        Some(if own == best {
            1.0 / shared as f64
        } else {
            0.0
        })
    }

    /// The scores of two players, once both have played.
    fn pair(&self, first: usize, second: usize) -> Option<[Option<Payoff>; 2]> {
        let score = |player: usize| self.scores.get(player).copied().flatten();
        Some([score(first)?, score(second)?])
    }
}

/// Every player against every other.
pub(super) fn comparisons(names: &[&str], boards: &[Board]) -> Vec<Comparison> {
    let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
    let compare = |(a, b): (usize, usize)| {
        let scores = boards.iter().filter_map(|board| board.pair(a, b));
        let scores: Vec<[Option<Payoff>; 2]> = scores.collect();
        let count = |wanted: Ordering| {
            let found = scores.iter().filter(|[a, b]| a.cmp(b) == wanted);
            found.count() as u64
        };
        let finished = scores
            .iter()
            .filter_map(|[first, second]| first.zip(*second));
        let differences = finished.map(|(first, second)| f64::from(first) - f64::from(second));
        Comparison {
            first: names[a].to_string(),
            second: names[b].to_string(),
            boards: scores.len() as u64,
            better: count(Ordering::Greater),
            equal: count(Ordering::Equal),
            worse: count(Ordering::Less),
            difference: Mean::new(&differences.collect::<Moments>(), CONFIDENCE),
        }
    };
    pairs.map(compare).collect()
}
