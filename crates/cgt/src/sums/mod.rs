//! Who wins a sum of positions, by minimax on the multiset of its parts.
//!
//! Positions are split into parts, parts that cancel out are dropped, and those that are small are replaced by their
//! values, numbers, ups and stars of which add up to one. Where the game knows bounds of its positions and their sum is on one
//! side of zero, no search is needed. What is left is searched, with a table of multisets:
//! parts come in any order, so the order of moves in different parts is lost and found in the table (Müller and
//! Enzenberger 2001; Song and Müller 2015). Moves in numbers are looked at last: there is a better one elsewhere, unless
//! all that is elsewhere is a number, too (the number avoidance theorem, Siegel 2013, section II.3). Several threads search the same sum in
//! different orders and share the table.
//!
//! The table knows a multiset by 127 bits of a sum of hashes; two that differ are taken for each other once in
//! 10^19 searches of a thousand million nodes.

mod fingerprint;
mod parts;
mod table;

use std::sync::Arc;

use tabia_game::{Cancel, Combinatorial, Limits, Meter, Player, Stopped, TextError, zobrist};

use crate::{Exceeded, Outcome, Value};
use parts::{Part, Parts};

pub use table::Table;

/// How sums are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Parts with so many moves of both players together are replaced by their values; 0 for none.
    pub valued: u32,
    /// Bytes of the table.
    pub table: u64,
    /// Threads that search.
    pub threads: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            valued: 6,
            table: 256 << 20,
            threads: 1,
        }
    }
}

/// Why a sum was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// A limit on nodes or time was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Values became too many or too large.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// A value of the sum cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Too long a line of play.
    #[error("there are lines of play of more than {MAX_PLIES} moves")]
    Plies,
}

/// Lines of play longer than this are refused, since they are searched by recursion.
pub const MAX_PLIES: u32 = 4000;

/// The answer to who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Won {
    /// Whether the player to move wins.
    pub wins: bool,
    /// Sums that were looked at.
    pub nodes: u64,
}

/// What is to be solved: positions and values, side by side.
#[derive(Debug)]
pub struct Sum<'a, P> {
    /// Positions of the game.
    pub positions: &'a [P],
    /// Values as text; each thread reads them into its own store.
    pub values: &'a [String],
}

impl<P> Clone for Sum<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Sum<'_, P> {}

/// Solves sums of positions of one set of rules.
///
/// ```
/// use tabia_cgt::sums::{Config, Solver, Sum};
/// use tabia_game::{Combinatorial, Limits, Player};
/// use tabia_games::combinatorial::domineering::Domineering;
///
/// let rules = Domineering;
/// let positions = ["..|..", "...|...|..."].map(|text| rules.parse_position(text).expect("a board"));
/// let mut solver = Solver::new(rules, Config::default());
/// let sum = Sum { positions: &positions, values: &["1/2".to_string()] };
/// let answer = solver.wins(sum, Player::FIRST, &Limits::default())?;
/// assert!(answer.wins);
/// # Ok::<(), tabia_cgt::sums::Unsolved>(())
/// ```
#[derive(Debug)]
pub struct Solver<R: Combinatorial> {
    rules: R,
    config: Config,
    table: Arc<Table>,
    workers: Vec<Worker<R>>,
}

impl<R: Combinatorial + Clone> Solver<R> {
    /// Nothing known yet.
    pub fn new(rules: R, config: Config) -> Solver<R> {
        let table = Arc::new(Table::new(config.table));
        let worker = |number| Worker {
            parts: Parts::new(rules.clone(), config.valued),
            table: Arc::clone(&table),
            number,
            spare_steps: Vec::new(),
            spare_sums: Vec::new(),
            moves: Vec::new(),
        };
        Solver {
            workers: (0..config.threads.max(1)).map(worker).collect(),
            rules,
            config,
            table,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// How sums are searched.
    pub fn config(&self) -> Config {
        self.config
    }

    /// Forgets what was found, but keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.parts = Parts::new(self.rules.clone(), self.config.valued);
        }
    }

