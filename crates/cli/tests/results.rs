//! `tabia results`: files are shown, exported and replayed, and bad ones refused.

use std::fs;
use std::path::Path;

use crate::support::{json, refusal, run, text};
use serde_json::Value;

const MATCH: [&str; 12] = [
    "match",
    "tictactoe",
    "--player",
    "a=random",
    "--player",
    "b=pvs:depth=3",
    "--games",
    "6",
    "--paired",
    "--seed",
    "4",
    "--db",
];

/// A file of results with one match of six games, and what the match printed.
fn results(folder: &Path) -> (String, String) {
    let file = folder.join("r.db").display().to_string();
    let told = text(&[&MATCH[..], &[&file]].concat());
    (file, told)
}

#[test]
fn runs_are_listed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (file, told) = results(folder.path());
    let listed = text(&["results", "list", &file]);
    assert!(
        listed.contains("tictactoe: a - b") && listed.contains("6 games"),
        "{listed}"
    );
    let runs = json(&["results", "list", &file]);
    assert_eq!((&runs[0]["id"], &runs[0]["games"]), (&1.into(), &6.into()));
    assert_eq!(runs[0]["complete"], true);
    // The table is the one that the match printed.
    assert!(text(&["results", "show", &file]).contains(told.trim_end()));
    let shown = json(&["results", "show", &file, "--run", "1"]);
    assert_eq!(shown["summary"]["games"], 6);
    assert_eq!(shown["settings"]["seed"], "4");
    assert!(refusal(&["results", "show", &file, "--run", "7"]).contains("it has 1"));
}

#[test]
fn games_are_shown_saved_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = results(folder.path());
    let record = folder.path().join("game.txt").display().to_string();
    let shown = text(&["results", "show", &file, "--game", "3", "--save", &record]);
    let game = json(&["results", "show", &file, "--game", "3"]);
    assert!(shown.contains(game["result"].as_str().unwrap()), "{shown}");
    // The record leads to the same position through the rules.
    let read = json(&["show", "--record", &record]);
    assert_eq!(
        (&read["position"], &read["moves"]),
        (&game["final"], &game["moves"])
    );
    assert_eq!(read["result"], game["result"]);
    for number in ["0", "5"] {
        let replayed = text(&["results", "replay", &file, "--game", number]);
        assert!(replayed.starts_with("the same again"), "{replayed}");
    }
    assert_eq!(
        json(&["results", "replay", &file, "--game", "2"])["same"],
        true
    );
    assert!(refusal(&["results", "show", &file, "--game", "6"]).contains("from 0 to 5"));
    refusal(&["results", "show", &file, "--save", &record]);
}

/// A game that was stored with other moves is noticed: status 1, or 0 if time was limited.
#[test]
fn a_difference_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = results(folder.path());
    let game = json(&["results", "show", &file, "--game", "1"]);
    let moves = game["moves"].as_array().unwrap();
    let moves: Vec<&str> = moves.iter().map(|m| m.as_str().unwrap()).collect();
    let line = moves.join(" ");
    // The texts in the file are changed in place, by as many bytes as before.
    let mut other = moves.clone();
    let free = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
    let unused = free.iter().find(|square| !moves.contains(square));
    other[4] = unused.unwrap_or(&moves[5]);
    let mut bytes = fs::read(&file).unwrap();
    let wal = format!("{file}-wal");
    assert!(!Path::new(&wal).exists(), "the writer has closed the file");
    let (from, to) = (line.as_bytes(), other.join(" "));
    let mut changed = 0;
    for at in 0..bytes.len() - from.len() {
        if &bytes[at..at + from.len()] == from {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
            changed += 1;
        }
    }
    assert!(changed > 0);
    fs::write(&file, bytes).unwrap();
    let numbers: Vec<String> = (0..6).map(|n| n.to_string()).collect();
    let differing = numbers
        .iter()
        .map(|n| run(&["results", "replay", &file, "--game", n]));
    let differing: Vec<_> = differing.filter(|run| run.status != 0).collect();
    assert_eq!(differing.len(), changed);
    assert_eq!(differing[0].status, 1);
    assert!(
        differing[0].out.contains("another way from ply 5 on"),
        "{}",
        differing[0].out
    );
}

