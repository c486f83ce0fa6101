//! `tabia train othello` and `tabia train rolit`: weights of patterns.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use serde_json::json;
use tabia_game::Seed;
use tabia_lab::training::reversi::{Patterns, Schedule, Training};

use super::{Arguments, write};
use crate::console::{Console, grouped, seconds};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Openings from which what was learnt plays against the hand-made evaluation.
const OPENINGS: u64 = 1000;

pub fn run(console: &Console, arguments: &Arguments, game: &str) -> anyhow::Result<()> {
    let seed = Seed::new(arguments.seed);
    let training = match &arguments.from {
        Some(file) => read(file, game, seed)?,
        None => Training::new(game, seed),
    };
    let mut training =
        training.ok_or_else(|| bad_request(format!("'{game}' has no patterns to be learnt")))?;
    let schedule = Schedule {
        games: arguments.games as usize,
        generations: arguments.generations as usize,
        rate: arguments.rate.unwrap_or([0.2, 0.01]),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.number())
        .build()
        .context("threads cannot be started")?;
    let cancel = cancel_on_interrupt();
    let progress = Progress::new("training", schedule.generations as u64);
    let started = Instant::now();
    let (mut samples, mut error) = (0, 0.0);
    let tenth = schedule.generations.div_ceil(10);
    for number in 0..schedule.generations {
        let learnt = pool.install(|| training.generation(&schedule, number, &cancel));
        let Some((more, last)) = learnt else {
            progress.finish();
            return Err(Interrupted.into());
        };
        samples += more;
        error = last;
        progress.step();
        progress.tell(format!("error {error:.2}"));
        if (number + 1) % tenth == 0 || number + 1 == schedule.generations {
            write(&arguments.output, &training.learnt().to_bytes())?;
        }
    }
    progress.finish();
    let time = started.elapsed();
    let luck = seed.split("comparison");
    let (gain, deviation) = pool.install(|| training.against_corners(OPENINGS, luck));
    let games = u64::from(arguments.games) * u64::from(arguments.generations);
    if console.json {
        return console.print_json(&json!({
            "game": game,
            "output": arguments.output.display().to_string(),
            "games": games,
            "generations": arguments.generations,
            "seed": arguments.seed,
            "seconds": time.as_secs_f64(),
            "samples": samples,
            "error": error,
            "against_corners": { "gain": gain, "standard_error": deviation },
        }));
    }
    console.print(&format!(
        "{} games, {} samples, {}\nmean squared error {error:.2} pieces\nagainst the hand-made evaluation: {:+.1} ± {:.1} % of wins beyond a fair share\nwritten to {}\n",
        grouped(games),
        grouped(samples as u64),
        seconds(time),
        100.0 * gain,
        100.0 * deviation,
        arguments.output.display(),
    ))
}

/// Goes on with the weights of a file.
fn read(file: &Path, game: &str, seed: Seed) -> anyhow::Result<Option<Training>> {
    let shown = file.display();
    let bytes = std::fs::read(file)
        .map_err(|error| bad_request(format!("'{shown}' cannot be read: {error}")))?;
    let patterns = Patterns::from_bytes(&bytes)
        .map_err(|error| bad_request(format!("'{shown}' holds no weights of patterns: {error}")))?;
    if patterns.game() != game {
        return Err(bad_request(format!(
            "'{shown}' holds weights of {}, not of {game}",
            patterns.game()
        )));
    }
    Ok(Training::of(patterns, seed))
}
