//! Every command, for people and as JSON.

use std::process::Stdio;

use crate::support::{command, json, refusal, run, text};
use serde_json::{Value, json};

#[test]
fn games_has_a_line_for_every_game_and_tells_all_of_one_within_80_columns() {
    let list = json(&["games"]);
    let table = text(&["games"]);
    for game in list.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let own = |line: &&str| line.split(' ').next() == Some(name);
        let lines: Vec<&str> = table.lines().filter(own).collect();
        assert_eq!(lines.len(), 1, "{name}");
        let summary = game["summary"].as_str().unwrap();
        assert!(lines[0].ends_with(summary), "{}", lines[0]);
        let details = text(&["games", name]);
        let rules = game["rules"].as_str().unwrap();
        let told = details.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(rules), "{details}");
        assert!(!details.contains("9223372036854775807"), "{details}");
        assert!(!details.contains("but \n"), "{details}");
        let position = game["position_example"].as_str().unwrap();
        assert!(
            told.contains(&format!("a position: {position}")),
            "{details}"
        );
        let shown = json(&["show", name, "--position", position]);
        assert_eq!(shown["position"], position, "{name}");
        assert!(details.contains(game["title"].as_str().unwrap()));
        for engine in game["engines"].as_array().unwrap() {
            assert!(details.contains(engine.as_str().unwrap()));
        }
        // A long position has no place to break it.
        for line in details.lines().filter(|line| line.trim().contains(' ')) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for key in [
            "players",
            "chance",
            "hidden",
            "symmetries",
            "options",
            "examples",
        ] {
            assert!(!game[key].is_null(), "{name}: {key}");
        }
    }
    assert_eq!(table.lines().count(), 1 + list.as_array().unwrap().len());
}

#[test]
fn games_tells_the_options_of_one_game() {
    let list = json(&["games", "mnk:5,4,4"]);
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(
        list[0]["options"][2],
        json!({"key": "k", "kind": "1..192", "default": "3", "help": "number in a row that wins"})
    );
    assert_eq!(list[0]["symmetries"], 4, "a rectangle");
}

#[test]
fn show_draws_the_board() {
    assert_eq!(
        text(&["show", "tictactoe", "--moves", "b2 a1"]),
        " 3  ·  ·  ·\n 2  ·  X  ·\n 1 [O] ·  ·\n    a  b  c\n\n3/1x1/o2 x\nX to move\n"
    );
    let shown = json(&["show", "tictactoe", "--position", "xxx/oo./... o"]);
    assert_eq!(shown["turn"], "over");
    assert_eq!(shown["result"], "X has won");
    assert_eq!(shown["payoffs"], json!([1, -1]));
    let key = shown["key"].as_str().unwrap();
    assert!(key.len() == 16 && u64::from_str_radix(key, 16).is_ok());
}

#[test]
fn show_writes_svg() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    let board = text(&["show", "loa", "--svg", file.to_str().unwrap()]);
    assert!(board.contains("Black to move"));
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("<svg") && written.ends_with("</svg>\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(text(&["show", "loa", "--svg", "-"]), written);
}

#[test]
fn moves_lists_legal_moves() {
    let listed = json(&["moves", "tictactoe", "--moves", "b2"]);
    assert_eq!(listed["count"], 8);
    assert_eq!(
        listed["moves"],
        json!(["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"])
    );
    assert_eq!(
        text(&["moves", "tictactoe", "--moves", "b2"]),
        "O to move, 8 moves\na3  b3  c3  a2  c2  a1  b1  c1\n"
    );
    let over = ["moves", "tictactoe", "--position", "xxx/oo./... o"];
    assert_eq!(text(&over), "no moves: X has won\n");
    assert_eq!(json(&over)["count"], 0);
}

fn perft(game: &str, depth: &str, threads: &str) -> Value {
    json(&["perft", game, "--depth", depth, "--threads", threads])["counts"].clone()
}

