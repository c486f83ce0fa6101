//! m,n,k-games: two players place stones on an m by n board, and k in a row wins.
//!
//! Tic-tac-toe is the 3,3,3-game, the worked example of Schadd (2011, sections 2.2 and 2.3). The
//! moves are listed row by row from the top left square, the order in which his algorithms are
//! counted.

#[cfg(not(test))]
pub mod entry;
mod evaluation;

use tabia_game::bits::Bits;
use tabia_game::grid::{Grid, parse_side};
use tabia_game::picture::{Body, Colour};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Symmetric, Text,
    TextError, Turn, TwoPlayer,
};

pub use evaluation::OpenRows;

use crate::rows::runs;
use tabia_game::{Outcome, SizeError};

const LETTERS: [char; 2] = ['x', 'o'];
const COLOURS: [Colour; 2] = [Colour::Red, Colour::Blue];
const MAX_BITS: usize = 384;

static KEYS: [[u64; MAX_BITS]; 2] = [zobrist::table(0x3321), zobrist::table(0x3322)];

/// The rules: a board and how many in a row win. `B` must have room for (files + 1) x ranks bits.
#[derive(Clone, Debug)]
pub struct Mnk<B> {
    grid: Grid,
    pub(crate) k: usize,
    /// The directions in which a row of k fits on the board.
    pub(crate) steps: Vec<usize>,
    pub(crate) full: B,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    stones: [B; 2],
    mover: Player,
    outcome: Outcome,
    key: u64,
}

/// A stone is placed on the square with this number, counted from the top left in rows that are
/// one longer than the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u16);

impl Place {
    pub(crate) fn at(bit: usize) -> Place {
        Place(bit as u16)
    }

    #[inline]
    pub(crate) fn bit(self) -> usize {
        usize::from(self.0)
    }
}

/// What the games on the same board need to see of a position.
impl<B: Bits> State<B> {
    #[inline]
    pub(crate) fn mover(&self) -> Player {
        self.mover
    }

    #[inline]
    pub(crate) fn stones(&self) -> [B; 2] {
        self.stones
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
}

impl<B: Bits> Mnk<B> {
    /// A game on `width` files and `height` ranks.
    pub fn new(width: usize, height: usize, k: usize) -> Result<Mnk<B>, SizeError> {
        if !(1..=26).contains(&width) || height == 0 || height > MAX_BITS {
            return Err(SizeError(format!(
                "a board of {width}x{height} is not possible: at least one square and at most 26 \
                 files"
            )));
        }
        if (width + 1) * height > B::WIDTH.min(MAX_BITS) {
            return Err(SizeError(format!(
                "a board of {width}x{height} is too large: (files + 1) x ranks may be {} at most, \
                 as for 19x19",
                B::WIDTH.min(MAX_BITS)
            )));
        }
        if k == 0 || k > width.max(height) {
            return Err(SizeError(format!(
                "k is {k}: a row of the {width}x{height} board has 1 to {} squares",
                width.max(height)
            )));
        }
        let grid = Grid { width, height };
        let stride = width + 1;
        let (across, upright) = (width >= k, height >= k);
        let steps = [
            (1, across),
            (stride, upright),
            (stride - 1, across && upright),
            (stride + 1, across && upright),
        ];
        let mut game = Mnk {
            grid,
            k,
            steps: steps
                .into_iter()
                .filter_map(|(step, fits)| fits.then_some(step))
                .collect(),
            full: B::EMPTY,
        };
        for file in 0..width {
            for rank in 0..height {
                game.full |= B::bit(game.bit(file, rank));
            }
        }
        Ok(game)
    }

    /// Rows are one longer than the board, so that lines do not run around its edge.
    pub(crate) fn stride(&self) -> usize {
        self.grid.width + 1
    }

    pub(crate) fn bit(&self, file: usize, rank: usize) -> usize {
        (self.grid.height - 1 - rank) * self.stride() + file
    }

    fn square(&self, bit: usize) -> (usize, usize) {
        (
            bit % self.stride(),
            self.grid.height - 1 - bit / self.stride(),
        )
    }

    pub(crate) fn has_line(&self, stones: B) -> bool {
        let found = |&step: &usize| !runs(stones, step, self.k).is_empty();
        self.steps.iter().any(found)
    }

    pub(crate) fn empty(&self, state: &State<B>) -> B {
        self.full & !(state.stones[0] | state.stones[1])
    }

    /// Where a square lies in a picture.
    pub(crate) fn place(&self, bit: usize) -> (f32, f32) {
        let (file, rank) = self.square(bit);
        self.grid.place(file, rank)
    }

