//! Tournament files through the command line.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{json, refusal, text};
use serde_json::json;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    let path = root().join("examples/tournaments").join(name);
    path.to_str().unwrap().to_string()
}

/// Van Horssen (2013), Table 3, with the fields that are documented.
#[test]
fn standings_as_json() {
    let told = json(&["tournament", &example("dutch-rapid-draughts-2013.toml")]);
    assert_eq!(told["format"], "round-robin");
    assert_eq!(told["games"], 45);
    assert_eq!(
        told["standings"][2],
        json!({
            "place": 2, "shared": true, "name": "GWD", "points": 13, "played": 9,
            "wins": 4, "draws": 5, "losses": 0, "tie_breaks": { "sb-unhalved": 96 },
        })
    );
    assert_eq!(told["crosstable"]["rows"].as_array().unwrap().len(), 10);
    let told = json(&["tournament", &example("surakarta-2013.toml")]);
    assert_eq!(told["standings"][2]["points"], json!(2.5));
}

#[test]
fn bad_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.toml");
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        refusal(&["tournament", path.to_str().unwrap()])
    };
    assert!(refused("name = 1").contains("line 1"));
    let engines = "name = \"T\"\nformat = \"round-robin\"\ngame = \"loa\"
[[player]]\nname = \"A\"\nengine = \"random\"\n[[player]]\nname = \"B\"\nengine = \"random\"";
    let wrong = [
        (
            "random\"\n[[player]]",
            "randon\"\n[[player]]",
            "player 'A': ",
        ),
        ("\"loa\"", "\"chess960\"", "chess960"),
        (
            "game = \"loa\"",
            "game = \"loa\"\nopening = \"file:none.txt\"",
            "none.txt' cannot be read",
        ),
        (
            "game = \"loa\"",
            "game = \"loa\"\nlimits = { depth = 0 }",
            "line 4: 'depth' is a number from 1",
        ),
        (
            "game = \"loa\"",
            "game = \"loa\"\n[limits]\nclock = \"soon\"",
            "line 5: a clock is seconds",
        ),
        (
            "game = \"loa\"",
            "game = \"loa\"\nfinal_games = 2",
            "line 4: only the format",
        ),
        (
            "game = \"loa\"",
            "game = \"loa\"\nlimits = { node = 1 }",
            "line 4",
        ),
    ];
    for (right, text, expected) in wrong {
        let message = refused(&engines.replacen(right, text, 1));
        assert!(message.contains(expected), "{message}\nlacks: {expected}");
    }
    assert!(refusal(&["tournament", "nowhere.toml"]).contains("cannot be read"));
}

/// The example is what a person would begin with: it plays, and the stronger ones come first.
#[test]
fn engines_play_are_stored_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("results.db");
    let db = db.to_str().unwrap();
    let file = example("connect-four.toml");
    let told = json(&["tournament", &file, "--db", db]);
    assert_eq!(
        (&told["games"], &told["play"]["complete"]),
        (&json!(24), &json!(true))
    );
    assert_eq!(told["play"]["faults"], json!([]));
    assert_eq!(told["standings"][3]["name"], "Random");
    // All is there, so nothing is played; with another seed, something else is.
    for again in [
        json(&["tournament", &file, "--db", db, "--resume"]),
        json(&["tournament", "--db", db, "--resume"]),
        json(&["tournament", &file, "--threads", "1"]),
    ] {
        assert_eq!(again["standings"], told["standings"]);
        assert_eq!(again["crosstable"], told["crosstable"]);
    }
    let other = json(&["tournament", &file, "--seed", "2"]);
    assert_eq!(other["play"]["seed"], 2);
    let runs = json(&["results", "list", db]);
    assert_eq!(runs.as_array().map(Vec::len), Some(1), "{runs}");
}

#[test]
fn a_game_needs_a_format_and_a_file_needs_none() {
    let players = [
        "--player",
        "pvs:depth=9",
        "--player",
        "random",
        "--player",
        "random",
    ];
    let quick = |more: &[&'static str]| [&["tournament", "tictactoe"], more, &players].concat();
    let told = text(&quick(&["--format", "knockout", "--games", "2"]));
    assert!(
        told.starts_with("tictactoe knockout: 3 players, "),
        "{told}"
    );
    assert!(told.contains("random (2)"), "{told}");
    let told = json(&quick(&[
        "--format",
        "swiss",
        "--rounds",
        "2",
        "--scoring",
        "2-1-0",
    ]));
    assert_eq!(
        (&told["games"], &told["format"]),
        (&json!(2), &json!("swiss"))
    );
    assert!(refusal(&quick(&[])).contains("a format is needed"));
    assert!(refusal(&quick(&["--format", "swiss"])).contains("number of rounds"));
    assert!(refusal(&quick(&["--format", "swis"])).contains("double-round-robin"));
    let file = example("connect-four.toml");
    assert!(refusal(&["tournament", &file, "--format", "swiss"]).contains("the file says"));
    assert!(refusal(&["tournament", &file, "--depth", "2"]).contains("the file says"));
    let results = example("surakarta-2013.toml");
    assert!(refusal(&["tournament", &results, "--seed", "2"]).contains("results"));
    assert!(refusal(&["tournament", "--resume"]).contains("--db"));
}
