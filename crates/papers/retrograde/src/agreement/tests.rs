//! All ways agree on small samples, and a value that is wrong is noticed.
//!
//! Sizes and lengths of wins are counted here by plain rules of Fanorona; the values of the boards
//! are those of Schadd (2011, table 4.4), the classes of Dao those of Donkers et al. (2004).

#[path = "../../../../families/fanorona/tests/support/plain_fanorona.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod plain_fanorona;

use std::collections::HashMap;

use tabia_fanorona::fanorona::State;
use tabia_game::{Cancel, Game};
use tabia_tables::retrograde::{Solved, solve_all};
use tabia_tables::{Kept, TableError, TableValue};

use plain_fanorona::PlainFanorona;

use super::methods::Subject;
use super::*;
use tabia_lab::experiment::{Bench, run};

type Board = Fanorona<u64>;

fn fanorona(rows: usize, columns: usize) -> Board {
    Fanorona::new(rows, columns).unwrap()
}

fn report(plan: fn(&Setting) -> Result<ExperimentPlan, LabError>) -> ExperimentReport {
    let experiment = Experiment {
        plan,
        ..EXPERIMENTS[0]
    };
    let setting = Setting {
        scale: Scale::Quick,
        seed: 1,
    };
    let bench = Bench {
        threads: 2,
        cancel: &Cancel::default(),
        progress: &|_, _| {},
        store: None,
    };
    run(&experiment, &setting, bench).unwrap()
}

fn assert_all_agree(report: &ExperimentReport) {
    assert!(report.holds(), "{report:?}");
    assert_eq!(report.relations.len(), ComparedMethod::ALL.len());
    for relation in &report.relations {
        assert_eq!(relation.verdict, Verdict::Held, "{relation:?}");
        let compared = relation.evidence.split_once(' ').unwrap().0;
        assert!(compared.parse::<u64>().unwrap() > 100, "{relation:?}");
    }
}

#[test]
fn dao_has_113_028_classes_and_all_ways_agree_on_one_in_a_thousand() {
    let report = report(|setting| on_dao(Sample::of(setting, 1_009)));
    assert_all_agree(&report);
    assert_eq!(report.rows[0].measured, Figure::Count(113_028));
}

#[test]
fn schadd_table_4_4_board_3x3_white_wins_in_11_and_all_ways_agree_on_623_positions() {
    let report = report(|setting| on_board((3, 3), &SQUARE, Sample::of(setting, 1)));
    assert_all_agree(&report);
    assert_eq!(report.rows[0].measured, Figure::Count(623));
    assert_eq!(report.rows[4].measured, Figure::Count(11));
}

/// By plain rules: how many positions with pieces of both sides can arise, colours exchanged being
/// one, and after how many plies White has won from the start, with White playing for the shortest
/// way and Black for the longest.
fn plain(rows: usize, columns: usize) -> Printed {
    let game = fanorona(rows, columns);
    let start = PlainFanorona::read(&game.position_text(&game.start())).as_mover();
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut boards = vec![start];
    let mut children: Vec<Vec<usize>> = Vec::new();
    while let Some(board) = boards.get(children.len()).cloned() {
        let after = PlainFanorona::read(&board).after();
        let after = after.iter().map(|next| {
            let board = next.as_mover();
            *numbers.entry(board).or_insert_with_key(|board| {
                boards.push(board.clone());
                boards.len() - 1
            })
        });
        children.push(after.collect());
    }
    // Round by round: who is to move has lost if all moves lead to wins, and has won if one leads
    // to a loss.
    let mut lost: Vec<Option<bool>> = children.iter().map(|_| None).collect();
    let mut plies = 0;
    while lost[0].is_none() {
        let decided = |moves: &Vec<usize>| {
            if moves.iter().any(|&child| lost[child] == Some(true)) {
                Some(false)
            } else if moves.iter().all(|&child| lost[child] == Some(false)) {
                Some(true)
            } else {
                None
            }
        };
        lost = children.iter().map(decided).collect();
        plies += 1;
    }
    assert_eq!(lost[0], Some(false), "the first player wins");
    let both = |board: &&String| board.contains('w') && board.contains('b');
    // A finished game is known after the first round, and no ply was played in it.
    board(boards.iter().filter(both).count() as u64, plies - 1)
}

#[test]
fn sizes_and_lengths_are_those_of_plain_rules() {
    for (rows, columns, printed) in [(3, 3, SQUARE), (3, 5, WIDE), (5, 3, HIGH)] {
        let counted = plain(rows, columns);
        let figures = |printed: &Printed| (printed.places, printed.plies);
        assert_eq!(figures(&counted), figures(&printed), "{rows}x{columns}");
    }
}

/// One value, whatever the position.
struct Only(TableValue);

impl KnownValues<Board> for Only {
    fn known(&self, _: &Board, _: &State<u64>) -> Result<Option<TableValue>, TableError> {
        Ok(Some(self.0))
    }
}

/// The larger boards without their tables, which take longer than everything else.
fn check_board(game: Board, printed: &Printed) {
    let subject = Subject {
        positions: reachable(&game),
        values: Only(TableValue::win(printed.plies as u16)),
        game,
    };
    assert_eq!(subject.census().unwrap().places, printed.places);
    for method in ComparedMethod::ALL {
        let tally = subject.compare(method, 0..1, &Cancel::default()).unwrap();
        assert_eq!((tally.agree, tally.disagree), (1, 0), "{method:?}");
    }
}

