//! Counting the values of a slice: all of them, or one of each class of symmetric positions.
//!
//! Table 4.3 of Schadd (2011) counts classes under the symmetries of the board, and leaves out those
//! of positions that a half turn maps to themselves; [`Counted::Thesis`] does the same. Colours are
//! never exchanged, since a place belongs to the player to move.

use rayon::prelude::*;
use tabia_game::{Cancel, Indexed, Symmetric};

use crate::{Counts, TableError, Value};

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
    value: impl Fn(u64) -> Result<Value, TableError> + Sync,
    counted: Counted,
    cancel: &Cancel,
) -> Result<Counts, TableError> {
    let positions = game.slice_len(slice).ok_or(TableError::Countless)?;
    let symmetries = game.symmetries();
    let counts = |index: u64| {
        if counted == Counted::All {
            return true;
        }
        let state = game.position_at(slice, index);
        let is_least = || (1..symmetries).all(|s| game.map_state(&state, s) >= state);
        let is_fixed = || symmetries > HALF_TURN && game.map_state(&state, HALF_TURN) == state;
        is_least() && !(counted == Counted::Thesis && is_fixed())
    };
    (0..positions.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            if cancel.is_cancelled() {
                return Err(TableError::Stopped);
            }
            let first = chunk * CHUNK;
            let mut sum = Counts::default();
            for index in first..positions.min(first + CHUNK) {
                if counts(index) {
                    sum.add(value(index)?);
                }
            }
            Ok(sum)
        })
        .try_reduce(Counts::default, |a, b| Ok(a.and(b)))
}
