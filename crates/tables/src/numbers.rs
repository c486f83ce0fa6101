//! Which positions of a slice a table has entries for, and their numbers.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use tabia_game::{Classes, Indexed};

/// What is done about symmetric positions.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Symmetry {
    /// Nothing: every position has an entry.
    #[default]
    None,
    /// One entry for each class under the symmetries of the board.
    Orbits,
}

impl Symmetry {
    /// `none` or `orbits`.
    pub fn word(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Orbits => "orbits",
        }
    }

    /// How many entries the table of a slice has; `None` if they cannot be counted.
    pub fn entries<G: Indexed>(self, game: &G, slice: G::Slice) -> Option<u64> {
        match self {
            Symmetry::None => game.slice_len(slice),
            Symmetry::Orbits => game.class_count(slice),
        }
    }

    /// The bytes of memory that the numbers of a slice take at most.
    pub(crate) fn bytes<G: Indexed>(self, game: &G, slice: G::Slice) -> Option<u64> {
        match self {
            Symmetry::None => Some(0),
            Symmetry::Orbits => game.class_bytes(slice),
        }
    }
}

/// The numbers of the positions of a slice.
pub(crate) enum Numbers<G: Indexed> {
    /// Those of the game.
    Places,
    /// Those of their classes.
    Classes(G::Classes),
}

impl<G: Indexed> Numbers<G> {
    /// `None` if the positions cannot be numbered so.
    pub fn new(game: &G, slice: G::Slice, symmetry: Symmetry) -> Option<Numbers<G>> {
        match symmetry {
            Symmetry::None => Some(Numbers::Places),
            Symmetry::Orbits => game.classes(slice).map(Numbers::Classes),
        }
    }

    /// The number of a position, whose place is known.
    #[inline]
    pub fn number(&self, state: &G::State, place: u64) -> u64 {
        match self {
            Numbers::Places => place,
            Numbers::Classes(classes) => classes.number(state),
        }
    }

    /// The position with a number, the first player to move.
    #[inline]
    pub fn position(&self, game: &G, slice: G::Slice, number: u64) -> G::State {
        match self {
            Numbers::Places => game.position_at(slice, number),
            Numbers::Classes(classes) => classes.member(number),
        }
    }

    /// Whether several positions share a number.
    #[inline]
    pub fn are_shared(&self) -> bool {
        matches!(self, Numbers::Classes(_))
    }
}

/// Numbers that are made when they are first asked for: many a table is opened for its header
/// alone.
pub(crate) struct LazyNumbers<G: Indexed>(OnceLock<Option<Numbers<G>>>);

impl<G: Indexed> LazyNumbers<G> {
    pub fn new() -> Self {
        LazyNumbers(OnceLock::new())
    }

    #[inline]
    pub fn get(&self, game: &G, slice: G::Slice, symmetry: Symmetry) -> Option<&Numbers<G>> {
        let numbers = self.0.get_or_init(|| Numbers::new(game, slice, symmetry));
        numbers.as_ref()
    }
}
