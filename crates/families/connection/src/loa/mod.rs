//! Lines of Action: connect all your pieces (Sackson 1969).
//!
//! The rules are those of Winands et al. (2004, section 4.1). A piece moves in a straight line
//! exactly as many squares as pieces of both colours stand on that whole line; it jumps its own
//! pieces, not those of the enemy, and captures by landing on one. Whoever has all their pieces in
//! one group, diagonals included, has won, also when the opponent's capture brought it about; a
//! single piece is a group. A player without a move must pass, and the third occurrence of a
//! position is a draw.
//!
//! What a move that connects both sides is worth differs between rule books and is a switch,
//! [`Both`]: a draw, as in the paper, or a win for the mover. A position given as text is judged
//! as if the side that is not to move had just moved.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
#[cfg(test)]
mod evaluation_tests;
mod moves;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Repetition, Symmetric, Turn,
    TwoPlayer,
};

use moves::Board;
use rand::Rng;
use tabia_game::Outcome;

pub use evaluation::{Features, Mia, Weights};

const GRID: Grid = Grid {
    width: 8,
    height: 8,
};
const MAX_PIECES: usize = 12;
const START: [Board; 2] = [0x7e00_0000_0000_007e, 0x0081_8181_8181_8100];

static KEYS: [[u64; 64]; 2] = [zobrist::table(0x10a1), zobrist::table(0x10a2)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "both",
    kind: ParameterKind::Choice(&["draw", "mover"]),
    default: "draw",
    help: "what a move that connects both sides is: a draw, or a win for the mover",
}];

/// What a move that connects both sides is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Both {
    /// A draw.
    #[default]
    Draw,
    /// A win for the player who made it.
    Mover,
}

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text, perft};
/// use tabia_connection::loa::{Both, Loa};
///
/// let loa = Loa::new(Both::Draw);
/// assert_eq!(perft(&loa, &loa.start(), 2), 1244);
/// let b1 = loa.parse_move(&loa.start(), "b1-b3").unwrap();
/// assert_eq!(loa.move_text(&loa.start(), b1), "b1-b3");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loa {
    both: Both,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pieces: [Board; 2],
    key: u64,
    mover: Player,
    outcome: Outcome,
}

/// From one square to another, or [`Move::PASS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The only move of a player who has none. It is written down as staying on a1, which no
    /// other move does.
    pub const PASS: Move = Move(0);

    fn new(from: usize, to: usize) -> Move {
        Move((64 * from + to) as u16)
    }

    /// The move to a square from the one whose number is smaller by `difference`.
    #[inline(always)]
    fn ending_on(to: u32, difference: i32) -> Move {
        Move((65 * to as i32 - 64 * difference) as u16)
    }

    /// The square it leaves, numbered rank by rank: a1 is 0, h1 is 7, h8 is 63.
    #[inline]
    pub fn from(self) -> usize {
        usize::from(self.0) / 64
    }

    /// The square it goes to.
    #[inline]
    pub fn to(self) -> usize {
        usize::from(self.0) % 64
    }
}

impl Loa {
    /// The game with a rule for moves that connect both sides.
    pub fn new(both: Both) -> Loa {
        Loa { both }
    }

    /// How a position stands in which these sides are connected and `last` has moved.
    #[inline]
    fn outcome(&self, connected: [bool; 2], last: Player) -> Outcome {
        match connected {
            [false, false] => Outcome::Open,
            [true, false] => Outcome::Won(Player::FIRST),
            [false, true] => Outcome::Won(Player::SECOND),
            [true, true] if self.both == Both::Mover => Outcome::Won(last),
            [true, true] => Outcome::Drawn,
        }
    }

    /// Any position, judged as if the side that is not to move had just moved.
    fn set_up(&self, pieces: [Board; 2], mover: Player) -> State {
        State {
            pieces,
            key: zobrist::position_key(&KEYS, pieces, mover),
            mover,
            outcome: self.outcome(pieces.map(moves::is_connected), mover.other()),
        }
    }
}

impl State {
    /// The squares of a player's pieces, as bits numbered like those of [`Move::from`].
    #[inline]
    pub fn pieces(&self, player: Player) -> u64 {
        self.pieces[player.index() & 1]
    }

    /// The pieces of the side to move, and those of its opponent.
    #[inline]
    fn own_and_enemy(&self) -> (Board, Board) {
        (self.pieces(self.mover), self.pieces(self.mover.other()))
    }

    /// Whether a move of this position captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv != Move::PASS && self.pieces(self.mover.other()).has(mv.to())
    }

    /// Hands the turn to the opponent.
    #[inline]
    fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= zobrist::SECOND_TO_MOVE;
    }
}

impl Game for Loa {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        self.set_up(START, Player::FIRST)
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
        let (own, enemy) = state.own_and_enemy();
        let before = out.len();
        moves::list(own, enemy, out);
        if out.len() == before {
            out.push(Move::PASS);
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        state.pass_turn();
        if mv == Move::PASS {
            return old;
        }
        let (mover, opponent) = (old.mover.index() & 1, old.mover.other().index() & 1);
        let (from, to) = (mv.from(), mv.to());
        state.pieces[mover] ^= u64::bit(from) | u64::bit(to);
        state.key ^= KEYS[mover][from] ^ KEYS[mover][to];
        let mut connected = [false; 2];
        connected[mover] = moves::is_connected(state.pieces[mover]);
        // The opponent was not connected before, and only a capture can change that.
        if state.pieces[opponent].has(to) {
            state.pieces[opponent] ^= u64::bit(to);
            state.key ^= KEYS[opponent][to];
            connected[opponent] = moves::is_connected(state.pieces[opponent]);
        }
        state.outcome = self.outcome(connected, old.mover);
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

    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        _: &mut Vec<Move>,
        rng: &mut R,
    ) -> u32 {
        for played in 0..plies {
            if state.outcome != Outcome::Open {
                return played;
            }
            let (own, enemy) = state.own_and_enemy();
            let mv = moves::draw(own, enemy, rng).unwrap_or(Move::PASS);
            self.play(state, mv);
        }
        plies
    }
}

impl TwoPlayer for Loa {}

impl Key for Loa {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Loa {
    fn move_indices(&self) -> usize {
        64 * 64
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

impl Symmetric for Loa {
    fn symmetries(&self) -> usize {
        GRID.symmetries()
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        let pieces = state.pieces.map(|own| {
            own.iter()
                .fold(0, |image, square| image | 1 << map(square, symmetry))
        });
        State {
            pieces,
            key: zobrist::position_key(&KEYS, pieces, state.mover),
            ..*state
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        if mv == Move::PASS {
            return mv;
        }
        Move::new(map(mv.from(), symmetry), map(mv.to(), symmetry))
    }
}

fn map(square: usize, symmetry: usize) -> usize {
    let (file, rank) = GRID.map(symmetry, square % 8, square / 8);
    8 * rank + file
}
