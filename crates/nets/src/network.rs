//! The network and its gradient.

use rand::{Rng, RngExt};

use crate::TrainingSample;
use crate::kernels::{Sparse, add_to_rows, rows_times, sum_rows};

/// The sizes of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Numbers that go in.
    pub inputs: usize,
    /// Units of the first and of the second hidden layer.
    pub hidden: [usize; 2],
    /// Numbers that come out.
    pub outputs: usize,
}

impl NetworkShape {
    /// The sizes of weights and biases, layer by layer.
    fn parts(self) -> [usize; 6] {
        let [first, second] = self.hidden;
        [
            self.inputs * first,
            first,
            first * second,
            second,
            second * self.outputs,
            self.outputs,
        ]
    }

    /// How many parameters there are.
    pub fn parameters(self) -> usize {
        self.parts().iter().sum()
    }
}

/// A network. Weights are kept in one piece, row by row: all weights that leave one unit lie
/// together.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: NetworkShape,
    pub(crate) weights: Vec<f32>,
}

/// Vectors of inputs that are evaluated together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    inputs: Sparse,
}

impl Batch {
    /// Takes everything out.
    pub fn clear(&mut self) {
        self.inputs.clear();
    }

    /// Adds a vector.
    pub fn push(&mut self, inputs: &[f32]) {
        self.inputs.push(inputs);
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Room for the units while a network is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    batch: Batch,
    sums: Vec<f32>,
    first: Sparse,
    second: Sparse,
    outputs: Vec<f32>,
}

/// Room for a gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Errors {
    scratch: Scratch,
    last: Vec<f32>,
    second: Vec<f32>,
    first: Vec<f32>,
}

/// Weights and biases of a layer.
struct Layer<'a> {
    weights: &'a [f32],
    biases: &'a [f32],
}

impl Layer<'_> {
    fn sum(&self, inputs: &Sparse, sums: &mut Vec<f32>) {
        sums.clear();
        sums.resize(inputs.len() * self.biases.len(), 0.0);
        sum_rows(self.weights, self.biases, inputs, sums);
    }

    /// The sums rectified, those of each vector by themselves.
    fn rectified(&self, inputs: &Sparse, sums: &mut Vec<f32>, units: &mut Sparse) {
        self.sum(inputs, sums);
        units.clear();
        for sums in sums.chunks_exact(self.biases.len()) {
            units.push_rectified(sums);
        }
    }
}

impl Network {
    /// A network with random weights, so small that sums neither vanish nor explode (He et al.
    /// 2015).
    pub fn random(shape: NetworkShape, rng: &mut impl Rng) -> Network {
        let [first, second] = shape.hidden;
        let mut weights = Vec::with_capacity(shape.parameters());
        for (inputs, units) in [
            (shape.inputs, first),
            (first, second),
            (second, shape.outputs),
        ] {
            // Most inputs are zero most of the time, which is why there is a limit.
            let reach = (6.0 / inputs.clamp(1, 64) as f32).sqrt();
            weights.extend((0..inputs * units).map(|_| rng.random_range(-reach..reach) * 0.5));
            weights.extend((0..units).map(|_| 0.0));
        }
        Network { shape, weights }
    }

    /// A network with these weights; nothing if they are not as many as the shape asks for.
    pub fn new(shape: NetworkShape, weights: Vec<f32>) -> Option<Network> {
        (weights.len() == shape.parameters()).then_some(Network { shape, weights })
    }

    /// A network with at least as many inputs and units that gives the same outputs, to go on
    /// learning with more room. Input `i` of this one becomes input `place(i)` of the new one;
    /// inputs that are new have weights of zero, and units that are new have random weights before
    /// them and weights of zero after them. Nothing if the shape has fewer of anything or other
    /// outputs, or if a place is beyond it.
    pub fn widened(
        &self,
        shape: NetworkShape,
        place: impl Fn(usize) -> usize,
        rng: &mut impl Rng,
    ) -> Option<Network> {
        let [first, second] = self.shape.hidden;
        let fits = shape.hidden[0] >= first
            && shape.hidden[1] >= second
            && shape.outputs == self.shape.outputs
            && (0..self.shape.inputs).all(|i| place(i) < shape.inputs);
        if !fits {
            return None;
        }
        // What is new comes from a random network: all weights before units that are new.
        let mut wide = Network::random(shape, rng);
        let new = shape.hidden;
        let (w1, rest) = wide.weights.split_at_mut(shape.inputs * new[0]);
        let (b1, rest) = rest.split_at_mut(new[0]);
        let (w2, rest) = rest.split_at_mut(new[0] * new[1]);
        let (b2, rest) = rest.split_at_mut(new[1]);
        let (w3, b3) = rest.split_at_mut(new[1] * shape.outputs);
        let [old1, old2, old3] = self.layers();
        for row in w1.chunks_exact_mut(new[0]) {
            row[..first].fill(0.0);
        }
        for (i, row) in old1.weights.chunks_exact(first).enumerate() {
            w1[place(i) * new[0]..][..first].copy_from_slice(row);
        }
        b1[..first].copy_from_slice(old1.biases);
        for row in w2.chunks_exact_mut(new[1]) {
            row[..second].fill(0.0);
        }
        for (row, old) in w2
            .chunks_exact_mut(new[1])
            .zip(old2.weights.chunks_exact(second))
        {
            row[..second].copy_from_slice(old);
        }
        b2[..second].copy_from_slice(old2.biases);
        w3.fill(0.0);
        w3[..old3.weights.len()].copy_from_slice(old3.weights);
        b3.copy_from_slice(old3.biases);
        Some(wide)
    }

