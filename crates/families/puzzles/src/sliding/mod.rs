//! The sliding-tile puzzle: the 15-puzzle, and its relatives of other sizes.
//!
//! A tile beside the blank slides into it, until all tiles are in order. The fewer moves the
//! better: finding the least number is hard (Ratner and Warmuth 1990), and the puzzle is where IDA*
//! (Korf 1985) and pattern databases (Culberson and Schaeffer 1998, Korf and Felner 2002) were
//! tried first.
//!
//! A position knows a lower bound of the moves that are left, the Manhattan distance with linear
//! conflicts (Hansson, Mayer and Yung 1992): two tiles that stand in the line of their goals but in
//! the wrong order cannot pass each other, unless one leaves the line and comes back.
//! [`TilePattern`] are the abstractions for pattern databases.
//!
//! Half of all arrangements cannot be put in order (Johnson and Story 1879) and are no positions of
//! the game. Tiles can be pushed around without end, so a game is given up after [`LIMIT`] moves,
//! which no shortest way comes near.

mod bound;
#[cfg(not(test))]
pub mod engine;
#[cfg(not(test))]
pub mod entry;
mod pattern;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Seed, Symmetric, Turn,
};
use tabia_tables::patterns::ShortestPath;

use rand::RngExt;

pub use pattern::{PatternError, TilePattern};

use bound::LineConflicts;
use tabia_game::SizeError;

const MIN_SIDE: usize = 2;
const MAX_SIDE: usize = 5;
const MAX_SQUARES: usize = MAX_SIDE * MAX_SIDE;

/// The number of the blank.
const BLANK: usize = 0;

/// Moves after which a game is given up. The hardest positions take 80 moves with 15 tiles, and
/// with 24 tiles 208 are known to be enough (Karlemo and Östergård 2000).
pub const LIMIT: u32 = 10_000;

/// What a game pays less if the tiles are not in order: any solution is better than none.
pub const UNSOLVED: Payoff = 900_000;

/// Tile and place.
static KEYS: [[u64; MAX_SQUARES]; MAX_SQUARES] = keys();

const fn keys() -> [[u64; MAX_SQUARES]; MAX_SQUARES] {
    let mut keys = [[0; MAX_SQUARES]; MAX_SQUARES];
    let mut tile = 1;
    while tile < MAX_SQUARES {
        keys[tile] = zobrist::table(0x511d_0000 + tile as u64);
        tile += 1;
    }
    keys
}

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "size",
        kind: ParameterKind::Size(MIN_SIDE, MAX_SIDE),
        default: "4x4",
        help: "columns and rows",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the start position",
    },
    Parameter {
        key: "blank",
        kind: ParameterKind::Choice(&["last", "first"]),
        default: "last",
        help: "the corner of the blank when all tiles are in order: the lower right or the upper \
               left",
    },
];

/// Where the blank is when all tiles are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blank {
    /// In the upper left corner, as in the experiments of Korf (1985).
    First,
    /// In the lower right corner, as on the puzzle in the shops.
    Last,
}

impl Blank {
    /// The corner that the option `blank` calls so.
    pub fn named(name: &str) -> Option<Blank> {
        match name {
            "first" => Some(Blank::First),
            "last" => Some(Blank::Last),
            _ => None,
        }
    }
}

/// The rules, and which scramble is the start.
///
/// ```
/// use tabia_game::{Game, OnePlayer, Player, Text, Turn};
/// use tabia_puzzles::sliding::{Blank, Sliding};
///
/// let game = Sliding::new(3, 3, Blank::Last, 0).unwrap();
/// let mut state = game.parse_position("1 2 3 / 4 5 6 / 0 7 8").unwrap();
/// assert_eq!(game.most(&state), -2);
/// for tile in ["7", "8"] {
///     let mv = game.parse_move(&state, tile).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.turn(&state), Turn::Over);
/// assert_eq!(game.payoff(&state, Player::FIRST), -2);
/// ```
#[derive(Clone, Debug)]
pub struct Sliding {
    width: usize,
    height: usize,
    blank: Blank,
    seed: u64,
    /// Where each tile belongs, and the blank.
    goal: [u8; MAX_SQUARES],
    /// The places beside each place.
    near: [Near; MAX_SQUARES],
    /// Tiles and places.
    manhattan: [[u8; MAX_SQUARES]; MAX_SQUARES],
    rows: LineConflicts,
    columns: LineConflicts,
}

/// The places beside a place, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    places: [u8; 4],
    len: u8,
}

impl Near {
    #[inline]
    fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.places[..usize::from(self.len)].iter().copied()
    }
}

