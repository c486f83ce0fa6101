//! Intervals of a share of successes: Wilson (1927), and the normal one of Wald.
//!
//! Successes may be fractions, since a draw counts one half and a shared win less. Wilson's
//! interval stays within 0 and 1 and keeps its level near the ends; Wald's does neither and is
//! there for comparison with papers that print it.

use statrs::distribution::{ContinuousCDF, Normal};

use super::Interval;

/// Every share there is: what is known without a single trial.
const ALL: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

/// The interval of Wilson (1927) for a share of successes; all shares if there were no trials.
pub fn wilson(successes: f64, trials: f64, confidence: f64) -> Interval {
    wilson_form(successes / trials, trials, normal_quantile(confidence))
}

/// The normal interval of Wald for a share of successes, cut off at 0 and 1; all shares if there
/// were no trials. It is a single point where all trials went the same way.
pub fn wald(successes: f64, trials: f64, confidence: f64) -> Interval {
    let share = (successes / trials).clamp(0.0, 1.0);
    around(
        share,
        normal_quantile(confidence) * (share * (1.0 - share) / trials).sqrt(),
    )
}

/// Wilson's interval of a share for any number of trials and any quantile in place of the normal
/// one.
pub(super) fn wilson_form(share: f64, trials: f64, quantile: f64) -> Interval {
    let share = share.clamp(0.0, 1.0);
    let correction = quantile * quantile / trials;
    let middle = (share + correction / 2.0) / (1.0 + correction);
    let spread = share * (1.0 - share) / trials + correction / (4.0 * trials);
    let interval = around(middle, quantile * spread.sqrt() / (1.0 + correction));
    // Rounding must not close an end that is open.
    Interval {
        low: if share == 0.0 { 0.0 } else { interval.low },
        high: if share == 1.0 { 1.0 } else { interval.high },
    }
}

fn around(middle: f64, half: f64) -> Interval {
    let (low, high) = (middle - half, middle + half);
    if low.is_nan() || high.is_nan() {
        return ALL;
    }
    Interval {
        low: low.clamp(0.0, 1.0),
        high: high.clamp(0.0, 1.0),
    }
}

/// How many standard deviations to either side hold this share of the normal distribution; infinite
/// for a share of 1 or more.
pub(super) fn normal_quantile(confidence: f64) -> f64 {
    if confidence < 1.0 {
        Normal::standard().inverse_cdf(0.5 + confidence.max(0.0) / 2.0)
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_near(interval: Interval, low: f64, high: f64) {
        assert!((interval.low - low).abs() < 1e-11, "{interval:?}");
        assert!((interval.high - high).abs() < 1e-11, "{interval:?}");
    }

    /// Values of SciPy 1.17: `binomtest(k, n).proportion_ci(confidence, method="wilson")`.
    #[test]
    fn wilson_equals_scipy() {
        for (successes, trials, confidence, low, high) in [
            (
                8.0,
                10.0,
                0.95,
                0.490_162_471_536_641_8,
                0.943_317_848_545_624_8,
            ),
            (0.0, 20.0, 0.95, 0.0, 0.161_125_158_052_819_35),
            (
                123.0,
                400.0,
                0.95,
                0.264_287_397_731_303_9,
                0.354_374_835_587_400_3,
            ),
            (
                123.0,
                400.0,
                0.99,
                0.251_612_287_864_451_94,
                0.369_669_600_907_872_2,
            ),
        ] {
            assert_near(wilson(successes, trials, confidence), low, high);
        }
    }

    /// Values of statsmodels 0.15: `proportion_confint(k, n, 1 - confidence, method)`.
    #[test]
    fn fractional_successes_equal_statsmodels() {
        assert_near(
            wilson(12.5, 20.0, 0.95),
            0.409_489_566_151_426_7,
            0.800_229_144_335_368_6,
        );
        assert_near(
            wilson(12.5, 20.0, 0.9),
            0.442_327_229_146_230_9,
            0.777_883_311_513_527_9,
        );
        assert_near(
            wald(12.5, 20.0, 0.95),
            0.412_827_674_860_717_8,
            0.837_172_325_139_282_2,
        );
        assert_near(wald(1.0, 20.0, 0.95), 0.0, 0.145_516_829_402_721_23);
    }

    #[test]
    fn nothing_is_known_without_trials_or_with_full_confidence() {
        for method in [wilson, wald] {
            assert_eq!(method(0.0, 0.0, 0.95), ALL);
            assert_eq!(method(3.0, 7.0, 1.0), ALL);
            assert_eq!(method(3.0, 7.0, f64::NAN), ALL);
            assert_eq!(method(f64::NAN, 7.0, 0.95), ALL);
        }
        assert_near(wilson(3.0, 4.0, 0.0), 0.75, 0.75);
    }
}
