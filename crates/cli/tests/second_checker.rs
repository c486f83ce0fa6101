//! The checker of certificates in `examples/certificates`, written in Python from the page on
//! certificates alone, against `tabia verify`: both accept the same files, and refuse the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{json, run, text};

/// The status of the Python program, and what it writes to standard output and error.
fn python(path: &Path) -> (i32, String, String) {
    let checker =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/certificates/check.py");
    let ran = Command::new("python3").arg(checker).arg(path).output();
    let ran = ran.unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.status.code().unwrap(), out, err)
}

/// Whether both checkers accept a file, counting the same positions and moves. They have to agree.
fn accepted(path: &Path) -> bool {
    let (status, out, err) = python(path);
    let told = run(&["verify", path.to_str().unwrap()]);
    assert_eq!(status, told.status, "{err}\n{}", told.err);
    if status != 0 {
        assert_eq!(status, 1);
        assert!(err.starts_with("refused: "), "{err}");
        return false;
    }
    let told = json(&["verify", path.to_str().unwrap()]);
    let counts = format!(
        "{} positions, {} moves listed",
        told["positions"], told["entries"]
    );
    assert_eq!(out.lines().last(), Some(counts.as_str()));
    true
}

/// A file of these lines with the right checksum.
fn sealed<'a>(folder: &Path, lines: impl IntoIterator<Item = &'a str>) -> PathBuf {
    let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
    let checksum = blake3::hash(text.as_bytes()).to_hex();
    let path = folder.join("changed.cert");
    fs::write(&path, format!("{text}end {checksum}\n")).unwrap();
    path
}

/// The certificate of a position that the command makes, without its end.
///
/// For Breakthrough it now relies on positions whose winner is known at sight, of which the program
/// knows nothing; the one that version 0.1.0 wrote relies on the rules alone.
fn certificate(folder: &Path, spec: &str, position: &[&str]) -> Vec<String> {
    let kept = "tests/certificates/breakthrough-lost.cert";
    let path = match spec {
        "breakthrough:3x4" => Path::new(env!("CARGO_MANIFEST_DIR")).join(kept),
        _ => folder.join("a.cert"),
    };
    if spec != "breakthrough:3x4" {
        let asked = ["solve", spec, "--certificate", path.to_str().unwrap()];
        text(&[&asked[..], position].concat());
    }
    assert!(accepted(&path), "{spec}");
    let written = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = written.lines().map(str::to_string).collect();
    lines.pop();
    lines
}

/// Won, drawn and lost positions, games that go round, and a file of many blocks of the hash.
#[test]
fn certificates_of_the_command_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    for (spec, value) in [
        ("tictactoe", "draw"),
        ("mnk:4,3,3", "win"),
        ("breakthrough:3x4", "loss"),
        ("doguti", "draw"),
    ] {
        let lines = certificate(folder.path(), spec, &[]);
        assert_eq!(lines[3], format!("value {value}"), "{spec}");
    }
    let goal = certificate(folder.path(), "doguti", &["--goal", "Black draws"]);
    assert_eq!(goal[3], "goal Black draw");
}

#[test]
fn every_move_that_is_left_out_or_added_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let lines = certificate(folder.path(), "tictactoe", &["--position", "xo1/3/3 x"]);
    assert!(lines.len() > 10);
    for left_out in 0..lines.len() {
        let others = lines.iter().enumerate().filter(|(at, _)| *at != left_out);
        let others = others.map(|(_, line)| line.as_str());
        let path = sealed(folder.path(), others);
        assert!(!accepted(&path), "line {left_out}");
    }
    let added = lines.iter().map(String::as_str).chain(["a1"]);
    assert!(!accepted(&sealed(folder.path(), added)));
}

