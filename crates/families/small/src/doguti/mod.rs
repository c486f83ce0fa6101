//! Do-Guti, a game of blockade from the Punjab (Murray 1952), after Donkers, van den Herik and
//! Uiterwijk (2004, section 2); known elsewhere as Pong Hau K'i.
//!
//! Two stones each on five points: four corners and the middle. Two diagonals and three of the four
//! sides join them, and the side at the top is open:
//!
//! ```text
//! a3    c3
//! | \  / |
//! |  b2  |
//! | /  \ |
//! a1----c1
//! ```
//!
//! White has a1 and c1 and moves first, Black a3 and c3. A stone moves along a line to the free
//! point next to it; nobody may pass, and whoever cannot move has lost. The board is symmetric from
//! left to right only. With best play a game never ends, which counts as a draw; so that games come
//! to an end at all, the third occurrence of a position is a draw here.

#[cfg(not(test))]
pub mod entry;
mod index;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Repetition, Symmetric, Turn,
    TwoPlayer,
};

use tabia_game::Outcome;

/// File and rank of each point, and the points next to it.
const POINTS: [((usize, usize), Board); 5] = [
    ((0, 0), 0b01110),
    ((2, 0), 0b10101),
    ((1, 1), 0b11011),
    ((0, 2), 0b00101),
    ((2, 2), 0b00110),
];
const STONES: usize = 2;

/// The images of the points from left to right.
const MIRRORED: [usize; POINTS.len()] = [1, 0, 2, 4, 3];

/// A set of points: a1, c1, b2, a3 and c3, in this order.
type Board = u64;

const START: [Board; 2] = [0b00011, 0b11000];

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_small::doguti::DoGuti;
///
/// let mut state = DoGuti.start();
/// let mv = DoGuti.parse_move(&state, "a1-b2").unwrap();
/// DoGuti.play(&mut state, mv);
/// assert_eq!(DoGuti.position_text(&state), "b1b/1w1/2w b");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DoGuti;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    stones: [Board; 2],
    mover: Player,
    outcome: Outcome,
}

/// From where to where: five times the one plus the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    #[inline]
    fn new(from: usize, to: usize) -> Move {
        Move((POINTS.len() * from + to) as u8)
    }

    #[inline]
    fn from(self) -> usize {
        usize::from(self.0) / POINTS.len()
    }

    #[inline]
    fn to(self) -> usize {
        usize::from(self.0) % POINTS.len()
    }
}

impl State {
    fn new(stones: [Board; 2], mover: Player) -> State {
        let mut state = State {
            stones,
            mover,
            outcome: Outcome::Open,
        };
        if state.moves(mover).next().is_none() {
            state.outcome = Outcome::Won(mover.other());
        }
        state
    }

    /// The stones of a player.
    #[inline]
    fn of(&self, player: Player) -> Board {
        self.stones[player.index() & 1]
    }

    /// What a player could move from and to. Lines lead both ways, so these are also, the other way
    /// round, the moves that may have led here.
    fn moves(&self, player: Player) -> impl Iterator<Item = Move> + use<> {
        let taken = self.stones[0] | self.stones[1];
        let from = self.of(player).iter();
        from.flat_map(move |from| {
            let free = POINTS[from].1 & !taken;
            free.iter().map(move |to| Move::new(from, to))
        })
    }

    /// The position after the stone of a player has moved, the other one to move.
    fn after(&self, player: Player, mv: Move, mover: Player) -> State {
        let mut stones = self.stones;
        stones[player.index() & 1] ^= Board::bit(mv.from()) | Board::bit(mv.to());
        State::new(stones, mover)
    }

    /// The same stones with the other side to move.
    pub fn passed(&self) -> State {
        State::new(self.stones, self.mover.other())
    }
}

impl Game for DoGuti {
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

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.extend(state.moves(state.mover));
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        *state = old.after(old.mover, mv, old.mover.other());
        old
    }

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

impl TwoPlayer for DoGuti {}

impl Key for DoGuti {
    /// Scrambling eleven bits is a bijection: no two positions share a key.
    fn key(&self, state: &State) -> u64 {
        let side = u64::from(state.mover.0);
        zobrist::mix(state.stones[0] | state.stones[1] << 5 | side << 10)
    }
}

impl MoveIndex for DoGuti {
    fn move_indices(&self) -> usize {
        POINTS.len() * POINTS.len()
    }

    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

impl Symmetric for DoGuti {
    fn symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        let image = |board: Board| {
            let points = board.iter().map(|point| map_point(point, symmetry));
            points.fold(0, |image, point| image | Board::bit(point))
        };
        State {
            stones: state.stones.map(image),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        Move::new(map_point(mv.from(), symmetry), map_point(mv.to(), symmetry))
    }
}

fn map_point(point: usize, symmetry: usize) -> usize {
    match symmetry {
        0 => point,
        _ => MIRRORED[point],
    }
}
