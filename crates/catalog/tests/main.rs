//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod amazons;
mod book;
mod chance;
mod conformance;
mod deadlines;
mod deals;
mod document;
mod luck;
mod mcts;
mod names;
mod record;
mod secrets;
mod session;
mod solving;
mod sums;
mod sums_play;
mod toads;
