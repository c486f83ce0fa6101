//! Degrees, distances and cycles (Donkers et al. 2004, sections 4.2 to 4.5).

use rayon::prelude::*;

use super::{Class, GameGraph, SparseRows};

/// How many classes have how many edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// How many classes this many edges lead into.
    pub incoming: Vec<u64>,
    /// How many classes this many edges lead out of.
    pub outgoing: Vec<u64>,
    /// How many edges there are.
    pub edges: u64,
}

/// How often each number occurs among those that are known.
pub fn counted(numbers: impl IntoIterator<Item = Option<u32>>) -> Vec<u64> {
    let mut counts = Vec::new();
    for number in numbers.into_iter().flatten() {
        let number = number as usize;
        if counts.len() <= number {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    }
    counts
}

impl GameGraph {
    /// Whether each class can arise in play from the start.
    pub fn reachable(&self) -> Vec<bool> {
        let distances = self.distances(self.start());
        distances.iter().map(Option::is_some).collect()
    }

    /// The degrees of these classes, edges between them alone.
    pub fn degrees(&self, within: &[bool]) -> Degrees {
        let is_within = |class: &Class| within.get(*class as usize) == Some(&true);
        let degrees = |rows: &SparseRows| {
            let degree = |c: Class| rows.row(c).iter().copied().filter(is_within).count() as u32;
            counted(self.all().filter(is_within).map(|c| Some(degree(c))))
        };
        let outgoing = degrees(self.successors());
        Degrees {
            incoming: degrees(self.predecessors()),
            edges: outgoing.iter().zip(0..).map(|(n, degree)| n * degree).sum(),
            outgoing,
        }
    }

    /// The length of the shortest path to each class.
    pub fn distances(&self, from: Class) -> Vec<Option<u32>> {
        let [even, odd] = self.search(from, false);
        debug_assert!(odd.is_empty());
        even
    }

    /// The length of the shortest path to each class with the same side to move as at first, and to
    /// each class with the other side to move: distances in the bipartite graph.
    pub fn bipartite_distances(&self, from: Class) -> [Vec<Option<u32>>; 2] {
        self.search(from, true)
    }

    /// Breadth-first search, with the sides to move told apart or not.
    fn search(&self, from: Class, bipartite: bool) -> [Vec<Option<u32>>; 2] {
        let unknown = vec![None; self.classes()];
        let mut found = match bipartite {
            true => [unknown.clone(), unknown],
            false => [unknown, Vec::new()],
        };
        found[0][from as usize] = Some(0);
        let (mut frontier, mut next) = (vec![from], Vec::new());
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            let side = if bipartite { distance as usize % 2 } else { 0 };
            for &class in &frontier {
                for &successor in self.successors().row(class) {
                    let slot = &mut found[side][successor as usize];
                    if slot.is_none() {
                        *slot = Some(distance);
                        next.push(successor);
                    }
                }
            }
            frontier.clear();
            std::mem::swap(&mut frontier, &mut next);
        }
        found
    }

    /// The length of the smallest directed cycle through each class.
    pub fn smallest_cycles(&self) -> Vec<Option<u32>> {
        let memory = || (Search::new(self.classes()), Search::new(self.classes()));
        let classes = self.all().into_par_iter();
        let cycle = |(ahead, behind): &mut (Search, Search), class| {
            self.smallest_cycle(class, ahead, behind)
        };
        classes.map_init(memory, cycle).collect()
    }

    /// Searches from both ends, one level at a time, so that the first meeting is the nearest.
    fn smallest_cycle(&self, class: Class, ahead: &mut Search, behind: &mut Search) -> Option<u32> {
        ahead.begin(class);
        behind.begin(class);
        // The cycle ends where it begins; what is ahead must come back to it.
        behind.mark(class);
        for length in 1.. {
            let (grown, other, rows) = match length % 2 {
                1 => (&mut *ahead, &*behind, self.successors()),
                _ => (&mut *behind, &*ahead, self.predecessors()),
            };
            if grown.grow(rows, other) {
                return Some(length);
            }
            if grown.frontier.is_empty() {
                return None;
            }
        }
        None
    }
}

/// One end of a search from both ends.
struct Search {
    /// In which search each class was seen last; cheaper than to forget all of them.
    seen: Vec<Class>,
    root: Class,
    frontier: Vec<Class>,
    next: Vec<Class>,
}

impl Search {
    fn new(classes: usize) -> Search {
        Search {
            seen: vec![super::NO_CLASS; classes],
            root: 0,
            frontier: Vec::new(),
            next: Vec::new(),
        }
    }

    fn begin(&mut self, root: Class) {
        self.root = root;
        self.frontier.clear();
        self.frontier.push(root);
    }

    /// Whether a class is seen for the first time.
    #[inline]
    fn mark(&mut self, class: Class) -> bool {
        std::mem::replace(&mut self.seen[class as usize], self.root) != self.root
    }

    /// Goes one level on; whether the other end was met.
    fn grow(&mut self, rows: &SparseRows, other: &Search) -> bool {
        let frontier = std::mem::take(&mut self.frontier);
        let mut neighbours = frontier.iter().flat_map(|&class| rows.row(class));
        let met = neighbours.any(|&neighbour| {
            if self.mark(neighbour) {
                self.next.push(neighbour);
            }
            other.seen[neighbour as usize] == other.root
        });
        self.frontier = std::mem::replace(&mut self.next, frontier);
        self.next.clear();
        met
    }
}
