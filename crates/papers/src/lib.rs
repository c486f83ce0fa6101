//! The published experiments: a folder per paper, each with the tables and figures that it
//! measures.
//!
//! They are in several crates, by the families of games that they measure, so that a change of one
//! game does not mean that everything is compiled again.
//!
//! An experiment is an [`Experiment`](tabia_lab::Experiment) of the laboratory: a plan of samples
//! to be measured, and a report of our figures beside the printed ones. `tabia reproduce` runs them
//! by the name of the paper and of the table or figure; `docs/reproducing.md` describes each.

use tabia_lab::Experiments;
use tabia_papers_cards as cards;
use tabia_papers_chance as chance;
use tabia_papers_proofs as proofs;
use tabia_papers_puzzles as puzzles;
use tabia_papers_retrograde as retrograde;
use tabia_papers_searches as searches;
use tabia_papers_sums as sums;

/// All experiments, paper by paper.
pub const EXPERIMENTS: Experiments = Experiments(&[
    searches::SEARCH_METHODS,
    searches::RELATIVE_HISTORY,
    searches::SELECTIVE_SIMULATIONS,
    chance::SAFFIDINE,
    searches::LABORATORY,
    retrograde::AGREEMENT,
    retrograde::DAO,
    retrograde::FANORONA,
    sums::KAYLES,
    chance::TREES,
    chance::RIVALS,
    chance::DICE,
    chance::GAMMON,
    chance::PROBCUT,
    sums::SUMS,
    sums::BOARDS,
    sums::TOADS,
    puzzles::SP_MCTS,
    puzzles::INCREMENTAL_TRANSPOSITIONS,
    sums::AMAZONS_BOOK,
    sums::TEGOS,
    cards::STURTEVANT,
    cards::GOOFSPIEL,
    searches::BRS,
    proofs::PROOFS,
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
