//! The published experiments: a folder per paper, each with the tables and figures that it
//! measures.
//!
//! An experiment is an [`Experiment`](tabia_lab::Experiment) of the laboratory: a plan of samples
//! to be measured, and a report of our figures beside the printed ones. `tabia reproduce` runs them
//! by the name of the paper and of the table or figure; `docs/reproducing.md` describes each.

mod agreement;
mod amazons_book;
mod boards;
mod brs;
mod chance;
mod dao;
mod fanorona;
mod goofspiel;
mod incremental_transpositions;
mod kayles;
mod laboratory;
mod proofs;
mod relative_history;
mod saffidine;
mod search_methods;
mod selective_simulations;
mod sp_mcts;
mod sturtevant;
mod sums;
mod tegos;
mod toads;

use std::path::PathBuf;

use tabia_lab::Experiments;

/// Where boards and records of the literature lie that are not part of the project: beside the
/// checkout, or in the folder that the environment variable `TABIA_DATA` names.
fn data(kind: &str, name: &str) -> PathBuf {
    let folder =
        std::env::var_os("TABIA_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    folder.join(kind).join(name)
}

/// All experiments, paper by paper.
pub const EXPERIMENTS: Experiments = Experiments(&[
    search_methods::EXPERIMENTS,
    relative_history::EXPERIMENTS,
    selective_simulations::EXPERIMENTS,
    saffidine::EXPERIMENTS,
    laboratory::EXPERIMENTS,
    agreement::EXPERIMENTS,
    dao::EXPERIMENTS,
    fanorona::EXPERIMENTS,
    kayles::EXPERIMENTS,
    chance::trees::EXPERIMENTS,
    chance::rivals::EXPERIMENTS,
    chance::dice::EXPERIMENTS,
    chance::gammon::EXPERIMENTS,
    chance::probcut::EXPERIMENTS,
    sums::EXPERIMENTS,
    boards::EXPERIMENTS,
    toads::EXPERIMENTS,
    sp_mcts::EXPERIMENTS,
    incremental_transpositions::EXPERIMENTS,
    amazons_book::EXPERIMENTS,
    tegos::EXPERIMENTS,
    sturtevant::EXPERIMENTS,
    goofspiel::EXPERIMENTS,
    brs::EXPERIMENTS,
    proofs::EXPERIMENTS,
]);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_found() {
        let mut seen = HashSet::new();
        for experiment in EXPERIMENTS.all() {
            assert!(seen.insert((experiment.paper, experiment.name)));
            let found = EXPERIMENTS.find(experiment.paper, Some(experiment.name));
            let found = found.unwrap();
            assert_eq!((found.len(), found[0].title), (1, experiment.title));
        }
    }

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        let error = |paper, name| {
            let found = EXPERIMENTS.find(paper, name);
            found.err().map(|e| e.to_string()).unwrap()
        };
        assert!(error("winands", None).contains("relative-history"));
        assert!(error("relative-history", Some("9")).contains("fig2"));
    }
}
