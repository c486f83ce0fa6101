//! Synthetic game trees for experiments with search: every feature is a hash of the node, so any
//! tree can be told by a few numbers and nothing is stored.

use tabia_game::zobrist::{mix, number};
use tabia_game::{
    Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Turn, TwoPlayer,
};

/// A tree of fixed depth. With `width` nodes a level it is a graph full of transpositions.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Another seed, another tree.
    pub seed: u64,
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
    /// Payoffs lie between minus and plus this; 0 makes all leaves equal.
    pub range: Payoff,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    ply: u32,
    id: u64,
}

impl Tree {
    /// The tree in which every node has the same number of children and all leaves are equal, so
    /// that every order of moves is perfect.
    pub fn uniform(branching: u64, depth: u32) -> Tree {
        Tree {
            seed: 0,
            depth,
            branching,
            irregular: false,
            erratic: false,
            width: 0,
            range: 0,
        }
    }

    fn hash(&self, node: &Node, what: u64) -> u64 {
        number(self.seed ^ what, node.id ^ u64::from(node.ply) << 56)
    }

    fn ends_early(&self, node: &Node) -> bool {
        self.irregular && node.ply > 0 && self.hash(node, 1).is_multiple_of(9)
    }

    fn children(&self, node: &Node) -> u64 {
        match self.irregular {
            true => 1 + self.hash(node, 2) % self.branching,
            false => self.branching,
        }
    }

    fn number_between(&self, node: &Node, range: i32) -> i32 {
        (self.hash(node, 3) % (2 * range as u64 + 1)) as i32 - range
    }
}

impl Game for Tree {
    type State = Node;
    type Move = u8;
    type Undo = Node;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> Node {
        Node { ply: 0, id: 0 }
    }
    fn turn(&self, node: &Node) -> Turn {
        if node.ply >= self.depth || self.ends_early(node) {
            Turn::Over
        } else if self.erratic {
            Turn::Player(Player((self.hash(node, 4) & 1) as u8))
        } else {
            Turn::Player(Player((node.ply % 2) as u8))
        }
    }
    fn moves(&self, node: &Node, out: &mut Vec<u8>) {
        if self.turn(node) != Turn::Over {
            out.extend((0..self.children(node)).map(|i| i as u8));
        }
    }
    fn play(&self, node: &mut Node, mv: u8) -> Node {
        let old = *node;
        node.ply += 1;
        node.id = mix(old.id.wrapping_mul(31).wrapping_add(u64::from(mv) + 1)) >> 8;
        if self.width > 0 {
            node.id %= self.width;
        }
        old
    }
    fn undo(&self, node: &mut Node, old: Node) {
        *node = old;
    }
    fn payoff(&self, node: &Node, player: Player) -> Payoff {
        let value = if self.range == 0 {
            0
        } else {
            self.number_between(node, self.range)
        };
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }
    fn max_payoff(&self) -> Payoff {
        self.range.max(1)
    }
}

impl TwoPlayer for Tree {}

impl Key for Tree {
    fn key(&self, node: &Node) -> u64 {
        self.hash(node, 5)
    }
}

impl MoveIndex for Tree {
    fn move_indices(&self) -> usize {
        256
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Estimates, move classes and tactical moves, all by hash.
#[derive(Clone, Copy, Debug)]
pub struct Hashed;

impl Knowledge<Tree> for Hashed {
    fn evaluate(&self, tree: &Tree, node: &Node, player: Player) -> i32 {
        let estimate = tree.number_between(node, 40) * 10_000;
        if player == Player::FIRST {
            estimate
        } else {
            -estimate
        }
    }
    fn priority(&self, tree: &Tree, node: &Node, mv: u8) -> i32 {
        (tree.hash(node, 100 + u64::from(mv)) % 3) as i32
    }
    fn is_tactical(&self, tree: &Tree, node: &Node, mv: u8) -> bool {
        tree.hash(node, 200 + u64::from(mv)).is_multiple_of(3)
    }
}
