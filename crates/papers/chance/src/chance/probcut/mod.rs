//! Schadd (2011), chapter 5: ChanceProbCut in Stratego, Dice and ChanceBreakthrough.
//!
//! The positions, plots and fitted lines of the thesis are lost, so lines are fitted here, on
//! seeded positions. Those that come with Tabia are listed beside; a search uses them by
//! `probcut=T`. What ChanceProbCut costs is the difference between the best move and the move it
//! chose, valued by a full search, or exactly where the board is small enough to be solved.

mod cost;
mod fit;
mod selfplay;
mod subject;

use tabia_lab::Experiment;

const PAPER: &str = "chanceprobcut";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "fit",
        title: "Deep values as linear functions of shallow ones",
        source: "Schadd (2011), figures 5.9 to 5.15",
        takes: ["half a minute", "an hour"],
        plan: fit::fit,
    },
    Experiment {
        paper: PAPER,
        name: "stratego",
        title: "Nodes saved and errors made in Stratego",
        source: "Schadd (2011), tables 5.2 to 5.4",
        takes: ["a minute", "half an hour"],
        plan: cost::stratego,
    },
    Experiment {
        paper: PAPER,
        name: "dice",
        title: "Nodes saved and errors made in Dice",
        source: "Schadd (2011), tables 5.6 to 5.8",
        takes: ["half a minute", "an hour"],
        plan: cost::dice,
    },
    Experiment {
        paper: PAPER,
        name: "chancebreakthrough",
        title: "Nodes saved and errors made in ChanceBreakthrough",
        source: "Schadd (2011), table 5.10",
        takes: ["a minute", "two hours"],
        plan: cost::chance_breakthrough,
    },
    Experiment {
        paper: PAPER,
        name: "exact",
        title: "Errors against the exact values of a small ChanceBreakthrough",
        source: "asked for, not measured, by Schadd (2011), section 5.6",
        takes: ["a minute", "ten minutes"],
        plan: cost::exact,
    },
    Experiment {
        paper: PAPER,
        name: "selfplay",
        title: "Games with ChanceProbCut against games without",
        source: "Schadd (2011), tables 5.5, 5.9 and 5.11",
        takes: ["a minute", "three hours"],
        plan: selfplay::selfplay,
    },
];
