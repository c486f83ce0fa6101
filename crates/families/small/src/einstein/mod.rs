//! EinStein würfelt nicht (Althöfer 2004): six numbered stones each, and a die says which may move.
//!
//! On five by five squares the stones start in opposite corners. Red moves right, down or
//! diagonally between, Blue the other way. The stone that the die shows must move; if it is gone,
//! the next higher or the next lower one that is left. Whatever stands on the target is taken, own
//! stones too. Whoever reaches the far corner or takes all stones of the other wins, so there is no
//! draw. Players may set their stones up as they like; here both begin in one fixed order, and any
//! other is a position.

#[cfg(not(test))]
pub mod entry;

use rand::{Rng, RngExt};
use tabia_game::grid::Grid;
use tabia_game::picture::{Body, Colour};
use tabia_game::{
    CERTAIN, Chance, Draw, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Picture, Player,
    Stochastic, Text, TextError, Turn, TwoPlayer, URGENT, zobrist,
};

const SIZE: usize = 5;
const SQUARES: usize = SIZE * SIZE;
const STONES: usize = 6;
const FACES: u8 = STONES as u8;
const GRID: Grid = Grid {
    width: SIZE,
    height: SIZE,
};
const NAMES: [&str; 2] = ["Red", "Blue"];
const COLOURS: [Colour; 2] = [Colour::Red, Colour::Blue];
const LETTERS: [char; 2] = ['x', 'o'];
/// The far corner of each side, counted from the top left row by row.
const GOALS: [u8; 2] = [SQUARES as u8 - 1, 0];
/// Red's stones at the start, from the first; Blue's are the same turned around.
const START: [u8; STONES] = [0, 2, 10, 1, 5, 6];
/// Where a stone is that was taken.
const GONE: u8 = u8::MAX;

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Einstein;

/// A position, before the cast of the die or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The square of each stone.
    stones: [[u8; STONES]; 2],
    mover: Player,
    rolled: Option<u8>,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// The die shows this stone, counted from zero.
    Roll(u8),
    /// A stone moves between two squares.
    Step(u8, u8),
}

impl State {
    fn at(&self, square: u8) -> Option<(Player, usize)> {
        let players = [Player::FIRST, Player::SECOND];
        players.into_iter().find_map(|player| {
            let own = &self.stones[player.index()];
            Some((player, own.iter().position(|&s| s == square)?))
        })
    }

    fn winner(&self) -> Option<Player> {
        let players = [Player::FIRST, Player::SECOND];
        players.into_iter().find(|player| {
            let arrived = self.stones[player.index()].contains(&GOALS[player.index()]);
            arrived || self.stones[player.other().index()] == [GONE; STONES]
        })
    }

    /// The stones that may move when the die shows one: it, or its neighbours in number.
    fn movable(&self, rolled: u8) -> impl Iterator<Item = u8> {
        let own = self.stones[self.mover.index()];
        let rolled = usize::from(rolled);
        let is_left = move |&stone: &usize| own[stone] != GONE;
        let exact = Some(rolled).filter(is_left);
        let (lower, higher) = match exact {
            Some(_) => (None, None),
            None => (
                (0..rolled).rev().find(is_left),
                (rolled + 1..STONES).find(is_left),
            ),
        };
        let stones = [exact, lower, higher].into_iter().flatten();
        stones.map(move |stone| own[stone])
    }
}

/// The squares that a stone may go to: sideways, straight, diagonally.
fn targets(from: u8, player: Player) -> impl Iterator<Item = u8> {
    let (x, y) = (i32::from(from) % SIZE as i32, i32::from(from) / SIZE as i32);
    let sign = if player == Player::FIRST { 1 } else { -1 };
    let ways = [(1, 0), (0, 1), (1, 1)];
    ways.into_iter().filter_map(move |(dx, dy)| {
        let (x, y) = (x + sign * dx, y + sign * dy);
        let inside = (0..SIZE as i32).contains(&x) && (0..SIZE as i32).contains(&y);
        inside.then_some((y * SIZE as i32 + x) as u8)
    })
}

impl Game for Einstein {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            stones: [START, START.map(|square| SQUARES as u8 - 1 - square)],
            mover: Player::FIRST,
            rolled: None,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match (state.winner(), state.rolled) {
            (Some(_), _) => Turn::Over,
            (None, Some(_)) => Turn::Player(state.mover),
            (None, None) => Turn::Chance,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        match (self.turn(state), state.rolled) {
            (Turn::Chance, _) => out.extend((0..FACES).map(Move::Roll)),
            (Turn::Player(player), Some(rolled)) => {
                for from in state.movable(rolled) {
                    out.extend(targets(from, player).map(|to| Move::Step(from, to)));
                }
            }
            _ => {}
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        match mv {
            Move::Roll(stone) => state.rolled = Some(stone),
            Move::Step(from, to) => {
                if let Some((player, stone)) = old.at(to) {
                    state.stones[player.index()][stone] = GONE;
                }
                if let Some((player, stone)) = old.at(from) {
                    state.stones[player.index()][stone] = to;
                }
                state.mover = old.mover.other();
                state.rolled = None;
            }
        }
        old
    }

    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        match state.winner() {
            Some(winner) if winner == player => 1,
            Some(_) => -1,
            None => 0,
        }
    }
}

