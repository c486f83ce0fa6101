//! Tables 5 and 6: what the size of the transposition table does to a search of eight plies.

use std::sync::Arc;

use tabia_game::Seed;

use super::search::{Heuristics, configurations, search};
use super::{estimate, laid_out};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{Interval, paired_ratio};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const DEPTH: u8 = 8;
/// Leaves of minimax search of the same depth, table 4.
const MINIMAX_LEAVES: f64 = 304_568_204.0;

/// Bits, classes visited, visits a class and leaves evaluated, as printed in table 5; there is no
/// row of four bits.
const TABLE_5: [(u32, u64, f64, u64); 21] = [
    (0, 71_215, 12.90, 707_547),
    (1, 66_668, 12.13, 637_700),
    (2, 52_512, 10.77, 448_578),
    (3, 51_900, 9.74, 377_864),
    (5, 52_459, 8.41, 350_719),
    (6, 53_589, 7.76, 329_181),
    (7, 53_612, 7.49, 316_384),
    (8, 53_823, 7.00, 295_178),
    (9, 54_024, 6.47, 271_837),
    (10, 51_878, 5.31, 211_906),
    (11, 56_010, 5.93, 246_217),
    (12, 52_628, 5.05, 188_593),
    (13, 47_696, 4.24, 130_846),
    (14, 43_045, 3.90, 94_491),
    (15, 57_192, 4.58, 129_294),
    (16, 56_986, 4.43, 106_065),
    (17, 56_044, 4.24, 89_517),
    (18, 55_980, 4.20, 82_776),
    (19, 55_865, 4.18, 78_859),
    (20, 55_963, 4.17, 77_244),
    (21, 55_910, 4.17, 76_344),
];

/// Bits, look-ups, changes of the window, cut-offs and places in use, as printed in table 6.
const TABLE_6: [(u32, [u64; 4]); 21] = [
    (1, [377, 8, 363, 2]),
    (2, [463, 54, 401, 4]),
    (3, [842, 105, 720, 8]),
    (4, [1_428, 225, 1_177, 16]),
    (5, [2_205, 432, 1_729, 32]),
    (6, [3_203, 734, 2_385, 64]),
    (7, [5_118, 1_263, 3_710, 128]),
    (8, [7_495, 1_961, 5_274, 256]),
    (9, [10_241, 2_661, 7_147, 512]),
    (10, [14_346, 3_607, 9_951, 1_024]),
    (11, [27_705, 6_883, 19_400, 2_048]),
    (12, [36_248, 7_668, 26_099, 4_096]),
    (13, [45_368, 7_496, 33_665, 8_191]),
    (14, [57_521, 7_399, 43_254, 15_960]),
    (15, [110_488, 14_041, 84_567, 29_986]),
    (16, [130_651, 14_031, 100_515, 46_206]),
    (17, [137_284, 13_089, 105_264, 59_335]),
    (18, [144_720, 13_271, 110_552, 68_044]),
    (19, [148_071, 13_170, 112_951, 73_063]),
    (20, [150_367, 13_245, 114_620, 75_786]),
    (21, [151_220, 13_248, 115_199, 77_140]),
];

/// The figures of a search, in the order in which a cell keeps them.
const EVALUATIONS: usize = 0;
const CLASSES: usize = 1;
const VISITS: usize = 2;
const FOUND: usize = 3;
const CHANGED: usize = 4;
const CUT: usize = 5;
const FILLED: usize = 6;

fn cell_name(bits: u32) -> String {
    match bits {
        0 => "no table".to_string(),
        bits => format!("{bits} bits"),
    }
}

