//! The lines after the best one, for those who ask for several.
//!
//! As in [alpha-beta](crate::alphabeta), the root is searched again after each iteration without
//! the moves that are known to be better, with a table of its own.

use tabia_game::{Knowledge, Stopped};

use super::node::{Found, Worker};
use super::value::Scalar;
use super::{ChanceGame, Stats, own_share};
use crate::report::{Listener, Report};

/// The table for other lines has this share of the size of the main one.
pub(super) const SHARE: u64 = 4;

/// Reports the iterations of a search, with the lines after the best one.
pub(super) struct Others<'a, 'l, 'w, G: ChanceGame, K, V> {
    worker: Option<Worker<'w, G, K, V>>,
    listener: &'a mut Listener<'l, G::Move>,
}

impl<'a, 'l, 'w, G: ChanceGame, K: Knowledge<G>, V: Scalar> Others<'a, 'l, 'w, G, K, V> {
    pub fn new(
        worker: Option<Worker<'w, G, K, V>>,
        listener: &'a mut Listener<'l, G::Move>,
    ) -> Others<'a, 'l, 'w, G, K, V> {
        Others { worker, listener }
    }

    /// What the searches for other lines counted.
    pub fn stats(&self) -> Stats {
        self.worker
            .as_ref()
            .map_or_else(Stats::default, |w| w.stats)
    }

    /// Reports what an iteration found, searches the other lines to the same depth and reports
    /// them. Ends early when a limit is reached.
    pub fn report(
        &mut self,
        main: &mut Worker<'_, G, K, V>,
        found: Found<V>,
        best: Option<G::Move>,
        depth: u32,
    ) {
        let Some(best) = best.filter(|_| !self.listener.is_silent()) else {
            return;
        };
        let value = own_share(main.game, &main.state, found.value);
        self.tell((1, value, found.complete), best, depth, main.meter.nodes());
        let Some(mut worker) = self.worker.take() else {
            return;
        };
        // The limits are those of the whole search.
        std::mem::swap(&mut main.meter, &mut worker.meter);
        // What stops this search stops the main one, too.
        let _ = self.search(&mut worker, (best, value), depth);
        std::mem::swap(&mut main.meter, &mut worker.meter);
        self.worker = Some(worker);
    }

    fn search(
        &mut self,
        worker: &mut Worker<'w, G, K, V>,
        (best, mut above): (G::Move, f64),
        depth: u32,
    ) -> Result<(), Stopped> {
        let mut moves = Vec::new();
        let path = &worker.path;
        path.legal_moves(worker.game, &worker.state, &mut moves);
        worker.excluded.clear();
        worker.excluded.push(best);
        for rank in 2..=self.listener.lines().min(moves.len()) {
            let mut best = None;
            let found = worker.root(depth as i32, worker.all, &mut best)?;
            let Some(mv) = best else {
                return Ok(());
            };
            // Unsafe pruning can find more here than in the main search.
            above = own_share(worker.game, &worker.state, found.value).min(above);
            let nodes = worker.meter.nodes();
            self.tell((rank, above, found.complete), mv, depth, nodes);
            worker.excluded.push(mv);
        }
        Ok(())
    }

    fn tell(
        &mut self,
        (rank, value, solved): (usize, f64, bool),
        mv: G::Move,
        depth: u32,
        nodes: u64,
    ) {
        self.listener.tell(&Report {
            rank,
            depth,
            value: Some(value),
            solved,
            plies: None,
            visits: None,
            line: &[mv],
            nodes,
            elapsed: self.listener.elapsed(),
        });
    }
}
