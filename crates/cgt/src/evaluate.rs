//! The value of a position of any combinatorial game.
//!
//! A position is split into parts whose values are added; the value of a part is found from its
//! options, once for the part and its negative together. Positions that have been split before are
//! remembered as long as there is room, since looking one up is cheaper than splitting it.

use rustc_hash::FxHashMap;
use tabia_game::{Combinatorial, Meter, Player, Stopped, threads};

use crate::estimate;
use crate::{Exceeded, Value, Values};

/// Lines of play longer than this are refused, since positions are evaluated by recursion.
pub const MAX_PLIES: usize = 2000;

/// Recursion goes on in a thread with a stack of its own after this many plies of a line of play.
pub(crate) const PLIES_ON_A_STACK: usize = 200;
pub(crate) const STACK: usize = 8 << 20;

const DEFAULT_POSITIONS: usize = 1 << 24;

/// Beyond this power of ten estimates tell nothing but that it is too much.
const MAX_TOLD_DIGITS: f64 = 12.0;

/// Estimates this many times above the room are believed.
const BEYOND: f64 = 8.0;

/// Why a position could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unevaluated {
    /// A limit on nodes or time was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The store of values was full, or a value beyond its bounds.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// Too many positions.
    #[error("more positions would have to be remembered than the {0} there is memory for")]
    Positions(usize),
    /// Too many positions, by an estimate.
    #[error(
        "about 10^{0} positions or more would have to be evaluated, and there is memory for {1}; \
         'cgt solve' tells who wins, for which values are not needed"
    )]
    Estimated(u32, usize),
    /// Too long a line of play.
    #[error("there are lines of play of more than {MAX_PLIES} moves")]
    Plies,
}

/// How many positions of one kind two maps hold that take so many bytes together, half as much
/// again while they grow. What a position points to is not known; it is taken for 16 bytes.
fn positions_in<P>(bytes: u64) -> usize {
    let entry = (size_of::<(P, Value)>() + 17) as u64;
    let buckets = bytes / 3 / entry;
    // Maps have a power of two of buckets, of which seven eighths are used.
    let power = 1u64 << buckets.max(16).ilog2();
    usize::try_from(power / 8 * 7).unwrap_or(usize::MAX)
}

/// Values of positions, all in one store.
#[derive(Debug)]
pub struct Evaluator<R: Combinatorial> {
    rules: R,
    values: Values,
    /// Worth of parts.
    parts: FxHashMap<R::Position, Value>,
    /// Worth of other positions.
    seen: FxHashMap<R::Position, Value>,
    spare_moves: Vec<Vec<R::Move>>,
    spare_positions: Vec<Vec<R::Position>>,
    positions_limit: usize,
    looked_at: u64,
}

impl<R: Combinatorial> Evaluator<R> {
    /// Nothing evaluated yet; room for four million values and sixteen million positions.
    pub fn new(rules: R) -> Evaluator<R> {
        Evaluator::with_room(rules, Values::new(), DEFAULT_POSITIONS)
    }

    /// Nothing evaluated yet; values and positions take about this many bytes at most.
    pub fn with_memory(rules: R, bytes: u64) -> Evaluator<R> {
        let values = Values::with_memory(bytes / 2);
        Evaluator::with_room(rules, values, positions_in::<R::Position>(bytes / 2))
    }