/// A position. The key does not depend on the number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The tile on each place.
    tiles: [u8; MAX_SQUARES],
    /// The place of each tile, and of the blank.
    places: [u8; MAX_SQUARES],
    /// Moves that were made.
    moves: u32,
    /// The Manhattan distance with linear conflicts.
    bound: u16,
    key: u64,
}

/// A tile, and the place it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    tile: u8,
    from: u8,
}

/// What it takes to push a tile back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// Where the blank was.
    blank: u8,
    bound: u16,
}

impl State {
    /// How many moves were made.
    pub fn moves_made(&self) -> u32 {
        self.moves
    }

    /// Exchanges the blank with the tile on a place beside it.
    #[inline]
    fn slide(&mut self, from: usize) -> usize {
        let to = usize::from(self.places[BLANK]);
        let tile = usize::from(self.tiles[from]);
        self.tiles[to] = tile as u8;
        self.tiles[from] = BLANK as u8;
        self.places[tile] = to as u8;
        self.places[BLANK] = from as u8;
        self.key ^= KEYS[tile][from] ^ KEYS[tile][to];
        tile
    }
}

impl Sliding {
    /// A puzzle of this size, with its goal and a random start.
    pub fn new(width: usize, height: usize, blank: Blank, seed: u64) -> Result<Sliding, SizeError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(SizeError(format!(
                "the sides of a sliding-tile puzzle are {MIN_SIDE} to {MAX_SIDE} long, not {width} \
                 and {height}"
            )));
        }
        let squares = width * height;
        let mut goal = [0; MAX_SQUARES];
        for (tile, goal) in goal.iter_mut().enumerate().take(squares) {
            *goal = match blank {
                Blank::First => tile,
                Blank::Last => (tile + squares - 1) % squares,
            } as u8;
        }
        let far =
            |a: usize, b: usize| (a % width).abs_diff(b % width) + (a / width).abs_diff(b / width);
        let mut near = [Near::default(); MAX_SQUARES];
        let mut manhattan = [[0; MAX_SQUARES]; MAX_SQUARES];
        for place in 0..squares {
            let Near { places, len } = &mut near[place];
            for other in (0..squares).filter(|&other| far(place, other) == 1) {
                places[usize::from(*len)] = other as u8;
                *len += 1;
            }
            for tile in 1..squares {
                manhattan[tile][place] = far(place, usize::from(goal[tile])) as u8;
            }
        }
        Ok(Sliding {
            width,
            height,
            blank,
            seed,
            goal,
            near,
            manhattan,
            rows: LineConflicts::new(width),
            columns: LineConflicts::new(height),
        })
    }

    /// The position in which the tiles are in order.
    pub fn solved(&self) -> State {
        let mut tiles = [0; MAX_SQUARES];
        for tile in 0..self.squares() {
            tiles[usize::from(self.goal[tile])] = tile as u8;
        }
        self.state(tiles, 0)
    }

    /// How many squares there are, the blank's included.
    fn squares(&self) -> usize {
        self.width * self.height
    }

    /// Positions are made from the tiles; the rest follows.
    fn state(&self, tiles: [u8; MAX_SQUARES], moves: u32) -> State {
        let mut state = State {
            tiles,
            places: [0; MAX_SQUARES],
            moves,
            bound: 0,
            key: 0,
        };
        for place in 0..self.squares() {
            let tile = usize::from(tiles[place]);
            state.places[tile] = place as u8;
            state.key ^= KEYS[tile][place];
        }
        state.bound = self.bound(&tiles);
        state
    }

    /// The exchanges that put all tiles and the blank in their places, and how far the blank is
    /// from its own. A move changes both by one, up or down, so that one of them odd and the other
    /// even cannot be solved.
    fn parity(&self, tiles: &[u8; MAX_SQUARES]) -> (usize, usize) {
        let squares = self.squares();
        let mut tiles = *tiles;
        let place = tiles[..squares]
            .iter()
            .position(|&tile| tile == 0)
            .unwrap_or(0);
        let home = usize::from(self.goal[BLANK]);
        let width = self.width;
        let away = (place % width).abs_diff(home % width) + (place / width).abs_diff(home / width);
        let mut exchanges = 0;
        for place in 0..squares {
            loop {
                let goal = usize::from(self.goal[usize::from(tiles[place])]);
                if goal == place {
                    break;
                }
                tiles.swap(place, goal);
                exchanges += 1;
            }
        }
        (exchanges, away)
    }

    fn is_solvable(&self, tiles: &[u8; MAX_SQUARES]) -> bool {
        let (exchanges, away) = self.parity(tiles);
        exchanges % 2 == away % 2
    }

    /// Whether the tiles are in order, which is when the distance is nothing.
    #[inline]
    fn is_solved(&self, state: &State) -> bool {
        state.bound == 0
    }

    /// The place across the diagonal, on square boards.
    fn transposed(&self, place: usize) -> usize {
        place % self.width * self.width + place / self.width
    }

    /// The tile whose goal is across the diagonal.
    fn mirrored_tile(&self, tile: usize) -> usize {
        let place = self.transposed(usize::from(self.goal[tile])) as u8;
        let tiles = self.goal[..self.squares()].iter();
        tiles.clone().position(|&goal| goal == place).unwrap_or(0)
    }
}

