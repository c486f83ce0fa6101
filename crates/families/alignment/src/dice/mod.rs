//! Dice (Hauk 2004, chapter 4): k in a row on an m by m board, where a die of m sides says in which
//! line to place.
//!
//! Before each move the die is cast: X must place a stone in the rank it shows, O in the file. The
//! thesis leaves open what happens when that line is full. Here the turn passes to the other side,
//! or with another rule the die is cast again. A full board is a draw; more than k in a row win,
//! too.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
#[cfg(test)]
mod tests;

use rand::{Rng, RngExt};
use tabia_game::bits::Bits;
use tabia_game::grid::{file_letter, parse_side};
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{
    Chance, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Stochastic, Text,
    TextError, Turn, TwoPlayer, zobrist,
};

pub use evaluation::{PairCount, Usable};

use crate::mnk::{self, Mnk, Place};
use tabia_game::{Outcome, SizeError};

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "m",
        kind: ParameterKind::Integer(2, 17),
        default: "7",
        help: "files, ranks and sides of the die",
    },
    Parameter {
        key: "k",
        kind: ParameterKind::Integer(1, 17),
        default: "4",
        help: "number in a row that wins",
    },
    Parameter {
        key: "full",
        kind: ParameterKind::Choice(&["pass", "reroll"]),
        default: "pass",
        help: "what happens when the line is full",
    },
];

static ROLLED: [u64; 18] = zobrist::table(0xd1ce);

/// What happens when the line that the die shows is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullLine {
    /// The turn passes to the other side.
    Pass,
    /// The die is cast again.
    Reroll,
}

/// The rules. `B` must have room for (m + 1) m bits.
#[derive(Clone, Debug)]
pub struct Dice<B> {
    board: Mnk<B>,
    full: FullLine,
    /// The squares of each rank, and of each file.
    lines: [Vec<B>; 2],
    /// How many pairs there can be at most.
    most_pairs: i32,
}

/// A position, before the cast of the die or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<B> {
    board: mnk::State<B>,
    rolled: Option<u8>,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The die shows this line, counted from zero.
    Roll(u8),
    /// A stone is placed.
    Place(Place),
}

impl<B: Bits> Dice<B> {
    /// A game on a board of `m` by `m`.
    pub fn new(m: usize, k: usize, full: FullLine) -> Result<Dice<B>, SizeError> {
        let board = Mnk::new(m, m, k)?;
        let line = |upright: bool, at: usize| {
            (0..m).fold(B::EMPTY, |line, i| {
                let (file, rank) = if upright { (at, i) } else { (i, at) };
                line | B::bit(board.bit(file, rank))
            })
        };
        let lines = [false, true].map(|upright| (0..m).map(|at| line(upright, at)).collect());
        let mut game = Dice {
            board,
            full,
            lines,
            most_pairs: 0,
        };
        // Stones of one colour everywhere make all the pairs of neighbours; half as many stones
        // make fewer pairs over a gap than there are places for them.
        game.most_pairs = game.neighbours(game.board.full) + game.gaps();
        Ok(game)
    }

    /// The empty squares of the line that was cast.
    #[inline]
    fn open(&self, state: &State<B>, line: u8) -> B {
        let mover = state.board.mover();
        self.lines[mover.index()][usize::from(line)] & self.board.empty(&state.board)
    }

    fn sides(&self) -> u8 {
        self.lines[0].len() as u8
    }

    /// What the die may show.
    fn rolls<'a>(&'a self, state: &'a State<B>) -> impl Iterator<Item = u8> + 'a {
        let any = self.full == FullLine::Pass;
        (0..self.sides()).filter(move |&line| any || !self.open(state, line).is_empty())
    }

    fn roll_text(mover: Player, line: u8) -> String {
        match mover {
            Player::FIRST => (line + 1).to_string(),
            _ => file_letter(usize::from(line)).to_string(),
        }
    }

    /// Reads a line: a rank for X, a file for O.
    fn parse_roll(&self, state: &State<B>, word: &str) -> Result<u8, TextError> {
        let mover = state.board.mover();
        let found = (0..self.sides()).find(|&line| Self::roll_text(mover, line) == word);
        let line = found.ok_or_else(|| {
            let last = Self::roll_text(mover, self.sides() - 1);
            let (what, first) = match mover {
                Player::FIRST => ("rank", "1"),
                _ => ("file", "a"),
            };
            TextError::new(format!(
                "'{word}' is no cast of the die: it shows a {what}, {first} to {last}"
            ))
        })?;
        if self.open(state, line).is_empty() {
            return Err(TextError::new(format!(
                "there is no room in the line '{word}' that the die shows"
            )));
        }
        Ok(line)
    }
}

