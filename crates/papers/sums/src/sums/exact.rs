//! Exact methods: how many positions they look at.

use tabia_cgt::scoring::{Options, Search, Summand};
use tabia_cgt::{Dyadic, Exceeded, Value, Values};
use tabia_game::{Cancel, Limits, Player};

use super::{Instances, SIZE, exceeded};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// A method of the tables, and its column in a cell.
type Method = (&'static str, Options);

const NONE: Method = ("no ordering", Options::NONE);
const PREV: Method = (
    "PREV",
    Options {
        previous: true,
        ..Options::NONE
    },
);
const TEMP: Method = (
    "TEMP",
    Options {
        temperature: true,
        ..Options::NONE
    },
);
const BOTH: Method = (
    "TEMP + PREV",
    Options {
        previous: true,
        ..TEMP.1
    },
);
const TEMP_INC: Method = ("TEMP + INC", Options::PAPER);
const PREV_INC: Method = (
    "PREV + INC",
    Options {
        incentives: true,
        ..PREV.1
    },
);
const BOTH_INC: Method = (
    "TEMP + PREV + INC",
    Options {
        incentives: true,
        ..BOTH.1
    },
);
const TABLE: Method = (
    "TEMP + INC + table",
    Options {
        table: true,
        ..Options::PAPER
    },
);
const BOUNDS: Method = (
    "TEMP + INC + table + bounds",
    Options {
        simplify: false,
        ..Options::BEST
    },
);
const ALL: Method = ("TEMP + INC + table + bounds + simplify", Options::BEST);

/// A column of a table: levels, subgames, the methods with the seconds printed, instances to
/// measure.
struct Column {
    levels: u32,
    components: usize,
    methods: &'static [(Method, Option<f64>)],
    instances: [usize; 2],
}

impl Column {
    fn of(&self, setting: &Setting) -> Instances {
        Instances::new(setting, self.levels, self.components)
    }

    fn cell_name(&self, setting: &Setting, method: &str) -> String {
        format!("{}, {method}", self.of(setting).name())
    }

    /// For every method a cell with positions and score of each instance.
    fn cells(&self, setting: &Setting, cells: &mut Vec<ExperimentCell>) {
        let instances = self.of(setting);
        let count = setting.scale.pick(self.instances);
        for &((name, options), _) in self.methods {
            let measure = move |item: usize, cancel: &Cancel| {
                let sum = instances.sum(item)?;
                let mut search = Search::new(&sum, options).map_err(exceeded)?;
                search.watch(&Limits {
                    cancel: cancel.clone(),
                    ..Limits::default()
                });
                let found = search.solve(&sum.start(), Player::FIRST);
                let found = found.map_err(exceeded)?;
                Ok(vec![found.nodes as f64, found.score as f64])
            };
            cells.push(ExperimentCell::sample(
                self.cell_name(setting, name),
                count,
                measure,
            ));
        }
    }

    /// Positions a sum, and the ratio of every method to the given one beside that of the printed
    /// seconds.
    fn report(
        &self,
        setting: &Setting,
        measured: &Measured,
        base: Method,
        report: &mut ExperimentReport,
    ) -> Result<(), LabError> {
        let base_cell = self.cell_name(setting, base.0);
        let printed = |method: Method| {
            let found = self.methods.iter().find(|(known, _)| known.0 == method.0);
            found.and_then(|(_, seconds)| *seconds)
        };
        let scores = measured.column(&base_cell, 1)?;
        let mut same = true;
        for &(method, seconds) in self.methods {
            let cell = self.cell_name(setting, method.0);
            same &= measured.column(&cell, 1)? == scores;
            let nodes: Moments = measured.values(&cell)?.into_iter().collect();
            let mean = Mean::new(&nodes, CONFIDENCE);
            let row = Row::compared(
                format!("{cell}: positions a sum"),
                None,
                Figure::Number(mean.mean),
            );
            report.rows.push(row.within(mean.interval));
            if method.0 != base.0 {
                let ratio = seconds.zip(printed(base)).map(|(one, other)| one / other);
                let (ours, interval) = measured.ratio(&cell, &base_cell)?;
                let row = Row::compared(
                    format!("{cell} / {}", base.0),
                    ratio.map(Figure::Number),
                    Figure::Number(ours),
                );
                report.rows.push(row.within(interval));
            }
        }
        report.relation(
            format!(
                "{}: all methods find the same scores",
                self.of(setting).name()
            ),
            Verdict::of(same),
            format!("{} sums", scores.len()),
        );
        Ok(())
    }

    /// The claim that one method looks at less than this share of the positions of another.
    fn claim(
        &self,
        setting: &Setting,
        measured: &Measured,
        [one, other]: [Method; 2],
        share: f64,
        report: &mut ExperimentReport,
    ) -> Result<(), LabError> {
        let has = |method: Method| self.methods.iter().any(|(known, _)| known.0 == method.0);
        if !has(one) || !has(other) {
            return Ok(());
        }
        let cells = [one.0, other.0].map(|name| self.cell_name(setting, name));
        let (ratio, interval) = measured.ratio(&cells[0], &cells[1])?;
        let amount = match share {
            1.0 => "fewer positions than".to_string(),
            share => format!("at most 1/{:.0} of the positions of", 1.0 / share),
        };
        report.relation(
            format!(
                "{}: {} needs {amount} {}",
                self.of(setting).name(),
                one.0,
                other.0
            ),
            Verdict::below(interval, share),
            format!("{ratio:.4} ({:.4} to {:.4})", interval.low, interval.high),
        );
        Ok(())
    }
}

fn measured_columns(columns: &'static [Column], setting: &Setting) -> Vec<&'static Column> {
    let wanted = |column: &&Column| setting.scale.pick(column.instances) > 0;
    columns.iter().filter(wanted).collect()
}

/// A column: methods with the printed seconds, then those that are not printed.
macro_rules! column {
    (
        $levels:literal, $components:literal, $instances:expr;
        $($method:ident $seconds:literal),+ $(; $($unprinted:ident),+)?
    ) => {
        Column {
            levels: $levels,
            components: $components,
            methods: &[$(($method, Some($seconds)),)+ $($(($unprinted, None)),+)?],
            instances: $instances,
        }
    };
}

macro_rules! pruning {
    ($($column:tt)+) => {
        column!($($column)+; TABLE, BOUNDS, ALL)
    };
}

const ORDERS: &[Column] = &[
    column!(2, 4, [100, 1000]; NONE 0.339, PREV 0.393, TEMP 0.448, BOTH 0.491),
    column!(2, 5, [100, 1000]; NONE 0.803, PREV 0.709, TEMP 0.766, BOTH 1.09),
    column!(2, 6, [40, 1000]; NONE 2.77, PREV 2.13, TEMP 1.90, BOTH 2.31),
    column!(2, 7, [0, 1000]; NONE 13.6, PREV 9.09, TEMP 6.81, BOTH 10.8),
    column!(2, 8, [0, 1000]; PREV 45.7, TEMP 29.5, BOTH 34.5),
    column!(3, 2, [100, 1000]; NONE 0.347, PREV 0.452, TEMP 0.398, BOTH 0.502),
    column!(3, 3, [100, 1000]; NONE 1.55, PREV 1.21, TEMP 1.01, BOTH 1.11),
    column!(3, 4, [100, 1000]; NONE 7.80, PREV 2.88, TEMP 1.85, BOTH 1.92),
    column!(3, 5, [0, 1000]; NONE 59.8, PREV 18.4, TEMP 11.9, BOTH 13.0),
];

const CONDITIONS: [&str; 2] = [
    "printed ratios are of seconds for 100 sums, ours of positions looked at, all iterations \
     counted",
    "no table unless it is named; the sums are drawn anew",
];

fn conditions() -> Vec<String> {
    CONDITIONS.map(str::to_string).to_vec()
}

pub(super) fn orders(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let columns = measured_columns(ORDERS, &setting);
    let mut cells = Vec::new();
    for column in &columns {
        column.cells(&setting, &mut cells);
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(),
                ..ExperimentReport::default()
            };
            report.conditions.push(
                "without a table even the least tree of alpha-beta has about the square root of \
                 (2s)!/2^s leaves for s two-level subgames, 3.5 million for nine and 49 million \
                 for ten: the printed 131 and 812 seconds for 100 sums suggest some memory of \
                 positions in the authors' program"
                    .to_string(),
            );
            for column in &columns {
                column.report(&setting, measured, TEMP, &mut report)?;
                if column.components >= if column.levels == 2 { 6 } else { 4 } {
                    for pair in [[TEMP, PREV], [PREV, NONE], [TEMP, BOTH]] {
                        column.claim(&setting, measured, pair, 1.0, &mut report)?;
                    }
                }
                if column.components >= if column.levels == 2 { 6 } else { 5 } {
                    column.claim(&setting, measured, [TEMP, NONE], 0.2, &mut report)?;
                }
            }
            Ok(report)
        }),
    })
}

