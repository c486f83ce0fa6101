//! SameGame (Moribe 1985), after Schadd (2011, chapter 3).
//!
//! A rectangle is filled with coloured blocks. A move takes away a group: two or more blocks of one
//! colour that hang together by their sides. Blocks above fall, and where a column has become empty
//! all columns to its right move to the left. A group of n blocks is worth (n-2)^2 points. The game
//! is over when no group is left. An empty board brings a bonus of 1000 points; otherwise, for each
//! colour, the blocks that are left over cost as much as one group of them would have been worth.
//!
//! Sizes, colours, the worth of groups, the bonus and the penalty are options: Jawbreaker pays
//! n(n-1) points, and with no points at all what remains is Clickomania, where only an empty board
//! counts.

mod board;
#[cfg(not(test))]
pub mod entry;
mod playout;
mod policy;
#[cfg(test)]
mod tests;
mod text;

use rand::{Rng, RngExt};
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Seed, Turn, zobrist,
};

use board::{Board, Cells, Packed};
use tabia_game::SizeError;

pub use board::{MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
pub use policy::{CandidateGroups, Spared, Tabu};

/// The highest bonus that can be asked for.
pub const MAX_BONUS: Payoff = 1_000_000;

/// Cells of a column in the numbering of moves.
const STRIDE: usize = 16;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Size(1, MAX_COLUMNS),
        default: "15x15",
        help: "columns and rows; at most 15 rows",
    },
    Parameter {
        key: "colours",
        kind: ParameterKind::Integer(2, MAX_COLOURS as i64),
        default: "5",
        help: "colours of the blocks",
    },
    Parameter {
        key: "score",
        kind: ParameterKind::Choice(&["standard", "product", "none"]),
        default: "standard",
        help: "what n blocks are worth: (n-2)^2, n(n-1) or nothing",
    },
    Parameter {
        key: "bonus",
        kind: ParameterKind::Integer(0, MAX_BONUS as i64),
        default: "1000",
        help: "points for an empty board",
    },
    Parameter {
        key: "penalty",
        kind: ParameterKind::Switch,
        default: "on",
        help: "whether the blocks left over of a colour cost what they would be worth as a group",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the board",
    },
];

/// What a group is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Score {
    /// (n-2)^2 points.
    #[default]
    Standard,
    /// n(n-1) points, as in Jawbreaker.
    Product,
    /// Nothing, as in Clickomania.
    None,
}

impl Score {
    /// What `n` blocks of a colour are worth: as a group, or against the player when they are left
    /// over. One block is no group, but it can be left over.
    #[inline]
    pub fn of(self, n: u32) -> Payoff {
        let n = n as Payoff;
        match self {
            _ if n == 0 => 0,
            Score::Standard => (n - 2) * (n - 2),
            Score::Product => n * (n - 1),
            Score::None => 0,
        }
    }

    /// The most that `n` blocks of a colour can bring, however they are taken away: all at once.
    /// Every kind of score pays at least as much for a large group as for two smaller ones.
    #[inline]
    fn most(self, n: u32) -> Payoff {
        if n < 2 { 0 } else { self.of(n) }
    }
}

/// The rules, and the board to start with.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_puzzles::samegame::SameGame;
///
/// let game = SameGame::new(4, 3, 3)?;
/// let mut state = game.parse_position("0112/0012/2222").expect("a board");
/// // The six blocks of colour 2 at the bottom and on the right.
/// let group = game.parse_move(&state, "a1").expect("a group");
/// game.play(&mut state, group);
/// assert_eq!(game.position_text(&state), "..../011./001. 16");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SameGame {
    columns: usize,
    rows: usize,
    colours: usize,
    score: Score,
    bonus: Payoff,
    penalty: bool,
    start: State,
}

/// A position: the blocks, and what the groups taken away were worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    board: Board,
    points: Payoff,
}

impl State {
    /// What the groups taken away were worth, without bonus and penalty.
    pub fn points(&self) -> Payoff {
        self.points
    }

    /// How many blocks of each colour there are.
    pub fn counts(&self) -> [u16; MAX_COLOURS] {
        self.board.counts()
    }
}

