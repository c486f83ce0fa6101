//! The search of Donkers et al. (2004, section 7.1) on the explicit graph of Dao, which counts
//! everything that tables 5 and 6 tell.
//!
//! Alpha-beta of a fixed depth with iterative deepening and one transposition table with an entry
//! in each place. The best move of the table comes first, and all others follow in the order of
//! generation from the reference position. Leaves are stored, too. Without a table there is no
//! deepening.
//!
//! What the paper leaves open is decided so: values are fail-soft; the evaluation is that of the
//! board as it lies there, White's configurations less Black's, 200 for whoever has won, and a
//! number between -50 and 50 from the seed; an entry makes way for one that was searched as deeply
//! or more so.

use rand::{Rng, RngExt};
use tabia_game::{Player, Seed};
use tabia_registry::graph::{Class, GameGraph, Visits};
use tabia_small::dao::{Dao, ThreeOfFour};

/// Units of the evaluation are thousandths of the paper's, so that hardly two are equal.
const UNIT: i32 = 1_000;
const CONFIGURATION: i32 = 100 * UNIT;
const WIN: i32 = 200 * UNIT;
const NOISE: i32 = 50 * UNIT;
const INFINITE: i32 = i32::MAX;

/// What a search needs to know beyond the graph.
pub struct Heuristics {
    /// The value of each board for White.
    values: Vec<i32>,
    hashes: Vec<u64>,
    second_to_move: u64,
}

/// White's configurations less Black's on the board of each class, its first player being White.
pub fn configurations(graph: &GameGraph) -> Vec<i32> {
    let difference = |class| {
        let state = graph.reference(&Dao, class)?;
        let [own, other] = [Player::FIRST, Player::SECOND].map(|p| ThreeOfFour.count(&state, p));
        Some(own as i32 - other as i32)
    };
    let differences = graph.all().map(|class| difference(class).unwrap_or(0));
    differences.collect()
}

impl Heuristics {
    /// Draws the random part of the evaluation and the hash codes.
    pub fn new(configurations: &[i32], seed: Seed) -> Heuristics {
        let mut noise = seed.split("evaluation").rng();
        let mut codes = seed.split("hash").rng();
        let value = |&count| CONFIGURATION * count + noise.random_range(-NOISE..=NOISE);
        Heuristics {
            values: configurations.iter().map(value).collect(),
            hashes: configurations.iter().map(|_| codes.next_u64()).collect(),
            second_to_move: codes.next_u64(),
        }
    }
}

/// What the look-ups in a table came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Look-ups that found the position.
    pub found: u64,
    /// Those that narrowed the window.
    pub changed: u64,
    /// Those that made the search unnecessary.
    pub cut: u64,
    /// Those without effect on the window.
    pub nothing: u64,
    /// Places in use at the end.
    pub filled: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Empty,
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: i32,
    /// The best move, by its place in the list.
    best: u16,
    depth: u8,
    bound: Bound,
}

const EMPTY: Entry = Entry {
    key: 0,
    value: 0,
    best: 0,
    depth: 0,
    bound: Bound::Empty,
};

/// A search in progress.
struct Search<'a> {
    graph: &'a GameGraph,
    heuristics: &'a Heuristics,
    /// Empty where there is no table.
    table: Vec<Entry>,
    visits: Visits,
    usage: Usage,
}

/// What a search came to.
pub struct Searched {
    /// What it visited and evaluated.
    pub visits: Visits,
    /// What the table was good for.
    pub usage: Usage,
}

/// Searches the start to a depth with a table of 2 to this many bits entries, or none.
pub fn search(
    graph: &GameGraph,
    heuristics: &Heuristics,
    depth: u8,
    bits: Option<u32>,
) -> Searched {
    let mut search = Search::new(graph, heuristics, bits);
    search.deepen(depth);
    let filled = search.table.iter().filter(|e| e.bound != Bound::Empty);
    search.usage.filled = filled.count() as u64;
    Searched {
        visits: search.visits,
        usage: search.usage,
    }
}

