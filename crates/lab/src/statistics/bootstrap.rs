//! The paired bootstrap of Efron and Tibshirani (1993) for ratios of totals.

use rand::RngExt;
use tabia_game::Seed;

use super::Interval;

const RESAMPLES: usize = 4000;

/// The ratio of two totals over the same items, `sum(new) / sum(old)`, and its 95% interval by the
/// paired bootstrap: items are drawn with replacement, each with both of its measurements.
///
/// Where both totals are zero, as they are without items, the ratio is not a number and the
/// interval is the whole line. Draws whose totals are both zero do not count.
pub fn paired_ratio(new: &[f64], old: &[f64], seed: Seed) -> (f64, Interval) {
    let items: Vec<(f64, f64)> = new.iter().copied().zip(old.iter().copied()).collect();
    let quotient = |items: &mut dyn Iterator<Item = (f64, f64)>| {
        let (above, below) =
            items.fold((0.0, 0.0), |sums, item| (sums.0 + item.0, sums.1 + item.1));
        above / below
    };
    let ratio = quotient(&mut items.iter().copied());
    let mut ratios = Vec::new();
    if !items.is_empty() {
        let mut rng = seed.split("bootstrap").rng();
        ratios.extend((0..RESAMPLES).map(|_| {
            let mut drawn = (0..items.len()).map(|_| items[rng.random_range(0..items.len())]);
            quotient(&mut drawn)
        }));
        ratios.retain(|ratio| !ratio.is_nan());
        ratios.sort_by(f64::total_cmp);
    }
    let at = |share: f64| {
        let last = ratios.len().checked_sub(1)?;
        ratios.get((last as f64 * share).round() as usize).copied()
    };
    let interval = Interval {
        low: at(0.025).unwrap_or(f64::NEG_INFINITY),
        high: at(0.975).unwrap_or(f64::INFINITY),
    };
    (ratio, interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_ratio_has_no_spread() {
        let old = [3.0, 8.0, 100.0];
        let (ratio, interval) = paired_ratio(&old.map(|x| x * 0.5), &old, Seed::new(1));
        let (low, high) = (0.5, 0.5);
        assert_eq!((ratio, interval), (0.5, Interval { low, high }));
    }

    #[test]
    fn without_items_nothing_is_known() {
        let (ratio, interval) = paired_ratio(&[], &[1.0], Seed::new(1));
        assert!(ratio.is_nan() && interval.contains(-1e300) && interval.contains(1e300));
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
                interval.contains(0.9)
            })
            .count();
        assert!((270..=297).contains(&covered), "{covered} of 300");
    }
}
