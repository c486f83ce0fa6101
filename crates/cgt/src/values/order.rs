//! The partial order of values.
//!
//! G <= H unless Left has an option in G that is at least H, or Right one in H that is at most G
//! (Conway 1976, chapter 7). Most questions are settled before that by the stops: those of the
//! smaller are not above those of the greater, and a value whose left stop is below the other's
//! right stop is smaller.

use std::cmp::Ordering;
use std::fmt;

use super::{Exceeded, Value, Values};

/// Who wins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutcomeClass {
    /// The previous player: whoever is to move loses.
    P,
    /// The next player: whoever is to move wins.
    N,
    /// Left, whoever starts.
    L,
    /// Right, whoever starts.
    R,
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Values {
    /// Whether `g` is at most `h`: in `h - g` Left, moving second, wins.
    pub fn le(&mut self, g: Value, h: Value) -> Result<bool, Exceeded> {
        if g == h {
            return Ok(true);
        }
        let (a, b) = (self.node(g), self.node(h));
        if let (Some(a), Some(b)) = (a.simple(), b.simple()) {
            return Ok(a.le(b));
        }
        if a.left_stop > b.left_stop || a.right_stop > b.right_stop {
            return Ok(false);
        }
        if a.left_stop < b.right_stop {
            return Ok(true);
        }
        if let Some(known) = self.orders.get((g.0, h.0)) {
            return Ok(known);
        }
        let answer = self.le_by_options(g, h)?;
        self.orders.put((g.0, h.0), answer);
        Ok(answer)
    }

    /// One of them is no number-up-star, so it never helps to move in the other if that is a
    /// number.
    fn le_by_options(&mut self, g: Value, h: Value) -> Result<bool, Exceeded> {
        if !self.node(g).is_number() {
            for i in self.lefts(g)? {
                if self.le(h, self.options[i])? {
                    return Ok(false);
                }
            }
        }
        if !self.node(h).is_number() {
            for i in self.rights(h)? {
                if self.le(self.options[i], g)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// How two values compare: `None` if they are confused with each other.
    pub fn compare(&mut self, g: Value, h: Value) -> Result<Option<Ordering>, Exceeded> {
        if g == h {
            return Ok(Some(Ordering::Equal));
        }
        Ok(match (self.le(g, h)?, self.le(h, g)?) {
            (true, _) => Some(Ordering::Less),
            (_, true) => Some(Ordering::Greater),
            _ => None,
        })
    }

    /// Who wins.
    pub fn outcome(&mut self, g: Value) -> Result<OutcomeClass, Exceeded> {
        Ok(match self.compare(g, Value::ZERO)? {
            Some(Ordering::Equal) => OutcomeClass::P,
            Some(Ordering::Greater) => OutcomeClass::L,
            Some(Ordering::Less) => OutcomeClass::R,
            None => OutcomeClass::N,
        })
    }
}
