//! Winands, van der Werf, van den Herik and Uiterwijk (2004), "The Relative History Heuristic":
//! nodes that the search of MIA IV needs in Lines of Action with different move orderings.
//!
//! The test sets and MIA's evaluation are lost. Positions come from self-play by a seed, and the
//! evaluation is ours, so totals cannot match; the relations between them can. Everything but the
//! ordering is fixed: principal variation search with two-deep table, enhanced transposition
//! cutoffs, adaptive null move, multi-cut, two killers, static ordering of captures, quiescence.

use std::sync::Arc;

use tabia_game::{Cancel, Limits, Seed};
use tabia_registry::{AnyGame, open};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::positions::{SelfPlay, self_play};
use tabia_lab::statistics::Interval;
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

const PAPER: &str = "relative-history";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "1",
        title: "The history heuristic with different increments",
        source: "Winands et al. (2004), table 1",
        takes: ["a minute", "an hour or more"],
        plan: table_1,
    },
    Experiment {
        paper: PAPER,
        name: "2",
        title: "The relative history heuristic with different increments",
        source: "Winands et al. (2004), table 2",
        takes: ["a minute", "three hours"],
        plan: table_2,
    },
    Experiment {
        paper: PAPER,
        name: "fig2",
        title: "Relative history against history by search depth",
        source: "Winands et al. (2004), figure 2",
        takes: ["a minute", "an hour or more"],
        plan: |setting| by_depth(setting, "training", "", &[(14, 0.88)]),
    },
    Experiment {
        paper: PAPER,
        name: "fig3",
        title: "The same on other positions",
        source: "Winands et al. (2004), figure 3",
        takes: ["a minute", "an hour or more"],
        plan: |setting| by_depth(setting, "validation", "", &[(14, 0.88)]),
    },
    Experiment {
        paper: PAPER,
        name: "fig4",
        title: "The same without multi-cut",
        source: "Winands et al. (2004), figure 4",
        takes: ["a minute", "three hours"],
        plan: |setting| by_depth(setting, "training", "multicut=off,", &[(12, 0.89)]),
    },
];

/// The increments of tables 1 and 2: as printed, and as options.
const INCREMENTS: [(&str, &str); 4] = [("1", "1"), ("d", "d"), ("d^2", "d2"), ("2^d", "2d")];

const SELF_PLAY: SelfPlay = SelfPlay {
    engine: "mia:depth=2,table=1M",
    random_plies: 4,
    random_every: 8,
    from: 10,
    to: 40,
};

/// The positions that all cells of an experiment are measured at.
struct Set {
    game: Arc<dyn AnyGame>,
    positions: Arc<Vec<String>>,
    seed: Seed,
}

impl Set {
    fn new(setting: &Setting, name: &str, positions: usize) -> Result<Set, LabError> {
        let game: Arc<dyn AnyGame> = open("loa")?.into();
        let seed = Seed::new(setting.seed).split(name);
        let positions = Arc::new(self_play(&*game, SELF_PLAY, positions, seed)?);
        Ok(Set {
            game,
            positions,
            seed,
        })
    }

    /// Nodes at every position, each searched with an empty memory.
    fn cell(&self, options: &str, depth: u32) -> ExperimentCell {
        let spec = format!("mia:table=32M,{options}");
        let (game, positions, seed) = (
            Arc::clone(&self.game),
            Arc::clone(&self.positions),
            self.seed,
        );
        let measure = move |item: usize, cancel: &Cancel| {
            let mut engine = game.engine(&spec)?;
            engine.new_game(seed);
            let limits = Limits {
                cancel: cancel.clone(),
                ..Limits::depth(depth)
            };
            let answer = game
                .session(Some(&positions[item]))?
                .ask(&mut engine, &limits)?;
            Ok(vec![answer.nodes as f64])
        };
        ExperimentCell::sample(cell_name(options, depth), self.positions.len(), measure)
    }

