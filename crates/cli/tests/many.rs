//! Games for three players and more, from outside.

use crate::support::{json, refusal, run_with_input, text};
use serde_json::{Value, json};

fn numbers(list: &Value, field: &str) -> Vec<i64> {
    let players = list.as_array().unwrap().iter();
    players
        .map(|player| player[field].as_i64().unwrap())
        .collect()
}

/// Values of Rolit on 4x4 against all others, with R Y over B G in the centre: the same as the
/// plain implementation in the tests of `tabia-reversi` finds.
#[test]
fn rolit_4x4_paranoid_values() {
    for (spec, expected) in [
        ("rolit:2,side=4,score=pieces", vec![7, 9]),
        ("rolit:3,side=4,score=pieces", vec![3, 3, 3]),
        ("rolit:4,side=4,score=pieces", vec![2, 2, 2, 1]),
    ] {
        let found = json(&["solve", spec]);
        assert_eq!(numbers(&found["players"], "at_least"), expected, "{spec}");
        assert_eq!(numbers(&found["players"], "at_most"), expected, "{spec}");
        assert_eq!(found["method"], "paranoid");
    }
    let told = text(&["solve", "rolit:3,side=4,score=pieces"]);
    assert!(told.contains("against all others together:\n"), "{told}");
}

#[test]
fn what_is_for_two_is_refused() {
    let said = refusal(&["solve", "rolit:3,side=4", "--method", "pn"]);
    assert!(said.contains("--method is for games of two"), "{said}");
    let rounds = ["tournament", "rolit:3,side=4", "--format", "round-robin"];
    let players = ["--player", "random", "--player", "brs"];
    let said = refusal(&[&rounds[..], &players].concat());
    assert!(said.contains("match"), "{said}");
}

#[test]
fn impossible_numbers_of_players_are_refused_with_a_reason() {
    for spec in ["chinese:5", "chinese:7", "focus:5", "rolit:1", "rolit:9"] {
        let said = refusal(&["show", spec]);
        assert!(said.contains(spec.split(':').next().unwrap()), "{said}");
    }
}

#[test]
fn three_engines_play_to_the_end() {
    let game = json(&[
        "play",
        "rolit:3,side=4",
        "--seat",
        "1=brs:nodes=200",
        "--seat",
        "2=random",
        "--seat",
        "3=maxn:nodes=200",
    ]);
    assert_eq!(game["over"], json!(true));
    assert_eq!(game["payoffs"].as_array().unwrap().len(), 3);
    assert_eq!(game["seats"].as_array().unwrap().len(), 3);
}

#[test]
fn a_person_sits_between_engines() {
    let run = run_with_input(
        &[
            "play",
            "rolit:4,side=4",
            "--seat",
            "2=human",
            "--seat",
            "1=paranoid:nodes=100",
            "--seat",
            "3=random",
            "--seat",
            "4=brs+:nodes=100",
        ],
        "moves\nquit\n",
    );
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("to move> moves"), "{}", run.out);
}

#[test]
fn every_engine_of_many_players_has_a_move() {
    let games = json(&["games", "rolit:3,side=4"]);
    let engines = games[0]["engines"].as_array().unwrap();
    let names: Vec<&str> = engines.iter().map(|e| e.as_str().unwrap()).collect();
    for expected in [
        "brs",
        "brs+",
        "paranoid",
        "maxn",
        "speculative",
        "solo",
        "mpmix",
        "mpmix-brs",
        "mcts",
        "brs-mcts",
        "random",
    ] {
        assert!(names.contains(&expected), "{expected} {names:?}");
        let best = json(&[
            "best",
            "rolit:3,side=4",
            "--engine",
            expected,
            "--nodes",
            "300",
        ]);
        assert!(best["move"].is_string(), "{expected}");
    }
}

/// Schadd (2011), section 6.5: two kinds at three seats have six assignments, so that seven games
/// become twelve.
#[test]
fn matches_are_balanced_over_all_seatings() {
    let found = json(&[
        "match",
        "rolit:3,side=4",
        "--player",
        "brs:depth=2,table=1M",
        "--player",
        "random",
        "--games",
        "7",
        "--paired",
    ]);
    assert_eq!(found["games"], 12);
    let shares = found["players"].as_array().unwrap().iter();
    let sum: f64 = shares.map(|player| player["share"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert!(found["players"][0]["share"].as_f64() > found["players"][1]["share"].as_f64());
}
