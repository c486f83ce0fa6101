//! The nimber of a heap is its size (Bouton 1901).

use tabia_game::Meter;

use super::{Heaps, Nim};
use crate::sums::SumError;
use crate::theory::{Asked, GROWING, Sequence, Theory, no_sequence};

/// The theory of Nim.
pub(crate) fn theory(_: Nim) -> Box<dyn Theory> {
    Box::new(Bouton)
}

struct Bouton;

impl Theory for Bouton {
    fn nimber(&mut self, position: &str, _: &mut Meter) -> Result<Option<u32>, SumError> {
        let heaps = Heaps::read(position)?;
        let sizes = heaps.sizes().iter();
        Ok(Some(sizes.fold(0, |sum, &heap| sum ^ u32::from(heap))))
    }

    fn moves_to(
        &mut self,
        position: &str,
        nimber: u32,
        _: &mut Meter,
    ) -> Result<Vec<String>, SumError> {
        let heaps = Heaps::read(position)?;
        let sizes = heaps.sizes().iter();
        let total = sizes.fold(0, |sum, &heap| sum ^ u32::from(heap));
        let moves = heaps.kinds().filter_map(|heap| {
            let left = total ^ nimber ^ u32::from(heap);
            (left < u32::from(heap)).then(|| format!("{heap}to{left}"))
        });
        Ok(moves.collect())
    }

    /// Nimbers that grow for ever have no period.
    fn sequence(
        &mut self,
        pattern: &str,
        asked: Asked,
        _: &mut Meter,
    ) -> Result<Sequence, SumError> {
        match pattern.trim() {
            GROWING => Ok(Sequence {
                nimbers: (1..=asked.to).collect(),
                period: None,
            }),
            _ => Err(no_sequence(self, pattern)),
        }
    }

    fn sequence_help(&self) -> &'static str {
        "a single heap, '_'"
    }
}
