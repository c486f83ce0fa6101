//! The conformance kit, which every game is put through, and synthetic games for tests and benches.
//!
//! `Kit` checks that a game keeps the contract of [`tabia_game`]. The synthetic games are trees
//! and graphs of every class, made from a seed or printed in a paper: [`tree`] without chance,
//! [`chance_tree`] with chance nodes, [`many_tree`] for any number of players, [`joint_tree`] with
//! simultaneous moves, [`cyclic`] with positions that recur under any rule of repetition, and
//! [`printed_tree`] as the literature draws them. [`memo`] is the plain search that provers are held
//! against.

#[cfg(feature = "conformance")]
mod conformance;

pub mod chance_tree;
pub mod cyclic;
pub mod joint_tree;
pub mod many_tree;
pub mod memo;
pub mod printed_tree;
pub mod tree;

#[cfg(feature = "conformance")]
pub use conformance::*;
