//! The parts that sums are made of, each with a number, and what moves make of them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tabia_game::{Combinatorial, Limits, Meter, Player};

use super::Unsolved;
use super::fingerprint;
use crate::{Evaluator, Value, Values};

/// The unit of estimates: a move, or one point of a mean value, is so much.
pub const ABOUT: u64 = 256;

/// Positions that are looked at for the value of one part, at most.
const EFFORT: u64 = 20_000;

/// Parts that are remembered, at most.
const MOST: usize = 1 << 26;

/// What a position or a move of a part comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Child {
    pub values: Vec<Value>,
    pub parts: Vec<u32>,
}

/// What a player's moves make of a part, and how much each seems to gain.
#[derive(Debug, Default)]
struct Children {
    children: Vec<Arc<Child>>,
    gains: Arc<[i64]>,
}

#[derive(Debug)]
struct Part<P> {
    position: P,
    negative: u32,
    fingerprint: u128,
    /// How much Left seems to be ahead.
    estimate: i64,
    children: [Option<Children>; 2],
}

/// Parts and values of one thread.
#[derive(Debug)]
pub struct Parts<R: Combinatorial> {
    rules: R,
    evaluator: Evaluator<R>,
    valued: u32,
    numbers: FxHashMap<R::Position, u32>,
    parts: Vec<Part<R::Position>>,
    fingerprints: FxHashMap<Value, u128>,
    gains: FxHashMap<(Value, Player), Arc<[i64]>>,
    moves: Vec<R::Move>,
}

impl<R: Combinatorial> Parts<R> {
    pub fn new(rules: R, valued: u32) -> Parts<R>
    where
        R: Clone,
    {
        Parts {
            evaluator: Evaluator::new(rules.clone()),
            rules,
            valued,
            numbers: FxHashMap::default(),
            parts: Vec::new(),
            fingerprints: FxHashMap::default(),
            gains: FxHashMap::default(),
            moves: Vec::new(),
        }
    }

    pub fn values(&mut self) -> &mut Values {
        self.evaluator.values_mut()
    }

    pub fn negative(&self, part: u32) -> u32 {
        self.parts[part as usize].negative
    }

    pub fn part_fingerprint(&self, part: u32) -> u128 {
        self.parts[part as usize].fingerprint
    }

    pub fn value_fingerprint(&mut self, value: Value) -> Result<u128, Unsolved> {
        let values = self.evaluator.values_mut();
        Ok(fingerprint::of_value(
            values,
            value,
            &mut self.fingerprints,
        )?)
    }

    pub fn child(&self, part: u32, player: Player, child: usize) -> Arc<Child> {
        let children = &self.parts[part as usize].children[player.index() & 1];
        let children = children.as_ref().map(|children| &children.children[..]);
        Arc::clone(&children.unwrap_or(&[])[child])
    }

    /// A position as values and parts.
    pub fn reduce(&mut self, position: &R::Position, meter: &mut Meter) -> Result<Child, Unsolved> {
        let mut split = Vec::new();
        self.rules.split(position, &mut split);
        let mut child = Child::default();
        let mut cold = Value::ZERO;
        for part in split {
            match self.value_of(&part)? {
                Some(value) if self.values().as_number_up_star(value).is_some() => {
                    cold = self.values().sum(cold, value)?;
                }
                Some(value) => child.values.push(value),
                None => {
                    meter.tick()?;
                    child.parts.push(self.number(part)?);
                }
            }
        }
        if cold != Value::ZERO {
            child.values.push(cold);
        }
        child.values.sort_unstable();
        child.parts.sort_unstable();
        Ok(child)
    }

    /// The value of a small part.
    fn value_of(&mut self, part: &R::Position) -> Result<Option<Value>, Unsolved> {
        if self.numbers.contains_key(part)
            || self.count(part).iter().sum::<i64>() > i64::from(self.valued)
        {
            return Ok(None);
        }
        let mut meter = Limits::nodes(EFFORT).meter();
        Ok(self.evaluator.value(part, &mut meter).ok())
    }

