//! Connect Four of any size: two players drop discs into columns, and k in a row wins.
//!
//! The board of the shops has seven columns and six rows, and four in a row win; Allis (1988)
//! proved it a win for the first player. The bitboard is that of Tromp's Fhourstones: columns lie
//! one after the other, each with one guard bit on top that is never set, so that a shift finds
//! neighbours in every direction and no line runs around an edge.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
#[cfg(test)]
mod tests;

use rand::Rng;
use tabia_game::bits::Bits;
use tabia_game::grid::{Grid, file_letter, parse_side};
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Quick, Symmetric,
    Text, TextError, Turn, TwoPlayer,
};

pub use evaluation::Threats;

use crate::mnk::mover_by_count;
use crate::rows::runs;
use tabia_game::{Outcome, SizeError};

const LETTERS: [char; 2] = ['x', 'o'];
const COLOURS: [Colour; 2] = [Colour::Red, Colour::Yellow];
const MAX_COLUMNS: usize = 26;
const MAX_BITS: usize = 128;

static KEYS: [[u64; MAX_BITS]; 2] = [zobrist::table(0xc4_01), zobrist::table(0xc4_02)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Size(1, MAX_COLUMNS),
        default: "7x6",
        help: "columns and rows",
    },
    Parameter {
        key: "k",
        kind: ParameterKind::Integer(1, MAX_COLUMNS as i64),
        default: "4",
        help: "number in a row that wins",
    },
];

/// Whether `B` has room for a board of this size: each column takes its rows and a guard bit.
///
/// ```
/// use tabia_alignment::connect4::fits;
/// assert!(fits::<u64>(7, 6) && !fits::<u64>(8, 8) && fits::<u128>(8, 8));
/// ```
pub fn fits<B: Bits>(columns: usize, rows: usize) -> bool {
    columns.saturating_mul(rows.saturating_add(1)) <= limit::<B>()
}

fn limit<B: Bits>() -> usize {
    B::WIDTH.min(MAX_BITS)
}

/// The rules: a board and how many in a row win. See [`fits`] for the width of `B`.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_alignment::connect4::Connect4;
///
/// let game = Connect4::<u64>::new(7, 6, 4)?;
/// let mut state = game.start();
/// for text in ["4", "4", "d"] {
///     let drop = game.parse_move(&state, text).expect("a legal move");
///     game.play(&mut state, drop);
/// }
/// assert_eq!(game.position_text(&state), "7/7/7/3x3/3o3/3x3 o");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Connect4<B> {
    grid: Grid,
    k: usize,
    /// From a bit to its neighbour, in each direction in which k squares fit on the board.
    steps: Vec<usize>,
    /// Whether it is the board of the shops, on which shifts are written out for speed.
    usual: bool,
    /// The squares of the first column.
    column: B,
    /// The lowest squares of all columns.
    bottom: B,
    /// The highest ones.
    top: B,
    /// The squares of the first, third, fifth ... row.
    odd_rows: B,
    full: B,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    discs: [B; 2],
    mover: Player,
    outcome: Outcome,
    key: u64,
}

/// A disc is dropped into this column, counted from zero on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Drop(u8);

impl<B: Bits> State<B> {
    #[inline]
    fn occupied(&self) -> B {
        self.discs[0] | self.discs[1]
    }
}

impl<B: Bits> Connect4<B> {
    /// A game on this many columns and rows, won by `k` in a row.
    pub fn new(columns: usize, rows: usize, k: usize) -> Result<Connect4<B>, SizeError> {
        if !(1..=MAX_COLUMNS).contains(&columns) || rows == 0 {
            return Err(SizeError(format!(
                "a board of {columns}x{rows} is not possible: at least one square and at most \
                 {MAX_COLUMNS} columns"
            )));
        }
        if !fits::<B>(columns, rows) {
            return Err(SizeError(format!(
                "a board of {columns}x{rows} is too large: columns x (rows + 1) may be {} at most",
                limit::<B>()
            )));
        }
        if k == 0 || k > columns.max(rows) {
            return Err(SizeError(format!(
                "k is {k}: a row of the {columns}x{rows} board has 1 to {} squares",
                columns.max(rows)
            )));
        }
        let stride = rows + 1;
        let (across, upright) = (columns >= k, rows >= k);
        let steps = [
            (1, upright),
            (stride, across),
            (stride - 1, across && upright),
            (stride + 1, across && upright),
        ];
        let column = (0..rows).fold(B::EMPTY, |set, rank| set | B::bit(rank));
        let all =
            |part: B| (0..columns).fold(B::EMPTY, |set, column| set | (part << (column * stride)));
        Ok(Connect4 {
            grid: Grid {
                width: columns,
                height: rows,
            },
            k,
            steps: steps
                .into_iter()
                .filter_map(|(step, fits)| fits.then_some(step))
                .collect(),
            usual: (columns, rows, k) == (7, 6, 4),
            column,
            bottom: all(B::bit(0)),
            top: all(B::bit(rows - 1)),
            odd_rows: all((0..rows)
                .step_by(2)
                .fold(B::EMPTY, |set, r| set | B::bit(r))),
            full: all(column),
        })
    }

