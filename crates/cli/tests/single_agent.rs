//! Games for one player: `tabia solve`, its records, and `tabia verify` of them.

use crate::support::{json as json_of, refusal, run, text};
use serde_json::{Value, json};

/// Two colours on two columns: each pair is worth nothing, an empty board a thousand.
const PAIRS: &str = "samegame:2x2,colours=2";
/// Sixteen cards of Gaps.
const GAPS: &str = "gaps:ranks=4,suits=4";

#[test]
fn the_best_line_of_a_small_board_is_proved() {
    let mut told = json_of(&["solve", PAIRS, "--position", "01/01"]);
    let fields = told.as_object_mut().unwrap();
    assert!(fields.remove("seconds").unwrap().as_f64().unwrap() >= 0.0);
    assert!(fields.remove("nodes").unwrap().as_u64().unwrap() > 0);
    let engine = fields.remove("engine").unwrap();
    assert!(engine.as_str().unwrap().starts_with("auto:"), "{engine}");
    let line = fields.remove("line").unwrap();
    assert_eq!(line.as_array().unwrap().len(), 2);
    assert_eq!(
        told,
        json!({
            "game": "samegame:2x2,colours=2,score=standard,bonus=1000,penalty=on,seed=0",
            "position": "01/01",
            "value": 1000,
            "proved": true,
            "most": 1000,
            "finished": true,
            "stats": {},
            "solution": null,
        })
    );
}

/// By hand: the five blocks of colour 1 are one group at once, (5-2)^2 = 9, and then the four of
/// colour 0 hang together, (4-2)^2 = 4; the board is empty, 1000. Taking colour 0 apart brings
/// less.
#[test]
fn every_search_agrees_on_a_board_done_by_hand() {
    let board = "011/001/011";
    for engine in [
        "auto", "bnb", "astar", "idastar", "nrpa", "spmcts", "nmcs", "beam",
    ] {
        let run = run(&[
            "solve",
            "samegame:3x3,colours=2",
            "--position",
            board,
            "--engine",
            engine,
            "--nodes",
            "5000",
            "--json",
        ]);
        let told: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(told["value"], 1013, "{engine}");
        // The status says whether that is proved.
        assert_eq!(
            run.status == 0,
            told["proved"] == true,
            "{engine}: {}",
            run.err
        );
    }
}

/// A line that is not proved to be the best is told, with status 1.
#[test]
fn the_status_says_whether_it_is_proved() {
    let short = [
        "solve",
        "samegame:8x8,colours=4",
        "--engine",
        "nrpa",
        "--nodes",
        "20",
    ];
    let found = run(&[&short[..], &["--json"]].concat());
    let told: Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!((found.status, &told["proved"]), (1, &json!(false)));
    assert!(found.err.contains("not proved"), "{}", found.err);
}

/// The positions of a small deal of Gaps are counted once each as long as the table has room, and
/// a table of few entries says how often it forgot one.
#[test]
fn a_table_that_forgets_says_so() {
    let solve = |table: &str| {
        let engine = format!("dfsit:table={table},threads=1");
        json_of(&["solve", GAPS, "--engine", &engine])
    };
    let whole = solve("1048576");
    assert_eq!(whole["stats"]["forgotten"], 0);
    let positions = whole["stats"]["positions"].as_u64().unwrap();
    let few = solve("64");
    assert!(few["stats"]["forgotten"].as_u64().unwrap() > 0);
    assert!(few["stats"]["positions"].as_u64().unwrap() > positions);
    assert_eq!(few["value"], whole["value"]);
    let shown = text(&["solve", GAPS, "--engine", "dfsit:table=64,threads=1"]);
    assert!(shown.contains("of which the table forgot"), "{shown}");
}

#[test]
fn records_are_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.txt");
    let path = path.to_str().unwrap();
    let told = json_of(&["solve", "samegame:4x4,colours=3", "--solution", path]);
    let value = told["value"].as_i64().unwrap();
    let checked = json_of(&["verify", path]);
    assert_eq!(checked["kind"], "record");
    assert_eq!(checked["payoffs"], json!([value]));
    assert_eq!(checked["valid"], true);
    assert!(text(&["verify", path]).contains(&format!("{value} points")));

    let record = std::fs::read_to_string(path).unwrap();
    let wrong = record.replace(&format!("{value} points"), "99999 points");
    std::fs::write(path, wrong).unwrap();
    let refused = run(&["verify", path]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("'99999 points'"), "{}", refused.err);

    let moves = record
        .lines()
        .find(|line| line.starts_with("moves:"))
        .unwrap();
    let first = moves.split_whitespace().nth(1).unwrap();
    std::fs::write(path, record.replace(moves, &format!("moves: {first} zz"))).unwrap();
    let refused = run(&["verify", path]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("move 2"), "{}", refused.err);
}

