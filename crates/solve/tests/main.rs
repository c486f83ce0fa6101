//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod bearoff;
mod best_first;
mod certificates;
mod dfpn;
mod expectation;
mod repetition;
mod single_agent;
mod strategies;
mod support;
