//! Simulations of plain UCT a second, as JSON, for `bench/mcts.py`: from the start of a game, with
//! random games to the end, one tree after the other: of ten thousand simulations each, or of a
//! given number of milliseconds.
//!
//! Usage: `mcts_speed GAME SECONDS THREADS [MILLISECONDS]`, the game as OpenSpiel calls it

use std::time::{Duration, Instant};

use tabia_alignment::connect4::Connect4;
use tabia_breakthrough::breakthrough::Breakthrough;
use tabia_combinatorial::amazons::Amazons;
use tabia_connection::loa::{Both, Loa};
use tabia_game::{Deterministic, Game, Limits, Path, Perfect, Seed, TwoPlayer, Uninformed};
use tabia_search::mcts::{Config, Mcts, Playable, WithoutChance};
use tabia_search::{Counter, Engine, Situation};

/// The constant of OpenSpiel's examples.
const EXPLORATION: f64 = 2.0;

/// What is measured.
struct Measure {
    seconds: f64,
    threads: usize,
    limits: Limits,
}

/// Simulations a second.
fn speed<G>(game: &G, measure: &Measure) -> f64
where
    G: Playable + TwoPlayer + Game<Luck = Deterministic, Information = Perfect>,
{
    let config = Config {
        exploration: EXPLORATION,
        threads: measure.threads,
        ..Config::PLAIN
    };
    let (state, path) = (game.start(), Path::new());
    let started = Instant::now();
    let (mut simulations, mut searches) = (0, 0);
    while started.elapsed().as_secs_f64() < measure.seconds {
        let mut engine = Mcts::<G, _, WithoutChance>::new(config, Uninformed);
        engine.new_game(Seed::new(searches));
        let situation = Situation {
            game,
            state: &state,
            path: &path,
        };
        let found = engine.choose(situation, &measure.limits);
        if let Some((_, Counter::One(visits))) = found.counters.first() {
            simulations += visits;
        }
        searches += 1;
    }
    simulations as f64 / started.elapsed().as_secs_f64()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let seconds = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(3.0);
    let threads = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    let time = arguments.next().and_then(|a| a.parse().ok());
    let measure = Measure {
        seconds,
        threads,
        // Without a limit it is ten thousand simulations.
        limits: Limits {
            time: time.map(Duration::from_millis),
            ..Limits::default()
        },
    };
    let speed = match name.as_str() {
        "connect_four" => Connect4::<u64>::new(7, 6, 4).map(|game| speed(&game, &measure)),
        "breakthrough" => Breakthrough::<u64>::new(8, 8).map(|game| speed(&game, &measure)),
        "lines_of_action" => Ok(speed(&Loa::new(Both::Draw), &measure)),
        _ => Amazons::new(10, 10).map(|game| speed(&game, &measure)),
    };
    if let Ok(speed) = speed {
        println!("{{\"{name}\": {speed:.1}}}");
    }
}
