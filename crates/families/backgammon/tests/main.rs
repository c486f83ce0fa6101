//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod backgammon_gnubg;
mod backgammon_gnubg_bearoff;
mod backgammon_records;
mod backgammon_reference;
