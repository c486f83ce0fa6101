//! `tabia train`: an evaluation learnt by self-play.

mod patterns;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use serde_json::json;
use tabia_game::Seed;
use tabia_game::options::split_spec;
use tabia_lab::training::backgammon::{Schedule, Training, compare};

use crate::arguments::Threads;
use crate::console::{Console, grouped, seconds};
use crate::failure::{Interrupted, bad_request};
use crate::files::{Whole, check_writable};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Learn to evaluate a game by self-play
///
/// Backgammon has networks for contact, crashed and race positions, learnt by temporal
/// differences (Tesauro 1995); an engine uses them by `network=FILE`. Othello and Rolit have weights of patterns (Buro 2003), learnt
/// from how games ended; an engine uses them by `patterns=FILE`. What is learnt plays against itself, generation by
/// generation, and learns from every position. It is written to the file after each tenth of the way
/// and at the end; Ctrl-C keeps what was written last. The same seed gives the same
/// file on any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, output, games, generations, seed, seconds, samples, classes (class, samples, error of
the last generation), start (the chances at the start position: win, win_gammon, win_backgammon,
lose_gammon, lose_backgammon), against_before (mean points a game against the networks it began with,
standard_error).
Of Othello and Rolit: game, output, games, generations, seed, seconds, samples, error (mean squared, of the last
generation, in pieces), against_corners (gain: the share of wins against the hand-made evaluation beyond a fair one, standard_error).

Examples:
  tabia train othello --output othello.pat
  tabia train rolit --output rolit.pat --games 2000 --generations 100
  tabia train backgammon --output my.net --games 200 --generations 100
  tabia train backgammon --output better.net --from my.net --luckless --lambda 1,1 \\
        --rate 0.0003,0.00003 --games 100 --generations 300
  tabia match backgammon --player star2:depth=1,network=better.net --player gnubg --paired")]
pub struct Arguments {
    /// The game: backgammon, othello or rolit
    game: String,

    /// The file to write the networks to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Go on with the networks of this file; they may have fewer features or units
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Games of a generation
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    games: u32,

    /// Generations
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    generations: u32,

    /// Samples of a step of gradient descent; of backgammon only
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// How far steps go, in the first and in the last generation: 0.0015,0.0003 for backgammon and 0.2,0.01 for
    /// patterns if nothing is said
    #[arg(long, value_name = "FIRST,LAST", value_parser = rates)]
    rate: Option<[f32; 2]>,

    /// How much later values count (the lambda of temporal differences), in the first and in the last
    /// generation; of backgammon only
    #[arg(long, value_name = "FIRST,LAST", default_value = "0.7,0", value_parser = shares)]
    lambda: [f32; 2],

    /// Take the luck of the dice out of what is learnt from; twenty times as slow and much truer. Of backgammon only
    #[arg(long)]
    luckless: bool,

    /// How much the mean of the weights keeps from one generation to the next; the mean is what is written. 0 writes
    /// the weights of the last generation. Of backgammon only
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    average: f32,

    /// Everything random follows from it
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,
}

fn two(text: &str, fits: fn(f32) -> bool) -> Option<[f32; 2]> {
    let (first, last) = text.split_once(',')?;
    let both = [first.trim().parse().ok()?, last.trim().parse().ok()?];
    both.into_iter().all(fits).then_some(both)
}

fn rates(text: &str) -> Result<[f32; 2], String> {
    two(text, |rate| rate > 0.0 && rate <= 1.0)
        .ok_or_else(|| "two numbers above 0 and up to 1, such as 0.001,0.0001".to_string())
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok();
    share
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| "a number from 0 to less than 1, such as 0.95".to_string())
}

fn shares(text: &str) -> Result<[f32; 2], String> {
    two(text, |share| (0.0..=1.0).contains(&share))
        .ok_or_else(|| "two numbers from 0 to 1, such as 0.7,0".to_string())
}

