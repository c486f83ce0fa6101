//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod external;
mod joint;
mod matches;
mod referee;
mod spying;
mod support;
mod tournament_play;
mod tournament_tables;
