//! Helmstetter and Cazenave (2004), "Incremental Transpositions".
//!
//! The deals behind figures 5 to 7 and the figures themselves are lost; what is left are their
//! shapes. Here the deals are random and have fewer cards, and the tables are smaller in
//! proportion, so that spaces of positions outgrow them as in the paper. Bruneau's game of Morpion
//! Solitaire is read from the folder that the environment variable `TABIA_DATA` names, or from
//! `data/morpion` in the current folder.

use std::time::Instant;

use tabia_cards::gaps::{Gaps, Variant};
use tabia_game::{Cancel, Game, Limits, Text};
use tabia_puzzles::morpion::{self, Morpion, pentasol};
use tabia_solve::single_agent::DepthFirst;

use super::data;
use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Series};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "incremental-transpositions";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "positions",
        title: "Distinct positions of Morpion Solitaire and of a small deal",
        source: "Helmstetter and Cazenave (2004), sections 3 and 4.4; computed for Tabia",
        takes: ["a few seconds", "a few seconds"],
        plan: |_| Ok(positions()),
    },
    Experiment {
        paper: PAPER,
        name: "figures-5-7",
        title: "Tables and incremental transpositions on random deals of Gaps",
        source: "Helmstetter and Cazenave (2004), figures 5 to 7",
        takes: ["a minute", "an hour"],
        plan: deals,
    },
    Experiment {
        paper: PAPER,
        name: "speed",
        title: "Positions a second, by the way they are told apart",
        source: "Helmstetter and Cazenave (2004), section 3.4",
        takes: ["half a minute", "half a minute"],
        plan: |_| speeds(),
    },
    Experiment {
        paper: PAPER,
        name: "bruneau",
        title: "Bruneau's game of 170 moves is optimal from its later moves on",
        source: "Helmstetter and Cazenave (2004), section 4.5 and figure 9",
        takes: ["a minute", "an hour"],
        plan: bruneau,
    },
];

fn wrong(reason: impl ToString) -> LabError {
    LabError::BadRequest(reason.to_string())
}

fn within(cancel: &Cancel, nodes: Option<u64>, depth: Option<u32>) -> Limits {
    Limits {
        nodes,
        depth,
        cancel: cancel.clone(),
        ..Limits::default()
    }
}

/// Distinct positions after 0, 1, ... moves.
const COUNTS: [(&str, &[u64]); 4] = [
    ("5T", &[1, 28, 382, 3_368, 21_497, 105_596]),
    ("5D", &[1, 28, 374, 3_176, 19_281, 89_212]),
    ("4T", &[1, 40, 772, 9_696, 89_802, 656_064]),
    ("4D", &[1, 40, 764, 9_392, 84_226, 589_672]),
];

/// The deal of four ranks whose positions the plain rules in the tests of `tabia-solve`,
/// `single_agent/puzzles.rs`, count as well.
const DEAL: &str = "3S 3D -- 3C / 3H 2H 4S -- / 4H 4D 4C 2S / -- 2C 2D --";
const DEAL_NODES: [(&str, u64); 4] = [
    ("nothing", 33_217),
    ("incremental transpositions", 236),
    ("a table", 160),
    ("both", 160),
];

fn methods(table: usize) -> [(&'static str, DepthFirst); 4] {
    [
        ("nothing", DepthFirst::plain()),
        ("incremental transpositions", DepthFirst::incremental()),
        ("a table", DepthFirst::plain().table(table)),
        ("both", DepthFirst::incremental().table(table)),
    ]
}

fn variant(name: &str) -> Result<Morpion, LabError> {
    let values = tabia_game::options::OptionValues::parse("morpion", name, morpion::PARAMETERS);
    Morpion::from_values(&values.map_err(wrong)?).map_err(wrong)
}

fn positions() -> ExperimentPlan {
    let mut cells = Vec::new();
    for (name, counts) in COUNTS {
        let depth = counts.len() as u32 - 1;
        cells.push(ExperimentCell::once(name, move |cancel| {
            let game = variant(name)?;
            let limits = within(cancel, None, Some(depth));
            let found = DepthFirst::incremental().search(&game, &game.start(), &limits);
            Ok(vec![found.nodes as f64])
        }));
    }
    for (name, method) in methods(1 << 16) {
        cells.push(ExperimentCell::once(name, move |cancel| {
            let game = Gaps::new(Variant::Basic, 4, 4, 0).map_err(wrong)?;
            let state = game.parse_position(DEAL).map_err(wrong)?;
            let found = method.search(&game, &state, &within(cancel, None, None));
            Ok(vec![found.nodes as f64])
        }));
    }
    ExperimentPlan {
        cells,
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for (name, counts) in COUNTS {
                let (all, moves) = (counts.iter().sum(), counts.len() - 1);
                let found = measured.count(name, 0)?;
                report.rows.push(Row::exact(
                    format!("{name}: positions after up to {moves} moves"),
                    all,
                    found,
                ));
            }
            for (name, known) in DEAL_NODES {
                let found = measured.count(name, 0)?;
                let name = format!("nodes of the deal of four ranks, with {name}");
                report.rows.push(Row::exact(name, known, found));
            }
            Ok(report)
        }),
    }
}

