//! The network and its gradient.

use multiversion::multiversion;
use rand::{Rng, RngExt};

/// The sizes of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Numbers that go in.
    pub inputs: usize,
    /// Units of the first and of the second hidden layer.
    pub hidden: [usize; 2],
    /// Numbers that come out.
    pub outputs: usize,
}

impl Shape {
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
    shape: Shape,
    pub(crate) weights: Vec<f32>,
}

/// Room for the units while a network is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    first: Vec<f32>,
    second: Vec<f32>,
    outputs: Vec<f32>,
}

impl Scratch {
    /// What came out last.
    pub fn outputs(&self) -> &[f32] {
        &self.outputs
    }
}

/// Weights and biases of a layer.
struct Layer<'a> {
    weights: &'a [f32],
    biases: &'a [f32],
}

impl Layer<'_> {
    #[inline]
    fn sum(&self, inputs: &[f32], sums: &mut Vec<f32>) {
        sums.clear();
        sums.extend_from_slice(self.biases);
        add_rows(self.weights, inputs, sums);
    }
}

/// Sums up the rows of all inputs that are not zero. Wider registers are used where the processor has
/// them; products and sums are rounded one by one in any case, so that the result is the same.
#[multiversion(targets("x86_64+avx2", "x86_64+avx"))]
fn add_rows(weights: &[f32], inputs: &[f32], sums: &mut [f32]) {
    for (&input, row) in inputs.iter().zip(weights.chunks_exact(sums.len())) {
        if input != 0.0 {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
    }
}

impl Network {
    /// A network with random weights, so small that sums neither vanish nor explode (He et al. 2015).
    pub fn random(shape: Shape, rng: &mut impl Rng) -> Network {
        let [first, second] = shape.hidden;
        let mut weights = Vec::with_capacity(shape.parameters());
        for (inputs, units) in [
            (shape.inputs, first),
            (first, second),
            (second, shape.outputs),
        ] {
            // Most inputs are zero most of the time, hence the limit.
            let reach = (6.0 / inputs.clamp(1, 64) as f32).sqrt();
            weights.extend((0..inputs * units).map(|_| rng.random_range(-reach..reach) * 0.5));
            weights.extend((0..units).map(|_| 0.0));
        }
        Network { shape, weights }
    }

    /// A network with these weights; nothing if they are not as many as the shape asks for.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Option<Network> {
        (weights.len() == shape.parameters()).then_some(Network { shape, weights })
    }

    /// The sizes of the layers.
    pub fn shape(&self) -> Shape {
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
        let [first, second, last] = self.layers();
        first.sum(inputs, &mut scratch.first);
        rectify(&mut scratch.first);
        second.sum(&scratch.first, &mut scratch.second);
        rectify(&mut scratch.second);
        last.sum(&scratch.second, &mut scratch.outputs);
        for output in &mut scratch.outputs {
            *output = 1.0 / (1.0 + (-*output).exp());
        }
        &scratch.outputs
    }

    /// Adds to `gradient` how the error of one sample, the cross entropy of wanted and found outputs,
    /// changes with each weight; returns the squared error.
    pub(crate) fn gradient(
        &self,
        inputs: &[f32],
        wanted: &[f32],
        scratch: &mut Scratch,
        gradient: &mut [f32],
    ) -> f32 {
        self.evaluate(inputs, scratch);
        let [_, second, last] = self.layers();
        let found = scratch.outputs.iter().zip(wanted);
        let error: Vec<f32> = found.map(|(found, wanted)| found - wanted).collect();
        let squared = error.iter().map(|e| e * e).sum();
        let mut rest = gradient;
        let mut part = |size: usize| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(size);
            rest = others;
            part
        };
        let [w1, b1, w2, b2, w3, b3] = self.shape.parts().map(&mut part);
        let below = backward(&last, &scratch.second, &error, w3, b3);
        let below = backward(&second, &scratch.first, &below, w2, b2);
        add(b1, &below, 1.0);
        for (&input, row) in inputs.iter().zip(w1.chunks_exact_mut(below.len())) {
            if input != 0.0 {
                add(row, &below, input);
            }
        }
        squared
    }
}

#[inline]
fn rectify(units: &mut [f32]) {
    for unit in units {
        *unit = unit.max(0.0);
    }
}

#[inline]
fn add(to: &mut [f32], what: &[f32], times: f32) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += times * what;
    }
}

/// Adds the gradient of one layer, and returns the error of the units below it.
fn backward(
    layer: &Layer<'_>,
    units: &[f32],
    error: &[f32],
    weights: &mut [f32],
    biases: &mut [f32],
) -> Vec<f32> {
    add(biases, error, 1.0);
    let rows = layer.weights.chunks_exact(error.len());
    let gradients = weights.chunks_exact_mut(error.len());
    units
        .iter()
        .zip(rows)
        .zip(gradients)
        .map(|((&unit, row), gradient)| {
            // A unit that is off passes nothing on.
            if unit <= 0.0 {
                return 0.0;
            }
            add(gradient, error, unit);
            row.iter().zip(error).map(|(w, e)| w * e).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const SHAPE: Shape = Shape {
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
        let mut scratch = Scratch::default();
        let inputs: Vec<f32> = (0..7)
            .map(|i| if i == 3 { 0.0 } else { rng.random() })
            .collect();
        let wanted = [0.3, 0.9];
        let mut gradient = vec![0.0; SHAPE.parameters()];
        network.gradient(&inputs, &wanted, &mut scratch, &mut gradient);
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
}
