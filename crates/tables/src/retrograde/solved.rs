//! Slices solved in memory, for games that are small enough.

use std::collections::BTreeMap;

use tabia_game::{Cancel, Game, Indexed, Retro};

use super::{InMemory, KnownValues, Retrograde};
use crate::{
    BuildError, Kept, SliceSolver, SliceValues, Symmetry, TableError, TableForm, TableValue,
    Tables, groups, total, with_all_they_need,
};

/// The values of all positions of some slices.
pub struct Solved<G: Indexed> {
    slices: BTreeMap<G::Slice, InMemory>,
}

impl<G: Indexed> Solved<G> {
    /// The value of a position for the player to move; `None` if it is in none of the slices.
    #[inline]
    pub fn value(&self, game: &G, state: &G::State) -> Option<TableValue> {
        let (slice, index) = game.locate(state)?;
        self.slices.get(&slice).map(|values| values.get(index))
    }

    /// The values of a slice.
    pub fn slice(&self, slice: G::Slice) -> Option<&InMemory> {
        self.slices.get(&slice)
    }
}

impl<G: Indexed> KnownValues<G> for Solved<G> {
    #[inline]
    fn known(&self, game: &G, state: &G::State) -> Result<Option<TableValue>, TableError> {
        Ok(self.value(game, state))
    }
}

impl<G: Indexed> KnownValues<G> for Tables<G> {
    #[inline]
    fn known(
        &self,
        game: &G,
        state: &<G as Game>::State,
    ) -> Result<Option<TableValue>, TableError> {
        self.probe(game, state)
    }
}

/// Solves some slices and all that they depend on, in memory of this many bytes. `progress` is told
/// of the positions looked at.
pub fn solve_all<G: Retro>(
    game: &G,
    slices: &[G::Slice],
    values: Kept,
    memory: u64,
    cancel: &Cancel,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Solved<G>, BuildError> {
    game.repetition()
        .check_endless_draw("retrograde analysis")?;
    let solver = Retrograde::default();
    let form = TableForm {
        values,
        symmetry: Symmetry::None,
    };
    let groups = groups(game, &with_all_they_need(game, slices));
    let memories = groups.iter().map(|group| solver.memory(game, group, form));
    let needed = total(memories);
    if needed.is_none_or(|needed| needed > memory) {
        let texts: Vec<String> = slices.iter().map(|&slice| game.slice_text(slice)).collect();
        return Err(TableError::Memory {
            slices: texts.join(","),
            needed,
            given: memory,
            fitting: None,
        }
        .into());
    }
    let mut solved = Solved {
        slices: BTreeMap::new(),
    };
    let mut before = 0;
    for group in groups {
        let told = |done: u64| progress(before + done);
        let (values, _) = solver.solve_group(game, &group, &solved, form, cancel, &told)?;
        before += group
            .iter()
            .filter_map(|&slice| game.slice_len(slice))
            .sum::<u64>();
        solved.slices.extend(group.into_iter().zip(values));
    }
    Ok(solved)
}
