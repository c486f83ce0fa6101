//! Lines of Action: perft(4) from the start, with the library and with the plain reference, and
//! the time of one static evaluation.

#[path = "../tests/support/plain_loa.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod plain_loa;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group};
use plain_loa::Plain;
use tabia_connection::loa::{Loa, Mia};
use tabia_game::{Game, Knowledge, Player, perft};

const DEPTH: u32 = 4;
const LEAVES: u64 = 1_563_208;

fn perft_4(c: &mut Criterion) {
    let (game, plain) = (Loa::default(), Plain::start(false));
    let start = game.start();
    let mut group = c.benchmark_group("loa perft 4");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(LEAVES));
    group.bench_function("bitboards", |b| {
        b.iter(|| perft(&game, black_box(&start), DEPTH));
    });
    group.bench_function("plain array", |b| {
        b.iter(|| black_box(&plain).perft(DEPTH));
    });
    group.finish();
}

/// The positions of one game.
fn evaluation(c: &mut Criterion) {
    let (game, mia) = (Loa::default(), Mia::default());
    let mut positions = vec![game.start()];
    for ply in 0..64 {
        let mut moves = Vec::new();
        let mut next = positions[ply];
        game.moves(&next, &mut moves);
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
            break;
        };
        game.play(&mut next, mv);
        positions.push(next);
    }
    let mut group = c.benchmark_group("loa evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("Mia", |b| {
        b.iter(|| {
            let values = positions
                .iter()
                .map(|state| mia.evaluate(&game, black_box(state), Player::FIRST));
            values.fold(0i32, i32::wrapping_add)
        });
    });
    group.finish();
}

fn time(mut run: impl FnMut() -> u64) -> Duration {
    let best = (0..20).map(|_| {
        let start = Instant::now();
        assert_eq!(black_box(run()), LEAVES);
        start.elapsed()
    });
    best.min().unwrap_or_default()
}

fn print_ratio() {
    let (game, plain) = (Loa::default(), Plain::start(false));
    let fast = time(|| perft(&game, black_box(&game.start()), DEPTH));
    let slow = time(|| black_box(&plain).perft(DEPTH));
    let per_second = |time: Duration| LEAVES as f64 / time.as_secs_f64() / 1e6;
    println!(
        "perft({DEPTH}): {:.1} million leaves per second against {:.1} of the plain generator, \
         {:.1} times as many",
        per_second(fast),
        per_second(slow),
        slow.as_secs_f64() / fast.as_secs_f64(),
    );
}

criterion_group!(benches, perft_4, evaluation);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    print_ratio();
}
