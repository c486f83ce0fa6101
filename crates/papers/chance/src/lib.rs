//! Experiments with chance nodes and with proofs of small games, a folder per paper.

// The tests play games of the catalog.
#[cfg(test)]
use tabia_catalog as _;

mod chance;
mod saffidine;

pub use chance::dice::EXPERIMENTS as DICE;
pub use chance::gammon::EXPERIMENTS as GAMMON;
pub use chance::probcut::EXPERIMENTS as PROBCUT;
pub use chance::rivals::EXPERIMENTS as RIVALS;
pub use chance::trees::EXPERIMENTS as TREES;
pub use saffidine::EXPERIMENTS as SAFFIDINE;