    /// Nothing evaluated yet; values go to this store, and this many positions may be remembered.
    pub fn with_room(rules: R, values: Values, positions: usize) -> Evaluator<R> {
        Evaluator {
            rules,
            values,
            parts: FxHashMap::default(),
            seen: FxHashMap::default(),
            spare_moves: Vec::new(),
            spare_positions: Vec::new(),
            positions_limit: positions.max(1),
            looked_at: 0,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The store of the values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The store of the values, for sums and comparisons.
    pub fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    /// Forgets positions, but not values.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.seen.clear();
    }

    /// How many positions have had their options looked at.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// The value of a part, as [`Combinatorial::split`] gives it, if it has been found before.
    #[inline]
    pub(crate) fn known(&self, part: &R::Position) -> Option<Value> {
        self.parts.get(part).copied()
    }

    /// Refuses a position whose value cannot be found in the room there is, by an estimate that
    /// takes less than a second. Estimates are more often too high than too low, so only what is
    /// far beyond is refused.
    pub fn check(&self, position: &R::Position) -> Result<(), Unevaluated> {
        let known = self.parts.contains_key(position) || self.seen.contains_key(position);
        let about = match known {
            true => 0.0,
            false => estimate::parts(&self.rules, position),
        };
        match about > BEYOND * self.positions_limit as f64 {
            true => Err(Unevaluated::Estimated(
                about.log10().min(MAX_TOLD_DIGITS).round() as u32,
                self.positions_limit,
            )),
            false => Ok(()),
        }
    }

    /// The value of a position. Every position whose options are looked at counts as a node.
    pub fn value(
        &mut self,
        position: &R::Position,
        meter: &mut Meter,
    ) -> Result<Value, Unevaluated> {
        self.value_at(position, meter, 0)
    }

    fn value_at(
        &mut self,
        position: &R::Position,
        meter: &mut Meter,
        ply: usize,
    ) -> Result<Value, Unevaluated> {
        if let Some(&known) = self.seen.get(position) {
            return Ok(known);
        }
        if let Some(&known) = self.parts.get(position) {
            return Ok(known);
        }
        let mut parts = self.spare_positions.pop().unwrap_or_default();
        self.rules.split(position, &mut parts);
        let mut value = Value::ZERO;
        for part in &parts {
            let worth = self.value_of_part(part, meter, ply)?;
            value = self.values.sum(value, worth)?;
        }
        let whole = matches!(&parts[..], [part] if part == position);
        parts.clear();
        self.spare_positions.push(parts);
        if !whole {
            // These only save time, so they may go when there is no more room.
            if self.seen.len() >= self.positions_limit || self.seen.try_reserve(1).is_err() {
                self.seen.clear();
            }
            self.seen.insert(position.clone(), value);
        }
        Ok(value)
    }

    fn value_of_part(
        &mut self,
        part: &R::Position,
        meter: &mut Meter,
        ply: usize,
    ) -> Result<Value, Unevaluated> {
        if let Some(&known) = self.parts.get(part) {
            return Ok(known);
        }
        if ply == 0 || !ply.is_multiple_of(PLIES_ON_A_STACK) {
            return self.value_of_new_part(part, meter, ply);
        }
        threads::on_a_stack(STACK, || self.value_of_new_part(part, meter, ply))
    }

    fn value_of_new_part(
        &mut self,
        part: &R::Position,
        meter: &mut Meter,
        ply: usize,
    ) -> Result<Value, Unevaluated> {
        let room = self.parts.len() + 2 <= self.positions_limit;
        if !room || self.parts.try_reserve(2).is_err() {
            let limit = if room {
                self.parts.len()
            } else {
                self.positions_limit
            };
            return Err(Unevaluated::Positions(limit));
        }
        if ply >= MAX_PLIES {
            return Err(Unevaluated::Plies);
        }
        meter.tick()?;
        self.looked_at += 1;
        let mut sides = [Vec::new(), Vec::new()];
        for (side, player) in sides.iter_mut().zip([Player::FIRST, Player::SECOND]) {
            let mut moves = self.spare_moves.pop().unwrap_or_default();
            self.rules.moves(part, player, &mut moves);
            for &mv in &moves {
                let mut option = part.clone();
                self.rules.play(&mut option, player, mv);
                side.push(self.value_at(&option, meter, ply + 1)?);
            }
            moves.clear();
            self.spare_moves.push(moves);
        }
        let value = self.values.from_options(&sides[0], &sides[1])?;
        let mirror = self.rules.negative(part);
        if mirror != *part {
            let negative = self.values.negative(value)?;
            self.parts.insert(mirror, negative);
        }
        self.parts.insert(part.clone(), value);
        Ok(value)
    }
}
