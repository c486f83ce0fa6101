//! Sums of positions and values of combinatorial games, as people write them.
//!
//! A sum is one or more summands joined by ` + `. A summand is a value in the usual notation, such
//! as `{1/2|0}`, or the name of a game, a colon and a position, such as `toads:TT.F`; `impartial`
//! before the name plays the game in its impartial form. [`mod@file`] reads whole files of sums.

pub mod file;
mod nimbers;
pub mod play;

use std::sync::Arc;

use tabia_cgt::impartial::{NimberSearch, Unfound};
use tabia_cgt::sums::{Solver, Sum, Unsolved, Won};
use tabia_cgt::{Evaluator, Unevaluated, Value, Values};

pub use crate::theory::{Asked, MAX_SIZE, Periodic, Sequence};
pub use nimbers::{Nimbers, sequence};
pub use tabia_cgt::scoring;
pub use tabia_cgt::sums::Config;
pub use tabia_cgt::{Dyadic, Exceeded, OutcomeClass, Thermograph, Wall};

use crate::mixed::{GameKind, Mixed, NAMES, Position};
use crate::theory::Theories;
use tabia_game::text::shortened;
use tabia_game::{Combinatorial, Limits, Meter, Player, Stopped, TextError};

/// Positions and values, side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summands {
    positions: Vec<Position>,
    /// As text, each of which has been read before.
    values: Vec<String>,
}

/// Why nothing can be said about a sum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SumError {
    /// It cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A position has no value within the limits.
    #[error(transparent)]
    Unevaluated(#[from] Unevaluated),
    /// Values became too many or too large.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The search did not come to an end.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// A nimber was not found.
    #[error(transparent)]
    Unfound(#[from] Unfound),
    /// A nimber was asked of what has none.
    #[error("the sum has no nimber: {0}")]
    NoNimber(String),
    /// A limit was reached, or the work was cancelled.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A proof does not hold, which would be a fault of the program.
    #[error("the proof does not hold: {0}")]
    Disproved(String),
}

impl SumError {
    /// Whether the request was at fault, as opposed to the limits of the machine.
    pub fn is_bad_request(&self) -> bool {
        matches!(
            self,
            SumError::Text(_) | SumError::NoNimber(_) | SumError::Unsolved(Unsolved::Text(_))
        )
    }

    /// Whether more memory might have helped.
    pub fn lacks_memory(&self) -> bool {
        let exceeded = |error: &Exceeded| matches!(error, Exceeded::Memory(_));
        match self {
            SumError::Unevaluated(Unevaluated::Exceeded(error)) => exceeded(error),
            SumError::Unevaluated(error) => matches!(
                error,
                Unevaluated::Positions(_) | Unevaluated::Estimated(..)
            ),
            SumError::Exceeded(error) => exceeded(error),
            SumError::Unsolved(Unsolved::Exceeded(error)) => exceeded(error),
            SumError::Unsolved(Unsolved::Room(_)) | SumError::Unfound(Unfound::Room(_)) => true,
            _ => false,
        }
    }

    /// Whether a limit on nodes or time, or an interrupt, ended the work.
    pub fn is_stopped(&self) -> bool {
        matches!(
            self,
            SumError::Stopped(_)
                | SumError::Unevaluated(Unevaluated::Stopped(_))
                | SumError::Unsolved(Unsolved::Stopped(_))
                | SumError::Unfound(Unfound::Stopped(_))
                | SumError::Exceeded(Exceeded::Stopped)
                | SumError::Unevaluated(Unevaluated::Exceeded(Exceeded::Stopped))
        )
    }
}

/// Rules for positions that have been read: any game will do.
fn rules() -> Mixed {
    Mixed::new(GameKind::Nim, false)
}

impl Summands {
    /// Reads a sum.
    pub fn read(text: &str) -> Result<Summands, SumError> {
        let mut sum = Summands::default();
        for word in text.split(" + ") {
            sum.read_one(word.trim())?;
        }
        Ok(sum)
    }

    fn read_one(&mut self, word: &str) -> Result<(), SumError> {
        let (impartial, rest) = match word.strip_prefix("impartial ") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, word),
        };
        match rest.split_once(':') {
            Some((name, position)) => self.push_position(name.trim(), impartial, position),
            None if impartial || starts_like_a_name(rest) => {
                Err(SumError::Text(TextError::new(format!(
                    "'{}' is neither a value such as '{{1|0}}' nor a game, a colon and a position \
                     such as 'toads:TT.F'; games are {}",
                    shortened(word),
                    NAMES.join(", ")
                ))))
            }
            None => self.push_value(rest),
        }
    }

    /// Adds a position of the game with this name.
    fn push_position(&mut self, name: &str, impartial: bool, text: &str) -> Result<(), SumError> {
        let rules = Mixed::new(GameKind::named(name)?, impartial);
        let position = rules.parse_position(text.trim()).map_err(|error| {
            TextError::new(format!(
                "'{}' is no position of {name}: {error}\nA position is {}.",
                shortened(text.trim()),
                rules.position_help()
            ))
        })?;
        self.positions.push(position);
        Ok(())
    }

    /// Adds a value.
    fn push_value(&mut self, text: &str) -> Result<(), SumError> {
        Values::new().read(text).map_err(|error| {
            TextError::new(format!("'{}' is no value: {error}", shortened(text)))
        })?;
        self.values.push(text.to_string());
        Ok(())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty() && self.values.is_empty()
    }

    /// The summands of both.
    #[must_use]
    pub fn plus(mut self, other: &Summands) -> Summands {
        self.positions.extend_from_slice(&other.positions);
        self.values.extend_from_slice(&other.values);
        self
    }
}

