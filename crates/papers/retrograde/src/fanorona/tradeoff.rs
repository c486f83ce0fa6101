//! Tables 4.5 to 4.7 and figure 4.9: the more pieces the tables have, the longer it takes to build
//! them and the shorter to solve the board.

use super::solver::{Budget, Endings, Found, Winner, on_one_thread, solve};
use super::{Size, board, size_text};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::{Curve, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

/// A table of the thesis: a column for each number of pieces.
pub struct Tradeoff {
    size: Size,
    winner: Winner,
    columns: &'static [Column],
    /// The number of pieces with which everything together takes the least time.
    best: usize,
    /// The number of pieces that takes less than a hundredth of the nodes of one piece less.
    leap: Option<usize>,
    /// The most pieces that we build tables of, quick and full.
    most: [usize; 2],
    /// What is misprinted.
    misprint: Option<&'static str>,
}

/// Times are in milliseconds.
struct Column {
    pieces: usize,
    building: Option<u64>,
    solving: u64,
    nodes: Option<u64>,
}

const fn column(pieces: usize, building: u64, solving: u64, nodes: u64) -> Column {
    Column {
        pieces,
        building: Some(building),
        solving,
        nodes: Some(nodes),
    }
}

const fn without_tables(solving: u64, nodes: u64) -> Column {
    Column {
        pieces: 0,
        building: None,
        solving,
        nodes: Some(nodes),
    }
}

/// Table 4.5.
pub const SQUARE: Tradeoff = Tradeoff {
    size: (5, 5),
    winner: Winner::Nobody,
    columns: &[
        without_tables(189_919_141, 101_830_539_576),
        column(2, 138, 31_610_647, 18_934_832_800),
        column(3, 1_228, 6_176_044, 3_546_498_830),
        Column {
            pieces: 4,
            building: Some(6_547),
            solving: 9_049,
            nodes: None,
        },
        column(5, 60_927, 2_715, 1_509_329),
        column(6, 326_104, 1_033, 364_278),
        column(7, 2_104_583, 842, 251_236),
        column(8, 8_972_377, 694, 173_566),
        column(9, 41_415_589, 577, 119_354),
    ],
    best: 4,
    leap: Some(4),
    most: [6, 8],
    misprint: Some("printed for the nodes with 4 pieces is 6,323,71, which has lost a digit"),
};

/// Table 4.6.
pub const HIGH: Tradeoff = Tradeoff {
    size: (7, 5),
    winner: Winner::White,
    columns: &[
        without_tables(62_371_743, 39_243_004_473),
        column(2, 141, 29_159_087, 20_120_149_985),
        column(3, 3_062, 2_300_224, 1_685_583_077),
        column(4, 31_350, 1_108_075, 862_109_429),
        column(5, 479_801, 568_325, 439_220_855),
        column(6, 3_858_750, 99_164, 72_524_679),
        column(7, 77_294_159, 4_132, 1_107_756),
    ],
    best: 5,
    leap: None,
    most: [5, 6],
    misprint: None,
};

/// Table 4.7.
pub const WIDE: Tradeoff = Tradeoff {
    size: (3, 9),
    winner: Winner::White,
    columns: &[
        without_tables(39_975, 33_248_635),
        column(2, 129, 35_379, 28_588_852),
        column(3, 1_836, 6_883, 5_885_429),
        column(4, 9_629, 12_747, 10_939_734),
        column(5, 104_829, 2_953, 2_138_924),
        column(6, 585_177, 1_638, 1_055_233),
        column(7, 4_387_274, 997, 233_197),
        column(8, 21_854_833, 2_159, 105_343),
    ],
    best: 3,
    leap: None,
    most: [6, 8],
    misprint: Some("the text gives 3 pieces as the best for 7x5, where 3x9 is meant"),
};

impl Tradeoff {
    /// The columns that we measure.
    fn measured(&self, scale: Scale) -> impl Iterator<Item = &Column> {
        let most = self.most[usize::from(scale == Scale::Full)];
        self.columns.iter().filter(move |c| c.pieces <= most)
    }
}

const MILLION: u64 = 1_000_000;

fn budget(scale: Scale) -> Budget {
    match scale {
        Scale::Quick => Budget {
            dfpn: 20 * MILLION,
            memory: 256 << 20,
            pn2: 50 * MILLION,
        },
        Scale::Full => Budget {
            dfpn: 4_000 * MILLION,
            memory: 2 << 30,
            pn2: 40_000 * MILLION,
        },
    }
}

fn cell_name(pieces: usize) -> String {
    format!("{pieces} pieces")
}

pub fn plan(table: &'static Tradeoff, setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let cell = |column: &Column| {
        let (game, pieces) = (board(table.size)?, column.pieces);
        Ok(ExperimentCell::once(cell_name(pieces), move |cancel| {
            on_one_thread(|| {
                let endings = Endings::build(&game, pieces, cancel)?;
                let found = solve(&game, &endings, budget(scale), cancel);
                let mut figures = vec![endings.seconds];
                figures.extend(found.iter().flat_map(Found::figures));
                Ok(figures)
            })
        }))
    };
    let cells = table.measured(scale).map(cell);
    Ok(ExperimentPlan {
        cells: cells.collect::<Result<_, LabError>>()?,
        report: Box::new(move |measured| report(table, scale, measured)),
    })
}

