//! The board games for several players, from outside.

use crate::support::{json, refusal};

#[test]
fn patterns_are_learnt_written_and_used() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["othello", "rolit"] {
        let file = folder.path().join(format!("{game}.pat"));
        let file = file.to_str().unwrap();
        let train = |more: &[&str]| {
            let few = ["--games", "6", "--generations", "2", "--output", file];
            json(&[&["train", game], &few[..], more].concat())
        };
        let told = train(&[]);
        assert_eq!(told["games"], 12);
        let first = std::fs::read(file).unwrap();
        train(&["--threads", "1"]);
        assert_eq!(
            std::fs::read(file).unwrap(),
            first,
            "the seed alone decides"
        );
        train(&["--from", file]);
        assert_ne!(std::fs::read(file).unwrap(), first);
        let engine = match game {
            "othello" => format!("pvs:patterns={file}"),
            _ => format!("paranoid:patterns={file}"),
        };
        let told = json(&["best", game, "--engine", &engine, "--depth", "2"]);
        assert!(told["move"].is_string(), "{told}");
        std::fs::write(file, &first[..first.len() - 1]).unwrap();
        let refused = refusal(&["best", game, "--engine", &engine, "--depth", "2"]);
        assert!(refused.contains("weights where"), "{refused}");
        let refused = refusal(&["train", game, "--output", "x", "--from", file]);
        assert!(refused.contains("holds no weights"), "{refused}");
    }
    let refused = refusal(&["train", "rolit:3", "--output", "x"]);
    assert!(refused.contains("without options"), "{refused}");
}

#[test]
fn impossible_numbers_of_players_and_sides_are_refused() {
    for (spec, reason) in [
        ("chinese:5", "two, three, four or six"),
        ("chinese:7", "players"),
        ("focus:5", "players"),
        ("rolit:1", "players"),
        ("rolit:3,side=7", "even"),
        ("othello:20", "side"),
        ("othello:5", "even"),
    ] {
        let refused = refusal(&["show", spec]);
        assert!(refused.contains(reason), "{spec}: {refused}");
    }
}

#[test]
fn a_table_that_is_not_there_is_said_to_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let refused = refusal(&["table", "stats", "chinese:3", "--tables", folder]);
    assert!(refused.contains("solitaire-49"), "{refused}");
    let refused = refusal(&["table", "build", "chinese/other", "--tables", folder]);
    assert!(refused.contains("solitaire-49"), "{refused}");
    let engine = format!("paranoid:evaluation=table,tables={folder}");
    let refused = refusal(&["best", "chinese", "--engine", &engine, "--depth", "1"]);
    assert!(refused.contains("solitaire-49"), "{refused}");
    let engine = format!("paranoid:tables={folder}");
    let refused = refusal(&["best", "chinese", "--engine", &engine, "--depth", "1"]);
    assert!(refused.contains("evaluation=table"), "{refused}");
}
