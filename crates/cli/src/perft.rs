//! `tabia perft`: count the leaves of the game tree.

use std::time::{Duration, Instant};

use serde_json::json;
use tabia_game::Limits;

use crate::arguments::PositionArguments;
use crate::console::{Console, grouped, rate, seconds};
use crate::failure::Interrupted;
use crate::interrupt::cancel_on_interrupt;

/// Count the move sequences of each length, the classic test of a move generator
///
/// Games that end earlier do not count, and the repetition rule is left aside.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, counts (for depths 1, 2, ...), times (seconds for each depth),
seconds (together), complete (false after Ctrl-C).

Examples:
  tabia perft tictactoe --depth 9
  tabia perft mnk:7,7,5 --depth 4 --threads 2")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

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
        console.print_json(&json!({
            "game": opened.spec,
            "position": opened.session.position(),
            "counts": done.iter().map(|(leaves, _)| leaves).collect::<Vec<_>>(),
            "times": done.iter().map(|(_, time)| time.as_secs_f64()).collect::<Vec<_>>(),
            "seconds": started.elapsed().as_secs_f64(),
            "complete": complete,
        }))?;
    }
    if complete {
        Ok(())
    } else {
        Err(Interrupted.into())
    }
}

fn row(depth: &str, leaves: &str, time: &str, rate: &str) -> String {
    let line = format!("{depth:>5}  {leaves:>26}  {time:>12}  {rate:>16}");
    format!("{}\n", line.trim_end())
}