/// The figures of tic-tac-toe follow from 9! and the lines; the others are counted by the plain
/// rules of `loa_reference.rs`, `breakthrough_reference.rs` and `connect4_reference.rs` in the
/// families.
#[test]
fn perft_counts_known_figures() {
    for threads in ["1", "2"] {
        assert_eq!(
            perft("tictactoe", "9", threads),
            json!([9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872])
        );
        assert_eq!(
            perft("loa", "4", threads),
            json!([36, 1244, 44952, 1563208])
        );
        assert_eq!(
            perft("breakthrough", "5", threads),
            json!([22, 484, 11132, 256036, 6182818])
        );
        assert_eq!(
            perft("connect4", "7", threads),
            json!([7, 49, 343, 2401, 16807, 117649, 823536])
        );
    }
}

/// The positions of tic-tac-toe by the number of marks, 5,478 with the empty board as in Schadd
/// (2011, section 2.2).
#[test]
fn perft_counts_distinct_positions() {
    let counted = json(&["perft", "tictactoe", "--depth", "9", "--distinct"]);
    let expected = [9, 72, 252, 756, 1260, 1520, 1140, 390, 78];
    assert_eq!(counted["counts"], json!(expected));
    assert_eq!(expected.iter().sum::<u64>() + 1, 5_478);
    assert_eq!(counted["distinct"], true);
    let table = text(&["perft", "tictactoe", "--depth", "3", "--distinct"]);
    let last: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[..2], ["3", "252"]);
}

/// A position may begin with the sign of an option.
#[test]
fn positions_may_begin_with_a_dash() {
    let position = "-- 2S 3H / -- 2H 3S";
    let shown = json(&["show", "gaps:ranks=3,suits=2", "--position", position]);
    assert_eq!(shown["position"], position);
}

#[test]
fn perft_prints_a_table() {
    let table = text(&["perft", "tictactoe", "--depth", "4"]);
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["depth", "leaves", "time", "leaves/s"]);
    assert_eq!(rows[4][..2], ["4", "3,024"]);
}

#[test]
fn best_solves_tic_tac_toe() {
    for engine in ["pvs", "mtdf", "alphabeta", "minimax"] {
        let best = json(&["best", "tictactoe", "--engine", engine, "--moves", "a1 b1"]);
        // A corner answered on the adjoining edge is a win for the first player.
        assert_eq!(best["solved"], true, "{engine}");
        assert_eq!(
            (&best["value"], &best["outcome"]),
            (&json!(1.0), &json!("win"))
        );
        assert_eq!(best["line"][0], best["move"]);
        assert!(
            best["engine"]
                .as_str()
                .unwrap()
                .starts_with(&format!("{engine}:"))
        );
        assert!(best["nodes"].as_u64().unwrap() > 0 && best["stats"].is_object());
    }
    let best = json(&["best", "tictactoe"]);
    assert_eq!(
        (&best["value"], &best["outcome"]),
        (&json!(0.0), &json!("draw"))
    );
}

#[test]
fn best_tells_people_in_words() {
    let told = text(&["best", "tictactoe", "--position", "xx./oo./... x"]);
    for line in [
        "move      c3",
        "value     win in 1 ply for X",
        "line      c3",
    ] {
        assert!(told.lines().any(|l| l == line), "{told}");
    }
    assert!(text(&["best", "tictactoe"]).contains("value     draw for X\n"));
}

