//! Morpion Solitaire, after Helmstetter and Cazenave (2004, section 4) and Demaine et al. (2006).
//!
//! Dots lie on a grid without end; at the start they form a Greek cross. A move adds a dot and
//! draws a line through it and four neighbouring dots that lie in a row, upright, level or
//! diagonal. In the touching game (5T) two lines in the same direction may share a dot but no more;
//! in the disjoint game (5D) not even that. The player wants to draw as many lines as possible. The
//! games 4T and 4D are played with lines of four dots on a smaller cross.
//!
//! # The grid
//!
//! The grid has 64 by 64 points, and a dot goes nowhere near its edge: 56 by 56 points can be
//! played to. A line that would need a dot beyond them is not offered. The grid of the record of
//! 178 moves keeps within 21 by 17 points.
//!
//! # The list of moves
//!
//! A position keeps its legal moves in ascending order. A new dot makes moves impossible that would
//! have added it, or whose line would lie on the new one; and it makes moves possible whose line
//! runs through it, which are read off four words of dots, one in each direction. The new list is
//! written behind the old one, so that a move is taken back by forgetting it.

#[cfg(not(test))]
pub mod entry;
mod lines;
pub mod pentasol;
pub mod record;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Turn, zobrist,
};

use lines::{DIRECTIONS, HIGHEST, LOWEST, NUMBERS, numbered};

pub use lines::{Direction, Move};

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "variant",
    kind: ParameterKind::Choice(&["5T", "5D", "4T", "4D"]),
    default: "5T",
    help: "dots of a line, and whether lines in one direction may touch (T) or not (D)",
}];

/// Which game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Lines of five dots that may touch.
    #[default]
    FiveTouching,
    /// Lines of five dots that may not touch.
    FiveDisjoint,
    /// Lines of four dots that may touch.
    FourTouching,
    /// Lines of four dots that may not touch.
    FourDisjoint,
}

impl Variant {
    /// The usual name, such as `5T`.
    pub fn name(self) -> &'static str {
        match self {
            Variant::FiveTouching => "5T",
            Variant::FiveDisjoint => "5D",
            Variant::FourTouching => "4T",
            Variant::FourDisjoint => "4D",
        }
    }

    /// Dots of a line.
    #[inline]
    pub fn length(self) -> usize {
        match self {
            Variant::FiveTouching | Variant::FiveDisjoint => 5,
            Variant::FourTouching | Variant::FourDisjoint => 4,
        }
    }

    /// Marks that a line leaves on its straight line and that no other line may bear: its steps
    /// from dot to dot where lines may touch, its dots where they may not.
    #[inline]
    fn marks(self) -> usize {
        match self {
            Variant::FiveTouching | Variant::FourTouching => self.length() - 1,
            Variant::FiveDisjoint | Variant::FourDisjoint => self.length(),
        }
    }

    /// No game has more moves: 5T and 5D by Michalewski, Nagorko and Pawlewicz (2015), 4T and 4D by
    /// Quist's enumeration (2008).
    pub fn longest(self) -> Payoff {
        match self {
            Variant::FiveTouching => 485,
            Variant::FiveDisjoint => 84,
            Variant::FourTouching => 62,
            Variant::FourDisjoint => 35,
        }
    }
}

/// The inner corner of the cross at the top left, by which records of games say where they lie.
pub const CORNER: (usize, usize) = (28, 28);

const LINE_KEYS: u64 = 0x4d0e_9105;

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_puzzles::morpion::{Morpion, Variant};
///
/// let game = Morpion::new(Variant::FiveTouching);
/// let mut state = game.start();
/// let line = game.parse_move(&state, "28,29v-2").expect("four dots lie above");
/// game.play(&mut state, line);
/// assert_eq!(game.position_text(&state), "28,29v-2");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Morpion {
    variant: Variant,
}

/// A position: the dots, the lines and the legal moves.
#[derive(Clone, Debug)]
pub struct State {
    /// A word of dots for every straight line of every direction.
    dots: [[u64; NUMBERS]; DIRECTIONS],
    /// What the lines have left on each straight line; see [`Variant::marks`].
    marks: [[u64; NUMBERS]; DIRECTIONS],
    /// The legal moves in ascending order, behind those of the positions before.
    lists: Vec<Move>,
    /// Where they begin.
    from: usize,
    key: u64,
    lines: u16,
}

