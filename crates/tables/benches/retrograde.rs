//! What a slice of Fanorona costs to build: against one sweep of the move generator over all its
//! positions, and with two threads against one. Ratios are printed; criterion keeps the times.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use tabia_fanorona::fanorona::{Fanorona, Slice};
use tabia_game::{Cancel, Game, Indexed};
use tabia_tables::retrograde::{Retrograde, Scheme, Solved, solve_all};
use tabia_tables::{Kept, Symmetry, TableForm, groups, with_all_they_need};

/// Generates and numbers all successors of all positions.
fn sweep(game: &Fanorona<u64>, slices: &[Slice]) -> u64 {
    const CHUNK: u64 = 1 << 14;
    let all = slices.iter().map(|&slice| {
        let len = game.slice_len(slice).expect("few positions");
        let of = |chunk: u64| {
            let (mut moves, mut sum) = (Vec::new(), 0);
            for index in chunk * CHUNK..len.min((chunk + 1) * CHUNK) {
                let mut state = game.position_at(slice, index);
                moves.clear();
                game.moves(&state, &mut moves);
                for &mv in &moves {
                    let token = game.play(&mut state, mv);
                    sum += game.locate(&state).map_or(0, |(_, index)| index);
                    game.undo(&mut state, token);
                }
            }
            sum
        };
        (0..len.div_ceil(CHUNK))
            .into_par_iter()
            .map(of)
            .sum::<u64>()
    });
    all.sum()
}

fn build(
    game: &Fanorona<u64>,
    group: &[Slice],
    known: &Solved<Fanorona<u64>>,
    scheme: Scheme,
    kept: Kept,
) {
    let solver = Retrograde { scheme };
    let form = TableForm {
        values: kept,
        symmetry: Symmetry::None,
    };
    let built = solver.solve_group(game, group, known, form, &Cancel::default(), &|_| {});
    black_box(built.is_ok());
}

/// The least of a few runs, in seconds: what else the machine does only adds to it.
fn least(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64()
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}

fn retrograde(criterion: &mut Criterion) {
    let game = Fanorona::<u64>::new(5, 9).expect("a board");
    let group = [Slice { own: 2, enemy: 2 }];
    let mut below = with_all_they_need(&game, &group);
    below.retain(|slice| !group.contains(slice));
    assert!(groups(&game, &group).len() == 1);
    let cancel = Cancel::default();
    let known = solve_all(&game, &below, Kept::Distance, 1 << 32, &cancel, &|_| {}).expect("small");
    let pool = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
    };
    let (one, two) = (pool(1), pool(2));
    let swept = least(|| {
        black_box(one.install(|| sweep(&game, &group)));
    });
    println!("2-2 of 5x9, {:.2} s for one sweep of the generator", swept);
    for kept in [Kept::Wdl, Kept::Distance] {
        for scheme in Scheme::ALL {
            let single = least(|| one.install(|| build(&game, &group, &known, scheme, kept)));
            let double = least(|| two.install(|| build(&game, &group, &known, scheme, kept)));
            println!(
                "{} {}: {:.2} sweeps, two threads take {:.2} of one",
                kept.word(),
                scheme.word(),
                single / swept,
                double / single
            );
        }
    }
    let mut bench = criterion.benchmark_group("3-1 and 1-3 of 5x9");
    bench.sample_size(10);
    let small = [Slice { own: 1, enemy: 3 }, Slice { own: 3, enemy: 1 }];
    bench.bench_function("layers", |bencher| {
        bencher.iter(|| build(&game, &small, &known, Scheme::Layers, Kept::Wdl));
    });
    bench.finish();
}

criterion_group!(benches, retrograde);
criterion_main!(benches);
