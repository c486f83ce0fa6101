//! Which classes a search visits, and how often (Donkers et al. 2004, section 7, table 4).
//!
//! Visits are counted as the paper does: by the class of the board as it lies there, colours not
//! exchanged, with the side to move told apart or not. The root is no visit.

use super::{Class, GameGraph};

/// What a search from the start has visited.
#[derive(Clone, Debug)]
pub struct Visits {
    /// How often each class was visited, by the side to move.
    sides: [Vec<u64>; 2],
    evaluations: Vec<u64>,
}

/// How many classes were met, and how often together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Classes.
    pub classes: u64,
    /// Visits.
    pub visits: u64,
}

impl Tally {
    /// Visits of a class on average.
    pub fn average(self) -> f64 {
        self.visits as f64 / self.classes.max(1) as f64
    }
}

fn tally(counts: impl Iterator<Item = u64>) -> Tally {
    counts
        .filter(|&count| count > 0)
        .fold(Tally::default(), |sum, count| Tally {
            classes: sum.classes + 1,
            visits: sum.visits.saturating_add(count),
        })
}

impl Visits {
    /// Nothing visited yet.
    pub fn new(graph: &GameGraph) -> Visits {
        let none = vec![0; graph.classes()];
        Visits {
            sides: [none.clone(), none.clone()],
            evaluations: none,
        }
    }

    /// Counts visits of a class, seen by the player to move, this many plies below the start.
    #[inline]
    pub fn visit(&mut self, graph: &GameGraph, class: Class, ply: u32, times: u64) {
        let count = &mut self.sides[ply as usize % 2][board(graph, class, ply)];
        *count = count.saturating_add(times);
    }

    /// Counts evaluations in the same way.
    #[inline]
    pub fn evaluate(&mut self, graph: &GameGraph, class: Class, ply: u32, times: u64) {
        let count = &mut self.evaluations[board(graph, class, ply)];
        *count = count.saturating_add(times);
    }

    /// All visits.
    pub fn all(&self) -> Tally {
        let [first, second] = &self.sides;
        tally(first.iter().zip(second).map(|(a, b)| a.saturating_add(*b)))
    }

    /// Visits with the first player to move.
    pub fn first(&self) -> Tally {
        tally(self.sides[0].iter().copied())
    }

    /// Visits with the second player to move.
    pub fn second(&self) -> Tally {
        tally(self.sides[1].iter().copied())
    }

    /// Evaluations.
    pub fn evaluated(&self) -> Tally {
        tally(self.evaluations.iter().copied())
    }
}

/// The class of the board as it lies there.
#[inline]
fn board(graph: &GameGraph, class: Class, ply: u32) -> usize {
    match ply % 2 {
        0 => class as usize,
        _ => graph.exchanged(class) as usize,
    }
}

impl GameGraph {
    /// What minimax search of this depth visits. Counted ply by ply rather than searched, since a
    /// search without memory visits every class once for each line of play that leads to it.
    pub fn minimax_visits(&self, depth: u32) -> Visits {
        let mut visits = Visits::new(self);
        let mut lines = vec![0u64; self.classes()];
        lines[self.start() as usize] = 1;
        for ply in 1..=depth {
            let mut longer = vec![0u64; self.classes()];
            for class in self.all() {
                let times = lines[class as usize];
                if times > 0 {
                    for &next in self.moves().row(class) {
                        let count = &mut longer[next as usize];
                        *count = count.saturating_add(times);
                    }
                }
            }
            for class in self.all() {
                let times = longer[class as usize];
                if times > 0 {
                    visits.visit(self, class, ply, times);
                    if ply == depth || self.moves().row(class).is_empty() {
                        visits.evaluate(self, class, ply, times);
                    }
                }
            }
            lines = longer;
        }
        visits
    }
}
