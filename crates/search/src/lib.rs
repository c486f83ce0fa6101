//! Choosing a move.

mod engine;

pub use engine::{Choice, Counter, Engine, Situation};
