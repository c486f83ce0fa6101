//! Random games of Amazons on 10x10 a second, by drawing moves and by listing them, and static
//! evaluations a second, on one core: one line of JSON. Seconds are those of the processor where
//! the system tells them, so that other work on the machine does not matter.

use std::time::{Duration, Instant};

use rand::RngExt;
use tabia_combinatorial::amazons::{Amazons, Evaluation, Judge, State};
use tabia_game::{Game, Knowledge, Player, Seed, Turn};

const TIME: Duration = Duration::from_secs(2);

/// The time that this thread has had a processor; Linux tells it in hundredths of a second.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = told.rsplit_once(')')?;
    let ticks = |place| fields.split_whitespace().nth(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

/// How often something can be done in a second.
fn rate(mut once: impl FnMut() -> u64) -> f64 {
    let (mut done, started, before) = (0, Instant::now(), processor_time());
    let passed = || match before.zip(processor_time()) {
        Some((before, now)) => now - before,
        None => started.elapsed(),
    };
    while passed() < TIME {
        done += once();
    }
    done as f64 / passed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Amazons::new(10, 10)?;
    let mut rng = Seed::new(1).rng();
    let (mut moves, mut plies, mut games) = (Vec::new(), 0u64, 0u64);
    let drawn = rate(|| {
        for _ in 0..100 {
            let mut state = game.start();
            plies += u64::from(game.play_at_random(&mut state, u32::MAX, &mut moves, &mut rng));
            games += 1;
        }
        100
    });
    let mut positions: Vec<State> = Vec::new();
    let listed = rate(|| {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            moves.clear();
            game.moves(&state, &mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            game.play(&mut state, mv);
            if positions.len() < 10_000 {
                positions.push(state);
            }
        }
        1
    });
    let evaluations: Vec<String> = Evaluation::NAMES
        .iter()
        .map(|name| {
            let judge = Judge(Evaluation::named(name));
            let mut sum = 0i64;
            let speed = rate(|| {
                let values = positions
                    .iter()
                    .map(|s| judge.evaluate(&game, s, Player::FIRST));
                sum += values.map(i64::from).sum::<i64>();
                positions.len() as u64
            });
            std::hint::black_box(sum);
            format!("\"{name}\": {speed:.0}")
        })
        .collect();
    println!(
        "{{\"random_games\": {drawn:.1}, \"listing_all_moves\": {listed:.1}, \"mean_plies\": \
         {:.2}, \"evaluations_per_second\": {{{}}}}}",
        plies as f64 / games as f64,
        evaluations.join(", ")
    );
    Ok(())
}