    fn is_full(&self, state: &State<B>) -> bool {
        state.stones[0] | state.stones[1] == self.full
    }

    /// The stones of each side as a position; an error where they contradict the rules.
    fn set_up(&self, stones: [B; 2], mover: Player) -> Result<State<B>, TextError> {
        let lines = stones.map(|own| self.has_line(own));
        let mut state = State {
            stones,
            mover,
            outcome: Outcome::Open,
            key: zobrist::position_key(&KEYS, stones, mover),
        };
        state.outcome = match lines {
            [true, true] => {
                return Err(TextError::new(format!(
                    "both sides have {} in a row",
                    self.k
                )));
            }
            [true, false] => Outcome::Won(Player::FIRST),
            [false, true] => Outcome::Won(Player::SECOND),
            _ if self.is_full(&state) => Outcome::Drawn,
            _ => Outcome::Open,
        };
        Ok(state)
    }

    fn owner(&self, state: &State<B>, file: usize, rank: usize) -> Option<Player> {
        let bit = self.bit(file, rank);
        (0..2)
            .find(|&p| state.stones[p].has(bit))
            .map(|p| Player(p as u8))
    }
}

impl<B: Bits> Game for Mnk<B> {
    type State = State<B>;
    type Move = Place;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        State {
            stones: [B::EMPTY; 2],
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

    fn moves(&self, state: &State<B>, out: &mut Vec<Place>) {
        if state.outcome == Outcome::Open {
            out.extend(self.empty(state).iter().map(|bit| Place(bit as u16)));
        }
    }

    fn play(&self, state: &mut State<B>, Place(bit): Place) -> State<B> {
        let old = *state;
        let (mover, bit) = (state.mover, usize::from(bit));
        let own = &mut state.stones[mover.index()];
        *own |= B::bit(bit);
        state.key ^= KEYS[mover.index()][bit] ^ zobrist::SECOND_TO_MOVE;
        state.mover = mover.other();
        if self.has_line(*own) {
            state.outcome = Outcome::Won(mover);
        } else if self.is_full(state) {
            state.outcome = Outcome::Drawn;
        }
        old
    }

    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }
}

impl<B: Bits> TwoPlayer for Mnk<B> {}

impl<B: Bits> Key for Mnk<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Mnk<B> {
    fn move_indices(&self) -> usize {
        self.stride() * self.grid.height
    }

    #[inline]
    fn move_index(&self, Place(bit): Place) -> usize {
        usize::from(bit)
    }
}

impl<B: Bits> Symmetric for Mnk<B> {
    fn symmetries(&self) -> usize {
        self.grid.symmetries()
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        let map = |bit: usize| usize::from(self.map_move(Place(bit as u16), symmetry).0);
        let stones = state.stones.map(|own| {
            own.iter()
                .fold(B::EMPTY, |image, bit| image | B::bit(map(bit)))
        });
        let key = zobrist::position_key(&KEYS, stones, state.mover);
        State {
            stones,
            key,
            ..*state
        }
    }

    fn map_move(&self, Place(bit): Place, symmetry: usize) -> Place {
        let (file, rank) = self.square(usize::from(bit));
        let (file, rank) = self.grid.map(symmetry, file, rank);
        Place(self.bit(file, rank) as u16)
    }
}

impl<B: Bits> Text for Mnk<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self
            .grid
            .write(|f, r| self.owner(state, f, r).map(|p| LETTERS[p.index()]));
        format!("{rows} {}", LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let rows = self.grid.parse(text, LETTERS)?;
        let mut stones = [B::EMPTY; 2];
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = rows.at(file, rank) {
                    stones[player.index()] |= B::bit(self.bit(file, rank));
                }
            }
        }
        let mover = match parse_side(&rows.rest, LETTERS)? {
            Some(mover) => mover,
            None => mover_by_count(stones.map(Bits::count))?,
        };
        self.set_up(stones, mover)
    }

    fn move_text(&self, _: &State<B>, Place(bit): Place) -> String {
        let (file, rank) = self.square(usize::from(bit));
        self.grid.name(file, rank)
    }

    fn player_name(&self, player: Player) -> String {
        LETTERS[player.index() % 2].to_ascii_uppercase().to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. 'x.o/.x./..o x' for 3x3"
    }
}

/// Who moves when a position of a placement game does not say: players place in turn.
pub(crate) fn mover_by_count([first, second]: [usize; 2]) -> Result<Player, TextError> {
    if first == second {
        Ok(Player::FIRST)
    } else if first == second + 1 {
        Ok(Player::SECOND)
    } else {
        Err(TextError::new(format!(
            "x has {first} and o has {second} on the board, which does not arise by moving in \
             turn; add the side to move ('x' or 'o') to set it up all the same"
        )))
    }
}

