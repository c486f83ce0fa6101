//! How fast values are found: those of all positions of a Domineering board, sums of pairs of them,
//! and nimbers.

use criterion::{Criterion, criterion_group, criterion_main};
use tabia_cgt::impartial::{Octal, SparseSpace};
use tabia_cgt::{Evaluator, Value};
use tabia_combinatorial::Cells;
use tabia_combinatorial::domineering::Domineering;
use tabia_game::{Combinatorial, Limits};

fn boards(width: usize, height: usize) -> Vec<Cells> {
    let text = |taken: u32| {
        let row = |y: usize| -> String {
            let square = |x: usize| {
                if taken >> (y * width + x) & 1 == 1 {
                    '#'
                } else {
                    '.'
                }
            };
            (0..width).map(square).collect()
        };
        (0..height).map(row).collect::<Vec<_>>().join("|")
    };
    (0..1 << (width * height))
        .map(|taken| {
            Domineering
                .parse_position(&text(taken))
                .expect("the text of a board is read")
        })
        .collect()
}

fn evaluate(boards: &[Cells]) -> (Evaluator<Domineering>, Vec<Value>) {
    let mut evaluator = Evaluator::new(Domineering);
    let mut meter = Limits::default().meter();
    let values = boards
        .iter()
        .map(|board| {
            evaluator
                .value(board, &mut meter)
                .expect("there is room for all")
        })
        .collect();
    (evaluator, values)
}

fn all_positions(c: &mut Criterion) {
    let boards = boards(4, 4);
    c.bench_function("all positions of 4x4 Domineering", |b| {
        b.iter(|| evaluate(&boards))
    });
}

fn sums_of_pairs(c: &mut Criterion) {
    let boards = boards(4, 3);
    c.bench_function("sums of all pairs of values of 4x3 Domineering", |b| {
        b.iter_batched(
            || {
                let (evaluator, mut values) = evaluate(&boards);
                values.sort_unstable();
                values.dedup();
                (evaluator, values)
            },
            |(mut evaluator, values)| {
                for (i, &g) in values.iter().enumerate() {
                    for &h in &values[i..] {
                        evaluator
                            .values_mut()
                            .sum(g, h)
                            .expect("there is room for all");
                    }
                }
                evaluator.values().len()
            },
            criterion::BatchSize::LargeInput,
        )
    });
}

fn nimbers(c: &mut Criterion) {
    let code: Octal = ".077".parse().expect("a code");
    c.bench_function("the first 20000 nimbers of .077 by definition", |b| {
        b.iter(|| code.nimbers(20_000))
    });
    c.bench_function("the first 20000 nimbers of .077 by the sparse space", |b| {
        b.iter(|| {
            let mut space = SparseSpace::new(code.clone());
            space
                .extend(20_000, &mut Limits::default().meter())
                .expect("there is no limit");
            space
        })
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = all_positions, sums_of_pairs, nimbers
}
criterion_main!(benches);
