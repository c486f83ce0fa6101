//! Positions as the identifiers of GNU Backgammon.
//!
//! A position identifier is 80 bits in fourteen characters: for the opponent and then for the
//! player on roll, for each point from 1 to 24 and the bar, as many ones as there are checkers and
//! a zero. A match identifier is 67 bits in twelve characters with cube, turn, dice, match length,
//! score and the Jacoby rule. Bits are filled from the least significant one of each byte, and
//! bytes become characters as in base 64. White is player 0 of the match identifier.
//!
//! An identifier does not know whether a player who has not rolled yet could still double: it is
//! read as if they could. A game that has not begun is before its opening roll.

use tabia_game::{Game, Player, TextError};

use super::board::{Board, POINTS, Side};
use super::plays::Roll;
use super::{Backgammon, Phase, State};

const POSITION_BYTES: usize = 10;
const MATCH_BYTES: usize = 9;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const NOT_BEGUN: u32 = 0;
const PLAYING: u32 = 1;
const OVER: u32 = 2;
const DROPPED: u32 = 4;
const CENTRED: u32 = 3;

/// Bits of bytes, from the least significant one of each.
struct Bits<const N: usize> {
    bytes: [u8; N],
    next: usize,
}

impl<const N: usize> Bits<N> {
    fn new(bytes: [u8; N]) -> Bits<N> {
        Bits { bytes, next: 0 }
    }

    fn push(&mut self, value: u32, width: usize) {
        for i in 0..width {
            if let Some(byte) = self.bytes.get_mut(self.next / 8) {
                *byte |= ((value >> i & 1) as u8) << (self.next % 8);
            }
            self.next += 1;
        }
    }

    /// The next this many bits; beyond the end there are zeros.
    fn take(&mut self, width: usize) -> u32 {
        let mut value = 0;
        for i in 0..width {
            let byte = self.bytes.get(self.next / 8).copied().unwrap_or(0);
            value |= u32::from(byte >> (self.next % 8) & 1) << i;
            self.next += 1;
        }
        value
    }

    fn rest_is_empty(&mut self) -> bool {
        (self.next..8 * N).all(|_| self.take(1) == 0)
    }
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| {
            word << 8 | u32::from(chunk.get(i).copied().unwrap_or(0))
        });
        for i in 0..=chunk.len() {
            let sextet = word >> (18 - 6 * i) & 63;
            text.push(char::from(ALPHABET[sextet as usize]));
        }
    }
    text
}

fn decode<const N: usize>(text: &str, what: &str) -> Result<[u8; N], TextError> {
    let length = (8 * N).div_ceil(6);
    if text.chars().count() != length {
        return Err(TextError::new(format!(
            "a {what} identifier has {length} characters, and this one {}",
            text.chars().count()
        )));
    }
    let mut bytes = [0; N];
    let (mut word, mut bits, mut filled) = (0u32, 0, 0);
    for c in text.chars() {
        let known = ALPHABET.iter().position(|&known| char::from(known) == c);
        let sextet = known.ok_or_else(|| {
            let shown = if c.is_control() { ' ' } else { c };
            TextError::new(format!(
                "'{shown}' does not occur in a {what} identifier, only letters, digits, + and /"
            ))
        })?;
        word = word << 6 | sextet as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            if let Some(byte) = bytes.get_mut(filled) {
                *byte = (word >> bits) as u8;
            }
            filled += 1;
            word &= (1 << bits) - 1;
        }
    }
    if word != 0 {
        return Err(TextError::new(format!(
            "the last character of the {what} identifier has bits that belong to nothing"
        )));
    }
    Ok(bytes)
}

impl Board {
    /// The position identifier of GNU Backgammon.
    ///
    /// ```
    /// use tabia_backgammon::backgammon::Board;
    /// assert_eq!(Board::START.position_id(), "4HPwATDgc/ABMA");
    /// assert_eq!(Board::from_position_id("4HPwATDgc/ABMA"), Ok(Board::START));
    /// ```
    pub fn position_id(&self) -> String {
        let mut bits = Bits::new([0; POSITION_BYTES]);
        for &count in self.sides().iter().rev().flatten() {
            for _ in 0..count {
                bits.push(1, 1);
            }
            bits.push(0, 1);
        }
        encode(&bits.bytes)
    }

    /// Reads a position identifier of GNU Backgammon.
    pub fn from_position_id(id: &str) -> Result<Board, TextError> {
        let mut bits = Bits::<POSITION_BYTES>::new(decode(id, "position")?);
        let mut sides: [Side; 2] = [[0; POINTS + 1]; 2];
        for count in sides.iter_mut().rev().flatten() {
            while bits.take(1) == 1 {
                *count += 1;
            }
        }
        if !bits.rest_is_empty() {
            return Err(TextError::new(
                "the position identifier goes on after the last place",
            ));
        }
        Board::new(sides).map_err(|error| TextError::new(error.to_string()))
    }
}

