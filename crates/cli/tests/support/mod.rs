//! Running the command and looking at what it said.

#![allow(clippy::unwrap_used, dead_code)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What came of a run.
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tabia"));
    command.args(args).env_remove("NO_COLOR");
    command
}

pub fn run_with_input(args: &[&str], input: &str) -> Run {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has no need of its input may be gone before it was written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let run = Run {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!run.err.contains("panicked"), "{args:?}: {}", run.err);
    assert!(!run.out.contains('\x1b'), "colours in a pipe");
    run
}

pub fn run(args: &[&str]) -> Run {
    run_with_input(args, "")
}

/// The standard output of a run that succeeds and complains of nothing.
pub fn text(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{args:?}");
    run.out
}

/// The same with `--json`.
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).unwrap()
}

/// The complaint of a run that is refused as a bad request and prints nothing else.
pub fn refusal(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!(
        (run.status, run.out.as_str()),
        (2, ""),
        "{args:?}: {}",
        run.err
    );
    assert!(run.err.starts_with("error: "), "{args:?}: {}", run.err);
    run.err
}
