//! `tabia cgt run`: a whole file of sums, each with questions and perhaps the answers that are
//! expected.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};
use tabia_catalog::sums::file::{Case, Question, read};
use tabia_catalog::sums::{Config, SumError, SumEvaluator, SumSolver};
use tabia_catalog::{read_text, read_text_from};
use tabia_game::{Limits, Player};

use super::Timeout;
use super::solve::bytes;
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

    /// Memory for what has been searched, such as 512M
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    memory: u64,

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
    nodes: u64,
}

/// Not all answers were as expected.
#[derive(Debug, thiserror::Error)]
#[error("{failed} of {cases} answers differ from what was expected, and {unsolved} were not found")]
struct Differences {
    cases: usize,
    failed: usize,
    unsolved: usize,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let text = if arguments.file.as_os_str() == "-" {
        read_text_from(std::io::stdin())?
    } else {
        read_text(&arguments.file)
            .map_err(|error| bad_request(format!("{}: {error}", arguments.file.display())))?
    };
    let cases = read(&text)
        .map_err(|error| bad_request(format!("{}: {error}", arguments.file.display())))?;
    let cancel = cancel_on_interrupt();
    let limits = arguments.timeout.limits(&cancel);
    let config = Config {
        table: arguments.memory,
        threads: arguments.threads.number(),
        ..Config::default()
    };
    let (mut winner, mut worth) = (SumSolver::new(config), SumEvaluator::new());
    let mut results = Vec::new();
    let (mut passed, mut failed, mut unsolved) = (0, 0, 0);
    for case in &cases {
        let spinner = console.spinner(format!("line {}: {}", case.line, case.text));
        let started = Instant::now();
        let answer = answered(case, &mut winner, &mut worth, &limits);
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
        let nodes = match (&answer, &case.question) {
            (Ok(answer), _) => answer.nodes,
            (Err(_), Question::Nimber(_)) => 0,
            (Err(_), _) => winner.spent(),
        };
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

fn answered(
    case: &Case,
    winner: &mut SumSolver,
    worth: &mut SumEvaluator,
    limits: &Limits,
) -> Result<Answered, SumError> {
    let result = |wins: bool| if wins { "win" } else { "loss" }.to_string();
    Ok(match case.question {
        Question::Wins(player, expected) => {
            let found = winner.wins(&case.sum, player, limits)?;
            Answered {
                result: result(found.wins),
                expected: expected.map(result),
                passed: expected.is_none_or(|expected| expected == found.wins),
                nodes: found.nodes,
            }
        }
        Question::Nimber(expected) => {
            let (nimber, nodes) = worth.nimber(&case.sum, limits)?;
            Answered {
                result: nimber.to_string(),
                expected: expected.map(|number| number.to_string()),
                passed: expected.is_none_or(|expected| expected == nimber),
                nodes,
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
                nodes: winner.spent(),
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
