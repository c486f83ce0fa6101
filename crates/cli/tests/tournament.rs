//! Tournament files through the command line.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use support::{command, json, refusal};

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

/// The page shows what the command prints.
#[test]
fn the_page_is_true() {
    let page = fs::read_to_string(root().join("docs/tournaments.md")).unwrap();
    let mut blocks = 0;
    for block in page.split("```text\n$ tabia ").skip(1) {
        let (line, rest) = block.split_once('\n').unwrap();
        let shown = rest.split("```").next().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let done = command(&words).current_dir(root()).output().unwrap();
        assert_eq!(String::from_utf8(done.stdout).unwrap(), shown, "{line}");
        blocks += 1;
    }
    assert_eq!(blocks, 2);
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
    assert!(refused(engines).contains("engines"));
    assert!(refusal(&["tournament", "nowhere.toml"]).contains("cannot be read"));
}