#[test]
fn best_tells_several_lines() {
    let args = ["best", "connect4", "--engine", "pvs", "--depth", "5"];
    let one = json(&args);
    assert!(one.get("lines").is_none());
    let three = json(&[&args[..], &["--lines", "3"]].concat());
    for field in ["move", "line", "value", "depth", "solved"] {
        assert_eq!(three[field], one[field], "{field}");
    }
    let lines = three["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["line"], three["line"]);
    assert_eq!(lines[0]["value"], three["value"]);
    for (rank, line) in (1..).zip(lines) {
        assert_eq!((&line["rank"], &line["depth"]), (&json!(rank), &json!(5)));
        assert!(!line["line"].as_array().unwrap().is_empty());
    }
    let value = |at: usize| lines[at]["value"].as_f64().unwrap();
    assert!(value(0) >= value(1) && value(1) >= value(2));
    // There are no more lines than moves.
    let all = [
        "best",
        "tictactoe",
        "--moves",
        "a1 b1 c1 a2 b2 c2",
        "--lines",
        "9",
    ];
    assert_eq!(json(&all)["lines"].as_array().unwrap().len(), 3);
    // `text` and `json` see to it that a pipe stays quiet.
    let told = text(&[
        "best",
        "tictactoe",
        "--engine",
        "mcts",
        "--nodes",
        "2000",
        "--lines",
        "2",
    ]);
    assert!(
        told.contains("\nlines\n 1  ") && told.contains("\n 2  "),
        "{told}"
    );
    let random = json(&["best", "tictactoe", "--engine", "random", "--lines", "2"]);
    assert_eq!(random["lines"].as_array().unwrap().len(), 1);
}

#[test]
fn playouts_limit_those_who_count_them() {
    let counted = json(&["best", "connect4", "--engine", "mcts", "--playouts", "123"]);
    assert_eq!(counted["stats"]["simulations"], 123);
    let refused = refusal(&["best", "connect4", "--engine", "pvs", "--playouts", "123"]);
    assert!(refused.contains("does not count playouts"), "{refused}");
    let players = ["--player", "mcts", "--player", "pvs", "--playouts", "9"];
    let refused = refusal(&[&["match", "tictactoe"], &players[..]].concat());
    assert!(refused.contains("does not count playouts"), "{refused}");
    let players = [
        "--player",
        "mcts",
        "--player",
        "mcts",
        "--playouts",
        "9",
        "--games",
        "2",
    ];
    let played = json(&[&["match", "tictactoe"], &players[..]].concat());
    assert_eq!(
        (&played["games"], &played["faults"]),
        (&json!(2), &json!([]))
    );
}

#[test]
fn best_keeps_to_its_limits() {
    let best = json(&["best", "loa", "--depth", "2"]);
    assert_eq!(
        (&best["depth"], &best["solved"]),
        (&json!(2), &json!(false))
    );
    let best = json(&["best", "loa", "--nodes", "2000"]);
    assert!(best["nodes"].as_u64().unwrap() <= 2000);
    let best = json(&["best", "loa", "--engine", "pvs:depth=3", "--time", "60"]);
    assert_eq!(best["depth"], 3);
    let best = json(&["best", "loa", "--time", "0.3", "--threads", "2"]);
    assert!(best["seconds"].as_f64().unwrap() < 3.0);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = command(&["games", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// Starts work that would take minutes, interrupts it, and returns how it ended.
#[cfg(unix)]
fn interrupted(args: &[&str]) -> (i32, Value) {
    let child = command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), answer)
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_there_is() {
    let (status, best) = interrupted(&["best", "loa", "--time", "300", "--json"]);
    assert_eq!(status, 0);
    assert!(best["move"].is_string() && best["seconds"].as_f64().unwrap() < 100.0);
    let (status, perft) = interrupted(&["perft", "loa", "--depth", "9", "--json"]);
    assert_eq!((status, &perft["complete"]), (130, &json!(false)));
    assert_eq!(perft["counts"][1], 1244);
}

#[test]
fn help_says_how() {
    for args in [
        &["--help"][..],
        &["games", "--help"],
        &["show", "--help"],
        &["moves", "--help"],
        &["perft", "--help"],
        &["best", "--help"],
        &["play", "--help"],
    ] {
        let help = text(args);
        assert!(help.contains("Examples:"), "{args:?}");
    }
    assert_eq!(run(&["--version"]).status, 0);
}
