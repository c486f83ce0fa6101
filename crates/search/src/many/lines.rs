//! The lines after the best one, for those who ask for several.
//!
//! As in [alpha-beta](crate::alphabeta), the root is searched again after each iteration without
//! the moves that are known to be better, with a table and a memory of its own.

use tabia_game::{Knowledge, Stopped};

use super::aims::{Aims, Vector};
use super::config::Config;
use super::node::Worker;
use super::table::Table;
use super::{ManyPlayerGame, Memory, Stats, iteration};
use crate::report::{Listener, Report};

/// The table for other lines has this share of the size of the main one.
const SHARE: u64 = 4;

/// What searches for other lines remember.
pub(super) struct Aside {
    table: Option<Table>,
    memory: Memory,
    stats: Stats,
}

impl Aside {
    pub fn new(indices: usize, players: usize, config: &Config) -> Aside {
        let mut memory = Memory::default();
        memory.prepare(indices, players, config);
        Aside {
            table: (config.table > 0).then(|| Table::new(config.table / SHARE)),
            memory,
            stats: Stats::default(),
        }
    }

    /// Searches the lines after the best one to a depth and reports them. Ends early when a limit
    /// is reached.
    pub fn search<G, K, A>(
        &mut self,
        worker: &mut Worker<'_, G, K, A>,
        best: (G::Move, f64),
        depth: i32,
        value: &impl Fn(Vector) -> f64,
        listener: &mut Listener<'_, G::Move>,
    ) -> Result<(), Stopped>
    where
        G: ManyPlayerGame,
        K: Knowledge<G>,
        A: Aims<G>,
    {
        self.change_places(worker);
        let found = search(worker, best, depth, value, listener);
        worker.excluded.clear();
        self.change_places(worker);
        found
    }

    /// What was counted.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Gives the worker what is remembered here, and keeps what it remembered.
    fn change_places<G: ManyPlayerGame, K, A>(&mut self, worker: &mut Worker<'_, G, K, A>) {
        if let (Some(main), Some(own)) = (&mut worker.table, &mut self.table) {
            std::mem::swap(*main, own);
        }
        std::mem::swap(worker.memory, &mut self.memory);
        std::mem::swap(&mut worker.stats, &mut self.stats);
    }
}

fn search<G, K, A>(
    worker: &mut Worker<'_, G, K, A>,
    (best, mut above): (G::Move, f64),
    depth: i32,
    value: &impl Fn(Vector) -> f64,
    listener: &mut Listener<'_, G::Move>,
) -> Result<(), Stopped>
where
    G: ManyPlayerGame,
    K: Knowledge<G>,
    A: Aims<G>,
{
    let mut moves = Vec::new();
    let path = &worker.path;
    path.legal_moves(worker.game, &worker.state, &mut moves);
    worker.excluded.push(best);
    for rank in 2..=listener.lines().min(moves.len()) {
        let (values, complete) = iteration(worker, depth)?;
        // Models of opponents can see more here than in the main search.
        above = value(values).min(above);
        let line = worker.lines[0].clone();
        let Some(&mv) = line.first() else {
            return Ok(());
        };
        listener.tell(&Report {
            rank,
            depth: match complete {
                true => (depth as u32).min(worker.stats.deepest as u32),
                false => depth as u32,
            },
            value: Some(above),
            solved: complete,
            plies: None,
            visits: None,
            line: &line,
            nodes: worker.meter.nodes(),
            elapsed: listener.elapsed(),
        });
        worker.excluded.push(mv);
    }
    Ok(())
}