const PRUNING: &[Column] = &[
    pruning!(2, 6, [100, 1000]; TEMP 1.90, TEMP_INC 0.630, PREV_INC 0.819, BOTH_INC 0.780),
    pruning!(2, 7, [20, 1000]; TEMP 6.81, TEMP_INC 1.93, PREV_INC 2.36, BOTH_INC 2.02),
    pruning!(2, 8, [0, 1000]; TEMP 29.5, TEMP_INC 4.29, PREV_INC 5.23, BOTH_INC 4.89),
    pruning!(2, 9, [100, 1000]; TEMP_INC 8.44, PREV_INC 11.4, BOTH_INC 10.3),
    pruning!(2, 11, [100, 1000]; TEMP_INC 62.4, PREV_INC 88.5, BOTH_INC 78.8),
    pruning!(2, 13, [100, 1000]; TEMP_INC 772.0, PREV_INC 1082.0, BOTH_INC 892.0),
    pruning!(3, 4, [100, 1000]; TEMP 1.85, TEMP_INC 1.22, PREV_INC 1.31, BOTH_INC 1.30),
    pruning!(3, 5, [20, 1000]; TEMP 11.9, TEMP_INC 4.15, PREV_INC 5.95, BOTH_INC 5.34),
    pruning!(3, 6, [0, 1000]; TEMP 105.0, TEMP_INC 12.2, PREV_INC 15.8, BOTH_INC 14.0),
    pruning!(3, 7, [100, 1000]; TEMP_INC 20.4, PREV_INC 29.4, BOTH_INC 27.0),
    pruning!(3, 9, [100, 1000]; TEMP_INC 791.0, PREV_INC 1210.0, BOTH_INC 901.0),
];

