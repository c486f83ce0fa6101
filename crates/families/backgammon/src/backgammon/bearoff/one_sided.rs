//! How many rolls it takes to bear off, by play that takes the fewest on average.

use super::home::{Steps, home_number, home_of, homes};
use crate::backgammon::board::{Board, CHECKERS, Side};
use crate::backgammon::plays::Roll;

/// For every home the distribution of the number of rolls to bear all checkers off, with the play
/// that makes its mean least.
///
/// ```
/// use tabia_backgammon::backgammon::{OneSided, POINTS};
///
/// let one_sided = OneSided::new();
/// let mut side = [0; POINTS + 1];
/// side[5] = 1;
/// // From the six point three quarters of all throws bear off, and the rest do so next time.
/// assert_eq!(one_sided.distribution(&side), Some(&[0.0, 0.75, 0.25][..]));
/// assert_eq!(one_sided.mean(&side), Some(1.25));
/// ```
#[derive(Clone, Debug)]
pub struct OneSided {
    /// Where the distribution of each home begins, and the end of the last.
    starts: Vec<u32>,
    /// The probability of no roll, of one, of two and so on.
    probabilities: Vec<f64>,
    means: Vec<f64>,
}

impl OneSided {
    /// Computes the distributions of all homes.
    #[expect(clippy::new_without_default, reason = "it takes a while")]
    pub fn new() -> OneSided {
        let steps = Steps::new(CHECKERS);
        let rolls: Vec<(Roll, f64)> = Roll::all()
            .map(|(roll, weight)| (roll, weight as f64))
            .collect();
        let throws: f64 = rolls.iter().map(|(_, weight)| weight).sum();
        // The empty home, which takes no roll.
        let mut found = OneSided {
            starts: vec![0, 1],
            probabilities: vec![1.0],
            means: vec![0.0],
        };
        let (mut plays, mut spare) = (Vec::new(), Vec::new());
        let mut row: Vec<f64> = Vec::new();
        for number in 1..homes(CHECKERS) {
            row.clear();
            let mut later = 0.0;
            for &(roll, weight) in &rolls {
                steps.plays(number as u16, roll, &mut plays, &mut spare);
                let by_mean = |&&a: &&u16, &&b: &&u16| {
                    found.means[usize::from(a)].total_cmp(&found.means[usize::from(b)])
                };
                // Every play leads to a lower number.
                let best = plays.iter().min_by(by_mean).map_or(0, |&n| usize::from(n));
                later += weight * found.means[best];
                let after = found.row(best);
                if row.len() < after.len() + 1 {
                    row.resize(after.len() + 1, 0.0);
                }
                for (sum, p) in row[1..].iter_mut().zip(after) {
                    *sum += weight * p;
                }
            }
            let shares = row.iter().map(|sum| sum / throws);
            found.probabilities.extend(shares);
            found.starts.push(found.probabilities.len() as u32);
            found.means.push(1.0 + later / throws);
        }
        found
    }

    fn row(&self, number: usize) -> &[f64] {
        &self.probabilities[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The probabilities that a side takes no roll, one, two and so on; the last is not zero.
    /// `None` if it has checkers outside of its home.
    pub fn distribution(&self, side: &Side) -> Option<&[f64]> {
        Some(self.row(home_number(&home_of(side)?)?))
    }

    /// How many rolls a side takes on average; `None` if it has checkers outside of its home.
    pub fn mean(&self, side: &Side) -> Option<f64> {
        self.means.get(home_number(&home_of(side)?)?).copied()
    }

    /// The probability that the player on roll bears off first if both play for few rolls; `None`
    /// if somebody has checkers outside of their home.
    ///
    /// Best play looks at the opponent, too, so this is close to the true probability but not it.
    pub fn race(&self, board: &Board) -> Option<f64> {
        let [own, other] = board.sides();
        let (own, other) = (self.distribution(own)?, self.distribution(other)?);
        let mut sooner = 0.0;
        let mut win = 0.0;
        for (rolls, p) in own.iter().enumerate() {
            win += p * (1.0 - sooner);
            sooner += other.get(rolls).unwrap_or(&0.0);
        }
        Some(win)
    }
}
