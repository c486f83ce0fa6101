//! Fleischer and Trippen (2004), "Kayles on the Way to the Stars": nimbers of stars with three
//! rays, and how their sequences become periodic.
//!
//! All figures are exact. Where the paper says what was observed up to some length, here every
//! period is proved.

mod printed;

use tabia_combinatorial::kayles::Kayles;
use tabia_combinatorial::kayles::stars::{Paths, StarPeriod, Stars, Unsolved};
use tabia_game::{Cancel, Limits, Meter};

use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::{Experiment, ExperimentReport, LabError, Row, Setting, Verdict};

const PAPER: &str = "kayles";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "table-2",
        title: "Nimbers of stars with two rays of one vertex, Node-Kayles",
        source: "Fleischer and Trippen (2004), section 3.1 and table 2",
        takes: ["a second", "a second"],
        plan: table_2,
    },
    Experiment {
        paper: PAPER,
        name: "table-3",
        title: "Periods of stars with a ray of one vertex, Node-Kayles",
        source: "Fleischer and Trippen (2004), table 3",
        takes: ["a second", "a second"],
        plan: table_3,
    },
    Experiment {
        paper: PAPER,
        name: "figure-2",
        title: "Where the irregularities of these stars end",
        source: "Fleischer and Trippen (2004), section 3.4 and figure 2",
        takes: ["five seconds", "a minute"],
        plan: figure_2,
    },
    Experiment {
        paper: PAPER,
        name: "table-4",
        title: "Stars on paths without exceptions",
        source: "Fleischer and Trippen (2004), section 4 and table 4",
        takes: ["ten seconds", "a minute"],
        plan: table_4,
    },
    Experiment {
        paper: PAPER,
        name: "table-5",
        title: "Longer periods in Pin-Kayles",
        source: "Fleischer and Trippen (2004), section 5 and table 5",
        takes: ["ten seconds", "a minute"],
        plan: table_5,
    },
];

/// Proofs that need longer rays are not looked for.
const MAX_RAY: u32 = 100_000;

const NODE_PERIOD: u32 = 34;
const PIN_PERIOD: u32 = 12;

fn meter(cancel: &Cancel) -> Meter {
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    limits.meter()
}

fn failed(error: Unsolved) -> LabError {
    match error {
        Unsolved::Stopped(_) => LabError::Stopped,
        other => LabError::BadRequest(other.to_string()),
    }
}

fn proved(stars: &mut Stars, fixed: &[u32], cancel: &Cancel) -> Result<StarPeriod, LabError> {
    let period = stars.period(fixed, MAX_RAY, &mut meter(cancel));
    period.map_err(failed)?.ok_or_else(|| {
        LabError::BadRequest(format!(
            "no period of the stars with the rays {fixed:?} is proved by rays up to {MAX_RAY}"
        ))
    })
}

/// The last irregular length, or 0 where there is none.
fn last(period: &StarPeriod) -> u32 {
    period.last_irregular().unwrap_or(0)
}

/// Some of the figures of a single measurement.
fn figures(
    measured: &Measured,
    cell: &str,
    columns: impl Iterator<Item = usize>,
) -> Result<Vec<u32>, LabError> {
    columns
        .map(|column| Ok(measured.count(cell, column)? as u32))
        .collect()
}

/// How many of the printed figures are ours.
fn agreeing(name: String, printed: &[u32], ours: &[u32]) -> Row {
    let equal = printed.iter().zip(ours).filter(|(a, b)| a == b).count();
    Row::exact(name, printed.len() as u64, equal as u64).derived()
}

fn counts(figures: impl IntoIterator<Item = u32>) -> Vec<f64> {
    figures.into_iter().map(f64::from).collect()
}

fn list(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match words.is_empty() {
        true => "none".to_string(),
        false => words.join(", "),
    }
}

const CLASS: &str = "S(l, 1, 1)";