    /// Moves the weights towards those of another network of the same shape by this share of the
    /// way.
    pub fn approach(&mut self, other: &Network, share: f32) {
        if share >= 1.0 {
            self.weights.copy_from_slice(&other.weights);
            return;
        }
        for (weight, other) in self.weights.iter_mut().zip(&other.weights) {
            *weight += share * (other - *weight);
        }
    }

    /// The sizes of the layers.
    pub fn shape(&self) -> NetworkShape {
        self.shape
    }

    /// All weights and biases.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn layers(&self) -> [Layer<'_>; 3] {
        let mut rest = &self.weights[..];
        let mut part = |size: usize| {
            let (part, others) = rest.split_at(size);
            rest = others;
            part
        };
        let parts = self.shape.parts().map(&mut part);
        [0, 2, 4].map(|i| Layer {
            weights: parts[i],
            biases: parts[i + 1],
        })
    }

    /// Evaluates one vector of inputs. What comes out stays in the scratch.
    #[inline]
    pub fn evaluate<'s>(&self, inputs: &[f32], scratch: &'s mut Scratch) -> &'s [f32] {
        let mut batch = std::mem::take(&mut scratch.batch);
        batch.clear();
        batch.push(inputs);
        self.evaluate_all(&batch, scratch);
        scratch.batch = batch;
        &scratch.outputs
    }

    /// Evaluates all vectors of a batch; what comes out of each follows what came out of the one
    /// before. The results are those of [`Network::evaluate`] to the last bit.
    pub fn evaluate_all<'s>(&self, batch: &Batch, scratch: &'s mut Scratch) -> &'s [f32] {
        self.forward(&batch.inputs, scratch);
        &scratch.outputs
    }

    fn forward(&self, inputs: &Sparse, scratch: &mut Scratch) {
        let [first, second, last] = self.layers();
        first.rectified(inputs, &mut scratch.sums, &mut scratch.first);
        second.rectified(&scratch.first, &mut scratch.sums, &mut scratch.second);
        last.sum(&scratch.second, &mut scratch.outputs);
        for output in &mut scratch.outputs {
            *output = 1.0 / (1.0 + (-*output).exp());
        }
    }

    /// Adds to `gradient` how the error of one sample, the cross entropy of wanted and found
    /// outputs, changes with each weight; returns the squared error.
    pub(crate) fn gradient(
        &self,
        sample: &TrainingSample,
        errors: &mut Errors,
        gradient: &mut [f32],
    ) -> f32 {
        let Errors {
            scratch,
            last: last_error,
            second: second_error,
            first: first_error,
        } = errors;
        self.forward(&sample.inputs, scratch);
        let [_, second, last] = self.layers();
        let found = scratch.outputs.iter().zip(&sample.wanted);
        last_error.clear();
        last_error.extend(found.map(|(found, wanted)| found - wanted));
        let squared = last_error.iter().map(|e| e * e).sum();
        let mut rest = gradient;
        let mut part = |size: usize| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(size);
            rest = others;
            part
        };
        let [w1, b1, w2, b2, w3, b3] = self.shape.parts().map(&mut part);
        let [first_units, second_units] = self.shape.hidden;
        // A unit that is off passes nothing on.
        add(b3, last_error);
        add_to_rows(w3, &scratch.second, 0, last_error);
        second_error.resize(second_units, 0.0);
        rows_times(last.weights, &scratch.second, 0, last_error, second_error);
        add(b2, second_error);
        add_to_rows(w2, &scratch.first, 0, second_error);
        first_error.resize(first_units, 0.0);
        rows_times(second.weights, &scratch.first, 0, second_error, first_error);
        add(b1, first_error);
        add_to_rows(w1, &sample.inputs, 0, first_error);
        squared
    }
}

fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const SHAPE: NetworkShape = NetworkShape {
        inputs: 7,
        hidden: [6, 5],
        outputs: 2,
    };

    fn cross_entropy(found: &[f32], wanted: &[f32]) -> f64 {
        let terms = found.iter().zip(wanted).map(|(&f, &w)| {
            let (f, w) = (f64::from(f), f64::from(w));
            -w * f.ln() - (1.0 - w) * (1.0 - f).ln()
        });
        terms.sum()
    }

    /// The gradient against differences of the error itself.
    #[test]
    fn the_gradient_is_that_of_the_error() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let network = Network::random(SHAPE, &mut rng);
        let inputs: Vec<f32> = (0..7)
            .map(|i| if i == 3 { 0.0 } else { rng.random() })
            .collect();
        let wanted = [0.3, 0.9];
        let mut gradient = vec![0.0; SHAPE.parameters()];
        let sample = TrainingSample::new(&inputs, &wanted);
        network.gradient(&sample, &mut Errors::default(), &mut gradient);
        for (i, &found) in gradient.iter().enumerate() {
            let error = |step: f32| {
                let mut other = network.clone();
                other.weights[i] += step;
                cross_entropy(other.evaluate(&inputs, &mut Scratch::default()), &wanted)
            };
            let difference = (error(1e-2) - error(-1e-2)) / 2e-2;
            assert!(
                (difference - f64::from(found)).abs() < 2e-3,
                "weight {i}: {difference} {found}"
            );
        }
    }

    /// Layers that skip zeros against the plain formula.
    #[test]
    fn evaluation_is_the_plain_formula() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let network = Network::random(SHAPE, &mut rng);
        let inputs = [0.0, 1.0, 0.5, 0.0, 2.0, 0.0, 0.25];
        let mut units: Vec<f64> = inputs.iter().map(|&x| f64::from(x)).collect();
        let mut at = 0;
        for (layer, size) in [6, 5, 2].into_iter().enumerate() {
            let weight = |from: usize, to: usize| f64::from(network.weights[at + from * size + to]);
            let bias = |to: usize| f64::from(network.weights[at + units.len() * size + to]);
            let sums: Vec<f64> = (0..size)
                .map(|to| {
                    bias(to)
                        + (0..units.len())
                            .map(|from| units[from] * weight(from, to))
                            .sum::<f64>()
                })
                .collect();
            at += (units.len() + 1) * size;
            let active = |x: f64| match layer {
                2 => 1.0 / (1.0 + (-x).exp()),
                _ => x.max(0.0),
            };
            units = sums.into_iter().map(active).collect();
        }
        let mut scratch = Scratch::default();
        let found = network.evaluate(&inputs, &mut scratch);
        for (found, wanted) in found.iter().zip(units) {
            assert!((f64::from(*found) - wanted).abs() < 1e-6);
        }
    }

    #[test]
    fn a_wider_network_gives_the_same() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let network = Network::random(SHAPE, &mut rng);
        let shape = NetworkShape {
            inputs: 11,
            hidden: [9, 8],
            outputs: 2,
        };
        let place = |i| if i < 3 { i } else { i + 2 };
        let wide = network.widened(shape, place, &mut rng).unwrap();
        assert_eq!(wide.shape(), shape);
        for _ in 0..20 {
            let inputs: [f32; 7] = rng.random();
            // What is new does not matter yet.
            let mut more: [f32; 11] = rng.random();
            for (i, &input) in inputs.iter().enumerate() {
                more[place(i)] = input;
            }
            let (mut one, mut other) = (Scratch::default(), Scratch::default());
            let narrow = network.evaluate(&inputs, &mut one);
            let found = wide.evaluate(&more, &mut other);
            for (a, b) in narrow.iter().zip(found) {
                assert!((a - b).abs() < 1e-6);
            }
        }
        let fewer = NetworkShape {
            hidden: [5, 5],
            ..shape
        };
        assert_eq!(network.widened(fewer, place, &mut rng), None);
        assert_eq!(network.widened(shape, |i| i + 5, &mut rng), None);
        let mut between = network.clone();
        let other = Network::random(SHAPE, &mut rng);
        between.approach(&other, 0.25);
        for ((a, b), c) in network
            .weights
            .iter()
            .zip(&other.weights)
            .zip(&between.weights)
        {
            assert!((0.75 * a + 0.25 * b - c).abs() < 1e-6);
        }
    }

    /// Blocks of every width, and vectors with few, many and no numbers.
    #[test]
    fn a_batch_gives_what_its_vectors_give() {
        let shape = NetworkShape {
            inputs: 50,
            hidden: [64 + 32 + 8 + 3, 21],
            outputs: 5,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let network = Network::random(shape, &mut rng);
        let mut batch = Batch::default();
        let vectors: Vec<Vec<f32>> = (0..20)
            .map(|i| {
                let number = |_| match rng.random_range(0..20) < i {
                    true => rng.random_range(-1.0..1.0),
                    false => 0.0,
                };
                (0..50).map(number).collect()
            })
            .collect();
        vectors.iter().for_each(|vector| batch.push(vector));
        let (mut scratch, mut single) = (Scratch::default(), Scratch::default());
        let all = network.evaluate_all(&batch, &mut scratch);
        assert_eq!(all.len(), 20 * 5);
        for (found, vector) in all.chunks_exact(5).zip(&vectors) {
            assert_eq!(found, network.evaluate(vector, &mut single));
        }
    }
}