impl Backgammon {
    /// The match identifier of GNU Backgammon.
    pub fn match_id(&self, state: &State) -> String {
        let rules = self.rules();
        let dice = match state.phase() {
            Phase::Play(roll) => roll.dice(),
            _ => [0; 2],
        };
        let doubled = state.phase() == Phase::Doubled;
        let acting = if doubled {
            state.mover().other()
        } else {
            state.mover()
        };
        let game = match state.phase() {
            Phase::Opening => NOT_BEGUN,
            Phase::Over if state.board().left(0) > 0 => DROPPED,
            Phase::Over => OVER,
            _ => PLAYING,
        };
        let owner = state.cube_owner().map_or(CENTRED, |owner| owner.0.into());
        let [white, black] = state.score().map(u32::from);
        let mut bits = Bits::new([0; MATCH_BYTES]);
        for (value, width) in [
            (state.cube().trailing_zeros(), 4),
            (owner, 2),
            (state.mover().0.into(), 1),
            (state.is_crawford().into(), 1),
            (game, 3),
            (acting.0.into(), 1),
            (doubled.into(), 1),
            (0, 2),
            (dice[0].into(), 3),
            (dice[1].into(), 3),
            (rules.length.into(), 15),
            (white, 15),
            (black, 15),
            ((!rules.jacoby).into(), 1),
        ] {
            bits.push(value, width);
        }
        encode(&bits.bytes)
    }

    /// Position and match identifier with a colon between, as GNU Backgammon reads them.
    ///
    /// ```
    /// use tabia_game::{Game, Text};
    /// use tabia_backgammon::backgammon::Backgammon;
    ///
    /// let game = Backgammon::default();
    /// let state = game.parse_position("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w 31")?;
    /// let id = game.id(&state);
    /// assert_eq!(id, "4HPwATDgc/ABMA:MIEFAAAAAAAE");
    /// assert_eq!(game.parse_position(&id)?, state);
    /// # Ok::<(), tabia_game::TextError>(())
    /// ```
    pub fn id(&self, state: &State) -> String {
        format!("{}:{}", state.board().position_id(), self.match_id(state))
    }

    /// Reads a position identifier, alone or with a match identifier. Alone it is White's turn,
    /// with the cube in the middle and no score.
    pub(super) fn parse_id(&self, text: &str) -> Result<State, TextError> {
        let Some((position, rest)) = text.split_once(':') else {
            return self.position(Board::from_position_id(text)?, Player::FIRST);
        };
        let board = Board::from_position_id(position)?;
        let mut bits = Bits::<MATCH_BYTES>::new(decode(rest, "match")?);
        let [doubles, owner, mover, crawford] = [4, 2, 1, 1].map(|width| bits.take(width));
        let [game, _, doubled, resigned] = [3, 1, 1, 2].map(|width| bits.take(width));
        let dice = [3, 3].map(|width| bits.take(width));
        let [length, white, black, _] = [15, 15, 15, 1].map(|width| bits.take(width));
        let wrong = |reason: &str| Err(TextError::new(format!("the match identifier {reason}")));
        if !bits.rest_is_empty() {
            return wrong("goes on after the last field");
        }
        let expected = self.rules().length;
        if length != u32::from(expected) {
            return wrong(&format!(
                "is of a match to {length} points, and this game is to {expected}"
            ));
        }
        if resigned > 0 {
            return wrong("offers a resignation, which is no move here");
        }
        let mover = Player(mover as u8);
        let mut state = State {
            board,
            mover,
            doubles: doubles as u8,
            owner: match owner {
                0 => Some(Player::FIRST),
                1 => Some(Player::SECOND),
                CENTRED => None,
                _ => return wrong("gives the cube to a third player"),
            },
            crawford: crawford == 1,
            ..self.start()
        };
        // A session without end counts points, too, but they change nothing.
        if length > 0 {
            for (own, points) in state.score.iter_mut().zip([white, black]) {
                *own = u8::try_from(points).unwrap_or(u8::MAX);
            }
        }
        state.phase = match (game, doubled, dice) {
            (NOT_BEGUN, 0, [0, 0]) => Phase::Opening,
            (OVER | DROPPED, ..) => Phase::Over,
            (PLAYING, 1, [0, 0]) => Phase::Doubled,
            (PLAYING, 0, [0, 0]) => self.turn_begins(&state),
            (PLAYING, 0, [first, second]) => match Roll::new(first as u8, second as u8) {
                Some(roll) => Phase::Play(roll),
                None => return wrong(&format!("has impossible dice, {first} and {second}")),
            },
            (NOT_BEGUN | PLAYING, ..) => return wrong("has dice where none can be"),
            _ => return wrong("is of a game that was resigned or never was"),
        };
        self.checked(state)
    }
}

/// Whether a text is to be read as identifiers: it has nothing in it that belongs to other
/// notations.
pub(super) fn looks_like_id(text: &str) -> bool {
    !text.contains([',', '-']) && !text.contains(char::is_whitespace)
}
