//! Y (Shannon; Schensted and Titus 1953): stones on a triangle of hexagons, and a chain that touches
//! all three sides wins.
//!
//! On a full board exactly one player has such a chain, so nobody draws, and by the argument of the
//! stolen strategy whoever begins can win on a board of any size.
//!
//! Rows are counted from the top, where one cell lies. In a set of cells every row takes as many
//! bits as the last one, so that neighbours are a shift apart and nothing runs around an edge.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Outcome, Payoff, Perfect, Player, SizeError, Symmetric,
    Turn, TwoPlayer, zobrist,
};

pub use evaluation::Distances;

/// Rows of the largest board.
const MAX_ROWS: usize = 19;
/// Bits of a set of cells of the largest board.
const MAX_BITS: usize = MAX_ROWS * MAX_ROWS;

static KEYS: [[u64; MAX_BITS]; 2] = [zobrist::table(0x59a1), zobrist::table(0x59a2)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "side",
    kind: ParameterKind::Integer(1, MAX_ROWS as i64),
    default: "9",
    help: "cells on each side of the triangle",
}];

/// The rules: a board. `B` has room for the square of its side.
#[derive(Clone, Debug)]
pub struct Y<B> {
    side: usize,
    full: B,
    /// The cells on the left, on the right and at the bottom.
    sides: [B; 3],
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    stones: [B; 2],
    mover: Player,
    outcome: Outcome,
    key: u64,
}

/// A stone on the cell with this number: its row from the top times the side of the board, and its
/// place in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u16);

impl<B: Bits> Y<B> {
    /// A game on a board with this many cells on each side.
    pub fn new(side: usize) -> Result<Y<B>, SizeError> {
        if !(1..=MAX_ROWS).contains(&side) || side * side > B::WIDTH {
            return Err(SizeError(format!(
                "a side of {side} cells is not possible: a board has 1 to {MAX_ROWS}"
            )));
        }
        let cells = || (0..side).flat_map(move |row| (0..=row).map(move |place| (row, place)));
        let all = |belongs: &dyn Fn(usize, usize) -> bool| {
            let cells = cells().filter(|&(row, place)| belongs(row, place));
            set(cells.map(|(row, place)| row * side + place))
        };
        Ok(Y {
            side,
            full: all(&|_, _| true),
            sides: [
                all(&|_, place| place == 0),
                all(&|row, place| place == row),
                all(&|row, _| row == side - 1),
            ],
        })
    }

    fn empty(&self, state: &State<B>) -> B {
        self.full & !(state.stones[0] | state.stones[1])
    }

    /// The neighbours of the cells in a set, which may be in it themselves.
    #[inline]
    fn around(&self, cells: B) -> B {
        let side = self.side;
        let level = (cells << 1) | (cells >> 1);
        let above = (cells >> side) | (cells >> (side + 1));
        let below = (cells << side) | (cells << (side + 1));
        (level | above | below) & self.full
    }

    /// The cells of `among` that hang together with those in `seeds`, the seeds included.
    #[inline]
    fn flood(&self, seeds: B, among: B) -> B {
        let mut reached = seeds;
        loop {
            let next = reached | (self.around(reached) & among);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Whether a chain touches all three sides.
    fn connects(&self, chain: B) -> bool {
        self.sides.iter().all(|&side| !(chain & side).is_empty())
    }

    fn has_connected(&self, stones: B) -> bool {
        let mut left = stones & self.sides[0];
        while !left.is_empty() {
            let chain = self.flood(B::bit(left.first()), stones);
            if self.connects(chain) {
                return true;
            }
            left &= !chain;
        }
        false
    }

    /// A position with these stones and this player to move, which nobody has won or one side has.
    fn with(&self, stones: [B; 2], mover: Player) -> State<B> {
        let winner = [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|&player| self.has_connected(stones[player.index()]));
        State {
            stones,
            mover,
            outcome: winner.map_or(Outcome::Open, Outcome::Won),
            key: zobrist::position_key(&KEYS, stones, mover),
        }
    }

    fn row_and_place(&self, cell: usize) -> (usize, usize) {
        (cell / self.side, cell % self.side)
    }

    /// Where a symmetry of the triangle takes a cell.
    fn mapped(&self, cell: usize, symmetry: usize) -> usize {
        const ORDERS: [[usize; 3]; 6] = [
            [0, 1, 2],
            [1, 0, 2],
            [0, 2, 1],
            [2, 1, 0],
            [1, 2, 0],
            [2, 0, 1],
        ];
        let (row, place) = self.row_and_place(cell);
        // The distances from the three sides, which always add up to the same.
        let distances = [place, row - place, self.side - 1 - row];
        let [left, right, _] = ORDERS[symmetry % 6].map(|at| distances[at]);
        (left + right) * self.side + left
    }
}

fn set<B: Bits>(cells: impl Iterator<Item = usize>) -> B {
    cells.fold(B::EMPTY, |set, cell| set | B::bit(cell))
}

impl<B: Bits> Game for Y<B> {
    type State = State<B>;
    type Move = Move;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        self.with([B::EMPTY; 2], Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Move>) {
        if state.outcome == Outcome::Open {
            out.extend(self.empty(state).iter().map(|cell| Move(cell as u16)));
        }
    }

    fn play(&self, state: &mut State<B>, mv: Move) -> State<B> {
        let old = *state;
        let (player, cell) = (state.mover, usize::from(mv.0));
        let own = &mut state.stones[player.index()];
        *own |= B::bit(cell);
        if self.connects(self.flood(B::bit(cell), *own)) {
            state.outcome = Outcome::Won(player);
        }
        state.mover = player.other();
        state.key ^= KEYS[player.index()][cell] ^ zobrist::SECOND_TO_MOVE;
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }
}

impl<B: Bits> TwoPlayer for Y<B> {}

impl<B: Bits> Key for Y<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Y<B> {
    fn move_indices(&self) -> usize {
        self.side * self.side
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

/// Both players want the same three sides, so every turn and reflection of the triangle is one.
impl<B: Bits> Symmetric for Y<B> {
    fn symmetries(&self) -> usize {
        6
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        let map = |own: B| set(own.iter().map(|cell| self.mapped(cell, symmetry)));
        let stones = state.stones.map(map);
        State {
            stones,
            key: zobrist::position_key(&KEYS, stones, state.mover),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        Move(self.mapped(usize::from(mv.0), symmetry) as u16)
    }
}