/// Ranks of the deals.
const RANKS: usize = 8;
/// Positions that the small table holds.
const SMALL: usize = 1 << 12;
/// A search is given up after this many nodes.
const MAX_NODES: [u64; 2] = [800_000, 8_000_000];
const DEALS: [usize; 2] = [200, 3_000];

fn deals(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const CELL: &str = "deals";
    let (count, seed) = (setting.scale.pick(DEALS), setting.seed);
    let most = setting.scale.pick(MAX_NODES);
    let cell = ExperimentCell::sample(CELL, count, move |item, cancel| {
        let number = seed.wrapping_mul(1_000_003).wrapping_add(item as u64);
        let game = Gaps::new(Variant::Basic, RANKS, 4, number).map_err(wrong)?;
        let start = game.start();
        let searches = [
            DepthFirst::incremental().growing_table(),
            DepthFirst::plain().growing_table(),
            DepthFirst::incremental(),
            DepthFirst::plain().table(SMALL),
            DepthFirst::incremental().table(SMALL),
        ];
        let nodes = searches.map(|search| {
            let limits = within(cancel, Some(most), None);
            search.search(&game, &start, &limits).nodes as f64
        });
        Ok(nodes.to_vec())
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let column = |number| measured.column(CELL, number);
            let [all, table, alone, small, both] =
                [column(0)?, column(1)?, column(2)?, column(3)?, column(4)?];
            let mut report = ExperimentReport::default();
            report.conditions.push(format!(
                "{count} deals of {RANKS} ranks, a table of {SMALL} positions and one that forgets \
                 nothing, searches given up after {most} nodes; the paper: 13 ranks, tables of \
                 2^20 and 2^25"
            ));
            let unequal = all.iter().zip(&table).filter(|(one, other)| one != other);
            report.rows.push(Row::exact(
                "deals on which a table that holds everything counts other positions with \
                 incremental transpositions",
                0,
                unequal.count() as u64,
            ));
            let ratios = |over: &[f64], under: &[f64], large: bool| -> Vec<f64> {
                let pairs = all.iter().zip(over.iter().zip(under));
                let chosen = pairs.filter(|(size, _)| (**size > 4.0 * SMALL as f64) == large);
                let mut ratios: Vec<f64> = chosen.map(|(_, (one, other))| one / other).collect();
                ratios.sort_by(f64::total_cmp);
                ratios
            };
            let middle = |ratios: &[f64]| ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
            let alone_ratios = [ratios(&alone, &all, false), ratios(&alone, &all, true)];
            let [below, above] = alone_ratios.each_ref().map(|ratios| middle(ratios));
            let least = all.iter().zip(&alone).filter(|(all, alone)| alone < all);
            report.relation(
                "figure 5: without a table never fewer nodes, and the more, the larger the space",
                Verdict::of(least.count() == 0 && above >= below),
                format!(
                    "the middle ratio is {below:.2} on small spaces and {above:.2} on large ones"
                ),
            );
            let [table_loss, both_loss] =
                [&small, &both].map(|one| middle(&ratios(one, &all, true)));
            let spaces = alone_ratios[1].len();
            let verdict = |held| match spaces {
                0 => Verdict::Undecided,
                _ => Verdict::of(held),
            };
            report.relation(
                "figure 6: a table alone loses a factor of ten or more beyond four times its size",
                verdict(table_loss >= 10.0),
                format!(
                    "the middle loss is {table_loss:.1} on {spaces} deals, many of them given up"
                ),
            );
            report.relation(
                "figure 7: with incremental transpositions it loses much less",
                verdict(both_loss * 4.0 <= table_loss),
                format!("the middle loss is {both_loss:.2}"),
            );
            let curve = |name: &str, over: &[f64], under: &[f64]| {
                let mut points: Vec<(f64, f64)> = all
                    .iter()
                    .zip(over.iter().zip(under))
                    .map(|(&size, (one, other))| (size, one / other))
                    .collect();
                points.sort_by(|one, other| one.0.total_cmp(&other.0));
                Series::new(name, points)
            };
            report.curves.push(Curve {
                name: "Nodes compared with those of both, with a table that holds everything"
                    .to_string(),
                x: "positions".to_string(),
                y: "ratio".to_string(),
                logarithmic: true,
                series: vec![
                    curve("incremental transpositions alone", &alone, &all),
                    curve("small table alone", &small, &all),
                    curve("small table and incremental transpositions", &both, &all),
                ],
            });
            Ok(report)
        }),
    })
}

