//! The lines after the best one, for those who ask for several (MultiPV).
//!
//! After each iteration the root is searched again without the moves that are known to be better.
//! These searches have a table and a memory of their own, so that the best line is what it would be
//! if nobody had asked for others.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tabia_game::{Knowledge, MoveIndex, Player, Stopped};

use super::config::Config;
use super::node::Worker;
use super::ordering::Memory;
use super::window::{Node, Scored};
use super::{AlphaBetaGame, Found, Stats, extend_line, iteration};
use crate::report::{Listener, Report};
use crate::score;
use crate::table::TranspositionTable;

/// The table for other lines has this share of the size of the main one.
const SHARE: u64 = 4;

/// What searches for other lines remember.
pub(super) struct Aside {
    pub memory: Memory,
    pub table: Option<TranspositionTable>,
}

impl Aside {
    pub fn new<G: MoveIndex>(game: &G, config: &Config) -> Aside {
        Aside {
            memory: Memory::new(game.move_indices(), config),
            table: (config.table > 0)
                .then(|| TranspositionTable::new(config.table / SHARE, config.replacement)),
        }
    }

    pub fn new_search(&mut self, config: &Config) {
        self.memory.new_search(config);
        if let Some(table) = &mut self.table {
            table.new_search();
        }
    }
}

/// Reports the iterations of a search, with the lines after the best one.
pub(super) struct Others<'a, 'l, 'w, G: AlphaBetaGame, K> {
    worker: Option<Worker<'w, G, K>>,
    listener: &'a mut Listener<'l, G::Move>,
    /// The nodes of other threads.
    visited: &'a [AtomicU64],
    /// What the lines after the best one were worth in the last iteration.
    guesses: Vec<i32>,
}

impl<'a, 'l, 'w, G: AlphaBetaGame, K: Knowledge<G>> Others<'a, 'l, 'w, G, K> {
    pub fn new(
        worker: Option<Worker<'w, G, K>>,
        listener: &'a mut Listener<'l, G::Move>,
        visited: &'a [AtomicU64],
    ) -> Others<'a, 'l, 'w, G, K> {
        Others {
            worker,
            listener,
            visited,
            guesses: Vec::new(),
        }
    }

    /// What the searches for other lines counted.
    pub fn stats(&self) -> Stats {
        let worker = self.worker.as_ref();
        worker.map_or_else(Stats::default, |worker| worker.stats.clone())
    }

    /// Reports what an iteration found, searches the other lines to the same depth and reports
    /// them. Ends early when a limit is reached.
    pub fn report(
        &mut self,
        main: &mut Worker<'_, G, K>,
        found: &Found<G::Move>,
        mover: Player,
        depth: u32,
    ) {
        if self.listener.is_silent() {
            return;
        }
        self.tell(1, found, main.meter.nodes());
        let Some(mut worker) = self.worker.take() else {
            return;
        };
        // The limits are those of the whole search.
        std::mem::swap(&mut main.meter, &mut worker.meter);
        // What stops this search stops the main one, too.
        let _ = self.search(&mut worker, found, mover, depth);
        std::mem::swap(&mut main.meter, &mut worker.meter);
        self.worker = Some(worker);
    }

    fn search(
        &mut self,
        worker: &mut Worker<'w, G, K>,
        best: &Found<G::Move>,
        mover: Player,
        depth: u32,
    ) -> Result<(), Stopped> {
        let mut moves = Vec::new();
        let path = &worker.path;
        path.legal_moves(worker.game, &worker.state, &mut moves);
        let lines = self.listener.lines().min(moves.len());
        let mut above = best.scored;
        worker.excluded.clear();
        worker.excluded.extend(best.line.first());
        for rank in 2..=lines {
            let guess = self.guesses.get(rank - 2).copied();
            let scored = iteration(worker, mover, depth as i32, guess)?;
            match self.guesses.get_mut(rank - 2) {
                Some(guess) => *guess = scored.score,
                None => self.guesses.push(scored.score),
            }
            // Unsafe pruning can find more here than in the main search.
            above = Scored {
                score: scored.score.min(above.score),
                ..scored
            };
            let mut line = worker.lines[0].clone();
            let Some(&mv) = line.first() else {
                return Ok(());
            };
            extend_line(worker, &mut line, depth as usize);
            let reached = match above.complete {
                true => depth.min(worker.stats.deepest as u32),
                false => depth,
            };
            let found = Found {
                scored: above,
                line,
                depth: reached,
            };
            self.tell(rank, &found, worker.meter.nodes());
            worker.excluded.push(mv);
        }
        Ok(())
    }

    fn tell(&mut self, rank: usize, found: &Found<G::Move>, nodes: u64) {
        let others: u64 = self.visited.iter().map(|n| n.load(Relaxed)).sum();
        let Scored { score, complete } = found.scored;
        self.listener.tell(&Report {
            rank,
            depth: found.depth,
            value: Some(score::to_value(score)),
            solved: complete,
            plies: score::plies(score).filter(|_| complete),
            visits: None,
            line: &found.line,
            nodes: nodes + others,
            elapsed: self.listener.elapsed(),
        });
    }
}

impl<G: AlphaBetaGame, K: Knowledge<G>> Worker<'_, G, K> {
    /// The value of the root without the moves that are left out. The table does not keep it.
    pub fn narrowed_root(&mut self, node: Node) -> Result<Scored, Stopped> {
        self.stats.types[node.kind as usize] += 1;
        let base = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        if let Some(stuck) = self.retain_legal(node.mover, node.ply, base) {
            return Ok(stuck);
        }
        let excluded = &self.excluded;
        self.moves.retain(|mv| !excluded.contains(mv));
        let result = self
            .narrow(node, base)
            .and_then(|narrowed| self.expanded(node, base, None, narrowed));
        self.moves.truncate(base);
        self.scores.truncate(base);
        Ok(result?.0)
    }
}
