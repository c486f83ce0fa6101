//! Exact instrumentation of a search.

use crate::Counter;

/// What a node is expected to be (Knuth and Moore 1975; Schadd 2011, section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeType {
    /// On the principal variation: all children are searched.
    Pv,
    /// Some child should refute it.
    Cut,
    /// All children fail.
    All,
}

impl NodeType {
    /// What the child reached by the `number`-th move is expected to be.
    #[inline]
    pub fn child(self, number: usize) -> NodeType {
        match self {
            NodeType::Pv if number == 0 => NodeType::Pv,
            NodeType::Cut => NodeType::All,
            NodeType::Pv | NodeType::All => NodeType::Cut,
        }
    }
}

/// Cutoffs are told apart by the number of the move up to this one; later moves share the last.
pub const CUTOFF_ROW: usize = 16;

/// Everything that is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls of the search, quiescence not included.
    pub calls: u64,
    /// Calls of the quiescence search.
    pub quiescence: u64,
    /// Calls that returned without a look at moves: finished games, and the horizon.
    pub leaves: u64,
    /// Plies from the root to the deepest call.
    pub deepest: usize,
    /// Estimates asked for.
    pub evaluations: u64,
    /// Draws by repetition.
    pub repetitions: u64,
    /// Interior nodes by expected type: PV, CUT, ALL.
    pub types: [u64; 3],
    /// Cutoffs by the number of the move that caused them.
    pub cutoffs: [u64; CUTOFF_ROW],
    /// Look-ups in the transposition table.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Nodes settled by the table.
    pub table_cutoffs: u64,
    /// Nodes settled by the table's entry of a child.
    pub etc_cutoffs: u64,
    /// Nodes settled by a null move.
    pub null_cutoffs: u64,
    /// Nodes settled by multi-cut.
    pub multi_cutoffs: u64,
    /// Moves searched with reduced depth.
    pub reductions: u64,
    /// Null-window searches repeated with an open window.
    pub researches: u64,
    /// Moves put off because another thread was searching them.
    pub deferred: u64,
}

impl Stats {
    /// Adds another thread's counts.
    pub fn add(&mut self, other: &Stats) {
        let Stats {
            calls,
            quiescence,
            leaves,
            deepest,
            evaluations,
            repetitions,
            types,
            cutoffs,
            probes,
            hits,
            table_cutoffs,
            etc_cutoffs,
            null_cutoffs,
            multi_cutoffs,
            reductions,
            researches,
            deferred,
        } = other;
        self.calls += calls;
        self.quiescence += quiescence;
        self.leaves += leaves;
        self.deepest = self.deepest.max(*deepest);
        self.evaluations += evaluations;
        self.repetitions += repetitions;
        self.types.iter_mut().zip(types).for_each(|(a, b)| *a += b);
        self.cutoffs
            .iter_mut()
            .zip(cutoffs)
            .for_each(|(a, b)| *a += b);
        self.probes += probes;
        self.hits += hits;
        self.table_cutoffs += table_cutoffs;
        self.etc_cutoffs += etc_cutoffs;
        self.null_cutoffs += null_cutoffs;
        self.multi_cutoffs += multi_cutoffs;
        self.reductions += reductions;
        self.researches += researches;
        self.deferred += deferred;
    }

    /// The counts by name.
    pub fn counters(&self) -> Vec<(&'static str, Counter)> {
        let [pv, cut, all] = self.types;
        vec![
            ("calls", Counter::One(self.calls)),
            ("quiescence", Counter::One(self.quiescence)),
            ("leaves", Counter::One(self.leaves)),
            ("deepest", Counter::One(self.deepest as u64)),
            ("evaluations", Counter::One(self.evaluations)),
            ("repetitions", Counter::One(self.repetitions)),
            ("pv_nodes", Counter::One(pv)),
            ("cut_nodes", Counter::One(cut)),
            ("all_nodes", Counter::One(all)),
            ("cutoffs", Counter::One(self.cutoffs.iter().sum())),
            ("cutoffs_by_move", Counter::Row(self.cutoffs.to_vec())),
            ("table_probes", Counter::One(self.probes)),
            ("table_hits", Counter::One(self.hits)),
            ("table_cutoffs", Counter::One(self.table_cutoffs)),
            ("etc_cutoffs", Counter::One(self.etc_cutoffs)),
            ("null_cutoffs", Counter::One(self.null_cutoffs)),
            ("multi_cutoffs", Counter::One(self.multi_cutoffs)),
            ("reductions", Counter::One(self.reductions)),
            ("researches", Counter::One(self.researches)),
            ("deferred", Counter::One(self.deferred)),
        ]
    }
}
