//! Fanorona of every odd board size (Schadd 2011, section 4.2): capture by approach or withdrawal.
//!
//! Pieces move along the lines of the board, one point at a time. Every point has its horizontal
//! and vertical lines; *strong* points have diagonals as well. A move towards an enemy piece takes
//! it by approach, a move away from one by withdrawal, and with it all that stand behind it in an
//! unbroken row. Capturing is compulsory, and goes on in a chain as long as the player likes: with
//! the same piece, never twice in a row in one direction, never to a point visited before. Without
//! a capture any step will do, a *paika* move. Whoever takes all enemy pieces has won; who cannot
//! move has lost, which the thesis defines and no other source tells. A position that occurs again
//! is a draw.
//!
//! Sizes are rows by columns, as in the thesis: `5x9` has nine files. The corner a1 is strong on
//! every board: for boards like 5x3, where the corner and the centre differ, only this gives the
//! values of table 4.4. With an option strong and weak points change places.

#[cfg(not(test))]
pub mod entry;
mod index;
mod material;
mod moves;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::bits::Bits;
use tabia_game::combinatorics::Binomials;
use tabia_game::grid::Grid;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::orbits::Permutations;
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Repetition, Symmetric, Turn,
    TwoPlayer,
};

pub use index::Slice;
pub use material::Material;
pub use moves::Chain;

use tabia_game::SizeError;

const LETTERS: [char; 2] = ['w', 'b'];
const MIN_SIDE: usize = 3;
const MAX_SIDE: usize = 25;
const MAX_POINTS: usize = 384;
/// Moves are numbered by a hash of this many values, since there are too many chains to count.
const MOVE_NUMBERS: usize = 1 << 16;

static KEYS: [[u64; MAX_POINTS]; 2] = [zobrist::table(0xfa_01), zobrist::table(0xfa_02)];

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Rows(MIN_SIDE, MAX_SIDE),
        default: "5x9",
        help: "rows and columns, both odd: 5x9 has nine files",
    },
    Parameter {
        key: "exchanged",
        kind: ParameterKind::Switch,
        default: "off",
        help: "strong and weak points change places, so that corners have no diagonals",
    },
];

/// Whether `B` has room for a board of this size.
pub fn fits<B: Bits>(rows: usize, columns: usize) -> bool {
    rows.saturating_mul(columns) <= B::WIDTH.min(MAX_POINTS)
}

/// One of the eight ways along a line, as a shift of point numbers.
#[derive(Clone, Copy, Debug)]
struct Direction<B> {
    /// The points from which there is a line this way.
    from: B,
    /// Only one of the two shifts is not zero.
    left: usize,
    right: usize,
}

impl<B: Bits> Direction<B> {
    /// The point one step on. Only for points of `from`.
    #[inline]
    fn step(&self, point: usize) -> usize {
        point + self.left - self.right
    }

    /// The points from which a step this way leads into the set.
    #[inline]
    fn back(&self, set: B) -> B {
        ((set << self.right) >> self.left) & self.from
    }
}

/// The rules: a board. See [`fits`] for the width of `B`.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_fanorona::fanorona::Fanorona;
///
/// let game = Fanorona::<u64>::new(5, 9)?;
/// let mut state = game.start();
/// assert_eq!(game.position_text(&state), "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w");
/// let approach = game.parse_move(&state, "d3-e3A").expect("a legal move");
/// game.play(&mut state, approach);
/// assert_eq!(game.position_text(&state), "bbbbbbbbb/bbbbbbbbb/bwb1w1wbw/wwwwwwwww/wwwwwwwww b");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fanorona<B> {
    grid: Grid,
    /// All points; number `rank * width + file`.
    points: B,
    /// Counter-clockwise from east, so that `d ^ 4` is the opposite of `d`.
    directions: [Direction<B>; 8],
    binomials: Binomials,
    /// The symmetries of the board.
    permutations: Permutations,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    pieces: [B; 2],
    mover: Player,
    key: u64,
}

impl<B: Bits> State<B> {
    fn new(pieces: [B; 2], mover: Player) -> State<B> {
        State {
            pieces,
            mover,
            key: zobrist::position_key(&KEYS, pieces, mover),
        }
    }

    /// The pieces of the player to move.
    #[inline]
    pub fn own(&self) -> B {
        self.pieces[self.mover.index()]
    }

    /// The pieces of the other player.
    #[inline]
    pub fn enemy(&self) -> B {
        self.pieces[self.mover.other().index()]
    }

    /// The pieces of both sides, the first player's first.
    pub fn pieces(&self) -> [B; 2] {
        self.pieces
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        (self.pieces[0] | self.pieces[1]).count()
    }
}

