//! `tabia cgt solve`: who wins a sum, by search.

use serde_json::json;
use tabia_catalog::sums::{Config, SumSolver};
use tabia_game::Player;

use super::{Memory, Timeout, failed_after, read_sum};
use crate::arguments::Threads;
use crate::console::{Console, grouped};
use crate::interrupt::cancel_on_interrupt;

/// Who wins a sum, by search of its parts
///
/// Parts that are small are replaced by their values, the others are searched; the whole sum need
/// not have a value that fits in memory.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: first (left or right), wins (whether the one who moves first wins), winner (left or right),
nodes, seconds, winning_moves (or null; lists of the number of the position, counted from one, and
the move).

Examples:
  tabia cgt solve \"clobber:XOXO|OXOX\" --first left
  tabia cgt solve \"domineering:....|....\" toads:TT.FF \"*\" --first right --moves")]
pub struct Arguments {
    /// What is played; several are added up
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,

    /// Who moves first
    #[arg(long, value_name = "WHO", default_value = "left")]
    first: Side,

    /// List the moves that win
    #[arg(long)]
    moves: bool,

    /// Parts with more moves than this, of both players together, are searched instead of valued;
    /// as many as pays unless it is said
    #[arg(long, value_name = "N")]
    valued: Option<u32>,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    timeout: Timeout,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub fn player(self) -> Player {
        match self {
            Side::Left => Player::FIRST,
            Side::Right => Player::SECOND,
        }
    }

    pub fn name(player: Player) -> &'static str {
        ["left", "right"][player.index() % 2]
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let sum = read_sum(&arguments.specs)?;
    let cancel = cancel_on_interrupt();
    let limits = arguments.timeout.limits(&cancel);
    let mut winner = SumSolver::new(Config {
        valued: arguments.valued,
        memory: arguments.memory.memory,
        threads: arguments.threads.number(),
    });
    let spinner = console.spinner("searching".to_string());
    let started = std::time::Instant::now();
    let mover = arguments.first.player();
    let answer = winner.wins(&sum, mover, &limits);
    let moves = match (&answer, arguments.moves) {
        (Ok(_), true) => Some(winner.winning_moves(&sum, mover, &limits)),
        _ => None,
    };
    spinner.finish_and_clear();
    let nodes = winner.spent();
    let answer = answer.map_err(|error| failed_after(error, nodes, &cancel))?;
    let moves = moves
        .transpose()
        .map_err(|error| failed_after(error, nodes, &cancel))?;
    let seconds = started.elapsed().as_secs_f64();
    let last = if answer.wins { mover } else { mover.other() };
    if console.json {
        return console.print_json(&json!({
            "first": Side::name(mover),
            "wins": answer.wins,
            "winner": Side::name(last),
            "nodes": answer.nodes,
            "seconds": seconds,
            "winning_moves": moves,
        }));
    }
    let mut text = format!(
        "{} moves first and {}\n",
        capitalised(Side::name(mover)),
        if answer.wins { "wins" } else { "loses" }
    );
    for (number, mv) in moves.iter().flatten() {
        text += &format!("  {mv} in position {number}\n");
    }
    text += &format!("{} nodes, {seconds:.3} s\n", grouped(answer.nodes));
    console.print(&text)
}

pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
