//! Experiments with games for one player, a folder per paper.

mod incremental_transpositions;
mod sp_mcts;

use std::path::PathBuf;

pub use incremental_transpositions::EXPERIMENTS as INCREMENTAL_TRANSPOSITIONS;
pub use sp_mcts::EXPERIMENTS as SP_MCTS;

/// Where published boards and records are that are not part of the project: in the folder that the
/// environment variable `TABIA_DATA` names, or in `data` in the current folder.
fn data(kind: &str, name: &str) -> PathBuf {
    let folder = std::env::var_os("TABIA_DATA").map_or_else(|| "data".into(), PathBuf::from);
    folder.join(kind).join(name)
}
