//! The generalised sequential probability ratio test.
//!
//! Wald (1945) stops a test as soon as the likelihood ratio of two hypotheses leaves a corridor.
//! Here the hypotheses fix the mean of a multinomial distribution only; each is given its most
//! likely distribution with that mean (Van den Bergh, *A practical introduction to the GSPRT*), so
//! neither the share of draws nor the dependence within pairs need be known. A distribution with
//! mean `s` nearest to counts `n` over scores `a` is proportional to `n / (1 + x (a - s))`, where
//! `x` is the zero of `sum n (a - s) / (1 + x (a - s))`.
//!
//! Scores that did not occur count a quarter each, else a hypothesis could be impossible after a
//! few units. Tests of chess programs often count a thousandth. Then a test of some fifty pairs
//! takes its first, narrow sample for the whole distribution: in simulations of pairs whose opening
//! favours one seat it erred in 5.2% of cases for 5%. A quarter was chosen because there it stays
//! below, and takes about 5% longer. `tabia reproduce laboratory sprt` measures the rates.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabia_game::options::OptionError;

use super::{Counts, share_of_elo};

/// The text that [`Sprt::from_str`] takes, for messages.
const USAGE: &str =
    "a test is 'elo0=0,elo1=10,alpha=0.05,beta=0.05'; alpha and beta may be left out";
/// Differences beyond this are shares of 0 or 1 for all that can be played.
const MAX_ELO: f64 = 2000.0;
const UNSEEN: f64 = 0.25;

/// A test of `elo0` against a larger `elo1`, as text `elo0=0,elo1=10,alpha=0.05,beta=0.05`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Nothing: the match goes on.
    Continue,
    /// The strength is `elo0` rather than `elo1`.
    AcceptH0,
    /// The strength is `elo1` rather than `elo0`.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub log_likelihood_ratio: f64,
    /// Where `elo0` is accepted.
    pub lower: f64,
    /// Where `elo1` is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

impl Sprt {
    /// A test of `elo0` against `elo1` that takes the second for the first with probability
    /// `alpha`, and the first for the second with probability `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, OptionError> {
        let elo_is_right = -MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO;
        if !elo_is_right {
            return Err(OptionError::new(format!(
                "sprt: elo0={elo0} must be less than elo1={elo1}, and both between -{MAX_ELO} and \
                 {MAX_ELO}"
            )));
        }
        for (key, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(OptionError::new(format!(
                    "sprt: {key}={rate} must be more than 0 and less than 0.5"
                )));
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Where the test stands after these units.
    pub fn state(&self, counts: &Counts) -> SprtState {
        let log_likelihood_ratio = self.log_likelihood_ratio(counts);
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let decision = if log_likelihood_ratio >= upper {
            Decision::AcceptH1
        } else if log_likelihood_ratio <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        };
        SprtState {
            log_likelihood_ratio,
            lower,
            upper,
            decision,
        }
    }

    fn log_likelihood_ratio(&self, counts: &Counts) -> f64 {
        if counts.scores().all(|(_, count)| count == 0) {
            return 0.0;
        }
        let seen = || {
            counts.scores().map(|(score, count)| match count {
                0 => (score, UNSEEN),
                _ => (score, count as f64),
            })
        };
        let log_likelihood = |mean: f64| -> f64 {
            let multiplier = multiplier(seen, mean);
            // The counts themselves are common to both hypotheses.
            seen()
                .map(|(score, count)| -count * (multiplier * (score - mean)).ln_1p())
                .sum()
        };
        log_likelihood(share_of_elo(self.elo1)) - log_likelihood(share_of_elo(self.elo0))
    }
}

/// The `x` for which `sum n (a - mean) / (1 + x (a - mean))` is zero: Newton's method, kept between
/// the poles by bisection. The sum falls from one pole to the other, so there is exactly one.
fn multiplier<I: Iterator<Item = (f64, f64)>>(counts: impl Fn() -> I, mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (score, count) in counts() {
            let term = (score - mean) / (1.0 + x * (score - mean));
            sum += count * term;
            slope -= count * term * term;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        let next = if low < newton && newton < high {
            newton
        } else {
            (low + high) / 2.0
        };
        if (next - x).abs() <= 1e-15 * (1.0 + x.abs()) {
            break;
        }
        x = next;
    }
    x
}

