//! Breakthrough of any size (Troyka 2000): whoever first brings a piece to the far rank wins.
//!
//! Each side fills its two nearest ranks. A piece steps one square straight or diagonally forward
//! onto an empty square, or captures diagonally forward; it never captures straight ahead. A side
//! without pieces has lost.
//!
//! There are no draws, since every move brings a piece nearer to its goal, and the side to move is
//! never without a move, not even in composed positions: on the rank ahead of its most advanced
//! piece stands none of its own, and on a board of two or more files that piece has a diagonal
//! square there, which is either empty or holds a piece to capture.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod sight;
#[cfg(test)]
mod tests;

use rand::{Rng, RngExt};
use tabia_game::bits::Bits;
use tabia_game::grid::{Grid, parse_side};
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::picture::{Body, Colour};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Symmetric, Text,
    TextError, Turn, TwoPlayer,
};

pub use evaluation::Advancement;
pub use sight::SettledByArrival;

use tabia_game::{Outcome, SizeError};

const LETTERS: [char; 2] = ['w', 'b'];
const NAMES: [&str; 2] = ["White", "Black"];
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];
const MIN_WIDTH: usize = 2;
const MAX_WIDTH: usize = 26;
const FILLED: usize = 2;
const MAX_BITS: usize = 128;

static KEYS: [[u64; MAX_BITS]; 2] = [zobrist::table(0xb7_01), zobrist::table(0xb7_02)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "size",
    kind: ParameterKind::Size(MIN_WIDTH, MAX_WIDTH),
    default: "8x8",
    help: "files and ranks, at least four ranks",
}];

/// Whether `B` has room for a board of this size.
///
/// ```
/// use tabia_breakthrough::breakthrough::fits;
/// assert!(fits::<u64>(8, 8) && !fits::<u64>(9, 8) && fits::<u128>(9, 8));
/// ```
pub fn fits<B: Bits>(width: usize, height: usize) -> bool {
    width.saturating_mul(height) <= limit::<B>()
}

fn limit<B: Bits>() -> usize {
    B::WIDTH.min(MAX_BITS)
}

/// The rules: a board. See [`fits`] for the width of `B`.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_breakthrough::breakthrough::Breakthrough;
///
/// let game = Breakthrough::<u64>::new(5, 5)?;
/// let mut state = game.start();
/// for text in ["a2-a3", "b4xa3"] {
///     let step = game.parse_move(&state, text).expect("a legal move");
///     game.play(&mut state, step);
/// }
/// assert_eq!(game.position_text(&state), "bbbbb/b1bbb/b4/1wwww/wwwww w");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Breakthrough<B> {
    grid: Grid,
    /// Ranks that each side fills at the start.
    filled: usize,
    not_first_file: B,
    not_last_file: B,
    /// The squares of the first rank.
    rank: B,
    /// Where each side wants to go.
    goals: [B; 2],
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    pieces: [B; 2],
    mover: Player,
    outcome: Outcome,
    key: u64,
}

/// What the game with chance needs to see and do.
impl<B: Bits> State<B> {
    #[inline]
    pub(crate) fn pieces(&self) -> [B; 2] {
        self.pieces
    }

    #[inline]
    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The other side is to move.
    pub(crate) fn pass(&mut self) {
        self.mover = self.mover.other();
        self.key ^= zobrist::SECOND_TO_MOVE;
    }

    /// Removes what stands on a square. A side without pieces has lost.
    pub(crate) fn remove(&mut self, square: usize) {
        for side in [Player::FIRST, Player::SECOND] {
            let own = &mut self.pieces[side.index()];
            if own.has(square) {
                *own ^= B::bit(square);
                self.key ^= KEYS[side.index()][square];
                if own.is_empty() {
                    self.outcome = Outcome::Won(side.other());
                }
            }
        }
    }
}

/// A piece moves from one square to another; squares are numbered rank by rank from `a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    from: u8,
    to: u8,
}

/// Pieces that can go in each direction.
struct Ways<B> {
    left: B,
    straight: B,
    right: B,
}