/// A cell for each size, with as many searches as there are seeds; a seed has the same evaluation
/// and the same hash codes in all of them.
fn cells(
    setting: &Setting,
    bits: impl Iterator<Item = u32>,
) -> Result<Vec<ExperimentCell>, LabError> {
    let seeds = seeds(setting);
    let graph = Arc::new(laid_out("dao")?.graph);
    let counts = Arc::new(configurations(&graph));
    let root = Seed::new(setting.seed).split("transpositions");
    let cell = |bits: u32| {
        let (graph, counts) = (Arc::clone(&graph), Arc::clone(&counts));
        ExperimentCell::sample(cell_name(bits), seeds, move |item, _| {
            let heuristics = Heuristics::new(&counts, root.number(item as u64));
            let table = (bits > 0).then_some(bits);
            let found = search(&graph, &heuristics, DEPTH, table);
            let all = found.visits.all();
            let usage = found.usage;
            let figures = [
                found.visits.evaluated().visits,
                all.classes,
                all.visits,
                usage.found,
                usage.changed,
                usage.cut,
                usage.filled,
            ];
            Ok(figures.map(|figure| figure as f64).to_vec())
        })
    };
    Ok(bits.map(cell).collect())
}

fn seeds(setting: &Setting) -> usize {
    setting.scale.pick([20, 100])
}

fn conditions(setting: &Setting) -> Vec<String> {
    vec![
        format!(
            "ours: means of {} searches, each with an evaluation and hash codes of its own, seed \
             {}; the paper: one search",
            seeds(setting),
            setting.seed
        ),
        "the paper's random numbers and its order of moves are lost, and it does not say whose \
         configurations the evaluation counts, ours being White's less Black's: so figures can \
         only be compared"
            .to_string(),
    ]
}

/// The mean of a figure, and where it lies with 95% confidence.
fn mean(measured: &Measured, bits: u32, column: usize) -> Result<(f64, Interval), LabError> {
    Ok(estimate(measured.column(&cell_name(bits), column)?))
}

fn row(
    measured: &Measured,
    name: String,
    printed: Option<u64>,
    bits: u32,
    column: usize,
) -> Result<Row, LabError> {
    let (mean, interval) = mean(measured, bits, column)?;
    let ours = Figure::Count(mean.round() as u64);
    Ok(Row::compared(name, printed.map(Figure::Count), ours).within(interval))
}

pub fn table_5(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    Ok(ExperimentPlan {
        cells: cells(&setting, 0..=21)?,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(&setting),
                ..ExperimentReport::default()
            };
            for (bits, classes, average, leaves) in TABLE_5 {
                let name = |what: &str| format!("{}: {what}", cell_name(bits));
                report.rows.extend([
                    row(
                        measured,
                        name("leaves evaluated"),
                        Some(leaves),
                        bits,
                        EVALUATIONS,
                    )?,
                    row(
                        measured,
                        name("classes visited"),
                        Some(classes),
                        bits,
                        CLASSES,
                    )?,
                    Row::compared(
                        name("visits a class"),
                        Some(Figure::Number(average)),
                        Figure::Number(visits_a_class(measured, bits)?),
                    ),
                ]);
            }
            effects(measured, &setting, &mut report)?;
            Ok(report)
        }),
    })
}

fn visits_a_class(measured: &Measured, bits: u32) -> Result<f64, LabError> {
    Ok(mean(measured, bits, VISITS)?.0 / mean(measured, bits, CLASSES)?.0)
}

