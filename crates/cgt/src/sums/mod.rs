//! Who wins a sum of positions, by proof-number search on the multiset of its parts.
//!
//! Positions are split into parts, parts that cancel out are dropped, and those that are small are
//! replaced by their values, numbers, ups and stars of which add up to one. How small is found out
//! on the way: values may cost about as much as the search. Where bounds of the parts add up to one
//! side of zero, or it follows from who wins the parts alone, no search is needed. What is left is
//! searched, with a table of multisets: parts come in any order, so the order of moves in different
//! parts is lost and found in the table (Müller and Enzenberger 2001; Song and Müller 2015). What
//! is known of parts is a database that fills as they come up and serves all sums that a solver is
//! asked about. Several threads search the same sum and share the table.
//!
//! The table knows a multiset by a bucket and 64 more bits of a sum of hashes: a search of a
//! thousand million nodes takes one for another with a probability of about 10^-8.

mod multiset;
mod numbers;
mod pace;
mod parts;
mod search;
mod table;

use std::sync::Arc;

use tabia_game::{Cancel, Combinatorial, Limits, Player, Stopped, TextError};

use crate::impartial::Unfound;
use crate::{Exceeded, OutcomeClass};
use pace::Pace;
use search::{Busy, Worker};
use table::TranspositionTable;

/// How sums are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Parts with at most this many moves of both players together are replaced by their values, 0
    /// for none; or as many as pays.
    pub valued: Option<u32>,
    /// Bytes of memory: half of it for the table, the rest for values.
    pub memory: u64,
    /// Threads that search.
    pub threads: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            valued: None,
            memory: 1 << 30,
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
    Exceeded(Exceeded),
    /// A value of the sum cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Too long a line of play.
    #[error("there are lines of play of more than {MAX_PLIES} moves")]
    Plies,
    /// There is not as much memory as is asked for, in bytes.
    #[error("the system has no memory for a table of {} MB", .0.div_ceil(1 << 20))]
    Memory(u64),
    /// The positions on the way to the end of a line of play take too much memory, in bytes.
    #[error(transparent)]
    Room(Unfound),
}

impl From<Unfound> for Unsolved {
    fn from(unfound: Unfound) -> Unsolved {
        match unfound {
            Unfound::Stopped(stopped) => Unsolved::Stopped(stopped),
            room @ Unfound::Room(_) => Unsolved::Room(room),
        }
    }
}

impl From<Exceeded> for Unsolved {
    fn from(exceeded: Exceeded) -> Unsolved {
        match exceeded {
            Exceeded::Stopped => Unsolved::Stopped(Stopped),
            other => Unsolved::Exceeded(other),
        }
    }
}

/// Lines of play longer than this are refused, since they are searched by recursion.
pub const MAX_PLIES: u32 = 4000;

/// The answer to who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Won {
    /// Whether the player to move wins.
    pub wins: bool,
    /// Sums whose moves were looked at, each time that they were.
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
/// use tabia_combinatorial::domineering::Domineering;
///
/// let rules = Domineering;
/// let positions = ["..|..", "...|...|..."];
/// let positions = positions.map(|text| rules.parse_position(text).expect("a board"));
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
    table: Arc<TranspositionTable>,
    /// The size of the table that there is no room for.
    lacking: Option<u64>,
    workers: Vec<Worker<R>>,
    spent: u64,
}

