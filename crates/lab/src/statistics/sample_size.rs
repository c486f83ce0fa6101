//! How many units a measurement needs, and what a smaller deviation saves.
//!
//! The standard error falls with the root of the number of units, so the work grows with the square
//! of the deviation: Sheppard (2004) states the value of a method as the speed-up that this gives.

/// How many units are needed for a mean with this standard error, if the scores of single units
/// have this standard deviation. None if no number of units will do.
pub fn sample_size(standard_deviation: f64, standard_error: f64) -> Option<u64> {
    let units = (standard_deviation / standard_error).powi(2);
    // A whole number must not be rounded up because of its last bit.
    let units = (units * (1.0 - 1e-12)).ceil();
    (standard_error > 0.0 && units < u64::MAX as f64).then_some(units as u64)
}

/// How many times fewer units are needed when the standard deviation falls from `before` to
/// `after`; infinite if nothing is left of it, 1 if there was nothing to begin with.
pub fn speed_up(before: f64, after: f64) -> f64 {
    if before == after {
        1.0
    } else {
        (before / after).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sheppard (2004, section 3): a measurement of 1600 hands had a deviation of 0.251 small bets,
    /// where the difference was 0.025.
    #[test]
    fn sheppard_2004_sample_sizes() {
        let one_hand = 0.251 * 1600_f64.sqrt();
        assert_eq!(sample_size(one_hand, 0.251), Some(1600));
        assert_eq!(sample_size(one_hand, 0.025), Some(161_283));
        assert_eq!(sample_size(one_hand, 0.005), Some(4_032_064));
    }

    /// Sheppard (2004, sections 5 and 8.3.4): deviations with their speed-ups. The paper prints 11,
    /// 28 and 70; the others are the same quotient.
    #[test]
    fn sheppard_2004_speed_ups() {
        for (before, after, times) in [
            (0.251, 0.075, 11.2),
            (0.075, 0.048, 2.44),
            (0.251, 0.047, 28.5),
            (0.251, 0.153, 2.69),
            (0.251, 0.030, 70.0),
        ] {
            let ours = speed_up(before, after);
            assert!((ours / times - 1.0).abs() < 0.002, "{ours} for {times}");
        }
    }

    #[test]
    fn impossible_demands_have_no_answer() {
        for standard_error in [0.0, -1.0, f64::NAN, 1e-30] {
            assert_eq!(sample_size(0.5, standard_error), None);
        }
        assert_eq!(sample_size(0.0, 0.1), Some(0));
        assert_eq!(speed_up(0.0, 0.0), 1.0);
    }
}
