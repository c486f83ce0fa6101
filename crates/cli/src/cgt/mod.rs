//! `tabia cgt`: values of combinatorial games, and who wins their sums.

mod compare;
mod nimber;
mod period;
mod play;
mod run;
mod score;
mod solve;
mod thermograph;
mod value;

use std::time::Duration;

use tabia_catalog::sums::{SumError, Summands};
use tabia_game::options::parse_bytes;
use tabia_game::{Cancel, Limits};

use crate::console::{Console, grouped};
use crate::failure::{Interrupted, bad_request};

/// Values of combinatorial games, and who wins their sums
///
/// A SPEC is one or more summands joined by ` + `. A summand is a value in the usual notation, or
/// the name of a game, a colon and a position. The games are those of docs/combinatorial.md, octal
/// games such as octal.137 included; `impartial` before the name lets both players make the moves
/// of both. Left is Black and has `X`, Right is White and has `O`. A SPEC that begins with a minus
/// sign goes after `--`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia cgt value toads:TT.F                  {1/2|0}
  tabia cgt value \"{10|0||-1}\"
  tabia cgt value \"domineering:...|...\" + \"*2\"
  tabia cgt nimber octal.137:9,4 nodekayles:star:310,1,1 --moves
  tabia cgt period nodekayles:star:_,1,1
  tabia cgt compare \"^\" \"*\"
  tabia cgt thermograph \"amazons:X..|..O\" --svg room.svg
  tabia cgt solve \"clobber:XOXO|OXOX\" --first left
  tabia cgt run sums.txt
  tabia cgt play \"domineering:...|...\" toads:TT.FF --seat left=human --seat right=exact
  tabia cgt score \"114|66||49|0\" \"10|0||-1\"")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Value(value::Arguments),
    Nimber(nimber::Arguments),
    Period(period::Arguments),
    Compare(compare::Arguments),
    Thermograph(thermograph::Arguments),
    Solve(solve::Arguments),
    Run(run::Arguments),
    Play(play::Arguments),
    Score(score::Arguments),
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Value(arguments) => value::run(console, arguments),
        Command::Nimber(arguments) => nimber::run(console, arguments),
        Command::Period(arguments) => period::run(console, arguments),
        Command::Compare(arguments) => compare::run(console, arguments),
        Command::Thermograph(arguments) => thermograph::run(console, arguments),
        Command::Solve(arguments) => solve::run(console, arguments),
        Command::Run(arguments) => run::run(console, arguments),
        Command::Play(arguments) => play::run(console, arguments),
        Command::Score(arguments) => score::run(console, arguments),
    }
}

/// How long work may take.
#[derive(clap::Args)]
struct Timeout {
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl Timeout {
    fn limits(&self, cancel: &Cancel) -> Limits {
        Limits {
            time: self.timeout,
            cancel: cancel.clone(),
            ..Limits::default()
        }
    }
}

/// How much memory work may take.
#[derive(clap::Args)]
struct Memory {
    /// Memory for what is found on the way, such as 2G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    memory: u64,
}

fn bytes(text: &str) -> Result<u64, String> {
    let bytes = parse_bytes(text).filter(|bytes| (1 << 20..=1 << 40).contains(bytes));
    bytes.ok_or_else(|| "a number of bytes from 1M to 1T, such as 512M".to_string())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "a number of seconds".to_string())
}

/// All specs of a command as one sum; a plus between them may be left out.
fn read_sum(specs: &[String]) -> anyhow::Result<Summands> {
    let words = specs.iter().filter(|spec| spec.trim() != "+");
    let mut sum = Summands::default();
    for spec in words {
        sum = sum.plus(&read_one(spec)?);
    }
    Ok(sum)
}

fn read_one(spec: &str) -> anyhow::Result<Summands> {
    Summands::read(spec).map_err(|error| bad_request(error.to_string()))
}

/// The error of a computation, with the status that belongs to it.
fn failed(error: SumError, cancel: &Cancel) -> anyhow::Error {
    if error.is_bad_request() {
        bad_request(error.to_string())
    } else if error.is_stopped() && cancel.is_cancelled() {
        Interrupted.into()
    } else if error.lacks_memory() {
        anyhow::anyhow!("{error}; --memory allows more")
    } else {
        error.into()
    }
}

/// The same of a search, with the nodes that it came to if it was stopped.
fn failed_after(error: SumError, nodes: u64, cancel: &Cancel) -> anyhow::Error {
    let stopped = error.is_stopped();
    let failure = failed(error, cancel);
    match stopped {
        true => failure.context(format!("not solved after {} nodes", grouped(nodes))),
        false => failure,
    }
}
