//! ChanceProbCut against the same search without it, at equal numbers of nodes (tables 5.5, 5.9 and
//! 5.11).

use tabia_game::Seed;

use crate::chance::{duel_of, share};
use tabia_lab::experiment::ExperimentPlan;
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// A game, its engine, nodes of a move, pairs of games, the widths, and the wins printed for them
/// in percent.
struct Duel {
    name: &'static str,
    /// A number stands in the place of `#`, another one for every pair of games.
    game: &'static str,
    engine: &'static str,
    nodes: [u64; 2],
    pairs: [usize; 2],
    widths: &'static [(f64, f64)],
}

const DUELS: &[Duel] = &[
    Duel {
        name: "Stratego",
        game: "stratego:setup=random,seed=#,limit=200",
        engine: "star2:chance=off,table=16M",
        nodes: [10_000, 100_000],
        pairs: [4, 200],
        widths: &[(0.8, 51.9), (0.2, 51.9)],
    },
    Duel {
        name: "Dice",
        game: "dice:5,k=4",
        engine: "star2:table=16M",
        nodes: [20_000, 100_000],
        pairs: [100, 5_000],
        widths: &[(1.6, 50.6), (0.4, 50.3)],
    },
    Duel {
        name: "ChanceBreakthrough",
        game: "chancebreakthrough",
        engine: "star2:chance=off,table=16M",
        nodes: [50_000, 200_000],
        pairs: [12, 1_000],
        widths: &[(1.6, 54.4), (0.8, 51.5)],
    },
];

fn name(duel: &Duel, width: f64) -> String {
    format!("{}, t = {width}", duel.name)
}

pub fn selfplay(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let mut cells = Vec::new();
    for duel in DUELS {
        let (nodes, pairs) = (
            setting.scale.pick(duel.nodes),
            setting.scale.pick(duel.pairs),
        );
        let seed = Seed::new(setting.seed).split("selfplay").split(duel.name);
        for &(width, _) in duel.widths {
            let engine = format!("{},nodes={nodes}", duel.engine);
            let engines = [format!("{engine},probcut={width}"), engine];
            let game = |pair: usize| duel.game.replace('#', &pair.to_string());
            cells.push(duel_of(name(duel, width), game, engines, pairs, seed));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "equal nodes a move, iterative deepening, the same luck from both sides; the \
                     thesis: equal times, and Dice on 11x11"
                        .to_string(),
                    DUELS
                        .iter()
                        .map(|duel| {
                            format!("{}: {} nodes", duel.name, setting.scale.pick(duel.nodes))
                        })
                        .collect::<Vec<_>>()
                        .join("; "),
                ],
                ..ExperimentReport::default()
            };
            for duel in DUELS {
                for &(width, printed) in duel.widths {
                    let name = name(duel, width);
                    let (share, interval) = share(measured, &name)?;
                    let row = Row::compared(
                        &name,
                        Some(Figure::Number(printed / 100.0)),
                        Figure::Number(share),
                    );
                    report.rows.push(row.within(interval));
                    report.relation(
                        format!("{name}: estimates win more than half of the games"),
                        Verdict::below(interval.complement(), 0.5),
                        format!("{:.1} %", 100.0 * share),
                    );
                }
            }
            Ok(report)
        }),
    })
}