#[test]
fn files_of_boards_are_solved_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards.txt");
    std::fs::write(&boards, "0 1\n0 1\n\n0 0\n0 0\n\n0 1\n1 0\n").unwrap();
    let solutions = folder.path().join("solutions");
    let told = json_of(&[
        "solve",
        PAIRS,
        "--boards",
        boards.to_str().unwrap(),
        "--solution",
        solutions.to_str().unwrap(),
    ]);
    let values: Vec<&Value> = told["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["value"])
        .collect();
    // Four blocks of a colour at once; and nothing to take, where two blocks of each colour cost
    // nothing.
    assert_eq!(values, [1000, 1004, 0]);
    assert_eq!(told["total"], 2004);
    for number in 1..=3 {
        let file = solutions.join(format!("{number}.txt"));
        assert_eq!(json_of(&["verify", file.to_str().unwrap()])["valid"], true);
    }
}

/// Eight tiles, two moves from the goal: optimal solutions have an even number of moves, and one is
/// not enough.
#[test]
fn shortest_ways_are_found() {
    for engine in ["bnb", "astar", "idastar"] {
        let position = "1 2 3 / 4 5 6 / 0 7 8";
        let told = json_of(&[
            "solve",
            "sliding:3x3",
            "--position",
            position,
            "--engine",
            engine,
        ]);
        assert_eq!(
            (&told["value"], &told["proved"]),
            (&json!(-2), &json!(true)),
            "{engine}"
        );
    }
}

#[test]
fn engines_play_puzzles() {
    let told = json_of(&["best", PAIRS, "--position", "00/00", "--engine", "bnb"]);
    assert_eq!(
        (&told["move"], &told["solved"]),
        (&json!("a1"), &json!(true))
    );
    let told = text(&["play", PAIRS, "--position", "01/01", "--seat", "1=bnb"]);
    assert!(told.ends_with("1000 points\n"), "{told}");
}

#[test]
fn what_means_nothing_is_refused() {
    let cases: [(&[&str], &str); 6] = [
        (
            &["solve", PAIRS, "--goal", "win"],
            "--goal is for games of two players",
        ),
        (
            &["solve", PAIRS, "--engine", "nrqa"],
            "did you mean 'nrpa'?",
        ),
        (&["solve", PAIRS, "--engine", "nrpa:level=99"], "level"),
        (
            &["solve", "tictactoe", "--engine", "mcts"],
            "--engine is for games of one player",
        ),
        (&["solve", PAIRS, "--boards", "/nowhere"], "cannot be read"),
        (&["solve", PAIRS, "--position", "01/0."], "empty cell"),
    ];
    for (args, reason) in cases {
        let refused = refusal(args);
        assert!(refused.contains(reason), "{args:?}: {refused}");
    }
}

/// A game of two moves in the format of Pentasol, there and back.
#[test]
fn pentasol_records_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (begun, ended) = (path("begun.psol"), path("ended.psol"));
    std::fs::write(&begun, "(28,28)\n(28,29) | -2\n(28,30) | +1\n").unwrap();
    // The line is written, and the status tells that nobody has proved it to be the best.
    let ran = run(&[
        "solve",
        "--record",
        &begun,
        "--engine",
        "nmcs:level=1",
        "--nodes",
        "50",
        "--solution",
        &ended,
        "--json",
    ]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    let value = told["value"].as_u64().unwrap();
    // No game is shorter than 20 moves.
    assert!(value >= 20, "{value}");
    assert_eq!(told["line"].as_array().unwrap().len() as u64, value - 2);
    let written = std::fs::read_to_string(&ended).unwrap();
    assert_eq!(written.lines().count() as u64, value + 1);
    let checked = json_of(&["verify", &ended]);
    assert_eq!(
        (&checked["valid"], &checked["payoffs"]),
        (&json!(true), &json!([value]))
    );
    std::fs::write(&begun, "(28,28)\n(28,30) | +1\n").unwrap();
    assert!(refusal(&["show", "--record", &begun]).contains("line 2"));
}
