//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod building;
mod chances;
mod dao;
mod fanorona;
mod files;
mod patterns;
mod solitaire;
mod symmetry;
mod toy;
