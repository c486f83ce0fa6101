//! The score of a match: a mean of unit scores and the interval around it.
//!
//! A unit is a game, or a pair or round of games that share opening and luck. Units are
//! independent, the games within one are not, so neither the number of games nor that of units can
//! be the number of trials of Wilson's interval. Its place is taken by the effective number of
//! trials, the one for which independent trials would have the variance that was seen (Kish 1965,
//! the design effect): `mean (1 - mean) / (variance / units)`. Pairing that works, and draws, thus
//! narrow the interval. Since the variance is itself an estimate, the quantile is that of Student's
//! distribution with `units - 1` degrees of freedom.
//!
//! Where all units scored the same, or there is only one, the variance says nothing, and the
//! interval is Wilson's with the units as trials.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::share::{normal_quantile, wilson, wilson_form};
use super::{Counts, Interval, Moments};

/// What one side of a match scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// How many independent units were played.
    pub units: u64,
    /// The share of the points, between 0 and 1; 1/2 if nothing was played.
    pub mean: f64,
    /// The standard error of the mean; none where the units do not differ.
    pub standard_error: Option<f64>,
    /// The interval of the mean.
    pub interval: Interval,
}

impl Score {
    /// The score of units that each scored between 0 and 1.
    pub fn new(units: &Moments, confidence: f64) -> Score {
        // Less than any real difference between two scores leaves, more than rounding does.
        let differ = units.variance().is_some_and(|v| v > f64::EPSILON);
        let standard_error = units.standard_error().filter(|_| differ);
        let played = units.count() > 0;
        let mean = if played {
            units.mean().clamp(0.0, 1.0)
        } else {
            0.5
        };
        let interval = match standard_error {
            Some(error) => wilson_form(
                mean,
                mean * (1.0 - mean) / (error * error),
                student_quantile(confidence, (units.count() - 1) as f64),
            ),
            None => {
                let trials = units.count() as f64;
                wilson(mean * trials, trials, confidence)
            }
        };
        Score {
            units: units.count(),
            mean,
            standard_error,
            interval,
        }
    }

    /// The score of counted games or pairs.
    pub fn of_counts(counts: &Counts, confidence: f64) -> Score {
        Score::new(&counts.moments(), confidence)
    }
}

/// A mean of anything, and where the true one lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its interval, by Student's distribution; without end where there is only one figure.
    pub interval: Interval,
}

impl Mean {
    /// The mean of these figures.
    pub fn new(figures: &Moments, confidence: f64) -> Mean {
        let mean = figures.mean();
        let half = match figures.standard_error() {
            Some(error) => error * student_quantile(confidence, (figures.count() - 1) as f64),
            None => f64::INFINITY,
        };
        Mean {
            mean,
            interval: Interval {
                low: mean - half,
                high: mean + half,
            },
        }
    }
}

/// How many standard errors to either side hold this share of Student's distribution; infinite for
/// a share of 1 or more.
fn student_quantile(confidence: f64, freedom: f64) -> f64 {
    // Inverting the incomplete beta function loses its digits with many degrees of freedom. There
    // the expansion around the normal quantile (Abramowitz and Stegun 1964, 26.7.5) is the better
    // one.
    if freedom >= 1000.0 {
        let z = normal_quantile(confidence);
        let first = z * (z * z + 1.0) / 4.0;
        let second = z * ((5.0 * z * z + 16.0) * z * z + 3.0) / 96.0;
        return z + (first + second / freedom) / freedom;
    }
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if confidence < 1.0 => student.inverse_cdf(0.5 + confidence.max(0.0) / 2.0),
        _ => f64::INFINITY,
    }
}