impl<R: Combinatorial + Clone> Solver<R> {
    /// Nothing known yet.
    pub fn new(rules: R, config: Config) -> Solver<R> {
        let threads = config.threads.max(1);
        let bytes = config.memory / 2;
        let allocated = TranspositionTable::new(bytes);
        let lacking = allocated.is_none().then_some(bytes);
        let table = Arc::new(allocated.unwrap_or_default());
        let busy = (threads > 1).then(|| Arc::new(Busy::new()));
        let pace = Arc::new(Pace::new(config.valued));
        let room = bytes / threads as u64;
        let worker = |_| Worker::new(rules.clone(), room, &pace, &table, busy.as_ref());
        Solver {
            workers: (0..threads).map(worker).collect(),
            rules,
            config,
            table,
            lacking,
            spent: 0,
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
        let pace = Arc::new(Pace::new(self.config.valued));
        for worker in &mut self.workers {
            worker.forget(&pace);
        }
    }

    /// Whether `mover`, who is to move, makes the last move.
    pub fn wins(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<Won, Unsolved> {
        let answer = self.wins_by_all(sum, mover, limits);
        self.spent = self.workers.iter().map(Worker::spent).sum();
        let wins = answer?;
        Ok(Won {
            wins,
            nodes: self.spent,
        })
    }

    fn wins_by_all(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<bool, Unsolved> {
        if let Some(bytes) = self.lacking {
            return Err(Unsolved::Memory(bytes));
        }
        let impartial = |position| self.rules.is_impartial(position);
        // The search for nimbers has one thread.
        let alone = self.workers.len() == 1 || sum.positions.iter().all(impartial);
        if let Some(worker) = self.workers.first_mut().filter(|_| alone) {
            return worker.wins(sum, mover, limits, &Cancel::default());
        }
        // The first thread to finish stops the others.
        let done = Cancel::default();
        let limits = &Limits {
            nodes: limits
                .nodes
                .map(|nodes| nodes.div_ceil(self.workers.len() as u64)),
            ..limits.clone()
        };
        let mut answers: Vec<Result<bool, Unsolved>> = std::thread::scope(|scope| {
            let run = |worker| {
                let done = &done;
                std::thread::Builder::new().spawn_scoped(scope, move || {
                    let answer = Worker::wins(worker, sum, mover, limits, done);
                    done.cancel();
                    answer
                })
            };
            // The first one is this thread; where there are no more, there are fewer.
            let (first, others) = self.workers.split_first_mut().expect("there is a worker");
            let threads: Vec<_> = others.iter_mut().flat_map(run).collect();
            let answer = Worker::wins(first, sum, mover, limits, &done);
            done.cancel();
            let joined = threads.into_iter().map(|thread| thread.join());
            let joined = std::iter::once(Ok(answer)).chain(joined);
            joined
                .map(|answer| answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let first = answers.iter().position(Result::is_ok).unwrap_or(0);
        answers.swap_remove(first)
    }

    /// Nodes of the last search, also if it did not come to its end.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The class of a sum, by two searches.
    pub fn outcome(
        &mut self,
        sum: Sum<'_, R::Position>,
        limits: &Limits,
    ) -> Result<OutcomeClass, Unsolved> {
        let left = self.wins(sum, Player::FIRST, limits)?.wins;
        let right = self.wins(sum, Player::SECOND, limits)?.wins;
        Ok(match (left, right) {
            (true, true) => OutcomeClass::N,
            (true, false) => OutcomeClass::L,
            (false, true) => OutcomeClass::R,
            (false, false) => OutcomeClass::P,
        })
    }

    /// The nimber of a sum of impartial positions and nimbers, or nothing if there is another
    /// summand.
    pub fn nimber(
        &mut self,
        sum: Sum<'_, R::Position>,
        limits: &Limits,
    ) -> Result<Option<u32>, Unsolved> {
        self.spent = 0;
        if let Some(bytes) = self.lacking {
            return Err(Unsolved::Memory(bytes));
        }
        let Some(worker) = self.workers.first_mut() else {
            return Ok(None);
        };
        let nimber = worker.nimber(sum, limits);
        self.spent = worker.spent();
        nimber
    }

    /// The moves by which `mover` wins: the number of the position, and the move. Moves in values
    /// are not listed.
    pub fn winning_moves(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
    ) -> Result<Vec<(usize, R::Move)>, Unsolved> {
        let mut winning = Vec::new();
        let mut moves = Vec::new();
        let mut spent = 0;
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
                let answer = self.wins(next, mover.other(), limits);
                spent += self.spent;
                self.spent = spent;
                if !answer?.wins {
                    winning.push((number, mv));
                }
            }
            after[number] = position.clone();
        }
        Ok(winning)
    }
}

#[cfg(test)]
mod tests;
