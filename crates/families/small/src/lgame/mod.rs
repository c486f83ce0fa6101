//! The L-Game (de Bono 1968): leave the opponent no other place for its L.
//!
//! Schadd (2011, section 1.1) names it as a simple game that still forms a challenge. Each side has
//! an L of four squares on a 4x4 board, and two neutral pieces of one square belong to nobody. A
//! player lifts their L and puts it back in a different way, turned or turned over as they like;
//! then they may move one neutral piece to any free square. Whoever cannot place their L has lost.
//!
//! With best play the game never ends, so the third occurrence of a position is a draw. There are
//! 18,368 arrangements of the pieces, the Ls told apart and the neutrals not, and 2,296 up to the
//! symmetries of the board: no L is its own image, so each class has eight members.

#[cfg(not(test))]
pub mod entry;
mod index;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Repetition, Symmetric, Turn,
    TwoPlayer,
};

use tabia_game::Outcome;

const SIDE: usize = 4;
const SQUARES: usize = SIDE * SIDE;
const GRID: Grid = Grid {
    width: SIDE,
    height: SIDE,
};

/// A set of squares, numbered rank by rank: a1 is 0, d1 is 3, d4 is 15.
type Board = u16;

const START_LS: [Board; 2] = [0b0110_0100_0100_0000, 0b0000_0010_0010_0110];
const START_NEUTRALS: Board = 0b0001_0000_0000_1000;

/// All ways to put an L on the board: by orientation, and within one by the square of its corner.
static PLACEMENTS: [Board; 48] = placements();

/// An L is its corner, two squares on from it along the long arm and one along the short arm. The
/// bits of an orientation say whether the horizontal arm points left, whether the vertical arm
/// points down, and whether the long arm is the vertical one.
const fn placements() -> [Board; 48] {
    let mut all = [0; 48];
    let (mut count, mut i) = (0, 0);
    while i < 8 * SQUARES {
        let (orientation, corner) = (i / SQUARES, i % SQUARES);
        let (wide, high) = if orientation & 4 == 0 { (2, 1) } else { (1, 2) };
        let (file, rank) = (corner % SIDE, corner / SIDE);
        let room_across = if orientation & 1 == 0 {
            SIDE - 1 - file
        } else {
            file
        };
        let room_up = if orientation & 2 == 0 {
            SIDE - 1 - rank
        } else {
            rank
        };
        if wide <= room_across && high <= room_up {
            all[count] = 1 << corner
                | arm(corner, wide, 1, orientation & 1 != 0)
                | arm(corner, high, SIDE, orientation & 2 != 0);
            count += 1;
        }
        i += 1;
    }
    all
}

/// This many squares next to the corner, in steps of `step` squares.
const fn arm(corner: usize, length: usize, step: usize, backwards: bool) -> Board {
    let mut squares = 0;
    let mut i = 1;
    while i <= length {
        let square = if backwards {
            corner - i * step
        } else {
            corner + i * step
        };
        squares |= 1 << square;
        i += 1;
    }
    squares
}

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_small::lgame::LGame;
///
/// let mut state = LGame.start();
/// let mv = LGame.parse_move(&state, "a1a2a3b4,d1-c2");
/// assert!(mv.is_err(), "that is no L");
/// let mv = LGame.parse_move(&state, "d2d3c4d4,d1-c2").unwrap();
/// LGame.play(&mut state, mv);
/// assert_eq!(LGame.position_text(&state), "n1xx/1o1x/1onx/1oo1 o");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LGame;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    ls: [Board; 2],
    neutrals: Board,
    mover: Player,
    outcome: Outcome,
}

/// Where the L goes, and where a neutral piece goes from and to.
///
/// The number is 256 times the placement, plus 16 times the neutral's old square, plus its new one;
/// where no neutral moves, both squares are a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    #[inline]
    fn new(placement: usize, from: usize, to: usize) -> Move {
        Move((256 * placement + 16 * from + to) as u16)
    }

    #[inline]
    fn placement(self) -> usize {
        usize::from(self.0) / 256
    }

    /// The squares of the L.
    #[inline]
    fn squares(self) -> Board {
        PLACEMENTS[self.placement()]
    }

    /// The squares that a neutral piece leaves and goes to.
    #[inline]
    fn neutral(self) -> Option<(usize, usize)> {
        let (from, to) = (usize::from(self.0) / 16 % 16, usize::from(self.0) % 16);
        (from != to).then_some((from, to))
    }
}

/// The squares of a set, in ascending order.
fn squares(board: Board) -> impl Iterator<Item = usize> {
    u64::from(board).iter()
}

impl State {
    fn new(ls: [Board; 2], neutrals: Board, mover: Player) -> State {
        let mut state = State {
            ls,
            neutrals,
            mover,
            outcome: Outcome::Open,
        };
        if state.placements().next().is_none() {
            state.outcome = Outcome::Won(mover.other());
        }
        state
    }

    /// The L of a player.
    #[inline]
    fn l(&self, player: Player) -> Board {
        self.ls[player.index() & 1]
    }

    /// Where the side to move may put its L.
    #[inline]
    fn placements(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.l(self.mover);
        let blocked = self.l(self.mover.other()) | self.neutrals;
        (0..PLACEMENTS.len()).filter(move |&p| PLACEMENTS[p] & blocked == 0 && PLACEMENTS[p] != own)
    }
}

impl Game for LGame {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::new(START_LS, START_NEUTRALS, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let others = state.l(state.mover.other()) | state.neutrals;
        for placement in state.placements() {
            out.push(Move::new(placement, 0, 0));
            let free = !(others | PLACEMENTS[placement]);
            for from in squares(state.neutrals) {
                out.extend(squares(free).map(|to| Move::new(placement, from, to)));
            }
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        let mut ls = old.ls;
        ls[old.mover.index() & 1] = mv.squares();
        let moved = mv.neutral().map_or(0, |(from, to)| 1 << from | 1 << to);
        *state = State::new(ls, old.neutrals ^ moved, old.mover.other());
        old
    }

    #[inline]
    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }

    fn repetition(&self) -> Repetition {
        Repetition::draw(3)
    }
}

impl TwoPlayer for LGame {}

impl Key for LGame {
    /// A position fits into 49 bits, and scrambling them is a bijection: no two positions share a
    /// key.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.ls.map(u64::from);
        let side = u64::from(state.mover.0);
        zobrist::mix(first | second << 16 | u64::from(state.neutrals) << 32 | side << 48)
    }
}

impl MoveIndex for LGame {
    fn move_indices(&self) -> usize {
        256 * PLACEMENTS.len()
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

impl Symmetric for LGame {
    fn symmetries(&self) -> usize {
        GRID.symmetries()
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        State {
            ls: state.ls.map(|l| map_board(l, symmetry)),
            neutrals: map_board(state.neutrals, symmetry),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        let image = map_board(mv.squares(), symmetry);
        let placement = PLACEMENTS.iter().take_while(|&&l| l != image).count();
        let (from, to) = mv.neutral().map_or((0, 0), |(from, to)| {
            (map_square(from, symmetry), map_square(to, symmetry))
        });
        Move::new(placement, from, to)
    }
}

fn map_square(square: usize, symmetry: usize) -> usize {
    let (file, rank) = GRID.map(symmetry, square % SIDE, square / SIDE);
    SIDE * rank + file
}

fn map_board(board: Board, symmetry: usize) -> Board {
    squares(board).fold(0, |image, square| image | 1 << map_square(square, symmetry))
}