/// The probability that Student's distribution gives to values up to this one.
pub(super) fn student_cdf(value: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < 1e6 => student.cdf(value),
        // Indistinguishable, and free of the trouble with many degrees of freedom.
        _ => Normal::standard().cdf(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::CONFIDENCE;
    use super::*;
    use rand::{Rng, RngExt};
    use tabia_game::Seed;

    /// Values of SciPy 1.17: `t.ppf((1 + confidence) / 2, freedom)`.
    #[test]
    fn quantiles_equal_scipy() {
        for (freedom, half, most) in [
            (1.0, 1.000_000_000_000_000_2, 12.706_204_736_174_694),
            (2.0, 0.816_496_580_927_726_1, 4.302_652_729_749_462),
            (10.0, 0.699_812_061_312_431_7, 2.228_138_851_986_274),
            (99.0, 0.676_975_985_546_153_1, 1.984_216_951_586_417_4),
            (999.0, 0.674_735_410_346_719_2, 1.962_341_461_133_449_3),
            (1000.0, 0.674_735_164_607_009_3, 1.962_339_080_826_408_3),
            (1e5, 0.674_492_203_553_292, 1.959_987_707_534_609_5),
            (1e7, 0.674_489_774_729_574_9, 1.959_964_221_767_205),
            (1e9, 0.674_489_750_441_416_3, 1.959_963_986_912_325),
        ] {
            for (confidence, expected) in [(0.5, half), (0.95, most)] {
                let ours = student_quantile(confidence, freedom);
                assert!(
                    (ours / expected - 1.0).abs() < 1e-6,
                    "{freedom}: {ours} for {expected}"
                );
            }
        }
    }

    /// Value of statsmodels 0.15 with the effective trials and the confidence put in by hand.
    #[test]
    fn the_interval_is_wilsons_with_effective_trials() {
        let score = Score::of_counts(&Counts::Pairs([10, 20, 40, 35, 12]), CONFIDENCE);
        assert_eq!(score.units, 117);
        assert!(
            (score.interval.low - 0.490_166_506_930_883_4).abs() < 1e-8,
            "{score:?}"
        );
        assert!(
            (score.interval.high - 0.590_212_030_085_965_5).abs() < 1e-8,
            "{score:?}"
        );
    }

    #[test]
    fn equal_units_are_trials() {
        for (score, mean) in [(1.0, 5.0), (0.5, 2.5), (0.0, 0.0)] {
            let ours = Score::new(&Moments::repeated(score, 5), CONFIDENCE);
            assert_eq!(ours.interval, wilson(mean, 5.0, CONFIDENCE));
            assert_eq!(ours.standard_error, None);
        }
        let one = Score::new(&Moments::repeated(0.5, 1), CONFIDENCE);
        assert_eq!(one.interval, wilson(0.5, 1.0, CONFIDENCE));
    }

    #[test]
    fn nothing_is_known_without_games() {
        let none = Score::of_counts(&Counts::pairs(), CONFIDENCE);
        assert_eq!(
            (none.mean, none.interval.low, none.interval.high),
            (0.5, 0.0, 1.0)
        );
    }

    /// How many of 2000 matches have an interval that covers the true share.
    fn coverage(
        name: &str,
        units: u64,
        truth: f64,
        mut unit: impl FnMut(&mut dyn Rng) -> f64,
    ) -> f64 {
        const MATCHES: u64 = 2000;
        let covered = (0..MATCHES)
            .filter(|&number| {
                let mut rng = Seed::new(7).split(name).number(number).rng();
                let moments: Moments = (0..units).map(|_| unit(&mut rng)).collect();
                Score::new(&moments, CONFIDENCE).interval.contains(truth)
            })
            .count();
        covered as f64 / MATCHES as f64
    }

    /// Within four standard errors of the simulation, which are 2%.
    #[test]
    fn intervals_cover_the_truth_at_the_nominal_rate() {
        // A draw with this probability, else the first side wins with that one.
        fn game(rng: &mut dyn Rng, draws: f64, first_wins: f64) -> f64 {
            if rng.random::<f64>() < draws {
                0.5
            } else {
                f64::from(rng.random::<f64>() < first_wins)
            }
        }
        // Openings that favour one seat or the other: the two games of a pair go opposite ways.
        fn biased_pair(rng: &mut dyn Rng, draws: f64) -> f64 {
            let bias = if rng.random::<bool>() { 0.85 } else { 0.3 };
            (game(rng, draws, bias) + game(rng, draws, 1.0 - bias)) / 2.0
        }
        // A pair whose second game mostly repeats the result of the first.
        fn like_pair(rng: &mut dyn Rng, first_wins: f64) -> f64 {
            let first = game(rng, 0.2, first_wins);
            let second = game(rng, 0.2, first_wins);
            if rng.random::<f64>() < 0.7 {
                first
            } else {
                (first + second) / 2.0
            }
        }
        let rates = [
            coverage("games", 200, 0.5, |rng| game(rng, 0.0, 0.5)),
            coverage("draws", 200, 0.5, |rng| game(rng, 0.6, 0.5)),
            coverage("few", 15, 0.5, |rng| game(rng, 0.3, 0.5)),
            coverage("many", 2000, 0.5, |rng| game(rng, 0.3, 0.5)),
            coverage("pairs", 100, 0.5, |rng| biased_pair(rng, 0.0)),
            coverage("drawn pairs", 100, 0.5, |rng| biased_pair(rng, 0.4)),
            coverage("like pairs", 100, 0.5, |rng| like_pair(rng, 0.5)),
            coverage("stronger", 200, 0.8, |rng| game(rng, 0.0, 0.8)),
            coverage("stronger, draws", 200, 0.8, |rng| game(rng, 0.2, 0.875)),
            coverage("stronger, like pairs", 100, 0.74, |rng| like_pair(rng, 0.8)),
        ];
        assert!(
            rates.iter().all(|rate| (rate - 0.95).abs() < 0.0195),
            "{rates:?}"
        );
    }

    /// Few units that all go alike say less than their games would: nobody may count these.
    #[test]
    fn few_units_of_equal_games_do_not_overstate() {
        for (units, truth) in [(5, 0.7), (10, 0.8), (20, 0.9)] {
            let rate = coverage("alike", units, truth, |rng| {
                f64::from(rng.random::<f64>() < truth)
            });
            assert!(rate > 0.93, "{units} units at {truth}: {rate}");
        }
    }
}
