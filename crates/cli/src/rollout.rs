//! `tabia rollout`: a position of a game with chance, played out many times.

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::{Facet, Rolled, Rollout, RolloutJob};

use crate::arguments::{PositionArguments, Threads};
use crate::console::{Console, grouped, table};
use crate::failure::Interrupted;
use crate::interrupt::cancel_on_interrupt;

/// Play a position of a game with chance out many times
///
/// Both sides play the move of the best static evaluation. A position before a throw is rolled out
/// as it is; where a player is to move, so are the most promising moves. The luck of the dice is
/// taken out of the results, the first two throws are dealt instead of thrown, and games end where
/// the exact value is known. The same seed rolls the same games, on any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, seed, moves (move or null, value and standard_error for the player to move as
a share of the largest payoff, points and points_error in points, estimate, games, deviation,
deviation_with_luck, stopped).

Examples:
  tabia rollout backgammon --moves 31
  tabia rollout backgammon --position \"6:3,5:3/6:3,4:3 w roll\" --precision 0.001
  tabia rollout einstein --games 5000")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// Maximum games per move
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 144,
        value_parser = clap::value_parser!(u64).range(1..=100_000_000),
    )]
    games: u64,

    /// Stop when the standard error is no more than this, as a share of the largest payoff
    #[arg(long, value_name = "X", value_parser = precision, default_value = "0")]
    precision: f64,

    /// Plies after which games are broken off and evaluated; 0 to play them out
    #[arg(long, value_name = "N", default_value_t = 0)]
    plies: u32,

    /// Moves to roll out, the best by static evaluation
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u32).range(1..=1000),
    )]
    candidates: u32,

    /// Leave the luck of the dice in the results
    #[arg(long)]
    with_luck: bool,

    /// Throw the first dice, too, instead of dealing them
    #[arg(long)]
    thrown: bool,

    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,
}

fn precision(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|x| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "a number from 0 to 1".to_string())
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    if let Some(ending) = opened.session.ending() {
        return Err(tabia_catalog::CatalogError::Over(ending.text).into());
    }
    let cancel = cancel_on_interrupt();
    let job = RolloutJob {
        rollout: Rollout {
            games: arguments.games,
            precision: arguments.precision,
            plies: arguments.plies,
            reduction: !arguments.with_luck,
            quasi_random: !arguments.thrown,
            seed: arguments.seed,
        },
        moves: arguments.candidates as usize,
        cancel: &cancel,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.number())
        .build()?;
    let spinner = console.spinner("rolling out".to_string());
    let position = opened.session.position();
    let rollouts = Facet::Rollouts.require(opened.game.rollouts())?;
    let rolled = pool.install(|| rollouts.rollout(&position, &job));
    spinner.finish_and_clear();
    let rolled = rolled?;
    let largest = f64::from(opened.game.traits().max_payoff);
    if console.json {
        console.print_json(&json!({
            "game": opened.spec,
            "position": position,
            "seed": arguments.seed,
            "moves": rolled.iter().map(|r| as_json(r, largest)).collect::<Vec<_>>(),
        }))?;
    } else {
        let mut text = console.board(&opened.session.picture()) + "\n";
        text += &as_text(console, &rolled, largest);
        console.print(&text)?;
    }
    match rolled.iter().any(|r| r.found.stopped) {
        true => Err(Interrupted.into()),
        false => Ok(()),
    }
}

fn as_json(rolled: &Rolled, largest: f64) -> Value {
    let found = rolled.found;
    json!({
        "move": rolled.mv,
        "value": found.mean,
        "standard_error": found.standard_error,
        "points": found.mean * largest,
        "points_error": found.standard_error * largest,
        "estimate": rolled.estimate,
        "games": found.games,
        "deviation": found.deviation,
        "deviation_with_luck": found.with_luck,
        "stopped": found.stopped,
    })
}

fn as_text(console: &Console, rolled: &[Rolled], largest: f64) -> String {
    let header = [
        "MOVE",
        "POINTS",
        "ERROR",
        "ESTIMATE",
        "GAMES",
        "DEVIATION",
        "WITH LUCK",
    ];
    let rows = rolled.iter().map(|r| {
        let found = r.found;
        vec![
            r.mv.clone().unwrap_or_else(|| "(position)".to_string()),
            format!("{:+.4}", found.mean * largest),
            format!("{:.4}", found.standard_error * largest),
            format!("{:+.4}", r.estimate * largest),
            grouped(found.games),
            format!("{:.3}", found.deviation * largest),
            format!("{:.3}", found.with_luck * largest),
        ]
    });
    table(console, &header, rows.collect(), CellAlignment::Right)
}
