//! How often each score occurred: trinomial for single games, pentanomial for pairs of games.
//!
//! Two games with the same opening, seats exchanged, are not independent: an opening that favours
//! the first seat makes them go opposite ways. Counting pairs by their common score keeps what a
//! count of wins, draws and losses would lose. The possible scores are equally spaced from 0 to 1,
//! a pair's score being the mean of its two games.

use serde::{Deserialize, Serialize};

use super::Moments;

/// The number of units with each score, in ascending order of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs of games that scored 0, 1/2, 1, 3/2 and 2 points.
    Pairs([u64; 5]),
}

impl Counts {
    /// No games yet.
    pub fn games() -> Counts {
        Counts::Games([0; 3])
    }

    /// No pairs yet.
    pub fn pairs() -> Counts {
        Counts::Pairs([0; 5])
    }

    /// Counts one more unit with a score between 0 and 1. Tells whether that is a possible score;
    /// any other, such as a win shared among three, is left out.
    #[must_use]
    pub fn add(&mut self, score: f64) -> bool {
        let counts: &mut [u64] = match self {
            Counts::Games(counts) => counts,
            Counts::Pairs(counts) => counts,
        };
        let place = score * (counts.len() - 1) as f64;
        let possible = place >= 0.0 && place == place.round();
        match counts.get_mut(place as usize).filter(|_| possible) {
            Some(count) => {
                *count += 1;
                true
            }
            None => false,
        }
    }

    /// The possible scores of a unit and how often each occurred.
    pub fn scores(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let counts = self.as_slice();
        let steps = (counts.len() - 1) as f64;
        counts
            .iter()
            .enumerate()
            .map(move |(place, &count)| (place as f64 / steps, count))
    }

    /// Number, mean and variance of the scores of the units.
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        for (score, count) in self.scores() {
            moments.merge(&Moments::repeated(score, count));
        }
        moments
    }

    fn as_slice(&self) -> &[u64] {
        match self {
            Counts::Games(counts) => counts,
            Counts::Pairs(counts) => counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of NumPy 2.4: `mean` and `var(ddof=1)` of
    /// `repeat([0, .25, .5, .75, 1], [10, 20, 40, 35, 12])`.
    #[test]
    fn moments_of_pairs_equal_numpy() {
        let counts = Counts::Pairs([10, 20, 40, 35, 12]);
        let moments = counts.moments();
        assert_eq!(moments.count(), 117);
        assert!((moments.mean() - 0.540_598_290_598_290_6).abs() < 1e-14);
        assert!((moments.variance().unwrap() - 0.075_384_983_790_156_21).abs() < 1e-14);
    }

    #[test]
    fn scores_are_counted_in_their_place() {
        let mut pairs = Counts::pairs();
        for score in [0.0, 0.25, 0.25, 0.5, 1.0] {
            assert!(pairs.add(score));
        }
        assert_eq!(pairs, Counts::Pairs([1, 2, 1, 0, 1]));
        let mut games = Counts::games();
        assert!(games.add(0.5) && games.add(1.0));
        assert_eq!(games, Counts::Games([0, 1, 1]));
    }

    #[test]
    fn impossible_scores_are_left_out() {
        let mut games = Counts::games();
        for score in [0.25, 1.0 / 3.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert!(!games.add(score), "{score}");
        }
        assert_eq!(games, Counts::games());
    }
}