fn table_2(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let printed = printed::TABLE_2.concat();
    let stars = printed.len();
    let cell = ExperimentCell::once(CLASS, move |cancel| {
        let mut node = Stars::new(Kayles::Node);
        let nimbers = node.class(&[1, 1], stars as u32, &mut meter(cancel));
        let nimbers = nimbers.map_err(failed)?[1..].to_vec();
        let period = proved(&mut node, &[1, 1], cancel)?;
        let verified = u32::from(period.verify().is_ok());
        let found = [period.period(), last(&period), period.proved_to(), verified];
        Ok(counts(nimbers.into_iter().chain(found)))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let ours = figures(measured, CLASS, 0..stars)?;
            let rows = printed.chunks(34).zip(ours.chunks(34));
            for ((printed, ours), start) in rows.zip((1..).step_by(34)) {
                let name = format!("l = {start} to {}: nimbers that agree", start + 33);
                report.rows.push(agreeing(name, printed, ours));
            }
            let proof = 51 + 310 + 2 * NODE_PERIOD + 3;
            for (name, printed, column) in [
                ("length of the period", NODE_PERIOD, stars),
                ("last irregular l", 310, stars + 1),
                ("last l that the proof needs", proof, stars + 2),
            ] {
                let ours = measured.count(CLASS, column)?;
                report.rows.push(Row::exact(name, printed.into(), ours));
            }
            report.relation(
                "The class is periodic for ever",
                Verdict::of(measured.count(CLASS, stars + 3)? == 1),
                "a certificate, checked from the list of all moves",
            );
            Ok(report)
        }),
    })
}

/// A cell with the periods, from 1 on, of the stars whose second ray is 1 (mod 34).
fn rows_of_periods(name: &'static str, paths: fn(Kayles) -> Paths, to: u32) -> ExperimentCell {
    ExperimentCell::once(name, move |cancel| {
        let mut stars = Stars::on(paths(Kayles::Node));
        let mut row = Vec::new();
        for second in (1..=to).step_by(34) {
            let mut cycle = proved(&mut stars, &[second, 1], cancel)?.cycle();
            cycle.rotate_left(1);
            row.extend(counts(cycle));
        }
        Ok(row)
    })
}

/// Printed periods beside those of such a cell; the last printed one stands for all further ones.
fn compare_periods(
    report: &mut ExperimentReport,
    measured: &Measured,
    cell: &str,
    printed: &[[u32; 34]],
    to: u32,
) -> Result<(), LabError> {
    let seconds = (1..=to).step_by(34).enumerate();
    for (number, second) in seconds {
        let Some(row) = printed.get(number).or(printed.last()) else {
            break;
        };
        let ours = figures(measured, cell, 34 * number..34 * (number + 1))?;
        let name = format!("l2 = {second}: nimbers of the period that agree");
        report.rows.push(agreeing(name, row, &ours));
    }
    Ok(())
}

const SECOND_RAYS: &str = "S(l, l2, 1), l2 = 1 (mod 34)";

fn table_3(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let to = printed::TABLE_3_TO;
    Ok(ExperimentPlan {
        cells: vec![rows_of_periods(SECOND_RAYS, Paths::new, to)],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            compare_periods(&mut report, measured, SECOND_RAYS, &printed::TABLE_3, to)?;
            Ok(report)
        }),
    })
}

const LAST: &str = "last irregularities of S(l, l2, 1)";

fn figure_2(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let to = setting.scale.pick([713, 1801]);
    let cell = ExperimentCell::once(LAST, move |cancel| {
        let period = proved(&mut Stars::new(Kayles::Node), &[to, 1], cancel)?;
        Ok(counts(
            period
                .claims
                .iter()
                .map(|claim| claim.preperiod.saturating_sub(1)),
        ))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let last = figures(measured, LAST, 0..to as usize)?;
            let of = |second: u32| last[second as usize - 1];
            let mut moving = Vec::new();
            for second in to - 33..=to {
                if of(second) != of(second - 34) {
                    moving.push(second % 34);
                }
            }
            moving.sort_unstable();
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "ours: l2 up to {to}; a class moves if its last irregularity is another one \
                     for the last l2 than 34 before"
                )],
                ..ExperimentReport::default()
            };
            report.relation(
                format!(
                    "The last irregularity moves for l2 = {} (mod 34) and no others",
                    list(&printed::MOVING)
                ),
                Verdict::of(moving == printed::MOVING),
                list(&moving),
            );
            let points = (1..).zip(&last);
            let points = points.map(|(second, &last)| (f64::from(second), f64::from(last)));
            report.curves.push(Curve {
                name: "last irregular l of S(l, l2, 1)".to_string(),
                x: "l2".to_string(),
                y: "l".to_string(),
                logarithmic: false,
                series: vec![Series::new("Node-Kayles", points)],
            });
            Ok(report)
        }),
    })
}

