//! The parts that sums are made of, and what is known of them at sight.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tabia_game::{Combinatorial, Limits, Player};

use super::fingerprint;
use super::{Multiset, Unsolved};
use crate::{Dyadic, Evaluator, Value, Values};

/// The unit of estimates: a move, or one point of a mean value, is so much.
pub const ABOUT: u64 = 256;

/// Positions that are looked at for the value of one part, at most.
const EFFORT: u64 = 20_000;

/// Positions whose values are remembered, at most; parts that come later are searched.
const VALUED: usize = 1 << 21;

/// Parts that are known to have no value within the effort, at most.
const REFUSED: usize = 1 << 20;

/// A part that is searched.
#[derive(Debug)]
pub struct Part<P> {
    pub position: P,
    pub fingerprint: u128,
    /// The numbers of moves of both players.
    pub mobility: [i64; 2],
    /// Integers that the value is not below and not above.
    pub bounds: Option<[i64; 2]>,
}

impl<P> Part<P> {
    /// How much Left seems to be ahead.
    pub fn estimate(&self) -> i64 {
        ahead(self.mobility)
    }
}

/// How much Left seems to be ahead with so many moves against so many.
pub fn ahead([left, right]: [i64; 2]) -> i64 {
    (left - right) * ABOUT as i64 / 2
}

/// Values and what else one thread knows of parts.
#[derive(Debug)]
pub struct Parts<R: Combinatorial> {
    rules: R,
    evaluator: Evaluator<R>,
    valued: u32,
    refused: FxHashSet<R::Position>,
    fingerprints: FxHashMap<Value, u128>,
    gains: FxHashMap<(Value, Player), Arc<[i64]>>,
    split: Vec<R::Position>,
}

impl<R: Combinatorial> Parts<R> {
    pub fn new(rules: R, valued: u32) -> Parts<R>
    where
        R: Clone,
    {
        Parts {
            evaluator: Evaluator::with_room(rules.clone(), Values::new(), VALUED),
            rules,
            valued,
            refused: FxHashSet::default(),
            fingerprints: FxHashMap::default(),
            gains: FxHashMap::default(),
            split: Vec::new(),
        }
    }

    pub fn rules(&self) -> &R {
        &self.rules
    }

    pub fn values(&mut self) -> &mut Values {
        self.evaluator.values_mut()
    }

    pub fn value_fingerprint(&mut self, value: Value) -> Result<u128, Unsolved> {
        let values = self.evaluator.values_mut();
        let known = &mut self.fingerprints;
        Ok(fingerprint::of_value(values, value, known)?)
    }

    /// Adds what a position comes to.
    pub fn add(
        &mut self,
        sum: &mut Multiset<R::Position>,
        position: &R::Position,
    ) -> Result<(), Unsolved> {
        let mut split = std::mem::take(&mut self.split);
        self.rules.split(position, &mut split);
        let mut added = Ok(());
        for part in split.drain(..) {
            added = self.add_part(sum, part);
            if added.is_err() {
                break;
            }
        }
        self.split = split;
        added
    }

    fn add_part(
        &mut self,
        sum: &mut Multiset<R::Position>,
        position: R::Position,
    ) -> Result<(), Unsolved> {
        let mobility = self.mobility(&position);
        if let Some(value) = self.value_of(&position, mobility) {
            return self.add_value(sum, value);
        }
        let bounds = self.rules.bounds(&position);
        if let Some([low, high]) = bounds
            && low == high
            && let Ok(integer) = i32::try_from(low)
        {
            let value = self.values().integer(integer)?;
            return self.add_value(sum, value);
        }
        let [left, right] = mobility;
        let cancels = |other: &Arc<Part<R::Position>>| {
            other.mobility == [right, left] && self.rules.negative(&other.position) == position
        };
        if let Some(place) = sum.parts.iter().position(cancels) {
            sum.parts.swap_remove(place);
            return Ok(());
        }
        sum.parts.push(Arc::new(Part {
            fingerprint: fingerprint::of_hash(&position),
            bounds,
            mobility,
            position,
        }));
        Ok(())
    }

