//! Values as bits: two for won, drawn or lost, sixteen with the distance, 32 for a probability; or
//! bytes that mean what their writer says.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabia_game::{Probability, Wdl};

use super::ValueCounts;
use crate::TableValue;

/// What a table keeps of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// Won, drawn or lost.
    Wdl,
    /// The same, and in how many plies.
    Distance,
    /// The probability of winning, in games with chance.
    Chance,
    /// Bytes, which are read all at once by whoever knows what they mean.
    Bytes,
}

impl Kept {
    /// `wdl`, `distance`, `chance` or `bytes`.
    pub fn word(self) -> &'static str {
        match self {
            Kept::Wdl => "wdl",
            Kept::Distance => "distance",
            Kept::Chance => "chance",
            Kept::Bytes => "bytes",
        }
    }

    /// The bits of one value, unpacked.
    pub fn bits(self) -> u64 {
        match self {
            Kept::Wdl => 2,
            Kept::Distance => 16,
            Kept::Chance => 32,
            Kept::Bytes => 8,
        }
    }

    /// The bytes of this many values, unpacked; `None` if they cannot be counted.
    pub fn bytes(self, values: u64) -> Option<u64> {
        Some(values.checked_mul(self.bits())?.div_ceil(8))
    }

    /// Whether a table that keeps this will do where the other is asked for.
    pub fn serves(self, asked: Kept) -> bool {
        match (self, asked) {
            (Kept::Wdl | Kept::Distance, Kept::Wdl | Kept::Distance) => self >= asked,
            _ => self == asked,
        }
    }
}

/// What an entry of a table holds.
pub trait Content: Copy + PartialEq + fmt::Display + Send + Sync {
    /// Whether it is what such tables keep.
    fn is_in(kept: Kept) -> bool;

    /// Writes it into a block; the reason if there is no code for it.
    fn put(self, kept: Kept, bytes: &mut [u8], place: usize) -> Result<(), &'static str>;

    /// Reads it from a block; `None` for bits that stand for none, or beyond the block.
    fn get(kept: Kept, bytes: &[u8], place: usize) -> Option<Self>;

    /// As what it is counted, and how far it is from the end if that is known.
    fn outcome(self) -> (Wdl, Option<u16>);
}

impl Content for TableValue {
    fn is_in(kept: Kept) -> bool {
        matches!(kept, Kept::Wdl | Kept::Distance)
    }

    #[inline]
    fn put(self, kept: Kept, bytes: &mut [u8], place: usize) -> Result<(), &'static str> {
        kept.put(bytes, place, self)
    }

    #[inline]
    fn get(kept: Kept, bytes: &[u8], place: usize) -> Option<TableValue> {
        kept.get(bytes, place)
    }

    #[inline]
    fn outcome(self) -> (Wdl, Option<u16>) {
        (self.wdl, self.plies)
    }
}

/// Four bytes, the lowest first. What is not certain is counted as drawn.
impl Content for Probability {
    fn is_in(kept: Kept) -> bool {
        kept == Kept::Chance
    }

    #[inline]
    fn put(self, kept: Kept, bytes: &mut [u8], place: usize) -> Result<(), &'static str> {
        if kept != Kept::Chance {
            return Err("it is a probability");
        }
        bytes[4 * place..][..4].copy_from_slice(&self.bits().to_le_bytes());
        Ok(())
    }

    #[inline]
    fn get(kept: Kept, bytes: &[u8], place: usize) -> Option<Probability> {
        if kept != Kept::Chance {
            return None;
        }
        let bytes = bytes.get(4 * place..4 * place + 4)?.try_into().ok()?;
        Some(Probability::from_bits(u32::from_le_bytes(bytes)))
    }

    #[inline]
    fn outcome(self) -> (Wdl, Option<u16>) {
        let wdl = match self {
            Probability::WIN => Wdl::Win,
            Probability::LOSS => Wdl::Loss,
            _ => Wdl::Draw,
        };
        (wdl, None)
    }
}

/// As it is. Nothing is won or lost, so that all count as drawn.
impl Content for u8 {
    fn is_in(kept: Kept) -> bool {
        kept == Kept::Bytes
    }

