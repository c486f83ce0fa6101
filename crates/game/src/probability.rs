//! The probability of winning as a fixed-point number, so that tables of it can be derived again to
//! the last bit.

use std::fmt;

/// The probability that a player wins, in 32 bits: the number n stands for n / (2^32 - 1).
///
/// 0 is a certain loss and 2^32 - 1 a certain win, and nothing else is: what lies between, however
/// close, is rounded to the nearest of the other numbers. The opponent's probability is the
/// complement of the bits, without any rounding.
///
/// ```
/// use tabia_game::Probability;
///
/// let one_in_four = [(Probability::WIN, 9), (Probability::LOSS, 27)];
/// let mean = Probability::mean(one_in_four).expect("outcomes");
/// assert!((mean.to_f64() - 0.25).abs() < 1e-9);
/// assert!((mean.flipped().to_f64() - 0.75).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability(u32);

impl Probability {
    /// The player cannot win.
    pub const LOSS: Probability = Probability(0);
    /// The player cannot lose.
    pub const WIN: Probability = Probability(u32::MAX);

    /// The probability that these bits stand for.
    #[inline]
    pub fn from_bits(bits: u32) -> Probability {
        Probability(bits)
    }

    /// The bits that stand for it.
    #[inline]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The probability of the opponent, where nobody draws.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Probability {
        Probability(!self.0)
    }

    /// As a number from 0 to 1.
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(u32::MAX)
    }

    /// The mean of probabilities with their weights; `None` if there is no weight.
    #[inline]
    pub fn mean(parts: impl IntoIterator<Item = (Probability, u64)>) -> Option<Probability> {
        let (mut sum, mut whole) = (0u128, 0u128);
        for (part, weight) in parts {
            sum += u128::from(part.0) * u128::from(weight);
            whole += u128::from(weight);
        }
        if whole == 0 {
            return None;
        }
        let certain = u128::from(u32::MAX);
        Some(if sum == 0 {
            Probability::LOSS
        } else if sum == whole * certain {
            Probability::WIN
        } else {
            let nearest = (2 * sum + whole) / (2 * whole);
            Probability(nearest.clamp(1, certain - 1) as u32)
        })
    }
}

/// In percent, as `81.2500 %`; what is certain has no decimals.
impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Probability::LOSS => f.write_str("0 %"),
            Probability::WIN => f.write_str("100 %"),
            between => write!(f, "{:.4} %", 100.0 * between.to_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u32 = u32::MAX;

    fn mean(parts: &[(u32, u64)]) -> Option<u32> {
        let parts = parts
            .iter()
            .map(|&(bits, weight)| (Probability(bits), weight));
        Probability::mean(parts).map(Probability::bits)
    }

    #[test]
    fn means_are_rounded_to_the_nearest() {
        assert_eq!(mean(&[(10, 1), (11, 2)]), Some(11));
        assert_eq!(mean(&[(10, 2), (11, 1)]), Some(10));
        assert_eq!(mean(&[(10, 1), (11, 1)]), Some(11));
        // 13/16 of 2^32 - 1 is 3,489,660,927.1875.
        assert_eq!(mean(&[(ONE, 13), (0, 3)]), Some(3_489_660_927));
        assert_eq!(mean(&[(ONE, u64::MAX), (ONE, u64::MAX)]), Some(ONE));
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[(7, 0)]), None);
    }

    #[test]
    fn only_what_is_certain_looks_certain() {
        assert_eq!(mean(&[(0, 35), (0, 1)]), Some(0));
        assert_eq!(mean(&[(ONE, 35), (ONE, 1)]), Some(ONE));
        assert_eq!(mean(&[(0, 35), (1, 1)]), Some(1));
        assert_eq!(mean(&[(ONE, 35), (ONE - 1, 1)]), Some(ONE - 1));
        assert_eq!(Probability(1).to_string(), "0.0000 %");
        assert_eq!(Probability(0).to_string(), "0 %");
        assert_eq!(Probability(ONE).flipped(), Probability::LOSS);
    }
}
