//! Whether the first move by temperature, and the best one of the iteration before, are best.
//!
//! Positions are all that the iterations of a search visit with a choice of moves and with a move
//! remembered from before. The paper does not say how it knew which moves are best. Here a move is
//! so in two ways: because the search that goes by temperature finds it best, within its window and
//! depth, and, in positions drawn evenly, because it keeps the exact score.

use rand::RngExt;
use tabia_cgt::scoring::{Options, Position, Ranked, Search};
use tabia_game::{Cancel, Limits, Player};

use super::{Instances, exceeded};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, wilson};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// Positions drawn from each search.
const DRAWN: usize = 50;

/// What was found, and the printed shares.
const CASES: [(&str, f64); 4] = [
    ("both have a best move first", 0.802),
    ("only TEMP has", 0.109),
    ("only PREV has", 0.043),
    ("neither has", 0.046),
];

struct Drawn {
    position: Position,
    mover: Player,
    first: [usize; 2],
}

/// The place among the cases, given whether TEMP and PREV are right.
fn case([temperature, previous]: [bool; 2]) -> usize {
    match (temperature, previous) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

/// How often each case came up by the search itself, then by the exact score.
fn measure(instances: Instances, item: usize, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let sum = instances.sum(item)?;
    let mut rng = instances.seed(item).split("drawn").rng();
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut seen = 0;
    let mut counts = vec![0.0; 2 * CASES.len()];
    let options = Options {
        previous: true,
        ..Options::PAPER
    };
    let mut search = Search::new(&sum, options).map_err(exceeded)?;
    search.watch(&limits);
    search.observe(|ranked: Ranked<'_>| {
        seen += 1;
        let first = [ranked.by_temperature, ranked.by_previous];
        counts[case(first.map(|component| component == ranked.found))] += 1.0;
        let place = if drawn.len() < DRAWN {
            drawn.len()
        } else {
            rng.random_range(0..seen)
        };
        if place >= DRAWN {
            return;
        }
        let one = Drawn {
            position: ranked.position.clone(),
            mover: ranked.mover,
            first,
        };
        match drawn.get_mut(place) {
            Some(old) => *old = one,
            None => drawn.push(one),
        }
    });
    search
        .solve(&sum.start(), Player::FIRST)
        .map_err(exceeded)?;
    drop(search);
    let mut exact = Search::new(&sum, Options::BEST).map_err(exceeded)?;
    exact.watch(&limits);
    for Drawn {
        position,
        mover,
        first,
    } in drawn
    {
        let score = exact.solve(&position, mover).map_err(exceeded)?.score;
        let mut is_best = [false; 2];
        for (is_best, component) in is_best.iter_mut().zip(first) {
            let mut next = position.clone();
            sum.play(&mut next, mover, component);
            let after = exact.solve(&next, mover.other()).map_err(exceeded)?;
            *is_best = after.score == score;
        }
        counts[CASES.len() + case(is_best)] += 1.0;
    }
    Ok(counts)
}

const CELL: &str = "first moves";

pub(super) fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let instances = Instances::new(setting, 2, 12);
    let sums = setting.scale.pick([100, 1000]);
    let cells = vec![ExperimentCell::sample(CELL, sums, move |item, cancel| {
        measure(instances, item, cancel)
    })];
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    format!(
                        "12 two-level subgames; all iterations of TEMP + INC on {sums} sums, \
                         {DRAWN} positions of each judged exactly"
                    ),
                    "the paper does not say how it knew the best moves".to_string(),
                ],
                ..ExperimentReport::default()
            };
            let by_search = shares(measured, &mut report, 0)?;
            let exactly = shares(measured, &mut report, CASES.len())?;
            for (judge, counts) in [("the search", by_search), ("the exact score", exactly)] {
                let interval = wilson(counts[2], counts[1] + counts[2], CONFIDENCE);
                report.relation(
                    format!(
                        "by {judge}, where one order alone is right it is TEMP more than twice as \
                         often as PREV"
                    ),
                    Verdict::below(interval, 1.0 / 3.0),
                    format!("TEMP {} times, PREV {} times", counts[1], counts[2]),
                );
            }
            Ok(report)
        }),
    })
}

/// Adds the shares of the cases from this column on; how often each came up.
fn shares(
    measured: &Measured,
    report: &mut ExperimentReport,
    column: usize,
) -> Result<[f64; CASES.len()], LabError> {
    let mut counts = [0.0; CASES.len()];
    for (case, count) in counts.iter_mut().enumerate() {
        *count = measured.column(CELL, column + case)?.iter().sum();
    }
    let all: f64 = counts.iter().sum();
    let judge = if column == 0 { "search" } else { "exact" };
    for ((name, printed), count) in CASES.iter().zip(counts) {
        let row = Row::compared(
            format!("{judge}: {name}"),
            Some(Figure::Number(*printed)),
            Figure::Number(count / all.max(1.0)),
        );
        report.rows.push(row.within(wilson(count, all, CONFIDENCE)));
    }
    Ok(counts)
}
