//! `tabia perft`: count the leaves of the game tree.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabia_game::{Limits, MAX_DISTINCT, NotCounted};

use crate::arguments::{OpenedGame, PositionArguments};
use crate::console::{Console, grouped, rate, seconds};
use crate::failure::Interrupted;
use crate::interrupt::cancel_on_interrupt;

/// Count the move sequences of each length, the classic test of a move generator
///
/// Games that end earlier do not count, and the repetition rule is left aside. With --distinct the
/// positions are counted to which these sequences lead, each once.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, counts (for depths 1, 2, ...), times (seconds for each depth),
seconds (together), complete (false after Ctrl-C), distinct (whether positions were
counted).

Examples:
  tabia perft tictactoe --depth 9
  tabia perft tictactoe --depth 9 --distinct
  tabia perft mnk:7,7,5 --depth 4 --threads 2")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Count distinct positions instead of sequences of moves
    #[arg(long, conflicts_with = "threads")]
    distinct: bool,

    /// Number of threads
    #[arg(short, long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    let limits = Limits {
        cancel: cancel_on_interrupt(),
        ..Limits::default()
    };
    if arguments.distinct {
        return count_distinct(console, arguments, &opened, &limits);
    }
    if !console.json {
        console.print(&row("depth", "leaves", "time", "leaves/s"))?;
    }
    let started = Instant::now();
    let mut done: Vec<(u64, Duration)> = Vec::new();
    let mut complete = true;
    for depth in 1..=arguments.depth {
        let spinner = console.spinner(format!("depth {depth}"));
        let depth_started = Instant::now();
        let counted = opened
            .session
            .perft(depth, usize::from(arguments.threads), &limits);
        spinner.finish_and_clear();
        let Ok(leaves) = counted else {
            complete = false;
            break;
        };
        let time = depth_started.elapsed();
        done.push((leaves, time));
        if !console.json {
            let rate = rate(leaves, time).unwrap_or_default();
            let depth = depth.to_string();
            console.print(&row(&depth, &grouped(leaves), &seconds(time), &rate))?;
        }
    }
    if console.json {
        console.print_json(&as_json(&opened, &done, started.elapsed(), complete, false))?;
    }
    if complete {
        Ok(())
    } else {
        Err(Interrupted.into())
    }
}

/// The same for distinct positions, all depths in one go.
fn count_distinct(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    limits: &Limits,
) -> anyhow::Result<()> {
    if !console.json {
        console.print(&row("depth", "positions", "time", "positions/s"))?;
    }
    let started = Instant::now();
    let mut last = started;
    let mut done: Vec<(u64, Duration)> = Vec::new();
    let mut printed = Ok(());
    let spinner = console.spinner("counting".to_string());
    let mut tell = |positions: u64| {
        let time = last.elapsed();
        last = Instant::now();
        done.push((positions, time));
        if !console.json && printed.is_ok() {
            let rate = rate(positions, time).unwrap_or_default();
            let depth = done.len().to_string();
            let row = row(&depth, &grouped(positions), &seconds(time), &rate);
            printed = spinner.suspend(|| console.print(&row));
        }
    };
    let counted = opened.session.distinct(arguments.depth, limits, &mut tell);
    spinner.finish_and_clear();
    printed?;
    if console.json {
        let complete = counted.is_ok();
        console.print_json(&as_json(opened, &done, started.elapsed(), complete, true))?;
    }
    match counted {
        Ok(()) => Ok(()),
        Err(NotCounted::Stopped) => Err(Interrupted.into()),
        Err(NotCounted::TooMany) => Err(anyhow::anyhow!(
            "depth {} has more than {} distinct positions, the most that are held in memory",
            done.len() + 1,
            grouped(MAX_DISTINCT as u64)
        )),
    }
}

fn as_json(
    opened: &OpenedGame,
    done: &[(u64, Duration)],
    time: Duration,
    complete: bool,
    distinct: bool,
) -> Value {
    json!({
        "game": opened.spec,
        "position": opened.session.position(),
        "counts": done.iter().map(|(count, _)| count).collect::<Vec<_>>(),
        "times": done.iter().map(|(_, time)| time.as_secs_f64()).collect::<Vec<_>>(),
        "seconds": time.as_secs_f64(),
        "complete": complete,
        "distinct": distinct,
    })
}

fn row(depth: &str, leaves: &str, time: &str, rate: &str) -> String {
    let line = format!("{depth:>5}  {leaves:>26}  {time:>12}  {rate:>16}");
    format!("{}\n", line.trim_end())
}
