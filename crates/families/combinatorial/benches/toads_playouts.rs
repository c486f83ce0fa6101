//! Toads-and-Frogs: random playouts from the start of the tournament of 2013, with the type of its
//! own and with the one that all combinatorial games share; and the evaluation by locks.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use tabia_combinatorial::mixed::{GameKind, Mixed};
use tabia_combinatorial::toads::{Locks, Toads};
use tabia_game::{Combinatorial, Game, GameRng, Knowledge, LastMover, Player, Seed};

const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

/// Plays at random to the end; how many moves that took.
fn playout<G: Game>(game: &G, rng: &mut GameRng, moves: &mut Vec<G::Move>) -> u64 {
    let mut state = game.start();
    let mut plies = 0;
    loop {
        moves.clear();
        game.moves(&state, moves);
        if moves.is_empty() {
            return plies;
        }
        game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        plies += 1;
    }
}

fn playouts(c: &mut Criterion) {
    let own = LastMover::new(Toads, Toads.parse_position(START).expect("a strip"));
    let rules = Mixed::new(GameKind::Toads, false);
    let start = rules.parse_position(START).expect("a strip");
    let shared = LastMover::new(rules, start);
    let mut group = c.benchmark_group("toads playouts");
    group.sample_size(20).throughput(Throughput::Elements(100));
    group.bench_function("own type", |b| {
        let (mut rng, mut moves) = (Seed::new(1).rng(), Vec::new());
        b.iter(|| {
            (0..100)
                .map(|_| playout(&own, &mut rng, &mut moves))
                .sum::<u64>()
        });
    });
    group.bench_function("shared type", |b| {
        let (mut rng, mut moves) = (Seed::new(1).rng(), Vec::new());
        b.iter(|| {
            (0..100)
                .map(|_| playout(&shared, &mut rng, &mut moves))
                .sum::<u64>()
        });
    });
    group.finish();
    c.bench_function("toads evaluation by locks", |b| {
        let state = own.start();
        b.iter(|| Locks.evaluate(&own, black_box(&state), Player::FIRST));
    });
}

criterion_group!(benches, playouts);
criterion_main!(benches);
