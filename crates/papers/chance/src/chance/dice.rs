//! Hauk (2004), "Search in Trees with Chance Nodes": the game Dice, tables B.1 to B.19.
//!
//! The thesis gives neither how many in a row win on its search boards nor the bounds of the
//! evaluation. Ours are four in a row, and a won game worth one pair more than there can be.
//! Positions are seeded, with two moves or more and none that wins at once.

use std::sync::Arc;

use rand::RngExt;
use tabia_game::{Seed, Turn};
use tabia_registry::{AnyGame, open};

use super::{Family, Printed, Set, duel, probe_efficiency, share};
use tabia_lab::experiment::{Curve, ExperimentPlan, Series};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "hauk";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "nodes",
        title: "Nodes of Expectimax, Star1 and Star2 in Dice by board and depth",
        source: "Hauk (2004), tables B.3 to B.16",
        takes: ["a minute", "two hours"],
        plan: nodes,
    },
    Experiment {
        paper: PAPER,
        name: "probes",
        title: "How often probes decide a chance node",
        source: "Hauk (2004), table B.2",
        takes: ["a minute", "an hour"],
        plan: probes,
    },
    Experiment {
        paper: PAPER,
        name: "ordering",
        title: "Star2 with different orders of moves on the 11x11 board",
        source: "Hauk (2004), tables B.17 to B.19",
        takes: ["a minute", "two hours"],
        plan: ordering,
    },
    Experiment {
        paper: PAPER,
        name: "depth",
        title: "Deeper search against shallower in Dice",
        source: "Hauk (2004), table B.1",
        takes: ["a minute", "six hours"],
        plan: depths,
    },
];

/// Side of the board, depth; printed nodes of Expectimax, and percents of Star1 and Star2;
/// positions when there is little time, and when there is much (none: not measured).
type DepthRow = (usize, u32, f64, f64, f64, [usize; 2]);

const LINES: &[DepthRow] = &[
    (5, 3, 118.0, 92.0, 72.0, [200, 500]),
    (7, 3, 299.0, 92.0, 54.0, [200, 500]),
    (9, 3, 605.0, 93.0, 43.0, [200, 500]),
    (11, 3, 1_073.0, 94.0, 36.0, [200, 500]),
    (17, 3, 3_795.0, 95.0, 25.0, [100, 500]),
    (5, 5, 2_397.0, 84.0, 52.0, [100, 500]),
    (7, 5, 12_114.0, 84.0, 32.0, [100, 500]),
    (9, 5, 40_632.0, 84.0, 22.0, [50, 500]),
    (11, 5, 108_631.0, 85.0, 17.0, [20, 500]),
    (17, 5, 925_415.0, 86.0, 10.0, [0, 100]),
    (5, 7, 42_073.0, 76.0, 34.0, [50, 500]),
    (7, 7, 448_736.0, 76.0, 19.0, [10, 500]),
    (9, 7, 2_556_033.0, 75.0, 12.0, [0, 200]),
    (11, 7, 10_440_509.0, 76.0, 9.0, [0, 50]),
    (5, 9, 412_521.0, 79.0, 41.0, [0, 200]),
    (7, 9, 9_109_391.0, 76.0, 21.0, [0, 20]),
];

/// The searches of the thesis: no iterative deepening, moves in the quick order, rolls in their
/// own.
const SPECS: [&str; 3] = [
    "expectimax:table=32M,order=quick",
    "star1:table=32M,deepening=off,order=quick",
    STAR2,
];
const STAR2: &str =
    "star2:table=32M,deepening=off,order=quick,pick=quick,etc=off,history=off,outcomes=given";

fn game(m: usize) -> String {
    format!("dice:{m},k=4")
}

