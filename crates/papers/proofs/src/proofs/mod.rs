//! Proofs that take longer than a test should: what the ignored tests of the crates check, by name.
//!
//! Each experiment computes figures that must come out exactly. Where they are printed nowhere they
//! were counted by a plain second implementation, which is beside the tests of the game.

mod boards;
mod peers;
mod puzzles;
mod solitary;

use tabia_game::{Cancel, Limits};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{Experiment, ExperimentReport, LabError, Row};

const PAPER: &str = "proofs";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "15-puzzle",
        title: "Shortest solutions of the 15-puzzle by pattern databases",
        source: "Korf (1985), table 1",
        takes: ["a second", "ten seconds"],
        plan: puzzles::fifteen_puzzle,
    },
    Experiment {
        paper: PAPER,
        name: "morpion",
        title: "Positions of Morpion Solitaire by depth, by two implementations",
        source: "no printed source; a plain implementation",
        takes: ["a few seconds", "half a minute"],
        plan: puzzles::morpion_positions,
    },
    Experiment {
        paper: PAPER,
        name: "klondike",
        title: "Moves that Klondike leaves out never matter",
        source: "no printed source; a plain implementation",
        takes: ["ten seconds", "ten seconds"],
        plan: puzzles::klondike_moves,
    },
    Experiment {
        paper: PAPER,
        name: "pig",
        title: "The chance to win Pig of whoever begins",
        source: "Neller and Presser (2004)",
        takes: ["half a minute", "half a minute"],
        plan: boards::pig,
    },
    Experiment {
        paper: PAPER,
        name: "connect-four",
        title: "Connect four on 5x5 is drawn",
        source: "Tromp, John's Connect Four Playground",
        takes: ["a minute", "a minute"],
        plan: boards::connect_four,
    },
    Experiment {
        paper: PAPER,
        name: "othello",
        title: "Sequences of moves of Othello",
        source: "Bik (2009), Perft for Reversi",
        takes: ["a few seconds", "a few seconds"],
        plan: boards::othello,
    },
    Experiment {
        paper: PAPER,
        name: "breakthrough",
        title: "Races of Breakthrough that are claimed to be won are won",
        source: "no printed source; exhaustive search",
        takes: ["ten seconds", "ten seconds"],
        plan: boards::breakthrough_races,
    },
    Experiment {
        paper: PAPER,
        name: "solitary-play",
        title: "One player alone in Chinese Checkers",
        source: "after Schadd (2011), section 6.4.1; a plain implementation",
        takes: ["a minute", "half an hour"],
        plan: solitary::plan,
    },
    Experiment {
        paper: PAPER,
        name: "gnubg-plays",
        title: "Plays of Backgammon against those of GNU Backgammon",
        source: "GNU Backgammon, which must be installed",
        takes: ["ten seconds", "some minutes"],
        plan: peers::gnubg_plays,
    },
];

fn wrong(reason: impl ToString) -> LabError {
    LabError::BadRequest(reason.to_string())
}

fn within(cancel: &Cancel) -> Limits {
    Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    }
}

/// A single measurement and what its figures must be, by their names.
struct Check {
    name: String,
    figures: Vec<(String, u64)>,
    cell: ExperimentCell,
}

impl Check {
    fn new<const N: usize>(
        name: impl Into<String>,
        figures: [(&str, u64); N],
        measure: impl Fn(&Cancel) -> Result<[u64; N], LabError> + Send + Sync + 'static,
    ) -> Check {
        let name = name.into();
        let measure = move |cancel: &Cancel| {
            let figures = measure(cancel)?;
            Ok(figures.iter().map(|&figure| figure as f64).collect())
        };
        Check {
            cell: ExperimentCell::once(name.clone(), measure),
            figures: figures
                .map(|(what, figure)| (what.to_string(), figure))
                .into(),
            name,
        }
    }
}

/// The plan of some checks.
fn checks(checks: Vec<Check>, conditions: &'static [&'static str]) -> ExperimentPlan {
    let mut cells = Vec::new();
    let mut figures = Vec::new();
    for check in checks {
        cells.push(check.cell);
        figures.push((check.name, check.figures));
    }
    ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions.iter().map(ToString::to_string).collect(),
                ..ExperimentReport::default()
            };
            for (name, figures) in &figures {
                for (column, (what, wanted)) in figures.iter().enumerate() {
                    let found = measured.count(name, column)?;
                    report
                        .rows
                        .push(Row::exact(format!("{name}: {what}"), *wanted, found));
                }
            }
            Ok(report)
        }),
    }
}
