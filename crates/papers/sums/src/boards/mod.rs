//! Boards of Domineering, Clobber and NoGo solved by search of sums: who wins, how many nodes and
//! how long it takes.
//!
//! Every board is asked for each player that may move first, but for one where exchanging the
//! players is a symmetry of the board. Published outcomes: square boards of Domineering by Breuker,
//! Uiterwijk and van den Herik (2000); rows of pairs of Clobber by Albert, Grossman, Nowakowski and
//! Wolfe (2005), who conjecture that the first player wins all but three pairs; boards of NoGo by
//! She (2013), Cazenave (2021) and Du, Wei and Müller (2023).

use std::time::{Duration, Instant};

use tabia_cgt::sums::{Config, Solver, Sum, Unsolved};
use tabia_combinatorial::mixed::{GameKind, Mixed, Position};
use tabia_game::{Combinatorial, Limits, Player};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting};

const PAPER: &str = "boards";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "domineering",
        title: "Who wins boards of Domineering",
        source: "Breuker, Uiterwijk and van den Herik (2000), table 3, and beyond",
        takes: ["a few seconds", "half an hour"],
        plan: |setting| plan(&DOMINEERING, setting),
    },
    Experiment {
        paper: PAPER,
        name: "clobber-rows",
        title: "Who wins chequered rows of Clobber",
        source: "Albert, Grossman, Nowakowski and Wolfe (2005), section 4, and beyond",
        takes: ["a few seconds", "half an hour"],
        plan: |setting| plan(&ROWS, setting),
    },
    Experiment {
        paper: PAPER,
        name: "clobber",
        title: "Who wins chequered boards of Clobber",
        source: "no printed source",
        takes: ["a few seconds", "an hour"],
        plan: |setting| plan(&CLOBBER, setting),
    },
    Experiment {
        paper: PAPER,
        name: "nogo",
        title: "Who wins empty boards of NoGo",
        source: "Du, Wei and Müller (2023)",
        takes: ["ten seconds", "half an hour"],
        plan: |setting| plan(&NOGO, setting),
    },
];

/// Rows, columns, and whether the first player wins if that is published.
type Board = (usize, usize, Option<bool>);

/// Boards of one game, the easier first.
struct Boards {
    game: &'static str,
    /// Chequered with stones, or empty.
    chequered: bool,
    quick: &'static [Board],
    full: &'static [Board],
}

const DOMINEERING: Boards = Boards {
    game: "domineering",
    chequered: false,
    quick: &[
        (4, 4, Some(true)),
        (5, 5, Some(false)),
        (5, 6, None),
        (6, 6, Some(true)),
        (6, 7, None),
    ],
    full: &[
        (7, 7, Some(true)),
        (6, 8, None),
        (7, 8, None),
        (8, 8, Some(true)),
    ],
};

const ROWS: Boards = Boards {
    game: "clobber",
    chequered: true,
    quick: &[
        (1, 6, Some(false)),
        (1, 10, Some(true)),
        (1, 20, Some(true)),
        (1, 30, Some(true)),
        (1, 31, None),
        (1, 40, Some(true)),
    ],
    full: &[
        (1, 50, Some(true)),
        (1, 51, None),
        (1, 60, Some(true)),
        (1, 70, Some(true)),
        (1, 80, Some(true)),
        (1, 100, Some(true)),
    ],
};

const CLOBBER: Boards = Boards {
    game: "clobber",
    chequered: true,
    quick: &[(3, 5, None), (4, 4, None), (4, 5, None)],
    full: &[(4, 6, None), (5, 5, None), (5, 6, None), (6, 6, None)],
};

const NOGO: Boards = Boards {
    game: "nogo",
    chequered: false,
    quick: &[
        (3, 3, Some(true)),
        (3, 4, None),
        (3, 5, None),
        (4, 4, Some(false)),
    ],
    full: &[(4, 5, None), (5, 5, Some(true))],
};

/// A search: the board and who moves first.
#[derive(Clone)]
struct Case {
    name: String,
    board: Position,
    first: Player,
    printed: Option<bool>,
}

