//! Experiments with card games, a folder per paper.

mod goofspiel;
mod sturtevant;

pub use goofspiel::EXPERIMENTS as GOOFSPIEL;
pub use sturtevant::EXPERIMENTS as STURTEVANT;
