//! Games at random (Donkers et al. 2004, section 5): every legal move with the same probability, so
//! that an edge that several moves share is taken the more often.

use rand::RngExt;
use rayon::prelude::*;
use tabia_game::{Cancel, Seed};

use super::GameGraph;

/// How long games at random are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomGames {
    /// How many games took this many plies.
    pub lengths: Vec<u64>,
    /// Games that were broken off.
    pub unfinished: u64,
}

impl RandomGames {
    fn merged(mut self, other: RandomGames) -> RandomGames {
        if self.lengths.len() < other.lengths.len() {
            return other.merged(self);
        }
        for (sum, count) in self.lengths.iter_mut().zip(other.lengths) {
            *sum += count;
        }
        self.unfinished += other.unfinished;
        self
    }

    fn add(mut self, length: Option<usize>) -> RandomGames {
        let Some(length) = length else {
            self.unfinished += 1;
            return self;
        };
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
        self
    }

    /// How many games came to an end.
    pub fn finished(&self) -> u64 {
        self.lengths.iter().sum()
    }

    /// The mean length of the games that came to an end.
    pub fn mean(&self) -> Option<f64> {
        mean(self.lengths.iter().zip(0u64..))
    }

    /// The length that occurs most often.
    pub fn mode(&self) -> Option<usize> {
        let most = self.lengths.iter().max().filter(|&&most| most > 0)?;
        self.lengths.iter().position(|count| count == most)
    }

    /// The length of the shortest game.
    pub fn shortest(&self) -> Option<usize> {
        self.lengths.iter().position(|&count| count > 0)
    }

    /// The length of the longest game.
    pub fn longest(&self) -> Option<usize> {
        self.lengths.iter().rposition(|&count| count > 0)
    }

    /// The exponent with which games become rarer from a length on, if that is an exponential
    /// decrease: the estimate of greatest likelihood.
    pub fn decay(&self, from: usize) -> Option<f64> {
        let excess = mean(self.lengths.iter().skip(from).zip(0u64..))?;
        (excess > 0.0).then(|| -(1.0 / excess).ln_1p())
    }
}

fn mean<'a>(counts: impl Iterator<Item = (&'a u64, u64)>) -> Option<f64> {
    let (mut games, mut plies) = (0u64, 0.0);
    for (&count, length) in counts {
        games += count;
        plies += count as f64 * length as f64;
    }
    (games > 0).then(|| plies / games as f64)
}

impl GameGraph {
    /// Plays this many games from the start; those that reach `longest` plies are broken off.
    /// `None` if it was stopped.
    pub fn random_games(
        &self,
        games: u64,
        longest: usize,
        seed: Seed,
        cancel: &Cancel,
    ) -> Option<RandomGames> {
        let play = |number: u64| {
            let mut rng = seed.number(number).rng();
            let mut class = self.start();
            for length in 0..=longest {
                let moves = self.moves().row(class);
                if moves.is_empty() {
                    return Some(length);
                }
                class = moves[rng.random_range(0..moves.len())];
            }
            None
        };
        (0..games)
            .into_par_iter()
            .try_fold(RandomGames::default, |sum, number| {
                (!cancel.is_cancelled()).then(|| sum.add(play(number)))
            })
            .try_reduce(RandomGames::default, |a, b| Some(a.merged(b)))
    }
}