pub(super) fn pruning(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let columns = measured_columns(PRUNING, &setting);
    let mut cells = Vec::new();
    for column in &columns {
        column.cells(&setting, &mut cells);
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(),
                ..ExperimentReport::default()
            };
            for column in &columns {
                column.report(&setting, measured, TEMP_INC, &mut report)?;
                let is_large = column.components >= if column.levels == 2 { 6 } else { 5 };
                let share = if is_large { 0.1 } else { 1.0 };
                column.claim(&setting, measured, [TEMP_INC, TEMP], share, &mut report)?;
                for slower in [PREV_INC, BOTH_INC] {
                    column.claim(&setting, measured, [TEMP_INC, slower], 1.0, &mut report)?;
                }
                for pair in [[TABLE, TEMP_INC], [BOUNDS, TABLE], [ALL, BOUNDS]] {
                    column.claim(&setting, measured, pair, 1.0, &mut report)?;
                }
                if column.components >= if column.levels == 2 { 13 } else { 9 } {
                    column.claim(&setting, measured, [ALL, TEMP_INC], 0.02, &mut report)?;
                }
            }
            Ok(report)
        }),
    })
}

/// Levels, subgames, printed seconds, instances.
type SummationRow = (u32, usize, Option<f64>, [usize; 2]);

const SUMMATION: &[SummationRow] = &[
    (2, 2, Some(0.543), [100, 1000]),
    (2, 3, Some(9.90), [100, 1000]),
    (2, 4, Some(148.0), [100, 1000]),
    (2, 5, None, [100, 1000]),
    (2, 7, None, [20, 1000]),
    (2, 9, None, [0, 1000]),
    (3, 2, Some(132.0), [100, 1000]),
    (3, 3, None, [100, 1000]),
    (3, 4, None, [20, 1000]),
    (3, 5, None, [0, 1000]),
];

/// Values that a store may hold: about 600 MB.
const STORE: usize = 1 << 21;