impl<B: Bits> Game for Dice<B> {
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
            rolled: None,
        }
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match (self.board.turn(&state.board), state.rolled) {
            (Turn::Player(_), None) => Turn::Chance,
            (turn, _) => turn,
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Move>) {
        match (self.turn(state), state.rolled) {
            (Turn::Chance, _) => out.extend(self.rolls(state).map(Move::Roll)),
            (Turn::Player(_), Some(line)) => {
                let open = self.open(state, line);
                out.extend(open.iter().map(|bit| Move::Place(Place::at(bit))));
            }
            _ => {}
        }
    }

    #[inline]
    fn play(&self, state: &mut State<B>, mv: Move) -> State<B> {
        let old = *state;
        match mv {
            Move::Roll(line) if self.open(state, line).is_empty() => state.board.pass(),
            Move::Roll(line) => state.rolled = Some(line),
            Move::Place(place) => {
                self.board.play(&mut state.board, place);
                state.rolled = None;
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

impl<B: Bits> TwoPlayer for Dice<B> {}

impl<B: Bits> Chance for Dice<B> {
    fn outcomes(&self, state: &State<B>, out: &mut Vec<(Move, u64)>) {
        out.extend(self.rolls(state).map(|line| (Move::Roll(line), 1)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State<B>, rng: &mut R) -> Move {
        let count = self.rolls(state).count().max(1);
        let drawn = self.rolls(state).nth(rng.random_range(0..count));
        Move::Roll(drawn.unwrap_or(0))
    }
}

impl<B: Bits> Key for Dice<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        let rolled = state.rolled.map_or(0, |line| ROLLED[usize::from(line)]);
        self.board.key(&state.board) ^ rolled
    }
}

impl<B: Bits> MoveIndex for Dice<B> {
    fn move_indices(&self) -> usize {
        self.board.move_indices() + usize::from(self.sides())
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Place(place) => self.board.move_index(place),
            Move::Roll(line) => self.board.move_indices() + usize::from(line),
        }
    }
}

impl<B: Bits> Text for Dice<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let board = self.board.position_text(&state.board);
        match state.rolled {
            Some(line) => format!("{board} {}", Self::roll_text(state.board.mover(), line)),
            None => board,
        }
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        // The cast of the die may follow the side to move. On wide boards there is a file o, too.
        let words: Vec<&str> = text.split_whitespace().collect();
        let cast = match words[..] {
            [_, side, cast] if is_side(side) => Some(cast),
            [.., side, cast] if is_side(side) && !is_side(cast) => Some(cast),
            _ => None,
        };
        let board = match cast {
            Some(cast) => text.trim_end().strip_suffix(cast).unwrap_or(text),
            None => text,
        };
        let mut state = State {
            board: self.board.parse_position(board)?,
            rolled: None,
        };
        if let Some(cast) = cast {
            if self.turn(&state) != Turn::Chance {
                return Err(TextError::new("the game is over: no die is cast"));
            }
            state.rolled = Some(self.parse_roll(&state, cast)?);
        }
        Ok(state)
    }

    fn move_text(&self, state: &State<B>, mv: Move) -> String {
        match mv {
            Move::Roll(line) => Self::roll_text(state.board.mover(), line),
            Move::Place(place) => self.board.move_text(&state.board, place),
        }
    }

    fn player_name(&self, player: Player) -> String {
        self.board.player_name(player)
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, the side to move, and what the die shows if it was cast: a rank for X, \
         a file for O, e.g. 'x.o/.x./... o b' for 3x3"
    }
}

fn is_side(word: &str) -> bool {
    parse_side(&[word], ['x', 'o']).is_ok()
}

impl<B: Bits> Draw for Dice<B> {
    fn picture(&self, state: &State<B>, last: Option<Move>) -> Picture {
        let placed = match last {
            Some(Move::Place(place)) => Some(place),
            _ => None,
        };
        let mut picture = self.board.picture(&state.board, placed);
        if let Some(line) = state.rolled {
            for bit in self.open(state, line).iter() {
                picture.mark(self.board.place(bit));
            }
        }
        picture
    }
}

/// The result of a position, for the evaluations.
impl<B: Bits> State<B> {
    fn outcome(&self) -> Outcome {
        self.board.outcome()
    }
}
