//! How fast networks are evaluated and trained, against plain loops over all inputs and against
//! sums that are stored row by row.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tabia_nets::{Adam, Batch, Network, NetworkShape, Scratch, TrainingSample};

const HIDDEN: [usize; 2] = [160, 32];
const SHAPE: NetworkShape = NetworkShape {
    inputs: 240,
    hidden: HIDDEN,
    outputs: 5,
};
/// As many plays as a roll has.
const PLAYS: usize = 20;

/// The definition, every product made.
fn plain(weights: &[f32], inputs: &[f32]) -> Vec<f32> {
    let mut units = inputs.to_vec();
    let mut at = 0;
    for (layer, size) in [HIDDEN[0], HIDDEN[1], 5].into_iter().enumerate() {
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

/// Zeros are skipped, and sums are stored after each row.
fn row_by_row(weights: &[f32], inputs: &[f32], rooms: &mut [Vec<f32>; 4]) -> f32 {
    let mut at = 0;
    rooms[0].clear();
    rooms[0].extend_from_slice(inputs);
    for (layer, size) in [HIDDEN[0], HIDDEN[1], 5].into_iter().enumerate() {
        let (before, after) = rooms.split_at_mut(layer + 1);
        let (units, sums) = (&before[layer], &mut after[0]);
        let biases = at + units.len() * size;
        sums.clear();
        sums.extend_from_slice(&weights[biases..biases + size]);
        for (&unit, row) in units.iter().zip(weights[at..].chunks_exact(size)) {
            if unit != 0.0 {
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += unit * weight;
                }
            }
        }
        at = biases + size;
        for sum in sums {
            *sum = match layer {
                2 => 1.0 / (1.0 + (-*sum).exp()),
                _ => sum.max(0.0),
            };
        }
    }
    rooms[3][0]
}

/// As many numbers are not zero as on a board of backgammon.
fn vector(rng: &mut ChaCha8Rng) -> Vec<f32> {
    (0..SHAPE.inputs)
        .map(|_| match rng.random_range(0..4) {
            0 => rng.random(),
            _ => 0.0,
        })
        .collect()
}

fn evaluation(criterion: &mut Criterion) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut network = Network::random(SHAPE, &mut rng);
    // The boards of a roll differ in a few numbers.
    let base = vector(&mut rng);
    let vectors: Vec<Vec<f32>> = (0..PLAYS)
        .map(|_| {
            let mut vector = base.clone();
            for _ in 0..8 {
                vector[rng.random_range(0..SHAPE.inputs)] = 1.0;
                vector[rng.random_range(0..SHAPE.inputs)] = 0.0;
            }
            vector
        })
        .collect();
    let mut scratch = Scratch::default();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(PLAYS as u64));
    let mut batch = Batch::default();
    group.bench_function("batch", |b| {
        b.iter(|| {
            batch.clear();
            vectors.iter().for_each(|vector| batch.push(vector));
            network.evaluate_all(black_box(&batch), &mut scratch)[0]
        });
    });
    group.bench_function("one by one", |b| {
        b.iter(|| {
            let each = black_box(&vectors).iter();
            each.map(|v| network.evaluate(v, &mut scratch)[0])
                .sum::<f32>()
        });
    });
    let mut rooms: [Vec<f32>; 4] = Default::default();
    group.bench_function("row by row", |b| {
        b.iter(|| {
            let each = black_box(&vectors).iter();
            each.map(|v| row_by_row(network.weights(), v, &mut rooms))
                .sum::<f32>()
        });
    });
    group.bench_function("plain loops", |b| {
        b.iter(|| {
            let each = black_box(&vectors).iter();
            each.map(|v| plain(network.weights(), v)[0]).sum::<f32>()
        });
    });
    group.finish();
    let samples: Vec<TrainingSample> = (0..64)
        .map(|_| TrainingSample::new(&vector(&mut rng), &rng.random::<[f32; 5]>()))
        .collect();
    let mut adam = Adam::new(&network);
    let mut group = criterion.benchmark_group("training");
    group.throughput(Throughput::Elements(64));
    group.bench_function("a step with 64 samples", |b| {
        b.iter(|| adam.step(&mut network, black_box(&samples), 1e-4));
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
