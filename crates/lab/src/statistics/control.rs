//! Control variates: luck of known mean, taken out of the outcomes.
//!
//! Sheppard (2004, section 8.3) calls this compensation: an outcome that comes with a figure for
//! the luck in it, whose mean is known, is corrected by that figure, and the mean of the corrected
//! outcomes has the same expectation and a smaller variance. How much luck there is in an outcome
//! is learnt from the sample: the coefficients are those of the regression of outcomes on luck, and
//! the corrected mean is the regression at the known mean of the luck (Lavenberg and Welch 1981).
//! With correlation `r` the variance falls to `1 - r^2` of what it was. The estimate is unbiased
//! where outcomes depend linearly on luck, and otherwise biased by an amount that falls with the
//! number of outcomes, faster than the standard error.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use serde::Serialize;

use super::Moments;

/// The joint moments of outcomes and some terms of luck, in one pass and mergeable like
/// [`Moments`].
#[derive(Clone, Debug, PartialEq)]
pub struct ControlVariates<const LUCK: usize> {
    outcome: Moments,
    luck: SVector<f64, LUCK>,
    /// Sums of products of distances from the mean: luck with luck.
    squares: SMatrix<f64, LUCK, LUCK>,
    /// The same: luck with outcome.
    products: SVector<f64, LUCK>,
}

/// A mean from which luck has been taken out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corrected {
    /// The corrected mean; 0 if there were no outcomes.
    pub mean: f64,
    /// Its standard error; none if there were too few outcomes.
    pub standard_error: Option<f64>,
    /// How much of each term of luck is in an outcome.
    pub coefficients: Vec<f64>,
}

impl<const LUCK: usize> Default for ControlVariates<LUCK> {
    fn default() -> Self {
        ControlVariates {
            outcome: Moments::default(),
            luck: SVector::zeros(),
            squares: SMatrix::zeros(),
            products: SVector::zeros(),
        }
    }
}

impl<const LUCK: usize> ControlVariates<LUCK> {
    /// Takes in one outcome with its luck.
    pub fn add(&mut self, outcome: f64, luck: [f64; LUCK]) {
        self.merge(&ControlVariates {
            outcome: Moments::repeated(outcome, 1),
            luck: luck.into(),
            ..ControlVariates::default()
        });
    }

    /// Takes in what was summed up elsewhere.
    pub fn merge(&mut self, other: &ControlVariates<LUCK>) {
        let count = other.outcome.count() as f64;
        if count == 0.0 {
            return;
        }
        let share = count / (self.outcome.count() as f64 + count);
        let weight = self.outcome.count() as f64 * share;
        let distance = other.luck - self.luck;
        let outcome_distance = other.outcome.mean() - self.outcome.mean();
        self.squares += other.squares + distance * distance.transpose() * weight;
        self.products += other.products + distance * (outcome_distance * weight);
        self.luck += distance * share;
        self.outcome.merge(&other.outcome);
    }

    /// The outcomes as they were.
    pub fn outcome(&self) -> &Moments {
        &self.outcome
    }

    /// The covariance of the outcome with each term of luck; none for fewer than two outcomes.
    pub fn covariance(&self) -> Option<[f64; LUCK]> {
        let count = self.outcome.count();
        (count >= 2).then(|| (self.products / (count - 1) as f64).into())
    }

