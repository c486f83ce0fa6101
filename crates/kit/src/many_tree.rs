//! Trees for more than two players, for experiments with search and for the examples of papers.
//!
//! [`ManyTree`] is told by a few numbers: every feature is a hash of the node. [`PrintedMany`] is
//! written down node by node. In both the turn can be handed to anybody.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tabia_game::zobrist::{mix, number};
use tabia_game::{Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Turn};

/// A tree of fixed depth in which the players share out a fixed sum. With `width` nodes a level it
/// is a graph full of transpositions.
#[derive(Clone, Debug)]
pub struct ManyTree {
    /// Another seed, another tree.
    pub seed: u64,
    /// The number of players.
    pub players: u8,
    /// Plies from the root to the leaves.
    pub depth: u32,
    /// Moves of a node.
    pub branching: u64,
    /// Nodes have one to `branching` children and games may end early.
    pub irregular: bool,
    /// Who moves is a matter of the node, not of the level.
    pub erratic: bool,
    /// Nodes a level; 0 for a tree proper.
    pub width: u64,
    /// What the players share out; 0 makes all leaves equal.
    pub total: Payoff,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    ply: u32,
    id: u64,
    mover: u8,
}

impl ManyTree {
    /// The tree in which every node has the same number of children and all leaves are equal, so
    /// that every order of moves is perfect.
    pub fn uniform(players: u8, branching: u64, depth: u32) -> ManyTree {
        ManyTree {
            seed: 0,
            players,
            depth,
            branching,
            irregular: false,
            erratic: false,
            width: 0,
            total: 0,
        }
    }

    fn hash(&self, node: &Node, what: u64) -> u64 {
        number(self.seed ^ what, node.id ^ u64::from(node.ply) << 56)
    }

    /// Parts of the sum by hash, such that all parts together are the sum.
    fn share(&self, node: &Node, player: Player) -> Payoff {
        let mut left = self.total;
        // Whoever comes last has what remains, so nobody is always last.
        let first = self.hash(node, 9) % u64::from(self.players);
        for turn in 0..u64::from(self.players) {
            let who = (first + turn) % u64::from(self.players);
            let part = match turn + 1 == u64::from(self.players) {
                true => left,
                false => (self.hash(node, 10 + who) % (left as u64 + 1)) as Payoff,
            };
            if who == u64::from(player.0) {
                return part;
            }
            left -= part;
        }
        0
    }
}

impl Game for ManyTree {
    type State = Node;
    type Move = u8;
    type Undo = Node;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    fn start(&self) -> Node {
        Node {
            ply: 0,
            id: 0,
            mover: 0,
        }
    }

    fn turn(&self, node: &Node) -> Turn {
        let ends_early = self.irregular && node.ply > 0 && self.hash(node, 1).is_multiple_of(9);
        match node.ply >= self.depth || ends_early {
            true => Turn::Over,
            false => Turn::Player(Player(node.mover)),
        }
    }

    fn moves(&self, node: &Node, out: &mut Vec<u8>) {
        if self.turn(node) == Turn::Over {
            return;
        }
        let children = match self.irregular {
            true => 1 + self.hash(node, 2) % self.branching,
            false => self.branching,
        };
        out.extend((0..children).map(|i| i as u8));
    }

    fn play(&self, node: &mut Node, mv: u8) -> Node {
        let old = *node;
        node.ply += 1;
        let way = old.id.wrapping_mul(31).wrapping_add(u64::from(mv) + 1);
        node.id = mix(way ^ u64::from(old.mover) << 48) >> 8;
        if self.width > 0 {
            node.id %= self.width;
        }
        node.mover = match self.erratic {
            true => (self.hash(node, 4) % u64::from(self.players)) as u8,
            false => (old.mover + 1) % self.players,
        };
        old
    }

    fn undo(&self, node: &mut Node, old: Node) {
        *node = old;
    }

    fn payoff(&self, node: &Node, player: Player) -> Payoff {
        self.share(node, player)
    }

    fn max_payoff(&self) -> Payoff {
        self.total.max(1)
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        Some(self.total)
    }

    fn payoff_range(&self, _: &Node, _: Player) -> (Payoff, Payoff) {
        (0, self.total)
    }
}

impl ManyTree {
    /// Makes it the turn of `player`.
    pub fn hand_turn(&self, node: &mut Node, player: Player) -> Node {
        let old = *node;
        node.mover = player.0;
        old
    }
}

impl Key for ManyTree {
    fn key(&self, node: &Node) -> u64 {
        mix(self.hash(node, 5) ^ u64::from(node.mover))
    }
}

impl MoveIndex for ManyTree {
    fn move_indices(&self) -> usize {
        256
    }

    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Estimates and move classes by hash. The estimates of all players need not add up to anything.
#[derive(Clone, Copy, Debug)]
pub struct HashedMany;

impl Knowledge<ManyTree> for HashedMany {
    fn evaluate(&self, tree: &ManyTree, node: &Node, player: Player) -> i32 {
        let hash = tree.hash(node, 20 + u64::from(player.0));
        (hash % 81) as i32 * 10_000 - 400_000
    }