    fn conditions(&self, setting: &Setting) -> Vec<String> {
        vec![format!(
            "ours: {} positions of self-play in Lines of Action, seed {}; the paper: 171 \
             middle-game positions, MIA's evaluation, depth 14",
            self.positions.len(),
            setting.seed
        )]
    }
}

fn cell_name(options: &str, depth: u32) -> String {
    format!("{options} depth {depth}")
}

/// The nodes of one setting as a part of those of the setting it is compared with.
struct Compared {
    cell: String,
    ratio: f64,
    interval: Interval,
}

/// Reports the ratio of one setting's nodes to another's.
fn compare(
    report: &mut ExperimentReport,
    measured: &Measured,
    name: String,
    printed: Option<f64>,
    cell: String,
    against: &str,
) -> Result<Compared, LabError> {
    let (ratio, interval) = measured.ratio(&cell, against)?;
    let row = Row::compared(name, printed.map(Figure::Number), Figure::Number(ratio));
    report.rows.push(row.within(interval));
    Ok(Compared {
        cell,
        ratio,
        interval,
    })
}

/// Judges how far apart the worst and the best setting are.
fn spread(
    report: &mut ExperimentReport,
    measured: &Measured,
    claim: String,
    limit: f64,
    (worst, best): (&Compared, &Compared),
) -> Result<(), LabError> {
    let (spread, interval) = measured.ratio(&worst.cell, &best.cell)?;
    report.relation(
        claim,
        Verdict::below(interval, limit),
        format!(
            "worst / best = {spread:.3}, between {:.3} and {:.3}",
            interval.low, interval.high
        ),
    );
    Ok(())
}

/// The settings that need most and fewest nodes.
fn extremes(cells: &[Compared]) -> Option<(&Compared, &Compared)> {
    let by_ratio = |a: &&Compared, b: &&Compared| a.ratio.total_cmp(&b.ratio);
    Some((
        cells.iter().max_by(by_ratio)?,
        cells.iter().min_by(by_ratio)?,
    ))
}

/// Total nodes at depths 5, 9 and 14 by increment; the first line is without history.
const TABLE_1: [(&str, [u64; 3]); 5] = [
    ("0", [2_480_001, 188_717_928, 30_997_625_767]),
    ("1", [1_901_956, 113_163_113, 14_478_291_866]),
    ("d", [1_896_429, 111_283_177, 14_064_388_392]),
    ("d^2", [1_900_055, 111_673_124, 13_915_673_199]),
    ("2^d", [1_878_114, 111_471_652, 13_925_222_389]),
];

const NO_HISTORY: &str = "history=none";

fn history(increment: &str) -> String {
    format!("history=history,best={increment}")
}

fn table_1(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (positions, depths): (usize, &'static [u32]) =
        setting.scale.pick([(40, &[5, 8]), (171, &[5, 9, 11])]);
    let set = Set::new(setting, "training", positions)?;
    let mut cells = Vec::new();
    for &depth in depths {
        cells.push(set.cell(NO_HISTORY, depth));
        cells.extend(INCREMENTS.map(|(_, option)| set.cell(&history(option), depth)));
    }
    let conditions = set.conditions(setting);
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| conclude_table_1(measured, depths, conditions.clone())),
    })
}

