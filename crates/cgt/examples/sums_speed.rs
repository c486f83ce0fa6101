//! Boards solved as sums, with what they cost: nodes, seconds of the processor and seconds on the
//! clock, on one thread and on two, or on as many as asked for.
//!
//! Boards are named by game and size, such as `clobber:5x5`; Clobber is chequered, the others are
//! empty:
//!
//! ```text
//! cargo run --release -p tabia-cgt --example sums_speed -- 1,2 clobber:5x5 domineering:7x7
//! ```

use std::time::{Duration, Instant};

use tabia_cgt::sums::{Config, Solver, Sum, Won};
use tabia_combinatorial::Cells;
use tabia_combinatorial::clobber::Clobber;
use tabia_combinatorial::domineering::Domineering;
use tabia_combinatorial::nogo::NoGo;
use tabia_game::{Combinatorial, Limits, Player};

const BOARDS: [&str; 6] = [
    "domineering:6x6",
    "domineering:7x7",
    "clobber:1x50",
    "clobber:4x5",
    "clobber:5x5",
    "nogo:4x4",
];

/// The time that all threads have had a processor; Linux tells it in hundredths of a second.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = told.rsplit_once(')')?;
    let ticks = |place| fields.split_whitespace().nth(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

fn solve<R: Combinatorial + Clone>(
    rules: R,
    board: R::Position,
    name: &str,
    threads: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let config = Config {
        threads,
        ..Config::default()
    };
    let mut solver = Solver::new(rules, config);
    let sum = Sum {
        positions: &[board],
        values: &[],
    };
    let (clock, before) = (Instant::now(), processor_time());
    let won = solver.wins(sum, Player::FIRST, &Limits::default())?;
    let wall = clock.elapsed().as_secs_f64();
    let spent = before.zip(processor_time());
    let spent = spent.map_or(f64::NAN, |(before, now)| (now - before).as_secs_f64());
    let Won { wins, nodes } = won;
    println!(
        "{name:16} {threads} threads: {} wins, {nodes:>10} nodes, {spent:>8.2} s of processor, \
         {wall:>8.2} s",
        if wins { "first" } else { "second" },
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut asked = std::env::args().skip(1);
    let threads = asked.next().unwrap_or_else(|| "1,2".to_string());
    let mut boards: Vec<String> = asked.collect();
    if boards.is_empty() {
        boards = BOARDS.map(str::to_string).to_vec();
    }
    for name in &boards {
        let (game, size) = name.split_once(':').ok_or("a board is game:WxH")?;
        let (width, height) = size.split_once('x').ok_or("a size is WxH")?;
        let (width, height) = (width.parse()?, height.parse()?);
        for threads in threads.split(',') {
            let threads = threads.parse()?;
            match game {
                "clobber" => solve(Clobber, Clobber::chequered(width, height)?, name, threads)?,
                "domineering" => solve(Domineering, Cells::new(width, height)?, name, threads)?,
                "nogo" => solve(NoGo, Cells::new(width, height)?, name, threads)?,
                _ => return Err(format!("no boards of '{game}'").into()),
            }
        }
    }
    Ok(())
}