/// Random positions with a throw, two moves or more, and none that wins at once.
fn positions(m: usize, count: usize, seed: Seed) -> Result<Set, LabError> {
    let game: Arc<dyn AnyGame> = open(&game(m))?.into();
    let mut positions: Vec<String> = Vec::with_capacity(count);
    for number in 0..1000 * count as u64 {
        if positions.len() == count {
            break;
        }
        let mut rng = seed.number(number).rng();
        let mut session = game.session(None)?;
        // Stones on a tenth to seven tenths of the board; a stone is a throw and a move.
        let plies = 2 * rng.random_range(m * m / 10..=m * m * 7 / 10) + 1;
        for _ in 0..plies {
            match session.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    session.roll(&mut rng)?;
                }
                Turn::Player(_) => {
                    let moves = session.moves();
                    session.play(&moves[rng.random_range(0..moves.len())])?;
                }
            }
        }
        let position = session.position();
        let moves = session.moves();
        let mut trivial = !matches!(session.turn(), Turn::Player(_)) || moves.len() < 2;
        for mv in &moves {
            if !trivial {
                session.play(mv)?;
                trivial = session.ending().is_some();
                session.undo();
            }
        }
        if !trivial && !positions.contains(&position) {
            positions.push(position);
        }
    }
    Ok(Set {
        game,
        positions: Arc::new(positions),
    })
}

fn family(m: usize, depth: u32) -> Family {
    Family::new(format!("{m}x{m} depth {depth}"))
}

fn lines(setting: &Setting) -> Vec<&'static DepthRow> {
    let measured = LINES.iter().filter(|line| setting.scale.pick(line.5) > 0);
    measured.collect()
}

fn nodes(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let mut cells = Vec::new();
    for &&(m, depth, _, _, _, counts) in &lines(&setting) {
        let seed = Seed::new(setting.seed).split("dice").number(m as u64);
        let set = positions(m, setting.scale.pick(counts), seed)?;
        let searches = family(m, depth).cells(&set, SPECS, depth, setting.scale.pick(counts));
        cells.extend(searches);
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "four in a row win; the thesis does not say how many did".to_string(),
                    "nodes are means over seeded random positions with a throw, two moves or more, \
                     and none that wins at once".to_string(),
                    "all three searches have a table of 32 MB and the quick order; the thesis had \
                     128 MB".to_string(),
                ],
                ..ExperimentReport::default()
            };
            let mut shares: Vec<(u32, usize, f64)> = Vec::new();
            for &&(m, depth, expectimax, star1, star2, _) in &lines(&setting) {
                let printed = Printed {
                    expectimax: Some(expectimax),
                    star1: Some(star1),
                    star2: Some(star2),
                };
                let share = family(m, depth).report(&mut report, measured, printed)?;
                shares.push((depth, m, share));
            }
            let mut series = Vec::new();
            for depth in [3, 5, 7, 9] {
                let of_depth: Vec<(f64, f64)> = shares
                    .iter()
                    .filter(|(d, ..)| *d == depth)
                    .map(|&(_, m, share)| (m as f64, share))
                    .collect();
                if of_depth.len() < 2 {
                    continue;
                }
                let falls = of_depth.windows(2).all(|pair| pair[1].1 < pair[0].1);
                let told: Vec<String> = of_depth
                    .iter()
                    .map(|(m, share)| format!("{m}: {share:.3}"))
                    .collect();
                report.relation(
                    format!("depth {depth}: the share of Star2 falls with the size of the board"),
                    Verdict::of(falls),
                    told.join(", "),
                );
                series.push(Series::new(format!("depth {depth}"), of_depth));
            }
            report.curves.push(Curve {
                name: "Star2 against Expectimax".to_string(),
                x: "side of the board".to_string(),
                y: "share of the nodes".to_string(),
                logarithmic: false,
                series,
            });
            Ok(report)
        }),
    })
}

/// Depth; printed percents for boards 5, 7, 9, 11; positions.
const EFFICIENCY: &[(u32, [f64; 4], [usize; 2])] = &[
    (3, [66.8, 75.0, 79.3, 82.0], [200, 500]),
    (5, [48.4, 53.9, 57.5, 59.8], [50, 500]),
    (7, [48.4, 59.4, 66.5, 71.1], [5, 100]),
];
const BOARDS: [usize; 4] = [5, 7, 9, 11];

