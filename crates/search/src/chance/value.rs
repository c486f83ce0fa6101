//! Number types that a search can compute with.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_rational::Ratio;

/// The number type of values and probabilities: floating point for play, exact fractions for tests
/// of equality.
pub trait Scalar:
    Copy
    + PartialOrd
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The fraction `numerator / denominator`; the denominator is not zero.
    fn ratio(numerator: i64, denominator: u64) -> Self;

    /// The nearest floating-point number.
    fn to_f64(self) -> f64;

    /// The smaller of two values.
    #[inline]
    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The larger of two values.
    #[inline]
    fn most(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Scalar for f64 {
    #[inline]
    fn ratio(numerator: i64, denominator: u64) -> f64 {
        numerator as f64 / denominator as f64
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

/// Fractions small enough never to overflow: trees of a few plies with small weights.
impl Scalar for Ratio<i128> {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Ratio::new(i128::from(numerator), i128::from(denominator))
    }

    fn to_f64(self) -> f64 {
        *self.numer() as f64 / *self.denom() as f64
    }
}