/// The claims of section 7.2 about table 5 and figure 11.
fn effects(
    measured: &Measured,
    setting: &Setting,
    report: &mut ExperimentReport,
) -> Result<(), LabError> {
    let seed = Seed::new(setting.seed);
    let evaluations = |bits: u32| measured.column(&cell_name(bits), EVALUATIONS);
    let mut verdict = Verdict::Held;
    let mut exceptions = Vec::new();
    for bits in 1..=18 {
        let (ratio, interval) = paired_ratio(&evaluations(bits)?, &evaluations(bits - 1)?, seed);
        let one = Verdict::below(interval, 1.0);
        if one != Verdict::Held {
            exceptions.push(format!("{bits} bits: {ratio:.3} of one less"));
        }
        verdict = match (verdict, one) {
            (Verdict::Failed, _) | (_, Verdict::Failed) => Verdict::Failed,
            (Verdict::Undecided, _) | (_, Verdict::Undecided) => Verdict::Undecided,
            _ => Verdict::Held,
        };
    }
    let evidence = match exceptions.is_empty() {
        true => "at every size".to_string(),
        false => exceptions.join("; "),
    };
    report.relation(
        "on average fewer leaves are evaluated with every doubling of the table up to 2^18 entries",
        verdict,
        evidence,
    );
    let (factor, _) = paired_ratio(&evaluations(0)?, &evaluations(17)?, seed);
    report.relation(
        "a table of 2^17 entries saves a factor of about ten of the evaluations (5 to 15; printed \
         7.9)",
        Verdict::of((5.0..=15.0).contains(&factor)),
        format!("a factor of {factor:.1}"),
    );
    let (rest, _) = paired_ratio(&evaluations(21)?, &evaluations(18)?, seed);
    report.relation(
        "beyond 2^18 entries hardly anything is gained, as printed 8%",
        Verdict::of(rest > 0.85),
        format!(
            "2^21 entries need {:.1}% fewer evaluations than 2^18",
            100.0 * (1.0 - rest)
        ),
    );
    let (mut classes, mut visits) = (Range::EMPTY, Range::EMPTY);
    for bits in 2..=21 {
        classes.add(mean(measured, bits, CLASSES)?.0);
        visits.add(visits_a_class(measured, bits)?);
    }
    report.relation(
        "from 4 entries on the size of the table changes the classes visited by less than a \
         quarter, the visits of each by more than a factor of 2",
        Verdict::of(classes.factor() < 1.25 && visits.factor() > 2.0),
        format!(
            "by factors of {:.2} and {:.2}",
            classes.factor(),
            visits.factor()
        ),
    );
    let (leaves, _) = mean(measured, 0, EVALUATIONS)?;
    let share = 100.0 * leaves / MINIMAX_LEAVES;
    report.relation(
        "alpha-beta without a table evaluates about 0.23% of the leaves of minimax (0.15% to \
         0.35%)",
        Verdict::of((0.15..=0.35).contains(&share)),
        format!("{share:.2}%"),
    );
    let mut most = Range::EMPTY;
    for bits in 13..=21 {
        most.add(visits_a_class(measured, bits)?);
    }
    report.relation(
        "with more than 2^12 entries a class is visited fewer than five times, in minimax 3,077 \
         times",
        Verdict::of(most.high < 5.0),
        format!("at most {:.2} times", most.high),
    );
    Ok(())
}

/// The smallest and the largest of some figures.
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const EMPTY: Range = Range {
        low: f64::INFINITY,
        high: 0.0,
    };

    fn add(&mut self, figure: f64) {
        self.low = self.low.min(figure);
        self.high = self.high.max(figure);
    }

    fn factor(&self) -> f64 {
        self.high / self.low
    }
}

pub fn table_6(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    Ok(ExperimentPlan {
        cells: cells(&setting, 1..=21)?,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(&setting),
                ..ExperimentReport::default()
            };
            let names = ["look-ups", "changes", "cut-offs", "filled"];
            for (bits, printed) in TABLE_6 {
                for ((name, printed), column) in
                    names.iter().zip(printed).zip([FOUND, CHANGED, CUT, FILLED])
                {
                    let name = format!("{}: {name}", cell_name(bits));
                    report
                        .rows
                        .push(row(measured, name, Some(printed), bits, column)?);
                }
            }
            let mut shares = Range::EMPTY;
            let mut last = 0.0;
            for bits in 1..=21 {
                last = mean(measured, bits, CUT)?.0 / mean(measured, bits, FOUND)?.0;
                shares.add(last);
            }
            report.relation(
                "most look-ups that find a position make its search unnecessary, as printed 76% \
                 with 2^21 entries",
                Verdict::of(shares.low > 0.5),
                format!(
                    "{:.1}% with 2^21 entries, never fewer than {:.1}%",
                    100.0 * last,
                    100.0 * shares.low
                ),
            );
            let mut unused = None;
            for bits in (1..=21).rev() {
                let used = mean(measured, bits, FILLED)?.0 / f64::from(1u32 << bits);
                if used < 0.99 {
                    unused = Some((bits, used));
                }
            }
            report.relation(
                "the smallest table with unused space, more than 1%, has 2^14 entries",
                Verdict::of(unused.is_some_and(|(bits, _)| bits == 14)),
                match unused {
                    Some((bits, used)) => {
                        format!("2^{bits}, of which {:.1}% are used", 100.0 * used)
                    }
                    None => "none".to_string(),
                },
            );
            Ok(report)
        }),
    })
}