#[test]
fn schadd_table_4_4_board_3x5_white_wins_in_11_and_316_193_positions_can_arise() {
    check_board(fanorona(3, 5), &board(316_193, 11));
}

#[test]
fn schadd_table_4_4_board_5x3_white_wins_in_13_and_133_731_positions_can_arise() {
    check_board(fanorona(5, 3), &board(133_731, 13));
}

#[test]
fn all_ways_agree_on_endings_of_the_larger_boards() {
    const PIECES: usize = 5;
    for game in [fanorona(3, 5), fanorona(5, 3)] {
        let cancel = Cancel::default();
        let mut slices = game.slices();
        slices.retain(|&slice| game.slice_size(slice) as usize <= PIECES);
        let values = solve_all(&game, &slices, Kept::Distance, 1 << 30, &cancel, &|_| {});
        let mut positions = reachable(&game);
        positions.retain(|state| state.count() <= PIECES);
        let subject = Subject {
            positions,
            values: values.unwrap(),
            game,
        };
        let count = subject.positions.len();
        for method in ComparedMethod::ALL {
            let numbers = (0..count).step_by(211);
            let tally = subject.compare(method, numbers, &cancel).unwrap();
            assert_eq!((tally.disagree, tally.undecided), (0, 0), "{method:?}");
            assert!(tally.agree > 0);
        }
    }
}

/// Black wins in 17 plies by retrograde analysis and by a search without a table. A table may hide
/// that win behind draws by repetition.
#[test]
fn a_win_that_the_table_of_alpha_beta_may_hide_is_found() {
    let game = fanorona(5, 3);
    let compare = |plies| {
        let subject = Subject {
            positions: vec![game.parse_position("b1b/3/1b1/1ww/w1w b").unwrap()],
            values: Only(TableValue::win(plies)),
            game: game.clone(),
        };
        let tally = subject.compare(ComparedMethod::AlphaBeta, 0..1, &Cancel::default());
        tally.map(|tally| (tally.agree, tally.disagree)).unwrap()
    };
    assert_eq!(compare(17), (1, 0));
    assert_eq!(compare(15), (0, 1), "there is none as short as that");
}

/// Right values but for the start.
struct Planted {
    solved: Solved<Board>,
    at_start: fn(TableValue) -> TableValue,
}

impl KnownValues<Board> for Planted {
    fn known(&self, game: &Board, state: &State<u64>) -> Result<Option<TableValue>, TableError> {
        let value = self.solved.value(game, state);
        let is_start = *state == game.start();
        Ok(if is_start {
            value.map(self.at_start)
        } else {
            value
        })
    }
}

fn planted(game: &Board, at_start: fn(TableValue) -> TableValue) -> Result<Planted, LabError> {
    let solved = solve(game, &Cancel::default())?;
    Ok(Planted { solved, at_start })
}

/// No move leads back to the start, so that a wrong value there makes nothing else wrong.
#[test]
fn a_wrong_value_is_noticed_by_every_method_in_one_position() {
    let report = report(|_| {
        let source = Source {
            game: fanorona(3, 3),
            list: reachable,
            solve: |game, _| {
                planted(game, |value| TableValue {
                    wdl: value.wdl.flipped(),
                    ..value
                })
            },
        };
        Ok(plan(source, &SQUARE, Sample { first: 0, step: 1 }))
    });
    assert!(!report.holds());
    let wrong: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.matches == Some(false))
        .collect();
    assert_eq!(wrong.len(), ComparedMethod::ALL.len());
    assert!(wrong.iter().all(|row| row.measured == Figure::Count(1)));
    let game = fanorona(3, 3);
    let start = game.position_text(&game.start());
    for relation in &report.relations {
        assert_eq!(relation.verdict, Verdict::Failed);
        assert!(
            relation.evidence.ends_with(&format!("first {start}")),
            "{relation:?}"
        );
    }
}

#[test]
fn a_wrong_length_is_noticed_by_alpha_beta_alone() {
    let game = fanorona(3, 3);
    let longer = |value: TableValue| TableValue {
        plies: value.plies.map(|plies| plies + 2),
        ..value
    };
    let subject = Subject {
        positions: reachable(&game),
        values: planted(&game, longer).unwrap(),
        game,
    };
    let all = 0..subject.positions.len();
    for method in ComparedMethod::ALL {
        let tally = subject
            .compare(method, all.clone(), &Cancel::default())
            .unwrap();
        let expected = if method == ComparedMethod::AlphaBeta {
            vec![0]
        } else {
            vec![]
        };
        assert_eq!(tally.first, expected, "{method:?}");
        assert_eq!(tally.disagree, expected.len() as u64);
    }
}

#[test]
fn chunks_are_the_sample_in_parts() {
    for (first, step, length) in [(0, 1, 10), (3, 4, 21), (2, 7, 2), (0, 5, 0)] {
        let sample = Sample { first, step };
        let parts = (0..4).flat_map(|item| sample.chunk(length, item, 4));
        let whole: Vec<usize> = (0..length).skip(first).step_by(step).collect();
        assert_eq!(parts.collect::<Vec<_>>(), whole);
    }
}

#[test]
fn a_comparison_can_be_stopped() {
    let game = fanorona(3, 3);
    let cancel = Cancel::default();
    let subject = Subject {
        positions: reachable(&game),
        values: solve(&game, &cancel).unwrap(),
        game,
    };
    cancel.cancel();
    for method in ComparedMethod::ALL {
        let stopped = subject.compare(method, 0..10, &cancel);
        assert!(matches!(stopped, Err(LabError::Stopped)), "{method:?}");
    }
}