    #[inline]
    fn stride(&self) -> usize {
        self.grid.height + 1
    }

    #[inline]
    fn bit(&self, column: usize, rank: usize) -> usize {
        column * self.stride() + rank
    }

    #[inline(always)]
    fn has_line(&self, discs: B) -> bool {
        if self.usual {
            let [upright, across, falling, rising] = [1, 7, 6, 8].map(|step| runs(discs, step, 4));
            return !(upright | across | falling | rising).is_empty();
        }
        self.has_some_line(discs)
    }

    #[inline(never)]
    fn has_some_line(&self, discs: B) -> bool {
        let mut runs = self.steps.iter().map(|&step| runs(discs, step, self.k));
        runs.any(|run| !run.is_empty())
    }

    /// The squares on which the next disc of each column comes to rest.
    #[inline]
    fn landings(&self, occupied: B) -> B {
        ((occupied << 1) | self.bottom) & self.full & !occupied
    }

    /// The square on which a disc dropped into this column comes to rest; none if it is full.
    #[inline]
    fn landing(&self, occupied: B, column: usize) -> B {
        self.landings(occupied) & (self.column << (column * self.stride()))
    }

    /// The discs of each side as a position; an error where they contradict the rules.
    fn set_up(&self, discs: [B; 2], mover: Player) -> Result<State<B>, TextError> {
        let outcome = match discs.map(|own| self.has_line(own)) {
            [true, true] => {
                return Err(TextError::new(format!(
                    "both sides have {} in a row",
                    self.k
                )));
            }
            [true, false] => Outcome::Won(Player::FIRST),
            [false, true] => Outcome::Won(Player::SECOND),
            _ if discs[0] | discs[1] == self.full => Outcome::Drawn,
            _ => Outcome::Open,
        };
        Ok(State {
            discs,
            mover,
            outcome,
            key: zobrist::position_key(&KEYS, discs, mover),
        })
    }

    fn owner(&self, state: &State<B>, column: usize, rank: usize) -> Option<Player> {
        let bit = self.bit(column, rank);
        [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|p| state.discs[p.index()].has(bit))
    }
}

impl<B: Bits> Game for Connect4<B> {
    type State = State<B>;
    type Move = Drop;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        State {
            discs: [B::EMPTY; 2],
            mover: Player::FIRST,
            outcome: Outcome::Open,
            key: 0,
        }
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Drop>) {
        if state.outcome == Outcome::Open {
            let occupied = state.occupied();
            let top = self.grid.height - 1;
            let open = (0..self.grid.width).filter(|&c| !occupied.has(self.bit(c, top)));
            out.extend(open.map(|column| Drop(column as u8)));
        }
    }

    fn play(&self, state: &mut State<B>, Drop(column): Drop) -> State<B> {
        let old = *state;
        let disc = self.landing(old.occupied(), usize::from(column));
        self.put(state, disc);
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }

    /// A landing square is drawn.
    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State<B>,
        plies: u32,
        _: &mut Vec<Drop>,
        rng: &mut R,
    ) -> u32 {
        let mut luck = Quick::new(rng);
        // Boards in registers: a state in memory would be waited for at every move.
        let mut mover = state.mover;
        let mut own = state.discs[mover.index()];
        let mut other = state.discs[mover.other().index()];
        let mut key = state.key;
        let mut played = 0;
        while played < plies && state.outcome == Outcome::Open {
            let disc = self.draw(own | other, &mut luck);
            own |= disc;
            key ^= KEYS[mover.index()][disc.first()] ^ zobrist::SECOND_TO_MOVE;
            if self.has_line(own) {
                state.outcome = Outcome::Won(mover);
            } else if own | other == self.full {
                state.outcome = Outcome::Drawn;
            }
            (own, other) = (other, own);
            mover = mover.other();
            played += 1;
        }
        state.discs[mover.index()] = own;
        state.discs[mover.other().index()] = other;
        state.mover = mover;
        state.key = key;
        played
    }
}

impl<B: Bits> Connect4<B> {
    /// A landing square, each with the same probability.
    #[inline]
    fn draw(&self, occupied: B, luck: &mut Quick) -> B {
        let mut landings = self.landings(occupied);
        // Before a column is full, the draw need not wait for the last move: its number is that of
        // the column.
        if (occupied & self.top).is_empty() {
            let column = luck.below(self.grid.width as u32) as usize;
            return landings & (self.column << (column * self.stride()));
        }
        let count = landings.count() as u32;
        let number = luck.below(count);
        for place in 1..count {
            let rest = landings.without_first();
            landings = if place <= number { rest } else { landings };
        }
        B::bit(landings.first())
    }

