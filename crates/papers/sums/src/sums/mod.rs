//! Müller and Li (2004), "Locally Informed Global Search for Sums of Combinatorial Games".
//!
//! The authors' instances are lost; ours follow from the seed. Where they print seconds, ours are
//! counts of positions, and only ratios between methods are compared. Errors are points lost in a
//! hundred games.

mod exact;
mod ordering;
mod players;

use tabia_cgt::Exceeded;
use tabia_cgt::scoring::{Refused, Sum};
use tabia_game::Seed;

use tabia_lab::{Experiment, LabError, Setting};

const PAPER: &str = "sums";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "table-1",
        title: "Adding up canonical forms",
        source: "Müller and Li (2004), table 1",
        takes: ["a second", "ten minutes"],
        plan: exact::summation,
    },
    Experiment {
        paper: PAPER,
        name: "tables-2-3",
        title: "Order of moves by temperature and by the iteration before",
        source: "Müller and Li (2004), tables 2 and 3",
        takes: ["ten seconds", "an hour"],
        plan: exact::orders,
    },
    Experiment {
        paper: PAPER,
        name: "tables-4-5",
        title: "Pruning of dominated incentives, and beyond: table and bounds",
        source: "Müller and Li (2004), tables 4 and 5",
        takes: ["half a minute", "a quarter of an hour"],
        plan: exact::pruning,
    },
    Experiment {
        paper: PAPER,
        name: "ordering",
        title: "How often either order has a best move first",
        source: "Müller and Li (2004), section 4.3",
        takes: ["five seconds", "a minute"],
        plan: ordering::plan,
    },
    Experiment {
        paper: PAPER,
        name: "tables-6-7",
        title: "Points lost against a perfect opponent",
        source: "Müller and Li (2004), tables 6 and 7",
        takes: ["ten seconds", "five minutes"],
        plan: players::losses,
    },
    Experiment {
        paper: PAPER,
        name: "figure-1",
        title: "Points lost against time spent",
        source: "Müller and Li (2004), figure 1",
        takes: ["half a minute", "ten minutes"],
        plan: players::trade_off,
    },
];

/// Leaves differ by less than this from their neighbours.
const SIZE: u32 = 50;

/// Sums of this many random components of this many levels.
#[derive(Clone, Copy)]
struct Instances {
    levels: u32,
    components: usize,
    seed: Seed,
}

impl Instances {
    fn new(setting: &Setting, levels: u32, components: usize) -> Instances {
        let seed = Seed::new(setting.seed).split("sums");
        Instances {
            levels,
            components,
            seed: seed.number(levels.into()).number(components as u64),
        }
    }

    fn name(&self) -> String {
        format!("{}-level, {} subgames", self.levels, self.components)
    }

    fn seed(&self, item: usize) -> Seed {
        self.seed.number(item as u64)
    }

    fn sum(&self, item: usize) -> Result<Sum, LabError> {
        Sum::random(self.components, self.levels, SIZE, self.seed(item)).map_err(refused)
    }
}

fn refused(error: Refused) -> LabError {
    LabError::BadRequest(error.to_string())
}

fn exceeded(error: Exceeded) -> LabError {
    match error {
        Exceeded::Stopped => LabError::Stopped,
        other => LabError::BadRequest(other.to_string()),
    }
}
