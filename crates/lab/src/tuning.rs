//! The cross-entropy method (Rubinstein 1999; Chaslot et al. 2008; Schadd 2011, section 3.4) for
//! the options of any engine.
//!
//! Every option has a normal distribution, at first with its mean in the middle of the range and
//! half its width as deviation. An iteration draws engines from the distributions, measures how
//! well each does, and fits the distributions to the best of them, the elite. In a game for one
//! player an engine is measured by what its lines pay on random positions, which all engines of an
//! iteration share; in any other game by its score against an opponent.

use rand::{Rng, RngExt};
use rayon::prelude::*;
use serde::Serialize;
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind, split_spec};
use tabia_game::{Cancel, Limits, Seed};
use tabia_registry::{Facet, SeekJob, entry, open};

use crate::LabError;
use crate::matches::{Match, MatchPlan, Opening};
use crate::player::Entrant;
use crate::referee::Terms;

/// An option that is tuned, and between which bounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterRange {
    /// The option.
    pub key: String,
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

impl ParameterRange {
    /// Reads `key=low..high` for an engine with these options.
    pub fn parse(text: &str, parameters: &[Parameter]) -> Result<ParameterRange, LabError> {
        let wrong = |reason: String| LabError::BadRequest(reason);
        let read = || {
            let (key, range) = text.split_once('=')?;
            let (low, high) = range.split_once("..")?;
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
            Some((key.trim(), number(low)?, number(high)?))
        };
        let (key, low, high) = read().ok_or_else(|| {
            wrong(format!(
                "'{text}' is no range of an option such as exploration=0..2"
            ))
        })?;
        if low >= high {
            return Err(wrong(format!(
                "the range of {key} has nothing between {low} and {high}"
            )));
        }
        let kind = parameters.iter().find(|p| p.key == key).map(|p| p.kind);
        let tunable = |kind| {
            matches!(
                kind,
                ParameterKind::Integer(..) | ParameterKind::Decimal(..)
            )
        };
        let Some(kind) = kind.filter(|&kind| tunable(kind)) else {
            let keys: Vec<&str> = parameters
                .iter()
                .filter(|p| tunable(p.kind))
                .map(|p| p.key)
                .collect();
            let keys = keys.join(", ");
            return Err(wrong(format!(
                "'{key}' is no number that can be tuned; there are {keys}"
            )));
        };
        let range = ParameterRange {
            key: key.to_string(),
            low,
            high,
            whole: matches!(kind, ParameterKind::Integer(..)),
        };
        for bound in [low, high] {
            let option = format!("{key}={}", range.text(bound));
            OptionValues::parse("tune", &option, parameters)
                .map_err(|e: OptionError| wrong(e.to_string()))?;
        }
        Ok(range)
    }

    /// A value as the option is written: decimal numbers have three places.
    fn text(&self, value: f64) -> String {
        match self.whole {
            true => format!("{:.0}", value.round()),
            false => format!("{value:.3}"),
        }
    }
}

/// The distributions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossEntropy {
    /// What is tuned.
    pub ranges: Vec<ParameterRange>,
    /// The mean of each.
    pub means: Vec<f64>,
    /// The standard deviation of each.
    pub deviations: Vec<f64>,
}

impl CrossEntropy {
    /// The distributions before anything is known.
    pub fn new(ranges: Vec<ParameterRange>) -> CrossEntropy {
        CrossEntropy {
            means: ranges.iter().map(|r| (r.low + r.high) / 2.0).collect(),
            deviations: ranges.iter().map(|r| (r.high - r.low) / 2.0).collect(),
            ranges,
        }
    }

    /// A sample, within the ranges.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut value = |at: usize| {
            // Box and Muller (1958).
            let (radius, angle): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
            let normal = (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos();
            let ParameterRange {
                low, high, whole, ..
            } = self.ranges[at];
            let value = (self.means[at] + normal * self.deviations[at]).clamp(low, high);
            if whole { value.round() } else { value }
        };
        (0..self.ranges.len()).map(&mut value).collect()
    }

    /// Fits the distributions to the elite.
    pub fn refit(&mut self, elite: &[Vec<f64>]) {
        let count = elite.len().max(1) as f64;
        for at in 0..self.ranges.len() {
            let mean = elite.iter().map(|sample| sample[at]).sum::<f64>() / count;
            let squares = elite.iter().map(|sample| (sample[at] - mean).powi(2));
            self.means[at] = mean;
            self.deviations[at] = (squares.sum::<f64>() / count).sqrt();
        }
    }

    /// An engine with these values.
    pub fn engine(&self, base: &str, values: &[f64]) -> String {
        let (name, options) = split_spec(base.trim());
        let tuned = self
            .ranges
            .iter()
            .zip(values)
            .map(|(range, &value)| format!("{}={}", range.key, range.text(value)));
        let given = (!options.is_empty()).then(|| options.to_string());
        let options: Vec<String> = given.into_iter().chain(tuned).collect();
        format!("{name}:{}", options.join(","))
    }

    /// The engine in the middle of all distributions.
    pub fn middle(&self, base: &str) -> String {
        self.engine(base, &self.means)
    }
}