/// Moves do not matter, since dots and lines determine them.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.key == other.key && self.dots[0] == other.dots[0] && self.marks == other.marks
    }
}

impl Eq for State {}

impl State {
    /// Whether there is a dot at a point of the grid.
    pub fn has_dot(&self, x: usize, y: usize) -> bool {
        let row = self.dots[0].get(y).filter(|_| y < lines::SIDE);
        row.is_some_and(|row| x < lines::SIDE && row >> x & 1 != 0)
    }

    /// All dots, row by row from the top.
    pub fn dots(&self) -> impl Iterator<Item = (usize, usize)> {
        (LOWEST..=HIGHEST)
            .flat_map(|y| (LOWEST..=HIGHEST).map(move |x| (x, y)))
            .filter(|&(x, y)| self.has_dot(x, y))
    }

    /// The legal moves, in ascending order.
    #[inline]
    pub fn legal(&self) -> &[Move] {
        &self.lists[self.from..]
    }

    /// How many moves have been played.
    pub fn played(&self) -> usize {
        usize::from(self.lines)
    }

    fn toggle_dot(&mut self, x: usize, y: usize) {
        for (direction, (number, place)) in numbered(x, y).into_iter().enumerate() {
            self.dots[direction][number] ^= 1 << place;
        }
    }
}

/// What is needed to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    /// Where the legal moves of the position before begin.
    from: usize,
}

impl Morpion {
    /// The game with these lines.
    pub fn new(variant: Variant) -> Morpion {
        Morpion { variant }
    }

    /// The game that the values of [`PARAMETERS`] describe.
    pub fn from_values(values: &OptionValues) -> Result<Morpion, OptionError> {
        let word = values.word("variant");
        let variants = [
            Variant::FiveTouching,
            Variant::FiveDisjoint,
            Variant::FourTouching,
            Variant::FourDisjoint,
        ];
        let known = variants.into_iter().find(|variant| variant.name() == word);
        let variant = known.ok_or_else(|| {
            OptionError::new(format!("morpion: '{word}' is not one of 5T, 5D, 4T and 4D"))
        })?;
        Ok(Morpion::new(variant))
    }

    /// Which game it is.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The dots of the Greek cross: arms as long and as wide as a line without its last dot.
    pub fn cross(&self) -> impl Iterator<Item = (usize, usize)> {
        let edge = self.variant.length() - 1;
        let (near, far) = (edge - 1, 2 * (edge - 1));
        let end = 3 * (edge - 1);
        let on = move |x: usize, y: usize| {
            let inner = |z: usize| (near..=far).contains(&z);
            let outer = |z: usize| z == 0 || z == end;
            let side = |z: usize| z == near || z == far;
            outer(y) && inner(x)
                || outer(x) && inner(y)
                || side(x) && !(near + 1..far).contains(&y)
                || side(y) && !(near + 1..far).contains(&x)
        };
        (0..=end)
            .flat_map(move |y| (0..=end).map(move |x| (x, y)))
            .filter(move |&(x, y)| on(x, y))
            .map(move |(x, y)| (x + CORNER.0 - near, y + CORNER.1 - near))
    }

    /// Whether one of two legal moves makes the other impossible: they add the same dot, or their
    /// lines would overlap.
    #[inline]
    fn exclude(&self, one: Move, other: Move) -> bool {
        one.adds_dot_of(other) | one.overlaps(other, self.variant.marks())
    }

    /// The moves whose line runs through a dot that has just been set.
    #[inline]
    fn moves_through(&self, state: &State, x: usize, y: usize, mut found: impl FnMut(Move)) {
        let length = self.variant.length();
        for (direction, (number, place)) in numbered(x, y).into_iter().enumerate() {
            let first = place - (length - 1);
            let dots = (state.dots[direction][number] >> first) as usize;
            let marks = (state.marks[direction][number] >> first) as u32;
            let mut open =
                lines::lacking_one(length, dots) & !lines::borne(marks, self.variant.marks());
            while open != 0 {
                let start = open.trailing_zeros() as usize;
                open &= open - 1;
                let lacking = (!(dots >> start)).trailing_zeros() as usize;
                if let Some(mv) = Move::new(direction, number, first + start, lacking) {
                    found(mv);
                }
            }
        }
    }

