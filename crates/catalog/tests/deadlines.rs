//! Every engine of every game answers in time, also on a loaded machine.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tabia_catalog::{entries, open};
use tabia_game::{Limits, Seed, Turn};

/// What an engine is asked for.
const TIME: Duration = Duration::from_millis(200);
/// By how much it may be late: far more than a match allows, since threads wait for a processor
/// here, and far less than an engine needs that does not look at the clock.
const BOUND: Duration = Duration::from_secs(3);
/// Threads that ask at the same time, for each processor.
const LOAD: usize = 4;
/// Moves that each engine is asked for: what it keeps from one to the next costs time, too.
const MOVES: usize = 2;

/// How late the engine was at worst.
fn lateness(spec: &str, engine: &str) -> Duration {
    let game = open(spec).unwrap();
    let mut engine = game.engine(engine).unwrap();
    let mut session = game.session(None).unwrap();
    let mut rng = Seed::new(7).rng();
    let limits = Limits {
        time: Some(TIME),
        ..Limits::default()
    };
    // As a referee does before the clock is running.
    engine.prepare();
    engine.new_game(Seed::new(1));
    let mut latest = Duration::ZERO;
    for _ in 0..MOVES {
        while session.turn() == Turn::Chance {
            session.roll(&mut rng).unwrap();
        }
        if session.turn() == Turn::Over {
            break;
        }
        let asked = Instant::now();
        let answer = session.ask(&mut engine, &limits).unwrap();
        latest = latest.max(asked.elapsed().saturating_sub(TIME));
        session.play(&answer.best.unwrap()).unwrap();
    }
    latest
}

#[test]
fn every_engine_answers_in_time_on_a_loaded_machine() {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for entry in entries() {
        let game = entry.open("").unwrap();
        let engines = game.engines();
        pairs.extend(
            engines
                .iter()
                .map(|info| (entry.name, info.name.to_string())),
        );
    }
    assert!(pairs.len() > 100, "only {} engines", pairs.len());
    let threads = LOAD * std::thread::available_parallelism().map_or(1, usize::from);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((game, engine)) = pairs.get(next.fetch_add(1, Relaxed)) {
                    let late = lateness(game, engine);
                    found
                        .lock()
                        .unwrap()
                        .push((late, format!("{engine} of {game}")));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_unstable();
    assert_eq!(found.len(), pairs.len());
    for (late, who) in found.iter().rev().take(10) {
        println!("{:4} ms late: {who}", late.as_millis());
    }
    let late: Vec<_> = found.iter().filter(|(late, _)| *late > BOUND).collect();
    assert!(late.is_empty(), "too late: {late:?}");
}
