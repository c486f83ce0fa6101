//! ChanceBreakthrough (Schadd 2011, section 5.4.1): Breakthrough in which a player may roll instead
//! of moving, and whatever stands on the square that the dice show is removed.
//!
//! One die shows the file, the other the rank. An own piece may be hit as well; an empty square
//! changes nothing, and then the same position arises with the other side to move: the game can go
//! round. The thesis does not say what the loss of the last piece means; here it loses the game,
//! whoever rolled.

#[cfg(not(test))]
pub mod entry;
#[cfg(test)]
mod tests;

use rand::{Rng, RngExt};
use tabia_game::bits::Bits;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{
    CERTAIN, Chance, Draw, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Picture, Player,
    Stochastic, Text, TextError, Turn, TwoPlayer, zobrist,
};

use crate::breakthrough::{self, Advancement, Breakthrough, Step};
use tabia_game::{Outcome, SizeError};

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Size(2, 26),
        default: "8x8",
        help: "files and ranks",
    },
    Parameter {
        key: "filled",
        kind: ParameterKind::Integer(1, 4),
        default: "2",
        help: "ranks that each side fills at the start",
    },
];

const ROLLING: u64 = zobrist::number(0xcb, 0);
const ROLL: &str = "roll";
const MISS: &str = "miss";

/// The rules. `B` must have room for all squares.
#[derive(Clone, Debug)]
pub struct ChanceBreakthrough<B> {
    board: Breakthrough<B>,
}

/// A position, before a move or while the dice roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    board: breakthrough::State<B>,
    rolling: bool,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves.
    Step(Step),
    /// The player rolls the dice instead.
    Roll,
    /// The dice show a square with a piece on it.
    Hit(u8),
    /// The dice show an empty square.
    Miss,
}

impl<B: Bits> ChanceBreakthrough<B> {
    /// A game on `width` files and `height` ranks, of which each side fills this many.
    pub fn new(width: usize, height: usize, filled: usize) -> Result<Self, SizeError> {
        let board = Breakthrough::filled(width, height, filled)?;
        Ok(ChanceBreakthrough { board })
    }

    fn occupied(&self, state: &State<B>) -> B {
        let [white, black] = state.board.pieces();
        white | black
    }

    fn squares(&self) -> usize {
        let grid = self.board.grid();
        grid.width * grid.height
    }

    fn name(&self, square: usize) -> String {
        let grid = self.board.grid();
        grid.name(square % grid.width, square / grid.width)
    }
}

impl<B: Bits> Game for ChanceBreakthrough<B> {
    type State = State<B>;
    type Move = Move;
    type Undo = State<B>;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        State {
            board: self.board.start(),
            rolling: false,
        }
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match self.board.turn(&state.board) {
            Turn::Player(_) if state.rolling => Turn::Chance,
            turn => turn,
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Move>) {
        match self.turn(state) {
            Turn::Over => {}
            Turn::Chance => {
                let occupied = self.occupied(state);
                out.extend(occupied.iter().map(|square| Move::Hit(square as u8)));
                if occupied.count() < self.squares() {
                    out.push(Move::Miss);
                }
            }
            Turn::Player(_) => {
                self.board
                    .each_step(&state.board, |step| out.push(Move::Step(step)));
                out.push(Move::Roll);
            }
        }
    }

    fn play(&self, state: &mut State<B>, mv: Move) -> State<B> {
        let old = *state;
        match mv {
            Move::Step(step) => {
                self.board.play(&mut state.board, step);
            }
            Move::Roll => state.rolling = true,
            Move::Hit(square) => {
                state.board.remove(usize::from(square));
                state.board.pass();
                state.rolling = false;
            }
            Move::Miss => {
                state.board.pass();
                state.rolling = false;
            }
        }
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        self.board.payoff(&state.board, player)
    }
}

impl<B: Bits> TwoPlayer for ChanceBreakthrough<B> {}