#[test]
fn games_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = results(folder.path());
    let csv = text(&["results", "export", &file, "--format", "csv"]);
    assert_eq!(csv.lines().count(), 7);
    let jsonl = text(&["results", "export", &file, "--format", "jsonl"]);
    assert_eq!(jsonl.lines().count(), 6);
    let output = folder.path().join("games.sgf").display().to_string();
    text(&[
        "results", "export", &file, "--format", "sgf", "--output", &output,
    ]);
    assert_eq!(
        fs::read_to_string(&output)
            .unwrap()
            .matches("(;FF[4]")
            .count(),
        6
    );
    assert!(
        refusal(&["results", "export", &file, "--format", "pgn"]).contains("breakthrough, loa")
    );
    // By whatever name, the results are not written over.
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let link = link.display().to_string();
    let roundabout = folder.path().join("../").join(folder.path()).join("./r.db");
    for (read, written) in [
        (&file, file.clone()),
        (&link, file.clone()),
        (&file, link.clone()),
        (&file, roundabout.display().to_string()),
    ] {
        let export = ["results", "export", read, "--format", "csv", "--output"];
        let told = refusal(&[&export[..], &[&written]].concat());
        assert!(told.contains("the file of results itself"), "{told}");
        assert!(refusal(&["report", read, "--output", &written]).contains("itself"));
    }
    refusal(&["results", "export", &file, "--format", "xml"]);
    refusal(&["results", "export", &file, "--format", "csv", "--json"]);
    let nowhere = folder.path().join("no/where.csv").display().to_string();
    refusal(&[
        "results", "export", &file, "--format", "csv", "--output", &nowhere,
    ]);
}

/// Whatever a file holds, it is answered or refused, and never a panic.
#[test]
fn files_of_other_kinds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = results(folder.path());
    let other = folder.path().join("other.db").display().to_string();
    let commands = |file: &str| {
        let mut all = Vec::new();
        for args in [
            &["results", "list", file][..],
            &["results", "show", file],
            &["results", "show", file, "--game", "0"],
            &["results", "export", file, "--format", "jsonl"],
            &["results", "replay", file, "--game", "0"],
            &["report", file, "--output", "-"],
        ] {
            all.push(run(args));
        }
        all
    };
    for missing in commands(&other) {
        assert_eq!((missing.status, missing.out.as_str()), (2, ""));
        assert!(missing.err.contains("there is no file"), "{}", missing.err);
    }
    fs::write(
        &other,
        "this is no database, but a text that is long enough to look at",
    )
    .unwrap();
    for foreign in commands(&other) {
        assert_eq!((foreign.status, foreign.out.as_str()), (2, ""));
        assert!(
            foreign.err.contains("is no file of results"),
            "{}",
            foreign.err
        );
    }
    fs::write(&other, "").unwrap();
    for empty in commands(&other) {
        assert_eq!(empty.status, 2, "{}", empty.err);
    }
    let whole = fs::read(&file).unwrap();
    for length in [50, 100, 4096, 5000, whole.len() / 2, whole.len() - 100] {
        fs::write(&other, &whole[..length]).unwrap();
        for cut in commands(&other) {
            let told = cut.status == 0 || cut.err.contains(&other);
            assert!(
                told && [0, 1, 2].contains(&cut.status),
                "{length}: {}",
                cut.err
            );
        }
    }
}

/// The names and types of fields in the first table after a heading.
fn documented<'a>(page: &'a str, heading: &str) -> Vec<(&'a str, &'a str)> {
    let section = page.lines().skip_while(|line| *line != heading).skip(1);
    let rows = section.take_while(|line| !line.starts_with('#'));
    let fields = rows.filter(|line| line.starts_with("| `")).map(|line| {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        (
            cells.next().unwrap().trim_matches('`'),
            cells.next().unwrap(),
        )
    });
    let fields: Vec<(&str, &str)> = fields.collect();
    assert!(!fields.is_empty(), "no table under {heading}");
    fields
}

fn assert_documented(page: &str, heading: &str, value: &Value) {
    let fields = documented(page, heading);
    let object = value.as_object().unwrap();
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    assert_eq!(object.keys().collect::<Vec<_>>(), names, "{heading}");
    for (name, types) in fields {
        let kind = match &object[name] {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        assert!(
            types.split(" or ").any(|t| t == kind),
            "{heading}: {name} is {kind}"
        );
    }
}

/// Every field that is printed is documented with its type, and nothing else is.
#[test]
fn json_fields_are_documented() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = results(folder.path());
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md"));
    let page = page.unwrap().replace("\r\n", "\n");
    let output = folder.path().join("r.html").display().to_string();
    let shown = json(&["results", "show", &file]);
    for (heading, value) in [
        (
            "## Results: `tabia results list`",
            &json(&["results", "list", &file])[0],
        ),
        ("## Results: `tabia results show`", &shown),
        ("### Players of a run", &shown["players"][0]),
        (
            "## Results: `tabia results show --game`",
            &json(&["results", "show", &file, "--game", "0"]),
        ),
        (
            "## Results: `tabia results replay`",
            &json(&["results", "replay", &file, "--game", "0"]),
        ),
        (
            "## Results: `tabia report`",
            &json(&["report", &file, "--output", &output]),
        ),
    ] {
        assert_documented(&page, heading, value);
    }
}
