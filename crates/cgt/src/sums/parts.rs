//! The parts that sums are made of, and what is known of them at sight.

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use tabia_game::{Cancel, Combinatorial, Limits, Meter, Player, Stopped};

use super::Unsolved;
use super::multiset::{Multiset, key_of_mover};
use super::numbers::ProofPair;
use super::pace::Pace;
use super::table::TranspositionTable;
use crate::impartial::{NimberSearch, Unfound};
use crate::{Dyadic, Evaluator, Unevaluated, Value, Values, fingerprint};

/// The unit of estimates: a move, or one point of a mean value, is so much.
pub const ABOUT: u64 = 256;

/// Bytes of memory for each part that is remembered to cost too much.
const BYTES_PER_REFUSED: u64 = 64;

/// A part that is searched. Most are met once, so nothing is kept of them but what the table knows.
#[derive(Clone, Debug)]
pub struct Part<P> {
    pub position: P,
    pub fingerprint: u128,
    /// The numbers of moves of both players.
    pub mobility: [i32; 2],
    /// Integers that the stops are not below and not above.
    stops: Option<[i32; 2]>,
    /// Whether these are bounds of the value, too.
    is_sharp: bool,
    /// Whether Left and Right, moving first in this part alone, win, as far as that is known.
    firsts: [Option<bool>; 2],
}

/// How much Left seems to be ahead with this many moves against this many.
pub fn ahead([left, right]: [i32; 2]) -> i64 {
    i64::from(left - right) * ABOUT as i64 / 2
}

/// Values and what else one thread knows of parts.
#[derive(Debug)]
pub struct Parts<R: Combinatorial> {
    rules: R,
    evaluator: Evaluator<R>,
    table: Arc<TranspositionTable>,
    pace: Arc<Pace>,
    /// Sums that were searched, and positions looked at for values, when the pace was last told of
    /// them.
    searched: u64,
    told: u64,
    /// When all work is to stop.
    deadline: Option<Instant>,
    cancel: Cancel,
    /// Parts whose values cost too much, by their fingerprints, and the pace at which they did.
    refused: FxHashSet<u128>,
    refused_at: u32,
    max_refused: usize,
    nimbers: NimberSearch<R>,
    fingerprints: FxHashMap<Value, u128>,
    gains: FxHashMap<(Value, Player), Arc<[i64]>>,
    split: Vec<R::Position>,
}

