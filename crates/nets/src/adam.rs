//! Training by gradient descent with momentum and a step for each weight (Adam, Kingma and Ba 2015).

use rayon::prelude::*;

use crate::{Network, Scratch};

/// Inputs and what should come out.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What goes in.
    pub inputs: Vec<f32>,
    /// What should come out, each between 0 and 1.
    pub wanted: Vec<f32>,
}

/// Samples whose gradients are summed up in one piece, so that sums do not depend on threads.
const PIECE: usize = 32;

/// The state of a training.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// A training of this network that begins.
    pub fn new(network: &Network) -> Adam {
        let zeros = vec![0.0; network.weights.len()];
        Adam {
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
        }
    }

    /// One step downhill for a batch of samples; returns the mean of the squared errors before it.
    pub fn step(&mut self, network: &mut Network, batch: &[Sample], rate: f32) -> f32 {
        const BETA: [f32; 2] = [0.9, 0.999];
        let size = network.weights.len();
        let pieces: Vec<(Vec<f32>, f32)> = batch
            .par_chunks(PIECE)
            .map(|piece| {
                let mut gradient = vec![0.0; size];
                let mut scratch = Scratch::default();
                let errors = piece.iter().map(|sample| {
                    network.gradient(&sample.inputs, &sample.wanted, &mut scratch, &mut gradient)
                });
                let error = errors.sum();
                (gradient, error)
            })
            .collect();
        let mut gradient = vec![0.0; size];
        let mut error = 0.0;
        for (piece, squared) in &pieces {
            gradient
                .iter_mut()
                .zip(piece)
                .for_each(|(sum, g)| *sum += g);
            error += squared;
        }
        self.steps = self.steps.saturating_add(1);
        let correction = BETA.map(|beta| 1.0 - beta.powi(self.steps));
        let scale = 1.0 / batch.len().max(1) as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, g), (mean, square)) in network.weights.iter_mut().zip(&gradient).zip(moments)
        {
            let g = g * scale;
            *mean = BETA[0] * *mean + (1.0 - BETA[0]) * g;
            *square = BETA[1] * *square + (1.0 - BETA[1]) * g * g;
            let (mean, square) = (*mean / correction[0], *square / correction[1]);
            *weight -= rate * mean / (square.sqrt() + 1e-8);
        }
        error * scale
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
            .map(|[a, b]| Sample {
                inputs: vec![a, b],
                wanted: vec![if a == b { 0.0 } else { 1.0 }],
            })
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
                        .map(|_| Sample {
                            inputs: (0..10).map(|_| rng.random()).collect(),
                            wanted: (0..3).map(|_| rng.random()).collect(),
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
