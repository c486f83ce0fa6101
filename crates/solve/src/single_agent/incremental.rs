//! Depth-first search of all positions, with incremental transpositions (Helmstetter and Cazenave
//! 2004, section 2), which model checking knows as sleep sets (Godefroid 1990).
//!
//! A search carries a set of moves along that need not be played: they lead to positions that have
//! been searched completely. A move that has been searched joins the set. After a move those remain
//! in it that may change places with the move, because what they lead to now is what the move led
//! to after them. Where all transpositions come from changing places no position is looked at
//! twice, and no table is needed.
//!
//! # With a table
//!
//! A table of fixed size remembers positions, one in each slot, the latest one staying; one that
//! grows forgets nothing. It is asked after the set of moves, which is cheaper.
//!
//! # Cycles
//!
//! Where a position can recur, one that has been seen need not be finished, and moves that were
//! left out there may have been left out in vain. So a position is remembered together with a
//! number for the moves that were left out. Met again with the same moves left out, or if none
//! were, it is passed over. Otherwise all its moves are looked at, and it is remembered as one
//! without moves left out. So everything is looked at that Godefroid's rule would look at (what was
//! left out then and is not left out now), and a position at most twice, but for what the table
//! forgets. The path is asked as well as the table, so the search ends even without a table.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabia_game::threads::{self, Job};
use tabia_game::{Limits, MoveIndex, OnePlayer, Payoff, Player, Stopped, Turn, zobrist};

use super::{Budget, Count, Found, Remembered, STACK, identity, with_large_stack};

/// A search of all positions. Exact where positions recur freely; under other rules it finds
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct DepthFirst {
    incremental: bool,
    table: usize,
    growing: bool,
    cyclic: bool,
    threads: usize,
}

impl DepthFirst {
    /// Every sequence of moves, one after the other.
    pub fn plain() -> DepthFirst {
        DepthFirst {
            incremental: false,
            table: 0,
            growing: false,
            cyclic: false,
            threads: 1,
        }
    }

    /// With incremental transpositions.
    pub fn incremental() -> DepthFirst {
        DepthFirst {
            incremental: true,
            ..DepthFirst::plain()
        }
    }

    /// With a table of this many positions, rounded up to a power of two; none with zero. Each
    /// thread has its own.
    pub fn table(self, positions: usize) -> DepthFirst {
        DepthFirst {
            table: positions,
            growing: false,
            ..self
        }
    }

    /// With a table that holds every position, as far as there is memory for it. Each thread has
    /// its own.
    pub fn growing_table(self) -> DepthFirst {
        DepthFirst {
            table: 1 << 4,
            growing: true,
            ..self
        }
    }

    /// For games in which positions can recur. Without this a search of such a game need not end.
    pub fn cyclic(self) -> DepthFirst {
        DepthFirst {
            cyclic: true,
            ..self
        }
    }

    /// On this many threads, which share out the first moves. Without a table the same positions
    /// are looked at as on one thread, and as often. A search for games with cycles takes one
    /// thread only: what one thread leaves out might rest on what another one has left out.
    pub fn threads(self, threads: usize) -> DepthFirst {
        DepthFirst { threads, ..self }
    }

    /// Looks at all positions that can arise from this one: within [`Limits::depth`] plies, if that
    /// is set, and then the result is proved only if no game is longer.
    pub fn search<G>(&self, game: &G, state: &G::State, limits: &Limits) -> Found<G::Move>
    where
        G: OnePlayer + MoveIndex,
    {
        if game.repetition().is_tracked() {
            return Found::nothing();
        }
        let budget = Budget::new(limits);
        if self.threads > 1 && !self.cyclic {
            return self.share_out(game, state, limits, &budget);
        }
        with_large_stack(|| {
            let mut worker = Worker::new(self, game, limits, &budget);
            let ended = worker.visit(&mut state.clone(), limits.depth.unwrap_or(u32::MAX), 0);
            worker.found(ended)
        })
    }

