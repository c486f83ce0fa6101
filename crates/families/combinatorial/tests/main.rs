//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod rooms_play;
mod rooms_rules;
mod rooms_store;
mod rooms_tegos;
mod stars;