impl FromStr for Sprt {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Sprt, OptionError> {
        let mut elo = [None; 2];
        let mut rates = [None; 2];
        for word in text.split(',').map(str::trim) {
            let (key, value) = word
                .split_once('=')
                .map(|(key, value)| (key.trim(), value.trim()))
                .ok_or_else(|| {
                    OptionError::new(format!("sprt: '{word}' is not key=value; {USAGE}"))
                })?;
            let place = match key {
                "elo0" => &mut elo[0],
                "elo1" => &mut elo[1],
                "alpha" => &mut rates[0],
                "beta" => &mut rates[1],
                _ => {
                    return Err(OptionError::new(format!(
                        "sprt has no option '{key}'; {USAGE}"
                    )));
                }
            };
            if place.is_some() {
                return Err(OptionError::new(format!("sprt: '{key}' is given twice")));
            }
            let number = value.parse::<f64>().map_err(|_| {
                OptionError::new(format!("sprt: '{value}' is no number for '{key}'; {USAGE}"))
            })?;
            *place = Some(number);
        }
        let [Some(elo0), Some(elo1)] = elo else {
            return Err(OptionError::new(format!(
                "sprt needs both elo0 and elo1; {USAGE}"
            )));
        };
        let [alpha, beta] = rates.map(|rate| rate.unwrap_or(0.05));
        Sprt::new(elo0, elo1, alpha, beta)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

impl TryFrom<String> for Sprt {
    type Error = OptionError;

    fn try_from(text: String) -> Result<Sprt, OptionError> {
        text.parse()
    }
}

impl From<Sprt> for String {
    fn from(sprt: Sprt) -> String {
        sprt.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values of SciPy 1.17: the multiplier by `brentq`, the ratio from the two distributions.
    #[test]
    fn likelihood_ratios_equal_scipy() {
        for (counts, elo0, elo1, expected) in [
            (
                Counts::Pairs([10, 20, 40, 35, 12]),
                0.0,
                10.0,
                0.726_122_008_754_629_2,
            ),
            (
                Counts::Games([30, 40, 50]),
                0.0,
                5.0,
                0.413_456_511_945_071_3,
            ),
            (
                Counts::Pairs([0, 0, 0, 0, 7]),
                0.0,
                60.0,
                1.161_012_013_891_87,
            ),
            (Counts::Pairs([0, 0, 5, 0, 0]), -20.0, 20.0, 0.0),
            (
                Counts::Pairs([100, 2000, 4300, 2100, 120]),
                0.0,
                2.0,
                1.801_728_760_177_866_2,
            ),
            (Counts::pairs(), 0.0, 10.0, 0.0),
        ] {
            let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
            let ours = sprt.log_likelihood_ratio(&counts);
            assert!((ours - expected).abs() < 1e-7, "{counts:?}: {ours}");
        }
    }

    /// Wald (1945): with both errors at 5% the bounds are the logarithms of 19 and 1/19.
    #[test]
    fn the_test_ends_at_its_bounds() {
        let sprt = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
        let state = sprt.state(&Counts::Games([20, 10, 20]));
        assert!((state.upper - 19_f64.ln()).abs() < 1e-12);
        assert!((state.lower + 19_f64.ln()).abs() < 1e-12);
        assert_eq!(state.decision, Decision::Continue);
        let decision = |counts| sprt.state(&Counts::Games(counts)).decision;
        assert_eq!(decision([0, 0, 100]), Decision::AcceptH1);
        assert_eq!(decision([100, 0, 0]), Decision::AcceptH0);
    }

    #[test]
    fn text_is_read_and_given_back() {
        let text = "elo0=-2.5,elo1=10,alpha=0.01,beta=0.1";
        let sprt: Sprt = text.parse().unwrap();
        assert_eq!(sprt.to_string(), text);
        assert_eq!(serde_json::to_string(&sprt).unwrap(), format!("\"{text}\""));
        assert_eq!(
            serde_json::from_str::<Sprt>(&format!("\"{text}\"")).unwrap(),
            sprt
        );
        let short: Sprt = "elo1=5, elo0=0".parse().unwrap();
        assert_eq!(short.to_string(), "elo0=0,elo1=5,alpha=0.05,beta=0.05");
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (text, part) in [
            ("", "elo0=0,elo1=10,alpha=0.05,beta=0.05"),
            ("elo0=0", "needs both elo0 and elo1"),
            ("elo0=0,elo2=5", "no option 'elo2'"),
            ("elo0=0,elo0=5", "given twice"),
            ("elo0=0,elo1=x", "'x' is no number for 'elo1'"),
            ("elo0=5,elo1=5", "must be less than"),
            ("elo0=NaN,elo1=5", "must be less than"),
            ("elo0=0,elo1=inf", "must be less than"),
            ("elo0=0,elo1=5,alpha=0.5", "less than 0.5"),
            ("elo0=0,elo1=5,beta=0", "more than 0"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_counts_have_a_finite_ratio(
            counts in prop::array::uniform5(prop_oneof![Just(0), 0..9_u64, 0..1_000_000_000_u64]),
            elo0 in -2000.0..1999.0,
        ) {
            let sprt = Sprt::new(elo0, elo0 + 1.0, 0.05, 0.05).unwrap();
            prop_assert!(sprt.log_likelihood_ratio(&Counts::Pairs(counts)).is_finite());
        }
    }
}
