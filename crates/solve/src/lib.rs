//! Proving a value: proof-number search in its variants, and proofs that others can check.
//!
//! A [`Goal`] says what is to be proved of a position. Searches answer with a proof or a disproof,
//! or say how far they came. [`Settled`] positions need no search: endgame tables know them.

pub mod best_first;
pub mod certificate;
pub mod dfpn;
pub mod expectation;
mod goal;
mod oracle;
mod prover;
pub mod single_agent;
mod strategy;

pub use goal::{Attack, Goal, Settled, Status};
pub use oracle::Oracle;
pub use prover::{INFINITY, Lack, Proof, Prover};
pub use strategy::{Strategy, StrategyError, WriteError, write_certificate};
