//! Dao (Pickering and van Buskirk 1999), after Donkers, van den Herik and Uiterwijk (2004,
//! section 3).
//!
//! Each side has four pieces on a 4x4 board. A piece slides in one of eight directions as far as it
//! can; nothing is captured and nobody may pass. A side has won when its pieces fill a file, a
//! rank, a 2x2 square or the four corners, and also when one of its pieces stands in a corner and
//! the three points around it are the enemy's: whoever encloses a piece so has lost.
//!
//! The rules know no repetition. With best play a game never ends, and play without end counts as a
//! draw; so that games come to an end at all, the third occurrence of a position is a draw here.
//!
//! A composed position may have a win for both sides. The side that has moved last is then the
//! winner, as in Donkers et al. (2004, section 4.2). No such position can arise in play.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
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

pub use evaluation::ThreeOfFour;

const SIDE: usize = 4;
const POINTS: usize = SIDE * SIDE;
const PIECES: usize = 4;
const GRID: Grid = Grid {
    width: SIDE,
    height: SIDE,
};

/// A set of points, numbered rank by rank: a1 is 0, d1 is 3, d4 is 15.
type Board = u64;

const START: [Board; 2] = [0b0001_0010_0100_1000, 0b1000_0100_0010_0001];

/// A direction and the opposite one differ in the lowest bit of their numbers.
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

/// What lies beyond the edge: never free to move to.
const BEYOND: usize = POINTS;

/// The next point in each direction.
static NEXT: [[usize; POINTS]; 8] = next_points();

const fn next_points() -> [[usize; POINTS]; 8] {
    let mut next = [[BEYOND; POINTS]; 8];
    let mut i = 0;
    while i < 8 * POINTS {
        let (direction, point) = (i / POINTS, i % POINTS);
        let (across, up) = DIRECTIONS[direction];
        let file = (point % SIDE) as i8 + across;
        let rank = (point / SIDE) as i8 + up;
        let side = SIDE as i8;
        if 0 <= file && file < side && 0 <= rank && rank < side {
            next[direction][point] = (side * rank + file) as usize;
        }
        i += 1;
    }
    next
}

/// The files, the ranks, the 2x2 squares and the corners: winning configurations I to IV.
static PATTERNS: [Board; 18] = patterns();

const fn patterns() -> [Board; 18] {
    const FILE: Board = 0x1111;
    const RANK: Board = 0xf;
    const SQUARE: Board = 0x33;
    const CORNERS: Board = 0x9009;
    let mut all = [CORNERS; 18];
    let mut i = 0;
    while i < SIDE {
        all[i] = FILE << i;
        all[SIDE + i] = RANK << (SIDE * i);
        i += 1;
    }
    i = 0;
    while i < 9 {
        all[2 * SIDE + i] = SQUARE << (SIDE * (i / 3) + i % 3);
        i += 1;
    }
    all
}

/// Each corner with the three points around it.
const ENCLOSURES: [(Board, Board); 4] = [
    (0x0001, 0x0032),
    (0x0008, 0x00c4),
    (0x1000, 0x2300),
    (0x8000, 0x4c00),
];

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_small::dao::Dao;
///
/// let mut state = Dao.start();
/// assert!(Dao.parse_move(&state, "a4-a3").is_err(), "a piece slides as far as it can");
/// let mv = Dao.parse_move(&state, "a4-a2").unwrap();
/// Dao.play(&mut state, mv);
/// assert_eq!(Dao.position_text(&state), "3b/1wb1/wbw1/b2w b");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dao;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pieces: [Board; 2],
    mover: Player,
    outcome: Outcome,
}

/// From where to where: sixteen times the one plus the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    #[inline]
    fn new(from: usize, to: usize) -> Move {
        Move((POINTS * from + to) as u8)
    }

    #[inline]
    fn from(self) -> usize {
        usize::from(self.0) / POINTS
    }

    #[inline]
    fn to(self) -> usize {
        usize::from(self.0) % POINTS
    }
}

/// Whether a side with these pieces has won, by its own doing or by the enemy's.
#[inline]
fn has_won(own: Board, enemy: Board) -> bool {
    PATTERNS.contains(&own)
        || ENCLOSURES
            .iter()
            .any(|&(corner, around)| own & corner != 0 && enemy & around == around)
}

impl State {
    #[inline]
    fn new(pieces: [Board; 2], mover: Player) -> State {
        let mut state = State {
            pieces,
            mover,
            outcome: Outcome::Open,
        };
        let wins = |player: Player| has_won(state.of(player), state.of(player.other()));
        if let Some(winner) = [mover.other(), mover].into_iter().find(|&p| wins(p)) {
            state.outcome = Outcome::Won(winner);
        }
        state
    }

    /// The pieces of a player.
    #[inline]
    fn of(&self, player: Player) -> Board {
        self.pieces[player.index() & 1]
    }

    /// All points that cannot be moved to.
    #[inline]
    fn blocked(&self) -> Board {
        self.pieces[0] | self.pieces[1] | Board::bit(BEYOND)
    }

    /// The same pieces with the other side to move.
    pub fn passed(&self) -> State {
        State::new(self.pieces, self.mover.other())
    }
}

impl Game for Dao {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::new(START, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.outcome != Outcome::Open {
            return;
        }
        let blocked = state.blocked();
        for from in state.of(state.mover).iter() {
            for next in &NEXT {
                let mut to = from;
                while !blocked.has(next[to]) {
                    to = next[to];
                }
                if to != from {
                    out.push(Move::new(from, to));
                }
            }
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        let mut pieces = old.pieces;
        pieces[old.mover.index() & 1] ^= Board::bit(mv.from()) | Board::bit(mv.to());
        *state = State::new(pieces, old.mover.other());
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

impl TwoPlayer for Dao {}

impl Key for Dao {
    /// A position fits into 33 bits, and scrambling them is a bijection: no two positions share a
    /// key.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let side = u64::from(state.mover.0);
        zobrist::mix(state.pieces[0] | state.pieces[1] << POINTS | side << (2 * POINTS))
    }
}

impl MoveIndex for Dao {
    fn move_indices(&self) -> usize {
        POINTS * POINTS
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

impl Symmetric for Dao {
    fn symmetries(&self) -> usize {
        GRID.symmetries()
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        let image = |board: Board| {
            let points = board.iter().map(|point| map_point(point, symmetry));
            points.fold(0, |image, point| image | Board::bit(point))
        };
        State {
            pieces: state.pieces.map(image),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        Move::new(map_point(mv.from(), symmetry), map_point(mv.to(), symmetry))
    }
}

#[inline]
fn map_point(point: usize, symmetry: usize) -> usize {
    let (file, rank) = GRID.map(symmetry, point % SIDE, point / SIDE);
    SIDE * rank + file
}