fn conclude_table_1(
    measured: &Measured,
    depths: &[u32],
    conditions: Vec<String>,
) -> Result<ExperimentReport, LabError> {
    let mut report = ExperimentReport {
        conditions,
        ..ExperimentReport::default()
    };
    let mut savings = Vec::new();
    for &depth in depths {
        let column = [5, 9, 14].iter().position(|&d| d == depth);
        let printed = |row: usize| column.map(|c| TABLE_1[row].1[c]);
        let none = cell_name(NO_HISTORY, depth);
        report.rows.push(Row::compared(
            format!("depth {depth}, no history"),
            printed(0).map(Figure::Count),
            Figure::Count(measured.count(&none, 0)?),
        ));
        let mut cells = Vec::new();
        for (i, (name, option)) in INCREMENTS.into_iter().enumerate() {
            let cell = cell_name(&history(option), depth);
            let printed_ratio = printed(i + 1)
                .zip(printed(0))
                .map(|(a, b)| a as f64 / b as f64);
            let name = format!("depth {depth}, increment {name}");
            report.rows.push(Row::compared(
                &name,
                printed(i + 1).map(Figure::Count),
                Figure::Count(measured.count(&cell, 0)?),
            ));
            let name = format!("{name} / none");
            cells.push(compare(
                &mut report,
                measured,
                name,
                printed_ratio,
                cell,
                &none,
            )?);
        }
        let Some((worst, best)) = extremes(&cells) else {
            continue;
        };
        report.relation(
            format!("depth {depth}: every increment saves nodes"),
            Verdict::below(worst.interval, 1.0),
            format!(
                "the worst needs {:.3} of the nodes without history",
                worst.ratio
            ),
        );
        spread(
            &mut report,
            measured,
            format!("depth {depth}: the choice of increment matters less than 5%"),
            1.05,
            (worst, best),
        )?;
        savings.push((depth, 1.0 - best.ratio));
    }
    let grows = savings.windows(2).all(|pair| pair[1].1 > pair[0].1);
    let list: Vec<String> = savings
        .iter()
        .map(|(depth, saving)| format!("{:.1}% at depth {depth}", 100.0 * saving))
        .collect();
    report.relation(
        "the saving grows with depth",
        Verdict::of(grows),
        list.join(", "),
    );
    Ok(report)
}

/// Total nodes at depth 14; rows by history increment, columns by butterfly increment.
const TABLE_2: [[u64; 4]; 4] = [
    [
        12_261_241_807,
        12_544_923_748,
        12_936_458_114,
        12_741_580_747,
    ],
    [
        12_654_462_037,
        12_433_892_630,
        12_914_014_566,
        13_075_535_903,
    ],
    [
        12_501_473_310,
        12_238_059_952,
        12_509_830_417,
        12_234_575_562,
    ],
    [
        12_354_762_028,
        13_081_065_785,
        12_928_253_841,
        12_954_976_931,
    ],
];

fn relative(best: &str, tried: &str) -> String {
    format!("history=relative,best={best},tried={tried}")
}

fn table_2(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (positions, depth) = setting.scale.pick([(40, 7), (171, 10)]);
    let set = Set::new(setting, "training", positions)?;
    let mut cells = Vec::new();
    for (_, best) in INCREMENTS {
        cells.push(set.cell(&history(best), depth));
        cells.extend(INCREMENTS.map(|(_, tried)| set.cell(&relative(best, tried), depth)));
    }
    let conditions = set.conditions(setting);
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| conclude_table_2(measured, depth, conditions.clone())),
    })
}

