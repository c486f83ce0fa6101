//! `tabia table` treats all kinds of tables alike, and those of the last version are still good.
//!
//! `kinds/tables` holds small tables of values, probabilities, rooms and patterns, and
//! `kinds/answers.json` what was answered about them, both as version 0.1.0 gave them before all
//! kinds of tables took one route.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{json as json_of, refusal, run, text};
use serde_json::{Value, json};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds")
}

fn kept_tables() -> String {
    kept().join("tables").to_str().unwrap().to_string()
}

/// All table files of a folder, by game and name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for game in std::fs::read_dir(folder).unwrap() {
        let game = game.unwrap().path();
        for file in std::fs::read_dir(&game).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|e| e == "tbl") {
                let name = file.strip_prefix(folder).unwrap().to_str().unwrap();
                files.insert(name.to_string(), std::fs::read(&file).unwrap());
            }
        }
    }
    files
}

/// The tables of the last version in a folder of their own, where they can be built again.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&kept().join("tables")) {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    folder
}

/// Whether everything that was told is still told. There may be more fields.
fn assert_told(now: &Value, before: &Value, command: &Value) {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            for (name, before) in before {
                let now = now.get(name).unwrap_or_else(|| panic!("{command}: {name}"));
                assert_told(now, before, command);
            }
        }
        (Value::Array(now), Value::Array(before)) => {
            assert_eq!(now.len(), before.len(), "{command}");
            for (now, before) in now.iter().zip(before) {
                assert_told(now, before, command);
            }
        }
        (now, before) => assert_eq!(now, before, "{command}"),
    }
}

#[test]
fn tables_of_the_last_version_give_the_same_answers() {
    let answers = std::fs::read_to_string(kept().join("answers.json")).unwrap();
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    assert!(answers.len() > 20);
    let folder = kept_tables();
    for answer in &answers {
        let command = answer["command"].as_array().unwrap();
        let command: Vec<&str> = command.iter().map(|word| word.as_str().unwrap()).collect();
        let mut now = json_of(&[&["table"], &command[..], &["--tables", &folder]].concat());
        for table in now.as_array_mut().into_iter().flatten() {
            let file = Path::new(table["file"].as_str().unwrap()).to_path_buf();
            table["file"] = json!(file.strip_prefix(&folder).unwrap());
        }
        assert_told(&now, &answer["answer"], &answer["command"]);
    }
}

#[test]
fn tables_of_the_last_version_are_built_again_byte_by_byte() {
    let (folder, copied) = (tempfile::tempdir().unwrap(), copied());
    let name = folder.path().to_str().unwrap();
    for tables in [
        "backgammon/1-1",
        "doguti",
        "fanorona:3x3/2..3",
        "amazons/rooms:2x3",
        "amazons/active:2x3",
        "amazons/active:2x3,values=canonical",
        "amazons/active:2x3,values=thermograph",
        "sliding:3x3/pattern-1-2,pattern-3-4,pattern-5-6,pattern-7-8",
    ] {
        let build = ["table", "build", tables, "--tables", name];
        text(&build);
        let again = json_of(&build);
        let all_there = again["tables"].as_array().unwrap().iter();
        assert!(
            all_there
                .clone()
                .all(|table| table["built"] == json!(false))
        );
        assert!(all_there.count() > 0);
        // What is there already is found in the folder of the last version, too.
        let copied = copied.path().to_str().unwrap();
        let kept = json_of(&["table", "build", tables, "--tables", copied]);
        assert_eq!(
            kept["tables"][0]["checksum"],
            again["tables"][0]["checksum"]
        );
        assert_eq!(kept["tables"][0]["built"], json!(false));
    }
    assert_eq!(files(folder.path()), files(&kept().join("tables")));
}