impl<R: Combinatorial> Parts<R> {
    /// Values and what else is known of parts take about this many bytes.
    pub fn new(rules: R, room: u64, table: &Arc<TranspositionTable>, pace: &Arc<Pace>) -> Parts<R>
    where
        R: Clone,
    {
        Parts {
            evaluator: Evaluator::with_memory(rules.clone(), room / 8 * 3),
            nimbers: NimberSearch::new(rules.clone(), room / 2),
            max_refused: (room / 8 / BYTES_PER_REFUSED) as usize,
            rules,
            table: Arc::clone(table),
            pace: Arc::clone(pace),
            searched: 0,
            told: 0,
            deadline: None,
            cancel: Cancel::default(),
            refused: FxHashSet::default(),
            refused_at: 0,
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

    /// The search for nimbers of impartial parts.
    pub fn nimbers(&mut self) -> &mut NimberSearch<R> {
        &mut self.nimbers
    }

    #[inline]
    pub fn value_fingerprint(&mut self, value: Value) -> Result<u128, Unsolved> {
        if value == Value::ZERO {
            return Ok(0);
        }
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
        let moves = mobility[0] + mobility[1];
        if self.pace.has_valued(moves)
            && let Some(value) = self.evaluator.known(&position)
        {
            return self.add_value(sum, value);
        }
        let bits = fingerprint::of_hash(&position);
        if self.pace.values(moves)
            && let Some(value) = self.small_value(&position, bits)?
        {
            return self.add_value(sum, value);
        }
        let bounds = self.rules.bounds(&position);
        let bounds =
            bounds.and_then(|[low, high]| Some([low.try_into().ok()?, high.try_into().ok()?]));
        if let Some([low, high]) = bounds
            && low == high
        {
            let value = self.values().integer(low)?;
            return self.add_value(sum, value);
        }
        // All-small values are infinitesimal.
        let all_small = self.rules.is_all_small(&position);
        self.push(
            sum,
            Part {
                fingerprint: bits,
                mobility,
                stops: if all_small { Some([0, 0]) } else { bounds },
                is_sharp: !all_small,
                firsts: [None; 2],
                position,
            },
        );
        Ok(())
    }

    /// Adds a part, unless it cancels out with another.
    fn push(&self, sum: &mut Multiset<R::Position>, part: Part<R::Position>) {
        if !sum.parts.is_empty() {
            let negative = fingerprint::of_hash(&self.rules.negative(&part.position));
            let cancels = |other: &Part<R::Position>| other.fingerprint == negative;
            if let Some(place) = sum.parts.iter().position(cancels) {
                sum.parts.swap_remove(place);
                return;
            }
        }
        sum.parts.push(part);
    }

    /// Looks up who wins the parts alone, and drops those that are worth nothing. Of a single one
    /// the table is asked as of a sum.
    pub fn recall(&self, sum: &mut Multiset<R::Position>) {
        if sum.parts.is_empty() || sum.is_single() {
            return;
        }
        for part in &mut sum.parts {
            for (first, player) in part.firsts.iter_mut().zip([Player::FIRST, Player::SECOND]) {
                if first.is_none() {
                    let key = key_of_mover(player).wrapping_add(part.fingerprint);
                    *first = ProofPair::get(&self.table, key).and_then(ProofPair::decided);
                }
            }
        }
        sum.parts.retain(|part| part.firsts != [Some(false); 2]);
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
    #[inline]
    pub fn mobility(&self, position: &R::Position) -> [i32; 2] {
        let of = |player| self.rules.mobility(position, player) as i32;
        [Player::FIRST, Player::SECOND].map(of)
    }

    /// The value of a part that has not been valued yet, unless it costs too much.
    fn small_value(&mut self, part: &R::Position, bits: u128) -> Result<Option<Value>, Unsolved> {
        if self.refused.contains(&bits) {
            return Ok(None);
        }
        let limits = Limits {
            nodes: Some(self.pace.effort()),
            time: self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now())),
            cancel: self.cancel.clone(),
            ..Limits::default()
        };
        let mut meter = limits.meter();
        let found = match self.rules.is_impartial(part) {
            true => self.nimber(part, &mut meter)?,
            false => self.evaluator.value(part, &mut meter),
        };
        match found {
            Ok(value) => Ok(Some(value)),
            Err(_) if self.is_over() => Err(Stopped.into()),
            Err(error) => {
                // What is known only saves time, so it may go when there is no more room.
                if let Unevaluated::Positions(_) = error {
                    self.evaluator.clear();
                }
                if self.refused.len() >= self.max_refused {
                    self.refused.clear();
                }
                self.refused.insert(bits);
                Ok(None)
            }
        }
    }

    /// The value of an impartial part, by its nimber.
    fn nimber(
        &mut self,
        part: &R::Position,
        meter: &mut Meter,
    ) -> Result<Result<Value, Unevaluated>, Unsolved> {
        let nimber = self.nimbers.nimber(std::slice::from_ref(part), meter);
        Ok(match nimber {
            Ok(nimber) => Ok(self.values().nimber(nimber)?),
            Err(Unfound::Stopped(stopped)) => Err(stopped.into()),
            Err(other) => return Err(other.into()),
        })
    }

    /// Takes note of a sum that is searched.
    #[inline]
    pub fn searched(&mut self) {
        self.searched += 1;
        if self.searched == Pace::SUMS {
            self.tell();
        }
    }

    #[cold]
    fn tell(&mut self) {
        let looked_at = self.evaluator.looked_at();
        let valued = self.pace.tell(looked_at - self.told);
        (self.searched, self.told) = (0, looked_at);
        // What cost too much may be worth another attempt when larger parts are valued.
        if valued > self.refused_at {
            self.refused.clear();
        }
        self.refused_at = valued;
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
            moves[0] += i64::from(part.mobility[0]);
            moves[1] += i64::from(part.mobility[1]);
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
    /// A value lies between its stops but for infinitesimals, which matter only where the bounds
    /// meet zero.
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
            ends = [ends[0] + i64::from(stops[0]), ends[1] + i64::from(stops[1])];
            is_sharp &= part.is_sharp;
        }
        if sum.hot.is_empty() && sum.cold == Value::ZERO {
            let (low, high) = match mover {
                Player::FIRST => (ends[0], ends[1]),
                _ => (-ends[1], -ends[0]),
            };
            return Ok(match high {
                _ if low > 0 => Some(true),
                0 if is_sharp => Some(false),
                _ if high < 0 => Some(false),
                _ => None,
            });
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
        // The mover wins the sum of a and b unless it is at most zero for them: a <= -b, or the
        // other way round.
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

    /// Whether the mover wins, if that follows from who wins the parts: a part that the mover wins,
    /// moving first, beside parts that the other does not, wins the sum; parts none of which the
    /// mover wins do not.
    pub fn won_by_parts(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<Option<bool>, Unsolved> {
        if sum.is_single() {
            return Ok(None);
        }
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
            count(part.firsts);
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
