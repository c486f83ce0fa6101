//! Evaluations learnt by self-play.

pub mod backgammon;
pub mod reversi;