/// Everything that tuning follows from.
#[derive(Clone, Debug, Serialize)]
pub struct Tuning {
    /// The spec of the game.
    pub game: String,
    /// The engine, with the options that stay as they are.
    pub engine: String,
    /// The opponent, in games of several players.
    pub opponent: Option<String>,
    /// Engines of an iteration.
    pub samples: usize,
    /// How many of them the distributions are fitted to.
    pub elite: usize,
    /// Iterations.
    pub iterations: usize,
    /// Games or positions that measure an engine.
    pub games: u64,
    /// Nodes for a whole game of one player, or for every move of others.
    pub nodes: u64,
    /// Everything random follows from it.
    pub seed: u64,
}

/// What an iteration found.
#[derive(Clone, Debug, Serialize)]
pub struct Iteration {
    /// The distributions after it.
    pub distributions: CrossEntropy,
    /// The mean measure of the elite.
    pub elite: f64,
    /// The mean measure of all.
    pub all: f64,
    /// The best engine of the iteration.
    pub best: String,
}

impl Tuning {
    /// Runs iteration after iteration, each told when it is done. Stopped by `cancel`, it gives
    /// back those that are done.
    pub fn run(
        &self,
        ranges: Vec<ParameterRange>,
        cancel: &Cancel,
        each: &mut dyn FnMut(&Iteration),
    ) -> Result<Vec<Iteration>, LabError> {
        let mut distributions = CrossEntropy::new(ranges);
        let mut done = Vec::new();
        for number in 0..self.iterations as u64 {
            let seed = Seed::new(self.seed).split("tune").number(number);
            let mut rng = seed.rng();
            let samples: Vec<Vec<f64>> = (0..self.samples)
                .map(|_| distributions.draw(&mut rng))
                .collect();
            let measured: Result<Vec<f64>, LabError> = samples
                .par_iter()
                .map(|values| {
                    self.measure(&distributions.engine(&self.engine, values), seed, cancel)
                })
                .collect();
            let measured = measured?;
            if cancel.is_cancelled() {
                break;
            }
            let mut order: Vec<usize> = (0..samples.len()).collect();
            order.sort_by(|&one, &other| measured[other].total_cmp(&measured[one]));
            let elite = &order[..self.elite.clamp(1, order.len().max(1)).min(order.len())];
            let mean = |of: &[usize]| {
                of.iter().map(|&i| measured[i]).sum::<f64>() / of.len().max(1) as f64
            };
            let best = elite
                .first()
                .map(|&i| distributions.engine(&self.engine, &samples[i]));
            let chosen: Vec<Vec<f64>> = elite.iter().map(|&i| samples[i].clone()).collect();
            distributions.refit(&chosen);
            let iteration = Iteration {
                elite: mean(elite),
                all: mean(&order),
                best: best.unwrap_or_default(),
                distributions: distributions.clone(),
            };
            each(&iteration);
            done.push(iteration);
        }
        Ok(done)
    }

    /// How well an engine does.
    pub fn measure(&self, engine: &str, seed: Seed, cancel: &Cancel) -> Result<f64, LabError> {
        match &self.opponent {
            None => self.single_agent(engine, seed, cancel),
            Some(opponent) => self.against(engine, opponent, seed, cancel),
        }
    }

    /// What its lines pay on average. A game whose options have a seed is dealt anew for each line.
    fn single_agent(&self, engine: &str, seed: Seed, cancel: &Cancel) -> Result<f64, LabError> {
        let (name, options) = split_spec(self.game.trim());
        let dealt = entry(name)?.parameters.iter().any(|p| p.key == "seed")
            && !options.split(',').any(|option| option.starts_with("seed="));
        let mut sum = 0.0;
        for number in 0..self.games {
            let own = seed.number(number).value() >> 1;
            let spec = match (dealt, options.is_empty()) {
                (false, _) => self.game.clone(),
                (true, true) => format!("{name}:seed={own}"),
                (true, false) => format!("{name}:{options},seed={own}"),
            };
            let game = open(&spec)?;
            let position = game.session(None)?.position();
            let job = SeekJob {
                engine: Some(engine),
                threads: 1,
                limits: Limits {
                    nodes: Some(self.nodes),
                    cancel: cancel.clone(),
                    ..Limits::default()
                },
            };
            let lines = Facet::Lines.require(game.lines())?;
            sum += f64::from(lines.seek(&position, &job, &mut |_, _| {})?.payoff);
        }
        Ok(sum / self.games.max(1) as f64)
    }

