//! Records of games as the program Pentasol writes them.
//!
//! The first line is the inner corner of the cross at the top left; each further line is a move:
//! the new dot, the direction of the line as `-`, `|`, `\` or `/`, and how far the middle of the
//! line lies from the new dot. Columns count to the right, rows downwards, and on a rising line the
//! way goes upwards. A line of four dots has no middle; its third dot takes that place.

use std::fmt::Write;

use tabia_game::text::shortened;
use tabia_game::{Game, TextError};

use super::lines::{ALL, numbered};
use super::{CORNER, Morpion, Move, State};

const SIGNS: [char; 4] = ['-', '|', '\\', '/'];

/// `(x,y)`, and what follows it.
fn read_point(text: &str) -> Option<((i64, i64), &str)> {
    let (inside, rest) = text.trim_start().strip_prefix('(')?.split_once(')')?;
    let (x, y) = inside.split_once(',')?;
    Some(((x.trim().parse().ok()?, y.trim().parse().ok()?), rest))
}

/// A move as the new dot, the number of the direction and the way to the middle of the line.
pub(super) fn read_move(text: &str) -> Option<((i64, i64), usize, i64)> {
    let (point, rest) = read_point(text)?;
    let mut rest = rest.trim().chars();
    let sign = rest.next()?;
    let direction = SIGNS.iter().position(|&s| s == sign)?;
    Some((point, direction, rest.as_str().trim().parse().ok()?))
}

impl Morpion {
    /// How far the middle of a move's line lies from its dot.
    pub(super) fn middle(&self, mv: Move) -> i64 {
        (self.variant.length() / 2) as i64 - mv.offset() as i64
    }

    /// The move with this dot, direction and way to the middle, if there is such a line on the
    /// grid.
    pub(super) fn move_at(
        &self,
        (x, y): (i64, i64),
        direction: usize,
        middle: i64,
    ) -> Option<Move> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let length = self.variant.length();
        let offset = usize::try_from((length / 2) as i64 - middle).ok()?;
        if x >= super::lines::SIDE || y >= super::lines::SIDE || offset >= length {
            return None;
        }
        let (number, place) = numbered(x, y)[direction];
        Move::new(direction, number, place.checked_sub(offset)?, offset)
    }
}

/// Reads a record: the moves, and the position they lead to.
///
/// ```
/// use tabia_puzzles::morpion::{Morpion, Variant, pentasol};
///
/// let game = Morpion::new(Variant::FiveTouching);
/// let text = "(28,28)\n(28,29) | -2\n(28,30) | +1\n";
/// let (moves, _) = pentasol::read(&game, text).expect("two moves");
/// assert_eq!(moves.len(), 2);
/// let error = pentasol::read(&game, "(28,28)\n(28,30) | +1\n").map_err(|error| error.to_string());
/// assert_eq!(error.err().as_deref(), Some("line 2: '(28,30) | +1' cannot be played here"));
/// ```
pub fn read(game: &Morpion, text: &str) -> Result<(Vec<Move>, State), TextError> {
    let wrong = |number: usize, what: String| TextError::new(format!("line {number}: {what}"));
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let Some((number, line)) = lines.next() else {
        return Err(TextError::new(
            "there is no line with the corner of the cross, such as (28,28)",
        ));
    };
    let Some((corner, "")) = read_point(line).map(|(point, rest)| (point, rest.trim())) else {
        let what = format!("'{}' is no corner such as (28,28)", shortened(line));
        return Err(wrong(number, what));
    };
    let mut state = game.start();
    let mut moves = Vec::new();
    for (number, line) in lines {
        let read = read_move(line).ok_or_else(|| {
            let what = "is no move such as (28,29) | -2";
            wrong(number, format!("'{}' {what}", shortened(line)))
        })?;
        let ((x, y), direction, middle) = read;
        let shifted = |z: i64, corner: i64, own: usize| {
            z.checked_sub(corner)
                .and_then(|z| z.checked_add(own as i64))
        };
        let point = shifted(x, corner.0, CORNER.0).zip(shifted(y, corner.1, CORNER.1));
        let mv = point
            .and_then(|point| game.move_at(point, direction, middle))
            .filter(|mv| state.legal().binary_search(mv).is_ok());
        let Some(mv) = mv else {
            let what = format!("'{}' cannot be played here", shortened(line.trim()));
            return Err(wrong(number, what));
        };
        game.play(&mut state, mv);
        moves.push(mv);
    }
    Ok((moves, state))
}

/// Writes a record.
pub fn write(game: &Morpion, moves: &[Move]) -> String {
    let mut text = format!("({},{})\n", CORNER.0, CORNER.1);
    for &mv in moves {
        let ((x, y), sign) = (mv.dot(), SIGNS[mv.direction_number()]);
        let middle = game.middle(mv);
        // Writing to a string cannot fail.
        let _ = match middle {
            0 => writeln!(text, "({x},{y}) {sign} 0"),
            _ => writeln!(text, "({x},{y}) {sign} {middle:+}"),
        };
    }
    text
}

/// The direction with this number of [`read_move`], as a letter that a shell leaves alone.
pub(super) const LETTERS: [char; ALL.len()] = ['h', 'v', 'd', 'u'];
