//! Impartial games, in which both players have the same moves: their values are nimbers (Sprague
//! 1935, Grundy 1939).
//!
//! [`NimberSearch`] finds nimbers of positions of any rules.
//!
//! [`Octal`] games take counters from heaps and may split them. Their nimbers come from the
//! definition, or much faster for long sequences from [`SparseSpace`]; a [`Period`] is a
//! certificate that a sequence repeats for ever.

mod memo;
mod mex;
mod octal;
mod period;
mod search;
mod sparse;

pub use mex::Mex;
pub use octal::{Octal, Remains};
pub use period::{Period, Refuted, find_period};
pub use search::{NimberSearch, Unfound};
pub use sparse::SparseSpace;
