//! Statistics of paired measurements.

use rand::RngExt;
use serde::Serialize;
use tabia_game::Seed;

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

const RESAMPLES: usize = 4000;

/// The ratio of two totals over the same items, `sum(new) / sum(old)`, and its 95% interval by the
/// paired bootstrap (Efron and Tibshirani 1993): items are drawn with replacement, each with both
/// of its measurements.
pub fn paired_ratio(new: &[f64], old: &[f64], seed: Seed) -> (f64, Interval) {
    let items = new.len().min(old.len());
    let total = |figures: &[f64]| figures[..items].iter().sum::<f64>();
    let ratio = total(new) / total(old);
    if items == 0 {
        return (
            ratio,
            Interval {
                low: f64::NAN,
                high: f64::NAN,
            },
        );
    }
    let mut rng = seed.split("bootstrap").rng();
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut above, mut below) = (0.0, 0.0);
            for _ in 0..items {
                let item = rng.random_range(0..items);
                above += new[item];
                below += old[item];
            }
            above / below
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((RESAMPLES - 1) as f64 * share).round() as usize];
    (
        ratio,
        Interval {
            low: at(0.025),
            high: at(0.975),
        },
    )
}

/// The interval of Wilson (1927) for a share of successes, 95%.
pub fn wilson(successes: u64, trials: u64) -> Interval {
    const Z: f64 = 1.959_963_984_540_054;
    let n = trials.max(1) as f64;
    let share = successes as f64 / n;
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    Interval {
        low: middle - half,
        high: middle + half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of SciPy 1.17: `binomtest(k, n).proportion_ci(method="wilson")`.
    #[test]
    fn wilson_equals_scipy() {
        for (successes, trials, low, high) in [
            (8, 10, 0.490_162_471_536_641_8, 0.943_317_848_545_624_8),
            (0, 20, 0.0, 0.161_125_158_052_819_35),
            (123, 400, 0.264_287_397_731_303_9, 0.354_374_835_587_400_3),
        ] {
            let interval = wilson(successes, trials);
            assert!((interval.low - low).abs() < 1e-12, "{interval:?}");
            assert!((interval.high - high).abs() < 1e-12, "{interval:?}");
        }
    }

    #[test]
    fn a_constant_ratio_has_no_spread() {
        let old = [3.0, 8.0, 100.0];
        let (ratio, interval) = paired_ratio(&old.map(|x| x * 0.5), &old, Seed::new(1));
        assert_eq!(
            (ratio, interval),
            (
                0.5,
                Interval {
                    low: 0.5,
                    high: 0.5
                }
            )
        );
    }

    /// Ratios of independent totals: the interval covers the true ratio about 95 times in 100.
    #[test]
    fn intervals_cover_the_truth_at_the_nominal_rate() {
        let covered = (0..300)
            .filter(|&trial| {
                let seed = Seed::new(trial);
                let mut rng = seed.split("data").rng();
                let mut draw = |mean: f64| -> Vec<f64> {
                    (0..60)
                        .map(|_| mean * (0.5 + rng.random::<f64>()))
                        .collect()
                };
                let (new, old) = (draw(0.9), draw(1.0));
                let (_, interval) = paired_ratio(&new, &old, seed);
                interval.low <= 0.9 && 0.9 <= interval.high
            })
            .count();
        assert!((270..=297).contains(&covered), "{covered} of 300");
    }
}