    /// Its share of the points against an opponent.
    fn against(
        &self,
        engine: &str,
        opponent: &str,
        seed: Seed,
        cancel: &Cancel,
    ) -> Result<f64, LabError> {
        let game = open(&self.game)?;
        let plan = MatchPlan {
            game: self.game.clone(),
            players: vec![Entrant::parse(engine), Entrant::parse(opponent)],
            games: self.games,
            paired: true,
            opening: Opening::usual(&*game),
            terms: Terms {
                nodes: Some(self.nodes),
                ..Terms::default()
            },
            sprt: None,
            seed: seed.value(),
        };
        let mut games = Match::new(plan.balanced(&*game)?)?;
        games.play(1, cancel, &mut |_| {})?;
        let summary = games.summary();
        Ok(summary.players.first().map_or(0.0, |player| player.share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(key: &str, low: f64, high: f64) -> ParameterRange {
        ParameterRange {
            key: key.to_string(),
            low,
            high,
            whole: false,
        }
    }

    /// The distributions close in on the top of a hill.
    #[test]
    fn the_top_of_a_hill_is_found() {
        let mut method = CrossEntropy::new(vec![range("x", -10.0, 10.0), range("y", 0.0, 8.0)]);
        assert_eq!(method.means, [0.0, 4.0]);
        assert_eq!(method.deviations, [10.0, 4.0]);
        let hill = |v: &[f64]| -(v[0] - 3.0).powi(2) - (v[1] - 1.0).powi(2);
        let mut rng = Seed::new(1).rng();
        for _ in 0..30 {
            let mut samples: Vec<Vec<f64>> = (0..100).map(|_| method.draw(&mut rng)).collect();
            samples.sort_by(|one, other| hill(other).total_cmp(&hill(one)));
            method.refit(&samples[..10]);
        }
        assert!((method.means[0] - 3.0).abs() < 0.05, "{:?}", method.means);
        assert!((method.means[1] - 1.0).abs() < 0.05, "{:?}", method.means);
        assert!(method.deviations.iter().all(|&d| d < 0.1));
    }

    /// Mean 2 and deviation sqrt(2/3) of 1, 2, 3.
    #[test]
    fn distributions_are_fitted_to_the_elite() {
        let mut method = CrossEntropy::new(vec![range("x", 0.0, 10.0)]);
        method.refit(&[vec![1.0], vec![2.0], vec![3.0]]);
        assert_eq!(method.means, [2.0]);
        assert!((method.deviations[0] - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn ranges_are_read() {
        let game = open("samegame:4x4").unwrap();
        let engines = game.engines();
        let parameters = &engines
            .iter()
            .find(|e| e.name == "spmcts")
            .unwrap()
            .parameters;
        let read = |text| ParameterRange::parse(text, parameters).map_err(|e| e.to_string());
        assert!(read("threshold=1..20").unwrap().whole);
        assert!(!read("top=0..1").unwrap().whole);
        for (text, reason) in [
            ("top", "no range of an option"),
            ("top=1..0", "nothing between"),
            ("top=0..nan", "no range"),
            ("tip=0..1", "there are"),
            ("spare=0..1", "no number that can be tuned"),
            ("top=0..100000", "top"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    /// The same seed draws, measures and fits the same.
    #[test]
    fn tuning_replays() {
        let tuning = Tuning {
            game: "samegame:5x5,colours=3".to_string(),
            engine: "spmcts:per-move=0".to_string(),
            opponent: None,
            samples: 4,
            elite: 2,
            iterations: 2,
            games: 2,
            nodes: 50,
            seed: 3,
        };
        let ranges = || vec![range("exploration", 0.0, 10.0)];
        let run = || {
            tuning
                .run(ranges(), &Cancel::default(), &mut |_| {})
                .unwrap()
        };
        let (one, other) = (run(), run());
        assert_eq!(one.len(), 2);
        assert_eq!(one[1].distributions, other[1].distributions);
        assert!(one[0].elite >= one[0].all);
    }
}