/// Values of games begin with `v`, but with no other letter.
fn starts_like_a_name(text: &str) -> bool {
    let letters = text.chars().take_while(|c| c.is_alphabetic()).count();
    letters > 1 && !text.chars().take(letters).all(|c| c == 'v')
}

/// All there is to know of a value.
#[derive(Clone, Debug)]
pub struct Valued {
    /// Its name.
    pub value: String,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// Its mean.
    pub mean: Dyadic,
    /// Its temperature.
    pub temperature: Dyadic,
    /// Its thermograph.
    pub thermograph: Arc<Thermograph>,
    /// Its nimber, if it is one.
    pub nimber: Option<u32>,
    /// Its atomic weight, if it is all small.
    pub atomic_weight: Option<String>,
    /// In how many moves it can have been born.
    pub birthday: u64,
    /// Positions that were looked at.
    pub positions: u64,
}

/// Memory for values unless told otherwise, in bytes.
pub const MEMORY: u64 = 1 << 30;

/// Values of sums, all in one store.
pub struct SumEvaluator {
    evaluator: Evaluator<Mixed>,
    search: NimberSearch<Mixed>,
    theories: Theories,
}

impl Default for SumEvaluator {
    fn default() -> SumEvaluator {
        SumEvaluator::new()
    }
}

impl SumEvaluator {
    /// An empty store with as much room as most values need.
    pub fn new() -> SumEvaluator {
        SumEvaluator::with_memory(MEMORY)
    }

    /// An empty store that takes about this many bytes at most.
    pub fn with_memory(bytes: u64) -> SumEvaluator {
        SumEvaluator {
            evaluator: Evaluator::with_memory(rules(), bytes / 2),
            search: NimberSearch::new(rules(), bytes / 2),
            theories: Theories::default(),
        }
    }

    fn looked_at(&self) -> u64 {
        self.evaluator.looked_at() + self.search.looked_at()
    }