    /// Adds a value.
    pub fn add_value(
        &mut self,
        sum: &mut Multiset<R::Position>,
        value: Value,
    ) -> Result<(), Unsolved> {
        let values = self.evaluator.values_mut();
        if values.as_number_up_star(value).is_some() {
            sum.cold = values.sum(sum.cold, value)?;
            return Ok(());
        }
        let negative = values.negative(value)?;
        match sum.hot.iter().position(|&other| other == negative) {
            Some(place) => {
                sum.hot.swap_remove(place);
            }
            None => sum.hot.push(value),
        }
        Ok(())
    }

    /// The numbers of moves of both players.
    pub fn mobility(&self, position: &R::Position) -> [i64; 2] {
        let of = |player| self.rules.mobility(position, player) as i64;
        [Player::FIRST, Player::SECOND].map(of)
    }

    /// The value of a small part.
    fn value_of(&mut self, part: &R::Position, [left, right]: [i64; 2]) -> Option<Value> {
        if left + right > i64::from(self.valued) || self.refused.contains(part) {
            return None;
        }
        let mut meter = Limits::nodes(EFFORT).meter();
        let value = self.evaluator.value(part, &mut meter).ok();
        if value.is_none() && self.refused.len() < REFUSED {
            self.refused.insert(part.clone());
        }
        value
    }

    fn estimate(&mut self, value: Value) -> Result<i64, Unsolved> {
        let mean = self.values().mean(value)?;
        let unit = mean.numerator().saturating_mul(ABOUT as i64);
        Ok(unit >> mean.exponent().min(62))
    }

    /// How much the options of a value seem to gain.
    pub fn value_gains(&mut self, value: Value, player: Player) -> Result<Arc<[i64]>, Unsolved> {
        if let Some(known) = self.gains.get(&(value, player)) {
            return Ok(Arc::clone(known));
        }
        let sign = if player == Player::FIRST { 1 } else { -1 };
        let before = self.estimate(value)?;
        let mut gains = Vec::new();
        for option in self.values().options(value, player)?.to_vec() {
            gains.push(sign * (self.estimate(option)? - before));
        }
        let gains: Arc<[i64]> = gains.into();
        self.gains.insert((value, player), Arc::clone(&gains));
        Ok(gains)
    }

    /// Who wins, if bounds tell: whether the sum is more than nothing, or not more, for the mover.
    ///
    /// A value lies between its stops but for infinitesimals, which matter only where the bounds meet zero.
    pub fn bounded(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<Option<bool>, Unsolved> {
        let mut ends = [0i64; 2];
        for part in &sum.parts {
            let Some(bounds) = part.bounds else {
                return Ok(None);
            };
            ends = [ends[0] + bounds[0], ends[1] + bounds[1]];
        }
        let values = self.evaluator.values_mut();
        let is_sharp = sum.hot.is_empty() && values.is_number(sum.cold);
        let mut low = Dyadic::new(ends[0], 0);
        let mut high = Dyadic::new(ends[1], 0);
        for &value in sum.hot.iter().chain([&sum.cold]) {
            low = low.and_then(|low| low.plus(values.right_stop(value)));
            high = high.and_then(|high| high.plus(values.left_stop(value)));
        }
        // Numbers too large to add up bound nothing.
        let (Ok(low), Ok(high)) = (low, high) else {
            return Ok(None);
        };
        let (low, high) = match mover {
            Player::FIRST => (low, high),
            _ => (-high, -low),
        };
        Ok(match (low, high) {
            _ if low > Dyadic::ZERO => Some(true),
            _ if high < Dyadic::ZERO || high == Dyadic::ZERO && is_sharp => Some(false),
            _ => None,
        })
    }
}