const REGULAR: &str = "S(l, l2, 1), l2 = 1 (mod 34), regular paths";
const REGULAR_LAST: &str = "last irregularities of S(l, l2, l3), regular paths";
const THIRD_RAYS: u32 = 21;

fn table_4(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let to = setting.scale.pick([464, 804]);
    let table_to = 273;
    // For each third ray, 68 second rays: the last irregularities of 34 classes, now and a step
    // before.
    let cell = ExperimentCell::once(REGULAR_LAST, move |cancel| {
        let mut stars = Stars::on(Paths::regular(Kayles::Node));
        let period = proved(&mut stars, &[to, THIRD_RAYS], cancel)?;
        let mut found: Vec<(u32, u32, u32)> = period
            .claims
            .iter()
            .map(|claim| (claim.fixed[1], claim.fixed[0], claim.preperiod))
            .filter(|&(_, second, _)| second + 68 > to)
            .collect();
        found.sort_unstable();
        Ok(counts(
            found
                .into_iter()
                .map(|(_, _, preperiod)| preperiod.saturating_sub(1)),
        ))
    });
    Ok(ExperimentPlan {
        cells: vec![rows_of_periods(REGULAR, Paths::regular, table_to), cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "a path of length 0 counts 8 as in the period, of negative length 0; the paper \
                     does not say, and its table follows from this".to_string(),
                    format!("ours: l2 up to {to}; a class moves if its last irregularity is \
                             another one for the last l2 than 34 before"),
                ],
                ..ExperimentReport::default()
            };
            compare_periods(&mut report, measured, REGULAR, &printed::TABLE_4, table_to)?;
            let of = |third: u32, second: u32| {
                let column = (third - 1) * 68 + second + 67 - to;
                measured.count(REGULAR_LAST, column as usize)
            };
            let (mut early, mut late) = (Vec::new(), Vec::new());
            for third in 1..=THIRD_RAYS {
                for second in to - 33..=to {
                    if of(third, second)? != of(third, second - 34)? {
                        let moving = match third {
                            THIRD_RAYS => &mut late,
                            _ => &mut early,
                        };
                        moving.push(second % 34);
                    }
                }
            }
            report.relation(
                "With a third ray of 1 to 20 no irregularity moves",
                Verdict::of(early.is_empty()),
                format!("l2 (mod 34): {}", list(&early)),
            );
            late.sort_unstable();
            report.relation(
                "With a third ray of 21 the one of l2 = 22 (mod 34) moves",
                Verdict::of(late.contains(&22)),
                format!("l2 (mod 34): {}", list(&late)),
            );
            let second = to - (to + 12) % 34;
            report.rows.push(Row::exact(
                format!("last irregular l of S(l, {second}, 21)"),
                second.into(),
                of(THIRD_RAYS, second)?,
            ));
            Ok(report)
        }),
    })
}

const PERIODS: &str = "periods of S(l, l2, 1), Pin-Kayles";

fn table_5(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let to = setting.scale.pick([336, 480]);
    let cell = ExperimentCell::once(PERIODS, move |cancel| {
        let period = proved(&mut Stars::new(Kayles::Pin), &[to, 1], cancel)?;
        Ok(counts(period.claims.iter().map(|claim| claim.period)))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let periods = figures(measured, PERIODS, 0..to as usize)?;
            let multipliers: Vec<u32> = periods.iter().map(|period| period / PIN_PERIOD).collect();
            let ours = multipliers.chunks(12);
            for ((printed, ours), start) in printed::TABLE_5.iter().zip(ours).zip((1..).step_by(12))
            {
                let name = format!("l2 = {start} to {}: multipliers that agree", start + 11);
                report.rows.push(agreeing(name, printed, ours));
            }
            let settled = printed::TABLE_5.len() - 3;
            let rows: Vec<&[u32]> = multipliers.chunks(12).skip(settled).collect();
            let equal = rows.iter().filter(|row| Some(row) == rows.first().as_ref());
            let (rows, equal) = (rows.len(), equal.count());
            report.relation(
                format!("From l2 = {} on nothing changes", 12 * settled + 1),
                Verdict::of(rows == equal),
                format!("{equal} of {rows} rows up to l2 = {to} are the same"),
            );
            Ok(report)
        }),
    })
}