    #[inline]
    fn put(self, kept: Kept, bytes: &mut [u8], place: usize) -> Result<(), &'static str> {
        if kept != Kept::Bytes {
            return Err("it is a byte");
        }
        bytes[place] = self;
        Ok(())
    }

    #[inline]
    fn get(kept: Kept, bytes: &[u8], place: usize) -> Option<u8> {
        match kept {
            Kept::Bytes => bytes.get(place).copied(),
            _ => None,
        }
    }

    fn outcome(self) -> (Wdl, Option<u16>) {
        (Wdl::Draw, None)
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
        value: TableValue,
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
            Kept::Chance => return Err("it is no probability"),
            Kept::Bytes => return Err("it is no byte"),
        }
        Ok(())
    }

    /// Reads a value; `None` for bits that stand for none, or beyond the block.
    #[inline]
    pub(super) fn get(self, bytes: &[u8], place: usize) -> Option<TableValue> {
        match self {
            Kept::Wdl => {
                let wdl = match bytes.get(place / 4)? >> (2 * (place % 4)) & 3 {
                    0 => Wdl::Draw,
                    1 => Wdl::Win,
                    2 => Wdl::Loss,
                    _ => return None,
                };
                Some(TableValue { wdl, plies: None })
            }
            Kept::Distance => {
                let pair = bytes.get(2 * place..2 * place + 2)?.try_into().ok()?;
                match u16::from_le_bytes(pair) {
                    0 => Some(TableValue::DRAW),
                    1 => None,
                    code if code & 1 == 0 => Some(TableValue::loss(code / 2 - 1)),
                    code => Some(TableValue::win(code / 2 - 1)),
                }
            }
            Kept::Chance | Kept::Bytes => None,
        }
    }
}

impl fmt::Display for ValueCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueCounts {
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

impl ValueCounts {
    /// Counts a value this many times.
    #[inline]
    pub fn add<V: Content>(&mut self, value: V, times: u64) {
        let (wdl, plies) = value.outcome();
        match wdl {
            Wdl::Win => self.win += times,
            Wdl::Draw => self.draw += times,
            Wdl::Loss => self.loss += times,
        }
        self.max_plies = self.max_plies.max(plies);
    }

    /// Both together.
    pub fn and(self, other: ValueCounts) -> ValueCounts {
        ValueCounts {
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

    fn value() -> impl Strategy<Value = TableValue> {
        prop_oneof![
            Just(TableValue::DRAW),
            (0u16..=32_766).prop_map(TableValue::win),
            (0u16..=32_766).prop_map(TableValue::loss),
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
        let unknown = TableValue {
            wdl: Wdl::Win,
            plies: None,
        };
        assert!(Kept::Distance.put(&mut bytes, 0, unknown).is_err());
        assert!(
            Kept::Distance
                .put(&mut bytes, 0, TableValue::win(32_767))
                .is_err()
        );
        assert!(
            Kept::Distance
                .put(&mut bytes, 0, TableValue::loss(u16::MAX))
                .is_err()
        );
        assert_eq!(bytes, [0; 2]);
        assert_eq!(Kept::Distance.get(&[1, 0], 0), None);
        assert_eq!(Kept::Wdl.get(&[3], 0), None);
        assert_eq!(Kept::Wdl.get(&[3], 4), None);
    }

    #[test]
    fn probabilities_come_back_and_values_are_no_probabilities() {
        let all = [0, 1, 0x1234_5678, u32::MAX - 1, u32::MAX].map(Probability::from_bits);
        let mut bytes = [0; 20];
        for (place, probability) in all.into_iter().enumerate() {
            probability.put(Kept::Chance, &mut bytes, place).unwrap();
        }
        assert_eq!(bytes[8..12], [0x78, 0x56, 0x34, 0x12]);
        for (place, probability) in all.into_iter().enumerate() {
            let found = Probability::get(Kept::Chance, &bytes, place);
            assert_eq!(found, Some(probability));
        }
        assert_eq!(Probability::get(Kept::Chance, &bytes, 5), None);
        for kept in [Kept::Wdl, Kept::Distance] {
            assert!(all[2].put(kept, &mut bytes, 0).is_err());
            assert_eq!(Probability::get(kept, &bytes, 0), None);
            assert!(!kept.serves(Kept::Chance) && !Kept::Chance.serves(kept));
        }
        assert!(Kept::Chance.put(&mut bytes, 0, TableValue::win(1)).is_err());
        assert_eq!(Kept::Chance.get(&bytes, 0), None);
        assert!(Kept::Distance.serves(Kept::Wdl) && !Kept::Wdl.serves(Kept::Distance));
    }
}
