//! Records of games as text, for people and for other programs.
//!
//! - [`record`]: Tabia's own record, for every game;
//! - [`pgn`]: Portable Game Notation;
//! - [`sgf`]: Smart Game Format.
//!
//! The crate knows no rules: players, positions and moves are texts. What a game adds to a format,
//! such as its number in SGF, is said by the entry of the game. A format that one game has for
//! itself is in the folder of that game.

pub mod pgn;
pub mod record;
pub mod sgf;
