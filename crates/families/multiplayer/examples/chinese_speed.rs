//! How many random games of Chinese Checkers are played a second, for `bench/chinese.py`.
//!
//! The games are those of a listing player too: once a move is drawn without listing them all, as
//! Monte-Carlo search does it, and once from the list of all moves. Seconds are those of the
//! processor where the system tells them, so that other work on the machine does not matter.

use std::time::{Duration, Instant};

use rand::RngExt;
use tabia_game::{Game, Seed, Turn};
use tabia_multiplayer::chinese_checkers::{ChineseCheckers, Rules};

const TIME: Duration = Duration::from_secs(4);

fn main() {
    let players: Vec<String> = [2, 3, 4, 6].map(measured).into_iter().flatten().collect();
    println!("[{}]", players.join(", "));
}

/// The time that this thread has had a processor; Linux tells it in hundredths of a second.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = told.rsplit_once(')')?;
    let ticks = |place| fields.split_whitespace().nth(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

/// How often a game can be played in a second.
fn rate(mut once: impl FnMut()) -> f64 {
    let (mut games, started, before) = (0u32, Instant::now(), processor_time());
    let passed = || match before.zip(processor_time()) {
        Some((before, now)) => now - before,
        None => started.elapsed(),
    };
    while passed() < TIME {
        // Looking at the time takes long, compared with a game.
        for _ in 0..100 {
            once();
        }
        games += 100;
    }
    f64::from(games) / passed().as_secs_f64()
}

/// Games a second for this many players, and their mean length; drawn, and from lists.
fn measured(players: usize) -> Option<String> {
    let game = ChineseCheckers::new(players, Rules::default()).ok()?;
    let mut rng = Seed::new(1).rng();
    let mut moves = Vec::new();
    let (mut games, mut plies) = (0u64, 0u64);
    let drawn = rate(|| {
        let mut state = game.start();
        plies += u64::from(game.play_at_random(&mut state, u32::MAX, &mut moves, &mut rng));
        games += 1;
    });
    let listed = rate(|| {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            moves.clear();
            game.moves(&state, &mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            game.play(&mut state, mv);
        }
    });
    Some(format!(
        "{{\"players\": {players}, \"playouts_per_second\": {drawn:.1}, \"listing_all_moves\": \
         {listed:.1}, \"mean_plies\": {:.1}}}",
        plies as f64 / games as f64
    ))
}