/// Another move may do as well as the one that is listed; the checkers agree on each.
#[test]
fn both_agree_on_other_moves() {
    let folder = tempfile::tempdir().unwrap();
    let lines = certificate(folder.path(), "tictactoe", &["--position", "xo1/3/3 x"]);
    let (mut as_good, mut refused) = (0, 0);
    for at in 5..lines.len() {
        for square in ["a1", "b2", "c1"] {
            let mut changed: Vec<&str> = lines.iter().map(String::as_str).collect();
            changed[at] = square;
            match accepted(&sealed(folder.path(), changed)) {
                true => as_good += 1,
                false => refused += 1,
            }
        }
    }
    assert!(as_good > 0 && refused > 0, "{as_good}, {refused}");
}

#[test]
fn flipped_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (spec, flips) in [
        (
            "mnk:4,3,3",
            [("value win", "value loss"), ("strategy X", "strategy O")],
        ),
        (
            "breakthrough:3x4",
            [
                ("value loss", "value win"),
                ("strategy Black", "strategy White"),
            ],
        ),
        // A strategy to draw goes round, one to win must not.
        (
            "doguti",
            [
                ("value draw", "value win"),
                ("strategy White draw", "strategy White win"),
            ],
        ),
    ] {
        let lines = certificate(folder.path(), spec, &[]);
        let flipped = |line: &String| {
            let flip = |line: String, (from, to)| line.replace(from, to);
            flips.into_iter().fold(line.clone(), flip)
        };
        let flipped: Vec<String> = lines.iter().map(flipped).collect();
        assert_ne!(flipped, lines);
        let changed = flipped.iter().map(String::as_str);
        assert!(!accepted(&sealed(folder.path(), changed)), "{spec}");
    }
}

#[test]
fn damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), "doguti", &[]);
    let bytes = fs::read(folder.path().join("a.cert")).unwrap();
    let path = folder.path().join("damaged.cert");
    for damaged in [
        &bytes[..bytes.len() - 1],
        &bytes[..bytes.len() / 2],
        &[&bytes[..], b"a1\n"].concat(),
        &[&bytes[..], &bytes].concat(),
        &bytes.to_ascii_uppercase(),
        b"",
        b"\xff\n",
    ] {
        fs::write(&path, damaged).unwrap();
        assert!(!accepted(&path));
    }
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, damaged).unwrap();
        assert!(!accepted(&path), "byte {at}");
    }
}

/// A move that is not legal, an end that is worth too little, and a second end.
#[test]
fn false_certificates_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let judged = |position: &str, rest: &[&str]| {
        let position = format!("position {position}");
        let head = ["tabia certificate 1", "game tictactoe", &position];
        accepted(&sealed(folder.path(), [&head[..], rest].concat()))
    };
    let won = "xx1/oo1/3 x";
    let line = ["value win", "strategy X win", "c3"];
    assert!(judged(won, &line));
    assert!(!judged(won, &["value win", "strategy X win", "a3"]));
    assert!(!judged(won, &[&line[..], &["end 00"]].concat()));
    // One square is left, and nobody has a row.
    let full = "xox/xoo/ox1 x";
    assert!(judged(
        full,
        &["value draw", "strategy X draw", "c1", "strategy O draw"]
    ));
    assert!(!judged(full, &["value win", "strategy X win", "c1"]));
    assert!(!judged(full, &["value loss", "strategy O win"]));
}

/// What the program cannot judge it does not refuse.
#[test]
fn what_the_program_does_not_know_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let status = |lines: &[&str]| {
        let path = sealed(folder.path(), lines.iter().copied());
        python(&path).0
    };
    let head = [
        "tabia certificate 1",
        "game tictactoe",
        "position xx1/oo1/3 x",
        "value win",
    ];
    let strategy = ["strategy X win", "c3"];
    let table = ["table tictactoe/all 00"];
    assert_eq!(status(&[&head[..], &strategy].concat()), 0);
    assert_eq!(status(&[&head[..], &table, &strategy].concat()), 2);
    let elsewhere = [head[0], "game dao", head[2], head[3]];
    assert_eq!(status(&[&elsewhere[..], &strategy].concat()), 2);
    assert_eq!(python(&folder.path().join("none.cert")).0, 2);
}

#[test]
fn the_program_is_short() {
    let source = include_str!("../../../examples/certificates/check.py");
    assert!(source.lines().count() <= 300);
}
