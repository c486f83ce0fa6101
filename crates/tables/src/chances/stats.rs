//! Counting the probabilities of a slice.

use tabia_game::threads;
use tabia_game::{Cancel, Indexed, Probability};

use crate::{TableError, Tables, ValueCounts};

/// Entries looked at between two looks at the cancel flag.
const CHUNK: u64 = 1 << 12;

impl<G: Indexed> Tables<G> {
    /// Counts the probabilities of a slice, whose table must be there, and takes their mean.
    pub fn chance_stats(
        &self,
        game: &G,
        slice: G::Slice,
        cancel: &Cancel,
    ) -> Result<(ValueCounts, f64), TableError> {
        let missing = || TableError::Missing(game.slice_text(slice));
        let table = self.get(slice).ok_or_else(missing)?;
        let entries = table.header().positions;
        let chunks = threads::map(entries.div_ceil(CHUNK), &|chunk| {
            if cancel.is_cancelled() {
                return Err(TableError::Stopped);
            }
            let first = chunk * CHUNK;
            let (mut counts, mut sum) = (ValueCounts::default(), 0u128);
            for index in first..entries.min(first + CHUNK) {
                let chance: Probability = table.content(index)?;
                counts.add(chance, 1);
                sum += u128::from(chance.bits());
            }
            Ok((counts, sum))
        });
        let (mut counts, mut sum) = (ValueCounts::default(), 0);
        for chunk in chunks {
            let (more, chances) = chunk?;
            counts = counts.and(more);
            sum += chances;
        }
        let mean = sum as f64 / f64::from(u32::MAX) / entries.max(1) as f64;
        Ok((counts, mean))
    }
}
