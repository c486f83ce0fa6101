//! Heaps of octal games, and the periods of their nimbers.

use tabia_cgt::impartial::{Octal as Code, Period, SparseSpace, find_period};
use tabia_game::{Meter, TextError};

use super::{Heaps, Octal};
use crate::sums::SumError;
use crate::theory::{Asked, GROWING, Periodic, Sequence, Theory, no_sequence};

/// The theory of the game with this code.
pub(crate) fn theory(rules: &Octal) -> Result<Box<dyn Theory>, TextError> {
    let code = rules.code().parse()?;
    Ok(Box::new(NamedHeaps {
        space: SparseSpace::new(code),
    }))
}

struct NamedHeaps {
    space: SparseSpace,
}

impl NamedHeaps {
    fn code(&self) -> &Code {
        self.space.code()
    }

    /// Makes the nimbers of all these heaps known.
    fn reach(&mut self, heaps: &[u32], meter: &mut Meter) -> Result<(), SumError> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        Ok(self.space.extend(largest + 1, meter)?)
    }
}

fn sizes(position: &str) -> Result<Vec<u32>, TextError> {
    let heaps = Heaps::read(position)?;
    Ok(heaps.sizes().iter().map(|&heap| heap.into()).collect())
}

impl Theory for NamedHeaps {
    fn nimber(&mut self, position: &str, meter: &mut Meter) -> Result<Option<u32>, SumError> {
        let heaps = sizes(position)?;
        self.reach(&heaps, meter)?;
        let nimbers = self.space.nimbers();
        let all = heaps.iter().map(|&heap| nimbers[heap as usize]);
        Ok(Some(all.fold(0, |sum, nimber| sum ^ nimber)))
    }

    fn moves_to(
        &mut self,
        position: &str,
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<Vec<String>, SumError> {
        let heaps = sizes(position)?;
        self.reach(&heaps, meter)?;
        let nimbers = self.space.nimbers();
        let of = |heap: u32| nimbers[heap as usize];
        let total = heaps.iter().fold(0, |sum, &heap| sum ^ of(heap));
        let mut kinds = heaps;
        kinds.dedup();
        let mut moves = Vec::new();
        for heap in kinds {
            let mut options = Vec::new();
            self.code().options(heap, &mut options);
            let others = total ^ of(heap);
            let reaching = options
                .iter()
                .filter(|&&[more, less]| of(more) ^ of(less) ^ others == nimber);
            moves.extend(reaching.map(|&[more, less]| match less {
                0 => format!("{heap}to{more}"),
                _ => format!("{heap}to{more}+{less}"),
            }));
        }
        Ok(moves)
    }

    fn sequence(
        &mut self,
        pattern: &str,
        asked: Asked,
        meter: &mut Meter,
    ) -> Result<Sequence, SumError> {
        if pattern.trim() != GROWING {
            return Err(no_sequence(self, pattern));
        }
        let found = find_period(self.code(), asked.within.saturating_add(1), meter)?;
        let period = found.map(|period| periodic(&period, asked.verify));
        self.reach(&[asked.to], meter)?;
        Ok(Sequence {
            nimbers: self.space.nimbers()[1..=asked.to as usize].to_vec(),
            period: period.transpose()?,
        })
    }

    fn sequence_help(&self) -> &'static str {
        "a single heap, '_'"
    }
}

/// A period as sequences of positions have it.
pub(crate) fn periodic(period: &Period, verify: bool) -> Result<Periodic, SumError> {
    if verify {
        let refuted = |error: tabia_cgt::impartial::Refuted| SumError::Disproved(error.to_string());
        period.verify().map_err(refuted)?;
    }
    // The empty heap is no position of the sequence.
    let last_irregular = period.preperiod.checked_sub(1).filter(|&last| last > 0);
    Ok(Periodic {
        period: period.period,
        last_irregular,
        proved_to: (period.nimbers.len() as u32).saturating_sub(1),
        claims: 1,
        cycle: period.cycle(),
        verified: verify,
    })
}