    /// The nimber of a position, if it is impartial.
    fn nimber_of_position(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<u32>, SumError> {
        if !rules().is_impartial(position) {
            return Ok(None);
        }
        if let Some(nimber) = self.theories.nimber(position, meter)? {
            return Ok(Some(nimber));
        }
        let positions = std::slice::from_ref(position);
        Ok(Some(self.search.nimber(positions, meter)?))
    }

    /// Whether an impartial position has this nimber.
    fn position_is(
        &mut self,
        position: &Position,
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<bool, SumError> {
        let positions = std::slice::from_ref(position);
        Ok(self.search.is(positions, nimber, meter)?)
    }

    fn value(&mut self, sum: &Summands, meter: &mut Meter) -> Result<Value, SumError> {
        let mut value = Value::ZERO;
        for position in &sum.positions {
            let worth = match self.nimber_of_position(position, meter)? {
                Some(nimber) => self.evaluator.values_mut().nimber(nimber)?,
                None => {
                    self.evaluator.check(position)?;
                    self.evaluator.value(position, meter)?
                }
            };
            value = self.evaluator.values_mut().sum(value, worth)?;
        }
        for text in &sum.values {
            let values = self.evaluator.values_mut();
            let worth = values.read(text)?;
            value = values.sum(value, worth)?;
        }
        Ok(value)
    }

    /// The value of a sum, and what follows from it.
    pub fn of(&mut self, sum: &Summands, limits: &Limits) -> Result<Valued, SumError> {
        let before = self.looked_at();
        self.evaluator.values_mut().watch(limits);
        let value = self.value(sum, &mut limits.meter())?;
        let positions = self.looked_at() - before;
        let values = self.evaluator.values_mut();
        let atomic_weight = match values.atomic_weight(value)? {
            Some(weight) => Some(values.write(weight)?),
            None => None,
        };
        Ok(Valued {
            value: values.write(value)?,
            outcome: values.outcome(value)?,
            mean: values.mean(value)?,
            temperature: values.temperature(value)?,
            thermograph: values.thermograph(value)?,
            nimber: values.as_nimber(value),
            atomic_weight,
            birthday: values.birthday(value)?,
            positions,
        })
    }

    /// How two sums compare: less, equal, greater, or confused with each other.
    pub fn compare(
        &mut self,
        one: &Summands,
        other: &Summands,
        limits: &Limits,
    ) -> Result<Option<std::cmp::Ordering>, SumError> {
        let mut meter = limits.meter();
        self.evaluator.values_mut().watch(limits);
        let one = self.value(one, &mut meter)?;
        let other = self.value(other, &mut meter)?;
        Ok(self.evaluator.values_mut().compare(one, other)?)
    }

    /// The nimber of a sum of impartial games, and how many positions were looked at.
    pub fn nimber(&mut self, sum: &Summands, limits: &Limits) -> Result<(u32, u64), SumError> {
        let before = self.looked_at();
        let nimber = self.nimber_of(sum, &mut limits.meter())?;
        Ok((nimber, self.looked_at() - before))
    }

    fn nimber_of(&mut self, sum: &Summands, meter: &mut Meter) -> Result<u32, SumError> {
        let mut total = 0;
        for position in &sum.positions {
            let nimber = self.nimber_of_position(position, meter)?;
            total ^= nimber.ok_or_else(|| no_nimber(position))?;
        }
        let values = self.evaluator.values_mut();
        for text in &sum.values {
            let value = values.read(text)?;
            let nimber = values.as_nimber(value);
            total ^= nimber.ok_or_else(|| SumError::NoNimber(format!("'{text}' is none")))?;
        }
        Ok(total)
    }
}

fn no_nimber(position: &Position) -> SumError {
    SumError::NoNimber(format!(
        "'{}' is no impartial position",
        rules().position_text(position)
    ))
}

/// Searches that decide who wins sums.
pub struct SumSolver {
    solver: Solver<Mixed>,
    theories: Theories,
    /// Nodes of the last question.
    spent: u64,
}

impl SumSolver {
    /// A search with these settings.
    pub fn new(config: Config) -> SumSolver {
        SumSolver {
            solver: Solver::new(rules(), config),
            theories: Theories::default(),
            spent: 0,
        }
    }

    /// The same sum with nimbers in the place of positions of which there is a theory.
    fn simplified(&mut self, sum: &Summands, limits: &Limits) -> Result<Summands, SumError> {
        let mut meter = limits.meter();
        let mut simpler = Summands {
            positions: Vec::new(),
            values: sum.values.clone(),
        };
        for position in &sum.positions {
            match self.theories.nimber(position, &mut meter)? {
                Some(0) => {}
                Some(nimber) => simpler.values.push(format!("*{nimber}")),
                None => simpler.positions.push(position.clone()),
            }
        }
        Ok(simpler)
    }

    /// Whether `mover`, who is to move, makes the last move.
    pub fn wins(
        &mut self,
        sum: &Summands,
        mover: Player,
        limits: &Limits,
    ) -> Result<Won, SumError> {
        self.spent = 0;
        let simpler = self.simplified(sum, limits)?;
        let won = self.solver.wins(as_sum(&simpler), mover, limits);
        self.spent = self.solver.spent();
        Ok(won?)
    }

    /// The nimber of a sum of impartial games.
    pub fn nimber(&mut self, sum: &Summands, limits: &Limits) -> Result<u32, SumError> {
        self.spent = 0;
        let simpler = self.simplified(sum, limits)?;
        let nimber = self.solver.nimber(as_sum(&simpler), limits);
        self.spent = self.solver.spent();
        nimber?.ok_or_else(|| {
            let mut positions = simpler.positions.iter();
            match positions.find(|position| !rules().is_impartial(position)) {
                Some(position) => no_nimber(position),
                None => SumError::NoNimber("a value is none".to_string()),
            }
        })
    }

    /// Nodes of the last search, also if it did not come to its end.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The winning moves of `mover`, each as the number of its position, counted from one, and the
    /// move. Moves in values are not listed.
    pub fn winning_moves(
        &mut self,
        sum: &Summands,
        mover: Player,
        limits: &Limits,
    ) -> Result<Vec<(usize, String)>, SumError> {
        let (mut winning, mut moves, mut spent) = (Vec::new(), Vec::new(), 0);
        let mut after = sum.clone();
        for (number, position) in sum.positions.iter().enumerate() {
            moves.clear();
            rules().moves(position, mover, &mut moves);
            for &mv in &moves {
                after.positions[number].clone_from(position);
                rules().play(&mut after.positions[number], mover, mv);
                let answer = self.wins(&after, mover.other(), limits);
                spent += self.spent;
                self.spent = spent;
                if !answer?.wins {
                    let text = rules().move_text(position, mover, mv);
                    winning.push((number + 1, text));
                }
            }
            after.positions[number].clone_from(position);
        }
        self.spent = spent;
        Ok(winning)
    }
}

fn as_sum(sum: &Summands) -> Sum<'_, Position> {
    Sum {
        positions: &sum.positions,
        values: &sum.values,
    }
}
