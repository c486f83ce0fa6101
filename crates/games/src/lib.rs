//! The rules of the games: one module each, and no algorithm.
//!
//! Every game implements the contract of [`tabia_game`] with all the capabilities it can have;
//! what is particular to a game is told at the top of its module.

mod cards;
mod outcome;
mod pairs;
mod rows;

pub mod amazons;
pub mod backgammon;
pub mod breakthrough;
pub mod chance_breakthrough;
pub mod chance_tree;
pub mod chinese;
pub mod combinatorial;
pub mod connect4;
pub mod dao;
pub mod dice;
pub mod doguti;
pub mod einstein;
pub mod fanorona;
pub mod focus;
pub mod gaps;
pub mod goofspiel;
pub mod klondike;
pub mod lgame;
pub mod loa;
pub mod many_tree;
pub mod mnk;
pub mod morpion;
pub mod pig;
pub mod printed_tree;
pub mod reversi;
pub mod samegame;
pub mod sliding;
pub mod stratego;
pub mod tree;
pub mod tricks;

pub use outcome::{Outcome, SizeError};
