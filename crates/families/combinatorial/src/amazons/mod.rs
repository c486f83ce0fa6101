//! Amazons (Zamkauskas 1988) as a fast game: a queen slides as in chess and then shoots an arrow
//! that slides the same way and blocks its square for ever. Whoever cannot move has lost.
//!
//! Boards have up to ten by ten squares. The start is the usual one on 10x10, `a4 d1 g1 j4` against
//! `a7 d10 g10 j7`; on other boards the queens stand a third of the way from the corners, rounded
//! down, which gives the starts of Song and Müller (2014) on 5x5 and 6x5 and the usual one on 8x8.
//! Where a side is shorter than four squares there is one queen each, in opposite corners.
//! Positions may have any queens and arrows.
//!
//! The combinatorial game of the same name ([`crate::amazons::combinatorial`]) knows parts, sums
//! and values; this one is made for search.

mod bounds;
pub mod combinatorial;
pub mod endgame;
#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod lines;
mod playout;
mod room;
pub mod room_tables;
pub mod rooms;
#[cfg(test)]
mod tests;
mod text;

use rand::Rng;
use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Symmetric, TextError, Turn,
    TwoPlayer,
};

use crate::cells::{Cells, Shape};
use tabia_game::SizeError;

pub use bounds::SettledByBounds;
pub use evaluation::{Evaluation, Judge, POINT, SQUARE};
pub use room::Room;

use lines::{Blocked, MAX_SQUARES, Rays, Set};
use playout::Tracks;

static QUEENS: [[u64; MAX_SQUARES]; 2] = [zobrist::table(0xa3_01), zobrist::table(0xa3_02)];
/// More than there are squares, so that seven bits are always one.
static ARROWS: [u64; 128] = zobrist::table(0xa3_03);

const MAX_SIDE: usize = 10;
/// Boards with a shorter side have one queen each.
const FOUR_QUEENS: usize = 4;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "size",
    kind: ParameterKind::Size(1, MAX_SIDE),
    default: "10x10",
    help: "files and ranks",
}];

/// The rules: a board.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_combinatorial::amazons::Amazons;
///
/// let game = Amazons::new(10, 10)?;
/// let mut state = game.start();
/// let shot = game.parse_move(&state, "D1-D8(B6)").expect("a legal move");
/// game.play(&mut state, shot);
/// assert_eq!(game.position_text(&state), "3b2b3/10/3w6/b8b/1#8/10/w8w/10/10/6w3 b");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Amazons {
    grid: Grid,
    lines: Rays,
    tracks: Tracks,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    queens: [Set; 2],
    arrows: Set,
    mover: Player,
    stuck: bool,
    key: u64,
}

impl State {
    #[inline]
    fn occupied(&self) -> Set {
        self.queens[0] | self.queens[1] | self.arrows
    }

    /// How many arrows have been shot, and so how many plies were played if none lay there at the
    /// start.
    #[inline]
    pub fn arrows(&self) -> usize {
        self.arrows.count()
    }

    /// Who is to move.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }
}

/// From where to where a queen goes, and where its arrow comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shot {
    from: u8,
    to: u8,
    arrow: u8,
}

impl Shot {
    #[inline]
    fn new(from: usize, to: usize, arrow: usize) -> Shot {
        let [from, to, arrow] = [from, to, arrow].map(|square| square as u8);
        Shot { from, to, arrow }
    }

    #[inline]
    fn squares(self) -> [usize; 3] {
        [self.from, self.to, self.arrow].map(usize::from)
    }
}

impl Amazons {
    /// A game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize) -> Result<Amazons, SizeError> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || width * height < 2 {
            return Err(SizeError(format!(
                "a board of {width}x{height} is not possible: at least two squares, and at most \
                 {MAX_SIDE} files and ranks"
            )));
        }
        let grid = Grid { width, height };
        Ok(Amazons {
            grid,
            lines: Rays::new(grid),
            tracks: Tracks::new(grid),
        })
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    fn square(&self, file: usize, rank: usize) -> usize {
        rank * self.grid.width + file
    }

    fn place(&self, square: usize) -> (usize, usize) {
        (square % self.grid.width, square / self.grid.width)
    }

    /// A queen that can go one step can shoot at the square that it came from.
    #[inline]
    fn can_move(&self, state: &State, player: Player) -> bool {
        let near = self.lines.around(state.queens[player.index() & 1]);
        !(near & !state.occupied()).is_empty()
    }

    fn set_up(&self, queens: [Set; 2], arrows: Set, mover: Player) -> State {
        let mut key = zobrist::position_key(&QUEENS, queens, mover);
        arrows.iter().for_each(|square| key ^= ARROWS[square]);
        let mut state = State {
            queens,
            arrows,
            mover,
            stuck: false,
            key,
        };
        state.stuck = !self.can_move(&state, mover);
        state
    }

    /// Calls `visit` with every move of a player, whose turn it need not be: by the square of the
    /// queen, then by where it goes, then by the arrow, all from `a1`.
    #[inline]
    pub fn each_move(&self, state: &State, player: Player, mut visit: impl FnMut(Shot)) {
        let occupied = state.occupied();
        let blocked = Blocked::new(occupied);
        for from in state.queens[player.index() & 1].iter() {
            let vacated = Blocked::new(occupied ^ Set::bit(from));
            for to in self.lines.sight(from, blocked).iter() {
                for arrow in self.lines.sight(to, vacated).iter() {
                    visit(Shot::new(from, to, arrow));
                }
            }
        }
    }

    /// How many moves a player has, whose turn it need not be.
    pub fn count_moves(&self, state: &State, player: Player) -> usize {
        let occupied = state.occupied();
        let blocked = Blocked::new(occupied);
        let mut count = 0;
        for from in state.queens[player.index() & 1].iter() {
            let vacated = Blocked::new(occupied ^ Set::bit(from));
            for to in self.lines.sight(from, blocked).iter() {
                let [ahead, back] = self.lines.halves(to, vacated);
                count += ahead.count() + back.count();
            }
        }
        count
    }

    /// The position as the combinatorial game sees it: White is Left.
    pub fn cells(&self, state: &State) -> Cells {
        let Grid { width, height } = self.grid;
        // Rows are numbered from the top there.
        let turned = |set: Set| {
            (0..height).fold(0, |image, rank| {
                let row = set >> (rank * width) & (Set::MAX >> (128 - width));
                image | row << ((height - 1 - rank) * width)
            })
        };
        let shape = Shape::new(width, height).expect("boards of this game are smaller");
        let open = turned(self.lines.full & !state.arrows);
        Cells::of(shape, open, state.queens.map(turned))
    }
}

