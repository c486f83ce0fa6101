//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod classes;
mod ends;
mod shapes;