impl<'a> Search<'a> {
    fn new(graph: &'a GameGraph, heuristics: &'a Heuristics, bits: Option<u32>) -> Search<'a> {
        Search {
            graph,
            heuristics,
            table: bits.map_or_else(Vec::new, |bits| vec![EMPTY; 1 << bits]),
            visits: Visits::new(graph),
            usage: Usage::default(),
        }
    }

    /// The value of the start for White, searched to all depths up to this one if there is a table.
    fn deepen(&mut self, depth: u8) -> i32 {
        let first = if self.table.is_empty() { depth } else { 1 };
        let mut value = 0;
        for depth in first..=depth {
            value = self.value(self.graph.start(), 0, depth, -INFINITE, INFINITE);
        }
        value
    }

    /// The value of a class for the player to move, this many plies below the start.
    fn value(&mut self, class: Class, ply: u32, depth: u8, mut alpha: i32, mut beta: i32) -> i32 {
        if ply > 0 {
            self.visits.visit(self.graph, class, ply, 1);
        }
        let key = self.key(class, ply);
        let mut first = None;
        if let Some(entry) = self.find(key) {
            self.usage.found += 1;
            first = Some(usize::from(entry.best));
            let before = (alpha, beta);
            if entry.depth >= depth {
                match entry.bound {
                    Bound::Exact => (alpha, beta) = (entry.value, entry.value),
                    Bound::AtLeast => alpha = alpha.max(entry.value),
                    Bound::AtMost => beta = beta.min(entry.value),
                    Bound::Empty => {}
                }
            }
            if alpha >= beta {
                self.usage.cut += 1;
                return entry.value;
            } else if (alpha, beta) != before {
                self.usage.changed += 1;
            } else {
                self.usage.nothing += 1;
            }
        }
        let moves = self.graph.moves().row(class);
        if depth == 0 || moves.is_empty() {
            let value = self.evaluate(class, ply);
            self.store(key, value, 0, depth, Bound::Exact);
            return value;
        }
        let floor = alpha;
        let (mut best, mut value) = (0, -INFINITE);
        let others = (0..moves.len()).filter(|&i| Some(i) != first);
        for i in first.filter(|&i| i < moves.len()).into_iter().chain(others) {
            let below = -self.value(moves[i], ply + 1, depth - 1, -beta, -alpha);
            if below > value {
                (best, value) = (i, below);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        let bound = match value {
            value if value >= beta => Bound::AtLeast,
            value if value <= floor => Bound::AtMost,
            _ => Bound::Exact,
        };
        self.store(key, value, best, depth, bound);
        value
    }

    fn key(&self, class: Class, ply: u32) -> u64 {
        let side = u64::from(ply % 2) * self.heuristics.second_to_move;
        self.heuristics.hashes[self.board(class, ply)] ^ side
    }

    /// The class of the board as it lies there, colours not exchanged.
    fn board(&self, class: Class, ply: u32) -> usize {
        match ply % 2 {
            0 => class as usize,
            _ => self.graph.exchanged(class) as usize,
        }
    }

    fn evaluate(&mut self, class: Class, ply: u32) -> i32 {
        self.visits.evaluate(self.graph, class, ply, 1);
        let white = self.heuristics.values[self.board(class, ply)];
        let own = if ply.is_multiple_of(2) { white } else { -white };
        own + self
            .graph
            .outcome(class)
            .map_or(0, |wdl| WIN * wdl.payoff())
    }

    fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.table.get(self.place(key))?;
        (entry.bound != Bound::Empty && entry.key == key).then_some(*entry)
    }

    fn place(&self, key: u64) -> usize {
        key as usize & self.table.len().wrapping_sub(1)
    }

    fn store(&mut self, key: u64, value: i32, best: usize, depth: u8, bound: Bound) {
        let place = self.place(key);
        if let Some(entry) = self.table.get_mut(place)
            && (entry.bound == Bound::Empty || depth >= entry.depth)
        {
            *entry = Entry {
                key,
                value,
                best: best as u16,
                depth,
                bound,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain minimax.
    fn minimax(search: &mut Search<'_>, class: Class, ply: u32, depth: u32) -> i32 {
        let moves = search.graph.moves().row(class);
        if ply == depth || moves.is_empty() {
            return search.evaluate(class, ply);
        }
        let below = moves
            .iter()
            .map(|&next| -minimax(search, next, ply + 1, depth));
        below.max().unwrap()
    }

    /// The value is that of minimax, with and without a table. With a table from depth 4 on it need
    /// not be: the start can then occur again, and the table knows it from a deeper search.
    #[test]
    fn values_are_those_of_minimax() {
        let graph = super::super::laid_out("dao").unwrap().graph;
        let configurations = configurations(&graph);
        for seed in 0..3 {
            let heuristics = Heuristics::new(&configurations, Seed::new(seed));
            for depth in 1..=4u8 {
                let mut plain = Search::new(&graph, &heuristics, None);
                let expected = minimax(&mut plain, graph.start(), 0, depth.into());
                let tables: &[Option<u32>] = match depth {
                    4 => &[None],
                    _ => &[None, Some(1), Some(10), Some(20)],
                };
                for &bits in tables {
                    let mut searched = Search::new(&graph, &heuristics, bits);
                    assert_eq!(searched.deepen(depth), expected, "depth {depth}, {bits:?}");
                    let usage = searched.usage;
                    assert_eq!(usage.found, usage.changed + usage.cut + usage.nothing);
                    let evaluated = searched.visits.evaluated();
                    assert!(evaluated.visits <= searched.visits.all().visits);
                }
            }
        }
    }
}