    /// The mean outcome at the known mean of each term of luck.
    ///
    /// Terms that never vary, or repeat another, add nothing. With too few outcomes, or luck that
    /// is not finite, the mean stays as it is.
    pub fn corrected(&self, known: [f64; LUCK]) -> Corrected {
        let raw = Corrected {
            mean: self.outcome.mean(),
            standard_error: self.outcome.standard_error(),
            coefficients: vec![0.0; LUCK],
        };
        let count = self.outcome.count() as f64;
        // In units of its own deviation each term counts the same when it comes to what is
        // singular.
        let scales: Vec<f64> = (0..LUCK)
            .map(|term| self.squares[(term, term)].sqrt())
            .map(|scale| if scale > 0.0 { scale.recip() } else { 0.0 })
            .collect();
        let correlations = DMatrix::from_fn(LUCK, LUCK, |row, column| {
            self.squares[(row, column)] * scales[row] * scales[column]
        });
        // The decomposition is defined for finite figures only, and for at least one of them.
        if LUCK == 0 || correlations.iter().any(|figure| !figure.is_finite()) {
            return raw;
        }
        const SINGULAR: f64 = 1e-9;
        let rank = correlations.rank(SINGULAR);
        let freedom = count - 1.0 - rank as f64;
        let Ok(inverse) = correlations.pseudo_inverse(SINGULAR) else {
            return raw;
        };
        let Some(variance) = self.outcome.variance().filter(|_| freedom >= 1.0) else {
            return raw;
        };
        let scaled = |vector: &SVector<f64, LUCK>| {
            DVector::from_fn(LUCK, |term, _| vector[term] * scales[term])
        };
        let products = scaled(&self.products);
        let coefficients = &inverse * &products;
        let surplus = scaled(&(self.luck - SVector::from(known)));
        let residual = (variance * (count - 1.0) - products.dot(&coefficients)).max(0.0) / freedom;
        let leverage = (surplus.transpose() * &inverse * &surplus)[(0, 0)];
        Corrected {
            mean: raw.mean - coefficients.dot(&surplus),
            standard_error: Some((residual * (1.0 / count + leverage)).sqrt()),
            coefficients: coefficients
                .iter()
                .zip(&scales)
                .map(|(coefficient, scale)| coefficient * scale)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use tabia_game::Seed;

    const OUTCOMES: [f64; 6] = [2.0, 4.0, 4.5, 7.0, 1.0, 3.5];
    const LUCK: [[f64; 2]; 6] = [
        [0.1, 1.0],
        [0.5, -1.0],
        [0.4, 0.0],
        [1.2, 2.0],
        [-0.6, 0.5],
        [0.3, -0.5],
    ];

    #[track_caller]
    fn assert_near(ours: &[f64], expected: &[f64]) {
        assert_eq!(ours.len(), expected.len());
        for (ours, expected) in ours.iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12, "{ours} for {expected}");
        }
    }

    /// Values of statsmodels 0.15: `params` and `bse[0]` of
    /// `OLS(y, add_constant(x - known)).fit()`, and of NumPy 2.4: `cov(y, x)[0, 1]`.
    #[test]
    fn one_term_equals_statsmodels() {
        let mut sums = ControlVariates::default();
        for (outcome, luck) in OUTCOMES.into_iter().zip(LUCK) {
            sums.add(outcome, [luck[0]]);
        }
        assert_near(&sums.covariance().unwrap(), &[1.176_666_666_666_666_7]);
        let corrected = sums.corrected([0.0]);
        assert_near(&[corrected.mean], &[2.576_097_560_975_610_7]);
        assert_near(&corrected.coefficients, &[3.443_902_439_024_389_7]);
        assert_near(
            &[corrected.standard_error.unwrap()],
            &[0.297_577_368_600_824_4],
        );
    }

    /// Values of statsmodels 0.15, as above; summed up in two parts.
    #[test]
    fn two_merged_terms_equal_statsmodels() {
        let mut parts = [ControlVariates::default(), ControlVariates::default()];
        for (number, (outcome, luck)) in OUTCOMES.into_iter().zip(LUCK).enumerate() {
            parts[usize::from(number >= 2)].add(outcome, luck);
        }
        let [mut sums, rest] = parts;
        sums.merge(&rest);
        let corrected = sums.corrected([0.0, 0.25]);
        assert_near(&[corrected.mean], &[2.580_308_219_178_081_5]);
        assert_near(
            &corrected.coefficients,
            &[3.417_808_219_178_081, 0.048_630_136_986_301_14],
        );
        assert_near(
            &[corrected.standard_error.unwrap()],
            &[0.343_293_164_284_039_2],
        );
    }