    fn priority(&self, tree: &ManyTree, node: &Node, mv: u8) -> i32 {
        (tree.hash(node, 100 + u64::from(mv)) % 3) as i32
    }
}

/// A node and all below it.
#[derive(Clone, Debug)]
pub enum Branch {
    /// What it is worth to each player.
    Leaf(Vec<i32>),
    /// It is the turn of a player, counted from zero; each move says whose it is. Moves of the
    /// others can be played where the turn is handed over.
    Turn(u8, Vec<(u8, Branch)>),
}

impl Branch {
    /// A node whose moves are all of the player whose turn it is.
    pub fn of(player: u8, below: Vec<Branch>) -> Branch {
        Branch::Turn(player, below.into_iter().map(|b| (player, b)).collect())
    }

    /// A leaf.
    pub fn leaf<const N: usize>(values: [i32; N]) -> Branch {
        Branch::Leaf(values.to_vec())
    }
}

#[derive(Debug)]
enum Kind {
    Leaf(Vec<i32>),
    Turn(u8, Vec<(u8, usize)>),
}

/// A printed tree as a game. It remembers which leaves were looked at, numbered from left to right.
#[derive(Debug)]
pub struct PrintedMany {
    nodes: Vec<Kind>,
    leaves: Vec<usize>,
    players: usize,
    largest: i32,
    total: Option<i32>,
    seen: Mutex<BTreeSet<usize>>,
}

/// A place in the tree, and whose turn it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    node: usize,
    mover: u8,
}

impl PrintedMany {
    /// The game of a tree whose values are from 0 to `largest` and at most `total` together.
    pub fn new(tree: &Branch, players: usize, largest: i32, total: Option<i32>) -> PrintedMany {
        let mut game = PrintedMany {
            nodes: Vec::new(),
            leaves: Vec::new(),
            players,
            largest,
            total,
            seen: Mutex::default(),
        };
        game.lay_out(tree);
        game
    }

    fn lay_out(&mut self, tree: &Branch) -> usize {
        let node = self.nodes.len();
        match tree {
            Branch::Leaf(values) => {
                self.leaves.push(node);
                self.nodes.push(Kind::Leaf(values.clone()));
            }
            Branch::Turn(player, below) => {
                self.nodes.push(Kind::Turn(*player, Vec::new()));
                let below = below
                    .iter()
                    .map(|(of, branch)| (*of, self.lay_out(branch)))
                    .collect();
                self.nodes[node] = Kind::Turn(*player, below);
            }
        }
        node
    }

    /// The leaves that were looked at since the last time, from left to right.
    pub fn seen(&self) -> Vec<usize> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *seen).into_iter().collect()
    }

    fn place(&self, node: usize) -> Place {
        let mover = match self.nodes[node] {
            Kind::Leaf(_) => 0,
            Kind::Turn(player, _) => player,
        };
        Place { node, mover }
    }
}

impl Game for PrintedMany {
    type State = Place;
    type Move = u8;
    type Undo = Place;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Place {
        self.place(0)
    }

    fn turn(&self, place: &Place) -> Turn {
        match &self.nodes[place.node] {
            Kind::Leaf(_) => Turn::Over,
            Kind::Turn(..) => Turn::Player(Player(place.mover)),
        }
    }

    fn moves(&self, place: &Place, out: &mut Vec<u8>) {
        if let Kind::Turn(_, below) = &self.nodes[place.node] {
            let own = (0u8..).zip(below).filter(|(_, (of, _))| *of == place.mover);
            out.extend(own.map(|(i, _)| i));
        }
    }

    fn play(&self, place: &mut Place, mv: u8) -> Place {
        let old = *place;
        if let Kind::Turn(_, below) = &self.nodes[place.node] {
            *place = self.place(below[usize::from(mv)].1);
        }
        old
    }

    fn undo(&self, place: &mut Place, old: Place) {
        *place = old;
    }

    fn payoff(&self, place: &Place, player: Player) -> Payoff {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(self.leaves.iter().position(|&leaf| leaf == place.node));
        match &self.nodes[place.node] {
            Kind::Leaf(values) => values[player.index()],
            Kind::Turn(..) => 0,
        }
    }

    fn max_payoff(&self) -> Payoff {
        self.largest
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }

    fn payoff_range(&self, _: &Place, _: Player) -> (Payoff, Payoff) {
        (0, self.largest)
    }

    fn payoff_total(&self, _: &Place) -> Option<Payoff> {
        self.total
    }
}

impl PrintedMany {
    /// Makes it the turn of `player`.
    pub fn hand_turn(&self, place: &mut Place, player: Player) -> Place {
        let old = *place;
        place.mover = player.0;
        old
    }
}

impl Key for PrintedMany {
    fn key(&self, place: &Place) -> u64 {
        mix((place.node as u64) << 8 | u64::from(place.mover))
    }
}

impl MoveIndex for PrintedMany {
    fn move_indices(&self) -> usize {
        256
    }

    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

#[cfg(all(test, feature = "conformance"))]
mod tests {
    use super::*;
    use crate::Kit;

    #[test]
    fn trees_keep_the_contract() {
        for (players, irregular, erratic, width) in [
            (3, false, false, 0),
            (4, true, false, 0),
            (6, true, true, 30),
        ] {
            let tree = ManyTree {
                seed: 7,
                players,
                depth: 6,
                branching: 4,
                irregular,
                erratic,
                width,
                total: 12,
            };
            let kit = Kit::new().key().move_index().any_turn(ManyTree::hand_turn);
            kit.run(&tree).unwrap();
        }
    }
}