impl TwoPlayer for Einstein {}

impl Chance for Einstein {
    fn outcomes(&self, _: &State, out: &mut Vec<(Move, u64)>) {
        out.extend((0..FACES).map(|stone| (Move::Roll(stone), 1)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Move {
        Move::Roll(rng.random_range(0..FACES))
    }
}

impl Key for Einstein {
    fn key(&self, state: &State) -> u64 {
        let stones = state.stones.as_flattened().iter().zip(0u64..);
        let placed = stones.filter(|(square, _)| **square != GONE);
        let numbers =
            placed.map(|(&square, stone)| zobrist::number(0xe5, stone << 8 | u64::from(square)));
        let rest = state.rolled.map_or(7, u64::from) << 1 | u64::from(state.mover.0);
        numbers.fold(zobrist::number(0xe6, rest), |key, number| key ^ number)
    }
}

impl MoveIndex for Einstein {
    fn move_indices(&self) -> usize {
        SQUARES * SQUARES + STONES
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Step(from, to) => usize::from(from) * SQUARES + usize::from(to),
            Move::Roll(stone) => SQUARES * SQUARES + usize::from(stone),
        }
    }
}

fn square_name(square: u8) -> String {
    let (x, y) = (usize::from(square) % SIZE, usize::from(square) / SIZE);
    GRID.name(x, SIZE - 1 - y)
}

fn letter(player: Player, stone: usize) -> char {
    let first = if player == Player::FIRST { b'1' } else { b'a' };
    char::from(first + stone as u8)
}

impl Text for Einstein {
    fn position_text(&self, state: &State) -> String {
        let symbol = |square: usize| match state.at(square as u8) {
            Some((player, stone)) => letter(player, stone),
            None => '.',
        };
        let row = |y: usize| (0..SIZE).map(|x| symbol(y * SIZE + x)).collect::<String>();
        let rows: Vec<String> = (0..SIZE).map(row).collect();
        let cast = state
            .rolled
            .map_or(String::new(), |stone| format!(" {}", stone + 1));
        format!("{} {}{cast}", rows.join("/"), LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let bad = |why: String| Err(TextError::new(why));
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, mover, cast) = match words[..] {
            [board, mover] => (board, mover, None),
            [board, mover, cast] => (board, mover, Some(cast)),
            _ => {
                return bad(
                    "a position is five rows, the side to move and perhaps the cast of the die"
                        .to_string(),
                );
            }
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != SIZE || rows.iter().any(|row| row.chars().count() != SIZE) {
            return bad(
                "the board has five rows of five squares, from the top and joined by '/'"
                    .to_string(),
            );
        }
        let mut stones = [[GONE; STONES]; 2];
        for (square, c) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            let (player, stone) = match c {
                '.' => continue,
                '1'..='6' => (0, c as usize - '1' as usize),
                'a'..='f' => (1, c as usize - 'a' as usize),
                _ => {
                    return bad(format!(
                        "'{c}' is no square: '1' to '6' are Red's stones, 'a' to 'f' Blue's, '.' \
                         is empty"
                    ));
                }
            };
            if stones[player][stone] != GONE {
                return bad(format!("the stone '{c}' stands twice"));
            }
            stones[player][stone] = square as u8;
        }
        let mover = match mover {
            "x" => Player::FIRST,
            "o" => Player::SECOND,
            _ => {
                return bad(format!(
                    "'{mover}' is no side to move: 'x' is Red, 'o' is Blue"
                ));
            }
        };
        let rolled = match cast.map(str::parse::<u8>) {
            None => None,
            Some(Ok(face @ 1..=FACES)) => Some(face - 1),
            Some(_) => return bad("the die shows 1 to 6".to_string()),
        };
        let state = State {
            stones,
            mover,
            rolled,
        };
        let gone = stones.map(|own| own == [GONE; STONES]);
        let arrived = [0, 1].map(|side| stones[side].contains(&GOALS[side]));
        if gone == [true; 2] {
            return bad("the board is empty".to_string());
        }
        if arrived == [true; 2] || (0..2).any(|side| gone[side] && arrived[side]) {
            return bad("both sides have won".to_string());
        }
        if rolled.is_some() && state.winner().is_some() {
            return bad("the game is over: no die is cast".to_string());
        }
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        match mv {
            Move::Roll(stone) => (stone + 1).to_string(),
            Move::Step(from, to) => format!("{}-{}", square_name(from), square_name(to)),
        }
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % 2].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top with Red's stones 1-6 and Blue's a-f, the side to move (x is Red, o is \
         Blue), and what the die shows if it was cast, e.g. '142../56.../3...c/...fe/..bda x 3'"
    }
}

impl Draw for Einstein {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = GRID.picture(false);
        let place = |square: u8| {
            let (x, y) = (usize::from(square) % SIZE, usize::from(square) / SIZE);
            GRID.place(x, SIZE - 1 - y)
        };
        for square in 0..SQUARES as u8 {
            if let Some((player, stone)) = state.at(square) {
                let symbol = letter(player, stone);
                picture.piece(place(square), symbol, COLOURS[player.index()], Body::Letter);
            }
        }
        if let Some(Move::Step(from, to)) = last {
            picture.mark(place(from));
            picture.mark(place(to));
        }
        picture
    }
}

