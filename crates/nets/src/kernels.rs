//! The loops that take the time: sums of rows, forward and backward, and the steps of a training.
//!
//! Sums of a block of units stay in registers while all rows are added, and are stored once. Wider
//! registers are used where the processor has them. Every product and every sum is rounded by
//! itself and in an order that does not depend on the width, and no product is fused with a sum:
//! results are the same on every processor.

use multiversion::multiversion;

/// Vectors of which most numbers are zero: those that are not, with their places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sparse {
    places: Vec<u32>,
    values: Vec<f32>,
    /// Where the numbers of each vector end.
    ends: Vec<usize>,
}

impl Sparse {
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.values.clear();
        self.ends.clear();
    }

    /// How many vectors there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Gives back the room that is not used.
    pub(crate) fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.values.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Appends what counts of a vector. Whether a number does cannot be foreseen, so every number
    /// is written, and the next one over it if it does not.
    #[inline]
    fn append(&mut self, numbers: &[f32], counts: impl Fn(f32) -> bool) {
        let mut end = self.places.len();
        self.places.resize(end + numbers.len(), 0);
        self.values.resize(end + numbers.len(), 0.0);
        for (place, &number) in (0..).zip(numbers) {
            self.places[end] = place;
            self.values[end] = number;
            end += usize::from(counts(number));
        }
        self.places.truncate(end);
        self.values.truncate(end);
        self.ends.push(end);
    }

    /// Appends a vector.
    pub(crate) fn push(&mut self, numbers: &[f32]) {
        self.append(numbers, |number| number != 0.0);
    }

    /// Appends a vector of which negative numbers count as zero.
    pub(crate) fn push_rectified(&mut self, numbers: &[f32]) {
        self.append(numbers, |number| number > 0.0);
    }

    /// The numbers of one vector, with their places.
    #[inline]
    pub(crate) fn vector(&self, i: usize) -> impl Iterator<Item = (usize, f32)> {
        let first = if i == 0 { 0 } else { self.ends[i - 1] };
        let (places, values) = (
            &self.places[first..self.ends[i]],
            &self.values[first..self.ends[i]],
        );
        let places = places.iter().map(|&place| place as usize);
        places.zip(values.iter().copied())
    }
}

/// For each vector the biases plus the rows of its numbers, each times its number. One block of
/// units is made for all vectors before the next, so that its part of the rows stays near.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))]
pub(crate) fn sum_rows(weights: &[f32], biases: &[f32], inputs: &Sparse, sums: &mut [f32]) {
    let units = biases.len();
    let mut at = 0;
    while at + 64 <= units {
        sum_block::<64>(weights, biases, inputs, sums, at);
        at += 64;
    }
    while at + 32 <= units {
        sum_block::<32>(weights, biases, inputs, sums, at);
        at += 32;
    }
    while at + 8 <= units {
        sum_block::<8>(weights, biases, inputs, sums, at);
        at += 8;
    }
    while at < units {
        sum_block::<1>(weights, biases, inputs, sums, at);
        at += 1;
    }
}

#[inline(always)]
fn sum_block<const N: usize>(
    weights: &[f32],
    biases: &[f32],
    inputs: &Sparse,
    sums: &mut [f32],
    at: usize,
) {
    let units = biases.len();
    for (i, sums) in sums.chunks_exact_mut(units).enumerate() {
        let mut sum = [0.0; N];
        sum.copy_from_slice(&biases[at..at + N]);
        for (place, value) in inputs.vector(i) {
            let row = &weights[place * units + at..][..N];
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
        sums[at..at + N].copy_from_slice(&sum);
    }
}

/// Adds a vector to the rows of one sparse vector, each time as often as its number says.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))]
pub(crate) fn add_to_rows(rows: &mut [f32], inputs: &Sparse, i: usize, what: &[f32]) {
    for (place, value) in inputs.vector(i) {
        let row = &mut rows[place * what.len()..][..what.len()];
        for (to, what) in row.iter_mut().zip(what) {
            *to += value * what;
        }
    }
}

/// The products of the rows of one sparse vector with a vector; zero where its numbers are.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))]
pub(crate) fn rows_times(
    weights: &[f32],
    units: &Sparse,
    i: usize,
    error: &[f32],
    below: &mut [f32],
) {
    const LANES: usize = 16;
    below.fill(0.0);
    for (place, _) in units.vector(i) {
        let row = &weights[place * error.len()..][..error.len()];
        let (many, rest) = row.as_chunks::<LANES>();
        let (errors, last) = error.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for (weights, errors) in many.iter().zip(errors) {
            for lane in 0..LANES {
                sums[lane] += weights[lane] * errors[lane];
            }
        }
        for (sum, (weight, error)) in sums.iter_mut().zip(rest.iter().zip(last)) {
            *sum += weight * error;
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
            }
            width /= 2;
        }
        below[place] = sums[0];
    }
}

/// What a step of Adam is made with.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// How much of the means stays.
    pub beta: [f32; 2],
    /// What the means are divided by, since they began at zero.
    pub correction: [f32; 2],
    /// What the sum of the gradients is multiplied by.
    pub scale: f32,
    pub rate: f32,
}

/// One step of Adam, given the sum of the gradients.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))]
pub(crate) fn adam_step(
    step: Step,
    gradient: &[f32],
    weights: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
) {
    let Step {
        beta: [keep, keep_square],
        correction,
        scale,
        rate,
    } = step;
    let moments = mean.iter_mut().zip(square);
    for ((weight, g), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
        let g = g * scale;
        *mean = keep * *mean + (1.0 - keep) * g;
        *square = keep_square * *square + (1.0 - keep_square) * g * g;
        let deviation = (*square / correction[1]).sqrt() + 1e-8;
        *weight -= rate * (*mean / correction[0]) / deviation;
    }
}