impl<B: Bits> Breakthrough<B> {
    /// A game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize) -> Result<Breakthrough<B>, SizeError> {
        Breakthrough::filled(width, height, FILLED)
    }

    /// A game in which each side fills this many ranks.
    pub(crate) fn filled(
        width: usize,
        height: usize,
        filled: usize,
    ) -> Result<Breakthrough<B>, SizeError> {
        // The ranks of both sides must not overlap.
        let least = 2 * filled;
        if !(MIN_WIDTH..=MAX_WIDTH).contains(&width) || height < least {
            return Err(SizeError(format!(
                "a board of {width}x{height} is not possible: {MIN_WIDTH} to {MAX_WIDTH} files and \
                 at least {least} ranks"
            )));
        }
        if !fits::<B>(width, height) {
            return Err(SizeError(format!(
                "a board of {width}x{height} is too large: files x ranks may be {} at most",
                limit::<B>()
            )));
        }
        let rank = (0..width).fold(B::EMPTY, |set, file| set | B::bit(file));
        let file = (0..height).fold(B::EMPTY, |set, rank| set | B::bit(rank * width));
        let full = (0..height).fold(B::EMPTY, |set, r| set | (rank << (r * width)));
        Ok(Breakthrough {
            grid: Grid { width, height },
            filled,
            not_first_file: full & !file,
            not_last_file: full & !(file << (width - 1)),
            rank,
            goals: [rank << (width * (height - 1)), rank],
        })
    }

    fn bit(&self, file: usize, rank: usize) -> usize {
        rank * self.grid.width + file
    }

    fn square(&self, bit: usize) -> (usize, usize) {
        (bit % self.grid.width, bit / self.grid.width)
    }

    /// The board.
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// The squares one rank ahead of each of these, in the same file. Beyond the last rank there
    /// may be bits to spare, on which no piece ever stands.
    #[inline]
    fn ahead(&self, set: B, player: Player) -> B {
        match player {
            Player::FIRST => set << self.grid.width,
            _ => set >> self.grid.width,
        }
    }

    /// The squares diagonally ahead of each of these.
    #[inline]
    fn attacks(&self, set: B, player: Player) -> B {
        let left = (set & self.not_first_file) >> 1;
        let right = (set & self.not_last_file) << 1;
        self.ahead(left | right, player)
    }

    #[inline]
    fn ways(&self, state: &State<B>) -> Ways<B> {
        let own = state.pieces[state.mover.index()];
        let free = !own;
        let empty = free & !state.pieces[state.mover.other().index()];
        // Looking back from the destinations, each way is the opponent's step turned around.
        let back = |targets: B| own & self.ahead(targets, state.mover.other());
        Ways {
            left: back((free & self.not_last_file) << 1),
            straight: back(empty),
            right: back((free & self.not_first_file) >> 1),
        }
    }

    /// By the square of the piece, from `a1`; of one piece left, straight, right as White sees it.
    #[inline]
    pub(crate) fn each_step(&self, state: &State<B>, mut visit: impl FnMut(Step)) {
        if state.outcome != Outcome::Open {
            return;
        }
        let ways = self.ways(state);
        for from in (ways.left | ways.straight | ways.right).iter() {
            let ahead = match state.mover {
                Player::FIRST => from + self.grid.width,
                _ => from - self.grid.width,
            };
            let mut step = |to: usize| {
                visit(Step {
                    from: from as u8,
                    to: to as u8,
                });
            };
            if ways.left.has(from) {
                step(ahead - 1);
            }
            if ways.straight.has(from) {
                step(ahead);
            }
            if ways.right.has(from) {
                step(ahead + 1);
            }
        }
    }

    #[inline]
    fn is_capture(&self, state: &State<B>, mv: Step) -> bool {
        state.pieces[state.mover.other().index()].has(usize::from(mv.to))
    }

    /// The pieces of each side as a position; an error where they contradict the rules.
    fn set_up(&self, pieces: [B; 2], mover: Player) -> Result<State<B>, TextError> {
        let most = self.filled * self.grid.width;
        for (own, name) in pieces.iter().zip(NAMES) {
            let count = own.count();
            if count > most {
                return Err(TextError::new(format!(
                    "{name} has {count} pieces, more than the {most} of the start"
                )));
            }
        }
        let [white, black] = pieces;
        let arrived = [white & self.goals[0], black & self.goals[1]].map(|set| !set.is_empty());
        let outcome = match (arrived, pieces.map(Bits::is_empty)) {
            (_, [true, true]) => {
                return Err(TextError::new("the board is empty"));
            }
            ([true, true], _) => {
                return Err(TextError::new("both sides have reached the far rank"));
            }
            ([true, _], _) | (_, [_, true]) => Outcome::Won(Player::FIRST),
            ([_, true], _) | (_, [true, _]) => Outcome::Won(Player::SECOND),
            _ => Outcome::Open,
        };
        Ok(State {
            pieces,
            mover,
            outcome,
            key: zobrist::position_key(&KEYS, pieces, mover),
        })
    }

    fn owner(&self, state: &State<B>, file: usize, rank: usize) -> Option<Player> {
        let bit = self.bit(file, rank);
        [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|p| state.pieces[p.index()].has(bit))
    }
}