fn conclude_table_2(
    measured: &Measured,
    depth: u32,
    conditions: Vec<String>,
) -> Result<ExperimentReport, LabError> {
    let mut report = ExperimentReport {
        conditions,
        ..ExperimentReport::default()
    };
    let mut best_history: Option<(u64, String)> = None;
    for (_, option) in INCREMENTS {
        let cell = cell_name(&history(option), depth);
        let nodes = measured.count(&cell, 0)?;
        if best_history.as_ref().is_none_or(|best| nodes < best.0) {
            best_history = Some((nodes, cell));
        }
    }
    let (history_nodes, history) = best_history.unwrap_or_default();
    // The best history setting of table 1 at depth 14.
    let printed_history = TABLE_1[3].1[2];
    report.rows.push(Row::compared(
        format!("best history, depth {depth} (printed: 14)"),
        Some(Figure::Count(printed_history)),
        Figure::Count(history_nodes),
    ));
    let mut cells = Vec::new();
    for (h, (best, best_option)) in INCREMENTS.into_iter().enumerate() {
        for (b, (tried, tried_option)) in INCREMENTS.into_iter().enumerate() {
            let cell = cell_name(&relative(best_option, tried_option), depth);
            let printed = TABLE_2[h][b];
            let name = format!("({best}, {tried})");
            report.rows.push(Row::compared(
                format!("{name}, depth {depth} (printed: 14)"),
                Some(Figure::Count(printed)),
                Figure::Count(measured.count(&cell, 0)?),
            ));
            let printed_ratio = Some(printed as f64 / printed_history as f64);
            let name = format!("{name} / best");
            cells.push(compare(
                &mut report,
                measured,
                name,
                printed_ratio,
                cell,
                &history,
            )?);
        }
    }
    if let Some((worst, best)) = extremes(&cells) {
        report.relation(
            format!("depth {depth}: every pair needs fewer nodes than the best history setting"),
            Verdict::below(worst.interval, 1.0),
            format!(
                "worst pair {:.3} of its nodes, best {:.3}; the paper finds no gain below depth 9",
                worst.ratio, best.ratio
            ),
        );
        spread(
            &mut report,
            measured,
            format!("depth {depth}: best and worst pair differ by less than 7%"),
            1.07,
            (worst, best),
        )?;
    }
    Ok(report)
}

/// The ratio of nodes, relative history with (d^2, 2^d) to history with 2^d, by search depth.
fn by_depth(
    setting: &Setting,
    name: &str,
    options: &'static str,
    printed: &'static [(u32, f64)],
) -> Result<ExperimentPlan, LabError> {
    let (positions, deepest) = match (setting.scale, options) {
        (Scale::Quick, "") => (40, 9),
        (Scale::Quick, _) => (40, 8),
        (Scale::Full, "") => (171, 11),
        (Scale::Full, _) => (171, 10),
    };
    let set = Set::new(setting, name, positions)?;
    let pair = move || [relative("d2", "2d"), history("2d")].map(|o| format!("{options}{o}"));
    let cells = (3..=deepest)
        .flat_map(|depth| pair().map(|options| set.cell(&options, depth)))
        .collect();
    let conditions = set.conditions(setting);
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions.clone(),
                ..ExperimentReport::default()
            };
            let mut compared: Vec<(u32, Compared)> = Vec::new();
            for depth in 3..=deepest {
                let [relative, history] = pair().map(|options| cell_name(&options, depth));
                let name = format!("depth {depth}: relative / history");
                let printed = printed.iter().find(|(d, _)| *d == depth).map(|p| p.1);
                let cell = compare(&mut report, measured, name, printed, relative, &history)?;
                compared.push((depth, cell));
            }
            conclude_by_depth(&mut report, &compared, printed);
            Ok(report)
        }),
    })
}

fn conclude_by_depth(
    report: &mut ExperimentReport,
    cells: &[(u32, Compared)],
    printed: &[(u32, f64)],
) {
    for &(depth, ratio) in printed {
        report.conditions.push(format!(
            "read off the figure: about {ratio} at depth {depth}, about 1 up to depth 8"
        ));
    }
    let shallow = cells.iter().filter(|(depth, _)| *depth < 9);
    if let Some((depth, worst)) = shallow.max_by(|a, b| a.1.ratio.total_cmp(&b.1.ratio)) {
        report.relation(
            "no loss worth mentioning below depth 9 (ratio at most 1.02)",
            Verdict::below(worst.interval, 1.02),
            format!("largest ratio {:.3} at depth {depth}", worst.ratio),
        );
    }
    if let Some((depth, last)) = cells.last() {
        report.relation(
            format!("relative history needs fewer nodes at depth {depth} (ratio below 0.97)"),
            Verdict::below(last.interval, 0.97),
            format!(
                "ratio {:.3}; the paper's gain begins at depth 9",
                last.ratio
            ),
        );
    }
}