    /// The key of a line, whatever dot it added: the lines determine the dots.
    #[inline]
    fn line_key(mv: Move) -> u64 {
        zobrist::number(LINE_KEYS, u64::from(mv.line()))
    }

    /// Draws or rubs out the line of a move.
    #[inline]
    fn toggle_line(&self, state: &mut State, mv: Move) {
        let marks = (1u64 << self.variant.marks()) - 1;
        state.marks[mv.direction_number()][mv.number()] ^= marks << mv.start();
        state.key ^= Self::line_key(mv);
        let (x, y) = mv.dot();
        state.toggle_dot(x, y);
    }
}

impl Game for Morpion {
    type State = State;
    type Move = Move;
    type Undo = Undo;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> State {
        let mut state = State {
            dots: [[0; NUMBERS]; DIRECTIONS],
            marks: [[0; NUMBERS]; DIRECTIONS],
            lists: Vec::new(),
            from: 0,
            key: 0,
            lines: 0,
        };
        for (x, y) in self.cross() {
            state.toggle_dot(x, y);
        }
        let mut moves = Vec::new();
        for (x, y) in self.cross() {
            self.moves_through(&state, x, y, |mv| moves.push(mv));
        }
        moves.sort_unstable();
        moves.dedup();
        state.lists = moves;
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.legal().is_empty() {
            Turn::Over
        } else {
            Turn::Player(Player::FIRST)
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.extend_from_slice(state.legal());
    }

    fn play(&self, state: &mut State, mv: Move) -> Undo {
        self.toggle_line(state, mv);
        state.lines += 1;
        let (x, y) = mv.dot();
        // Five lines in each of four directions run through a dot.
        let mut new = [mv; 20];
        let mut len = 0;
        self.moves_through(state, x, y, |found| {
            if let Some(place) = new.get_mut(len) {
                *place = found;
                len += 1;
            }
        });
        let new = &mut new[..len];
        new.sort_unstable();
        let (from, end) = (state.from, state.lists.len());
        state.lists.resize(2 * end - from + len, mv);
        let (old, list) = state.lists.split_at_mut(end);
        let mut to = 0;
        let mut new = new.iter().copied().peekable();
        for &other in &old[from..] {
            while let Some(found) = new.next_if(|&found| found < other) {
                list[to] = found;
                to += 1;
            }
            // Written in any case, and written over if it is not to stay.
            list[to] = other;
            to += usize::from(!self.exclude(mv, other));
        }
        for found in new {
            list[to] = found;
            to += 1;
        }
        state.lists.truncate(end + to);
        state.from = end;
        Undo { mv, from }
    }

    #[inline]
    fn undo(&self, state: &mut State, token: Undo) {
        self.toggle_line(state, token.mv);
        state.lines -= 1;
        state.lists.truncate(state.from);
        state.from = token.from;
    }

    fn payoff(&self, state: &State, _: Player) -> Payoff {
        Payoff::from(state.lines)
    }

    fn max_payoff(&self) -> Payoff {
        self.variant.longest()
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl Key for Morpion {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Morpion {
    fn move_indices(&self) -> usize {
        lines::MOVE_INDICES
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        mv.index()
    }
}

impl OnePlayer for Morpion {
    #[inline]
    fn earned(&self, state: &State) -> Payoff {
        Payoff::from(state.lines)
    }

    /// The proved bound on whole games, unless the game is over: a game on the part of the grid
    /// that is played on here is one on the grid without end.
    #[inline]
    fn most(&self, state: &State) -> Payoff {
        if state.legal().is_empty() {
            Payoff::from(state.lines)
        } else {
            self.variant.longest()
        }
    }

    /// Helmstetter and Cazenave (2004, section 4.4): a legal move lacks one dot only. Another move
    /// takes it from the list by adding that dot or by lying on its line, and both work in either
    /// direction; what is left after both is the same.
    #[inline]
    fn commute(&self, _: &State, one: Move, other: Move) -> bool {
        !self.exclude(one, other)
    }
}
