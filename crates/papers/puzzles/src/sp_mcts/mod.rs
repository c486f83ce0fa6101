//! Schadd (2011), "Selective Search in Games of Different Character", chapter 3: single-player
//! Monte-Carlo tree search and SameGame.
//!
//! The thesis' set of 250 positions and the standardised set of 20 are read from the
//! folder that the environment variable `TABIA_DATA` names, or from `data/samegame` in the current
//! folder; without them random boards are used. Times are turned into nodes by the rate that table
//! 3.2 prints, 5,000 a second, so that runs replay; one node is one playout. The manual parameters
//! (0.02 for the top score, 0.003 for a random move, a threshold of 10) hold wherever a table does
//! not say otherwise.

mod comparison;
mod facts;
mod printed;
mod tables;

use std::path::Path;
use std::sync::Arc;

use tabia_game::Seed;
use tabia_puzzles::samegame::{SameGame, State};

use tabia_lab::{Experiment, LabError, Scale, Setting};

const PAPER: &str = "sp-mcts";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "facts",
        title: "Random play, the state space, parity, and the standardised set",
        source: "Schadd (2011), sections 3.1.2, 3.1.3 and table 3.6",
        takes: ["a few seconds", "a minute"],
        plan: facts::plan,
    },
    Experiment {
        paper: PAPER,
        name: "3.1",
        title: "Three ways to play out",
        source: "Schadd (2011), table 3.1",
        takes: ["a minute", "ten hours"],
        plan: tables::policies,
    },
    Experiment {
        paper: PAPER,
        name: "3.2",
        title: "Exploitation and exploration, by the number of nodes",
        source: "Schadd (2011), table 3.2",
        takes: ["two minutes", "twelve hours"],
        plan: tables::exploration,
    },
    Experiment {
        paper: PAPER,
        name: "figure-3.2",
        title: "Randomised restarts",
        source: "Schadd (2011), figure 3.2",
        takes: ["two minutes", "three hours"],
        plan: tables::restarts,
    },
    Experiment {
        paper: PAPER,
        name: "3.3",
        title: "One search of the game, or one of every move",
        source: "Schadd (2011), table 3.3",
        takes: ["a minute", "half an hour"],
        plan: tables::time_control,
    },
    Experiment {
        paper: PAPER,
        name: "3.5",
        title: "Parameters tuned by hand and by the cross-entropy method",
        source: "Schadd (2011), tables 3.4 and 3.5",
        takes: ["a minute", "half an hour"],
        plan: tables::tuned,
    },
    Experiment {
        paper: PAPER,
        name: "3.6",
        title: "The standardised set, by four searches with the same time",
        source: "Schadd (2011), table 3.6",
        takes: ["a minute", "seven hours"],
        plan: comparison::plan,
    },
];

/// The boards of a set.
#[derive(Clone)]
struct Boards {
    game: Arc<SameGame>,
    boards: Arc<Vec<State>>,
    /// Where they come from, in words.
    source: String,
}

impl Boards {
    /// The first boards of a file, or as many random ones where it is absent.
    fn new(file: &str, count: usize, setting: &Setting) -> Result<Boards, LabError> {
        let wrong = |reason: String| LabError::BadRequest(reason);
        let game = SameGame::new(15, 15, 5).map_err(|error| wrong(error.to_string()))?;
        let path = super::data("samegame", file);
        let (mut boards, source) = match std::fs::read_to_string(&path) {
            Ok(text) => {
                let read = game.boards(&text);
                let read = read.map_err(|e| wrong(format!("'{}': {e}", path.display())))?;
                (read, format!("the first {count} boards of {file}"))
            }
            Err(_) => {
                let seeds = Seed::new(setting.seed).split("boards");
                let board = |n| game.random_board(&mut seeds.number(n).rng());
                let boards = (0..count as u64).map(board).collect();
                (
                    boards,
                    format!("{count} random boards, since there is no {}", shown(&path)),
                )
            }
        };
        boards.truncate(count);
        Ok(Boards {
            game: Arc::new(game),
            boards: Arc::new(boards),
            source,
        })
    }

    /// Some of the 250 positions.
    fn of_250(counts: [usize; 2], setting: &Setting) -> Result<Boards, LabError> {
        Boards::new("set-250.txt", setting.scale.pick(counts), setting)
    }

    fn len(&self) -> usize {
        self.boards.len()
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Which of the printed budgets are tried.
fn budgets<T: Copy>(scale: Scale, all: &[T], quick: usize) -> Vec<T> {
    let count = scale.pick([quick, all.len()]);
    all[..count.min(all.len())].to_vec()
}
