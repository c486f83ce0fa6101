//! Tables 3.1 to 3.5 and figure 3.2: means over many positions at equal budgets of nodes.

use tabia_game::{Limits, Path, Seed};
use tabia_puzzles::samegame::{Spared, Tabu};
use tabia_search::single_agent::{Seek, SpMcts, SpMctsConfig, TopScore};
use tabia_search::{Counter, Situation};

use super::{Boards, budgets};
use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments, paired_ratio};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// How positions are searched.
#[derive(Clone, Copy)]
struct Setup {
    config: SpMctsConfig,
    policy: Tabu,
    nodes: u64,
}

/// The manual parameters of table 3.4, with the exploitation setting.
const MANUAL: Setup = Setup {
    config: SpMctsConfig {
        exploration: 0.1,
        deviation: 32.0,
        threshold: 10,
        top: 0.02,
        top_score: TopScore::Share,
        restarts: 1,
        per_move: 0,
        tree: 16_000_000,
        seed: 0,
    },
    policy: Tabu {
        spared: Spared::MostFrequent,
        epsilon: 0.003,
    },
    nodes: 100_000,
};

/// Moves that the budget of a game is shared out to: the mean length of a game, 64.4.
const MOVES: u32 = 64;

const BALANCED: SpMctsConfig = SpMctsConfig {
    exploration: 0.5,
    deviation: 10_000.0,
    ..MANUAL.config
};
const EXPLORATION: SpMctsConfig = SpMctsConfig {
    exploration: 1.0,
    deviation: 20_000.0,
    ..MANUAL.config
};
/// Table 3.4, tuned for searches of every move.
const TUNED: Setup = Setup {
    config: SpMctsConfig {
        exploration: 4.31,
        deviation: 96.67,
        threshold: 11,
        top: 0.28,
        per_move: MOVES,
        ..MANUAL.config
    },
    policy: Tabu {
        spared: Spared::MostFrequent,
        epsilon: 0.00007,
    },
    nodes: 100_000,
};

/// What a second of the thesis is worth: table 3.2 prints 1,000 seconds for five million nodes.
const NODES_A_SECOND: u64 = 5_000;
const SECONDS: [u64; 5] = [5, 10, 20, 30, 60];

const SCORE: usize = 0;
const DEPTH: usize = 1;
const DEEPEST: usize = 2;