impl Game for Sliding {
    type State = State;
    type Move = Move;
    type Undo = Undo;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }

    /// Every position is as likely as any other.
    fn start(&self) -> State {
        let squares = self.squares();
        let mut rng = Seed::new(self.seed).split("sliding").rng();
        let mut tiles = [0; MAX_SQUARES];
        for (place, tile) in tiles.iter_mut().enumerate().take(squares) {
            *tile = place as u8;
        }
        for last in (1..squares).rev() {
            tiles.swap(last, rng.random_range(0..=last));
        }
        if !self.is_solvable(&tiles) {
            let mut pair = (0..squares).filter(|&place| tiles[place] != 0);
            if let (Some(one), Some(other)) = (pair.next(), pair.next()) {
                tiles.swap(one, other);
            }
        }
        self.state(tiles, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.is_solved(state) || state.moves >= LIMIT {
            true => Turn::Over,
            false => Turn::Player(Player::FIRST),
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.turn(state) == Turn::Over {
            return;
        }
        let near = &self.near[usize::from(state.places[BLANK])];
        out.extend(near.iter().map(|from| Move {
            tile: state.tiles[usize::from(from)],
            from,
        }));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Undo {
        let blank = state.places[BLANK];
        let token = Undo {
            blank,
            bound: state.bound,
        };
        let (tile, from, to) = (
            usize::from(mv.tile),
            usize::from(mv.from),
            usize::from(blank),
        );
        let line = self.line_of_goal(tile, from, to);
        let before = line.map_or(0, |line| self.conflicts(&state.tiles, line));
        state.slide(from);
        let after = line.map_or(0, |line| self.conflicts(&state.tiles, line));
        let manhattan = &self.manhattan[tile];
        state.bound += u16::from(manhattan[to]) + after;
        state.bound -= u16::from(manhattan[from]) + before;
        state.moves += 1;
        token
    }

    #[inline]
    fn undo(&self, state: &mut State, token: Undo) {
        state.slide(usize::from(token.blank));
        state.bound = token.bound;
        state.moves -= 1;
    }

    /// Minus the number of moves if the tiles are in order, and [`UNSOLVED`] less if they are not.
    fn payoff(&self, state: &State, _: Player) -> Payoff {
        self.earned(state)
    }

    fn max_payoff(&self) -> Payoff {
        1_000_000
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl OnePlayer for Sliding {
    fn earned(&self, state: &State) -> Payoff {
        let missed = if self.is_solved(state) { 0 } else { UNSOLVED };
        -(state.moves as Payoff) - missed
    }

    #[inline]
    fn most(&self, state: &State) -> Payoff {
        self.most_within(state, u32::from(state.bound))
    }

    /// Never: two tiles beside the blank are not beside each other (Helmstetter and Cazenave 2004,
    /// section 2.3).
    #[inline]
    fn commute(&self, _: &State, _: Move, _: Move) -> bool {
        false
    }
}

impl ShortestPath for Sliding {
    #[inline]
    fn distance(&self, state: &State) -> u32 {
        u32::from(state.bound)
    }

    #[inline]
    fn most_within(&self, state: &State, moves: u32) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.earned(state),
            _ => -(state.moves.saturating_add(moves) as Payoff),
        }
    }
}

impl Key for Sliding {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Sliding {
    fn move_indices(&self) -> usize {
        self.squares()
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.tile)
    }
}

/// A square puzzle may be mirrored at the diagonal through the corner of the blank, if its tiles
/// are numbered anew.
impl Symmetric for Sliding {
    fn symmetries(&self) -> usize {
        if self.width == self.height { 2 } else { 1 }
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        if symmetry == 0 {
            return *state;
        }
        let mut tiles = [0; MAX_SQUARES];
        for place in 0..self.squares() {
            let tile = usize::from(state.tiles[place]);
            tiles[self.transposed(place)] = self.mirrored_tile(tile) as u8;
        }
        self.state(tiles, state.moves)
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        if symmetry == 0 {
            return mv;
        }
        Move {
            tile: self.mirrored_tile(usize::from(mv.tile)) as u8,
            from: self.transposed(usize::from(mv.from)) as u8,
        }
    }
}