    #[test]
    fn luck_that_tells_nothing_corrects_nothing() {
        let (mut constant, mut double) = (ControlVariates::default(), ControlVariates::default());
        let mut single = ControlVariates::default();
        for (outcome, [luck, _]) in OUTCOMES.into_iter().zip(LUCK) {
            constant.add(outcome, [3.0]);
            single.add(outcome, [luck]);
            double.add(outcome, [luck, 2.0 * luck]);
        }
        let raw = constant.outcome();
        let corrected = constant.corrected([0.0]);
        assert_eq!(corrected.coefficients, [0.0]);
        assert_near(&[corrected.mean], &[raw.mean()]);
        assert_near(
            &[corrected.standard_error.unwrap()],
            &[raw.standard_error().unwrap()],
        );
        let (single, double) = (single.corrected([0.0]), double.corrected([0.0, 0.0]));
        assert_near(&[double.mean], &[single.mean]);
        assert_near(
            &[double.standard_error.unwrap()],
            &[single.standard_error.unwrap()],
        );
    }

    #[test]
    fn few_outcomes_stay_as_they_are() {
        let mut sums = ControlVariates::default();
        let none = sums.corrected([0.0]);
        assert_eq!((none.mean, none.standard_error), (0.0, None));
        sums.add(2.0, [1.0]);
        assert_eq!(sums.corrected([0.0]).mean, 2.0);
        sums.add(4.0, [2.0]);
        let two = sums.corrected([0.0]);
        assert_eq!((two.mean, two.standard_error), (3.0, Some(1.0)));
        sums.add(6.0, [f64::INFINITY]);
        assert_eq!(sums.corrected([0.0]).mean, 4.0);
        let mut without = ControlVariates::default();
        without.add(5.0, []);
        assert_eq!(without.corrected([]).mean, 5.0);
    }

    /// Outcomes of true mean 0.3 with luck in them, correlation 0.8. Lavenberg and Welch (1981):
    /// the variance falls to `(1 - r^2) (n - 2) / (n - 3)`, the last factor for the estimated
    /// coefficient and exact for normal figures.
    #[test]
    fn correction_is_unbiased_and_reduces_the_variance() {
        const OUTCOMES: u32 = 40;
        let (mut raw, mut corrected) = (Moments::default(), Moments::default());
        let mut covered = 0;
        for trial in 0..4000 {
            let mut rng = Seed::new(3).number(trial).rng();
            // The sum of twelve uniform figures has variance 1 and is nearly normal.
            let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
            let mut sums = ControlVariates::default();
            for _ in 0..OUTCOMES {
                let luck = normal();
                sums.add(0.3 + 0.8 * luck + 0.6 * normal(), [luck]);
            }
            raw.add(sums.outcome().mean());
            let result = sums.corrected([0.0]);
            corrected.add(result.mean);
            // 2.0244 is the quantile of Student's distribution with 38 degrees of freedom.
            let error = (result.mean - 0.3).abs();
            covered += u32::from(error < 2.0244 * result.standard_error.unwrap());
        }
        let bias = corrected.mean() - 0.3;
        assert!(
            bias.abs() < 4.0 * corrected.standard_error().unwrap(),
            "{bias}"
        );
        let ratio = corrected.variance().unwrap() / raw.variance().unwrap();
        let expected = (1.0 - 0.8 * 0.8) * 38.0 / 37.0;
        // Each variance has a relative standard error of sqrt(2 / 4000), that is 2.2%.
        assert!(
            (ratio / expected - 1.0).abs() < 0.1,
            "{ratio} for {expected}"
        );
        // Four standard errors of the simulation are 1.4%.
        assert!(
            (f64::from(covered) / 4000.0 - 0.95).abs() < 0.014,
            "{covered}"
        );
    }
}