fn cell(name: String, boards: &Boards, setup: Setup, seed: u64) -> ExperimentCell {
    let boards = boards.clone();
    ExperimentCell::sample(name, boards.len(), move |item, cancel| {
        let mut search = SpMcts::new(setup.config, setup.policy);
        let luck = Seed::new(seed).split("search").number(item as u64);
        Seek::<tabia_puzzles::samegame::SameGame>::reseed(&mut search, luck);
        let limits = Limits {
            nodes: Some(setup.nodes),
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let situation = Situation {
            game: &*boards.game,
            state: &boards.boards[item],
            path: &Path::new(),
        };
        let found = search.seek(situation, &limits, &mut |_, _, _| {});
        let counter = |name: &str| {
            let found = found.counters.iter().find(|(key, _)| *key == name);
            match found {
                Some((_, Counter::One(number))) => *number as f64,
                _ => 0.0,
            }
        };
        let score = f64::from(found.payoff);
        Ok(vec![score, counter("depth"), counter("deepest")])
    })
}

fn mean(measured: &Measured, cell: &str, column: usize) -> Result<Mean, LabError> {
    let mut moments = Moments::default();
    for figure in measured.column(cell, column)? {
        moments.add(figure);
    }
    Ok(Mean::new(&moments, CONFIDENCE))
}

fn row(measured: &Measured, cell: &str, printed: f64) -> Result<Row, LabError> {
    let mean = mean(measured, cell, SCORE)?;
    let row = Row::compared(
        cell,
        Some(Figure::Number(printed)),
        Figure::Number(mean.mean),
    );
    Ok(row.within(mean.interval))
}

/// Whether one mean is greater than another on the same boards, by more than chance would have it.
fn greater(
    measured: &Measured,
    one: &str,
    other: &str,
    factor: f64,
) -> Result<(Verdict, String), LabError> {
    let scores = [one, other].map(|cell| measured.column(cell, SCORE));
    let [one, other] = scores;
    let (ratio, interval) = paired_ratio(&other?, &one?, Seed::new(1));
    let verdict = Verdict::below(interval, 1.0 / factor);
    let evidence = format!(
        "the mean ratio is {:.3} ({:.3} to {:.3})",
        1.0 / ratio,
        1.0 / interval.high,
        1.0 / interval.low
    );
    Ok((verdict, evidence))
}

fn conditions(boards: &Boards) -> ExperimentReport {
    ExperimentReport {
        conditions: vec![boards.source.clone()],
        ..ExperimentReport::default()
    }
}

/// Table 3.1.
pub fn policies(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let boards = Boards::of_250([40, 250], setting)?;
    let nodes = setting.scale.pick([100_000, 10_000_000]);
    const LINES: [(&str, Spared, f64); 3] = [
        ("Random", Spared::Nothing, 2_069.0),
        ("TabuRandom", Spared::Random, 2_737.0),
        ("TabuColorRandom", Spared::MostFrequent, 3_038.0),
    ];
    let cells = LINES.map(|(name, spared, _)| {
        let setup = Setup {
            config: BALANCED,
            policy: Tabu {
                spared,
                ..MANUAL.policy
            },
            nodes,
        };
        cell(name.to_string(), &boards, setup, setting.seed)
    });
    Ok(ExperimentPlan {
        cells: cells.into(),
        report: Box::new(move |measured| {
            let mut report = conditions(&boards);
            report.conditions.push(format!(
                "{nodes} nodes a position; the thesis had 10,000,000"
            ));
            for (name, _, printed) in LINES {
                report.rows.push(row(measured, name, printed)?);
            }
            for [(better, ..), (worse, ..)] in [[LINES[1], LINES[0]], [LINES[2], LINES[1]]] {
                let (verdict, evidence) = greater(measured, better, worse, 1.0)?;
                report.relation(
                    format!("{better} is better than {worse}"),
                    verdict,
                    evidence,
                );
            }
            let (verdict, evidence) = greater(measured, LINES[2].0, LINES[0].0, 1.3)?;
            let claim = "TabuColorRandom scores at least 30% more than Random";
            report.relation(claim, verdict, evidence);
            Ok(report)
        }),
    })
}

/// Table 3.2.
pub fn exploration(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const NODES: [u64; 3] = [100_000, 1_000_000, 5_000_000];
    /// Score, average depth and deepest node as printed, by the number of nodes.
    const LINES: [(&str, SpMctsConfig, [[f64; 3]; 3]); 3] = [
        (
            "exploitation",
            MANUAL.config,
            [
                [2_552.0, 25.0, 63.0],
                [2_674.0, 36.0, 71.0],
                [2_806.0, 40.0, 69.0],
            ],
        ),
        (
            "balanced",
            BALANCED,
            [
                [2_388.0, 7.0, 19.0],
                [2_858.0, 14.0, 37.0],
                [3_008.0, 18.0, 59.0],
            ],
        ),
        (
            "exploration",
            EXPLORATION,
            [
                [2_197.0, 3.0, 8.0],
                [2_579.0, 6.0, 15.0],
                [2_901.0, 9.0, 20.0],
            ],
        ),
    ];
    let boards = Boards::of_250([10, 250], setting)?;
    let nodes = budgets(setting.scale, &NODES, 2);
    let name = |line: &str, nodes: u64| format!("{line}, {nodes} nodes");
    let mut cells = Vec::new();
    for &nodes in &nodes {
        for (line, config, _) in LINES {
            let setup = Setup {
                config,
                nodes,
                ..MANUAL
            };
            cells.push(cell(name(line, nodes), &boards, setup, setting.seed));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = conditions(&boards);
            for (i, &nodes) in nodes.iter().enumerate() {
                for (line, _, printed) in LINES {
                    let cell = name(line, nodes);
                    report.rows.push(row(measured, &cell, printed[i][SCORE])?);
                    for (column, what) in [(DEPTH, "average depth"), (DEEPEST, "deepest node")] {
                        let found = mean(measured, &cell, column)?;
                        report.rows.push(Row::compared(
                            format!("{cell}, {what}"),
                            Some(Figure::Number(printed[i][column])),
                            Figure::Number(found.mean),
                        ));
                    }
                }
                let better = |one: &str, other: &str| {
                    greater(measured, &name(one, nodes), &name(other, nodes), 1.0)
                };
                let claims = match i {
                    0 => [("exploitation", "balanced"), ("balanced", "exploration")],
                    _ => [("balanced", "exploitation"), ("balanced", "exploration")],
                };
                for (one, other) in claims {
                    let (verdict, evidence) = better(one, other)?;
                    let claim = format!("{one} beats {other} with {nodes} nodes");
                    report.relation(claim, verdict, evidence);
                }
                if i == 2 {
                    let (verdict, evidence) = better("exploration", "exploitation")?;
                    let claim = format!("exploration beats exploitation with {nodes} nodes");
                    report.relation(claim, verdict, evidence);
                }
                let depths: Result<Vec<f64>, LabError> = LINES
                    .iter()
                    .map(|(line, ..)| Ok(mean(measured, &name(line, nodes), DEPTH)?.mean))
                    .collect();
                let depths = depths?;
                report.relation(
                    format!(
                        "with {nodes} nodes exploitation grows the deepest trees and exploration \
                         the flattest"
                    ),
                    Verdict::of(depths.is_sorted_by(|one, next| one > next)),
                    format!("{depths:.1?}"),
                );
            }
            Ok(report)
        }),
    })
}

