//! Dyadic rationals, the numbers among the values of finite games (Conway 1976, chapter 2).
//!
//! Numbers are exact and bounded: numerators to 2^62 and denominators to 2^62. Whatever would pass
//! a bound is refused with [`TooLarge`], so no operation overflows or rounds.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Bound, Neg};
use std::str::FromStr;

use tabia_game::TextError;
use tabia_game::text::shortened;

const MAX_NUMERATOR: i128 = 1 << 62;
const MAX_EXPONENT: u32 = 62;

/// A number `numerator / 2^exponent` in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Dyadic {
    numerator: i64,
    exponent: u32,
}

/// A number whose numerator or denominator would pass 2^62.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number would need a numerator or a denominator beyond 2^62")]
pub struct TooLarge;

impl Dyadic {
    /// Nothing.
    pub const ZERO: Dyadic = Dyadic::small(0);
    /// One move of Left.
    pub const ONE: Dyadic = Dyadic::small(1);

    const fn small(numerator: i64) -> Dyadic {
        Dyadic {
            numerator,
            exponent: 0,
        }
    }

    /// The number `numerator / 2^exponent`.
    pub fn new(numerator: i64, exponent: u32) -> Result<Dyadic, TooLarge> {
        Dyadic::reduced(i128::from(numerator), exponent)
    }

    #[inline]
    fn reduced(numerator: i128, exponent: u32) -> Result<Dyadic, TooLarge> {
        let shift = numerator.trailing_zeros().min(exponent);
        let (numerator, exponent) = (numerator >> shift, exponent - shift);
        if numerator.abs() > MAX_NUMERATOR || exponent > MAX_EXPONENT {
            return Err(TooLarge);
        }
        Ok(Dyadic {
            numerator: numerator as i64,
            exponent,
        })
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator in lowest terms is two to this power.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Whether the denominator is one.
    pub fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// Whether this is zero.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The largest integer that is not greater.
    pub fn floor(self) -> i64 {
        self.numerator >> self.exponent
    }

    /// The least integer that is not smaller.
    pub fn ceil(self) -> i64 {
        -(-self).floor()
    }

    /// Both numerators over the larger of both denominators.
    #[inline]
    fn aligned(self, other: Dyadic) -> (i128, i128, u32) {
        let exponent = self.exponent.max(other.exponent);
        let scale = |x: Dyadic| i128::from(x.numerator) << (exponent - x.exponent);
        (scale(self), scale(other), exponent)
    }

    /// The sum.
    #[inline]
    pub fn plus(self, other: Dyadic) -> Result<Dyadic, TooLarge> {
        let (a, b, exponent) = self.aligned(other);
        Dyadic::reduced(a + b, exponent)
    }

    /// The difference.
    #[inline]
    pub fn minus(self, other: Dyadic) -> Result<Dyadic, TooLarge> {
        self.plus(-other)
    }

    /// This many times the number.
    pub fn times(self, factor: i64) -> Result<Dyadic, TooLarge> {
        Dyadic::reduced(
            i128::from(self.numerator) * i128::from(factor),
            self.exponent,
        )
    }

    /// Half of it.
    pub fn half(self) -> Result<Dyadic, TooLarge> {
        Dyadic::reduced(i128::from(self.numerator), self.exponent + 1)
    }

    /// Twice as much.
    pub fn double(self) -> Result<Dyadic, TooLarge> {
        self.times(2)
    }

    /// The number without its sign.
    pub fn abs(self) -> Dyadic {
        if self.numerator < 0 { -self } else { self }
    }

    /// `1 / 2^exponent`, the distance to the neighbours that are the options of a number that is no
    /// integer.
    pub(crate) fn step(self) -> Dyadic {
        Dyadic {
            numerator: 1,
            exponent: self.exponent,
        }
    }

    /// The day on which the number is born: the depth of its canonical form.
    pub fn birthday(self) -> u64 {
        let whole = self.abs().floor().unsigned_abs();
        match self.exponent {
            0 => whole,
            exponent => whole + 1 + u64::from(exponent),
        }
    }

    /// The number with the earliest birthday between two ends: `None` if there is no number between
    /// them.
    pub fn simplest_between(
        lower: Bound<Dyadic>,
        upper: Bound<Dyadic>,
    ) -> Result<Option<Dyadic>, TooLarge> {
        let inside = |x: Dyadic| {
            (match lower {
                Bound::Included(end) => end <= x,
                Bound::Excluded(end) => end < x,
                Bound::Unbounded => true,
            }) && match upper {
                Bound::Included(end) => x <= end,
                Bound::Excluded(end) => x < end,
                Bound::Unbounded => true,
            }
        };
        if inside(Dyadic::ZERO) {
            return Ok(Some(Dyadic::ZERO));
        }
        if let (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) =
            (lower, upper)
            && (a > b || (a == b && !inside(a)))
        {
            return Ok(None);
        }
        let (end, included, positive) = match (lower, upper) {
            (Bound::Included(end), _) if end > Dyadic::ZERO => (end, true, true),
            (Bound::Excluded(end), _) if end >= Dyadic::ZERO => (end, false, true),
            (_, Bound::Included(end)) => (-end, true, false),
            (_, Bound::Excluded(end)) => (-end, false, false),
            // Without an upper end, a lower end that shuts zero out is one of the first two.
            (_, Bound::Unbounded) => return Ok(None),
        };
        // The least candidate of every denominator above the end that is nearer to zero.
        for exponent in 0..=MAX_EXPONENT + 1 {
            let exact = exponent >= end.exponent;
            let scaled = if exact {
                i128::from(end.numerator) << (exponent - end.exponent)
            } else {
                i128::from(end.numerator) >> (end.exponent - exponent)
            };
            let next = if exact && included {
                scaled
            } else {
                scaled + 1
            };
            let candidate = Dyadic::reduced(next, exponent)?;
            let candidate = if positive { candidate } else { -candidate };
            if inside(candidate) {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }
}

impl From<i32> for Dyadic {
    fn from(integer: i32) -> Dyadic {
        Dyadic::small(i64::from(integer))
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        let (a, b, _) = self.aligned(*other);
        a.cmp(&b)
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, 1u64 << exponent),
        }
    }
}

impl FromStr for Dyadic {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Dyadic, TextError> {
        let refuse = |why: &str| TextError::new(format!("'{}' {why}", shortened(text)));
        let (sign, digits) = match text.trim().strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.trim()),
        };
        let (numerator, denominator) = digits.split_once('/').unwrap_or((digits, "1"));
        let part = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(refuse("is no number; -3 and 5/8 are"));
            }
            digits
                .parse::<i64>()
                .ok()
                .filter(|&n| i128::from(n) <= MAX_NUMERATOR)
                .ok_or_else(|| refuse("has a part beyond 2^62"))
        };
        let (numerator, denominator) = (part(numerator)?, part(denominator)?);
        if denominator.count_ones() != 1 {
            return Err(refuse(
                "is no value of a finite game: the denominator must be a power of two",
            ));
        }
        Dyadic::new(sign * numerator, denominator.trailing_zeros())
            .map_err(|TooLarge| refuse("has a part beyond 2^62"))
    }
}
