//! Programs of other people as players.
//!
//! - [`process`] is a child process that knows lines and deadlines, but no words;
//! - [`Program`] is a player in any language that speaks the line protocol;
//! - [`gnubg`] starts GNU Backgammon and asks it.
//!
//! The crate knows no game: positions and moves are texts. What is peculiar to a game, such as how
//! its positions are told to a program that plays nothing else, is in the folder of that game.

pub mod gnubg;
mod line;
pub mod process;
mod program;

pub use line::{Said, understand};
pub use program::Program;