/// Figure 3.2.
pub fn restarts(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const NODES: u64 = 500_000;
    const SEARCHES: [u32; 8] = [1, 2, 5, 10, 20, 50, 100, 200];
    let boards = Boards::of_250([8, 250], setting)?;
    let name = |searches: u32| format!("{searches} searches");
    let cells = SEARCHES.map(|searches| {
        let setup = Setup {
            config: SpMctsConfig {
                restarts: searches,
                ..MANUAL.config
            },
            nodes: NODES,
            ..MANUAL
        };
        cell(name(searches), &boards, setup, setting.seed)
    });
    Ok(ExperimentPlan {
        cells: cells.into(),
        report: Box::new(move |measured| {
            let mut report = conditions(&boards);
            report
                .conditions
                .push(format!("{NODES} nodes a position, shared by the searches"));
            let mut points = Vec::new();
            for searches in SEARCHES {
                let mean = mean(measured, &name(searches), SCORE)?;
                points.push((f64::from(searches), mean.mean));
                let printed = (searches == 10).then_some(Figure::Number(2_970.0));
                let row = Row::compared(name(searches), printed, Figure::Number(mean.mean));
                report.rows.push(row.within(mean.interval));
            }
            let (verdict, evidence) = greater(measured, &name(2), &name(1), 1.0)?;
            report.relation("two searches beat one", verdict, evidence);
            let (verdict, evidence) = greater(measured, &name(10), &name(1), 1.0)?;
            report.relation("ten searches beat one", verdict, evidence);
            let (verdict, evidence) = greater(measured, &name(10), &name(200), 1.0)?;
            report.relation("too many searches are worse than ten", verdict, evidence);
            report.curves.push(Curve {
                name: "The average score by the number of searches".to_string(),
                x: "searches".to_string(),
                y: "points".to_string(),
                series: vec![Series::new("SP-MCTS", points)],
                logarithmic: false,
            });
            Ok(report)
        }),
    })
}

/// Two ways to search at the budgets of tables 3.3 and 3.5.
fn duel(
    setting: &Setting,
    count: [usize; 2],
    lines: [(&'static str, Setup, [f64; 5]); 2],
    depths: Option<[[f64; 5]; 2]>,
) -> Result<ExperimentPlan, LabError> {
    let boards = Boards::of_250(count, setting)?;
    let seconds = budgets(setting.scale, &SECONDS, 3);
    let name = |line: &str, seconds: u64| format!("{line}, {seconds} s");
    let mut cells = Vec::new();
    for &seconds in &seconds {
        for (line, setup, _) in lines {
            let setup = Setup {
                nodes: seconds * NODES_A_SECOND,
                ..setup
            };
            cells.push(cell(name(line, seconds), &boards, setup, setting.seed));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = conditions(&boards);
            report.conditions.push(format!(
                "a second is {NODES_A_SECOND} nodes, as in table 3.2"
            ));
            for (i, &seconds) in seconds.iter().enumerate() {
                for (place, (line, _, printed)) in lines.into_iter().enumerate() {
                    let cell = name(line, seconds);
                    report.rows.push(row(measured, &cell, printed[i])?);
                    if let Some(depths) = depths {
                        let depth = mean(measured, &cell, DEPTH)?;
                        report.rows.push(Row::compared(
                            format!("{cell}, average depth"),
                            Some(Figure::Number(depths[place][i])),
                            Figure::Number(depth.mean),
                        ));
                    }
                }
                let [(worse, ..), (better, ..)] = lines;
                let (verdict, evidence) =
                    greater(measured, &name(better, seconds), &name(worse, seconds), 1.0)?;
                let claim = format!("{better} beats {worse} at {seconds} s");
                report.relation(claim, verdict, evidence);
            }
            Ok(report)
        }),
    })
}

/// The manual parameters with a search of every move.
const PER_MOVE: Setup = Setup {
    config: SpMctsConfig {
        per_move: MOVES,
        ..MANUAL.config
    },
    ..MANUAL
};

/// Table 3.3.
pub fn time_control(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let per_game = [2_223.0, 2_342.0, 2_493.0, 2_555.0, 2_750.0];
    let per_move = [2_588.0, 2_644.0, 2_742.0, 2_822.0, 2_880.0];
    let lines = [
        ("per game", MANUAL, per_game),
        ("per move", PER_MOVE, per_move),
    ];
    duel(setting, [60, 250], lines, None)
}

/// Table 3.5.
pub fn tuned(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let manual = [2_588.0, 2_644.0, 2_742.0, 2_822.0, 2_880.0];
    let tuned = [2_652.0, 2_749.0, 2_856.0, 2_876.0, 2_913.0];
    let depths = [[22.7, 27.4, 30.3, 32.8, 35.9], [4.9, 5.4, 6.2, 6.8, 9.1]];
    let lines = [
        ("tuned by hand", PER_MOVE, manual),
        ("tuned by cross-entropy", TUNED, tuned),
    ];
    duel(setting, [60, 250], lines, Some(depths))
}
