//! `tabia cgt run`: a whole file of sums, each with questions and perhaps the answers that are
//! expected.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use tabia_catalog::sums::file::{Case, Question, read};
use tabia_catalog::sums::{Config, SumError, SumSolver};
use tabia_game::{Limits, Player};

use super::{Memory, Timeout};
use crate::arguments::Threads;
use crate::console::{Console, grouped};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;

/// Answer all questions of a file of sums
///
/// The file has sections such as `[clobber]`, games, and command blocks such as `{B win, W loss}`,
/// which ask about the sum of the games before them: does Black (or White), moving first, win; `N`
/// asks for the nimber, and `winning moves B` for moves. Where an answer is expected, a different
/// one makes the exit status 1.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: cases, passed, failed, unsolved, results (a list: line, sum, question, result, expected,
passed, nodes, seconds). A case without an expected answer passes if it is answered.

Examples:
  tabia cgt run sums.txt
  tabia cgt run sums.txt --timeout 60 --json")]
pub struct Arguments {
    /// The file; `-` for standard input
    file: PathBuf,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    timeout: Timeout,
}

/// An answer as it is told, what was expected, and whether it was right.
struct Answered {
    result: String,
    expected: Option<String>,
    passed: bool,
}

/// Not all answers were as expected.
#[derive(Debug, thiserror::Error)]
#[error("{failed} of {cases} answers differ from what was expected, and {unsolved} were not found")]
struct Differences {
    cases: usize,
    failed: usize,
    unsolved: usize,
}

/// Files larger than this are refused.
const MAX_FILE: u64 = 16 << 20;

/// The text of a file, `-` being standard input.
fn contents(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let unread = |error: io::Error| bad_request(format!("{name}: {error}"));
    let mut text = Vec::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().take(MAX_FILE + 1).read_to_end(&mut text)
    } else {
        let file = File::open(file).map_err(unread)?;
        file.take(MAX_FILE + 1).read_to_end(&mut text)
    };
    if read.map_err(unread)? as u64 > MAX_FILE {
        return Err(bad_request(format!(
            "{name}: the file is too large: a file of sums has {} MB at most",
            MAX_FILE >> 20
        )));
    }
    String::from_utf8(text).map_err(|_| bad_request(format!("{name}: the file is no UTF-8 text")))
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let text = contents(&arguments.file)?;
    let cases = read(&text)
        .map_err(|error| bad_request(format!("{}: {error}", arguments.file.display())))?;
    let cancel = cancel_on_interrupt();
    let limits = arguments.timeout.limits(&cancel);
    let config = Config {
        memory: arguments.memory.memory,
        threads: arguments.threads.number(),
        ..Config::default()
    };
    let mut winner = SumSolver::new(config);
    let mut results = Vec::new();
    let (mut passed, mut failed, mut unsolved) = (0, 0, 0);
    for case in &cases {
        let spinner = console.spinner(format!("line {}: {}", case.line, case.text));
        let started = Instant::now();
        let answer = answered(case, &mut winner, &limits);
        spinner.finish_and_clear();
        let seconds = started.elapsed().as_secs_f64();
        if cancel.is_cancelled() {
            return Err(Interrupted.into());
        }
        match &answer {
            Ok(answer) if answer.passed => passed += 1,
            Ok(_) => failed += 1,
            Err(_) => unsolved += 1,
        }
        let nodes = winner.spent();
        if !console.json {
            console.print(&line(case, &answer, nodes, seconds))?;
        }
        results.push(as_json(case, &answer, nodes, seconds));
    }
    let cases = cases.len();
    if console.json {
        console.print_json(&json!({
            "cases": cases,
            "passed": passed,
            "failed": failed,
            "unsolved": unsolved,
            "results": results,
        }))?;
    } else {
        console.print(&format!(
            "{cases} cases: {passed} passed, {failed} failed, {unsolved} not solved\n"
        ))?;
    }
    match failed + unsolved {
        0 => Ok(()),
        _ => Err(Differences {
            cases,
            failed,
            unsolved,
        }
        .into()),
    }
}

fn answered(case: &Case, winner: &mut SumSolver, limits: &Limits) -> Result<Answered, SumError> {
    let result = |wins: bool| if wins { "win" } else { "loss" }.to_string();
    Ok(match case.question {
        Question::Wins(player, expected) => {
            let found = winner.wins(&case.sum, player, limits)?;
            Answered {
                result: result(found.wins),
                expected: expected.map(result),
                passed: expected.is_none_or(|expected| expected == found.wins),
            }
        }
        Question::Nimber(expected) => {
            let nimber = winner.nimber(&case.sum, limits)?;
            Answered {
                result: nimber.to_string(),
                expected: expected.map(|number| number.to_string()),
                passed: expected.is_none_or(|expected| expected == nimber),
            }
        }
        Question::WinningMoves(player) => {
            let player = player.unwrap_or(Player::FIRST);
            let moves = winner.winning_moves(&case.sum, player, limits)?;
            let told: Vec<String> = moves
                .iter()
                .map(|(number, mv)| format!("{number}:{mv}"))
                .collect();
            Answered {
                result: told.join(" "),
                expected: None,
                passed: true,
            }
        }
    })
}

fn asked(question: &Question) -> String {
    let side = |player: &Player| ["B", "W"][player.index() % 2];
    match question {
        Question::Wins(player, _) => side(player).to_string(),
        Question::Nimber(_) => "N".to_string(),
        Question::WinningMoves(player) => {
            format!("winning moves {}", player.as_ref().map_or("N", side))
        }
    }
}

fn line(case: &Case, answer: &Result<Answered, SumError>, nodes: u64, seconds: f64) -> String {
    let cost = format!("({} nodes, {seconds:.3} s)", grouped(nodes));
    let what = format!("line {} {}: ", case.line, asked(&case.question));
    match answer {
        Ok(answer) => {
            let wrong = match (&answer.expected, answer.passed) {
                (Some(expected), false) => format!(", EXPECTED {expected}"),
                _ => String::new(),
            };
            format!("{what}{}{wrong} {cost}\n", answer.result)
        }
        Err(error) => format!("{what}not solved: {error} {cost}\n"),
    }
}

fn as_json(case: &Case, answer: &Result<Answered, SumError>, nodes: u64, seconds: f64) -> Value {
    let answer = answer.as_ref();
    json!({
        "line": case.line,
        "sum": case.text,
        "question": asked(&case.question),
        "result": answer.map_or_else(|error| format!("not solved: {error}"), |a| a.result.clone()),
        "expected": answer.ok().and_then(|a| a.expected.clone()),
        "passed": answer.is_ok_and(|a| a.passed),
        "nodes": nodes,
        "seconds": seconds,
    })
}