    fn share_out<G>(
        &self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        budget: &Budget,
    ) -> Found<G::Move>
    where
        G: OnePlayer + MoveIndex,
    {
        let depth = limits.depth.unwrap_or(u32::MAX);
        let mut first = Worker::new(self, game, limits, budget);
        let remembers = first.remembers();
        first.table = Table::new(0, false);
        let mut tasks = vec![Task {
            line: Vec::new(),
            asleep: Vec::new(),
        }];
        // Lines of up to three moves, until there are enough of them to keep all threads busy.
        let mut stopped = Ok(());
        for _ in 0..3 {
            if tasks.len() >= 8 * self.threads || stopped.is_err() {
                break;
            }
            let mut next = Vec::new();
            for task in tasks {
                stopped = stopped.and_then(|()| first.split(state, depth, task, &mut next));
            }
            tasks = next;
        }
        let ended = stopped.is_ok();
        let mut best = first.found(stopped);
        // Every line shared out is a position of its own.
        best.remembered = remembers.then_some(Remembered {
            positions: best.nodes,
            forgotten: 0,
        });
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let work = || {
            let mut worker = Worker::new(self, game, limits, budget);
            let mut ended = Ok(());
            while ended.is_ok() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(at) else {
                    break;
                };
                ended = worker.work(state, depth, task);
            }
            let found = worker.found(ended);
            if let Ok(mut results) = results.lock() {
                results.push(found);
            }
        };
        let jobs = 0..self.threads.min(tasks.len());
        let jobs = jobs.map(|_| -> Job<'_> { Box::new(work) }).collect();
        if threads::with_stack(STACK, jobs) == 0 {
            // No thread was to be had; the stack at hand must do.
            work();
        }
        let results = results.into_inner().unwrap_or_default();
        best.proved &= ended && results.iter().all(|found| found.proved);
        for found in results {
            best.nodes += found.nodes;
            best.remembered = best.remembered.zip(found.remembered).map(Remembered::sum);
            if found.payoff > best.payoff {
                (best.payoff, best.line) = (found.payoff, found.line);
            }
        }
        best
    }
}

/// A line to search on from, and the moves that need not be played after it.
struct Task<M> {
    line: Vec<M>,
    asleep: Vec<M>,
}

/// A position that has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    identity: u64,
    /// A number for the moves that were left out; zero if there were none.
    asleep: u64,
}

const NOTHING: Seen = Seen {
    identity: 0,
    asleep: u64::MAX,
};

/// Positions that have been seen.
struct Table {
    slots: Vec<Seen>,
    /// How many slots are taken, in a table that grows.
    taken: Option<usize>,
    /// How many positions gave way to others.
    forgotten: u64,
}

impl Table {
    fn new(positions: usize, growing: bool) -> Table {
        let slots = match positions {
            0 => 0,
            _ => positions.next_power_of_two(),
        };
        Table {
            slots: vec![NOTHING; slots],
            taken: growing.then_some(0),
            forgotten: 0,
        }
    }

    /// The slot of a position: the only one it may be in, or in a table that grows the first one
    /// after it that is free.
    fn slot(&self, identity: u64) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = identity as usize & mask;
        if self.taken.is_some() {
            while self.slots[slot] != NOTHING && self.slots[slot].identity != identity {
                slot = (slot + 1) & mask;
            }
        }
        slot
    }

    fn get(&self, identity: u64) -> Option<Seen> {
        let seen = self.slots.get(self.slot(identity))?;
        (*seen != NOTHING && seen.identity == identity).then_some(*seen)
    }

    fn put(&mut self, seen: Seen) {
        let slot = self.slot(seen.identity);
        let Some(place) = self.slots.get_mut(slot) else {
            return;
        };
        let new = *place == NOTHING;
        self.forgotten += u64::from(!new && place.identity != seen.identity);
        *place = seen;
        if let Some(taken) = &mut self.taken {
            *taken += usize::from(new);
            if 2 * *taken > self.slots.len() {
                let size = 2 * self.slots.len();
                let old = std::mem::replace(&mut self.slots, vec![NOTHING; size]);
                for seen in old.into_iter().filter(|seen| *seen != NOTHING) {
                    let slot = self.slot(seen.identity);
                    self.slots[slot] = seen;
                }
            }
        }
    }
}

struct Worker<'a, G: OnePlayer> {
    rules: &'a DepthFirst,
    game: &'a G,
    count: Count<'a>,
    depth_limited: bool,
    moves: Vec<G::Move>,
    /// The moves that need not be played, for every position of the path.
    asleep: Vec<G::Move>,
    line: Vec<G::Move>,
    table: Table,
    path: Vec<Seen>,
    best: Option<Payoff>,
    best_line: Vec<G::Move>,
    /// Whether a line was longer than it may be.
    cut: bool,
    /// Positions that were not known when they were met.
    positions: u64,
}

impl<'a, G: OnePlayer + MoveIndex> Worker<'a, G> {
    fn new(rules: &'a DepthFirst, game: &'a G, limits: &Limits, budget: &'a Budget) -> Self {
        Worker {
            rules,
            game,
            count: Count::new(budget, limits),
            depth_limited: limits.depth.is_some(),
            moves: Vec::new(),
            asleep: Vec::new(),
            line: Vec::new(),
            table: Table::new(rules.table, rules.growing),
            path: Vec::new(),
            best: None,
            best_line: Vec::new(),
            cut: false,
            positions: 0,
        }
    }

    /// Whether positions are told apart.
    fn remembers(&self) -> bool {
        !self.table.slots.is_empty() || self.rules.cyclic
    }

    fn found(&self, ended: Result<(), Stopped>) -> Found<G::Move> {
        Found {
            payoff: self.best,
            line: self.best_line.clone(),
            proved: ended.is_ok() && !self.cut,
            nodes: self.count.nodes(),
            remembered: self.remembers().then_some(Remembered {
                positions: self.positions,
                // Without a table nothing is remembered but the path.
                forgotten: match self.table.slots.len() {
                    0 => self.positions,
                    _ => self.table.forgotten,
                },
            }),
        }
    }

