//! Synthetic trees with chance nodes: every feature is a hash of the node, so any tree can be told
//! by a few numbers and nothing is stored.

use rand::{Rng, RngExt};
use tabia_game::zobrist::{mix, number};
use tabia_game::{
    CERTAIN, Chance, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Stochastic, Turn,
    TwoPlayer, outcome_at,
};

/// A tree of move and chance nodes.
#[derive(Clone, Debug)]
pub struct ChanceTree {
    /// Another seed, another tree.
    pub seed: u64,
    /// Levels from the root to the leaves, chance levels included.
    pub depth: u32,
    /// Moves of a move node, and outcomes of a chance node.
    pub branching: [u64; 2],
    /// Outcomes weigh from one to this.
    pub weights: u64,
    /// Nodes have fewer children now and then, games end early, chance nodes come anywhere, and who
    /// moves is a matter of the node. Otherwise moves of both players and chance events take turns.
    pub irregular: bool,
    /// Nodes a level; 0 for a tree proper.
    pub width: u64,
    /// Payoffs lie between minus and plus this.
    pub range: Payoff,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    ply: u32,
    id: u64,
}

impl ChanceTree {
    /// The regular tree with uniform outcomes and payoffs between -10 and 10.
    pub fn regular(seed: u64, branching: u64, outcomes: u64, depth: u32) -> ChanceTree {
        ChanceTree {
            seed,
            depth,
            branching: [branching, outcomes],
            weights: 1,
            irregular: false,
            width: 0,
            range: 10,
        }
    }

    fn hash(&self, node: &Node, what: u64) -> u64 {
        number(self.seed ^ what, node.id ^ u64::from(node.ply) << 56)
    }

    fn children(&self, node: &Node, most: u64) -> u64 {
        match self.irregular {
            true => 1 + self.hash(node, 2) % most,
            false => most,
        }
    }

    fn number_between(&self, node: &Node, range: i32) -> i32 {
        (self.hash(node, 3) % (2 * u64::from(range.unsigned_abs()) + 1)) as i32 - range
    }
}

impl Game for ChanceTree {
    type State = Node;
    type Move = u8;
    type Undo = Node;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> Node {
        Node { ply: 0, id: 0 }
    }
    fn turn(&self, node: &Node) -> Turn {
        let early = self.irregular && node.ply > 0 && self.hash(node, 1).is_multiple_of(9);
        if node.ply >= self.depth || early {
            return Turn::Over;
        }
        if self.irregular {
            match self.hash(node, 4) % 5 {
                0 | 1 => Turn::Chance,
                2 | 3 => Turn::Player(Player((node.ply / 2 % 2) as u8)),
                _ => Turn::Player(Player((self.hash(node, 6) & 1) as u8)),
            }
        } else {
            match node.ply % 4 {
                0 => Turn::Player(Player::FIRST),
                2 => Turn::Player(Player::SECOND),
                _ => Turn::Chance,
            }
        }
    }
    fn moves(&self, node: &Node, out: &mut Vec<u8>) {
        let most = match self.turn(node) {
            Turn::Over => return,
            Turn::Player(_) => self.branching[0],
            Turn::Chance => self.branching[1],
        };
        out.extend((0..self.children(node, most)).map(|i| i as u8));
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
        let value = self.number_between(node, self.range);
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

impl TwoPlayer for ChanceTree {}

impl Chance for ChanceTree {
    fn outcomes(&self, node: &Node, out: &mut Vec<(u8, u64)>) {
        let count = self.children(node, self.branching[1]);
        let weight = |i: u64| 1 + self.hash(node, 10 + i) % self.weights.max(1);
        out.extend((0..count).map(|i| (i as u8, weight(i))));
    }
    fn sample_outcome<R: Rng + ?Sized>(&self, node: &Node, rng: &mut R) -> u8 {
        let mut outcomes = Vec::new();
        self.outcomes(node, &mut outcomes);
        let sum: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        outcome_at(&outcomes, rng.random_range(0..sum.max(1))).unwrap_or(0)
    }
}

impl Key for ChanceTree {
    fn key(&self, node: &Node) -> u64 {
        self.hash(node, 5)
    }
}

impl MoveIndex for ChanceTree {
    fn move_indices(&self) -> usize {
        256
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Estimates and classes of moves, all by hash.
#[derive(Clone, Copy, Debug)]
pub struct Hashed;

impl Knowledge<ChanceTree> for Hashed {
    fn evaluate(&self, tree: &ChanceTree, node: &Node, player: Player) -> i32 {
        let estimate = tree.number_between(node, 9) * (CERTAIN / 10);
        if player == Player::FIRST {
            estimate
        } else {
            -estimate
        }
    }
    fn priority(&self, tree: &ChanceTree, node: &Node, mv: u8) -> i32 {
        (tree.hash(node, 100 + u64::from(mv)) % 3) as i32
    }
}
