//! Training by gradient descent with momentum and a step for each weight (Adam, Kingma and Ba
//! 2015).

use crate::Network;
use crate::kernels::{Sparse, Step, adam_step};
use crate::network::Errors;

/// Inputs and what should come out.
#[derive(Clone, Debug)]
pub struct TrainingSample {
    pub(crate) inputs: Sparse,
    pub(crate) wanted: Vec<f32>,
}

impl TrainingSample {
    /// What goes in, and what should come out, each between 0 and 1.
    pub fn new(inputs: &[f32], wanted: &[f32]) -> TrainingSample {
        let mut sparse = Sparse::default();
        sparse.push(inputs);
        sparse.shrink();
        TrainingSample {
            inputs: sparse,
            wanted: wanted.to_vec(),
        }
    }
}

/// The state of a training.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    /// Room for the gradient.
    gradient: Vec<f32>,
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
            gradient: Vec::new(),
            errors: Errors::default(),
        }
    }

    /// One step downhill for a batch of samples; returns the mean of the squared errors before it.
    pub fn step(&mut self, network: &mut Network, batch: &[TrainingSample], rate: f32) -> f32 {
        self.gradient.clear();
        self.gradient.resize(network.weights.len(), 0.0);
        let mut squared = 0.0;
        for sample in batch {
            squared += network.gradient(sample, &mut self.errors, &mut self.gradient);
        }
        self.steps = self.steps.saturating_add(1);
        let beta = [0.9f32, 0.999];
        let step = Step {
            beta,
            correction: beta.map(|beta| 1.0 - beta.powi(self.steps)),
            scale: 1.0 / batch.len().max(1) as f32,
            rate,
        };
        let (weights, gradient) = (&mut network.weights, &self.gradient);
        adam_step(step, gradient, weights, &mut self.mean, &mut self.square);
        squared * step.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkShape;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Exclusive or cannot be told by a single layer.
    #[test]
    fn exclusive_or_is_learnt() {
        let shape = NetworkShape {
            inputs: 2,
            hidden: [8, 8],
            outputs: 1,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut network = Network::random(shape, &mut rng);
        let mut adam = Adam::new(&network);
        let samples: Vec<TrainingSample> = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
            .into_iter()
            .map(|[a, b]| TrainingSample::new(&[a, b], &[if a == b { 0.0 } else { 1.0 }]))
            .collect();
        let before = adam.step(&mut network, &samples, 0.01);
        for _ in 0..2000 {
            adam.step(&mut network, &samples, 0.01);
        }
        let after = adam.step(&mut network, &samples, 0.01);
        assert!(before > 0.1 && after < 0.01, "{before} {after}");
    }
}