    /// Searches a position. The moves from `own` on in `asleep` need not be played; they are
    /// forgotten on the way.
    fn visit(&mut self, state: &mut G::State, depth: u32, own: usize) -> Result<(), Stopped> {
        if self.remembers() && !self.enter(state, depth, own) {
            return Ok(());
        }
        self.count.tick()?;
        if self.open(state, depth) {
            let first = self.moves.len();
            self.game.moves(state, &mut self.moves);
            let last = self.moves.len();
            for at in first..last {
                let mv = self.moves[at];
                if self.rules.incremental && self.asleep[own..].contains(&mv) {
                    continue;
                }
                let child = self.asleep.len();
                if self.rules.incremental {
                    for other in own..child {
                        let other = self.asleep[other];
                        if self.game.commute(state, mv, other) {
                            self.asleep.push(other);
                        }
                    }
                }
                let token = self.game.play(state, mv);
                self.line.push(mv);
                let ended = self.visit(state, depth - 1, child);
                self.line.pop();
                self.game.undo(state, token);
                self.asleep.truncate(child);
                ended?;
                if self.rules.incremental {
                    self.asleep.push(mv);
                }
            }
            self.moves.truncate(first);
        }
        if self.rules.cyclic {
            self.path.pop();
        }
        Ok(())
    }

    /// Whether a position has moves to look at. Notes what a finished game pays.
    #[inline]
    fn open(&mut self, state: &G::State, depth: u32) -> bool {
        if self.game.turn(state) == Turn::Over {
            let payoff = self.game.payoff(state, Player::FIRST);
            if self.best.is_none_or(|best| payoff > best) {
                self.best = Some(payoff);
                self.best_line.clone_from(&self.line);
            }
            return false;
        }
        self.cut |= depth == 0;
        depth > 0
    }

    /// Remembers a position; no if it need not be looked at.
    fn enter(&mut self, state: &G::State, depth: u32, own: usize) -> bool {
        let mut identity = identity(self.game, state);
        if self.depth_limited {
            // With more plies to go there is more to see.
            identity ^= zobrist::number(0xd_e974, u64::from(depth));
        }
        let in_table = self.table.get(identity);
        if !self.rules.cyclic {
            if in_table.is_some() {
                return false;
            }
        } else {
            let number = |mv: &G::Move| zobrist::number(0x51ee9, self.game.move_index(*mv) as u64);
            let asleep = self.asleep[own..].iter().map(number).fold(0, |a, b| a ^ b);
            let on_path = self.path.iter().filter(|seen| seen.identity == identity);
            let mut known = false;
            for seen in in_table.iter().chain(on_path) {
                if seen.asleep == 0 || seen.asleep == asleep {
                    return false;
                }
                known = true;
            }
            let seen = if known {
                self.asleep.truncate(own);
                Seen {
                    identity,
                    asleep: 0,
                }
            } else {
                Seen { identity, asleep }
            };
            self.positions += u64::from(!known);
            self.path.push(seen);
            self.table.put(seen);
            return true;
        }
        self.positions += 1;
        self.table.put(Seen {
            identity,
            asleep: 0,
        });
        true
    }

    /// Looks at the position after the line of a task, and makes tasks of its moves.
    fn split(
        &mut self,
        start: &G::State,
        depth: u32,
        task: Task<G::Move>,
        tasks: &mut Vec<Task<G::Move>>,
    ) -> Result<(), Stopped> {
        self.count.tick()?;
        let mut state = start.clone();
        for &mv in &task.line {
            self.game.play(&mut state, mv);
        }
        self.line.clone_from(&task.line);
        let left = depth.saturating_sub(task.line.len() as u32);
        let mut asleep = task.asleep;
        if self.open(&state, left) {
            let mut moves = Vec::new();
            self.game.moves(&state, &mut moves);
            for mv in moves {
                if asleep.contains(&mv) {
                    continue;
                }
                let commute = |other: &&G::Move| self.game.commute(&state, mv, **other);
                let mut line = task.line.clone();
                line.push(mv);
                tasks.push(Task {
                    line,
                    asleep: asleep.iter().filter(commute).copied().collect(),
                });
                if self.rules.incremental {
                    asleep.push(mv);
                }
            }
        }
        Ok(())
    }

    fn work(&mut self, start: &G::State, depth: u32, task: &Task<G::Move>) -> Result<(), Stopped> {
        let mut state = start.clone();
        for &mv in &task.line {
            self.game.play(&mut state, mv);
        }
        self.line.clone_from(&task.line);
        self.asleep.clone_from(&task.asleep);
        self.path.clear();
        self.moves.clear();
        let left = depth.saturating_sub(task.line.len() as u32);
        self.visit(&mut state, left, 0)
    }
}