fn cases(boards: &Boards, scale: Scale) -> Result<Vec<Case>, LabError> {
    let wrong = |error: tabia_game::TextError| LabError::BadRequest(error.to_string());
    let rules = Mixed::new(GameKind::named(boards.game).map_err(wrong)?, false);
    let more = scale.pick([&[][..], boards.full]);
    let mut cases = Vec::new();
    for &(rows, columns, printed) in boards.quick.iter().chain(more) {
        let cell = |x: usize, y: usize| match boards.chequered {
            true => ['X', 'O'][(x + y) % 2],
            false => '.',
        };
        let row = |y| (0..columns).map(|x| cell(x, y)).collect::<String>();
        let text = (0..rows).map(row).collect::<Vec<String>>().join("|");
        let board = rules.parse_position(&text).map_err(wrong)?;
        let mut parts = Vec::new();
        rules.split(&board, &mut parts);
        let symmetric = parts.iter().all(|part| rules.negative(part) == *part);
        let firsts = [Player::FIRST, Player::SECOND];
        for &first in &firsts[..if symmetric { 1 } else { 2 }] {
            cases.push(Case {
                name: match symmetric {
                    true => format!("{rows}x{columns}"),
                    false => format!("{rows}x{columns}, {} first", rules.player_name(first)),
                },
                board: board.clone(),
                first,
                printed,
            });
        }
    }
    Ok(cases)
}

/// The figures of a search that did not come to its end.
const UNSOLVED: f64 = -1.0;

fn plan(boards: &Boards, setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let cases = cases(boards, scale)?;
    let time = Duration::from_secs(scale.pick([20, 900]));
    let config = Config {
        memory: scale.pick([256 << 20, 2 << 30]),
        ..Config::default()
    };
    let cell = |case: &Case| {
        let case = case.clone();
        ExperimentCell::once(case.name.clone(), move |cancel| {
            let limits = Limits {
                time: Some(time),
                cancel: cancel.clone(),
                ..Limits::default()
            };
            let mut solver = Solver::new(Mixed::new(GameKind::Nim, false), config);
            let sum = Sum {
                positions: std::slice::from_ref(&case.board),
                values: &[],
            };
            let started = Instant::now();
            let wins = match solver.wins(sum, case.first, &limits) {
                Ok(won) => f64::from(u8::from(won.wins)),
                Err(Unsolved::Stopped(_)) if cancel.is_cancelled() => {
                    return Err(LabError::Stopped);
                }
                // Whatever the search ran out of, the board is not solved.
                Err(_) => UNSOLVED,
            };
            let seconds = started.elapsed().as_secs_f64();
            Ok(vec![wins, solver.spent() as f64, seconds])
        })
    };
    Ok(ExperimentPlan {
        cells: cases.iter().map(cell).collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for case in &cases {
                let figure = |column| -> Result<f64, LabError> {
                    let figures = measured.column(&case.name, column)?;
                    Ok(figures.first().copied().unwrap_or(UNSOLVED))
                };
                let (wins, nodes, seconds) = (figure(0)?, figure(1)?, figure(2)?);
                let told = match wins {
                    1.0 => "the first to move wins",
                    0.0 => "the second to move wins",
                    _ => "not solved",
                };
                if let Some(printed) = case.printed
                    && wins != UNSOLVED
                {
                    let name = format!("{}: the first to move wins", case.name);
                    let row = Row::exact(name, u64::from(printed), wins as u64);
                    report.rows.push(row);
                }
                let count = Figure::Count(nodes as u64);
                let name = format!("{}, {told}: nodes", case.name);
                report.rows.push(Row::compared(name, None, count));
                let name = format!("{}: seconds", case.name);
                report
                    .rows
                    .push(Row::compared(name, None, Figure::Number(seconds)));
            }
            report.conditions = vec![
                format!(
                    "each search on one thread, at most {} seconds, two of them side by side",
                    time.as_secs()
                ),
                "a node is a sum whose moves are looked at, each time that they are".to_string(),
            ];
            Ok(report)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every board of the lists can be read, and a board that is its own negative is asked once.
    #[test]
    fn boards_are_asked_once_or_twice() {
        let count = |boards: &Boards| cases(boards, Scale::Full).map(|cases| cases.len());
        // 5x6, 6x7, 6x8 and 7x8 are not their own negatives.
        assert_eq!(count(&DOMINEERING).unwrap(), 9 + 4);
        // Rows of an odd number of stones are not.
        assert_eq!(count(&ROWS).unwrap(), 12 + 2);
        assert_eq!(count(&CLOBBER).unwrap(), 7 + 2);
        assert_eq!(count(&NOGO).unwrap(), 6);
    }
}
