//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod bounds;
mod common;
mod evaluation;
mod laws;
mod nimbers;
mod notation;
mod numbers;
mod octal;
mod scoring;
mod thermographs;