/// Steps to the east and to the north of each direction.
const STEPS: [(isize, isize); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl<B: Bits> Fanorona<B> {
    /// A game on this many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Result<Fanorona<B>, SizeError> {
        Fanorona::with_lines(rows, columns, false)
    }

    /// The same; strong and weak points change places if `exchanged`.
    pub fn with_lines(
        rows: usize,
        columns: usize,
        exchanged: bool,
    ) -> Result<Fanorona<B>, SizeError> {
        let side = |n: usize| (MIN_SIDE..=MAX_SIDE).contains(&n) && n % 2 == 1;
        if !side(rows) || !side(columns) {
            return Err(SizeError(format!(
                "a board of {rows}x{columns} is not possible: rows and columns are odd numbers \
                 from {MIN_SIDE} to {MAX_SIDE}"
            )));
        }
        if !fits::<B>(rows, columns) {
            return Err(SizeError(format!(
                "a board of {rows}x{columns} is too large: rows x columns may be {} at most",
                B::WIDTH.min(MAX_POINTS)
            )));
        }
        let grid = Grid {
            width: columns,
            height: rows,
        };
        let points = (0..rows * columns).fold(B::EMPTY, |set, point| set | B::bit(point));
        let directions = STEPS.map(|(east, north)| {
            let from = (0..rows * columns).filter(|point| {
                let (file, rank) = (point % columns, point / columns);
                let strong = ((file + rank) % 2 == 0) != exchanged;
                let inside = |at: usize, by: isize, side: usize| {
                    at.checked_add_signed(by).is_some_and(|to| to < side)
                };
                (strong || east == 0 || north == 0)
                    && inside(file, east, columns)
                    && inside(rank, north, rows)
            });
            let offset = north * columns as isize + east;
            Direction {
                from: from.fold(B::EMPTY, |set, point| set | B::bit(point)),
                left: offset.max(0).unsigned_abs(),
                right: offset.min(0).unsigned_abs(),
            }
        });
        Ok(Fanorona {
            grid,
            points,
            directions,
            binomials: Binomials::new(rows * columns),
            permutations: Permutations::new(
                rows * columns,
                grid.symmetries(),
                |point, symmetry| map_point(grid, point, symmetry),
            ),
        })
    }

    /// How many points the board has.
    fn size(&self) -> usize {
        self.grid.width * self.grid.height
    }

    /// The most pieces a side can have.
    fn most(&self) -> usize {
        (self.size() - 1) / 2
    }

    #[inline]
    fn empty(&self, state: &State<B>) -> B {
        self.points & !(state.pieces[0] | state.pieces[1])
    }

    /// Whether the player to move has anywhere to go. A step to an empty point is always a move: a
    /// paika move, unless there is a capture, which then is one.
    #[inline]
    fn is_mobile(&self, state: &State<B>) -> bool {
        let (own, empty) = (state.own(), self.empty(state));
        let steps = |direction: &Direction<B>| !(own & direction.back(empty)).is_empty();
        self.directions.iter().any(steps)
    }
}

impl<B: Bits> Game for Fanorona<B> {
    type State = State<B>;
    type Move = Chain<B>;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    /// The middle row alternates outwards from the empty centre, White on its left.
    fn start(&self) -> State<B> {
        let (width, middle) = (self.grid.width, self.grid.height / 2);
        let mut pieces = [B::EMPTY; 2];
        for point in 0..self.size() {
            let (file, rank) = (point % width, point / width);
            let centre = width / 2;
            let owner = if rank != middle {
                usize::from(rank > middle)
            } else if file != centre {
                let odd = file.abs_diff(centre) % 2 == 1;
                usize::from(odd != (file < centre))
            } else {
                continue;
            };
            pieces[owner] |= B::bit(point);
        }
        State::new(pieces, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        if state.pieces[0].is_empty() || state.pieces[1].is_empty() || !self.is_mobile(state) {
            Turn::Over
        } else {
            Turn::Player(state.mover)
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Chain<B>>) {
        if !state.enemy().is_empty() && !self.captures(state, out) {
            self.paika(state, out);
        }
    }

    fn play(&self, state: &mut State<B>, mv: Chain<B>) -> State<B> {
        let old = *state;
        self.carry_out(state, mv);
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        let loser = match state.pieces.map(Bits::is_empty) {
            [true, _] => Player::FIRST,
            [_, true] => Player::SECOND,
            _ => state.mover,
        };
        if player == loser { -1 } else { 1 }
    }

    fn repetition(&self) -> Repetition {
        Repetition::draw(2)
    }
}

impl<B: Bits> TwoPlayer for Fanorona<B> {}

impl<B: Bits> Key for Fanorona<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Fanorona<B> {
    fn move_indices(&self) -> usize {
        MOVE_NUMBERS
    }

    #[inline]
    fn move_index(&self, mv: Chain<B>) -> usize {
        mv.number()
    }
}

/// The rules do not tell the sides of the board apart, though the start does.
impl<B: Bits> Symmetric for Fanorona<B> {
    fn symmetries(&self) -> usize {
        self.grid.symmetries()
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        let image = |set: B| self.permutations.map(set, symmetry);
        State::new(state.pieces.map(image), state.mover)
    }

    fn map_move(&self, mv: Chain<B>, symmetry: usize) -> Chain<B> {
        mv.mapped(map_point(self.grid, mv.from(), symmetry), |direction| {
            self.map_direction(direction, symmetry)
        })
    }
}

fn map_point(grid: Grid, point: usize, symmetry: usize) -> usize {
    let (file, rank) = grid.map(symmetry, point % grid.width, point / grid.width);
    rank * grid.width + file
}

impl<B: Bits> Fanorona<B> {
    fn map_direction(&self, direction: usize, symmetry: usize) -> usize {
        let (mut east, mut north) = STEPS[direction];
        if symmetry & 1 != 0 {
            east = -east;
        }
        if symmetry & 2 != 0 {
            north = -north;
        }
        if symmetry & 4 != 0 {
            (east, north) = (north, east);
        }
        let image = STEPS.iter().position(|&step| step == (east, north));
        image.unwrap_or(direction)
    }
}