/// The group that a cell belongs to. A legal move names the group's first cell: the lowest one of
/// its leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    #[inline]
    fn new(column: usize, row: usize) -> Move {
        Move((STRIDE * column + row) as u16)
    }

    /// The column, counted from the left.
    #[inline]
    pub fn column(self) -> usize {
        usize::from(self.0) / STRIDE
    }

    /// The row, counted from the bottom.
    #[inline]
    pub fn row(self) -> usize {
        usize::from(self.0) % STRIDE
    }
}

/// A move with what policies want to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The move that takes the group away.
    pub mv: Move,
    /// The colour of its blocks.
    pub colour: u8,
    /// How many they are.
    pub size: u16,
}

impl SameGame {
    /// A game on this many columns and rows with this many colours, with the usual score and the
    /// board of seed 0.
    pub fn new(columns: usize, rows: usize, colours: usize) -> Result<SameGame, SizeError> {
        if !(1..=MAX_COLUMNS).contains(&columns) || !(1..=MAX_ROWS).contains(&rows) {
            return Err(SizeError(format!(
                "a board of {columns}x{rows} is not possible: 1 to {MAX_COLUMNS} columns and 1 to \
                 {MAX_ROWS} rows"
            )));
        }
        if !(2..=MAX_COLOURS).contains(&colours) {
            return Err(SizeError(format!(
                "{colours} colours are not possible: 2 to {MAX_COLOURS}"
            )));
        }
        let game = SameGame {
            columns,
            rows,
            colours,
            score: Score::Standard,
            bonus: 1000,
            penalty: true,
            start: State {
                board: Board::EMPTY,
                points: 0,
            },
        };
        Ok(game.seeded(0))
    }

    /// The game that the values of [`PARAMETERS`] describe.
    pub fn from_values(values: &OptionValues) -> Result<SameGame, OptionError> {
        let whole = |key| usize::try_from(values.integer(key)).unwrap_or(usize::MAX);
        let (columns, rows) = values.size("size");
        let game = SameGame::new(columns, rows, whole("colours"))
            .map_err(|error| OptionError::new(format!("samegame: {error}")))?;
        let score = match values.word("score") {
            "product" => Score::Product,
            "none" => Score::None,
            _ => Score::Standard,
        };
        let bonus = Payoff::try_from(values.integer("bonus")).unwrap_or(MAX_BONUS);
        Ok(game
            .scored(score, bonus, values.switch("penalty"))
            .seeded(values.integer("seed").unsigned_abs()))
    }

    /// The same board with another score: what groups are worth, the bonus for an empty board (at
    /// most [`MAX_BONUS`]), and whether blocks left over cost anything.
    pub fn scored(self, score: Score, bonus: Payoff, penalty: bool) -> SameGame {
        SameGame {
            score,
            bonus: bonus.clamp(0, MAX_BONUS),
            penalty,
            ..self
        }
    }

    /// The same rules with another random board to start with: every colour is equally likely
    /// everywhere.
    pub fn seeded(mut self, seed: u64) -> SameGame {
        self.start = self.random_board(&mut Seed::new(seed).rng());
        self
    }

    /// The same rules with this board to start with, which must be one of this game.
    pub fn starting_with(self, start: State) -> SameGame {
        SameGame { start, ..self }
    }

