//! Training by gradient descent with momentum and a step for each weight (Adam, Kingma and Ba 2015).

use rayon::prelude::*;

use crate::Network;
use crate::kernels::{Sparse, Step, adam_step};
use crate::network::Errors;

/// Inputs and what should come out.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(crate) inputs: Sparse,
    pub(crate) wanted: Vec<f32>,
}

impl Sample {
    /// What goes in, and what should come out, each between 0 and 1.
    pub fn new(inputs: &[f32], wanted: &[f32]) -> Sample {
        let mut sparse = Sparse::default();
        sparse.push(inputs);
        sparse.shrink();
        Sample {
            inputs: sparse,
            wanted: wanted.to_vec(),
        }
    }
}

/// Samples whose gradients are summed up in one piece, so that sums do not depend on threads.
const PIECE: usize = 32;

/// Weights that are changed in one piece.
const RANGE: usize = 8192;

/// The state of a training.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    /// Room for the gradients.
    pieces: Vec<Piece>,
}

/// The sum of the gradients of a few samples, and of their squared errors.
#[derive(Clone, Debug, Default)]
struct Piece {
    gradient: Vec<f32>,
    squared: f32,
    errors: Errors,
}

impl Adam {
    /// A training of this network that begins.
    pub fn new(network: &Network) -> Adam {
        let zeros = vec![0.0; network.weights.len()];
        Adam {
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
            pieces: Vec::new(),
        }
    }

    /// One step downhill for a batch of samples; returns the mean of the squared errors before it.
    pub fn step(&mut self, network: &mut Network, batch: &[Sample], rate: f32) -> f32 {
        let used = batch.len().div_ceil(PIECE);
        if self.pieces.len() < used {
            self.pieces.resize_with(used, Piece::default);
        }
        let pieces = &mut self.pieces[..used];
        pieces
            .par_iter_mut()
            .zip(batch.par_chunks(PIECE))
            .for_each(|(piece, samples)| piece.sum(network, samples));
        self.steps = self.steps.saturating_add(1);
        let beta = [0.9f32, 0.999];
        let step = Step {
            beta,
            correction: beta.map(|beta| 1.0 - beta.powi(self.steps)),
            scale: 1.0 / batch.len().max(1) as f32,
            rate,
        };
        let squared = pieces.iter().map(|piece| piece.squared).sum::<f32>();
        let pieces = &*pieces;
        let weights = network.weights.par_chunks_mut(RANGE).enumerate();
        let means = self.mean.par_chunks_mut(RANGE);
        weights
            .zip(means.zip(self.square.par_chunks_mut(RANGE)))
            .for_each(|((number, weights), (mean, square))| {
                let range = number * RANGE..number * RANGE + weights.len();
                let gradients: Vec<&[f32]> = pieces
                    .iter()
                    .map(|piece| &piece.gradient[range.clone()])
                    .collect();
                adam_step(step, &gradients, weights, mean, square);
            });
        squared * step.scale
    }
}

impl Piece {
    fn sum(&mut self, network: &Network, samples: &[Sample]) {
        self.gradient.clear();
        self.gradient.resize(network.weights.len(), 0.0);
        self.squared = 0.0;
        for sample in samples {
            self.squared += network.gradient(sample, &mut self.errors, &mut self.gradient);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Exclusive or cannot be told by a single layer.
    #[test]
    fn exclusive_or_is_learnt() {
        let shape = Shape {
            inputs: 2,
            hidden: [8, 8],
            outputs: 1,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut network = Network::random(shape, &mut rng);
        let mut adam = Adam::new(&network);
        let samples: Vec<Sample> = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
            .into_iter()
            .map(|[a, b]| Sample::new(&[a, b], &[if a == b { 0.0 } else { 1.0 }]))
            .collect();
        let before = adam.step(&mut network, &samples, 0.01);
        for _ in 0..2000 {
            adam.step(&mut network, &samples, 0.01);
        }
        let after = adam.step(&mut network, &samples, 0.01);
        assert!(before > 0.1 && after < 0.01, "{before} {after}");
    }

    #[test]
    fn training_does_not_depend_on_threads() {
        let shape = Shape {
            inputs: 10,
            hidden: [12, 6],
            outputs: 3,
        };
        let train = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut rng = ChaCha8Rng::seed_from_u64(4);
                let mut network = Network::random(shape, &mut rng);
                let mut adam = Adam::new(&network);
                for _ in 0..5 {
                    let batch: Vec<Sample> = (0..200)
                        .map(|_| {
                            let inputs: [f32; 10] = rng.random();
                            let wanted: [f32; 3] = rng.random();
                            Sample::new(&inputs, &wanted)
                        })
                        .collect();
                    adam.step(&mut network, &batch, 0.01);
                }
                network
            })
        };
        assert_eq!(train(1), train(2));
    }
}
