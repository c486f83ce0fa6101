//! Tegos (2002), "Shooting the Last Arrow": rooms of Amazons, their territories and active areas.
//!
//! All figures are exact. Where the thesis does not say how it counts, the conditions say what was
//! taken.

mod players;
mod printed;

use std::collections::HashSet;

use rayon::prelude::*;
use tabia_cgt::sums::{Config, Solver, Sum};
use tabia_cgt::{OutcomeClass, Values};
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::amazons::rooms::active::{
    Active, Canonical, Minimax, Thermographs, Unbuilt, Valuation,
};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::lines::LineSegments;
use tabia_combinatorial::amazons::rooms::room::{RoomGenerator, on_the_board};
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_combinatorial::amazons::rooms::{Stopped, stats};
use tabia_combinatorial::{Cells, Shape};
use tabia_game::{Cancel, Limits};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "tegos";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "table-3.1",
        title: "Rooms in 4x5, and active areas in them",
        source: "Tegos (2002), tables 3.1 and 4.1",
        takes: ["a second", "a second"],
        plan: rooms,
    },
    Experiment {
        paper: PAPER,
        name: "table-4.2",
        title: "Different thermographs of active areas in 4x5",
        source: "Tegos (2002), table 4.2",
        takes: ["ten seconds", "half an hour"],
        plan: thermographs,
    },
    Experiment {
        paper: PAPER,
        name: "table-5.1",
        title: "Line segment graphs of rooms in 4x5",
        source: "Tegos (2002), table 5.1",
        takes: ["five seconds", "five seconds"],
        plan: lines_in_a_box,
    },
    Experiment {
        paper: PAPER,
        name: "table-5.2",
        title: "Line segment graphs of rooms on 10x10",
        source: "Tegos (2002), table 5.2",
        takes: ["five seconds", "half a minute"],
        plan: lines_on_the_board,
    },
    Experiment {
        paper: PAPER,
        name: "tables-A",
        title: "Defective territories with one to four queens in 4x5",
        source: "Tegos (2002), tables A.1 to A.8",
        takes: ["ten seconds", "ten seconds"],
        plan: territories,
    },
    Experiment {
        paper: PAPER,
        name: "table-7.1",
        title: "Nimbers in 4x4, and the extreme temperatures there",
        source: "Tegos (2002), table 7.1 and section 7.1.3",
        takes: ["ten seconds", "ten seconds"],
        plan: nimbers,
    },
    Experiment {
        paper: PAPER,
        name: "table-7.2",
        title: "Zugzwangs in 4x6",
        source: "Tegos (2002), table 7.2",
        takes: ["a minute", "two hours"],
        plan: zugzwangs,
    },
    Experiment {
        paper: PAPER,
        name: "table-7.5",
        title: "Sentestrat against search on boards of four active areas",
        source: "Tegos (2002), table 7.5",
        takes: ["a minute", "an hour"],
        plan: players::plan,
    },
];

fn stopped(Stopped: Stopped) -> LabError {
    LabError::Stopped
}

fn atlas(a: usize, b: usize, cancel: &Cancel) -> Result<Atlas, LabError> {
    let frame = Frame::new(a, b).map_err(|error| LabError::BadRequest(error.to_string()))?;
    Atlas::new(frame, cancel).map_err(stopped)
}

fn active<K: Valuation>(
    atlas: &Atlas,
    kind: K,
    largest: usize,
    cancel: &Cancel,
) -> Result<Active<K>, LabError> {
    let territories = Territories::build(atlas, 1, cancel, &|_| {}).map_err(stopped)?;
    let built = Active::build(atlas, &territories, kind, largest, cancel, &|_| {});
    built.map_err(|error| match error {
        Unbuilt::Stopped(_) => LabError::Stopped,
        other => LabError::BadRequest(other.to_string()),
    })
}

fn figures(counts: impl IntoIterator<Item = u64>) -> Vec<f64> {
    counts.into_iter().map(|count| count as f64).collect()
}

const ROOMS: &str = "rooms in 4x5";

fn rooms(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cell = ExperimentCell::once(ROOMS, |cancel| {
        let atlas = atlas(4, 5, cancel)?;
        let scanned = (1..=20).map(|size| atlas.of_size(size).len() as u64);
        // The same by growth, square by square.
        let grown = RoomGenerator::new(|w, h| w.max(h) <= 5 && w.min(h) <= 4);
        let grown = grown.map(|rooms| rooms.len() as u64);
        Ok(figures(scanned.chain(grown)))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            let mut same = 0;
            for (place, &printed) in printed::TABLE_3_1.iter().enumerate() {
                let ours = measured.count(ROOMS, place)?;
                same += usize::from(ours == measured.count(ROOMS, 20 + place)?);
                report.rows.push(Row::exact(
                    format!("rooms of size {}", place + 1),
                    printed,
                    ours,
                ));
            }
            for (size, &printed) in (2..).zip(&printed::TABLE_4_1) {
                let positions = measured.count(ROOMS, size - 1)? * (size * (size - 1) / 2) as u64;
                report.rows.push(Row::exact(
                    format!("active areas of size {size}"),
                    printed,
                    positions,
                ));
            }
            report.relation(
                "Rooms that grow square by square are those found among all sets of squares",
                Verdict::of(same == 20),
                format!("{same} of 20 sizes"),
            );
            Ok(report)
        }),
    })
}

