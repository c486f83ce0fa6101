//! `tabia train`: an evaluation learnt by self-play.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use serde_json::json;
use tabia_catalog::training::{BeginTraining, TrainingPlan};
use tabia_catalog::{entries, entry, read_file};
use tabia_game::Seed;
use tabia_game::options::split_spec;

use crate::arguments::Threads;
use crate::console::{Console, grouped, seconds};
use crate::failure::{Interrupted, bad_request};
use crate::files::{Whole, check_writable};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Learn to evaluate a game by self-play
///
/// Networks are learnt by temporal differences (Tesauro 1995); an engine uses them by
/// `network=FILE`. Weights of patterns (Buro 2003) are learnt from how games ended; an engine uses
/// them by `patterns=FILE`. Which of them a game has is said in docs/games.md. What is learnt plays
/// against itself, generation by generation, and learns from every position. It is written to the
/// file after each tenth of the way and at the end; Ctrl-C keeps what was written last. The same
/// seed gives the same file on any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, output, games, generations, seed, seconds, samples; of networks classes (class, samples,
error of the last generation), start (the chances at the start position), against_before (mean
points a game against the networks it began with, standard_error); of patterns error (mean squared,
of the last generation, in pieces), against_corners (gain: the share of wins against the hand-made
evaluation beyond a fair one, standard_error). docs/json.md has all fields.

Examples:
  tabia train othello --output othello.pat
  tabia train rolit --output rolit.pat --games 2000 --generations 100
  tabia train backgammon --output my.net --games 200 --generations 100
  tabia train backgammon --output better.net --from my.net --luckless --lambda 1,1 \\
        --rate 0.0003,0.00003 --games 100 --generations 300
  tabia match backgammon --player star2:depth=1,network=better.net --player gnubg --paired")]
pub struct Arguments {
    /// The game, by its name
    game: String,

    /// The file to write what is learnt to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Go on with what this file holds; networks may have fewer features or units
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Games of a generation
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..=20_000),
    )]
    games: u32,

    /// Generations
    #[arg(
        long,
        value_name = "N",
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
    )]
    generations: u32,

    /// Samples of a step of gradient descent; of networks only
    #[arg(
        long,
        value_name = "N",
        default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
    )]
    batch: u32,

    /// The learning rate in the first and in the last generation: 0.0015,0.0003 for networks and
    /// 0.2,0.01 for patterns if none is given
    #[arg(long, value_name = "FIRST,LAST", value_parser = rates)]
    rate: Option<[f32; 2]>,

    /// How much later values count (the lambda of temporal differences), in the first and in the
    /// last generation; of networks only
    #[arg(long, value_name = "FIRST,LAST", default_value = "0.7,0", value_parser = shares)]
    lambda: [f32; 2],

    /// Take the luck of the dice out of what is learnt from; twenty times as slow and much truer.
    /// Of networks only
    #[arg(long)]
    luckless: bool,

    /// How much the mean of the weights keeps from one generation to the next; the mean is what is
    /// written. 0 writes the weights of the last generation. Of networks only
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    average: f32,

    /// Random seed
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

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let (name, options) = split_spec(arguments.game.trim());
    let Some(begin) = training_of(name).filter(|_| options.is_empty()) else {
        return Err(bad_request(format!(
            "'{}' cannot be learnt; {} can, without options",
            arguments.game,
            enumerated(&trainable())
        )));
    };
    check_writable(&arguments.output)?;
    let plan = TrainingPlan {
        games: arguments.games as usize,
        generations: arguments.generations as usize,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        lambda: arguments.lambda,
        luckless: arguments.luckless,
        average: arguments.average,
    };
    let from = arguments.from.as_deref().map(read).transpose()?;
    let training = begin(&plan, from.as_deref(), Seed::new(arguments.seed));
    let mut training = training.map_err(|reason| match &arguments.from {
        Some(file) => bad_request(format!("'{}' {reason}", file.display())),
        None => bad_request(reason),
    })?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.number())
        .build()
        .context("threads cannot be started")?;
    let cancel = cancel_on_interrupt();
    let progress = Progress::new("training", plan.generations as u64);
    let started = Instant::now();
    let mut samples = 0;
    let tenth = plan.generations.div_ceil(10);
    for number in 0..plan.generations {
        let learnt = pool.install(|| training.generation(number, &cancel));
        let Some(learnt) = learnt else {
            progress.finish();
            return Err(Interrupted.into());
        };
        samples += learnt.samples;
        progress.step();
        progress.tell(format!("error {:.*}", learnt.decimals, learnt.error));
        if (number + 1) % tenth == 0 || number + 1 == plan.generations {
            write(&arguments.output, &training.weights())?;
        }
    }
    progress.finish();
    let time = started.elapsed();
    let learned = pool.install(|| training.conclude());
    let games = u64::from(arguments.games) * u64::from(arguments.generations);
    if console.json {
        let mut told = json!({
            "game": name,
            "output": arguments.output.display().to_string(),
            "games": games,
            "generations": arguments.generations,
            "seed": arguments.seed,
            "seconds": time.as_secs_f64(),
            "samples": samples,
        });
        if let Some(object) = told.as_object_mut() {
            object.extend(learned.fields);
        }
        return console.print_json(&told);
    }
    console.print(&format!(
        "{} games, {} samples, {}\n{}\nwritten to {}\n",
        grouped(games),
        grouped(samples as u64),
        seconds(time),
        learned.lines.join("\n"),
        arguments.output.display(),
    ))
}

fn training_of(name: &str) -> Option<BeginTraining> {
    entry(name).ok()?.training
}

/// The names of the games that can be learnt.
fn trainable() -> Vec<&'static str> {
    let learnt = entries().iter().filter(|entry| entry.training.is_some());
    learnt.map(|entry| entry.name).collect()
}

/// The names as in a sentence.
fn enumerated(names: &[&str]) -> String {
    match names {
        [] => "no game".to_string(),
        [only] => only.to_string(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    read_file(file)
        .map_err(|error| bad_request(format!("'{}' cannot be read: {error}", file.display())))
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut whole = Whole::begin(file)?;
    let written = whole.file().write_all(bytes);
    written.with_context(|| format!("'{}' cannot be written", file.display()))?;
    whole.keep()
}