/// Steps that each side still needs to its corner, and stones that are left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl Distance {
    /// How well a side stands: the nearer its stones, and the better they are spread over the faces
    /// of the die, the more.
    fn points(state: &State, player: Player) -> i32 {
        let goal = i32::from(GOALS[player.index()]);
        let size = SIZE as i32;
        // What a stone may move by: each face moves the stone of its number or the nearest one
        // left.
        let probe = State {
            mover: player,
            ..*state
        };
        let near = |square: u8| {
            let square = i32::from(square);
            let (dx, dy) = (
                (goal % size - square % size).abs(),
                (goal / size - square / size).abs(),
            );
            SIZE as i32 - dx.max(dy)
        };
        let by_face =
            (0..FACES).map(|face| probe.movable(face).map(near).max().unwrap_or(0).pow(2));
        by_face.sum()
    }
}

impl Knowledge<Einstein> for Distance {
    fn evaluate(&self, _: &Einstein, state: &State, player: Player) -> i32 {
        if let Some(winner) = state.winner() {
            return if winner == player {
                CERTAIN - 1
            } else {
                1 - CERTAIN
            };
        }
        let ahead = Distance::points(state, player) - Distance::points(state, player.other());
        // Six faces of at most sixteen points each.
        ahead * (CERTAIN / 100)
    }

    /// A step to the corner, then one that takes a stone of the other side.
    fn priority(&self, _: &Einstein, state: &State, mv: Move) -> i32 {
        let Move::Step(_, to) = mv else { return 0 };
        match state.at(to) {
            _ if to == GOALS[state.mover.index()] => URGENT + 1,
            Some((owner, _)) if owner != state.mover => 2,
            Some(_) => 0,
            None => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_kit::Kit;

    #[test]
    fn conforms() {
        let kit = Kit::new().two_player().chance().key().move_index();
        kit.text().text_key().draw().run(&Einstein).unwrap();
    }

    fn moves(text: &str) -> Vec<String> {
        let state = Einstein.parse_position(text).unwrap();
        let mut moves = Vec::new();
        Einstein.moves(&state, &mut moves);
        let mut texts: Vec<String> = moves
            .iter()
            .map(|&mv| Einstein.move_text(&state, mv))
            .collect();
        texts.sort();
        texts
    }

    #[test]
    fn the_stone_on_the_die_moves_or_its_neighbours() {
        assert_eq!(
            moves("1.2../...../...../...../....a x 1"),
            ["a5-a4", "a5-b4", "a5-b5"]
        );
        // Stones 3 and 4 are gone: 2 and 5 may move.
        assert_eq!(
            moves("12.../...../..5../...../...ba x 3"),
            ["b5-b4", "b5-c4", "b5-c5", "c3-c2", "c3-d2", "c3-d3"]
        );
        assert_eq!(
            moves("1..../...../...../...b./....a o 6"),
            ["d2-c2", "d2-c3", "d2-d3"]
        );
    }

    #[test]
    fn own_stones_may_be_taken_and_the_corner_wins() {
        let mut state = Einstein
            .parse_position("12.../...../...../...../..ab. x 1")
            .unwrap();
        Einstein.play(&mut state, Move::Step(0, 1));
        assert_eq!(
            Einstein.position_text(&state),
            ".1.../...../...../...../..ab. o"
        );
        let mut state = Einstein
            .parse_position("...../...../...../...../a..1. x 1")
            .unwrap();
        Einstein.play(&mut state, Move::Step(23, 24));
        assert_eq!(Einstein.turn(&state), Turn::Over);
        assert_eq!(Einstein.payoff(&state, Player::FIRST), 1);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for text in [
            "",
            "x",
            "...../...../...../...../..... x",
            "1..../...../...../...../....1 x",
            "a..../...../...../...../....1 x",
            "1..../...../...../...../....a x 7",
            "1..../...../...../...../....a z",
            "1.../...../...../...../....a x",
            "1..../...../...../...../....q x",
            "...../...../...../...../..a.1 o 2",
        ] {
            assert!(Einstein.parse_position(text).is_err(), "{text}");
        }
    }

    #[test]
    fn estimates_cancel_out_and_stay_within_bounds() {
        let state = Einstein.start();
        let value = |player| Distance.evaluate(&Einstein, &state, player);
        assert_eq!(value(Player::FIRST), -value(Player::SECOND));
        let ahead = Einstein
            .parse_position("...../...../...../...1./....a x")
            .unwrap();
        assert!(Distance.evaluate(&Einstein, &ahead, Player::FIRST).abs() < CERTAIN);
    }
}