const GRAPHS: &str = "thermographs in 4x5";

fn thermographs(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let largest = setting.scale.pick([8, 20]);
    let cell = ExperimentCell::once(GRAPHS, move |cancel| {
        let atlas = atlas(4, 5, cancel)?;
        let table = active(&atlas, Thermographs::default(), largest, cancel)?;
        Ok(figures(
            (2..=largest).map(|size| stats::thermographs(&atlas, &table, size)),
        ))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "of two queens one is Black, and which one decides how many thermographs \
                     differ; ours: the first in rows from the top left of the least \
                     bitmap"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            let mut close = 0;
            for (place, (size, &printed)) in (2..=largest).zip(&printed::TABLE_4_2).enumerate() {
                let ours = measured.count(GRAPHS, place)?;
                close += usize::from(20 * ours.abs_diff(printed) <= printed);
                let name = format!("different thermographs of size {size}");
                report.rows.push(Row::compared(
                    name,
                    Some(Figure::Count(printed)),
                    Figure::Count(ours),
                ));
            }
            report.relation(
                "The counts agree within 5%",
                Verdict::of(close == largest - 1),
                format!("{close} of {} sizes", largest - 1),
            );
            Ok(report)
        }),
    })
}

const LINES: &str = "line segment graphs";

fn lines_in_a_box(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cell = ExperimentCell::once(LINES, |cancel| {
        let atlas = atlas(4, 5, cancel)?;
        let alike = |size: usize| -> u64 {
            let rooms = atlas.of_size(size).into_par_iter();
            let forms: HashSet<_> = rooms
                .map(|room| LineSegments::new(&atlas.room(room)).form().form)
                .collect();
            forms.len() as u64
        };
        Ok(figures((1..=20).map(alike)))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for (place, &printed) in printed::TABLE_5_1.iter().enumerate() {
                let name = format!("graphs of size {}", place + 1);
                report
                    .rows
                    .push(Row::exact(name, printed, measured.count(LINES, place)?));
            }
            Ok(report)
        }),
    })
}

fn lines_on_the_board(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let largest = setting.scale.pick([9, 10]);
    let cell = ExperimentCell::once(LINES, move |cancel| {
        let mut counts = Vec::new();
        for rooms in RoomGenerator::new(on_the_board).take(largest) {
            if cancel.is_cancelled() {
                return Err(LabError::Stopped);
            }
            let forms: HashSet<_> = rooms
                .par_iter()
                .map(|room| LineSegments::new(room).form().form)
                .collect();
            counts.extend([rooms.len() as u64, forms.len() as u64]);
        }
        Ok(figures(counts))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for (place, &[rooms, graphs]) in printed::TABLE_5_2.iter().take(largest).enumerate() {
                let size = place + 1;
                let (ours, alike) = (
                    measured.count(LINES, 2 * place)?,
                    measured.count(LINES, 2 * place + 1)?,
                );
                report
                    .rows
                    .push(Row::exact(format!("rooms of size {size}"), rooms, ours));
                report
                    .rows
                    .push(Row::exact(format!("graphs of size {size}"), graphs, alike));
            }
            Ok(report)
        }),
    })
}

const DEFECTS: &str = "defective territories in 4x5";
/// Figures of a size and a number of queens: defective rooms, all territories, defective ones by
/// defects.
const FIGURES: usize = 6;

