//! One module a paper.

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

use crate::{Experiment, LabError};

/// Where boards and records of the literature lie that are no part of the project: beside the checkout, or in the folder
/// that the environment variable `TABIA_DATA` names.
fn data(kind: &str, name: &str) -> PathBuf {
    let folder =
        std::env::var_os("TABIA_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    folder.join(kind).join(name)
}

/// All experiments, paper by paper.
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    [
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
    ]
    .into_iter()
    .flatten()
}

/// The experiments of a paper, or the one with this name.
pub fn find(paper: &str, name: Option<&str>) -> Result<Vec<&'static Experiment>, LabError> {
    let of_paper: Vec<_> = all().filter(|e| e.paper == paper).collect();
    if of_paper.is_empty() {
        let mut papers: Vec<&str> = all().map(|e| e.paper).collect();
        papers.dedup();
        return Err(LabError::BadRequest(format!(
            "there is no paper '{paper}'; there are {}",
            papers.join(", ")
        )));
    }
    let Some(name) = name else {
        return Ok(of_paper);
    };
    let names: Vec<&str> = of_paper.iter().map(|e| e.name).collect();
    match of_paper.iter().find(|e| e.name == name) {
        Some(experiment) => Ok(vec![experiment]),
        None => Err(LabError::BadRequest(format!(
            "{paper} has no experiment '{name}'; it has {}",
            names.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_found() {
        let mut seen = HashSet::new();
        for experiment in all() {
            assert!(seen.insert((experiment.paper, experiment.name)));
            let found = find(experiment.paper, Some(experiment.name)).unwrap();
            assert_eq!((found.len(), found[0].title), (1, experiment.title));
        }
    }

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        let error = |paper, name| find(paper, name).err().map(|e| e.to_string()).unwrap();
        assert!(error("winands", None).contains("relative-history"));
        assert!(error("relative-history", Some("9")).contains("fig2"));
    }
}
