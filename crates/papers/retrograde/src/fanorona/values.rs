//! Table 4.4: the values of boards of different sizes.

use super::solver::{Budget, Endings, Found, Winner, on_one_thread, solve};
use super::{Size, board, size_text};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Scale, Setting};

/// A row of table 4.4.
struct Printed {
    size: Size,
    winner: Winner,
    /// The most pieces of the tables used.
    pieces: usize,
    nodes: u64,
}

const fn printed(size: Size, winner: Winner, pieces: usize, nodes: u64) -> Printed {
    Printed {
        size,
        winner,
        pieces,
        nodes,
    }
}

const TABLE_4_4: [Printed; 10] = [
    printed((3, 3), Winner::White, 0, 122),
    printed((3, 5), Winner::White, 0, 2_490),
    printed((5, 3), Winner::White, 0, 1_491),
    printed((3, 7), Winner::White, 0, 87_210),
    printed((7, 3), Winner::White, 0, 172_101),
    printed((5, 5), Winner::Nobody, 9, 119_354),
    printed((3, 9), Winner::White, 8, 105_343),
    printed((9, 3), Winner::White, 8, 3_999_481),
    printed((7, 5), Winner::White, 7, 1_107_756),
    printed((5, 7), Winner::Black, 7, 72_826_963),
];

const SEARCHES: [&str; 2] = ["df-pn", "PN2"];

pub fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (boards, budget) = match setting.scale {
        Scale::Quick => (
            &TABLE_4_4[..5],
            Budget {
                dfpn: 10_000_000,
                memory: 256 << 20,
                pn2: 10_000_000,
            },
        ),
        Scale::Full => (
            &TABLE_4_4[..],
            Budget {
                dfpn: 4_000_000_000,
                memory: 2 << 30,
                pn2: 4_000_000_000,
            },
        ),
    };
    let cell = |printed: &Printed| {
        let (game, pieces) = (board(printed.size)?, printed.pieces);
        Ok(ExperimentCell::once(
            size_text(printed.size),
            move |cancel| {
                on_one_thread(|| {
                    let endings = Endings::build(&game, pieces, cancel)?;
                    let found = solve(&game, &endings, budget, cancel);
                    Ok(found.map(|found| found.figures()).concat())
                })
            },
        ))
    };
    Ok(ExperimentPlan {
        cells: boards.iter().map(cell).collect::<Result<_, LabError>>()?,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let mut undecided = 0;
            for printed in boards {
                let name = size_text(printed.size);
                for (number, search) in SEARCHES.iter().enumerate() {
                    let found = Found::read(measured, &name, number * Found::FIGURES)?;
                    let mut nodes = format!("{name}, {search}: nodes");
                    match found.winner {
                        Some(winner) => report.rows.push(Row::exact(
                            format!("{name}, {search}: {}", printed.winner.words()),
                            1,
                            u64::from(winner == printed.winner),
                        )),
                        None => {
                            nodes += ", undecided";
                            undecided += 1;
                        }
                    }
                    let row = Row::compared(
                        nodes,
                        Some(Figure::Count(printed.nodes)),
                        Figure::Count(found.nodes),
                    );
                    report.rows.push(row);
                }
            }
            // The larger boards may take more nodes than are given, the small ones may not.
            if boards.len() < TABLE_4_4.len() {
                report
                    .rows
                    .push(Row::exact("boards undecided", 0, undecided));
            }
            report.conditions = vec![
                "nodes: ours by depth-first proof-number search with a transposition table, and by \
                 PN2 without one as in the thesis".to_string(),
                "an attack of White is looked into first, and if it fails one of Black; the thesis \
                 does not tell which goals its nodes belong to".to_string(),
                "tables of as many pieces as in the thesis, in memory".to_string(),
            ];
            if boards.len() < TABLE_4_4.len() {
                report.conditions.push(
                    "only boards that take no tables; --scale full has the others".to_string(),
                );
            }
            report.conditions.push(
                "the board of 5x9, printed with 130,820,097,938 nodes, is left out".to_string(),
            );
            Ok(report)
        }),
    })
}
