//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod external;
mod matches;
mod referee;
mod support;
mod tournament_play;
mod tournament_tables;
