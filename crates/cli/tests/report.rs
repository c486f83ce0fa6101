//! `tabia report`: where the page goes. What is in it is tested in the laboratory.

use std::fs;

use crate::support::{json, refusal, text};

#[test]
fn a_page_is_written_or_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.db").display().to_string();
    let players = ["--player", "a<b=random", "--player", "random"];
    text(
        &[
            &["match", "tictactoe", "--games", "2", "--db", &file],
            &players[..],
        ]
        .concat(),
    );
    let page = folder.path().join("r.html");
    let told = text(&["report", &file]);
    assert_eq!(told, format!("run 1 written to {}\n", page.display()));
    let written = fs::read_to_string(&page).unwrap();
    assert!(written.starts_with("<!DOCTYPE html>") && written.ends_with("</html>"));
    assert!(written.contains("a&lt;b") && !written.contains("a<b"));
    assert_eq!(text(&["report", &file, "--output", "-"]), written);
    let other = folder.path().join("other.html").display().to_string();
    let answer = json(&["report", &file, "--run", "1", "--output", &other]);
    assert_eq!(answer["output"], other);
    assert_eq!(fs::read_to_string(&other).unwrap(), written);
    refusal(&["report", &file, "--output", &file]);
    refusal(&["report", &file, "--output", "-", "--json"]);
    assert!(refusal(&["report", &file, "--run", "2"]).contains("it has 1"));
}
