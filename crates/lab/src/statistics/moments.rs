//! Mean and variance in one pass: Welford (1962), merged after Chan, Golub and LeVeque (1983).

use serde::Serialize;

/// The number, mean and spread of some figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// The same figure several times.
    pub fn repeated(figure: f64, count: u64) -> Moments {
        Moments {
            count,
            mean: if count == 0 { 0.0 } else { figure },
            squares: 0.0,
        }
    }

    /// Takes one more figure in.
    pub fn add(&mut self, figure: f64) {
        self.merge(&Moments::repeated(figure, 1));
    }

    /// Takes in what was summed up elsewhere.
    pub fn merge(&mut self, other: &Moments) {
        if other.count == 0 {
            return;
        }
        let count = self.count.saturating_add(other.count);
        let share = other.count as f64 / count as f64;
        let distance = other.mean - self.mean;
        self.squares += other.squares + distance * distance * self.count as f64 * share;
        self.mean += distance * share;
        self.count = count;
    }

    /// How many figures there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 if there were none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The unbiased estimate of the variance; none for fewer than two figures.
    pub fn variance(&self) -> Option<f64> {
        (self.count >= 2).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The standard error of the mean; none for fewer than two figures.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count as f64).sqrt())
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Moments {
        let mut moments = Moments::default();
        figures.into_iter().for_each(|figure| moments.add(figure));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values of NumPy 2.4: `mean(y)`, `var(y, ddof=1)`, `sqrt(var(y, ddof=1) / 6)`; the large
    /// offset is what a sum of squares would not survive.
    #[test]
    fn mean_and_variance_equal_numpy() {
        let figures = [2.0, 4.0, 4.5, 7.0, 1.0, 3.5];
        for offset in [0.0, 1e8] {
            let moments: Moments = figures.iter().map(|y| y + offset).collect();
            assert!((moments.mean() - offset - 3.666_666_666_666_666_5).abs() < 1e-7);
            assert!((moments.variance().unwrap() - 4.366_666_666_666_667).abs() < 1e-6);
            assert!((moments.standard_error().unwrap() - 0.853_098_926_137_981_9).abs() < 1e-7);
        }
    }

    #[test]
    fn few_figures_have_no_variance() {
        assert_eq!(Moments::default().mean(), 0.0);
        assert_eq!(Moments::default().variance(), None);
        assert_eq!(Moments::repeated(3.0, 1).standard_error(), None);
        assert_eq!(Moments::repeated(1.0 / 3.0, 9).variance(), Some(0.0));
    }

    proptest! {
        /// Merging is the same as the two-pass formula over all figures.
        #[test]
        fn merging_equals_two_passes(
            first in prop::collection::vec(-10.0..10.0, 0..20),
            second in prop::collection::vec(-10.0..10.0, 0..20),
        ) {
            let mut merged: Moments = first.iter().copied().collect();
            merged.merge(&second.iter().copied().collect());
            let all: Vec<f64> = first.into_iter().chain(second).collect();
            prop_assert_eq!(merged.count(), all.len() as u64);
            if all.len() >= 2 {
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let squares: f64 = all.iter().map(|figure| (figure - mean).powi(2)).sum();
                prop_assert!((merged.mean() - mean).abs() < 1e-12);
                let variance = squares / (all.len() - 1) as f64;
                prop_assert!((merged.variance().unwrap() - variance).abs() < 1e-11);
            }
        }
    }
}
