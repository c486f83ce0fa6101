//! Statistics of matches and of paired measurements.
//!
//! A match is a list of units, each of which scored between 0 and 1: single games, or pairs of
//! games that share their opening and their luck. [`Counts`] or [`Moments`] sum the units up; a
//! [`Score`] puts an interval around their mean, [`Elo`] says the same on the usual scale, and a
//! [`Sprt`] tells when enough has been played. Every function gives an answer for every input, no
//! games at all included; the answer then says that nothing is known.

mod bootstrap;
mod control;
mod counts;
mod elo;
mod moments;
mod ratings;
mod sample_size;
mod score;
mod share;
mod sprt;

use serde::Serialize;

pub use bootstrap::paired_ratio;
pub use control::{ControlVariates, Corrected};
pub use counts::Counts;
pub use elo::{Elo, elo_of_share, share_of_elo};
pub use moments::Moments;
pub use ratings::{Pairing, Rating, Ratings};
pub use sample_size::{sample_size, speed_up};
pub use score::{Mean, Score};
pub use share::{wald, wilson};
pub use sprt::{Decision, Sprt, SprtState};

/// The confidence level of everything that is reported, unless another one is asked for.
pub const CONFIDENCE: f64 = 0.95;

/// A confidence interval.
///
/// An end may be infinite; in JSON it is `null` then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether it covers a figure.
    pub fn contains(&self, figure: f64) -> bool {
        self.low <= figure && figure <= self.high
    }

    /// That of what is missing to one.
    #[must_use]
    pub fn complement(self) -> Interval {
        Interval {
            low: 1.0 - self.high,
            high: 1.0 - self.low,
        }
    }
}
