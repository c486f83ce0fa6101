//! Counting the values of a slice: all of them, or one of each class of symmetric positions.
//!
//! Table 4.3 of Schadd (2011) counts classes under the symmetries of the board, and leaves out
//! those of positions that a half turn maps to themselves; [`Counted::Thesis`] does the same.
//! Colours are never exchanged, since a place belongs to the player to move.

use tabia_game::threads;
use tabia_game::{Cancel, Indexed, Symmetric};

use crate::numbers::Numbers;
use crate::{Symmetry, TableError, TableValue, Tables, ValueCounts};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Every position.
    All,
    /// One position of each class under the symmetries of the board.
    Orbits,
    /// The same, but no class of positions that a half turn maps to themselves.
    Thesis,
}

impl Counted {
    /// `none`, `orbits` or `thesis`: what is done about symmetry.
    pub fn word(self) -> &'static str {
        match self {
            Counted::All => "none",
            Counted::Orbits => "orbits",
            Counted::Thesis => "thesis",
        }
    }
}

/// The number of the half turn among the symmetries of a [`Grid`](tabia_game::grid::Grid).
const HALF_TURN: usize = 3;
/// Positions looked at between two looks at the cancel flag.
const CHUNK: u64 = 1 << 12;

/// Counts the values of a slice, which `value` tells by their index. Without a half turn
/// [`Counted::Thesis`] leaves nothing out.
pub fn stats<G: Indexed + Symmetric>(
    game: &G,
    slice: G::Slice,
    value: impl Fn(u64) -> Result<TableValue, TableError> + Sync,
    counted: Counted,
    cancel: &Cancel,
) -> Result<ValueCounts, TableError> {
    count(game, slice, &Numbers::Places, value, counted, cancel)
}

impl<G: Indexed + Symmetric> Tables<G> {
    /// Counts the values of a slice, whose table must be there, as [`stats`] does.
    pub fn stats(
        &self,
        game: &G,
        slice: G::Slice,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<ValueCounts, TableError> {
        let numbers = self.numbers(game, slice)?;
        let missing = || TableError::Missing(game.slice_text(slice));
        let table = self.get(slice).ok_or_else(missing)?;
        let value = |number| table.value(number);
        count(game, slice, numbers, value, counted, cancel)
    }
}

fn count<G: Indexed + Symmetric>(
    game: &G,
    slice: G::Slice,
    numbers: &Numbers<G>,
    value: impl Fn(u64) -> Result<TableValue, TableError> + Sync,
    counted: Counted,
    cancel: &Cancel,
) -> Result<ValueCounts, TableError> {
    let symmetry = match numbers {
        Numbers::Places => Symmetry::None,
        Numbers::Classes(_) => Symmetry::Orbits,
    };
    let entries = symmetry.entries(game, slice);
    let entries = entries.ok_or(TableError::Countless)?;
    let symmetries = game.symmetries();
    // How often an entry counts.
    let times = |index: u64| {
        match (numbers, counted) {
            (Numbers::Places, Counted::All) | (Numbers::Classes(_), Counted::Orbits) => return 1,
            _ => {}
        }
        let state = numbers.position(game, slice, index);
        let image = |symmetry| game.map_state(&state, symmetry);
        let is_fixed = || symmetries > HALF_TURN && image(HALF_TURN) == state;
        match (numbers, counted) {
            (Numbers::Classes(_), Counted::All) => {
                let same = (0..symmetries).filter(|&s| image(s) == state).count();
                (symmetries / same.max(1)) as u64
            }
            (Numbers::Places, _) if (1..symmetries).any(|s| image(s) < state) => 0,
            (_, Counted::Thesis) if is_fixed() => 0,
            _ => 1,
        }
    };
    let chunks = threads::map(entries.div_ceil(CHUNK), &|chunk| {
        if cancel.is_cancelled() {
            return Err(TableError::Stopped);
        }
        let first = chunk * CHUNK;
        let mut sum = ValueCounts::default();
        for index in first..entries.min(first + CHUNK) {
            let times = times(index);
            if times > 0 {
                sum.add(value(index)?, times);
            }
        }
        Ok(sum)
    });
    chunks
        .into_iter()
        .try_fold(ValueCounts::default(), |sum, chunk| Ok(sum.and(chunk?)))
}