    /// Puts a disc of the mover on a landing square.
    #[inline]
    fn put(&self, state: &mut State<B>, disc: B) {
        let (occupied, mover) = (state.occupied(), state.mover);
        let own = &mut state.discs[mover.index()];
        *own |= disc;
        state.key ^= KEYS[mover.index()][disc.first()] ^ zobrist::SECOND_TO_MOVE;
        state.mover = mover.other();
        if self.has_line(*own) {
            state.outcome = Outcome::Won(mover);
        } else if occupied | disc == self.full {
            state.outcome = Outcome::Drawn;
        }
    }
}

impl<B: Bits> TwoPlayer for Connect4<B> {}

impl<B: Bits> Key for Connect4<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Connect4<B> {
    fn move_indices(&self) -> usize {
        self.grid.width
    }

    #[inline]
    fn move_index(&self, Drop(column): Drop) -> usize {
        usize::from(column)
    }
}

/// Discs fall downwards, so only the mirror image from left to right is the same game.
impl<B: Bits> Symmetric for Connect4<B> {
    fn symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        if symmetry == 0 {
            return *state;
        }
        let last = self.grid.width - 1;
        let discs = state.discs.map(|own| {
            (0..=last).fold(B::EMPTY, |image, column| {
                let discs = (own >> (column * self.stride())) & self.column;
                image | (discs << ((last - column) * self.stride()))
            })
        });
        State {
            discs,
            key: zobrist::position_key(&KEYS, discs, state.mover),
            ..*state
        }
    }

    fn map_move(&self, Drop(column): Drop, symmetry: usize) -> Drop {
        let (column, _) = self.grid.map(symmetry & 1, usize::from(column), 0);
        Drop(column as u8)
    }
}

impl<B: Bits> Text for Connect4<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self
            .grid
            .write(|c, r| self.owner(state, c, r).map(|p| LETTERS[p.index()]));
        format!("{rows} {}", LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let rows = self.grid.parse(text, LETTERS)?;
        let mut discs = [B::EMPTY; 2];
        for column in 0..self.grid.width {
            for rank in 0..self.grid.height {
                let Some(player) = rows.at(column, rank) else {
                    continue;
                };
                if rank > 0 && rows.at(column, rank - 1).is_none() {
                    return Err(TextError::new(format!(
                        "the disc on {} floats: {} below it is empty",
                        self.grid.name(column, rank),
                        self.grid.name(column, rank - 1)
                    )));
                }
                discs[player.index()] |= B::bit(self.bit(column, rank));
            }
        }
        let mover = match parse_side(&rows.rest, LETTERS)? {
            Some(mover) => mover,
            None => mover_by_count(discs.map(Bits::count))?,
        };
        self.set_up(discs, mover)
    }

    fn move_text(&self, _: &State<B>, Drop(column): Drop) -> String {
        (column + 1).to_string()
    }

    /// Reads the number of a column, or its letter.
    fn parse_move(&self, state: &State<B>, text: &str) -> Result<Drop, TextError> {
        if state.outcome != Outcome::Open {
            return Err(TextError::new(format!(
                "'{text}' cannot be played: the game is over"
            )));
        }
        let word = text.trim().to_ascii_lowercase();
        let column = match word.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(usize::from(letter - b'a')),
            _ => word.parse().ok().and_then(|n: usize| n.checked_sub(1)),
        };
        let column = column.filter(|&c| c < self.grid.width).ok_or_else(|| {
            TextError::new(format!(
                "'{text}' is no column: columns are 1 to {}, or a to {}",
                self.grid.width,
                file_letter(self.grid.width - 1)
            ))
        })?;
        if self.landing(state.occupied(), column).is_empty() {
            return Err(TextError::new(format!("column {} is full", column + 1)));
        }
        Ok(Drop(column as u8))
    }

    fn player_name(&self, player: Player) -> String {
        LETTERS[player.index() % 2].to_ascii_uppercase().to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. '7/7/7/3o3/3x3/2oxx2 o' for 7x6"
    }
}

impl<B: Bits> Draw for Connect4<B> {
    /// Columns carry the numbers by which they are played.
    fn picture(&self, state: &State<B>, last: Option<Drop>) -> Picture {
        let mut picture = Picture::default();
        for column in 0..self.grid.width {
            for rank in 0..self.grid.height {
                let at = self.grid.place(column, rank);
                picture.cell(at.0, at.1, Shade::Light);
                if let Some(player) = self.owner(state, column, rank) {
                    let (letter, colour) = (LETTERS[player.index()], COLOURS[player.index()]);
                    picture.piece(at, letter, colour, Body::Disc);
                }
            }
            let below = self.grid.height as f32;
            picture.label(column as f32, below, (column + 1).to_string());
        }
        if let Some(Drop(column)) = last {
            let column = usize::from(column);
            let mut ranks = (0..self.grid.height).rev();
            let top = ranks.find(|&rank| self.owner(state, column, rank).is_some());
            if let Some(rank) = top {
                picture.mark(self.grid.place(column, rank));
            }
        }
        picture
    }
}
