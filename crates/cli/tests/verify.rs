//! `tabia verify`, on certificates written by hand and on damaged ones.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use serde_json::{Value, json};
use support::{json as json_of, refusal, run, text};

/// The example of the page on certificates.
const CORNER: &str = include_str!("../../../examples/certificates/corner.cert");

/// A file in a folder that goes away.
struct Kept {
    _folder: tempfile::TempDir,
    path: String,
}

fn keep(text: &[u8]) -> Kept {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.cert");
    fs::write(&path, text).unwrap();
    Kept {
        path: path.to_str().unwrap().to_string(),
        _folder: folder,
    }
}

/// The certificate with these lines and the right checksum.
fn sealed(lines: &[&str]) -> Kept {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let checksum = blake3::hash(text.as_bytes()).to_hex();
    keep(format!("{text}end {checksum}\n").as_bytes())
}

/// What is said of a file that is refused.
fn reason(kept: &Kept) -> String {
    let plain = run(&["verify", &kept.path]);
    assert_eq!((plain.status, plain.out.as_str()), (1, ""), "{}", plain.err);
    let told = run(&["verify", &kept.path, "--json"]);
    assert_eq!(told.status, 1);
    let value: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(value["valid"], json!(false));
    let reason = value["reason"].as_str().unwrap().to_string();
    assert!(plain.err.contains(&reason), "{}", plain.err);
    reason
}

const WIN: [&str; 6] = [
    "tabia certificate 1",
    "game tictactoe",
    "position xx./oo./... x",
    "value win",
    "strategy X win",
    "c3",
];

#[test]
fn a_valid_certificate() {
    let kept = sealed(&WIN);
    assert!(text(&["verify", &kept.path]).contains("proved: a win for the player to move"));
    let told = json_of(&["verify", &kept.path]);
    assert_eq!(
        told,
        json!({
            "file": kept.path,
            "kind": "certificate",
            "game": "tictactoe",
            "position": "xx./oo./... x",
            "value": "win",
            "goal": null,
            "entries": 1,
            "positions": 1,
            "tables": [],
            "valid": true,
            "reason": null,
        })
    );
}

#[test]
fn a_goal() {
    let lines = [&WIN[..3], &["goal X draw", "strategy X draw", "c3"]].concat();
    let told = json_of(&["verify", &sealed(&lines).path]);
    assert_eq!(told["value"], Value::Null);
    assert_eq!(told["goal"], json!({ "player": "X", "at_least": "draw" }));
}

#[test]
fn the_example_lists_a_move_for_each_of_its_positions() {
    let told = json_of(&["verify", &keep(CORNER.as_bytes()).path]);
    let moves = CORNER.lines().filter(|line| line.len() == 2).count();
    assert_eq!(told["entries"], json!(moves));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let with = |at: usize, line: &'static str| {
        let mut lines = WIN;
        lines[at] = line;
        reason(&sealed(&lines))
    };
    assert!(with(0, "tabia certificate 9").contains("version '9'"));
    assert!(with(1, "game tiktaktoe").contains("did you mean 'tictactoe'?"));
    assert!(with(1, "game connect4").contains("position is refused"));
    assert!(with(2, "position xxx/oo./... o").contains("the game is over"));
    assert!(with(3, "value draw").contains("'strategy X draw' should be"));
    assert!(with(4, "strategy O win").contains("'strategy X win' should be"));
    assert!(with(5, "a3").starts_with("line 6: 'a3' is no legal move of xx1/oo1/3 x"));
    assert!(with(5, "a1").contains("the strategy has no move for"));
    let tables = [&WIN[..4], &["table tictactoe/all 00"], &WIN[4..]].concat();
    assert!(reason(&sealed(&tables)).contains("table tictactoe/all, which is not at hand"));
    let surplus = [&WIN[..], &["a1"]].concat();
    assert!(reason(&sealed(&surplus)).starts_with("line 7: 'a1' is left over"));
    let damaged = CORNER.replacen("a2", "b2", 1);
    assert!(reason(&keep(damaged.as_bytes())).contains("checksum does not fit"));
    let cut = &CORNER.as_bytes()[..CORNER.len() - 20];
    assert!(reason(&keep(cut)).contains("breaks off"));
    assert!(reason(&keep(b"tabia certificate 1\n\xff\n")).contains("not a line of text"));
}

#[test]
fn what_is_no_certificate_is_a_bad_request() {
    assert!(refusal(&["verify", "/no/such/file"]).contains("cannot be read"));
    assert!(refusal(&["verify", "/"]).contains("cannot be read"));
    let neither = "is neither a certificate";
    assert!(refusal(&["verify", &keep(b"").path]).contains(neither));
    assert!(refusal(&["verify", &keep(b"game: loa\n").path]).contains(neither));
    assert!(refusal(&["verify"]).contains("FILE"));
}
