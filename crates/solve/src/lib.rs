//! Proving a value: proof-number search in its variants, and proofs that others can check.
//!
//! A [`Goal`] says what is to be proved of a position. Searches answer with a proof or a disproof,
//! or say how far they came. [`Settled`] positions need no search: endgame tables know them.

mod goal;

pub use goal::{Attack, Goal, Settled, Status};
