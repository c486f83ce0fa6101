//! The lines that ChanceProbCut uses (Schadd 2011, section 5.3), game by game.
//!
//! They were fitted on seeded positions of random play by `tabia reproduce chanceprobcut fit`, which prints them beside
//! those of a new fit. Each is for one depth of chance nodes, one evaluation and one board.

use tabia_search::chance::Regression;

/// Dice on the 5x5 board with four in a row, throws counted as plies.
pub const DICE: &[Regression] = &[];

/// ChanceBreakthrough on the 8x8 board, throws not counted as plies.
pub const CHANCE_BREAKTHROUGH: &[Regression] = &[];
