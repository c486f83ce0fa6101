//! Trees written down node by node, as papers print them.
//!
//! Hauk, Buro and Schaeffer (2004) and Schadd (2011, chapter 5) explain their algorithms on small
//! trees. As games these can be searched by the very code that plays, and tell which leaves were
//! looked at.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

use rand::{Rng, RngExt};
use tabia_game::{
    Chance, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Stochastic, Turn, TwoPlayer,
    outcome_at,
};

/// A node and all below it.
#[derive(Clone, Debug)]
pub enum PrintedTree {
    /// What it is worth to the first player.
    Leaf(i32),
    /// The first player chooses.
    Max(Vec<PrintedTree>),
    /// The second player chooses.
    Min(Vec<PrintedTree>),
    /// Outcomes with their weights.
    Chance(Vec<(u64, PrintedTree)>),
}

impl PrintedTree {
    /// A regular tree of move and chance levels whose leaves are hashes of their numbers: the root
    /// is 1, child k of n is 8n + k + 1, and a leaf n is worth splitmix64(n) mod 21 - 10 to the
    /// player who is about to move.
    pub fn hashed(branching: u64, outcomes: u64, depth: u32) -> PrintedTree {
        PrintedTree::hashed_below(1, 0, depth, [branching, outcomes])
    }

    fn hashed_below(id: u64, level: u32, depth: u32, sizes: [u64; 2]) -> PrintedTree {
        let child = |k: u64| {
            let id = id.wrapping_mul(8).wrapping_add(k + 1);
            PrintedTree::hashed_below(id, level + 1, depth, sizes)
        };
        // Levels are move, chance, move, chance, ...; the first player moves at levels 0, 4, ...
        let first = level.div_ceil(2).is_multiple_of(2);
        if level == depth {
            let value = (splitmix64(id) % 21) as i32 - 10;
            return PrintedTree::Leaf(if first { value } else { -value });
        }
        if level % 2 == 1 {
            PrintedTree::Chance((0..sizes[1]).map(|k| (1, child(k))).collect())
        } else if first {
            PrintedTree::Max((0..sizes[0]).map(child).collect())
        } else {
            PrintedTree::Min((0..sizes[0]).map(child).collect())
        }
    }
}

fn splitmix64(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[derive(Debug)]
enum Kind {
    Leaf(i32),
    Choice(Player, Vec<usize>),
    Chance(Vec<(usize, u64)>),
}

/// A printed tree as a game. It remembers which leaves were looked at, numbered from left to right.
#[derive(Debug)]
pub struct Printed {
    nodes: Vec<Kind>,
    leaves: Vec<usize>,
    seen: Mutex<BTreeSet<usize>>,
    looks: Mutex<usize>,
    largest: i32,
}

impl Printed {
    /// Values lie between minus and plus `largest`.
    pub fn new(root: &PrintedTree, largest: i32) -> Printed {
        let mut printed = Printed {
            nodes: vec![Kind::Leaf(0)],
            leaves: Vec::new(),
            seen: Mutex::default(),
            looks: Mutex::default(),
            largest,
        };
        printed.fill(0, root);
        printed
    }

    fn fill(&mut self, at: usize, tree: &PrintedTree) {
        let first = self.nodes.len();
        let below: Vec<&PrintedTree> = match tree {
            PrintedTree::Leaf(_) => Vec::new(),
            PrintedTree::Max(children) | PrintedTree::Min(children) => children.iter().collect(),
            PrintedTree::Chance(outcomes) => outcomes.iter().map(|(_, tree)| tree).collect(),
        };
        self.nodes.extend(below.iter().map(|_| Kind::Leaf(0)));
        let numbers: Vec<usize> = (first..first + below.len()).collect();
        for (&number, tree) in numbers.iter().zip(&below) {
            self.fill(number, tree);
        }
        self.nodes[at] = match tree {
            PrintedTree::Leaf(value) => {
                self.leaves.push(at);
                Kind::Leaf(*value)
            }
            PrintedTree::Max(_) => Kind::Choice(Player::FIRST, numbers),
            PrintedTree::Min(_) => Kind::Choice(Player::SECOND, numbers),
            PrintedTree::Chance(outcomes) => {
                let weights = outcomes.iter().map(|(weight, _)| *weight);
                Kind::Chance(numbers.into_iter().zip(weights).collect())
            }
        };
    }

    /// The leaves looked at so far, from left to right, and how often leaves were looked at in all.
    pub fn seen(&self) -> (Vec<usize>, usize) {
        let seen = open(&self.seen);
        let place = |node: &usize| self.leaves.iter().position(|leaf| leaf == node);
        (seen.iter().filter_map(place).collect(), *open(&self.looks))
    }
}

/// Counting goes on even if a search has panicked.
fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Game for Printed {
    type State = usize;
    type Move = u8;
    type Undo = usize;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, node: &usize) -> Turn {
        match &self.nodes[*node] {
            Kind::Leaf(_) => Turn::Over,
            Kind::Choice(player, _) => Turn::Player(*player),
            Kind::Chance(_) => Turn::Chance,
        }
    }
    fn moves(&self, node: &usize, out: &mut Vec<u8>) {
        let count = match &self.nodes[*node] {
            Kind::Leaf(_) => 0,
            Kind::Choice(_, children) => children.len(),
            Kind::Chance(outcomes) => outcomes.len(),
        };
        out.extend(0..count as u8);
    }
    fn play(&self, node: &mut usize, mv: u8) -> usize {
        let old = *node;
        *node = match &self.nodes[old] {
            Kind::Leaf(_) => old,
            Kind::Choice(_, children) => children[usize::from(mv)],
            Kind::Chance(outcomes) => outcomes[usize::from(mv)].0,
        };
        old
    }
    fn undo(&self, node: &mut usize, old: usize) {
        *node = old;
    }
    fn payoff(&self, node: &usize, player: Player) -> Payoff {
        let Kind::Leaf(value) = self.nodes[*node] else {
            return 0;
        };
        open(&self.seen).insert(*node);
        *open(&self.looks) += 1;
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }
    fn max_payoff(&self) -> Payoff {
        self.largest
    }
}

impl TwoPlayer for Printed {}

impl Chance for Printed {
    fn outcomes(&self, node: &usize, out: &mut Vec<(u8, u64)>) {
        if let Kind::Chance(outcomes) = &self.nodes[*node] {
            out.extend(
                outcomes
                    .iter()
                    .zip(0..)
                    .map(|(&(_, weight), i)| (i, weight)),
            );
        }
    }
    fn sample_outcome<R: Rng + ?Sized>(&self, node: &usize, rng: &mut R) -> u8 {
        let mut outcomes = Vec::new();
        self.outcomes(node, &mut outcomes);
        let sum: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        outcome_at(&outcomes, rng.random_range(0..sum.max(1))).unwrap_or(0)
    }
}

impl Key for Printed {
    fn key(&self, node: &usize) -> u64 {
        tabia_game::zobrist::mix(*node as u64)
    }
}

impl MoveIndex for Printed {
    fn move_indices(&self) -> usize {
        256
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Nothing is known of inner nodes.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Knowledge<Printed> for Nothing {
    fn evaluate(&self, _: &Printed, _: &usize, _: Player) -> i32 {
        0
    }
}
