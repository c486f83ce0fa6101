//! Retrograde analysis (Schadd 2011, section 4.4; Wu et al. 2004, section 2): the value of every
//! position of a group of slices, from the ends of the games backwards.
//!
//! The moves of a position either stay within the group or lead to slices that are known already.
//! In games like Fanorona, where captures are compulsory and lead out of the group, a position has
//! moves of one kind only, and moves are taken back only where nothing was captured; so the layered
//! scheme with counters fits there, too. Where symmetric positions share an entry, moves between
//! classes are counted once each, forwards and backwards.

mod component;
mod labels;
mod schemes;
mod solved;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use tabia_game::{Cancel, Retro};

pub use component::{Component, KnownValues, Outside, Visitor};
pub use schemes::{Effort, Scheme};
pub use solved::{Solved, solve_all};

use crate::{
    BuildError, Kept, SliceSolver, SliceValues, TableError, TableForm, TableValue, Tables, total,
};
use component::Slices;
use labels::{DistanceLabels, Labels, OutcomeLabels};
use schemes::Run;

/// Solves groups of slices in memory, with all threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct Retrograde {
    /// How values are propagated.
    pub scheme: Scheme,
}

impl Default for Retrograde {
    fn default() -> Self {
        Retrograde {
            scheme: Scheme::Layers,
        }
    }
}

/// The values of one slice, in memory.
#[derive(Clone)]
pub struct InMemory {
    labels: Arc<Kind>,
    offset: u64,
}

enum Kind {
    Outcomes(OutcomeLabels),
    Distances(DistanceLabels),
}

impl SliceValues for InMemory {
    #[inline]
    fn get(&self, index: u64) -> TableValue {
        let index = self.offset + index;
        let value = match &*self.labels {
            Kind::Outcomes(labels) => labels.get(index),
            Kind::Distances(labels) => labels.get(index),
        };
        value.unwrap_or(TableValue::DRAW)
    }
}

/// Labels a component, and says what it took. What is `None` is drawn.
pub fn label(
    component: &dyn Component,
    scheme: Scheme,
    values: Kept,
    cancel: &Cancel,
) -> (Vec<Option<TableValue>>, Effort) {
    let quiet = |_: u64| {};
    let all = 0..component.positions();
    match values {
        // Without chance, what is asked for as one is known by the outcome.
        Kept::Wdl | Kept::Chance | Kept::Bytes => {
            let (labels, effort) = Run::<OutcomeLabels>::new(component, cancel, &quiet).run(scheme);
            (all.map(|index| labels.get(index)).collect(), effort)
        }
        Kept::Distance => {
            let (labels, effort) =
                Run::<DistanceLabels>::new(component, cancel, &quiet).run(scheme);
            (all.map(|index| labels.get(index)).collect(), effort)
        }
    }
}

impl Retrograde {
    /// The values of all entries of a group, slice by slice, and what they took.
    pub fn solve_group<G: Retro, K: KnownValues<G>>(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &K,
        form: TableForm,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<InMemory>, Effort), BuildError> {
        let slices = Slices::new(game, group, known, form.symmetry);
        let slices = slices.ok_or(TableError::Countless)?;
        let offsets: Vec<u64> = slices.offsets().collect();
        let (labels, overflowed, effort) = match form.values {
            Kept::Wdl => {
                let run = Run::<OutcomeLabels>::new(&slices, cancel, progress);
                let (labels, effort) = run.run(self.scheme);
                (Kind::Outcomes(labels), false, effort)
            }
            Kept::Distance => {
                let run = Run::<DistanceLabels>::new(&slices, cancel, progress);
                let (labels, effort) = run.run(self.scheme);
                let overflowed = labels.overflowed();
                (Kind::Distances(labels), overflowed, effort)
            }
            Kept::Chance | Kept::Bytes => return Err(BuildError::Values(form.values)),
        };
        if cancel.is_cancelled() {
            return Err(TableError::Stopped.into());
        }
        if let Some(error) = slices.failure() {
            return Err(error.into());
        }
        if overflowed {
            return Err(TableError::TooLong(labels::MAX_PLIES).into());
        }
        let labels = Arc::new(labels);
        let values = offsets.into_iter().map(|offset| InMemory {
            labels: Arc::clone(&labels),
            offset,
        });
        Ok((values.collect(), effort))
    }
}

impl<G: Retro> SliceSolver<G> for Retrograde {
    type Values = InMemory;

    fn memory(&self, game: &G, group: &[G::Slice], form: TableForm) -> Option<u64> {
        let sum =
            |of: &dyn Fn(G::Slice) -> Option<u64>| total(group.iter().map(|&slice| of(slice)));
        let positions = sum(&|slice| form.symmetry.entries(game, slice))?;
        let numbers = sum(&|slice| form.symmetry.bytes(game, slice))?;
        let labels = match form.values {
            Kept::Wdl => OutcomeLabels::bytes(positions),
            Kept::Distance => DistanceLabels::bytes(positions),
            Kept::Chance | Kept::Bytes => return None,
        };
        let counted = labels.saturating_add(self.scheme.bytes(positions));
        // What is so much that the sums end cannot be counted.
        Some(counted.saturating_add(numbers)).filter(|&bytes| bytes < u64::MAX)
    }

    fn solve(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &Tables<G>,
        form: TableForm,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<InMemory>, BuildError> {
        let solved = self.solve_group(game, group, known, form, cancel, progress)?;
        Ok(solved.0)
    }
}
