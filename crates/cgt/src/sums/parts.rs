//! The parts that sums are made of, and what is known of them at sight.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rustc_hash::FxHashMap;
use tabia_game::{Cancel, Combinatorial, Limits, Player, Stopped};

use super::multiset::Multiset;
use super::{Unsolved, fingerprint};
use crate::{Dyadic, Evaluator, Value, Values};

/// The unit of estimates: a move, or one point of a mean value, is so much.
pub const ABOUT: u64 = 256;

/// Positions that are looked at for the value of one part, at most.
const EFFORT: u64 = 20_000;

/// Parts with so many moves are valued before it is known what values cost.
const VALUED_AT_FIRST: u32 = 6;

/// Parts with more moves than this are never valued.
const MOST_VALUED: u32 = 24;

/// Once in so many sums it is looked at what values cost.
const PACE: u64 = 64;

/// Positions whose values are remembered, at most; parts that come later are searched.
const VALUED: usize = 1 << 21;

/// Parts that are remembered, at most.
const KNOWN: usize = 1 << 20;

/// A part that is searched.
#[derive(Debug)]
pub struct Part<P> {
    pub position: P,
    pub fingerprint: u128,
    /// The fingerprint of its negative.
    negative: u128,
    /// The numbers of moves of both players.
    pub mobility: [i64; 2],
    /// Integers that the stops are not below and not above.
    stops: Option<[i64; 2]>,
    /// Whether these are bounds of the value, too.
    is_sharp: bool,
    /// Whether Left and Right, moving first in this part alone, win.
    firsts: [OnceLock<bool>; 2],
}

impl<P> Part<P> {
    /// Whether the players, moving first in this part alone, win, as far as that is known.
    pub fn firsts(&self) -> [Option<bool>; 2] {
        [self.firsts[0].get().copied(), self.firsts[1].get().copied()]
    }

    /// Notes whether a player, moving first in this part alone, wins.
    pub fn learn(&self, player: Player, wins: bool) {
        // What is known is the same already.
        let _ = self.firsts[player.index() & 1].set(wins);
    }
}

/// How much Left seems to be ahead with so many moves against so many.
pub fn ahead([left, right]: [i64; 2]) -> i64 {
    (left - right) * ABOUT as i64 / 2
}

/// What is known of a part.
#[derive(Debug)]
enum Known<P> {
    Value(Value),
    Part(Arc<Part<P>>),
}

/// Adds a part, unless it is worth nothing or cancels out with another.
fn push<P>(sum: &mut Multiset<P>, part: Arc<Part<P>>) {
    if part.firsts() == [Some(false); 2] {
        return;
    }
    let cancels = |other: &Arc<Part<P>>| other.fingerprint == part.negative;
    match sum.parts.iter().position(cancels) {
        Some(place) => {
            sum.parts.swap_remove(place);
        }
        None => sum.parts.push(part),
    }
}

/// Values and what else one thread knows of parts.
#[derive(Debug)]
pub struct Parts<R: Combinatorial> {
    rules: R,
    evaluator: Evaluator<R>,
    /// Parts with so many moves of both players together are valued.
    valued: u32,
    /// Whether that number is found by what values cost.
    adapts: bool,
    /// Sums that were searched.
    searched: u64,
    /// When all work is to stop.
    deadline: Option<Instant>,
    cancel: Cancel,
    known: FxHashMap<R::Position, Known<R::Position>>,
    fingerprints: FxHashMap<Value, u128>,
    gains: FxHashMap<(Value, Player), Arc<[i64]>>,
    split: Vec<R::Position>,
}

impl<R: Combinatorial> Parts<R> {
    pub fn new(rules: R, valued: Option<u32>) -> Parts<R>
    where
        R: Clone,
    {
        Parts {
            evaluator: Evaluator::with_room(rules.clone(), Values::new(), VALUED),
            rules,
            valued: valued.unwrap_or(VALUED_AT_FIRST),
            adapts: valued.is_none(),
            searched: 0,
            deadline: None,
            cancel: Cancel::default(),
            known: FxHashMap::default(),
            fingerprints: FxHashMap::default(),
            gains: FxHashMap::default(),
            split: Vec::new(),
        }
    }

