//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod belief;
mod cards;
mod chance_equality;
mod chance_figures;
mod equivalence;
mod games;
mod lines;
mod many_equality;
mod many_figures;
mod many_models;
mod repetition;
mod reports;
mod schadd_chapter_2;
mod support;
