//! Synthetic games: trees and graphs whose every feature is a hash of the node.

use tabia_game::zobrist::{mix, number};
use tabia_game::{
    Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Repetition, Turn,
    TwoPlayer,
};

/// A tree of fixed depth. With `width` nodes a level it is a graph full of transpositions.
#[derive(Clone, Debug)]
pub struct Tree {
    pub seed: u64,
    pub depth: u32,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub ply: u32,
    pub id: u64,
}

impl Tree {
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

/// Two tokens on a ring; each player moves his own by one or two squares either way. Who lands on
/// the other token wins; positions recur all the time, and the third occurrence is a draw.
#[derive(Clone, Debug)]
pub struct Ring {
    pub size: u8,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    pub at: [u8; 2],
    pub mover: Player,
    pub winner: Option<Player>,
}

impl Game for Ring {
    type State = Tokens;
    type Move = i8;
    type Undo = Tokens;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> Tokens {
        Tokens {
            at: [0, self.size / 2],
            mover: Player::FIRST,
            winner: None,
        }
    }
    fn turn(&self, s: &Tokens) -> Turn {
        if s.winner.is_some() {
            Turn::Over
        } else {
            Turn::Player(s.mover)
        }
    }
    fn moves(&self, s: &Tokens, out: &mut Vec<i8>) {
        if s.winner.is_none() {
            // Long steps exist only from some squares.
            let long = number(self.seed, u64::from(s.at[s.mover.index()])).is_multiple_of(3);
            out.extend([-1, 1]);
            out.extend([-2, 2].iter().filter(|_| long));
        }
    }
    fn play(&self, s: &mut Tokens, step: i8) -> Tokens {
        let old = *s;
        let own = s.mover.index();
        let size = i16::from(self.size);
        s.at[own] = (i16::from(s.at[own]) + i16::from(step)).rem_euclid(size) as u8;
        if s.at[0] == s.at[1] {
            s.winner = Some(s.mover);
        }
        s.mover = s.mover.other();
        old
    }
    fn undo(&self, s: &mut Tokens, old: Tokens) {
        *s = old;
    }
    fn payoff(&self, s: &Tokens, player: Player) -> Payoff {
        match s.winner {
            None => 0,
            Some(winner) if winner == player => 1,
            Some(_) => -1,
        }
    }
    fn repetition(&self) -> Repetition {
        Repetition::Draw { occurrences: 3 }
    }
}

impl TwoPlayer for Ring {}

impl Key for Ring {
    fn key(&self, s: &Tokens) -> u64 {
        number(
            77,
            u64::from(s.at[0]) | u64::from(s.at[1]) << 8 | u64::from(s.mover.0) << 16,
        )
    }
}

impl MoveIndex for Ring {
    fn move_indices(&self) -> usize {
        5
    }
    fn move_index(&self, step: i8) -> usize {
        (step + 2) as usize
    }
}

/// An estimate for every pair of squares, so that draws by repetition matter.
impl Knowledge<Ring> for Hashed {
    fn evaluate(&self, ring: &Ring, s: &Tokens, player: Player) -> i32 {
        let hash = number(ring.seed, u64::from(s.at[0]) | u64::from(s.at[1]) << 8);
        let estimate = (hash % 801) as i32 * 1000 - 400_000;
        if player == Player::FIRST {
            estimate
        } else {
            -estimate
        }
    }
}

/// Plain minimax, written apart from the engine: depth, repetition and nothing else.
pub fn plain<G: Game + Key, K: Knowledge<G>>(
    game: &G,
    knowledge: &K,
    state: &G::State,
    path: &mut Vec<u64>,
    depth: u32,
    player: Player,
) -> f64 {
    let share = |payoff: Payoff| f64::from(payoff) / f64::from(game.max_payoff());
    match game.turn(state) {
        Turn::Player(mover) => {
            let here = game.key(state);
            let seen = path.iter().filter(|&&key| key == here).count() as u32 + 1;
            if game.repetition().is_draw(seen) {
                return 0.0;
            }
            if depth == 0 {
                let estimate = knowledge.evaluate(game, state, player);
                return f64::from(estimate) / f64::from(tabia_game::CERTAIN);
            }
            path.push(here);
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            let sign = if mover == player { 1.0 } else { -1.0 };
            let mut best = f64::MIN;
            for mv in moves {
                let mut child = state.clone();
                game.play(&mut child, mv);
                best = best.max(sign * plain(game, knowledge, &child, path, depth - 1, player));
            }
            path.pop();
            sign * best
        }
        _ => share(game.payoff(state, player)),
    }
}