impl Game for Amazons {
    type State = State;
    type Move = Shot;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        let Grid { width, height } = self.grid;
        let mut queens = [0; 2];
        let mut put = |player: usize, file: usize, rank: usize| {
            queens[player] |= Set::bit(self.square(file, rank));
        };
        if width < FOUR_QUEENS || height < FOUR_QUEENS {
            put(0, 0, 0);
            put(1, width - 1, height - 1);
        } else {
            let (third, rise) = ((width - 1) / 3, (height - 1) / 3);
            for (player, edge, beside) in [(0, 0, rise), (1, height - 1, height - 1 - rise)] {
                put(player, third, edge);
                put(player, width - 1 - third, edge);
                put(player, 0, beside);
                put(player, width - 1, beside);
            }
        }
        self.set_up(queens, 0, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.stuck {
            true => Turn::Over,
            false => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Shot>) {
        self.each_move(state, state.mover, |shot| out.push(shot));
    }

    /// Lists moves goal by goal until there are enough.
    fn first_moves(&self, state: &State, most: usize, out: &mut Vec<Shot>) -> bool {
        let enough = out.len().saturating_add(most);
        let occupied = state.occupied();
        let blocked = Blocked::new(occupied);
        for from in state.queens[state.mover.index() & 1].iter() {
            let vacated = Blocked::new(occupied ^ Set::bit(from));
            for to in self.lines.sight(from, blocked).iter() {
                // A goal has one arrow at least, so that moves are missing.
                if out.len() >= enough {
                    return false;
                }
                let arrows = self.lines.sight(to, vacated).iter();
                out.extend(arrows.map(|arrow| Shot::new(from, to, arrow)));
            }
        }
        true
    }

    #[inline]
    fn play(&self, state: &mut State, shot: Shot) -> State {
        let old = *state;
        let [from, to, arrow] = shot.squares();
        let own = old.mover.index() & 1;
        state.queens[own] ^= Set::bit(from) | Set::bit(to);
        state.arrows |= Set::bit(arrow);
        let keys = &QUEENS[own];
        state.key ^= keys[from] ^ keys[to] ^ ARROWS[arrow] ^ zobrist::SECOND_TO_MOVE;
        state.mover = old.mover.other();
        state.stuck = !self.can_move(state, state.mover);
        old
    }

    #[inline]
    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    /// Whoever cannot move loses, and every arrow takes a square.
    fn has_draws(&self) -> bool {
        false
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        if player == state.mover { -1 } else { 1 }
    }

    /// A queen, its goal and its arrow are drawn one after the other, so that moves with few arrows
    /// come more often than others.
    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        _: &mut Vec<Shot>,
        rng: &mut R,
    ) -> u32 {
        self.random_plies(state, plies, rng)
    }
}

impl TwoPlayer for Amazons {}

impl Key for Amazons {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Amazons {
    fn move_indices(&self) -> usize {
        let squares = self.grid.width * self.grid.height;
        squares * squares * 9
    }

    /// By where the queen and the arrow come to rest, and by the direction that the queen comes
    /// from: of two queens in one direction the nearer is in the other's way.
    #[inline]
    fn move_index(&self, shot: Shot) -> usize {
        let [from, to, arrow] = shot.squares();
        let sign = |from: usize, to: usize| 1 + usize::from(from > to) - usize::from(from < to);
        let ((x, y), (a, b)) = (self.place(from), self.place(to));
        let squares = self.grid.width * self.grid.height;
        (to * squares + arrow) * 9 + 3 * sign(x, a) + sign(y, b)
    }
}

impl Symmetric for Amazons {
    fn symmetries(&self) -> usize {
        self.grid.symmetries()
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        let image = |set: Set| {
            set.iter().fold(0, |image, square| {
                image | Set::bit(self.map_square(square, symmetry))
            })
        };
        self.set_up(state.queens.map(image), image(state.arrows), state.mover)
    }

    fn map_move(&self, shot: Shot, symmetry: usize) -> Shot {
        let [from, to, arrow] = shot
            .squares()
            .map(|square| self.map_square(square, symmetry));
        Shot::new(from, to, arrow)
    }
}

impl Amazons {
    fn map_square(&self, square: usize, symmetry: usize) -> usize {
        let (file, rank) = self.place(square);
        let (file, rank) = self.grid.map(symmetry, file, rank);
        self.square(file, rank)
    }

    /// The squares of a position by letter; an error where it cannot be one.
    fn with_letters(
        &self,
        queens: [Set; 2],
        arrows: Set,
        mover: Player,
    ) -> Result<State, TextError> {
        if queens[0] | queens[1] == 0 {
            return Err(TextError::new(
                "the board has no queen: at least one belongs on it",
            ));
        }
        Ok(self.set_up(queens, arrows, mover))
    }
}