impl<B: Bits> Game for Breakthrough<B> {
    type State = State<B>;
    type Move = Step;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        let width = self.grid.width;
        let near = (0..self.filled).fold(B::EMPTY, |set, r| set | (self.rank << (r * width)));
        let pieces = [near, near << (width * (self.grid.height - self.filled))];
        State {
            pieces,
            mover: Player::FIRST,
            outcome: Outcome::Open,
            key: zobrist::position_key(&KEYS, pieces, Player::FIRST),
        }
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Step>) {
        self.each_step(state, |step| out.push(step));
    }

    fn play(&self, state: &mut State<B>, mv: Step) -> State<B> {
        let old = *state;
        let (own, other) = (old.mover.index(), old.mover.other().index());
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let target = B::bit(to);
        state.pieces[own] ^= B::bit(from) | target;
        state.key ^= KEYS[own][from] ^ KEYS[own][to] ^ zobrist::SECOND_TO_MOVE;
        if self.is_capture(&old, mv) {
            state.pieces[other] ^= target;
            state.key ^= KEYS[other][to];
        }
        state.mover = old.mover.other();
        if !(target & self.goals[own]).is_empty() || state.pieces[other].is_empty() {
            state.outcome = Outcome::Won(old.mover);
        }
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    /// There is always a move, and every move goes forward.
    fn has_draws(&self) -> bool {
        false
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }

    /// Draws one of the steps in three directions without listing them.
    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State<B>,
        plies: u32,
        _: &mut Vec<Step>,
        rng: &mut R,
    ) -> u32 {
        for played in 0..plies {
            if state.outcome != Outcome::Open {
                return played;
            }
            let Ways {
                left,
                straight,
                right,
            } = self.ways(state);
            let (lefts, straights) = (left.count(), straight.count());
            let drawn = rng.random_range(0..(lefts + straights + right.count()) as u32) as usize;
            let (from, to) = if drawn < lefts {
                let from = nth(left, drawn);
                (from, from - 1)
            } else if drawn < lefts + straights {
                let from = nth(straight, drawn - lefts);
                (from, from)
            } else {
                let from = nth(right, drawn - lefts - straights);
                (from, from + 1)
            };
            let to = match state.mover {
                Player::FIRST => to + self.grid.width,
                _ => to - self.grid.width,
            };
            let step = Step {
                from: from as u8,
                to: to as u8,
            };
            self.play(state, step);
        }
        plies
    }
}

/// The element of a set that this many others precede.
#[inline]
fn nth<B: Bits>(mut set: B, place: usize) -> usize {
    for _ in 0..place {
        set = set.without_first();
    }
    set.first()
}

impl<B: Bits> TwoPlayer for Breakthrough<B> {}

impl<B: Bits> Key for Breakthrough<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Breakthrough<B> {
    fn move_indices(&self) -> usize {
        self.grid.width * self.grid.height * 3
    }

    /// Three numbers for each square, one for each way to leave it. A way up and a way down share
    /// theirs, since no position has both.
    #[inline]
    fn move_index(&self, mv: Step) -> usize {
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let direction = if to > from {
            to + 1 - (from + self.grid.width)
        } else {
            to + 1 + self.grid.width - from
        };
        3 * from + direction
    }
}

/// The mirror image from left to right is the same game.
impl<B: Bits> Symmetric for Breakthrough<B> {
    fn symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        if symmetry == 0 {
            return *state;
        }
        let pieces = state.pieces.map(|own| {
            own.iter().fold(B::EMPTY, |image, bit| {
                let (file, rank) = self.square(bit);
                let (file, rank) = self.grid.map(1, file, rank);
                image | B::bit(self.bit(file, rank))
            })
        });
        State {
            pieces,
            key: zobrist::position_key(&KEYS, pieces, state.mover),
            ..*state
        }
    }

    fn map_move(&self, mv: Step, symmetry: usize) -> Step {
        let map = |square: u8| {
            let (file, rank) = self.square(usize::from(square));
            let (file, rank) = self.grid.map(symmetry & 1, file, rank);
            self.bit(file, rank) as u8
        };
        Step {
            from: map(mv.from),
            to: map(mv.to),
        }
    }
}

impl<B: Bits> Text for Breakthrough<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self
            .grid
            .write(|f, r| self.owner(state, f, r).map(|p| LETTERS[p.index()]));
        format!("{rows} {}", LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let rows = self.grid.parse(text, LETTERS)?;
        let mut pieces = [B::EMPTY; 2];
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = rows.at(file, rank) {
                    pieces[player.index()] |= B::bit(self.bit(file, rank));
                }
            }
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        self.set_up(pieces, mover)
    }

    fn move_text(&self, state: &State<B>, mv: Step) -> String {
        let name = |square: u8| {
            let (file, rank) = self.square(usize::from(square));
            self.grid.name(file, rank)
        };
        let mark = if self.is_capture(state, mv) { 'x' } else { '-' };
        format!("{}{mark}{}", name(mv.from), name(mv.to))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % 2].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. 'bbbbb/1bbbb/b4/w1www/wwwww w' for 5x5"
    }
}

impl<B: Bits> Draw for Breakthrough<B> {
    fn picture(&self, state: &State<B>, last: Option<Step>) -> Picture {
        let mut picture = self.grid.picture(true);
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = self.owner(state, file, rank) {
                    let (letter, colour) = (LETTERS[player.index()], COLOURS[player.index()]);
                    picture.piece(self.grid.place(file, rank), letter, colour, Body::Disc);
                }
            }
        }
        for square in last.iter().flat_map(|mv| [mv.from, mv.to]) {
            let (file, rank) = self.square(usize::from(square));
            picture.mark(self.grid.place(file, rank));
        }
        picture
    }
}