fn territories(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cell = ExperimentCell::once(DEFECTS, |cancel| {
        let atlas = atlas(4, 5, cancel)?;
        let table = Territories::build(&atlas, 4, cancel, &|_| {}).map_err(stopped)?;
        let counts = stats::defects(&atlas, &table);
        let mut row = Vec::new();
        for queens in 1..=4 {
            for size in 1..=20 {
                let found = counts.get(&(queens, size)).cloned().unwrap_or_default();
                let placements = (0..queens).fold(1, |n, i| n * size.saturating_sub(i) / (i + 1));
                row.extend([found.rooms, (atlas.of_size(size).len() * placements) as u64]);
                row.extend((0..4).map(|k| found.by_defects.get(k).copied().unwrap_or(0)));
            }
        }
        Ok(figures(row))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            let mut unexpected = 0;
            for (queens, (first, rows)) in (1..).zip(&printed::TABLES_A) {
                for size in 1..=20 {
                    let start = ((queens - 1) * 20 + size - 1) * FIGURES;
                    let ours = |figure: usize| measured.count(DEFECTS, start + figure);
                    let Some(printed) = size.checked_sub(*first).and_then(|place| rows.get(place))
                    else {
                        unexpected += ours(0)?;
                        continue;
                    };
                    let of = format!("{queens} queens, size {size}");
                    report.rows.push(Row::exact(
                        format!("{of}: defective rooms"),
                        printed.rooms,
                        ours(0)?,
                    ));
                    report.rows.push(Row::exact(
                        format!("{of}: territories"),
                        printed.total,
                        ours(1)?,
                    ));
                    for (k, &count) in printed.by_defects.iter().enumerate() {
                        let found = ours(2 + k)?;
                        if count > 0 || found > 0 {
                            report.rows.push(Row::exact(
                                format!("{of}: {}-defective", k + 1),
                                count,
                                found,
                            ));
                        }
                    }
                }
            }
            report.relation(
                "No other size has defective territories, and none has more than four defects",
                Verdict::of(unexpected == 0),
                format!("{unexpected} rooms of other sizes"),
            );
            Ok(report)
        }),
    })
}

const NIMBERS: &str = "nimbers in 4x4";
const CHECKED: &str = "nimbers next to heaps of Nim";
const EXTREMES: &str = "temperatures in 4x4";

fn canonical(cancel: &Cancel) -> Result<(Atlas, Active<Canonical>), LabError> {
    let exceeded = |error: tabia_cgt::Exceeded| LabError::BadRequest(error.to_string());
    let atlas = atlas(4, 4, cancel)?;
    let values = Canonical::new(Values::new()).map_err(exceeded)?;
    let table = active(&atlas, values, 16, cancel)?;
    Ok((atlas, table))
}

/// The positions of a size that are worth a nimber.
fn worth(atlas: &Atlas, table: &Active<Canonical>, size: usize, heap: u32) -> Vec<Cells> {
    let mut positions = Vec::new();
    let shape = Shape::new(atlas.frame().width(), atlas.frame().height());
    for (room, shape) in atlas.of_size(size).zip(std::iter::repeat(shape)) {
        let set = u128::from(atlas.rooms()[room]);
        let squares: Vec<usize> = (0..atlas.frame().area())
            .filter(|i| set >> i & 1 != 0)
            .collect();
        let pairs = (0..size).flat_map(|w| (0..w).map(move |b| (b, w)));
        for ((black, white), &value) in pairs.zip(table.of_room(room)) {
            if table.kind().values().as_nimber(value) == Some(heap) {
                let queens = [1 << squares[black], 1 << squares[white]];
                positions.extend(
                    shape
                        .as_ref()
                        .ok()
                        .and_then(|&shape| Cells::from_sets(shape, set, queens)),
                );
            }
        }
    }
    positions
}

