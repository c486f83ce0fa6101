//! Who wins a sum of positions, by minimax on the multiset of its parts.
//!
//! Positions are split into parts, parts that cancel out are dropped, and those that are small are replaced by their
//! values, numbers, ups and stars of which add up to one. What is left is searched, with a table of multisets:
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
use parts::{Child, Parts};

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
            valued: 12,
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
    /// Parts became too many.
    #[error("more than {0} different parts would have to be remembered")]
    Parts(usize),
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
            buffers: Vec::new(),
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

/// A thread with values and parts of its own.
#[derive(Debug)]
struct Worker<R: Combinatorial> {
    parts: Parts<R>,
    table: Arc<Table>,
    number: usize,
    buffers: Vec<Vec<Step>>,
}

/// A move of a sum: the place of the summand, and which of its children takes its place.
#[derive(Clone, Copy, Debug)]
struct Step {
    key: i64,
    summand: Summand,
    child: u32,
}

/// What a sum consists of beside numbers, ups and stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Summand {
    Hot(Value),
    Part(u32),
    /// Numbers, ups and stars, all together.
    Cold,
}

/// A multiset of parts and values.
#[derive(Clone, Debug, Default)]
struct Multiset {
    /// Numbers, ups and stars.
    cold: Value,
    hot: Vec<Value>,
    parts: Vec<u32>,
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
            let child = self.parts.reduce(position, &mut meter)?;
            self.add(&mut multiset, &child)?;
        }
        for text in sum.values {
            let value = self.parts.values().read(text)?;
            self.add_value(&mut multiset, value)?;
        }
        let wins = self.search(&multiset, mover, &mut meter, done, 0)?;
        Ok(Won {
            wins,
            nodes: meter.nodes(),
        })
    }

    fn add(&mut self, multiset: &mut Multiset, child: &Child) -> Result<(), Unsolved> {
        for &value in &child.values {
            self.add_value(multiset, value)?;
        }
        for &part in &child.parts {
            let negative = self.parts.negative(part);
            match multiset.parts.iter().position(|&other| other == negative) {
                Some(place) => {
                    multiset.parts.swap_remove(place);
                }
                None => multiset.parts.push(part),
            }
        }
        Ok(())
    }

    fn add_value(&mut self, multiset: &mut Multiset, value: Value) -> Result<(), Unsolved> {
        let values = self.parts.values();
        if values.as_number_up_star(value).is_some() {
            multiset.cold = values.sum(multiset.cold, value)?;
            return Ok(());
        }
        let negative = values.negative(value)?;
        match multiset.hot.iter().position(|&other| other == negative) {
            Some(place) => {
                multiset.hot.swap_remove(place);
            }
            None => multiset.hot.push(value),
        }
        Ok(())
    }

    /// Whether the mover wins, if values alone decide it.
    fn decided(&mut self, sum: &Multiset, mover: Player) -> Result<Option<bool>, Unsolved> {
        if !sum.parts.is_empty() || sum.hot.len() > 2 {
            return Ok(None);
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
        sum: &Multiset,
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
        let mut steps = self.buffers.pop().unwrap_or_default();
        steps.clear();
        let found = self
            .steps(sum, mover, meter, &mut steps)
            .and_then(|()| self.search_steps(sum, mover, &steps, meter, done, ply));
        self.buffers.push(steps);
        let wins = found?;
        self.table.put(key, wins);
        Ok(wins)
    }

    fn search_steps(
        &mut self,
        sum: &Multiset,
        mover: Player,
        steps: &[Step],
        meter: &mut Meter,
        done: &Cancel,
        ply: u32,
    ) -> Result<bool, Unsolved> {
        for step in steps {
            let next = self.after(sum, mover, step)?;
            if !self.search(&next, mover.other(), meter, done, ply + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The key of a multiset: a sum, so that the order does not matter.
    fn key(&mut self, sum: &Multiset, mover: Player) -> Result<u128, Unsolved> {
        let mut key = u128::from(zobrist::number(0xc67, u64::from(mover.0))) << 64;
        key = key.wrapping_add(self.parts.value_fingerprint(sum.cold)?);
        for &value in &sum.hot {
            key = key.wrapping_add(self.parts.value_fingerprint(value)?);
        }
        for &part in &sum.parts {
            key = key.wrapping_add(self.parts.part_fingerprint(part));
        }
        Ok(key)
    }

    /// All moves of a player, the most promising first.
    fn steps(
        &mut self,
        sum: &Multiset,
        mover: Player,
        meter: &mut Meter,
        steps: &mut Vec<Step>,
    ) -> Result<(), Unsolved> {
        let hot = sum.hot.iter().map(|&value| Summand::Hot(value));
        let parts = sum.parts.iter().map(|&part| Summand::Part(part));
        let mut summands: Vec<Summand> = hot.chain(parts).collect();
        summands.sort_unstable();
        summands.dedup();
        if sum.cold != Value::ZERO {
            summands.push(Summand::Cold);
        }
        for summand in summands {
            let own = match summand {
                Summand::Hot(value) => self.parts.value_gains(value, mover)?,
                Summand::Cold => self.parts.value_gains(sum.cold, mover)?,
                Summand::Part(part) => self.parts.part_gains(part, mover, meter)?,
            };
            let avoided = summand == Summand::Cold && self.parts.values().is_number(sum.cold);
            steps.extend(own.iter().enumerate().map(|(child, &gain)| Step {
                key: if avoided { i64::MIN / 2 } else { gain },
                summand,
                child: child as u32,
            }));
        }
        if self.number > 0 {
            // Other threads look at moves of about the same promise in another order.
            let salt = self.number as u64;
            for (i, step) in steps.iter_mut().enumerate() {
                let lot = zobrist::number(salt, zobrist::mix(i as u64 ^ meter.nodes()));
                step.key += (lot % parts::ABOUT) as i64;
            }
        }
        steps.sort_by_key(|step| std::cmp::Reverse(step.key));
        Ok(())
    }

    fn after(&mut self, sum: &Multiset, mover: Player, step: &Step) -> Result<Multiset, Unsolved> {
        let mut next = sum.clone();
        let child = step.child as usize;
        match step.summand {
            Summand::Cold => {
                let option = self.parts.values().options(sum.cold, mover)?[child];
                next.cold = Value::ZERO;
                self.add_value(&mut next, option)?;
            }
            Summand::Hot(value) => {
                let option = self.parts.values().options(value, mover)?[child];
                if let Some(place) = next.hot.iter().position(|&other| other == value) {
                    next.hot.swap_remove(place);
                }
                self.add_value(&mut next, option)?;
            }
            Summand::Part(part) => {
                if let Some(place) = next.parts.iter().position(|&other| other == part) {
                    next.parts.swap_remove(place);
                }
                let child = self.parts.child(part, mover, child);
                self.add(&mut next, &child)?;
            }
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests;
