//! Hex (Hein 1942; Nash 1949): Red connects the top of a rhombus with its bottom, Blue the left
//! side with the right one.
//!
//! Exactly one of the two connections exists on a full board, so nobody draws, and whoever begins
//! on a board with equal sides can win (Gardner 1957, *Scientific American* 197). The swap rule
//! takes that advantage away: the second player may answer the first stone by making it their own,
//! mirrored at the long diagonal.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Outcome, Payoff, Perfect, Player, SizeError, Symmetric,
    Turn, TwoPlayer, zobrist,
};

pub use evaluation::Distances;

/// Cells of the largest board.
const MAX_CELLS: usize = 19 * 19;

static KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::table(0x4e81), zobrist::table(0x4e82)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Size(1, 19),
        default: "11x11",
        help: "columns and rows",
    },
    Parameter {
        key: "swap",
        kind: ParameterKind::Switch,
        default: "off",
        help: "the second player may take over the first stone; the board must be square",
    },
];

/// The rules: a board, and whether the first stone may be taken over. `B` has room for all cells.
#[derive(Clone, Debug)]
pub struct Hex<B> {
    grid: Grid,
    swap: bool,
    full: B,
    /// The first and the last column.
    columns: [B; 2],
    /// For each player the two sides to be connected.
    sides: [[B; 2]; 2],
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    stones: [B; 2],
    mover: Player,
    outcome: Outcome,
    key: u64,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone on the cell with this number, counted row by row from the top.
    Cell(u16),
    /// The first stone is taken over.
    Swap,
}

impl<B: Bits> Hex<B> {
    /// A game on a board with this many columns and rows.
    pub fn new(width: usize, height: usize, swap: bool) -> Result<Hex<B>, SizeError> {
        let refused = |reason: &str| {
            let board = format!("a board of {width}x{height}");
            Err(SizeError(format!("{board} is not possible: {reason}")))
        };
        if !(1..=19).contains(&width) || !(1..=19).contains(&height) {
            return refused("it has 1 to 19 columns and rows");
        }
        if width * height > B::WIDTH {
            return refused("it has too many cells");
        }
        if swap && width != height {
            return refused("the swap rule mirrors a stone, which needs as many rows as columns");
        }
        let column = |x: usize| set((0..height).map(|y| y * width + x));
        let row = |y: usize| set((0..width).map(|x| y * width + x));
        Ok(Hex {
            grid: Grid { width, height },
            swap,
            full: set(0..width * height),
            columns: [column(0), column(width - 1)],
            sides: [[row(0), row(height - 1)], [column(0), column(width - 1)]],
        })
    }

    fn cells(&self) -> usize {
        self.grid.width * self.grid.height
    }

    fn empty(&self, state: &State<B>) -> B {
        self.full & !(state.stones[0] | state.stones[1])
    }

    /// The neighbours of the cells in a set, which may be in it themselves.
    #[inline]
    fn around(&self, cells: B) -> B {
        let width = self.grid.width;
        let [first, last] = self.columns;
        let (not_first, not_last) = (cells & !first, cells & !last);
        let (up, down) = (not_last >> (width - 1), not_first << (width - 1));
        // On a single column the diagonals are the column itself, which the masks have emptied.
        let level = (not_last << 1) | (not_first >> 1);
        ((cells << width) | (cells >> width) | level | up | down) & self.full
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

    /// Whether a group of stones connects the sides of a player.
    fn connects(&self, group: B, player: Player) -> bool {
        let sides = self.sides[player.index()];
        sides.iter().all(|&side| !(group & side).is_empty())
    }

    fn has_connected(&self, stones: B, player: Player) -> bool {
        let [from, to] = self.sides[player.index()];
        !(self.flood(stones & from, stones) & to).is_empty()
    }

    /// Whether the player to move may take over the only stone on the board.
    fn may_swap(&self, state: &State<B>) -> bool {
        self.swap
            && state.mover == Player::SECOND
            && state.stones[1].is_empty()
            && state.stones[0].count() == 1
    }

    fn mirrored(&self, cell: usize) -> usize {
        let width = self.grid.width;
        cell % width * width + cell / width
    }

    /// A position with these stones and this player to move, which nobody has won or one side has.
    fn with(&self, stones: [B; 2], mover: Player) -> State<B> {
        let winner = [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|&player| self.has_connected(stones[player.index()], player));
        State {
            stones,
            mover,
            outcome: winner.map_or(Outcome::Open, Outcome::Won),
            key: zobrist::position_key(&KEYS, stones, mover),
        }
    }
}

fn set<B: Bits>(cells: impl Iterator<Item = usize>) -> B {
    cells.fold(B::EMPTY, |set, cell| set | B::bit(cell))
}

impl<B: Bits> Game for Hex<B> {
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
        if state.outcome != Outcome::Open {
            return;
        }
        out.extend(self.empty(state).iter().map(|cell| Move::Cell(cell as u16)));
        if self.may_swap(state) {
            out.push(Move::Swap);
        }
    }

    fn play(&self, state: &mut State<B>, mv: Move) -> State<B> {
        let old = *state;
        match mv {
            Move::Cell(cell) => {
                let (player, cell) = (state.mover, usize::from(cell));
                let own = &mut state.stones[player.index()];
                *own |= B::bit(cell);
                let group = self.flood(B::bit(cell), *own);
                if self.connects(group, player) {
                    state.outcome = Outcome::Won(player);
                }
                state.mover = player.other();
                state.key ^= KEYS[player.index()][cell] ^ zobrist::SECOND_TO_MOVE;
            }
            Move::Swap => {
                let taken = self.mirrored(state.stones[0].first());
                *state = self.with([B::EMPTY, B::bit(taken)], Player::FIRST);
            }
        }
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    /// Some player always connects.
    fn has_draws(&self) -> bool {
        false
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }
}

impl<B: Bits> TwoPlayer for Hex<B> {}

impl<B: Bits> Key for Hex<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Hex<B> {
    fn move_indices(&self) -> usize {
        self.cells() + 1
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Cell(cell) => usize::from(cell),
            Move::Swap => self.cells(),
        }
    }
}

/// Half a turn leaves the sides of both players where they are.
impl<B: Bits> Symmetric for Hex<B> {
    fn symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        if symmetry == 0 {
            return *state;
        }
        let turned = |own: B| set(own.iter().map(|cell| self.cells() - 1 - cell));
        let stones = state.stones.map(turned);
        State {
            stones,
            key: zobrist::position_key(&KEYS, stones, state.mover),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        match mv {
            Move::Cell(cell) if symmetry == 1 => Move::Cell((self.cells() - 1) as u16 - cell),
            other => other,
        }
    }
}