fn nimbers(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cells = vec![
        ExperimentCell::once(NIMBERS, |cancel| {
            let (atlas, table) = canonical(cancel)?;
            let counts = (7..=16).flat_map(|size| (2..=5).map(move |heap| (size, heap)));
            Ok(figures(counts.map(|(size, heap)| {
                stats::nimbers(&atlas, &table, size, heap)
            })))
        }),
        // Whether those that differ from print are nimbers, by search of sums without any value.
        ExperimentCell::once(CHECKED, |cancel| {
            let (atlas, table) = canonical(cancel)?;
            let config = Config {
                valued: Some(0),
                ..Config::default()
            };
            let mut solver = Solver::new(Amazons, config);
            let limits = Limits {
                cancel: cancel.clone(),
                ..Limits::default()
            };
            let mut counts = Vec::new();
            for (size, heap) in [(11, 2), (14, 2), (14, 3)] {
                let positions = worth(&atlas, &table, size, heap);
                let mut lost = 0;
                for position in &positions {
                    let sum = Sum {
                        positions: std::slice::from_ref(position),
                        values: &[format!("*{heap}")],
                    };
                    let outcome = solver.outcome(sum, &limits);
                    let outcome = outcome.map_err(|error| match error {
                        tabia_cgt::sums::Unsolved::Stopped(_) => LabError::Stopped,
                        other => LabError::BadRequest(other.to_string()),
                    })?;
                    lost += u64::from(outcome == OutcomeClass::P);
                }
                counts.extend([positions.len() as u64, lost]);
            }
            Ok(figures(counts))
        }),
        ExperimentCell::once(EXTREMES, |cancel| {
            let (_, mut table) = canonical(cancel)?;
            let exceeded = |error: tabia_cgt::Exceeded| LabError::BadRequest(error.to_string());
            let all = stats::temperatures(&mut table).map_err(exceeded)?;
            let number =
                |t: &tabia_cgt::Dyadic| t.numerator() as f64 / (1u64 << t.exponent()) as f64;
            let fractions = || all.iter().filter(|t| !t.is_integer());
            let most = all.last().map_or(f64::NAN, number);
            let negative = all
                .iter()
                .rfind(|t| t.numerator() < 0)
                .map_or(f64::NAN, number);
            let positive = all
                .iter()
                .find(|t| t.numerator() > 0)
                .map_or(f64::NAN, number);
            let numerator = fractions().map(|t| t.numerator()).max().unwrap_or(0);
            let exponent = fractions().map(|t| t.exponent()).max().unwrap_or(0);
            Ok(vec![
                most,
                negative,
                positive,
                numerator as f64,
                f64::from(1u32 << exponent),
            ])
        }),
    ];
    Ok(ExperimentPlan {
        cells,
        report: Box::new(|measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "printed rows of sizes 11 and 14 are compared only: they are wrong, see below"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            for (place, (size, row)) in (7..).zip(&printed::TABLE_7_1).enumerate() {
                for (column, (heap, &printed)) in (2..).zip(row).enumerate() {
                    let ours = measured.count(NIMBERS, 4 * place + column)?;
                    let name = format!("size {size}: worth *{heap}");
                    report.rows.push(match size {
                        11 | 14 => {
                            Row::compared(name, Some(Figure::Count(printed)), Figure::Count(ours))
                        }
                        _ => Row::exact(name, printed, ours),
                    });
                }
            }
            wrong_rows(measured, &mut report)?;
            let mut higher = 0;
            for place in 0..10 {
                higher += measured.count(NIMBERS, 4 * place + 2)?
                    + measured.count(NIMBERS, 4 * place + 3)?;
            }
            report.relation(
                "There is no *4 in 4x4",
                Verdict::of(higher == 0),
                format!("{higher} positions worth *4 or *5"),
            );
            let printed = [
                ("largest temperature", 11.0),
                ("largest negative temperature", -1.0 / 16.0),
                ("smallest positive temperature", 1.0 / 32.0),
                ("largest numerator of a fraction", 911.0),
                ("largest denominator of a fraction", 256.0),
            ];
            for (column, (name, printed)) in printed.into_iter().enumerate() {
                let ours = measured
                    .column(EXTREMES, column)?
                    .first()
                    .copied()
                    .unwrap_or(f64::NAN);
                let row = Row::compared(name, Some(Figure::Number(printed)), Figure::Number(ours));
                report.rows.push(Row {
                    matches: Some(ours == printed),
                    ..row
                });
            }
            Ok(report)
        }),
    })
}

/// Who is right about sizes 11 and 14.
fn wrong_rows(measured: &Measured, report: &mut ExperimentReport) -> Result<(), LabError> {
    let count = |column: usize| measured.count(CHECKED, column);
    let (stars, lost) = (count(0)?, count(1)?);
    report.relation(
        "Of size 11 there are 22 worth *2, not 21",
        Verdict::of((stars, lost) == (22, 22)),
        format!(
            "next to a heap of two whoever begins loses {lost} of {stars}, by search without values"
        ),
    );
    let (twos, threes, lost) = (count(2)?, count(4)?, count(5)?);
    report.relation(
        "Of size 14 there is one worth *3 and none worth *2, not the other way round",
        Verdict::of((twos, threes, lost) == (0, 1, 1)),
        format!("next to a heap of three whoever begins loses {lost} of {threes}"),
    );
    Ok(())
}

const ZUGZWANGS: &str = "zugzwangs in 4x6";

fn zugzwangs(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let largest = setting.scale.pick([10, 20]);
    let cell = ExperimentCell::once(ZUGZWANGS, move |cancel| {
        let atlas = atlas(4, 6, cancel)?;
        let table = active(&atlas, Minimax, largest, cancel)?;
        let counts = (6..=largest).flat_map(|size| {
            [
                stats::zugzwangs(&atlas, &table, size),
                table.of_size(&atlas, size).len() as u64,
            ]
        });
        Ok(figures(counts))
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "a move counts one, territories count their moves, a player who cannot move \
                     passes; a zugzwang costs whoever begins three"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            for (place, (size, &[zugzwangs, all])) in
                (6..=largest).zip(&printed::TABLE_7_2).enumerate()
            {
                let ours = |figure: usize| measured.count(ZUGZWANGS, 2 * place + figure);
                report.rows.push(Row::exact(
                    format!("zugzwangs of size {size}"),
                    zugzwangs,
                    ours(0)?,
                ));
                report.rows.push(Row::exact(
                    format!("positions of size {size}"),
                    all,
                    ours(1)?,
                ));
            }
            Ok(report)
        }),
    })
}
