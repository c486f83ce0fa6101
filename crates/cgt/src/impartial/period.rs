//! Sequences of nimbers that repeat, and the proof that they do so for ever.
//!
//! If G(n + p) = G(n) for all n from n0 to 2 n0 + p + k, where k is the last place of the code,
//! then for all n from n0 on: every split of a larger heap leaves a part of at least n0 + p, which
//! can be a period smaller (Guy and Smith 1956).

use std::collections::BTreeSet;

use tabia_game::{Meter, Stopped};

use super::{Octal, SparseSpace};

/// A certificate that the nimbers of an octal game are periodic from some heap on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The game.
    pub code: Octal,
    /// The first heap from which on the sequence repeats.
    pub preperiod: u32,
    /// The length of the period.
    pub period: u32,
    /// The last place of the code.
    pub last_place: u32,
    /// The nimbers of all heaps that the proof needs: below
    /// `2 preperiod + 2 period + last_place + 1`.
    pub nimbers: Vec<u32>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refuted {
    /// A period of nothing, or a last place that the code does not have.
    #[error("the period is empty or the last place is not that of the code")]
    Malformed,
    /// Too few nimbers.
    #[error("the proof needs the nimbers of {needed} heaps, {given} are given")]
    TooShort {
        /// How many there should be.
        needed: u64,
        /// How many there are.
        given: u64,
    },
    /// A nimber that is not the least that is no option.
    #[error("the nimber of the heap of {0} is wrong")]
    WrongNimber(u32),
    /// A heap that differs from the one a period later.
    #[error("the heaps of {0} and one period more differ")]
    NotPeriodic(u32),
}

/// How many nimbers the proof needs.
fn needed(preperiod: u64, period: u64, last_place: u64) -> u64 {
    2 * preperiod + 2 * period + last_place + 1
}

impl Period {
    /// Checks the proof from the rules of the game alone, in time quadratic in the number of heaps.
    pub fn verify(&self) -> Result<(), Refuted> {
        let needed = needed(
            self.preperiod.into(),
            self.period.into(),
            self.last_place.into(),
        );
        let given = self.nimbers.len() as u64;
        if self.period == 0 || self.preperiod == 0 || self.last_place != self.code.last_place() {
            return Err(Refuted::Malformed);
        }
        if given < needed {
            return Err(Refuted::TooShort { needed, given });
        }
        let mut options = Vec::new();
        for (heap, &nimber) in (0u32..).zip(&self.nimbers) {
            options.clear();
            self.code.options(heap, &mut options);
            let reached: BTreeSet<u32> = options
                .iter()
                .map(|&[a, b]| self.nimbers[a as usize] ^ self.nimbers[b as usize])
                .collect();
            if reached.contains(&nimber) || !(0..nimber).all(|n| reached.contains(&n)) {
                return Err(Refuted::WrongNimber(heap));
            }
        }
        let end = needed - u64::from(self.period);
        for heap in self.preperiod..end as u32 {
            if self.nimbers[heap as usize] != self.nimbers[(heap + self.period) as usize] {
                return Err(Refuted::NotPeriodic(heap));
            }
        }
        Ok(())
    }

    /// The nimber of a heap of any size; a certificate that verifies always knows.
    pub fn nimber(&self, heap: u64) -> Option<u32> {
        let start = u64::from(self.preperiod);
        let place = match heap.checked_sub(start) {
            Some(beyond) => start + beyond.checked_rem(self.period.into())?,
            None => heap,
        };
        self.nimbers.get(place as usize).copied()
    }

    /// The nimbers of the period, that of the multiples of its length first.
    pub fn cycle(&self) -> Vec<u32> {
        let period = u64::from(self.period.max(1));
        let start = u64::from(self.preperiod).next_multiple_of(period);
        (start..start + period)
            .filter_map(|heap| self.nimber(heap))
            .collect()
    }

    /// The heaps before the period that do not fit in with it, with their nimbers.
    pub fn exceptions(&self) -> Vec<(u32, u32)> {
        let cycle = self.cycle();
        (0..self.preperiod)
            .zip(self.nimbers.iter().copied())
            .zip(cycle.iter().cycle())
            .filter(|&((_, nimber), &regular)| nimber != regular)
            .map(|(exception, _)| exception)
            .collect()
    }
}

/// Looks for a period among the heaps below this size. The one that is found is the shortest that
/// can be proved.
pub fn find_period(code: &Octal, heaps: u32, meter: &mut Meter) -> Result<Option<Period>, Stopped> {
    let mut space = SparseSpace::new(code.clone());
    let mut length = 128;
    while length < heaps {
        space.extend(length, meter)?;
        if let Some(period) = period_of(code, space.nimbers()) {
            return Ok(Some(period));
        }
        length = length.saturating_add(length / 4);
    }
    space.extend(heaps, meter)?;
    Ok(period_of(code, space.nimbers()))
}

/// The shortest period that these nimbers prove.
fn period_of(code: &Octal, nimbers: &[u32]) -> Option<Period> {
    let matches = matches_from_the_end(nimbers);
    let length = nimbers.len();
    let last_place = code.last_place();
    for (period, &matching) in matches.iter().enumerate().skip(1) {
        let preperiod = (length - period - matching).max(1);
        let needed = needed(preperiod as u64, period as u64, last_place.into()) as usize;
        if needed <= length {
            return Some(Period {
                code: code.clone(),
                preperiod: preperiod as u32,
                period: period as u32,
                last_place,
                nimbers: nimbers[..needed].to_vec(),
            });
        }
    }
    None
}

/// For each shift, how many values from the end backwards equal those that come so much earlier:
/// the Z function of the reversed sequence.
fn matches_from_the_end(values: &[u32]) -> Vec<usize> {
    let length = values.len();
    let from_end = |i: usize| values[length - 1 - i];
    let mut matches = vec![0; length];
    let (mut left, mut right) = (0, 0);
    for i in 1..length {
        let mut same = if i < right {
            matches[i - left].min(right - i)
        } else {
            0
        };
        while i + same < length && from_end(same) == from_end(i + same) {
            same += 1;
        }
        if i + same > right {
            (left, right) = (i, i + same);
        }
        matches[i] = same;
    }
    matches
}