    /// The numbers of moves of both players.
    fn count(&mut self, part: &R::Position) -> [i64; 2] {
        [Player::FIRST, Player::SECOND].map(|player| {
            self.moves.clear();
            self.rules.moves(part, player, &mut self.moves);
            self.moves.len() as i64
        })
    }

    /// The number of a part.
    fn number(&mut self, part: R::Position) -> Result<u32, Unsolved> {
        if let Some(&number) = self.numbers.get(&part) {
            return Ok(number);
        }
        if self.parts.len() + 2 > MOST {
            return Err(Unsolved::Parts(MOST));
        }
        let number = self.parts.len() as u32;
        let negative = self.rules.negative(&part);
        let [left, right] = self.count(&part);
        let estimate = (left - right) * ABOUT as i64 / 2;
        let twin = negative != part;
        for (place, (position, estimate)) in [(part, estimate), (negative, -estimate)]
            .into_iter()
            .take(1 + usize::from(twin))
            .enumerate()
        {
            self.numbers.insert(position.clone(), number + place as u32);
            self.parts.push(Part {
                fingerprint: fingerprint::of_hash(&position),
                position,
                negative: number + u32::from(twin && place == 0),
                estimate,
                children: [None, None],
            });
        }
        Ok(number)
    }

    fn estimate(&mut self, value: Value) -> Result<i64, Unsolved> {
        let mean = self.values().mean(value)?;
        let unit = mean.numerator().saturating_mul(ABOUT as i64);
        Ok(unit >> mean.exponent().min(62))
    }

    fn estimate_child(&mut self, child: &Child) -> Result<i64, Unsolved> {
        let mut sum = 0;
        for &value in &child.values {
            sum += self.estimate(value)?;
        }
        let parts = child.parts.iter();
        Ok(sum
            + parts
                .map(|&part| self.parts[part as usize].estimate)
                .sum::<i64>())
    }

    /// How much the options of a value seem to gain.
    pub fn value_gains(&mut self, value: Value, player: Player) -> Result<Arc<[i64]>, Unsolved> {
        if let Some(known) = self.gains.get(&(value, player)) {
            return Ok(Arc::clone(known));
        }
        let before = self.estimate(value)?;
        let mut gains = Vec::new();
        for option in self.values().options(value, player)?.to_vec() {
            gains.push(self.estimate(option)?);
        }
        let gains = gained(gains, before, player);
        self.gains.insert((value, player), Arc::clone(&gains));
        Ok(gains)
    }

    /// How much a player's moves in a part seem to gain.
    pub fn part_gains(
        &mut self,
        part: u32,
        player: Player,
        meter: &mut Meter,
    ) -> Result<Arc<[i64]>, Unsolved> {
        let index = part as usize;
        if let Some(known) = &self.parts[index].children[player.index() & 1] {
            return Ok(Arc::clone(&known.gains));
        }
        let position = self.parts[index].position.clone();
        let mut moves = Vec::new();
        self.rules.moves(&position, player, &mut moves);
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = position.clone();
            self.rules.play(&mut next, player, mv);
            children.push(self.reduce(&next, meter)?);
        }
        children.sort_unstable();
        children.dedup();
        let mut after = Vec::with_capacity(children.len());
        for child in &children {
            after.push(self.estimate_child(child)?);
        }
        let part = &mut self.parts[index];
        let gains = gained(after, part.estimate, player);
        part.children[player.index() & 1] = Some(Children {
            children: children.into_iter().map(Arc::new).collect(),
            gains: Arc::clone(&gains),
        });
        Ok(gains)
    }
}

/// Gains of the player, from estimates for Left.
fn gained(after: Vec<i64>, before: i64, player: Player) -> Arc<[i64]> {
    let sign = if player == Player::FIRST { 1 } else { -1 };
    after
        .into_iter()
        .map(|after| sign * (after - before))
        .collect()
}
