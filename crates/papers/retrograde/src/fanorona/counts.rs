//! Tables 4.2 and 4.3: how many positions there are with few pieces, and how many of them are won,
//! drawn and lost.

use tabia_game::{Cancel, Indexed};
use tabia_tables::{Counted, SliceValues, TableError, ValueCounts, stats};

use super::solver::Endings;
use super::{Size, board, size_text};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting};

/// Positions with 2, 3, ... pieces on a board, misprints corrected.
struct Sizes {
    size: Size,
    positions: &'static [u64],
    /// What is misprinted, by the number of pieces.
    misprints: &'static [(usize, u64)],
}

const SIZES: [Sizes; 4] = [
    Sizes {
        size: (5, 9),
        positions: &[
            1_980,
            85_140,
            2_085_930,
            36_652_770,
            504_993_720,
            5_717_832_120,
            54_750_511_530,
            451_943_198_850,
            3_260_371_406_292,
            20_768_119_231_860,
            117_743_529_024_030,
            597_920_852_078_550,
            2_733_686_209_314_720,
            11_299_926_066_685_344,
        ],
        misprints: &[(15, 11_299_926_066_685_300)],
    },
    Sizes {
        size: (5, 5),
        positions: &[
            600,
            13_800,
            177_100,
            1_593_900,
            10_980_200,
            60_568_200,
            274_720_050,
            1_041_917_250,
        ],
        misprints: &[(4, 171_100)],
    },
    Sizes {
        size: (7, 5),
        positions: &[1_190, 39_270, 733_040, 9_738_960, 100_635_920, 847_289_520],
        misprints: &[],
    },
    Sizes {
        size: (3, 9),
        positions: &[
            702,
            17_550,
            245_700,
            2_421_900,
            18_352_620,
            111_891_780,
            563_899_050,
        ],
        misprints: &[(7, 113_891_780)],
    },
];

pub fn sizes(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cells = SIZES.iter().map(|sizes| {
        let game = board(sizes.size)?;
        let all = sizes.positions.len();
        Ok(ExperimentCell::once(size_text(sizes.size), move |_| {
            let mut positions = vec![0u64; all];
            for slice in game.slices() {
                let pieces = (game.slice_size(slice) as usize).checked_sub(2);
                if let Some(sum) = pieces.and_then(|at| positions.get_mut(at)) {
                    let length = game.slice_len(slice);
                    *sum = sum.saturating_add(length.unwrap_or(u64::MAX));
                }
            }
            // All are even, which keeps the largest of them exact.
            Ok(positions.iter().map(|&n| n as f64).collect())
        }))
    });
    Ok(ExperimentPlan {
        cells: cells.collect::<Result<_, LabError>>()?,
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for sizes in &SIZES {
                let name = size_text(sizes.size);
                for (column, (&right, pieces)) in sizes.positions.iter().zip(2..).enumerate() {
                    let ours = measured.count(&name, column)?;
                    let row = Row::exact(format!("{name}: {pieces} pieces"), right, ours);
                    let misprint = sizes.misprints.iter().find(|(of, _)| *of == pieces);
                    report.rows.push(match misprint {
                        Some(&(_, printed)) => row.corrected_from(Figure::Count(printed)),
                        None => row,
                    });
                }
            }
            report.conditions.push(
                "what is printed for 15 pieces on 5x9 is rounded; the other two misprints have a \
                 wrong digit"
                    .to_string(),
            );
            Ok(report)
        }),
    })
}

/// Won, drawn and lost positions of the slice `own`-`enemy`, as printed in table 4.3.
type Values = ((u16, u16), [u64; 3]);

const TABLE_4_3: [Values; 15] = [
    ((1, 1), [158, 334, 26]),
    ((2, 1), [10_366, 398, 6]),
    ((1, 2), [717, 3_231, 6_822]),
    ((3, 1), [149_458, 91, 1]),
    ((2, 2), [127_756, 79_012, 17_386]),
    ((1, 3), [4_188, 15_875, 129_487]),
    ((4, 1), [1_529_142, 12, 0]),
    ((3, 2), [2_711_327, 327_836, 18_297]),
    ((2, 3), [774_043, 1_252_162, 1_031_255]),
    ((1, 4), [19_814, 88_187, 1_421_153]),
    ((5, 1), [12_223_788, 0, 0]),
    ((4, 2), [30_095_407, 426_350, 32_491]),
    ((3, 3), [24_137_779, 13_955_354, 2_644_731]),
    ((2, 4), [4_180_200, 7_926_733, 18_447_315]),
    ((1, 5), [81_728, 391_405, 11_750_655]),
];

const OUTCOMES: [&str; 3] = ["won", "drawn", "lost"];

/// The rows of table 4.3 with at most this many pieces.
fn rows(pieces: u16) -> impl Iterator<Item = Values> {
    let few = move |((own, enemy), _): &Values| own + enemy <= pieces;
    TABLE_4_3.into_iter().filter(few)
}

pub fn values(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let pieces = setting.scale.pick([4, 6]);
    // One cell, so that all threads are at work on it.
    let cell = ExperimentCell::once("slices", move |cancel| count(pieces, cancel));
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for (number, ((own, enemy), printed)) in rows(pieces).enumerate() {
                for (outcome, (word, printed)) in OUTCOMES.iter().zip(printed).enumerate() {
                    let column = 6 * number + outcome;
                    report.rows.push(Row::exact(
                        format!("{own}-{enemy} {word}"),
                        printed,
                        measured.count("slices", column)?,
                    ));
                    let all = tabia_lab::Figure::Count(measured.count("slices", column + 3)?);
                    report.rows.push(Row::compared(
                        format!("{own}-{enemy} {word}, all classes"),
                        None,
                        all,
                    ));
                }
            }
            report.conditions = vec![
                format!("positions of up to {pieces} pieces on 5x9, the player to move first; the \
                         thesis: up to 7"),
                "one of each class of symmetric positions is counted; the thesis leaves out what a \
                 half turn maps to itself, and so does the first of two rows".to_string(),
            ];
            Ok(report)
        }),
    })
}

/// Counts of each slice as printed, and of all classes.
fn count(pieces: u16, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let game = board((5, 9))?;
    let endings = Endings::build(&game, pieces.into(), cancel)?;
    let mut row = Vec::new();
    for ((own, enemy), _) in rows(pieces) {
        let slice = tabia_fanorona::fanorona::Slice { own, enemy };
        let values = endings.slice(slice)?;
        for counted in [Counted::Thesis, Counted::Orbits] {
            let value = |index| Ok::<_, TableError>(values.get(index));
            let ValueCounts {
                win, draw, loss, ..
            } = stats(&game, slice, value, counted, cancel)
                .map_err(|error| super::solver::failure(error.into()))?;
            row.extend([win, draw, loss].map(|count| count as f64));
        }
    }
    Ok(row)
}
