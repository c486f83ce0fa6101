//! Sampling against Star2 at equal numbers of nodes: Monte Carlo *-Minimax (Lanctot et al. 2013),
//! which looks at some of the outcomes, and Monte-Carlo tree search with chance nodes, which looks
//! at none in particular.
//!
//! A node of Star2 and of Monte Carlo *-Minimax is a position looked at; one of Monte-Carlo tree
//! search is a move played, in the tree or in a playout.

use tabia_game::Seed;

use super::{duel, share};
use tabia_lab::experiment::ExperimentPlan;
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting};

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[Experiment {
    paper: "star-minimax",
    name: "rivals",
    title: "Star2 against sampling searches at equal nodes",
    source: "Lanctot et al. (2013), section 5, in kind",
    takes: ["a minute", "two hours"],
    plan: rivals,
}];

const GAMES: [&str; 4] = ["chancebreakthrough:6x6", "dice:7", "einstein", "pig:50"];

const RIVALS: [&str; 2] = ["mcms", "mcts"];

fn name(game: &str, rival: &str) -> String {
    format!("{game}, star2 against {rival}")
}

fn rivals(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (nodes, pairs) = setting.scale.pick([(2_000, 60), (20_000, 1_000)]);
    let mut cells = Vec::new();
    for game in GAMES {
        for rival in RIVALS {
            let engines = ["star2", rival].map(|engine| format!("{engine}:nodes={nodes}"));
            let seed = Seed::new(setting.seed).split("rivals").split(game);
            cells.push(duel(name(game, rival), game, engines, pairs, seed)?);
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "{nodes} nodes a move, {pairs} pairs of games, each with the same luck from \
                     both sides; the share of Star2 in the wins"
                )],
                ..ExperimentReport::default()
            };
            for game in GAMES {
                for rival in RIVALS {
                    let name = name(game, rival);
                    let (share, interval) = share(measured, &name)?;
                    let row = Row::compared(&name, None, Figure::Number(share));
                    report.rows.push(row.within(interval));
                }
            }
            Ok(report)
        }),
    })
}
