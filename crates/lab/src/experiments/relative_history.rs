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
        takes: ["a minute", "an hour or more"],
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
        takes: ["a minute", "an hour or more"],
        run: |setting| by_depth(setting, "training", "", &[(14, 0.88)]),
    },
    Experiment {
        paper: PAPER,
        name: "fig3",
        title: "The same on other positions",
        source: "Winands et al. (2004), figure 3",
        takes: ["a minute", "an hour or more"],
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

    /// Reports the ratio of one setting's nodes to another's.
    fn cell(
        &self,
        report: &mut Report,
        name: String,
        printed: Option<f64>,
        nodes: Vec<f64>,
        against: &[f64],
    ) -> Cell {
        let (ratio, interval) = self.ratio(&nodes, against);
        let row = Row::compared(name, printed.map(Figure::Number), Figure::Number(ratio));
        report.rows.push(row.within(interval));
        Cell {
            ratio,
            interval,
            nodes,
        }
    }

    /// Judges how far apart the worst and the best setting are.
    fn spread(
        &self,
        report: &mut Report,
        depth: u32,
        claim: &str,
        limit: f64,
        (worst, best): (&Cell, &Cell),
    ) {
        let (spread, interval) = self.ratio(&worst.nodes, &best.nodes);
        report.relation(
            format!("depth {depth}: {claim}"),
            Verdict::below(interval, limit),
            format!(
                "worst / best = {spread:.3}, between {:.3} and {:.3}",
                interval.low, interval.high
            ),
        );
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

/// One setting: its nodes at every position, and their ratio to those of the setting it is compared
/// with.
struct Cell {
    ratio: f64,
    interval: Interval,
    nodes: Vec<f64>,
}

/// The settings that need most and fewest nodes.
fn extremes(cells: &[Cell]) -> Option<(&Cell, &Cell)> {
    let by_ratio = |a: &&Cell, b: &&Cell| a.ratio.total_cmp(&b.ratio);
    Some((
        cells.iter().max_by(by_ratio)?,
        cells.iter().min_by(by_ratio)?,
    ))
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
    let (positions, depths): (usize, &[u32]) = match setting.scale {
        Scale::Quick => (40, &[5, 8]),
        Scale::Full => (171, &[5, 9, 11]),
    };
    let bench = Bench::new(setting, "training", positions, 5 * depths.len())?;
    let mut report = bench.report();
    let mut savings = Vec::new();
    for &depth in depths {
        let column = [5, 9, 14].iter().position(|&d| d == depth);
        let printed = |row: usize| column.map(|c| TABLE_1[row].1[c]);
        let none = bench.nodes("history=none", depth)?;
        report.rows.push(Row::compared(
            format!("depth {depth}, no history"),
            printed(0).map(Figure::Count),
            total(&none),
        ));
        let mut cells = Vec::new();
        for (i, (name, option)) in INCREMENTS.into_iter().enumerate() {
            let nodes = bench.nodes(&format!("history=history,best={option}"), depth)?;
            let printed_ratio = printed(i + 1)
                .zip(printed(0))
                .map(|(a, b)| a as f64 / b as f64);
            let name = format!("depth {depth}, increment {name}");
            let total_row = Row::compared(&name, printed(i + 1).map(Figure::Count), total(&nodes));
            report.rows.push(total_row);
            cells.push(bench.cell(
                &mut report,
                format!("{name} / none"),
                printed_ratio,
                nodes,
                &none,
            ));
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
        bench.spread(
            &mut report,
            depth,
            "the choice of increment matters less than 5%",
            1.05,
            (worst, best),
        );
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

fn table_2(setting: &Setting<'_>) -> Result<Report, LabError> {
    let (positions, depth) = match setting.scale {
        Scale::Quick => (40, 7),
        Scale::Full => (171, 10),
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
        format!("best history, depth {depth} (printed: 14)"),
        Some(Figure::Count(printed_history)),
        total(&history),
    ));
    let mut cells = Vec::new();
    for (h, (best, best_option)) in INCREMENTS.into_iter().enumerate() {
        for (b, (tried, tried_option)) in INCREMENTS.into_iter().enumerate() {
            let options = format!("history=relative,best={best_option},tried={tried_option}");
            let nodes = bench.nodes(&options, depth)?;
            let printed = TABLE_2[h][b];
            let name = format!("({best}, {tried})");
            report.rows.push(Row::compared(
                format!("{name}, depth {depth} (printed: 14)"),
                Some(Figure::Count(printed)),
                total(&nodes),
            ));
            let printed_ratio = Some(printed as f64 / printed_history as f64);
            cells.push(bench.cell(
                &mut report,
                format!("{name} / best"),
                printed_ratio,
                nodes,
                &history,
            ));
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
        bench.spread(
            &mut report,
            depth,
            "best and worst pair differ by less than 7%",
            1.07,
            (worst, best),
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
        (Scale::Quick, "") => (40, 9),
        (Scale::Quick, _) => (40, 8),
        (Scale::Full, "") => (171, 11),
        (Scale::Full, _) => (171, 10),
    };
    let bench = Bench::new(setting, set, positions, 2 * (deepest as usize - 2))?;
    let mut report = bench.report();
    let mut cells: Vec<(u32, Cell)> = Vec::new();
    for depth in 3..=deepest {
        let relative = bench.nodes(
            &format!("{options}history=relative,best=d2,tried=2d"),
            depth,
        )?;
        let history = bench.nodes(&format!("{options}history=history,best=2d"), depth)?;
        let name = format!("depth {depth}: relative / history");
        let printed = printed.iter().find(|(d, _)| *d == depth).map(|p| p.1);
        cells.push((
            depth,
            bench.cell(&mut report, name, printed, relative, &history),
        ));
    }
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
    Ok(report)
}