/// What was measured with tables of this many pieces.
struct Measurement {
    pieces: usize,
    building: f64,
    dfpn: Found,
    pn2: Found,
}

impl Measurement {
    fn read(measured: &Measured, pieces: usize) -> Result<Measurement, LabError> {
        let cell = cell_name(pieces);
        Ok(Measurement {
            pieces,
            building: measured.values(&cell)?.iter().sum(),
            dfpn: Found::read(measured, &cell, 1)?,
            pn2: Found::read(measured, &cell, 1 + Found::FIGURES)?,
        })
    }
}

fn report(
    table: &Tradeoff,
    scale: Scale,
    measured: &Measured,
) -> Result<ExperimentReport, LabError> {
    let budget = budget(scale);
    let mut report = ExperimentReport {
        conditions: vec![
            format!(
                "{}: df-pn gives up after {} million nodes and PN2 after {} million; the thesis: \
                 PN2 without limit",
                size_text(table.size),
                budget.dfpn / MILLION,
                budget.pn2 / MILLION
            ),
            "seconds of one thread; ours are those of all tables up to that number of pieces"
                .to_string(),
        ],
        ..ExperimentReport::default()
    };
    report.conditions.extend(table.misprint.map(str::to_string));
    let mut all = Vec::new();
    let mut wrong = 0;
    for column in table.measured(scale) {
        let ours = Measurement::read(measured, column.pieces)?;
        let pieces = cell_name(column.pieces);
        let seconds = |printed: Option<u64>| printed.map(|ms| Figure::Number(ms as f64 / 1000.0));
        if column.building.is_some() {
            report.rows.push(Row::compared(
                format!("{pieces}: seconds for tables"),
                seconds(column.building),
                Figure::Number(ours.building),
            ));
        }
        for (search, found) in [("df-pn", ours.dfpn), ("PN2", ours.pn2)] {
            let open = if found.winner.is_none() {
                ", undecided"
            } else {
                ""
            };
            report.rows.push(Row::compared(
                format!("{pieces}: nodes of {search}{open}"),
                column.nodes.map(Figure::Count),
                Figure::Count(found.nodes),
            ));
            report.rows.push(Row::compared(
                format!("{pieces}: seconds of {search}{open}"),
                seconds(Some(column.solving)),
                Figure::Number(found.seconds),
            ));
            wrong += u64::from(found.winner.is_some_and(|winner| winner != table.winner));
        }
        all.push(ours);
    }
    report.rows.push(Row::exact(
        "searches that end with another value than printed",
        0,
        wrong,
    ));
    for (search, found) in [
        (
            "df-pn",
            all.iter().map(|m| (m.pieces, m.dfpn)).collect::<Vec<_>>(),
        ),
        ("PN2", all.iter().map(|m| (m.pieces, m.pn2)).collect()),
    ] {
        let (verdict, evidence) = falling(&found, 1);
        report.relation(
            format!("{search} takes fewer nodes with the largest tables than with the smallest"),
            verdict,
            evidence,
        );
    }
    // Fewer nodes than the thesis took with the smaller tables would decide nothing.
    if let Some(pieces) = table.leap.filter(|_| scale == Scale::Full) {
        let both = all
            .iter()
            .filter(|m| [pieces - 1, pieces].contains(&m.pieces));
        let both: Vec<_> = both.map(|m| (m.pieces, m.pn2)).collect();
        let (verdict, evidence) = falling(&both, 100);
        report.relation(
            format!(
                "PN2 takes less than a hundredth of the nodes with {pieces} pieces instead of {}",
                pieces - 1
            ),
            verdict,
            evidence,
        );
    }
    total_time(table, &all, &mut report);
    Ok(report)
}

