//! Values as bits: two for won, drawn or lost, sixteen with the distance.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabia_game::Wdl;

use super::Counts;
use crate::Value;

/// What a table keeps of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// Won, drawn or lost.
    Wdl,
    /// The same, and in how many plies.
    Distance,
}

impl Kept {
    /// `wdl` or `distance`.
    pub fn word(self) -> &'static str {
        match self {
            Kept::Wdl => "wdl",
            Kept::Distance => "distance",
        }
    }

    /// The bits of one value, unpacked.
    pub fn bits(self) -> u64 {
        match self {
            Kept::Wdl => 2,
            Kept::Distance => 16,
        }
    }

    /// The bytes of so many values, unpacked; `None` if they cannot be counted.
    pub fn bytes(self, values: u64) -> Option<u64> {
        Some(values.checked_mul(self.bits())?.div_ceil(8))
    }
}

/// How values are laid down in a block. A draw is 0.
///
/// `wdl`: four to the byte, the first in the lowest bits; 1 is a win, 2 a loss. `distance`: two
/// bytes, the lower first; 2 (plies + 1) is a loss, one more a win.
impl Kept {
    /// Writes a value; the reason if there is no code for it.
    pub(super) fn put(
        self,
        bytes: &mut [u8],
        place: usize,
        value: Value,
    ) -> Result<(), &'static str> {
        match self {
            Kept::Wdl => {
                let code = match value.wdl {
                    Wdl::Draw => 0,
                    Wdl::Win => 1,
                    Wdl::Loss => 2,
                };
                bytes[place / 4] |= code << (2 * (place % 4));
            }
            Kept::Distance => {
                let plies = match (value.wdl, value.plies) {
                    (Wdl::Draw, _) => return Ok(()),
                    (_, None) => return Err("its distance is not known"),
                    (_, Some(plies)) => plies,
                };
                let win = u16::from(value.wdl == Wdl::Win);
                let code = plies.checked_add(1).and_then(|n| n.checked_mul(2));
                let code = code.ok_or("distances end at 32,766 plies")? | win;
                bytes[2 * place..][..2].copy_from_slice(&code.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Reads a value; `None` for bits that stand for none, or beyond the block.
    #[inline]
    pub(super) fn get(self, bytes: &[u8], place: usize) -> Option<Value> {
        match self {
            Kept::Wdl => {
                let wdl = match bytes.get(place / 4)? >> (2 * (place % 4)) & 3 {
                    0 => Wdl::Draw,
                    1 => Wdl::Win,
                    2 => Wdl::Loss,
                    _ => return None,
                };
                Some(Value { wdl, plies: None })
            }
            Kept::Distance => {
                let pair = bytes.get(2 * place..2 * place + 2)?.try_into().ok()?;
                match u16::from_le_bytes(pair) {
                    0 => Some(Value::DRAW),
                    1 => None,
                    code if code & 1 == 0 => Some(Value::loss(code / 2 - 1)),
                    code => Some(Value::win(code / 2 - 1)),
                }
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            win,
            draw,
            loss,
            max_plies,
        } = self;
        write!(f, "{win} won, {draw} drawn and {loss} lost positions")?;
        match max_plies {
            Some(plies) => write!(f, " of {plies} plies at most"),
            None => Ok(()),
        }
    }
}

impl Counts {
    /// Counts a value so many times.
    #[inline]
    pub fn add(&mut self, value: Value, times: u64) {
        match value.wdl {
            Wdl::Win => self.win += times,
            Wdl::Draw => self.draw += times,
            Wdl::Loss => self.loss += times,
        }
        self.max_plies = self.max_plies.max(value.plies);
    }

    /// Both together.
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            win: self.win + other.win,
            draw: self.draw + other.draw,
            loss: self.loss + other.loss,
            max_plies: self.max_plies.max(other.max_plies),
        }
    }

    /// How many were counted.
    pub fn positions(&self) -> u64 {
        self.win + self.draw + self.loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::DRAW),
            (0u16..=32_766).prop_map(Value::win),
            (0u16..=32_766).prop_map(Value::loss),
        ]
    }

    proptest! {
        #[test]
        fn values_come_back(values in prop::collection::vec(value(), 1..50)) {
            let mut bytes = vec![0; 2 * values.len()];
            for (place, value) in values.iter().enumerate() {
                Kept::Distance.put(&mut bytes, place, *value).unwrap();
            }
            for (place, value) in values.iter().enumerate() {
                prop_assert_eq!(Kept::Distance.get(&bytes, place), Some(*value));
            }
            let mut bytes = vec![0; values.len().div_ceil(4)];
            for (place, value) in values.iter().enumerate() {
                Kept::Wdl.put(&mut bytes, place, *value).unwrap();
            }
            for (place, value) in values.iter().enumerate() {
                prop_assert_eq!(Kept::Wdl.get(&bytes, place).map(|v| v.wdl), Some(value.wdl));
            }
        }
    }

    #[test]
    fn what_has_no_code_is_refused() {
        let mut bytes = [0; 2];
        let unknown = Value {
            wdl: Wdl::Win,
            plies: None,
        };
        assert!(Kept::Distance.put(&mut bytes, 0, unknown).is_err());
        assert!(
            Kept::Distance
                .put(&mut bytes, 0, Value::win(32_767))
                .is_err()
        );
        assert!(
            Kept::Distance
                .put(&mut bytes, 0, Value::loss(u16::MAX))
                .is_err()
        );
        assert_eq!(bytes, [0; 2]);
        assert_eq!(Kept::Distance.get(&[1, 0], 0), None);
        assert_eq!(Kept::Wdl.get(&[3], 0), None);
        assert_eq!(Kept::Wdl.get(&[3], 4), None);
    }
}