impl<B: Bits> Chance for ChanceBreakthrough<B> {
    fn outcomes(&self, state: &State<B>, out: &mut Vec<(Move, u64)>) {
        let occupied = self.occupied(state);
        out.extend(occupied.iter().map(|square| (Move::Hit(square as u8), 1)));
        let empty = self.squares() - occupied.count();
        if empty > 0 {
            out.push((Move::Miss, empty as u64));
        }
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State<B>, rng: &mut R) -> Move {
        let square = rng.random_range(0..self.squares());
        if self.occupied(state).has(square) {
            Move::Hit(square as u8)
        } else {
            Move::Miss
        }
    }
}

impl<B: Bits> Key for ChanceBreakthrough<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        self.board.key(&state.board) ^ if state.rolling { ROLLING } else { 0 }
    }
}

impl<B: Bits> MoveIndex for ChanceBreakthrough<B> {
    fn move_indices(&self) -> usize {
        self.board.move_indices() + self.squares() + 2
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        let steps = self.board.move_indices();
        match mv {
            Move::Step(step) => self.board.move_index(step),
            Move::Roll => steps,
            Move::Miss => steps + 1,
            Move::Hit(square) => steps + 2 + usize::from(square),
        }
    }
}

impl<B: Bits> Text for ChanceBreakthrough<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let board = self.board.position_text(&state.board);
        match state.rolling {
            true => format!("{board} {ROLL}"),
            false => board,
        }
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let trimmed = text.trim_end();
        let (board, rolling) = match trimmed.strip_suffix(ROLL) {
            Some(board) => (board, true),
            None => (trimmed, false),
        };
        let board = self.board.parse_position(board)?;
        if rolling && self.board.turn(&board) == Turn::Over {
            return Err(TextError::new("the game is over: no dice are rolled"));
        }
        Ok(State { board, rolling })
    }

    fn move_text(&self, state: &State<B>, mv: Move) -> String {
        match mv {
            Move::Step(step) => self.board.move_text(&state.board, step),
            Move::Roll => ROLL.to_string(),
            Move::Hit(square) => self.name(usize::from(square)),
            Move::Miss => MISS.to_string(),
        }
    }

    fn player_name(&self, player: Player) -> String {
        self.board.player_name(player)
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, the side to move, and 'roll' while the dice roll, e.g. 'bbb/3/3/www w' \
         for 3x4"
    }
}

impl<B: Bits> Draw for ChanceBreakthrough<B> {
    fn picture(&self, state: &State<B>, last: Option<Move>) -> Picture {
        let step = match last {
            Some(Move::Step(step)) => Some(step),
            _ => None,
        };
        let mut picture = self.board.picture(&state.board, step);
        if let Some(Move::Hit(square)) = last {
            let grid = self.board.grid();
            let (file, rank) = (
                usize::from(square) % grid.width,
                usize::from(square) / grid.width,
            );
            picture.mark(grid.place(file, rank));
        }
        picture
    }
}

/// The evaluation of Schadd (2011, section 5.4.1): 200 points for each piece and 50 for each rank
/// that the most advanced one has come, on a scale of 1500.
#[derive(Clone, Copy, Debug, Default)]
pub struct PiecesAndRank;

impl<B: Bits> Knowledge<ChanceBreakthrough<B>> for PiecesAndRank {
    fn evaluate(&self, game: &ChanceBreakthrough<B>, state: &State<B>, player: Player) -> i32 {
        if state.board.outcome() != Outcome::Open {
            return state.board.outcome().payoff(player) * (CERTAIN - 1);
        }
        let [white, black] = state.board.pieces();
        let grid = game.board.grid();
        let rank = |square: usize| (square / grid.width) as i32;
        let foremost = white.iter().last().map_or(0, rank);
        let hindmost = grid.height as i32 - 1 - rank(black.first());
        let points = |pieces: B, ranks: i32| 200 * pieces.count() as i32 + 50 * ranks;
        let ahead = points(white, foremost) - points(black, hindmost);
        let value = (ahead.clamp(-1500, 1500) * (CERTAIN / 1500)).clamp(1 - CERTAIN, CERTAIN - 1);
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }

    /// As in Breakthrough, the roll last.
    fn priority(&self, game: &ChanceBreakthrough<B>, state: &State<B>, mv: Move) -> i32 {
        match mv {
            Move::Step(step) => Advancement.priority(&game.board, &state.board, step),
            _ => -1,
        }
    }
}