/// Whether the canonical sum was found, how many values it took, whether its left stop is the score
/// of the search, and how many positions that took.
fn summed(instances: Instances, item: usize, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let mut values = Values::with_limit(STORE);
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    values.watch(&limits);
    let sum = instances.sum(item)?;
    let mut search = Search::new(&sum, Options::PAPER).map_err(exceeded)?;
    search.watch(&limits);
    let found = search.solve(&sum.start(), Player::FIRST);
    let found = found.map_err(exceeded)?;
    let nodes = found.nodes as f64;
    let mut rng = instances.seed(item).rng();
    let mut total = Value::ZERO;
    for _ in 0..instances.components {
        let component = Summand::random(instances.levels, SIZE, &mut rng);
        let value = component.tree().value(&mut values);
        total = match value.and_then(|value| values.sum(total, value)) {
            Ok(total) => total,
            Err(Exceeded::Values(_)) => return Ok(vec![0.0, STORE as f64, 1.0, nodes]),
            Err(error) => return Err(exceeded(error)),
        };
    }
    let score = Dyadic::new(found.score, 0);
    let same = score == Ok(values.left_stop(total));
    Ok(vec![1.0, values.len() as f64, f64::from(same), nodes])
}

pub(super) fn summation(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let lines = SUMMATION
        .iter()
        .filter(move |line| setting.scale.pick(line.3) > 0);
    let name = move |line: &SummationRow| Instances::new(&setting, line.0, line.1).name();
    let cells = lines.clone().map(|line| {
        let instances = Instances::new(&setting, line.0, line.1);
        let measure = move |item: usize, cancel: &Cancel| summed(instances, item, cancel);
        ExperimentCell::sample(name(line), setting.scale.pick(line.3), measure)
    });
    Ok(ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| summation_report(measured, lines.clone(), &name)),
    })
}

fn summation_report<'l>(
    measured: &Measured,
    lines: impl Iterator<Item = &'l SummationRow>,
    name: &dyn Fn(&SummationRow) -> String,
) -> Result<ExperimentReport, LabError> {
    let mut report = ExperimentReport {
        conditions: vec![
            "printed are seconds for 100 sums, which are not compared; ours are values \
             stored".to_string(),
            "equal values are stored once here, and sums and comparisons are remembered; where the \
             authors ran out of memory we do not".to_string(),
        ],
        ..ExperimentReport::default()
    };
    let mut before: Option<(u32, usize, f64)> = None;
    for line in lines {
        let cell = name(line);
        let stored: Moments = measured.column(&cell, 1)?.into_iter().collect();
        let mean = Mean::new(&stored, CONFIDENCE);
        let row = Row::compared(
            format!("{cell}: values stored"),
            None,
            Figure::Number(mean.mean),
        );
        report.rows.push(row.within(mean.interval));
        let nodes: Moments = measured.column(&cell, 3)?.into_iter().collect();
        report.rows.push(Row::compared(
            format!("{cell}: positions of TEMP + INC"),
            None,
            Figure::Number(nodes.mean()),
        ));
        let completed = measured.count(&cell, 0)?;
        report.rows.push(Row::compared(
            format!("{cell}: sums completed"),
            line.2.map(|_| Figure::Count(stored.count())),
            Figure::Count(completed),
        ));
        let same = measured.count(&cell, 2)?;
        report.relation(
            format!("{cell}: the left stop of the sum is the score of the search"),
            Verdict::of(same == stored.count()),
            format!("{same} of {}", stored.count()),
        );
        let fewer = nodes.mean() < mean.interval.low;
        report.relation(
            format!("{cell}: the search needs fewer positions than the sum needs values"),
            Verdict::of(fewer),
            format!("{:.0} against {:.0}", nodes.mean(), mean.mean),
        );
        if let Some((levels, components, less)) = before
            && levels == line.0
        {
            let growth = (mean.mean / less).powf(1.0 / (line.1 - components) as f64);
            report.relation(
                format!("{cell}: every subgame more than doubles what is stored"),
                Verdict::of(growth > 2.0),
                format!("{growth:.2} times as many"),
            );
        }
        before = Some((line.0, line.1, mean.mean));
    }
    Ok(report)
}
