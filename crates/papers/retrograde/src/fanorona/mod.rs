//! Schadd (2011), "Selective Search in Games of Different Complexity", chapter 4: Fanorona solved
//! by proof-number search and endgame tables.
//!
//! Sizes and counts of tables are exact, and so are the values of the boards. Numbers of nodes
//! depend on the order in which moves are generated and can only be compared. Where the thesis
//! misprints a figure, the corrected one is compared and the condition above the table tells what
//! is printed. The board of 5x9 takes more than a hundred thousand million nodes and is left out.

mod complexity;
mod counts;
mod development;
mod solver;
mod tradeoff;
mod values;

pub use solver::{failure, on_one_thread};
use tabia_fanorona::fanorona::Fanorona;

use tabia_lab::{Experiment, LabError};

const PAPER: &str = "fanorona";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "4.1",
        title: "Length and branching of games with virtual databases",
        source: "Schadd (2011), table 4.1 and figures 4.5 to 4.7",
        takes: ["half a minute", "ten minutes"],
        plan: complexity::plan,
    },
    Experiment {
        paper: PAPER,
        name: "4.2",
        title: "Sizes of databases",
        source: "Schadd (2011), tables 4.2 and 4.5 to 4.7",
        takes: ["a second", "a second"],
        plan: counts::sizes,
    },
    Experiment {
        paper: PAPER,
        name: "4.3",
        title: "Won, drawn and lost positions with few pieces",
        source: "Schadd (2011), table 4.3",
        takes: ["a second", "ten minutes"],
        plan: counts::values,
    },
    Experiment {
        paper: PAPER,
        name: "4.4",
        title: "The values of boards of different sizes",
        source: "Schadd (2011), table 4.4",
        takes: ["a second", "hours"],
        plan: values::plan,
    },
    Experiment {
        paper: PAPER,
        name: "4.5",
        title: "What tables are worth on 5x5",
        source: "Schadd (2011), table 4.5 and figure 4.9",
        takes: ["half a minute", "hours"],
        plan: |setting| tradeoff::plan(&tradeoff::SQUARE, setting),
    },
    Experiment {
        paper: PAPER,
        name: "4.6",
        title: "What tables are worth on 7x5",
        source: "Schadd (2011), table 4.6 and figure 4.9",
        takes: ["half a minute", "hours"],
        plan: |setting| tradeoff::plan(&tradeoff::HIGH, setting),
    },
    Experiment {
        paper: PAPER,
        name: "4.7",
        title: "What tables are worth on 3x9",
        source: "Schadd (2011), table 4.7 and figure 4.9",
        takes: ["half a minute", "hours"],
        plan: |setting| tradeoff::plan(&tradeoff::WIDE, setting),
    },
    Experiment {
        paper: PAPER,
        name: "4.10",
        title: "Proof and disproof numbers while no win of White is found",
        source: "Schadd (2011), figure 4.10, there on 5x9",
        takes: ["a few seconds", "a few seconds"],
        plan: |_| Ok(development::plan(&development::WIN)),
    },
    Experiment {
        paper: PAPER,
        name: "4.11",
        title: "Proof and disproof numbers while White's draw is proved",
        source: "Schadd (2011), figure 4.11, there on 5x9",
        takes: ["a few seconds", "a few seconds"],
        plan: |_| Ok(development::plan(&development::DRAW)),
    },
    Experiment {
        paper: PAPER,
        name: "4.12",
        title: "Proof and disproof numbers while White's win on 7x3 is proved",
        source: "Schadd (2011), figure 4.12",
        takes: ["a second", "a second"],
        plan: |_| Ok(development::plan(&development::NARROW)),
    },
];

/// The largest board of the thesis has 45 points.
type Board = Fanorona<u64>;

/// Rows and columns.
type Size = (usize, usize);

fn board((rows, columns): Size) -> Result<Board, LabError> {
    Fanorona::new(rows, columns).map_err(|error| LabError::BadRequest(error.to_string()))
}

fn size_text((rows, columns): Size) -> String {
    format!("{rows}x{columns}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::Cancel;
    use tabia_lab::experiment::{Bench, run};
    use tabia_lab::{ExperimentReport, Scale, Setting};

    fn quick(name: &str) -> ExperimentReport {
        let experiment = EXPERIMENTS.iter().find(|e| e.name == name).unwrap();
        let setting = Setting {
            scale: Scale::Quick,
            seed: 1,
        };
        let bench = Bench {
            threads: 2,
            cancel: &Cancel::default(),
            progress: &|_, _| {},
            store: None,
        };
        run(experiment, &setting, bench).unwrap()
    }

    #[test]
    fn exact_figures_match() {
        for name in ["4.2", "4.3", "4.4"] {
            let report = quick(name);
            assert!(report.rows.iter().any(|row| row.matches == Some(true)));
            assert!(report.holds(), "{name}: {report:?}");
        }
    }
}
