//! Othello, and Rolit, its sibling for two to four players (Schadd 2011, section 6.4.3).
//!
//! Both are played on square boards of even side. A piece is placed so that lines of others' pieces
//! lie between it and one's own, and all of them change their colour. [`Othello`] and [`Rolit`]
//! tell what is particular to each; the lines are those of one [`Field`].

#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod field;
mod othello;
pub mod patterns;
mod rolit;
#[cfg(test)]
mod tests;
#[cfg(not(test))]
pub mod training;

use tabia_game::options::{Parameter, ParameterKind};

pub use evaluation::{Corners, order};
pub use field::Field;
pub use othello::Othello;
pub use patterns::{Judge, Patterns, PatternsError};
pub use rolit::Rolit;

/// A piece is placed on the square with this number, counted rank by rank from a1; or the number of
/// squares for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u16);

impl Place {
    #[inline]
    fn at(square: usize) -> Place {
        Place(square as u16)
    }

    #[inline]
    fn square(self) -> usize {
        usize::from(self.0)
    }
}

const SIDE: Parameter = Parameter {
    key: "side",
    kind: ParameterKind::Integer(4, 18),
    default: "8",
    help: "squares of a side, an even number",
};

const SCORE: Parameter = Parameter {
    key: "score",
    kind: ParameterKind::Choice(&["win", "pieces"]),
    default: "win",
    help: "what a game pays: a win or a share of it, or all pieces count",
};

/// The options of Othello.
pub const OTHELLO_PARAMETERS: &[Parameter] = &[SIDE, SCORE];

/// The options of Rolit.
pub const ROLIT_PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "players",
        kind: ParameterKind::Integer(2, 4),
        default: "4",
        help: "number of players; all four colours are on the board at the start",
    },
    SIDE,
    SCORE,
];

/// What a game pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// A win, shared by all who have the most pieces.
    Win,
    /// The pieces: in Othello those that one has more than the other, in Rolit all of one's own.
    Pieces,
}

impl Score {
    /// The score with this name, as in [`OTHELLO_PARAMETERS`] and [`ROLIT_PARAMETERS`].
    pub fn named(name: &str) -> Score {
        match name {
            "pieces" => Score::Pieces,
            _ => Score::Win,
        }
    }
}

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[entry::OTHELLO, entry::ROLIT];
