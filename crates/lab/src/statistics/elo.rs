//! Scores on the logistic scale of Elo, on which 400 points are odds of ten to one.

use serde::Serialize;
use statrs::function::beta::checked_beta_reg;

use super::score::student_cdf;
use super::{Interval, Score};

/// The difference in strength at which this share of the points is expected; infinite for all or
/// none of them.
pub fn elo_of_share(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points expected at this difference in strength.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A score on the scale of Elo.
///
/// Its figures are infinite where all points went to one side; in JSON they are `null` then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference in strength.
    pub difference: f64,
    /// The interval of the score, on the same scale.
    pub interval: Interval,
    /// The probability that this side is the stronger one.
    pub likelihood_of_superiority: f64,
}

impl From<&Score> for Elo {
    fn from(score: &Score) -> Elo {
        Elo {
            difference: elo_of_share(score.mean),
            interval: Interval {
                low: elo_of_share(score.interval.low),
                high: elo_of_share(score.interval.high),
            },
            likelihood_of_superiority: likelihood_of_superiority(score),
        }
    }
}

/// The probability of Student's distribution that the true mean lies above 1/2, as that of the
/// interval. Where there is no standard error the units are taken as trials with a uniform prior:
/// then it is the tail of a Beta distribution, 1/2 for draws only or no games, and never quite 1
/// for wins only.
fn likelihood_of_superiority(score: &Score) -> f64 {
    if score.mean == 0.5 {
        return 0.5;
    }
    let units = score.units as f64;
    match score.standard_error {
        Some(error) => student_cdf((score.mean - 0.5) / error, units - 1.0),
        None => {
            let wins = score.mean * units;
            checked_beta_reg(units - wins + 1.0, wins + 1.0, 0.5).unwrap_or(0.5)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CONFIDENCE, Counts, Moments};
    use super::*;
    use proptest::prelude::*;

    /// Odds of ten to one are 400 points by definition; 3/4 is the well-known 190.85.
    #[test]
    fn known_shares() {
        assert_eq!(elo_of_share(0.5), 0.0);
        assert!((elo_of_share(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((elo_of_share(0.75) - 190.848_501_887_865).abs() < 1e-9);
        assert_eq!(elo_of_share(1.0), f64::INFINITY);
        assert_eq!(elo_of_share(0.0), f64::NEG_INFINITY);
        assert_eq!(share_of_elo(f64::NEG_INFINITY), 0.0);
    }

    proptest! {
        #[test]
        fn shares_and_elo_are_inverse(elo in -2000.0..2000.0) {
            prop_assert!((elo_of_share(share_of_elo(elo)) - elo).abs() < 1e-6);
        }
    }

    fn superiority(counts: Counts) -> f64 {
        Elo::from(&Score::of_counts(&counts, CONFIDENCE)).likelihood_of_superiority
    }

    /// Values of SciPy 1.17: `t.cdf((mean - .5) / sem, units - 1)` and
    /// `beta.sf(.5, wins + 1, losses + 1)`.
    #[test]
    fn likelihood_of_superiority_equals_scipy() {
        for (counts, expected) in [
            (Counts::Pairs([10, 20, 40, 35, 12]), 0.943_774_486_043_066_9),
            (Counts::Pairs([0, 0, 0, 1, 1]), 0.897_583_617_650_433_3),
            (Counts::Games([0, 0, 1]), 0.75),
            (Counts::Games([0, 0, 10]), 0.999_511_718_75),
            (Counts::Games([3, 0, 0]), 0.0625),
            (Counts::Games([0, 1_000_000, 0]), 0.5),
            (Counts::pairs(), 0.5),
        ] {
            let ours = superiority(counts);
            assert!((ours - expected).abs() < 1e-9, "{counts:?}: {ours}");
        }
        assert!(superiority(Counts::Games([0, 0, 1_000_000_000])) > 1.0 - 1e-12);
        let equal = Score::new(&Moments::repeated(1.0 / 3.0, 1_000_000), CONFIDENCE);
        assert!(Elo::from(&equal).likelihood_of_superiority < 1e-12);
    }

    #[test]
    fn all_wins_have_an_open_end() {
        for games in 1..1000 {
            let elo = Elo::from(&Score::of_counts(&Counts::Games([0, 0, games]), CONFIDENCE));
            assert_eq!(
                (elo.difference, elo.interval.high),
                (f64::INFINITY, f64::INFINITY)
            );
            let mirrored = Elo::from(&Score::of_counts(&Counts::Games([games, 0, 0]), CONFIDENCE));
            assert_eq!(mirrored.interval.low, f64::NEG_INFINITY);
        }
        let elo = Elo::from(&Score::of_counts(&Counts::Games([0, 0, 20]), CONFIDENCE));
        assert!(elo.interval.low > 0.0 && elo.interval.low.is_finite());
        let json = serde_json::to_value(elo).unwrap();
        assert!(json["interval"]["high"].is_null() && json["interval"]["low"].is_number());
    }
}