    /// From now on stops when the time of these limits is over or they are cancelled.
    pub fn watch(&mut self, limits: &Limits) {
        self.deadline = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        self.cancel = limits.cancel.clone();
        self.values().watch(limits);
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
        match self.known.get(&position) {
            Some(&Known::Value(value)) => self.add_value(sum, value),
            Some(Known::Part(part)) => {
                push(sum, Arc::clone(part));
                Ok(())
            }
            None => {
                // What is known only saves time, so it may go when there is no more room.
                if self.known.len() >= KNOWN {
                    self.known.clear();
                }
                let mobility = self.mobility(&position);
                if let Some(value) = self.value_of(&position, mobility)? {
                    self.known.insert(position, Known::Value(value));
                    return self.add_value(sum, value);
                }
                // All-small values are infinitesimal.
                let all_small = self.rules.is_all_small(&position);
                let part = Arc::new(Part {
                    fingerprint: fingerprint::of_hash(&position),
                    negative: fingerprint::of_hash(&self.rules.negative(&position)),
                    stops: match all_small {
                        true => Some([0, 0]),
                        false => self.rules.bounds(&position),
                    },
                    is_sharp: !all_small,
                    firsts: Default::default(),
                    mobility,
                    position: position.clone(),
                });
                self.known.insert(position, Known::Part(Arc::clone(&part)));
                push(sum, part);
                Ok(())
            }
        }
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

    /// The value of a part that is small, or whose bounds meet.
    fn value_of(
        &mut self,
        part: &R::Position,
        [left, right]: [i64; 2],
    ) -> Result<Option<Value>, Unsolved> {
        if left + right <= i64::from(self.valued) {
            let effort = match self.adapts {
                true => (self.searched / 8 + EFFORT / 10).min(EFFORT),
                false => EFFORT,
            };
            let limits = Limits {
                nodes: Some(effort),
                time: self
                    .deadline
                    .map(|deadline| deadline.saturating_duration_since(Instant::now())),
                cancel: self.cancel.clone(),
                ..Limits::default()
            };
            match self.evaluator.value(part, &mut limits.meter()) {
                Ok(value) => return Ok(Some(value)),
                Err(_) if self.is_over() => return Err(Stopped.into()),
                // It costs too much.
                Err(_) => {}
            }
        }
        match self.rules.bounds(part) {
            Some([low, high]) if low == high => match i32::try_from(low) {
                Ok(integer) => Ok(Some(self.values().integer(integer)?)),
                Err(_) => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Takes note of a sum that is searched: values may cost about as much time as the search, and one takes some times
    /// as long as a sum.
    pub fn searched(&mut self) {
        self.searched += 1;
        if !self.adapts || !self.searched.is_multiple_of(PACE) {
            return;
        }
        let spent = self.evaluator.looked_at();
        if spent < self.searched / 8 && self.valued < MOST_VALUED {
            self.valued += 1;
            let still = i64::from(self.valued);
            self.known.retain(|_, known| match known {
                Known::Value(_) => true,
                Known::Part(part) => part.mobility[0] + part.mobility[1] > still,
            });
        } else if spent > self.searched / 2 && self.valued > 0 {
            self.valued -= 1;
        }
    }

    fn is_over(&self) -> bool {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        late || self.cancel.is_cancelled()
    }

    /// How many moves both players have, about: a number has as many as it is large.
    pub fn moves_of(&mut self, sum: &Multiset<R::Position>) -> Result<[i64; 2], Unsolved> {
        let mut moves = [0, 0];
        for part in &sum.parts {
            moves[0] += part.mobility[0];
            moves[1] += part.mobility[1];
        }
        for &value in &sum.hot {
            for (side, player) in moves.iter_mut().zip([Player::FIRST, Player::SECOND]) {
                *side += self.values().options(value, player)?.len() as i64;
            }
        }
        let number = self.values().left_stop(sum.cold);
        let whole = number.numerator() >> number.exponent().min(62);
        moves[usize::from(whole < 0)] += whole.abs();
        Ok(moves)
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
        let values = self.evaluator.values_mut();
        let mut is_sharp = sum.hot.is_empty() && values.is_number(sum.cold);
        for part in &sum.parts {
            let Some(stops) = part.stops else {
                return Ok(None);
            };
            ends = [ends[0] + stops[0], ends[1] + stops[1]];
            is_sharp &= part.is_sharp;
        }
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

    /// Whether the mover wins a sum of numbers, ups, stars and at most two other values.
    pub fn value_won(
        &mut self,
        cold: Value,
        hot: &[Value],
        mover: Player,
    ) -> Result<bool, Unsolved> {
        let values = self.evaluator.values_mut();
        // The mover wins the sum of a and b unless it is at most zero for him: a <= -b, or the other way round.
        let (a, b) = match *hot {
            [] => (cold, Value::ZERO),
            [only] => (only, cold),
            [one, other, ..] => (values.sum(one, cold)?, other),
        };
        let b = values.negative(b)?;
        let loses = match mover {
            Player::FIRST => values.le(a, b)?,
            _ => values.le(b, a)?,
        };
        Ok(!loses)
    }

    /// Whether the mover wins, if that follows from who wins the parts: a part that the mover wins, moving first, beside
    /// parts that the other does not, wins the sum; parts none of which the mover wins do not.
    pub fn won_by_parts(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<Option<bool>, Unsolved> {
        let (own, other) = match mover {
            Player::FIRST => (0, 1),
            _ => (1, 0),
        };
        let (mut helps, mut all_lose, mut dangers) = (false, true, 0);
        let mut both = false;
        let mut count = |firsts: [Option<bool>; 2]| {
            helps |= firsts[own] == Some(true);
            all_lose &= firsts[own] == Some(false);
            if firsts[other] != Some(false) {
                dangers += 1;
                both = firsts[own] == Some(true);
            }
        };
        for part in &sum.parts {
            count(part.firsts());
        }
        // Values that are few are taken together, and others one by one.
        if sum.hot.len() <= 2 {
            let firsts = [Player::FIRST, Player::SECOND]
                .map(|player| self.value_won(sum.cold, &sum.hot, player));
            let [left, right] = firsts;
            count([Some(left?), Some(right?)]);
        } else {
            for hot in sum.hot.iter().map(std::slice::from_ref) {
                let firsts = [Player::FIRST, Player::SECOND]
                    .map(|player| self.value_won(Value::ZERO, hot, player));
                let [left, right] = firsts;
                count([Some(left?), Some(right?)]);
            }
            let firsts =
                [Player::FIRST, Player::SECOND].map(|player| self.value_won(sum.cold, &[], player));
            let [left, right] = firsts;
            count([Some(left?), Some(right?)]);
        }
        Ok(match dangers {
            _ if all_lose => Some(false),
            0 if helps => Some(true),
            // The only danger is where the mover moves.
            1 if both => Some(true),
            _ => None,
        })
    }
}
