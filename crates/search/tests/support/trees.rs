//! A synthetic graph full of cycles, and plain minimax to compare with.

use tabia_game::zobrist::number;
use tabia_game::{
    Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Repetition, Turn,
    TwoPlayer,
};
pub use tabia_kit::tree::Hashed;

/// Two tokens on a ring; each player moves their own by one or two squares either way. Who lands on
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
        Repetition::draw(3)
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

/// A random graph without end: every node leads to a few others, whoever's turn it is, and the
/// same position is met at many depths.
#[derive(Clone, Debug)]
pub struct Maze {
    pub size: u64,
    pub seed: u64,
}

impl Game for Maze {
    type State = u64;
    type Move = u8;
    type Undo = u64;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> u64 {
        0
    }
    fn turn(&self, node: &u64) -> Turn {
        match number(self.seed, 1000 + node) % 9 {
            0 if *node > 0 => Turn::Over,
            n => Turn::Player(Player((n % 2) as u8)),
        }
    }
    fn moves(&self, node: &u64, out: &mut Vec<u8>) {
        if self.turn(node) != Turn::Over {
            out.extend(0..3);
        }
    }
    fn play(&self, node: &mut u64, mv: u8) -> u64 {
        let next = number(self.seed, 8 * *node + u64::from(mv)) % self.size;
        std::mem::replace(node, next)
    }
    fn undo(&self, node: &mut u64, old: u64) {
        *node = old;
    }
    fn payoff(&self, node: &u64, player: Player) -> Payoff {
        let payoff = (number(self.seed, 2000 + node) % 3) as Payoff - 1;
        if player == Player::FIRST {
            payoff
        } else {
            -payoff
        }
    }
}

impl TwoPlayer for Maze {}

impl Key for Maze {
    fn key(&self, node: &u64) -> u64 {
        number(99, *node)
    }
}

impl MoveIndex for Maze {
    fn move_indices(&self) -> usize {
        3
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

impl Knowledge<Maze> for Hashed {
    fn evaluate(&self, maze: &Maze, node: &u64, player: Player) -> i32 {
        let estimate = (number(maze.seed, 3000 + node) % 801) as i32 * 1000 - 400_000;
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
