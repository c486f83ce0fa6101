//! What ChanceProbCut believes (Schadd 2011, section 5.3): a deep value is a linear function of a
//! shallow one, give or take.

use super::Scalar;
use super::bounds::ValueRange;

/// How the value of a search of some depth follows from that of a shallower one, `slope · shallow +
/// intercept`, with this standard deviation. Values are those of the player to move after the
/// chance event, in units of one [`CERTAIN`](tabia_game::CERTAIN)-th.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regression {
    /// The depth of chance nodes to which it applies.
    pub depth: i32,
    /// How much shallower the outcomes are searched.
    pub reduction: i32,
    /// The slope, a.
    pub slope: f64,
    /// The intercept, b.
    pub intercept: f64,
    /// The standard deviation of what is left, sigma.
    pub deviation: f64,
}

impl Regression {
    /// Fits a line to pairs of a shallow and a deep value by least squares; `None` if there are
    /// fewer than three or all shallow values are the same.
    pub fn fit(depth: i32, reduction: i32, pairs: &[(f64, f64)]) -> Option<Regression> {
        let n = pairs.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = pairs.iter().map(|p| (p.0 - x).powi(2)).sum();
        if pairs.len() < 3 || spread <= 0.0 {
            return None;
        }
        let common: f64 = pairs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
        let slope = common / spread;
        let intercept = y - slope * x;
        let residual = |p: &(f64, f64)| (p.1 - slope * p.0 - intercept).powi(2);
        let deviation = (pairs.iter().map(residual).sum::<f64>() / (n - 2.0)).sqrt();
        Some(Regression {
            depth,
            reduction,
            slope,
            intercept,
            deviation,
        })
    }

    /// Where the deep value probably lies, `width` standard deviations to either side.
    pub(super) fn range<V: Scalar>(&self, shallow: V, width: f64) -> ValueRange<V> {
        let middle = self.slope * shallow.to_f64() + self.intercept;
        let reach = width * self.deviation;
        let rounded = |x: f64| V::ratio(x.round() as i64, 1);
        ValueRange {
            lo: rounded(middle - reach),
            hi: rounded(middle + reach),
        }
    }
}
