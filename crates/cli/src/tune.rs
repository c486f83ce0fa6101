//! `tabia tune`: the options of an engine, by the cross-entropy method.

use serde_json::json;
use tabia_catalog::open;
use tabia_game::options::{OptionValues, split_spec};
use tabia_lab::tuning::{Iteration, ParameterRange, Tuning};

use crate::console::{Console, table};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Tune options of an engine by the cross-entropy method
///
/// Engines are drawn from a normal distribution of each option, measured, and the distributions
/// fitted to the best of them, again and again. In a game for one player they are measured by what
/// their lines pay on random positions, in others by their score against --opponent. Ctrl-C keeps
/// the iterations that are done.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, engine, opponent, seed, iterations (means and deviations of the options, elite and all:
the mean measure of the elite and of all engines, best: the best engine), tuned (the engine in the
middle of the last distributions).

Examples:
  tabia tune samegame --engine spmcts --option exploration=0..10 --option top=0..1 --nodes 2000
  tabia tune connect4 --engine mcts --option exploration=0..3 --opponent mcts --nodes 2000")]
pub struct Arguments {
    /// The game
    game: String,

    /// The engine, with the options that stay as they are
    #[arg(short, long, value_name = "ENGINE")]
    engine: String,

    /// An option to tune and its range, such as exploration=0..2; may be given several times
    #[arg(short, long, value_name = "KEY=LOW..HIGH", required = true)]
    option: Vec<String>,

    /// The opponent, in games of several players
    #[arg(long, value_name = "ENGINE")]
    opponent: Option<String>,

    /// Engines drawn in an iteration
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(2..=100_000),
    )]
    samples: u32,

    /// How many of them the distributions are fitted to; a tenth of them, two at least, if nothing
    /// is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    elite: Option<u32>,

    /// Iterations
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=100_000),
    )]
    iterations: u32,

    /// Games or positions that measure an engine
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
    )]
    games: u64,

    /// Nodes for a whole game of one player, for every move of others
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    nodes: u64,

    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let game = open(&arguments.game)?;
    let (name, options) = split_spec(arguments.engine.trim());
    game.engine(&arguments.engine)?;
    let engines = game.engines();
    let parameters = engines
        .iter()
        .find(|info| info.is_called(name))
        .map(|info| info.parameters.clone())
        .unwrap_or_default();
    let ranges: Result<Vec<ParameterRange>, _> = arguments
        .option
        .iter()
        .map(|text| ParameterRange::parse(text, &parameters))
        .collect();
    let ranges = ranges?;
    let given = OptionValues::parse(name, options, &parameters)?;
    for (at, range) in ranges.iter().enumerate() {
        if given.is_given(&range.key) || ranges[..at].iter().any(|other| other.key == range.key) {
            let key = &range.key;
            return Err(bad_request(format!(
                "{key} is given twice: it is to be tuned"
            )));
        }
    }
    match (&arguments.opponent, game.lines().is_some()) {
        (None, false) => {
            return Err(bad_request(format!(
                "{} is a game of several players; --opponent tells whom to play against",
                arguments.game
            )));
        }
        (Some(_), true) => {
            return Err(bad_request(format!("{} has no opponents", arguments.game)));
        }
        (Some(opponent), false) => {
            game.engine(opponent)?;
        }
        (None, true) => {}
    }
    let samples = arguments.samples as usize;
    let elite = arguments
        .elite
        .map_or((samples / 10).max(2), |n| n as usize);
    if elite > samples {
        return Err(bad_request(format!(
            "there are not {elite} of {samples} engines"
        )));
    }
    let tuning = Tuning {
        game: arguments.game.clone(),
        engine: arguments.engine.clone(),
        opponent: arguments.opponent.clone(),
        samples,
        elite,
        iterations: arguments.iterations as usize,
        games: arguments.games,
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let cancel = cancel_on_interrupt();
    let progress = Progress::new("tuning", arguments.iterations.into());
    let done = tuning.run(ranges, &cancel, &mut |iteration| {
        progress.step();
        progress.tell(format!("elite {:.3}", iteration.elite));
    });
    progress.finish();
    let done = done?;
    let tuned = done
        .last()
        .map(|last| last.distributions.middle(&arguments.engine));
    if console.json {
        console.print_json(&json!({
            "game": arguments.game,
            "engine": arguments.engine,
            "opponent": arguments.opponent,
            "seed": arguments.seed,
            "iterations": done.iter().map(as_json).collect::<Vec<_>>(),
            "tuned": tuned,
        }))?;
    } else if let Some(tuned) = tuned {
        console.print(&(as_text(console, &done) + "\n" + &tuned + "\n"))?;
    }
    match cancel.is_cancelled() {
        true => Err(Interrupted.into()),
        false => Ok(()),
    }
}

fn as_json(iteration: &Iteration) -> serde_json::Value {
    let keys = iteration
        .distributions
        .ranges
        .iter()
        .map(|range| &range.key);
    let fitted = iteration
        .distributions
        .means
        .iter()
        .zip(&iteration.distributions.deviations);
    let options: serde_json::Map<String, serde_json::Value> = keys
        .zip(fitted)
        .map(|(key, (mean, deviation))| {
            (key.clone(), json!({ "mean": mean, "deviation": deviation }))
        })
        .collect();
    json!({
        "options": options,
        "elite": iteration.elite,
        "all": iteration.all,
        "best": iteration.best,
    })
}

fn as_text(console: &Console, done: &[Iteration]) -> String {
    let keys = done
        .first()
        .map_or(&[][..], |first| &first.distributions.ranges);
    let mut header = vec!["iteration", "elite", "all"];
    header.extend(keys.iter().map(|range| range.key.as_str()));
    let row = |(number, iteration): (usize, &Iteration)| {
        let fitted = &iteration.distributions;
        let option = |(mean, deviation): (&f64, &f64)| format!("{mean:.3} ±{deviation:.3}");
        let options = fitted.means.iter().zip(&fitted.deviations).map(option);
        [
            number.to_string(),
            format!("{:.3}", iteration.elite),
            format!("{:.3}", iteration.all),
        ]
        .into_iter()
        .chain(options)
        .collect()
    };
    let rows = (1..).zip(done).map(row).collect();
    table(console, &header, rows, comfy_table::CellAlignment::Right)
}
