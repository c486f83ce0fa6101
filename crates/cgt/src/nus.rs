//! Sums of a number, a multiple of up and a nimber, which are most of the values met in practice.
//!
//! Their sums, their order and their canonical options have closed forms (Siegel 2013, section
//! II.2), so they are never written out unless something else is compared with them.

use crate::values::Exceeded;
use crate::{Dyadic, TooLarge};

/// `number + up * ↑ + *nimber`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct NumberUpStar {
    /// The number.
    pub number: Dyadic,
    /// How many ups; downs are negative.
    pub up: i32,
    /// The size of the nim heap.
    pub nimber: u32,
}

impl From<Dyadic> for NumberUpStar {
    fn from(number: Dyadic) -> NumberUpStar {
        NumberUpStar {
            number,
            ..NumberUpStar::default()
        }
    }
}

impl NumberUpStar {
    /// Whether there is neither an up nor a star.
    #[inline]
    pub fn is_number(self) -> bool {
        self.up == 0 && self.nimber == 0
    }

    /// Whether there is neither a number nor an up.
    pub fn is_nimber(self) -> bool {
        self.up == 0 && self.number.is_zero()
    }

    /// How deep its options go before all is a number.
    pub(crate) fn height(self) -> u64 {
        u64::from(self.up.unsigned_abs()) + u64::from(self.nimber)
    }

    pub(crate) fn negative(self) -> NumberUpStar {
        NumberUpStar {
            number: -self.number,
            up: -self.up,
            nimber: self.nimber,
        }
    }

    #[inline]
    pub(crate) fn plus(self, other: NumberUpStar) -> Result<NumberUpStar, TooLarge> {
        Ok(NumberUpStar {
            number: self.number.plus(other.number)?,
            up: self.up + other.up,
            nimber: self.nimber ^ other.nimber,
        })
    }

    /// Whether Left, moving second, does at least as well in `other`.
    #[inline]
    pub(crate) fn le(self, other: NumberUpStar) -> bool {
        if self.number != other.number {
            return self.number < other.number;
        }
        let star = self.nimber ^ other.nimber;
        match other.up - self.up {
            0 => star == 0,
            1 => star != 1,
            ups => ups > 1,
        }
    }

    /// The options of the canonical form.
    pub(crate) fn options(
        self,
        left: &mut Vec<NumberUpStar>,
        right: &mut Vec<NumberUpStar>,
    ) -> Result<(), Exceeded> {
        let number = self.number;
        if self.is_number() {
            let side = |x: Result<Dyadic, TooLarge>| x.map(NumberUpStar::from);
            if !number.is_integer() {
                left.push(side(number.minus(number.step()))?);
                right.push(side(number.plus(number.step()))?);
            } else if number > Dyadic::ZERO {
                left.push(side(number.minus(Dyadic::ONE))?);
            } else if number < Dyadic::ZERO {
                right.push(side(number.plus(Dyadic::ONE))?);
            }
            return Ok(());
        }
        let at = |up: i32, nimber: u32| NumberUpStar { number, up, nimber };
        match (self.up, self.nimber) {
            (0, nimber) => {
                left.extend((0..nimber).map(|smaller| at(0, smaller)));
                right.extend((0..nimber).map(|smaller| at(0, smaller)));
            }
            (1, 1) => {
                left.extend([at(0, 0), at(0, 1)]);
                right.push(at(0, 0));
            }
            (-1, 1) => {
                left.push(at(0, 0));
                right.extend([at(0, 0), at(0, 1)]);
            }
            (up, nimber) if up > 0 => {
                left.push(at(0, 0));
                right.push(at(up - 1, nimber ^ 1));
            }
            (up, nimber) => {
                left.push(at(up + 1, nimber ^ 1));
                right.push(at(0, 0));
            }
        }
        Ok(())
    }

    /// The value that has these options, which are canonical and all of this kind with the same
    /// number.
    pub(crate) fn of_options(
        left: &[NumberUpStar],
        right: &[NumberUpStar],
    ) -> Option<NumberUpStar> {
        let number = left.first()?.number;
        let at = |up: i32, nimber: u32| Some(NumberUpStar { number, up, nimber });
        let zero = NumberUpStar::from(number);
        let heap = |side: &[NumberUpStar]| {
            side.iter().all(|option| {
                option.up == 0 && option.number == number && (option.nimber as usize) < side.len()
            })
        };
        if left.len() == right.len() && heap(left) && heap(right) {
            return at(0, left.len() as u32);
        }
        let star = at(0, 1)?;
        let is_upstar = |both: &[NumberUpStar], one: &[NumberUpStar]| {
            one == [zero] && both.len() == 2 && both.contains(&zero) && both.contains(&star)
        };
        if is_upstar(left, right) {
            return at(1, 1);
        }
        if is_upstar(right, left) {
            return at(-1, 1);
        }
        match (left, right) {
            (&[l], &[r]) if l == zero && r.number == number && r.up >= 0 => {
                at(r.up + 1, r.nimber ^ 1)
            }
            (&[l], &[r]) if r == zero && l.up <= 0 => at(l.up - 1, l.nimber ^ 1),
            _ => None,
        }
    }
}