fn probes(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let name = |m: usize, depth: u32| format!("{m}x{m} depth {depth}");
    let mut cells = Vec::new();
    for &(depth, _, counts) in EFFICIENCY {
        for m in BOARDS {
            let seed = Seed::new(setting.seed).split("dice").number(m as u64);
            let set = positions(m, setting.scale.pick(counts), seed)?;
            cells.push(set.cell(name(m, depth), STAR2.to_string(), depth, usize::MAX));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "probe efficiency: chance nodes decided by their probes, of those that were \
                     probed"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            for &(depth, printed, _) in EFFICIENCY {
                let mut found = Vec::new();
                for (m, percent) in BOARDS.into_iter().zip(printed) {
                    let efficiency = probe_efficiency(measured, &name(m, depth))?;
                    report.rows.push(Row::compared(
                        name(m, depth),
                        Some(Figure::Number(percent / 100.0)),
                        Figure::Number(efficiency),
                    ));
                    found.push(efficiency);
                }
                report.relation(
                    format!("depth {depth}: probes decide more often on larger boards"),
                    Verdict::of(found.first() < found.last()),
                    format!("{:.3} on 5x5, {:.3} on 11x11", found[0], found[3]),
                );
            }
            Ok(report)
        }),
    })
}

/// The order, and the nodes printed at depth 7 in relation to those of the quick order.
const ORDERS: [(&str, f64); 4] = [
    ("generated", 1.890 / 1.438),
    ("random", 1.794 / 1.438),
    ("static", 1.444 / 1.438),
    ("quick", 1.0),
];

fn ordering(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (depth, sample) = setting.scale.pick([(5, 60), (7, 100)]);
    let seed = Seed::new(setting.seed).split("dice").number(11);
    let set = positions(11, sample, seed)?;
    let cell = |&(order, _): &(&str, f64)| {
        let spec = format!(
            "star2:table=32M,deepening=off,etc=off,history=off,outcomes=given,pick=quick,\
             order={order}"
        );
        set.cell(order.to_string(), spec, depth, usize::MAX)
    };
    Ok(ExperimentPlan {
        cells: ORDERS.iter().map(cell).collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "11x11, depth {depth}, {sample} positions; printed ratios are those of depth \
                     7; what is probed is the same in all"
                )],
                ..ExperimentReport::default()
            };
            for (order, printed) in ORDERS {
                let (ratio, interval) = measured.ratio(order, "quick")?;
                let name = format!("nodes, {order} / quick");
                let row = Row::compared(name, Some(Figure::Number(printed)), Figure::Number(ratio));
                report.rows.push(row.within(interval));
                report.rows.push(Row::compared(
                    format!("probe efficiency, {order}"),
                    None,
                    Figure::Number(probe_efficiency(measured, order)?),
                ));
            }
            for informed in ["static", "quick"] {
                for blind in ["generated", "random"] {
                    let (ratio, interval) = measured.ratio(informed, blind)?;
                    report.relation(
                        format!("the {informed} order needs fewer nodes than the {blind} one"),
                        Verdict::below(interval, 1.0),
                        format!("{ratio:.3}"),
                    );
                }
            }
            Ok(report)
        }),
    })
}

/// Depths of the two sides, the percent that the first was printed to win, and pairs of games.
const DUELS: &[([u32; 2], f64, [usize; 2])] = &[
    ([3, 1], 51.83, [400, 9_000]),
    ([5, 1], 63.52, [150, 9_000]),
    ([5, 3], 61.82, [150, 9_000]),
    ([7, 5], 50.54, [0, 500]),
];

fn depths(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let name = |[deep, shallow]: [u32; 2]| format!("depth {deep} against {shallow}");
    let measured_duels = move || {
        DUELS
            .iter()
            .filter(move |duel| setting.scale.pick(duel.2) > 0)
    };
    let mut cells = Vec::new();
    for &(depths, _, counts) in measured_duels() {
        let specs = depths.map(|depth| format!("{STAR2},depth={depth}"));
        let seed = Seed::new(setting.seed).split(&name(depths));
        cells.push(duel(
            name(depths),
            &game(7),
            specs,
            setting.scale.pick(counts),
            seed,
        )?);
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "7x7, four in a row; every sequence of throws is played from both sides; a \
                     draw is half a win; the thesis: 18,000 games a pair"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            for &(depths, printed, _) in measured_duels() {
                let (share, interval) = share(measured, &name(depths))?;
                let row = Row::compared(
                    name(depths),
                    Some(Figure::Number(printed / 100.0)),
                    Figure::Number(share),
                );
                report.rows.push(row.within(interval));
                if depths[0] == 5 {
                    report.relation(
                        format!("{}: the deeper search is stronger", name(depths)),
                        Verdict::below(interval.complement(), 0.5),
                        format!("{:.1} % of the points", 100.0 * share),
                    );
                }
            }
            Ok(report)
        }),
    })
}