    /// Whether `mover`, who is to move, makes the last move.
    pub fn wins(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<Won, Unsolved> {
        if let [worker] = &mut self.workers[..] {
            return worker.wins(sum, mover, limits);
        }
        // The first thread to finish stops the others.
        let done = Cancel::default();
        let answers: Vec<Result<Won, Unsolved>> = std::thread::scope(|scope| {
            let run = |worker| {
                let done = &done;
                scope.spawn(move || {
                    let answer = Worker::wins_unless(worker, sum, mover, limits, done);
                    done.cancel();
                    answer
                })
            };
            let threads: Vec<_> = self.workers.iter_mut().map(run).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined
                .map(|answer| answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let found = answers.iter().flatten().next().copied();
        let nodes = answers.iter().flatten().map(|won| won.nodes).sum();
        match found {
            Some(Won { wins, .. }) => Ok(Won { wins, nodes }),
            None => answers.into_iter().next().unwrap_or(Err(Stopped.into())),
        }
    }

    /// The class of a sum, by two searches.
    pub fn outcome(
        &mut self,
        sum: Sum<'_, R::Position>,
        limits: &Limits,
    ) -> Result<Outcome, Unsolved> {
        let left = self.wins(sum, Player::FIRST, limits)?.wins;
        let right = self.wins(sum, Player::SECOND, limits)?.wins;
        Ok(match (left, right) {
            (true, true) => Outcome::N,
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (false, false) => Outcome::P,
        })
    }

    /// The moves by which `mover` wins: the number of the position, and the move. Moves in values are not listed.
    pub fn winning_moves(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<Vec<(usize, R::Move)>, Unsolved> {
        let mut winning = Vec::new();
        let mut moves = Vec::new();
        let mut after = sum.positions.to_vec();
        for (number, position) in sum.positions.iter().enumerate() {
            moves.clear();
            self.rules.moves(position, mover, &mut moves);
            for &mv in &moves {
                after[number] = position.clone();
                self.rules.play(&mut after[number], mover, mv);
                let next = Sum {
                    positions: &after,
                    values: sum.values,
                };
                if !self.wins(next, mover.other(), limits)?.wins {
                    winning.push((number, mv));
                }
            }
            after[number] = position.clone();
        }
        Ok(winning)
    }
}

/// What an answer of the other player takes off a promise; see [`parts::ABOUT`].
const ANSWER: i64 = 4;

/// A thread with values of its own.
#[derive(Debug)]
struct Worker<R: Combinatorial> {
    parts: Parts<R>,
    table: Arc<Table>,
    number: usize,
    /// What is taken up again by the next node.
    spare_steps: Vec<Vec<Step<R::Position>>>,
    spare_sums: Vec<Multiset<R::Position>>,
    moves: Vec<R::Move>,
}

/// A move of a sum.
#[derive(Clone, Debug)]
struct Step<P> {
    /// How much it promises.
    promise: i64,
    change: Change<P>,
}

/// What changes by a move.
#[derive(Clone, Debug)]
enum Change<P> {
    /// The part at this place becomes this.
    Part(usize, P),
    /// The value at this place becomes its option of this number.
    Hot(usize, usize),
    /// Numbers, ups and stars become the option of this number.
    Cold(usize),
}

/// A multiset of parts and values.
#[derive(Debug)]
struct Multiset<P> {
    /// Numbers, ups and stars, all together.
    cold: Value,
    /// Other values.
    hot: Vec<Value>,
    parts: Vec<Arc<Part<P>>>,
}

impl<P> Default for Multiset<P> {
    fn default() -> Self {
        Multiset {
            cold: Value::ZERO,
            hot: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl<P> Multiset<P> {
    /// Becomes the same as another, in the memory that it has.
    fn copy(&mut self, other: &Multiset<P>) {
        self.cold = other.cold;
        self.hot.clone_from(&other.hot);
        self.parts.clone_from(&other.parts);
    }
}

impl<R: Combinatorial> Worker<R> {
    fn wins(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<Won, Unsolved> {
        self.wins_unless(sum, mover, limits, &Cancel::default())
    }

    fn wins_unless(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
        done: &Cancel,
    ) -> Result<Won, Unsolved> {
        let mut meter = limits.meter();
        let mut multiset = Multiset::default();
        for position in sum.positions {
            self.parts.add(&mut multiset, position)?;
        }
        for text in sum.values {
            let value = self.parts.values().read(text)?;
            self.parts.add_value(&mut multiset, value)?;
        }
        let wins = self.search(&multiset, mover, &mut meter, done, 0)?;
        Ok(Won {
            wins,
            nodes: meter.nodes(),
        })
    }

    /// Whether the mover wins, if values alone decide it.
    fn decided(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<Option<bool>, Unsolved> {
        if !sum.parts.is_empty() || sum.hot.len() > 2 {
            return self.parts.bounded(sum, mover);
        }
        let values = self.parts.values();
        // The mover wins the sum of a and b unless it is at most zero for him: a <= -b, or the other way round.
        let (a, b) = match sum.hot[..] {
            [] => (sum.cold, Value::ZERO),
            [only] => (only, sum.cold),
            [one, other, ..] => (values.sum(one, sum.cold)?, other),
        };
        let b = values.negative(b)?;
        let loses = match mover {
            Player::FIRST => values.le(a, b)?,
            _ => values.le(b, a)?,
        };
        Ok(Some(!loses))
    }

    fn search(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        meter: &mut Meter,
        done: &Cancel,
        ply: u32,
    ) -> Result<bool, Unsolved> {
        meter.tick()?;
        if done.is_cancelled() {
            return Err(Stopped.into());
        }
        if ply >= MAX_PLIES {
            return Err(Unsolved::Plies);
        }
        if let Some(known) = self.decided(sum, mover)? {
            return Ok(known);
        }
        let key = self.key(sum, mover)?;
        if let Some(known) = self.table.get(key) {
            return Ok(known);
        }
        let mut steps = self.spare_steps.pop().unwrap_or_default();
        let mut next = self.spare_sums.pop().unwrap_or_default();
        let found = self
            .steps(sum, mover, meter.nodes(), &mut steps)
            .and_then(|()| {
                for step in &steps {
                    self.after(sum, mover, step, &mut next)?;
                    if !self.search(&next, mover.other(), meter, done, ply + 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            });
        steps.clear();
        self.spare_steps.push(steps);
        self.spare_sums.push(next);
        let wins = found?;
        self.table.put(key, wins);
        Ok(wins)
    }

    /// The key of a multiset: a sum, so that the order does not matter.
    fn key(&mut self, sum: &Multiset<R::Position>, mover: Player) -> Result<u128, Unsolved> {
        let mut key = u128::from(zobrist::number(0xc67, u64::from(mover.0))) << 64;
        key = key.wrapping_add(self.parts.value_fingerprint(sum.cold)?);
        for &value in &sum.hot {
            key = key.wrapping_add(self.parts.value_fingerprint(value)?);
        }
        for part in &sum.parts {
            key = key.wrapping_add(part.fingerprint);
        }
        Ok(key)
    }

    /// All moves of a player, the most promising first.
    fn steps(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        lot: u64,
        steps: &mut Vec<Step<R::Position>>,
    ) -> Result<(), Unsolved> {
        let sign = if mover == Player::FIRST { 1 } else { -1 };
        for (place, part) in sum.parts.iter().enumerate() {
            let seen = &sum.parts[..place];
            if seen
                .iter()
                .any(|other| other.fingerprint == part.fingerprint)
            {
                continue;
            }
            self.moves.clear();
            let rules = self.parts.rules();
            rules.moves(&part.position, mover, &mut self.moves);
            let before = part.estimate();
            for &mv in &self.moves {
                let mut position = part.position.clone();
                rules.play(&mut position, mover, mv);
                let mobility = self.parts.mobility(&position);
                let gain = sign * (parts::ahead(mobility) - before);
                // Of moves that gain as much, those come first that leave the fewest answers.
                steps.push(Step {
                    promise: gain - ANSWER * mobility[mover.other().index() & 1],
                    change: Change::Part(place, position),
                });
            }
        }
        for (place, &value) in sum.hot.iter().enumerate() {
            if sum.hot[..place].contains(&value) {
                continue;
            }
            let gains = self.parts.value_gains(value, mover)?;
            steps.extend(gains.iter().enumerate().map(|(option, &promise)| Step {
                promise,
                change: Change::Hot(place, option),
            }));
        }
        if sum.cold != Value::ZERO {
            let is_number = self.parts.values().is_number(sum.cold);
            let gains = self.parts.value_gains(sum.cold, mover)?;
            steps.extend(gains.iter().enumerate().map(|(option, &promise)| Step {
                promise: if is_number { i64::MIN / 2 } else { promise },
                change: Change::Cold(option),
            }));
        }
        if self.number > 0 {
            // Other threads look at moves of about the same promise in another order.
            for (i, step) in steps.iter_mut().enumerate() {
                let lot = zobrist::number(self.number as u64, zobrist::mix(i as u64 ^ lot));
                step.promise += (lot % parts::ABOUT) as i64;
            }
        }
        steps.sort_by_key(|step| std::cmp::Reverse(step.promise));
        Ok(())
    }

    /// The sum after a move.
    fn after(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        step: &Step<R::Position>,
        next: &mut Multiset<R::Position>,
    ) -> Result<(), Unsolved> {
        next.copy(sum);
        match &step.change {
            Change::Part(place, position) => {
                next.parts.swap_remove(*place);
                self.parts.add(next, position)
            }
            &Change::Hot(place, option) => {
                let value = next.hot.swap_remove(place);
                let option = self.parts.values().options(value, mover)?[option];
                self.parts.add_value(next, option)
            }
            &Change::Cold(option) => {
                let option = self.parts.values().options(sum.cold, mover)?[option];
                next.cold = Value::ZERO;
                self.parts.add_value(next, option)
            }
        }
    }
}

#[cfg(test)]
mod tests;
