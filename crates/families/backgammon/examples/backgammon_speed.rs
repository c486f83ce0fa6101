//! Random games and static evaluations of backgammon a second, on one core: one line of JSON.

use std::time::{Duration, Instant};

use rand::RngExt;
use tabia_backgammon::backgammon::{Backgammon, Board, Learnt, Phase};
use tabia_game::{Chance, Game, Seed, Turn};

const TIME: Duration = Duration::from_secs(3);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Backgammon::default();
    let mut rng = Seed::new(1).rng();
    let mut boards: Vec<Board> = Vec::new();
    let (mut games, mut moves) = (0u32, Vec::new());
    let started = Instant::now();
    while started.elapsed() < TIME {
        let mut state = game.start();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let roll = game.sample_outcome(&state, &mut rng);
                    game.play(&mut state, roll);
                }
                Turn::Player(_) => {
                    moves.clear();
                    game.moves(&state, &mut moves);
                    let mv = moves[rng.random_range(0..moves.len())];
                    game.play(&mut state, mv);
                }
            }
            if boards.len() < 10_000 && state.phase() == Phase::Roll {
                boards.push(*state.board());
            }
        }
        games += 1;
    }
    let playouts = f64::from(games) / started.elapsed().as_secs_f64();
    let learnt = Learnt::shipped()?;
    let (mut evaluations, mut sum) = (0u64, 0.0);
    let started = Instant::now();
    while started.elapsed() < TIME {
        for board in &boards {
            sum += learnt.chances(board).equity();
        }
        evaluations += boards.len() as u64;
    }
    let rate = evaluations as f64 / started.elapsed().as_secs_f64();
    println!(
        "{{\"playouts_per_second\": {playouts:.1}, \"evaluations_per_second\": {rate:.1}, \
         \"mean_equity\": {:.4}}}",
        f64::from(sum) / evaluations as f64
    );
    Ok(())
}
