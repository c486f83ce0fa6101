//! Backgammon: all plays of a roll, and random games to the end.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use tabia_backgammon::backgammon::{Backgammon, Board, Phase, Roll, State};
use tabia_game::{Chance, Game, GameRng, Seed, Turn};

/// Plays a random game and counts its turns; sees every position before a roll.
fn random_game(game: &Backgammon, rng: &mut GameRng, mut see: impl FnMut(&State)) -> u64 {
    let mut moves = Vec::new();
    let mut state = game.start();
    let mut turns = 0;
    loop {
        match game.turn(&state) {
            Turn::Over => return turns,
            Turn::Chance => {
                see(&state);
                let roll = game.sample_outcome(&state, rng);
                game.play(&mut state, roll);
            }
            Turn::Player(_) => {
                moves.clear();
                game.moves(&state, &mut moves);
                let mv = moves[rng.random_range(0..moves.len())];
                game.play(&mut state, mv);
                turns += 1;
            }
        }
    }
}

fn plays(c: &mut Criterion) {
    let game = Backgammon::default();
    let mut boards: Vec<Board> = Vec::new();
    for number in 0..8 {
        let mut rng = Seed::new(1).number(number).rng();
        random_game(&game, &mut rng, |state| {
            if state.phase() == Phase::Roll {
                boards.push(*state.board());
            }
        });
    }
    let rolls: Vec<Roll> = Roll::all().map(|(roll, _)| roll).collect();
    let mut all = Vec::new();
    let count = |all: &mut Vec<_>| {
        let mut count = 0;
        for board in black_box(&boards) {
            for &roll in &rolls {
                all.clear();
                board.plays(roll, all);
                count += all.len() as u64;
            }
        }
        count
    };
    let mut group = c.benchmark_group("backgammon plays");
    let lists = (boards.len() * rolls.len()) as u64;
    let plays = count(&mut all);
    println!(
        "{lists} lists of plays, {:.1} in each",
        plays as f64 / lists as f64
    );
    group.throughput(Throughput::Elements(lists));
    group.bench_function("lists", |b| b.iter(|| count(&mut all)));
    group.throughput(Throughput::Elements(plays));
    group.bench_function("boards after each", |b| {
        b.iter(|| {
            let mut sum = 0;
            for board in black_box(&boards) {
                for &roll in &rolls {
                    board.each_play(roll, |play| {
                        sum += u64::from(board.after(play).sides()[0][0]);
                    });
                }
            }
            sum
        });
    });
    group.finish();
}

fn playouts(c: &mut Criterion) {
    const GAMES: u64 = 16;
    let game = Backgammon::default();
    let run = || {
        let games = (0..GAMES).map(|n| Seed::new(2).number(n).rng());
        games
            .map(|mut rng| random_game(&game, &mut rng, |_| ()))
            .sum::<u64>()
    };
    println!("{:.1} turns in a random game", run() as f64 / GAMES as f64);
    let mut group = c.benchmark_group("backgammon playouts");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("games", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, plays, playouts);
criterion_main!(benches);
