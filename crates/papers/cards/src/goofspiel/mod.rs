//! Saffidine, Finnsson and Buro (2012), "Alpha-Beta Pruning for Games with Simultaneous Moves", as
//! reviewed by Hartmann (2013): Goofspiel by simultaneous-move alpha-beta, against backward
//! induction and the double oracle method.
//!
//! The review prints that alpha-beta is the faster and not by how much. Counted are positions,
//! matrices that had to be solved by a linear program, and all linear programs, those that prune
//! included; everything is in exact fractions.

use std::time::Instant;

use tabia_cards::goofspiel::{Goofspiel, Objective, Order, Ties};
use tabia_equilibrium::{EquilibriumMethod, Solved, solve};
use tabia_game::{Cancel, Game, Limits, Text};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "goofspiel";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "methods",
        title: "Alpha-beta and double oracle against backward induction",
        source: "Saffidine, Finnsson and Buro (2012), after Hartmann (2013)",
        takes: ["a minute", "half an hour"],
        plan: methods,
    },
    Experiment {
        paper: PAPER,
        name: "values",
        title: "Values of unequal hands, as fractions",
        source: "computed for Tabia",
        takes: ["at once", "at once"],
        plan: |_| Ok(values()),
    },
];

const METHODS: [(&str, EquilibriumMethod); 3] = [
    ("backward induction", EquilibriumMethod::Backward),
    ("alpha-beta", EquilibriumMethod::Smab),
    ("double oracle", EquilibriumMethod::Oracle),
];

/// Positions that a method may keep.
const MAX_POSITIONS: u64 = 1 << 26;

fn wrong(reason: impl ToString) -> LabError {
    LabError::BadRequest(reason.to_string())
}

fn solved(
    game: &Goofspiel,
    position: Option<&str>,
    method: EquilibriumMethod,
    cancel: &Cancel,
) -> Result<Solved, LabError> {
    let state = match position {
        Some(text) => game.parse_position(text).map_err(wrong)?,
        None => game.start(),
    };
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    solve(game, &state, method, MAX_POSITIONS, &limits).map_err(wrong)
}

fn name(order: Order, cards: u8, method: &str) -> String {
    format!("{cards} cards, prizes {}, {method}", word(order))
}

fn word(order: Order) -> &'static str {
    match order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
        Order::Random => "at random",
    }
}

fn methods(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let largest = setting.scale.pick([[5, 4], [6, 5]]);
    let sizes: Vec<(Order, u8)> = [(Order::Descending, largest[0]), (Order::Random, largest[1])]
        .into_iter()
        .flat_map(|(order, most)| (3..=most).map(move |cards| (order, cards)))
        .collect();
    let mut cells = Vec::new();
    for &(order, cards) in &sizes {
        for (method_name, method) in METHODS {
            cells.push(ExperimentCell::once(
                name(order, cards, method_name),
                move |cancel| {
                    let game = Goofspiel::new(cards, order, Objective::Points, Ties::Discard);
                    let game = game.map_err(wrong)?;
                    let started = Instant::now();
                    let found = solved(&game, None, method, cancel)?;
                    let work = found.work;
                    Ok(vec![
                        work.positions as f64,
                        work.matrices as f64,
                        work.programs as f64,
                        started.elapsed().as_secs_f64(),
                        f64::from(u8::from(
                            found.value == num_rational::BigRational::default(),
                        )),
                    ])
                },
            ));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(
                "whole games with equal hands, so that every value is zero; the difference of \
                 points counts; ties discard"
                    .to_string(),
            );
            let mut savings: Vec<(Order, u8, f64)> = Vec::new();
            for &(order, cards) in &sizes {
                let mut positions = Vec::new();
                for (method, _) in METHODS {
                    let cell = name(order, cards, method);
                    for (column, what) in [
                        "positions",
                        "matrices by linear programs",
                        "linear programs",
                    ]
                    .iter()
                    .enumerate()
                    {
                        let found = measured.count(&cell, column)?;
                        let row = format!("{cell}: {what}");
                        report
                            .rows
                            .push(Row::compared(row, None, Figure::Count(found)));
                    }
                    let seconds = measured.column(&cell, 3)?.iter().sum();
                    report.rows.push(Row::compared(
                        format!("{cell}: seconds"),
                        None,
                        Figure::Number(seconds),
                    ));
                    positions.push(measured.count(&cell, 0)? as f64);
                    report.relation(
                        format!("{cell}: equal hands are worth nothing"),
                        Verdict::of(measured.count(&cell, 4)? == 1),
                        "in fractions".to_string(),
                    );
                }
                savings.push((order, cards, positions[1] / positions[0].max(1.0)));
            }
            for order in [Order::Descending, Order::Random] {
                let shares: Vec<(u8, f64)> = savings
                    .iter()
                    .filter(|saving| saving.0 == order && saving.1 >= 4)
                    .map(|&(_, cards, share)| (cards, share))
                    .collect();
                let text: Vec<String> = shares
                    .iter()
                    .map(|(cards, share)| format!("{share:.2} with {cards}"))
                    .collect();
                report.relation(
                    format!(
                        "prizes {}: alpha-beta looks at fewer positions from four cards on",
                        word(order)
                    ),
                    Verdict::of(shares.iter().all(|&(_, share)| share < 1.0)),
                    text.join(", "),
                );
                report.relation(
                    format!("prizes {}: the saving grows with the cards", word(order)),
                    match shares.len() {
                        0 | 1 => Verdict::Undecided,
                        _ => Verdict::of(shares.is_sorted_by(|a, b| a.1 >= b.1)),
                    },
                    text.join(", "),
                );
            }
            Ok(report)
        }),
    })
}

/// Hands {1, 2, 4} against {1, 2, 3}, in sixtieths of a point.
const VALUES: [(Order, u64); 3] = [
    (Order::Ascending, 93),
    (Order::Descending, 96),
    (Order::Random, 83),
];

fn values() -> ExperimentPlan {
    let mut cells = Vec::new();
    for (order, _) in VALUES {
        for (method_name, method) in METHODS {
            cells.push(ExperimentCell::once(
                name(order, 3, method_name),
                move |cancel| {
                    let game = Goofspiel::new(3, order, Objective::Points, Ties::Discard);
                    let game = game.map_err(wrong)?;
                    let found = solved(&game, Some("1,2,4/1,2,3 1,2,3"), method, cancel)?;
                    let sixtieths =
                        found.value * num_rational::BigRational::from_integer(60.into());
                    let whole = sixtieths.is_integer();
                    let count = sixtieths
                        .to_integer()
                        .to_string()
                        .parse()
                        .unwrap_or(f64::NAN);
                    Ok(vec![if whole { count } else { f64::NAN }])
                },
            ));
        }
    }
    ExperimentPlan {
        cells,
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for (order, known) in VALUES {
                for (method, _) in METHODS {
                    let cell = name(order, 3, method);
                    let row = format!("{cell}: sixtieths of a point for 1, 2, 4 against 1, 2, 3");
                    let row = Row::exact(row, known, measured.count(&cell, 0)?);
                    report.rows.push(row.derived());
                }
            }
            Ok(report)
        }),
    }
}
