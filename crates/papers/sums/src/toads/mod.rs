//! Wieczorek, Skinderowicz, Kozak, Juszczuk and Nowakowski (2013), "Selected Algorithms from the
//! 2013 Toads-and-Frogs Blitz Tournament".
//!
//! The four programs, their 337 training games and their machine are lost. Ours are written from
//! the paper and have budgets instead of clocks, so that every game replays: moves of playouts for
//! UCT and the array, nodes for alpha-beta. A second is worth a fixed number of each, chosen so
//! that the array can be as deep as the paper says and alpha-beta and UCT take about the same time
//! here; the array has six times as many moves as UCT, since it alone used the six cores. The paper
//! does not say who begins or how ties are broken. Here two random plies begin a game, and both
//! players have either side of it.

mod exact;
mod games;

use tabia_lab::Experiment;

const PAPER: &str = "toads";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "values",
        title: "Exact values, outcomes and the start of the tournament",
        source: "Wieczorek et al. (2013), sections 2 and 3; Erickson (1996)",
        takes: ["a second", "a second"],
        plan: |_| Ok(exact::values()),
    },
    Experiment {
        paper: PAPER,
        name: "table-1",
        title: "The tournament, its wins and tie-breaks",
        source: "Wieczorek et al. (2013), table 1",
        takes: ["a second", "a second"],
        plan: |_| exact::tournament(),
    },
    Experiment {
        paper: PAPER,
        name: "table-2",
        title: "Four players at half a second a move",
        source: "Wieczorek et al. (2013), table 2",
        takes: ["a minute", "an hour"],
        plan: |setting| Ok(games::mini_tournament(setting, 0)),
    },
    Experiment {
        paper: PAPER,
        name: "table-3",
        title: "Four players at a second a move",
        source: "Wieczorek et al. (2013), table 3",
        takes: ["a minute", "two hours"],
        plan: |setting| Ok(games::mini_tournament(setting, 1)),
    },
    Experiment {
        paper: PAPER,
        name: "table-4",
        title: "Four players at two seconds a move",
        source: "Wieczorek et al. (2013), table 4",
        takes: ["a minute", "three hours"],
        plan: |setting| Ok(games::mini_tournament(setting, 2)),
    },
    Experiment {
        paper: PAPER,
        name: "clock",
        title: "UCT against alpha-beta by the time for a move",
        source: "Wieczorek et al. (2013), tables 2 to 4",
        takes: ["a minute", "an hour"],
        plan: |setting| Ok(games::clock(setting)),
    },
    Experiment {
        paper: PAPER,
        name: "exact",
        title: "The exact player of sums against all four",
        source: "Tabia; the players of Wieczorek et al. (2013)",
        takes: ["a minute", "two hours"],
        plan: |setting| Ok(games::exact_player(setting)),
    },
];
