//! How fast a network is evaluated, against the plain loop over all inputs.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tabia_nets::{Network, Scratch, Shape};

const SHAPE: Shape = Shape {
    inputs: 240,
    hidden: [160, 32],
    outputs: 5,
};

/// The definition, every product made.
fn plain(weights: &[f32], inputs: &[f32]) -> Vec<f32> {
    let mut units = inputs.to_vec();
    let mut at = 0;
    for (layer, size) in [160, 32, 5].into_iter().enumerate() {
        let (rows, biases) = (&weights[at..], at + units.len() * size);
        let sums: Vec<f32> = (0..size)
            .map(|to| {
                let products = units
                    .iter()
                    .enumerate()
                    .map(|(from, unit)| unit * rows[from * size + to]);
                weights[biases + to] + products.sum::<f32>()
            })
            .collect();
        at = biases + size;
        units = sums
            .into_iter()
            .map(|x| {
                if layer == 2 {
                    1.0 / (1.0 + (-x).exp())
                } else {
                    x.max(0.0)
                }
            })
            .collect();
    }
    units
}

fn evaluation(criterion: &mut Criterion) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let network = Network::random(SHAPE, &mut rng);
    // As many numbers are not zero as on a board of backgammon.
    let inputs: Vec<f32> = (0..SHAPE.inputs)
        .map(|i| if i % 5 == 0 { rng.random() } else { 0.0 })
        .collect();
    let mut scratch = Scratch::default();
    criterion.bench_function("network", |b| {
        b.iter(|| network.evaluate(black_box(&inputs), &mut scratch)[0]);
    });
    criterion.bench_function("plain loops", |b| {
        b.iter(|| plain(network.weights(), black_box(&inputs))[0]);
    });
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
