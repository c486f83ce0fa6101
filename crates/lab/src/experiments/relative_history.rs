//! Winands, van der Werf, van den Herik and Uiterwijk (2004), "The Relative History Heuristic":
//! nodes that the search of MIA IV needs in Lines of Action with different move orderings.
//!
//! The test sets and MIA's evaluation are lost. Positions come from self-play by a seed, and the
//! evaluation is ours, so totals cannot match; the relations between them can. Everything but the
//! ordering is fixed: principal variation search with two-deep table, enhanced transposition
//! cutoffs, adaptive null move, multi-cut, two killers, static ordering of captures, quiescence.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;
use tabia_catalog::{AnyGame, open};
use tabia_game::{Limits, Seed};

use crate::positions::{SelfPlay, self_play};
use crate::statistics::{Interval, paired_ratio};
use crate::{Experiment, Figure, LabError, Report, Row, Scale, Setting, Verdict};

const PAPER: &str = "relative-history";

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "1",
        title: "The history heuristic with different increments",
        source: "Winands et al. (2004), table 1",
        takes: ["a minute", "two hours"],
        run: table_1,
    },
    Experiment {
        paper: PAPER,
        name: "2",
        title: "The relative history heuristic with different increments",
        source: "Winands et al. (2004), table 2",
        takes: ["a minute", "three hours"],
        run: table_2,
    },
    Experiment {
        paper: PAPER,
        name: "fig2",
        title: "Relative history against history by search depth",
        source: "Winands et al. (2004), figure 2",
        takes: ["a minute", "two hours"],
        run: |setting| by_depth(setting, "training", "", &[(14, 0.88)]),
    },
    Experiment {
        paper: PAPER,
        name: "fig3",
        title: "The same on other positions",
        source: "Winands et al. (2004), figure 3",
        takes: ["a minute", "two hours"],
        run: |setting| by_depth(setting, "validation", "", &[(14, 0.88)]),
    },
    Experiment {
        paper: PAPER,
        name: "fig4",
        title: "The same without multi-cut",
        source: "Winands et al. (2004), figure 4",
        takes: ["a minute", "three hours"],
        run: |setting| by_depth(setting, "training", "multicut=off,", &[(12, 0.89)]),
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

/// What all cells of an experiment share.
struct Bench<'a> {
    setting: &'a Setting<'a>,
    game: Box<dyn AnyGame>,
    positions: Vec<String>,
    seed: Seed,
    done: AtomicU64,
    total: u64,
}

impl<'a> Bench<'a> {
    fn new(
        setting: &'a Setting<'a>,
        set: &str,
        positions: usize,
        cells: usize,
    ) -> Result<Bench<'a>, LabError> {
        let game = open("loa")?;
        let seed = Seed::new(setting.seed).split(set);
        let positions = self_play(&*game, SELF_PLAY, positions, seed)?;
        let total = (cells * positions.len()) as u64;
        Ok(Bench {
            setting,
            game,
            positions,
            seed,
            done: AtomicU64::new(0),
            total,
        })
    }

    /// Nodes at every position, each searched with an empty memory.
    fn nodes(&self, options: &str, depth: u32) -> Result<Vec<f64>, LabError> {
        let spec = format!("mia:table=32M,{options}");
        let cancel = &self.setting.cancel;
        self.positions
            .par_iter()
            .map_init(
                || self.game.engine(&spec),
                |engine, position| {
                    let engine = engine
                        .as_mut()
                        .map_err(|e| LabError::Unknown(e.to_string()))?;
                    engine.new_game();
                    let session = self.game.session(Some(position))?;
                    let limits = Limits {
                        cancel: cancel.clone(),
                        ..Limits::depth(depth)
                    };
                    let answer = session.ask(engine, &limits)?;
                    if cancel.is_cancelled() {
                        return Err(LabError::Stopped);
                    }
                    (self.setting.progress)(self.done.fetch_add(1, Relaxed) + 1, self.total);
                    Ok(answer.nodes as f64)
                },
            )
            .collect()
    }

    fn ratio(&self, new: &[f64], old: &[f64]) -> (f64, Interval) {
        paired_ratio(new, old, self.seed)
    }

    fn report(&self) -> Report {
        Report {
            conditions: vec![format!(
                "ours: {} positions of self-play in Lines of Action, seed {}; the paper: 171 middle-game positions, MIA's evaluation, depth 14",
                self.positions.len(),
                self.setting.seed
            )],
            ..Report::default()
        }
    }
}

