//! Curves: what a figure of a paper plots.

use serde::Serialize;

/// Lines over one pair of axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// What is counted to the right.
    pub x: String,
    /// What is counted upwards.
    pub y: String,
    /// Whether the scale upwards is logarithmic.
    pub logarithmic: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// One line of a [`Curve`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Its points, from the left to the right.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A line through these points. What is not finite cannot be drawn and is left out.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        Series {
            name: name.into(),
            points: points.into_iter().filter(finite).collect(),
        }
    }

    /// The first of its highest points.
    pub fn peak(&self) -> Option<(f64, f64)> {
        let higher =
            |best: (f64, f64), point: (f64, f64)| if point.1 > best.1 { point } else { best };
        self.points.iter().copied().reduce(higher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_the_first_of_the_highest_points() {
        let points = [
            (0.0, 1.0),
            (1.0, f64::INFINITY),
            (2.0, 3.0),
            (3.0, 3.0),
            (4.0, 0.0),
        ];
        let series = Series::new("a", points);
        assert_eq!(series.points.len(), 4);
        assert_eq!(series.peak(), Some((2.0, 3.0)));
        assert_eq!(Series::new("b", []).peak(), None);
    }
}
