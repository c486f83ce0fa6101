//! `tabia book`, from outside.

use std::fs;

use crate::support::{json, refusal, text};

const GROWN: [&str; 10] = [
    "file", "game", "engine", "method", "nodes", "added", "complete", "value", "line", "seconds",
];

/// A book is grown, grown on, looked at, put right, exported and played from.
#[test]
fn a_book_goes_through_its_life() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let book = at("small.book");
    let shape = ["--depth", "1", "--breadth", "4", "--threads", "1"];
    let begun = json(
        &[
            &["book", "grow", &book, "amazons:4x4", "--nodes", "6"],
            &shape[..],
        ]
        .concat(),
    );
    let fields: Vec<&String> = begun.as_object().unwrap().keys().collect();
    assert_eq!(fields, GROWN);
    assert_eq!(
        (begun["nodes"].as_u64(), begun["added"].as_u64()),
        (Some(6), Some(5))
    );
    let first = begun["line"][0].as_str().unwrap().to_string();
    let further = json(&[
        "book", "grow", &book, "--nodes", "10", "--method", "drop-out",
    ]);
    assert_eq!(
        (further["nodes"].as_u64(), further["added"].as_u64()),
        (Some(10), Some(4))
    );
    let shown = json(&["book", "show", &book, "--diagram", &at("exits.svg")]);
    assert_eq!(shown["nodes"], 10);
    assert!(
        fs::read_to_string(at("exits.svg"))
            .unwrap()
            .contains("<circle")
    );
    assert!(text(&["book", "show", &book]).contains(&first));
    let marked = json(&["book", "edit", &book, "--line", &first, "--worst"]);
    assert_eq!(marked["done"], "marked as worst");
    json(&["book", "edit", &book, "--line", &first, "--value", "-0.25"]);
    json(&["book", "edit", &book, "--line", &first, "--clear"]);
    json(&["book", "edit", &book, "--add", "b1-b2/b1"]);
    json(&["book", "edit", &book, "--line", "b1-b2/b1", "--best"]);
    let engine = format!("antiope:book={book}");
    let best = json(&["best", "amazons:4x4", "--engine", &engine]);
    assert_eq!(best["move"], "b1-b2/b1");
    assert_eq!(best["stats"]["book"], 1);
    let gone = json(&["book", "edit", &book, "--line", "b1-b2/b1", "--delete"]);
    assert_eq!(gone["nodes"], 10);
    let openings = at("small.openings");
    let lines = json(&["book", "export", &book, "--output", &openings])["lines"].as_u64();
    assert_eq!(
        fs::read_to_string(&openings).unwrap().lines().count() as u64,
        lines.unwrap() + 1
    );
    let opening = format!("file:{openings}");
    let player = format!("antiope:nodes=200,book={book}");
    let played = json(&[
        "match",
        "amazons:4x4",
        "--player",
        &player,
        "--player",
        "random",
        "--games",
        "2",
        "--opening",
        &opening,
    ]);
    assert_eq!(played["games"], 2);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.book").display().to_string();
    assert!(refusal(&["book", "grow", &file]).contains("name the game"));
    assert!(refusal(&["book", "grow", &file, "backgammon"]).contains("without chance"));
    assert!(refusal(&["book", "show", &file]).contains("cannot be read"));
    fs::write(&file, "{}\n").unwrap();
    assert!(refusal(&["book", "show", &file]).contains("no header"));
    fs::remove_file(&file).unwrap();
    json(&[
        "book",
        "grow",
        &file,
        "tictactoe",
        "--nodes",
        "4",
        "--depth",
        "1",
    ]);
    assert!(refusal(&["book", "grow", &file, "connect4"]).contains("is of tictactoe"));
    assert!(refusal(&["book", "edit", &file, "--line", "z9", "--best"]).contains("has no move"));
    assert!(refusal(&["book", "edit", &file, "--best"]).contains("the root"));
    assert!(refusal(&["book", "grow", &file, "--weight", "NaN"]).contains("--weight"));
}