/// Whether the last search takes less than a fraction of the nodes of the first one. One that gave
/// up would have taken more nodes than it did.
fn falling(found: &[(usize, Found)], fraction: u64) -> (Verdict, String) {
    let ([(few, first), ..], [.., (many, last)]) = (found, found) else {
        return (Verdict::Undecided, "nothing was measured".to_string());
    };
    let more = |found: &Found| {
        if found.winner.is_none() {
            "more than "
        } else {
            ""
        }
    };
    let fewer = last.nodes.saturating_mul(fraction) < first.nodes;
    let verdict = match (first.winner, last.winner) {
        (_, Some(_)) if fewer => Verdict::Held,
        (Some(_), _) if !fewer => Verdict::Failed,
        _ => Verdict::Undecided,
    };
    let evidence = format!(
        "{}{} with {few} pieces, {}{} with {many}",
        more(first),
        first.nodes,
        more(last),
        last.nodes
    );
    (verdict, evidence)
}

/// Figure 4.9, as far as the searches came to an end.
fn total_time(table: &Tradeoff, all: &[Measurement], report: &mut ExperimentReport) {
    let building = all.iter().map(|m| (m.pieces as f64, m.building));
    let mut series = vec![Series::new("tables", building)];
    type Taken = fn(&Measurement) -> Found;
    let searches: [(&str, Taken); 2] = [("df-pn", |m| m.dfpn), ("PN2", |m| m.pn2)];
    for (search, found) in searches {
        let decided = || all.iter().filter(|&m| found(m).winner.is_some());
        let total = |m: &Measurement| m.building + found(m).seconds;
        let least = all.iter().min_by(|a, b| total(a).total_cmp(&total(b)));
        // One that gave up would have taken longer than it did, nobody knows by how much.
        let least = least.filter(|least| found(least).winner.is_some());
        report.rows.extend(least.map(|least| {
            Row::compared(
                format!("pieces with which tables and {search} take the least time"),
                Some(Figure::Count(table.best as u64)),
                Figure::Count(least.pieces as u64),
            )
        }));
        let seconds = decided().map(|m| (m.pieces as f64, found(m).seconds));
        series.push(Series::new(search, seconds));
    }
    report.curves.push(Curve {
        name: format!(
            "Time for {} by the size of the tables",
            size_text(table.size)
        ),
        x: "pieces".to_string(),
        y: "seconds".to_string(),
        logarithmic: true,
        series,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_gave_up_counts_as_a_bound() {
        let found = |winner, nodes| Found {
            winner,
            nodes,
            seconds: 0.0,
        };
        let (white, open) = (Some(Winner::White), None);
        let verdict = |first, last| falling(&[(0, first), (2, last)], 1).0;
        assert_eq!(verdict(found(white, 9), found(white, 8)), Verdict::Held);
        assert_eq!(verdict(found(open, 9), found(white, 8)), Verdict::Held);
        assert_eq!(verdict(found(white, 9), found(white, 9)), Verdict::Failed);
        assert_eq!(verdict(found(white, 8), found(open, 9)), Verdict::Failed);
        assert_eq!(verdict(found(open, 8), found(white, 9)), Verdict::Undecided);
        assert_eq!(verdict(found(white, 9), found(open, 8)), Verdict::Undecided);
        assert_eq!(verdict(found(open, 9), found(open, 9)), Verdict::Undecided);
        let leap = |first, last| falling(&[(3, first), (4, last)], 100).0;
        assert_eq!(leap(found(open, 801), found(white, 8)), Verdict::Held);
        assert_eq!(leap(found(open, 800), found(white, 8)), Verdict::Undecided);
        assert_eq!(leap(found(white, 800), found(white, 8)), Verdict::Failed);
    }
}
