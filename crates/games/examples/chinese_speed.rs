//! How many random games of Chinese Checkers are played a second, for `bench/chinese.py`.
//!
//! The games are those of a listing player too: once a move is drawn without listing them all, as Monte-Carlo search does it, and
//! once from the list of all moves.

use std::time::{Duration, Instant};

use rand::RngExt;
use tabia_game::{Game, Seed, Turn};
use tabia_games::chinese::{ChineseCheckers, Rules};

const TIME: Duration = Duration::from_secs(4);

fn main() {
    let players: Vec<String> = [2, 3, 4, 6].map(measured).into_iter().flatten().collect();
    println!("[{}]", players.join(", "));
}

/// Games a second for so many players, and their mean length; drawn, and from lists.
fn measured(players: usize) -> Option<String> {
    let game = ChineseCheckers::new(players, Rules::default()).ok()?;
    let mut rng = Seed::new(1).rng();
    let mut moves = Vec::new();
    let (mut games, mut plies) = (0u32, 0u64);
    let started = Instant::now();
    while started.elapsed() < TIME {
        let mut state = game.start();
        plies += u64::from(game.play_at_random(&mut state, u32::MAX, &mut moves, &mut rng));
        games += 1;
    }
    let drawn = f64::from(games) / started.elapsed().as_secs_f64();
    let mut listed = 0u32;
    let started = Instant::now();
    while started.elapsed() < TIME {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            moves.clear();
            game.moves(&state, &mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            game.play(&mut state, mv);
        }
        listed += 1;
    }
    let listed = f64::from(listed) / started.elapsed().as_secs_f64();
    Some(format!(
        "{{\"players\": {players}, \"playouts_per_second\": {drawn:.1}, \"listing_all_moves\": {listed:.1}, \"mean_plies\": {:.1}}}",
        plies as f64 / f64::from(games)
    ))
}