/// Pairs of games in which new networks are compared with those of the beginning.
const PAIRS: u64 = 1000;

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let (name, options) = split_spec(arguments.game.trim());
    if !["backgammon", "othello", "rolit"].contains(&name) || !options.is_empty() {
        return Err(bad_request(format!(
            "'{}' cannot be learnt; backgammon, othello and rolit can, without options",
            arguments.game
        )));
    }
    check_writable(&arguments.output)?;
    if name != "backgammon" {
        return patterns::run(console, arguments, name);
    }
    let seed = Seed::new(arguments.seed);
    let mut training = match &arguments.from {
        Some(file) => read(file, seed)?,
        None => Training::new(seed),
    };
    let schedule = Schedule {
        games: arguments.games as usize,
        generations: arguments.generations as usize,
        batch: arguments.batch as usize,
        rate: arguments.rate.unwrap_or([0.0015, 0.0003]),
        lambda: arguments.lambda,
        luckless: arguments.luckless,
        average: arguments.average,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.number())
        .build()
        .context("threads cannot be started")?;
    let cancel = cancel_on_interrupt();
    let progress = Progress::new("training", schedule.generations as u64);
    let started = Instant::now();
    let before = training.learnt().clone();
    let (mut samples, mut last) = (0, [(0, 0.0); 3]);
    let tenth = schedule.generations.div_ceil(10);
    for number in 0..schedule.generations {
        let learnt = pool.install(|| training.generation(&schedule, number, &cancel));
        let Some(learnt) = learnt else {
            progress.finish();
            return Err(Interrupted.into());
        };
        last = learnt;
        samples += last.iter().map(|(n, _)| n).sum::<usize>();
        progress.step();
        progress.tell(format!("error {:.4}", last[0].1));
        if (number + 1) % tenth == 0 || number + 1 == schedule.generations {
            write(&arguments.output, &training.learnt().to_bytes())?;
        }
    }
    progress.finish();
    let time = started.elapsed();
    let (gain, error) =
        pool.install(|| compare(training.learnt(), &before, PAIRS, seed.split("comparison")));
    let [
        win,
        win_gammon,
        win_backgammon,
        lose_gammon,
        lose_backgammon,
    ] = training.at_the_start().to_array();
    let games = u64::from(arguments.games) * u64::from(arguments.generations);
    if console.json {
        let classes = ["contact", "crashed", "race"];
        let classes: Vec<_> = classes
            .iter()
            .zip(last)
            .map(|(class, (samples, error))| json!({ "class": class, "samples": samples, "error": error }))
            .collect();
        return console.print_json(&json!({
            "game": name,
            "output": arguments.output.display().to_string(),
            "games": games,
            "generations": arguments.generations,
            "seed": arguments.seed,
            "seconds": time.as_secs_f64(),
            "samples": samples,
            "classes": classes,
            "start": {
                "win": win,
                "win_gammon": win_gammon,
                "win_backgammon": win_backgammon,
                "lose_gammon": lose_gammon,
                "lose_backgammon": lose_backgammon,
            },
            "against_before": { "points": gain, "standard_error": error },
        }));
    }
    console.print(&format!(
        "{} games, {} samples, {}\nat the start the player on roll wins {:.1} % ({:.1} % gammons)\nagainst the networks it began with: {gain:+.3} ± {error:.3} points a game\nwritten to {}\n",
        grouped(games),
        grouped(samples as u64),
        seconds(time),
        100.0 * win,
        100.0 * win_gammon,
        arguments.output.display(),
    ))
}

fn read(file: &Path, seed: Seed) -> anyhow::Result<Training> {
    let shown = file.display();
    let bytes = std::fs::read(file)
        .map_err(|error| bad_request(format!("'{shown}' cannot be read: {error}")))?;
    Training::read(&bytes, seed).map_err(|error| {
        bad_request(format!(
            "'{shown}' holds no networks of backgammon: {error}"
        ))
    })
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut whole = Whole::begin(file)?;
    let written = whole.file().write_all(bytes);
    written.with_context(|| format!("'{}' cannot be written", file.display()))?;
    whole.keep()
}