impl<B: Bits> Draw for Mnk<B> {
    fn picture(&self, state: &State<B>, last: Option<Place>) -> Picture {
        let mut picture = self.grid.picture(false);
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = self.owner(state, file, rank) {
                    let (letter, colour) = (LETTERS[player.index()], COLOURS[player.index()]);
                    picture.piece(self.grid.place(file, rank), letter, colour, Body::Letter);
                }
            }
        }
        if let Some(Place(bit)) = last {
            let (file, rank) = self.square(usize::from(bit));
            picture.mark(self.grid.place(file, rank));
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tabia_game::bits::Wide;
    use tabia_game::perft;
    use tabia_kit::Kit;

    fn tic_tac_toe() -> Mnk<u64> {
        Mnk::new(3, 3, 3).unwrap()
    }

    #[test]
    fn conforms() {
        kit().run(&tic_tac_toe()).unwrap();
        kit().run(&Mnk::<u64>::new(7, 2, 3).unwrap()).unwrap();
        kit()
            .effort(2, 20)
            .run(&Mnk::<Wide>::new(19, 19, 5).unwrap())
            .unwrap();
    }

    fn kit<B: Bits>() -> Kit<Mnk<B>> {
        Kit::new()
            .two_player()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .draw()
    }

    fn explore(game: &Mnk<u64>, state: State<u64>, seen: &mut BTreeSet<State<u64>>) -> (u64, u64) {
        seen.insert(state);
        let (mut nodes, mut games) = (1, 0);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        if moves.is_empty() {
            games = 1;
        }
        for mv in moves {
            let mut child = state;
            game.play(&mut child, mv);
            let below = explore(game, child, seen);
            nodes += below.0;
            games += below.1;
        }
        (nodes, games)
    }

    /// The size of tic-tac-toe: 549,946 nodes, 255,168 games, 5,478 positions, 765 up to symmetry.
    #[test]
    fn schadd_2_2_size_of_tic_tac_toe() {
        let game = tic_tac_toe();
        let mut seen = BTreeSet::new();
        assert_eq!(explore(&game, game.start(), &mut seen), (549_946, 255_168));
        assert_eq!(seen.len(), 5_478);
        let classes: BTreeSet<_> = seen.iter().map(|s| game.canonical(s)).collect();
        assert_eq!(classes.len(), 765);
    }

    /// The line test against a plain search for k equal neighbours, on random boards.
    #[test]
    fn lines_equal_a_plain_scan() {
        for (width, height, k) in [(3, 3, 3), (5, 4, 3), (2, 9, 4), (9, 1, 5), (6, 6, 6)] {
            let game = Mnk::<u64>::new(width, height, k).unwrap();
            for seed in 0..2000 {
                let occupied = |f: usize, r: usize| {
                    zobrist::number(seed, (r * width + f) as u64).is_multiple_of(2)
                };
                let mut stones = 0;
                let mut plain = false;
                for f in 0..width {
                    for r in 0..height {
                        if occupied(f, r) {
                            stones |= 1 << game.bit(f, r);
                        }
                        for (df, dr) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
                            plain |= (0..k as i32).all(|i| {
                                let (f, r) = (f as i32 + i * df, r as i32 + i * dr);
                                f < width as i32
                                    && (0..height as i32).contains(&r)
                                    && occupied(f as usize, r as usize)
                            });
                        }
                    }
                }
                assert_eq!(
                    game.has_line(stones),
                    plain,
                    "{width},{height},{k} seed {seed}"
                );
            }
        }
    }

    #[test]
    fn perft_of_tic_tac_toe() {
        let game = tic_tac_toe();
        let counts: Vec<u64> = (1..=9).map(|d| perft(&game, &game.start(), d)).collect();
        assert_eq!(
            counts,
            [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
        );
    }

    #[test]
    fn impossible_positions_are_refused_with_a_reason() {
        let game = tic_tac_toe();
        let error = |text| game.parse_position(text).unwrap_err().to_string();
        assert!(error("xxx/ooo/... x").contains("both sides"));
        assert!(error("xxx/xx./...").contains("side to move"));
        assert!(error("").contains("0 rows"));
        assert!(
            game.parse_position("xx./x../... o").is_ok(),
            "unreachable but playable"
        );
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for (width, height, k) in [
            (0, 3, 3),
            (3, 0, 3),
            (3, 3, 0),
            (3, 3, 4),
            (27, 1, 1),
            (9, 9, 5),
            (3, usize::MAX, 3),
        ] {
            assert!(
                Mnk::<u64>::new(width, height, k).is_err(),
                "{width},{height},{k}"
            );
        }
    }
}