fn total(nodes: &[f64]) -> Figure {
    Figure::Count(nodes.iter().sum::<f64>() as u64)
}

/// Total nodes at depths 5, 9 and 14 by increment; the first line is without history.
const TABLE_1: [(&str, [u64; 3]); 5] = [
    ("0", [2_480_001, 188_717_928, 30_997_625_767]),
    ("1", [1_901_956, 113_163_113, 14_478_291_866]),
    ("d", [1_896_429, 111_283_177, 14_064_388_392]),
    ("d^2", [1_900_055, 111_673_124, 13_915_673_199]),
    ("2^d", [1_878_114, 111_471_652, 13_925_222_389]),
];

fn table_1(setting: &Setting<'_>) -> Result<Report, LabError> {
    let (positions, depths) = match setting.scale {
        Scale::Quick => (24, [5, 7]),
        Scale::Full => (100, [5, 9]),
    };
    let bench = Bench::new(setting, "training", positions, 5 * depths.len())?;
    let mut report = bench.report();
    let mut savings = Vec::new();
    for depth in depths {
        let printed_column = [5, 9, 14].iter().position(|&d| d == depth);
        let none = bench.nodes("history=none", depth)?;
        let printed = |row: usize| printed_column.map(|c| Figure::Count(TABLE_1[row].1[c]));
        report.rows.push(Row::compared(
            format!("depth {depth}, no history"),
            printed(0),
            total(&none),
        ));
        let mut ratios = Vec::new();
        for (i, (name, option)) in INCREMENTS.into_iter().enumerate() {
            let nodes = bench.nodes(&format!("history=history,best={option}"), depth)?;
            report.rows.push(Row::compared(
                format!("depth {depth}, increment {name}"),
                printed(i + 1),
                total(&nodes),
            ));
            let (ratio, interval) = bench.ratio(&nodes, &none);
            let printed_ratio = printed_column
                .map(|c| Figure::Number(TABLE_1[i + 1].1[c] as f64 / TABLE_1[0].1[c] as f64));
            report.rows.push(
                Row::compared(
                    format!("depth {depth}, increment {name} / no history"),
                    printed_ratio,
                    Figure::Number(ratio),
                )
                .within(interval),
            );
            ratios.push((ratio, interval));
        }
        let worst = ratios
            .iter()
            .fold(ratios[0], |a, &b| if b.0 > a.0 { b } else { a });
        let best = ratios
            .iter()
            .fold(ratios[0], |a, &b| if b.0 < a.0 { b } else { a });
        report.relation(
            format!("depth {depth}: every increment saves nodes"),
            Verdict::below(worst.1, 1.0),
            format!(
                "the worst needs {:.3} of the nodes without history",
                worst.0
            ),
        );
        report.relation(
            format!("depth {depth}: the choice of increment matters less than 5%"),
            Verdict::of(worst.0 / best.0 < 1.05),
            format!("worst / best = {:.3}", worst.0 / best.0),
        );
        savings.push(1.0 - best.0);
    }
    report.relation(
        "the saving grows with depth",
        Verdict::of(savings[1] > savings[0]),
        format!(
            "{:.1}% at depth {}, {:.1}% at depth {}",
            100.0 * savings[0],
            depths[0],
            100.0 * savings[1],
            depths[1]
        ),
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

fn table_2(setting: &Setting<'_>) -> Result<Report, LabError> {
    let (positions, depth) = match setting.scale {
        Scale::Quick => (16, 7),
        Scale::Full => (100, 9),
    };
    let bench = Bench::new(setting, "training", positions, 16 + 4)?;
    let mut report = bench.report();
    let mut best_history: Option<Vec<f64>> = None;
    for (_, option) in INCREMENTS {
        let nodes = bench.nodes(&format!("history=history,best={option}"), depth)?;
        let sum = |nodes: &[f64]| nodes.iter().sum::<f64>();
        if best_history
            .as_ref()
            .is_none_or(|best| sum(&nodes) < sum(best))
        {
            best_history = Some(nodes);
        }
    }
    let history = best_history.unwrap_or_default();
    // The best history setting of table 1 at depth 14.
    let printed_history = TABLE_1[3].1[2];
    report.rows.push(Row::compared(
        format!("depth {depth}, best history"),
        Some(Figure::Count(printed_history)),
        total(&history),
    ));
    let mut ratios = Vec::new();
    for (h, (best, best_option)) in INCREMENTS.into_iter().enumerate() {
        for (b, (tried, tried_option)) in INCREMENTS.into_iter().enumerate() {
            let options = format!("history=relative,best={best_option},tried={tried_option}");
            let nodes = bench.nodes(&options, depth)?;
            let (ratio, interval) = bench.ratio(&nodes, &history);
            let printed = TABLE_2[h][b];
            report.rows.push(Row::compared(
                format!("depth {depth}, ({best}, {tried})"),
                Some(Figure::Count(printed)),
                total(&nodes),
            ));
            report.rows.push(
                Row::compared(
                    format!("depth {depth}, ({best}, {tried}) / best history"),
                    Some(Figure::Number(printed as f64 / printed_history as f64)),
                    Figure::Number(ratio),
                )
                .within(interval),
            );
            ratios.push((ratio, interval));
        }
    }
    let by_ratio = |a: &&(f64, Interval), b: &&(f64, Interval)| a.0.total_cmp(&b.0);
    if let (Some(best), Some(worst)) = (
        ratios.iter().min_by(by_ratio),
        ratios.iter().max_by(by_ratio),
    ) {
        report.relation(
            format!("depth {depth}: every pair needs fewer nodes than the best history setting"),
            Verdict::below(worst.1, 1.0),
            format!(
                "worst pair {:.3} of its nodes, best {:.3}; the paper finds no gain below depth 9",
                worst.0, best.0
            ),
        );
        report.relation(
            format!("depth {depth}: best and worst pair differ by less than 7%"),
            Verdict::of(worst.0 / best.0 < 1.07),
            format!("worst / best = {:.3}", worst.0 / best.0),
        );
    }
    Ok(report)
}

/// The ratio of nodes, relative history with (d^2, 2^d) to history with 2^d, by search depth.
fn by_depth(
    setting: &Setting<'_>,
    set: &str,
    options: &str,
    printed: &[(u32, f64)],
) -> Result<Report, LabError> {
    let (positions, deepest) = match (setting.scale, options) {
        (Scale::Quick, _) => (20, 8),
        (Scale::Full, "") => (100, 10),
        (Scale::Full, _) => (100, 9),
    };
    let bench = Bench::new(setting, set, positions, 2 * (deepest as usize - 2))?;
    let mut report = bench.report();
    let mut last = (
        1.0,
        Interval {
            low: 1.0,
            high: 1.0,
        },
    );
    let mut shallow = 0.0f64;
    for depth in 3..=deepest {
        let relative = bench.nodes(
            &format!("{options}history=relative,best=d2,tried=2d"),
            depth,
        )?;
        let history = bench.nodes(&format!("{options}history=history,best=2d"), depth)?;
        last = bench.ratio(&relative, &history);
        if depth < 9 {
            shallow = shallow.max(last.0);
        }
        report.rows.push(
            Row::compared(
                format!("depth {depth}: relative / history"),
                None,
                Figure::Number(last.0),
            )
            .within(last.1),
        );
    }
    for &(depth, ratio) in printed {
        report.conditions.push(format!(
            "read off the figure: about {ratio} at depth {depth}, about 1 up to depth 8"
        ));
    }
    report.relation(
        "no loss worth mentioning at shallow depths (ratio at most 1.02 below depth 9)",
        Verdict::of(shallow <= 1.02),
        format!("largest ratio {shallow:.3}"),
    );
    report.relation(
        format!("relative history needs fewer nodes at the largest depth (below 0.97 at depth {deepest})"),
        Verdict::below(last.1, 0.97),
        format!("ratio {:.3}; the paper's gain begins at depth 9", last.0),
    );
    Ok(report)
}