fn speeds() -> Result<ExperimentPlan, LabError> {
    const NODES: u64 = 20_000_000;
    /// Millions of positions a second as printed, on 3 GHz of 2004.
    const PRINTED: [f64; 4] = [20.4, 9.5, 1.7, 3.4];
    let cells = methods(1 << 25).map(|(name, method)| {
        ExperimentCell::once(name, move |cancel| {
            let game = Gaps::new(Variant::Basic, 13, 4, 7).map_err(wrong)?;
            let started = Instant::now();
            let found = method.search(&game, &game.start(), &within(cancel, Some(NODES), None));
            let seconds = started.elapsed().as_secs_f64();
            Ok(vec![found.nodes as f64 / seconds / 1e6])
        })
    });
    let morpion = ExperimentCell::once("Morpion", |cancel| {
        let game = variant("5T")?;
        let limits = within(cancel, Some(NODES), None);
        let started = Instant::now();
        let found = DepthFirst::incremental().search(&game, &game.start(), &limits);
        Ok(vec![
            found.nodes as f64 / started.elapsed().as_secs_f64() / 1e6,
        ])
    });
    Ok(ExperimentPlan {
        cells: cells.into_iter().chain([morpion]).collect(),
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(
                "all of them at the same time on two cores, so only the order counts".to_string(),
            );
            let mut rates = Vec::new();
            for ((name, _), printed) in methods(0).into_iter().zip(PRINTED) {
                let rate = measured.column(name, 0)?.first().copied().unwrap_or(0.0);
                rates.push(rate);
                report.rows.push(Row::compared(
                    format!("millions of positions a second of Gaps, with {name}"),
                    Some(Figure::Number(printed)),
                    Figure::Number(rate),
                ));
            }
            let morpion = measured.column("Morpion", 0)?;
            report.rows.push(Row::compared(
                "millions of positions a second of Morpion Solitaire",
                Some(Figure::Number(3.7)),
                Figure::Number(morpion.first().copied().unwrap_or(0.0)),
            ));
            let order = [rates[0], rates[1], rates[3], rates[2]];
            report.relation(
                "nothing is fastest, then incremental transpositions, then both, and a table alone \
                 is slowest",
                Verdict::of(order.is_sorted_by(|one, next| one > next)),
                format!("{order:.1?}"),
            );
            Ok(report)
        }),
    })
}

/// Nodes of the complete search after a number of moves: the positions that there are. The plain
/// implementation beside the tests of `tabia-puzzles` counts the first six the same.
const ENDINGS: [(usize, u64); 10] = [
    (160, 50),
    (155, 61),
    (150, 88),
    (145, 334),
    (140, 2_936),
    (135, 22_132),
    (130, 268_911),
    (125, 1_065_712),
    (120, 6_597_732),
    (115, 31_867_703),
];

/// Endings of which only the result is known, from the paper: the game is optimal from its 61st
/// move on.
const LONGER: [usize; 3] = [110, 105, 100];

fn bruneau(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let path = data("morpion", "bruneau.psol");
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| {
        wrong(format!(
            "'{shown}' with Bruneau's game cannot be read: {error}; TABIA_DATA names the folder it \
             lies in"
        ))
    })?;
    let game = variant("5T")?;
    let (moves, _) = pentasol::read(&game, &text).map_err(|e| wrong(format!("'{shown}': {e}")))?;
    let (known, longer) = setting.scale.pick([(9, 0), (ENDINGS.len(), LONGER.len())]);
    let known = ENDINGS[..known]
        .iter()
        .map(|&(played, nodes)| (played, Some(nodes)));
    let longer = LONGER[..longer].iter().map(|&played| (played, None));
    let endings: Vec<(usize, Option<u64>)> = known.chain(longer).collect();
    let cells = endings.iter().map(|&(played, _)| {
        let (game, moves) = (game, moves.clone());
        ExperimentCell::once(format!("{played} moves"), move |cancel| {
            let mut state = game.start();
            for &mv in &moves[..played.min(moves.len())] {
                game.play(&mut state, mv);
            }
            let found =
                DepthFirst::incremental().search(&game, &state, &within(cancel, None, None));
            let payoff = found.payoff.map_or(0.0, f64::from);
            Ok(vec![found.nodes as f64, payoff])
        })
    });
    Ok(ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let mut points = Vec::new();
            for &(played, known) in &endings {
                let cell = format!("{played} moves");
                let nodes = measured.count(&cell, 0)?;
                points.push((played as f64, nodes as f64));
                let name = format!("nodes after {cell}");
                report.rows.push(match known {
                    Some(known) => Row::exact(name, known, nodes),
                    None => Row::compared(name, None, Figure::Count(nodes)),
                });
                let best = measured.count(&cell, 1)?;
                report
                    .rows
                    .push(Row::exact(format!("best after {cell}"), 170, best));
            }
            report.curves.push(Curve {
                name: "Nodes of the complete search of an ending".to_string(),
                x: "moves played".to_string(),
                y: "nodes".to_string(),
                logarithmic: true,
                series: vec![Series::new("incremental transpositions", points)],
            });
            Ok(report)
        }),
    })
}