    /// A board filled at random.
    pub fn random_board<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        let mut board = Board::EMPTY;
        for cell in 0..self.columns * self.rows {
            let colour = rng.random_range(0..self.colours);
            board.put(cell / self.rows, cell % self.rows, colour);
        }
        State { board, points: 0 }
    }

    /// Columns of the board.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of the board.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Colours that blocks may have.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// Appends all groups, in the order of [`Game::moves`].
    pub fn groups(&self, state: &State, out: &mut Vec<Group>) {
        self.each_group(state, |mv, colour, cells| {
            out.push(Group {
                mv,
                colour: colour as u8,
                size: cells.len() as u16,
            });
        });
    }

    /// The colour of the group that a move takes away.
    #[inline]
    pub fn colour(&self, state: &State, mv: Move) -> Option<u8> {
        let colour = state.board.colour(mv.column(), mv.row());
        colour.map(|colour| colour as u8)
    }

    /// How many blocks a move takes away.
    pub fn size(&self, state: &State, mv: Move) -> u32 {
        cells_of(state, mv).map_or(0, |cells| cells.len())
    }

    /// The decimal logarithm of the number of ways to fill the columns, each with any number of
    /// blocks (Schadd 2011, section 3.1.2).
    pub fn state_space(&self) -> f64 {
        let colours = self.colours as f64;
        let column: f64 = (0..=self.rows as i32).map(|n| colours.powi(n)).sum();
        self.columns as f64 * column.log10()
    }

    #[inline]
    fn each_group(&self, state: &State, visit: impl FnMut(Move, usize, &Cells)) {
        let board = &state.board;
        board.each_group(0..board.width(), &mut Packed::default(), visit);
    }

    /// The most that blocks of these colours can still bring: every colour goes in one group, and
    /// the board is cleared unless a colour has a single block.
    #[inline]
    fn outlook(&self, counts: &[u32; MAX_COLOURS]) -> Payoff {
        let groups: Payoff = counts.iter().map(|&n| self.score.most(n)).sum();
        groups + if counts.contains(&1) { 0 } else { self.bonus }
    }

    /// Bonus or penalty of a finished game.
    fn settlement(&self, state: &State) -> Payoff {
        if state.board.columns[0] == 0 {
            self.bonus
        } else if self.penalty {
            let counts = state.board.counts();
            -counts
                .iter()
                .map(|&n| self.score.of(u32::from(n)))
                .sum::<Payoff>()
        } else {
            0
        }
    }
}

/// The group of the cell that a move names.
#[inline]
fn cells_of(state: &State, mv: Move) -> Option<Cells> {
    let (column, row) = (mv.column(), mv.row());
    let colour = state.board.colour(column, row)?;
    state.board.group(column, row, colour, false)
}

impl Game for SameGame {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.board.has_group() {
            Turn::Player(Player::FIRST)
        } else {
            Turn::Over
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.each_group(state, |mv, _, _| out.push(mv));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> State {
        let before = *state;
        if let Some(cells) = cells_of(state, mv) {
            state.points += self.score.of(cells.len());
            state.board.remove(&cells);
        }
        before
    }

    #[inline]
    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }

    fn payoff(&self, state: &State, _: Player) -> Payoff {
        state.points + self.settlement(state)
    }

    /// Taking everything away at once, or leaving everything over; leaving single blocks over costs
    /// a point each.
    fn max_payoff(&self) -> Payoff {
        let cells = (self.columns * self.rows) as u32;
        self.score.most(cells).max(cells as Payoff) + self.bonus
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }

    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        _: &mut Vec<Move>,
        rng: &mut R,
    ) -> u32 {
        self.play_out(state, plies, None, rng, |_| ())
    }
}

impl Key for SameGame {
    /// The blocks alone: points already won change nothing about those to come.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let columns = state
            .board
            .columns
            .iter()
            .take_while(|&&column| column != 0);
        (1..).zip(columns).fold(0, |key: u64, (place, &column)| {
            // The lanes of a column leave sixteen bits for its place.
            key.wrapping_add(zobrist::mix(column | place << 48))
        })
    }
}

impl MoveIndex for SameGame {
    fn move_indices(&self) -> usize {
        STRIDE * self.columns
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

impl OnePlayer for SameGame {
    fn earned(&self, state: &State) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.payoff(state, Player::FIRST),
            _ => state.points,
        }
    }

    /// The over-estimator of Schadd (2011, section 3.2): every colour goes in one group, and the
    /// board is cleared unless a colour has a single block, which no move takes away.
    fn most(&self, state: &State) -> Payoff {
        if self.turn(state) == Turn::Over {
            return self.payoff(state, Player::FIRST);
        }
        state.points + self.outlook(&state.board.counts().map(u32::from))
    }

    /// A move changes the count of one colour, so none has to be played. Of a game that it ends
    /// this may promise too much.
    fn promises(&self, state: &mut State, _: &mut Vec<Move>, out: &mut Vec<(Payoff, Move)>) {
        let mut counts = state.board.counts().map(u32::from);
        self.each_group(state, |mv, colour, cells| {
            let size = cells.len();
            counts[colour] -= size;
            let payoff = state.points + self.score.of(size) + self.outlook(&counts);
            counts[colour] += size;
            out.push((payoff, mv));
        });
    }
}