/// The patterns of a puzzle take the same commands as any other table.
#[test]
fn patterns_are_counted_probed_and_verified() {
    let folder = kept_tables();
    let ask = |words: &[&str]| json_of(&[&["table"], words, &["--tables", &folder]].concat());
    let verified = ask(&["verify", "sliding:3x3/pattern-1-2,pattern-7-8"]);
    assert_eq!(verified["valid"], json!(true));
    assert_eq!(verified["tables"][1]["slice"], json!("pattern-7-8"));
    assert_eq!(verified["tables"][1]["positions"], json!(9 * 8));
    let one = ask(&["stats", "sliding:3x3/pattern-1-2"]);
    let layers = one["layers"].as_array().unwrap().iter();
    let counted: u64 = layers.map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(json!(counted), one["positions"]);
    assert_eq!(one["layers"][0], json!(1));
    let two = ask(&["stats", "sliding:3x3/pattern-1-2,pattern-3-4"]);
    assert_eq!(two["slices"][0]["layers"], one["layers"]);
    // Tile 8 slides into its place, and nothing else is to be done.
    let position = ["--position", "1 2 3 4 5 6 7 0 8"];
    let probe = |name| ask(&[&["probe", name], &position[..]].concat());
    let probed = probe("sliding:3x3/pattern-7-8");
    assert_eq!(probed["moves_to_go"], json!(1));
    assert_eq!(probed["moves"][0]["moves_to_go"], json!(0));
    assert_eq!(probe("sliding:3x3/pattern-1-2")["moves_to_go"], json!(0));
    let several = ["table", "probe", "sliding:3x3", "--tables", &folder];
    let refused = refusal(&[&several[..], &position].concat());
    assert!(refused.contains("name one of the tables"), "{refused}");
}

#[test]
fn what_a_kind_does_not_know_is_refused_for_all_kinds_alike() {
    let folder = kept_tables();
    let refused = |words: &[&str]| refusal(&[&["table"], words, &["--tables", &folder]].concat());
    for table in [
        "backgammon/1-1",
        "amazons/rooms:2x3",
        "sliding:3x3/pattern-1-2",
    ] {
        let orbits = refused(&["build", table, "--symmetry", "orbits"]);
        assert!(orbits.contains("no use of symmetry"), "{orbits}");
        let values = refused(&["build", table, "--values", "wdl"]);
        assert!(values.contains("cannot keep 'wdl'"), "{values}");
    }
    for (table, hint) in [
        ("backgammon/0-0", "'0-0' names no slice; there are 1-1"),
        ("amazons/halls:2x3", "there are rooms, territory and active"),
        ("amazons", "there are rooms, territory and active"),
        ("sliding:3x3/pattern-9", "there are: pattern-1-2"),
    ] {
        for command in ["build", "stats", "verify"] {
            let message = refused(&[command, table]);
            assert!(message.contains(hint), "{command} {table}: {message}");
        }
    }
    for table in [
        "backgammon/2-2",
        "amazons/rooms:2x4",
        "sliding:3x3/pattern-8",
    ] {
        for command in ["stats", "verify"] {
            let message = refused(&[command, table]);
            let hint = format!("--tables {folder}' builds it");
            assert!(message.contains(&hint), "{command} {table}: {message}");
        }
        let message = refused(&["build", table, "--memory", "1"]);
        assert!(
            message.contains("of memory, and 1 bytes"),
            "{table}: {message}"
        );
    }
    let other = refused(&["probe", "fanorona:3x3/1-2", "--position", "3/1w1/w1b w"]);
    assert!(other.contains("is in slice 2-1"), "{other}");
}

/// Tables of every kind that were made from others, or were damaged, are found and built anew.
#[test]
fn tables_are_resumed_and_mended_alike() {
    for (tables, below, above) in [
        (
            "amazons/active:2x3",
            "amazons/territory-2x3-queens-1.tbl",
            1,
        ),
        ("fanorona:3x3/2..3", "fanorona-3x3/1-1.tbl", 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        let build = ["table", "build", tables, "--tables", name];
        text(&build);
        let sound = files(folder.path());
        std::fs::remove_file(folder.path().join(below)).unwrap();
        let rebuilt = json_of(&build);
        let built = |at: usize| rebuilt["tables"][at]["built"].clone();
        assert_eq!([built(0), built(above)], [json!(true), json!(false)]);
        assert_eq!(files(folder.path()), sound);

        let file = folder.path().join(below);
        let mut bytes = std::fs::read(&file).unwrap();
        // Within the only block, which a plan does not look at.
        let block = bytes.len() - 40 - 40 - 4;
        bytes[block] ^= 4;
        std::fs::write(&file, &bytes).unwrap();
        let verified = run(&["table", "verify", tables, "--tables", name]);
        assert_eq!(verified.status, 1, "{}", verified.err);
        assert!(verified.err.contains("no sound table"), "{}", verified.err);
        let told = text(&build).replace("\n  ", " ");
        assert!(told.contains("was built again: "), "{told}");
        assert_eq!(files(folder.path()), sound);
    }
}
