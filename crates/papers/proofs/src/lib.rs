//! Slow proofs of figures, a folder per paper.

mod proofs;

pub use proofs::EXPERIMENTS as PROOFS;
