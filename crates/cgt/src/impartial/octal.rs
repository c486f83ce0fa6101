//! Octal games (Guy and Smith 1956; Berlekamp, Conway and Guy 1982, chapter 4).
//!
//! The digit at place k says how k counters may be taken from a heap: with 1 as the whole heap,
//! with 2 leaving one heap, with 4 leaving two.

use std::fmt;
use std::str::FromStr;

use tabia_game::TextError;
use tabia_game::text::shortened;

use super::Mex;

const WHOLE: u8 = 1;
const ONE: u8 = 2;
const TWO: u8 = 4;

/// More digits are not read.
const MAX_DIGITS: usize = 64;

/// What a move leaves of a heap: two heaps, of which either may be empty.
pub type Remains = [u32; 2];

/// The rules of an octal game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Octal {
    /// By the number of counters taken; the last is not zero.
    digits: Vec<u8>,
}

impl Octal {
    /// The largest number of counters that a move takes.
    pub fn last_place(&self) -> u32 {
        self.digits.len() as u32 - 1
    }

    /// The places at which a heap can be split, by rising number of counters taken.
    pub(super) fn splits(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..)
            .zip(&self.digits)
            .filter(|&(_, digit)| digit & TWO != 0)
            .map(|(taken, _)| taken)
    }

    /// What moves that do not split can leave of a heap.
    pub(super) fn plain_remains(&self, heap: u32) -> impl Iterator<Item = u32> + '_ {
        (0u32..)
            .zip(&self.digits)
            .filter_map(move |(taken, digit)| {
                let rest = heap.checked_sub(taken)?;
                let bit = if rest == 0 { WHOLE } else { ONE };
                (taken > 0 && digit & bit != 0).then_some(rest)
            })
    }

    /// Appends what the moves from a heap leave, each once.
    pub fn options(&self, heap: u32, out: &mut Vec<Remains>) {
        out.extend(self.plain_remains(heap).map(|rest| [rest, 0]));
        for taken in self.splits() {
            let rest = heap.saturating_sub(taken);
            out.extend((1..=rest / 2).map(|smaller| [rest - smaller, smaller]));
        }
    }

    /// The nimbers of heaps below this size, from the definition.
    pub fn nimbers(&self, heaps: usize) -> Vec<u32> {
        let mut nimbers: Vec<u32> = Vec::with_capacity(heaps);
        let mut mex = Mex::new();
        for heap in 0..heaps as u32 {
            mex.clear();
            for rest in self.plain_remains(heap) {
                mex.insert(nimbers[rest as usize]);
            }
            for taken in self.splits() {
                let rest = heap.saturating_sub(taken) as usize;
                for smaller in 1..=rest / 2 {
                    mex.insert(nimbers[smaller] ^ nimbers[rest - smaller]);
                }
            }
            nimbers.push(mex.least());
        }
        nimbers
    }

    /// The moves that win from a position of several heaps: which heap, and what is left of it. The
    /// nimbers must reach to the largest heap, otherwise there is no answer.
    pub fn winning_moves(&self, heaps: &[u32], nimbers: &[u32]) -> Option<Vec<(usize, Remains)>> {
        let nimber = |heap: u32| nimbers.get(heap as usize).copied();
        let mut total = 0;
        for &heap in heaps {
            total ^= nimber(heap)?;
        }
        let mut winning = Vec::new();
        let mut options = Vec::new();
        for (i, &heap) in heaps.iter().enumerate() {
            let wanted = total ^ nimber(heap)?;
            options.clear();
            self.options(heap, &mut options);
            for &[larger, smaller] in &options {
                if nimber(larger)? ^ nimber(smaller)? == wanted {
                    winning.push((i, [larger, smaller]));
                }
            }
        }
        Some(winning)
    }
}

impl fmt::Display for Octal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, digit) in self.digits.iter().enumerate() {
            match (place, digit) {
                (0, 0) => write!(f, ".")?,
                (0, digit) => write!(f, "{digit}.")?,
                (_, digit) => write!(f, "{digit}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Octal {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Octal, TextError> {
        let refuse = |why: &str| {
            TextError::new(format!(
                "'{}' is no code of an octal game such as .137 or 4.007: {why}",
                shortened(text)
            ))
        };
        let (before, after) = text
            .trim()
            .split_once('.')
            .ok_or_else(|| refuse("there is no point"))?;
        let first = match before {
            "" | "0" => 0,
            "4" => TWO,
            _ => return Err(refuse("before the point only 4 or 0 can stand, or nothing")),
        };
        if after.len() > MAX_DIGITS {
            return Err(refuse("there are more than 64 digits"));
        }
        let mut digits = vec![first];
        for c in after.chars() {
            let digit = c.to_digit(8).ok_or_else(|| {
                refuse(&format!(
                    "'{}' is none of the digits 0 to 7",
                    c.escape_default()
                ))
            })?;
            digits.push(digit as u8);
        }
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Octal { digits })
    }
}
