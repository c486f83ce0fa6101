//! Notation and picture.
//!
//! A move is `25,27v+2`: the new dot, the direction of the line (`h` level, `v` upright, `d` down
//! to the right, `u` up to the right) and how far its middle lies from the dot, as in
//! [`pentasol`](super::pentasol). A position is a list of moves that leads to it. Which ones,
//! follows from its lines; they are written in an order of their own, so that a position has one
//! text.

use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Game, Picture, Player, Text, TextError, Unit};

use super::lines::{DIRECTIONS, NUMBERS, SIDE};
use super::pentasol::{LETTERS, read_move};
use super::{Morpion, Move, State};

/// The text of a position without moves.
const START: &str = "start";

impl Morpion {
    /// The moves that have led to a position, in an order that depends on the position alone.
    ///
    /// A line of the position that lacks one dot must be drawn with this dot: if another line added
    /// it first, there would be none left to add. So playing any such line is never wrong.
    pub fn replay(&self, state: &State) -> Vec<Move> {
        let mut left = self.lines_of(state);
        let mut played = Vec::with_capacity(left.len());
        let mut now = self.start();
        while played.len() < state.played() {
            let before = played.len();
            left.retain(|&line| {
                let found = now.legal().iter().find(|mv| mv.line() == line).copied();
                if let Some(mv) = found {
                    self.play(&mut now, mv);
                    played.push(mv);
                }
                found.is_none()
            });
            if played.len() == before {
                // Not a position of this game.
                break;
            }
        }
        played
    }

    /// All lines of a position, as [`Move::line`] tells them. Marks of neighbouring lines lie side
    /// by side, so every run of them is cut into lines from its beginning.
    fn lines_of(&self, state: &State) -> Vec<u32> {
        let each = self.variant.marks();
        let mut lines = Vec::with_capacity(state.played());
        for straight in 0..DIRECTIONS * NUMBERS {
            let mut marks = state.marks[straight / NUMBERS][straight % NUMBERS];
            while marks != 0 {
                let start = marks.trailing_zeros() as usize;
                lines.push((straight * SIDE + start) as u32);
                marks &= !(((1u64 << each) - 1) << start);
            }
        }
        lines
    }

    /// Reads a move, legal or not.
    fn read_short(&self, text: &str) -> Option<Move> {
        let text = text.trim();
        if text.starts_with('(') {
            let (point, direction, middle) = read_move(text)?;
            return self.move_at(point, direction, middle);
        }
        let letter = |c: char| LETTERS.iter().position(|&l| l == c.to_ascii_lowercase());
        let (at, direction) = text
            .char_indices()
            .find_map(|(at, c)| letter(c).map(|direction| (at, direction)))?;
        let (x, y) = text[..at].split_once(',')?;
        let point = (x.parse().ok()?, y.parse().ok()?);
        self.move_at(point, direction, text[at + 1..].parse().ok()?)
    }
}

impl Text for Morpion {
    fn position_text(&self, state: &State) -> String {
        let moves = self.replay(state);
        if moves.is_empty() {
            return START.to_string();
        }
        let moves: Vec<String> = moves.iter().map(|&mv| self.move_text(state, mv)).collect();
        moves.join(" ")
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let mut state = self.start();
        if text.trim() == START {
            return Ok(state);
        }
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return Err(TextError::new(format!(
                "a position is a list of moves, or '{START}'"
            )));
        }
        for (number, word) in (1..).zip(words) {
            let mv = self.read_short(word).ok_or_else(|| {
                TextError::new(format!(
                    "move {number}, '{}', is no move such as 28,29v-2",
                    shortened(word)
                ))
            })?;
            if state.legal().binary_search(&mv).is_err() {
                return Err(TextError::new(format!(
                    "move {number}, '{}', cannot be played after the moves before it",
                    shortened(word)
                )));
            }
            self.play(&mut state, mv);
        }
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        let ((x, y), letter) = (mv.dot(), LETTERS[mv.direction_number()]);
        match self.middle(mv) {
            0 => format!("{x},{y}{letter}0"),
            middle => format!("{x},{y}{letter}{middle:+}"),
        }
    }

    /// In the short notation or in that of Pentasol.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        let wrong = |what: &str| TextError::new(format!("'{}' {what}", shortened(text)));
        let mv = self
            .read_short(text)
            .ok_or_else(|| wrong("is no move such as 28,29v-2"))?;
        match state.legal().binary_search(&mv) {
            Ok(_) => Ok(mv),
            Err(_) if state.legal().is_empty() => Err(wrong("cannot be played: the game is over")),
            Err(_) => Err(wrong("is not a legal move here")),
        }
    }

    fn player_name(&self, _: Player) -> String {
        "Player".to_string()
    }

    fn unit(&self) -> Unit {
        Unit::Things("line", "lines")
    }

    fn position_help(&self) -> &'static str {
        "the moves played, in any order that is legal, e.g. '28,29v-2 28,30v+1'"
    }
}

impl Draw for Morpion {
    /// Dots and lines; new dots bear numbers in the order of [`Morpion::replay`].
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let dots: Vec<(usize, usize)> = state.dots().collect();
        let range = |of: fn(&(usize, usize)) -> usize| {
            let least = dots.iter().map(of).min().unwrap_or(0);
            let largest = dots.iter().map(of).max().unwrap_or(0);
            least.saturating_sub(1)..=largest + 1
        };
        let (columns, rows) = (range(|dot| dot.0), range(|dot| dot.1));
        let (left, top) = (*columns.start(), *rows.start());
        let place = |(x, y): (usize, usize)| (x as f32 - left as f32, y as f32 - top as f32);
        for y in rows.clone() {
            for x in columns.clone() {
                let (x, y) = place((x, y));
                picture.cell(x, y, Shade::Light);
            }
            picture.label(-1.0, place((left, y)).1, y.to_string());
        }
        for x in columns.step_by(2) {
            let (x, y, text) = (
                place((x, top)).0,
                place((left, *rows.end())).1,
                x.to_string(),
            );
            picture.label(x, y + 1.0, text);
        }
        for (x, y) in self.cross() {
            picture.piece(place((x, y)), 'o', Colour::Black, Body::Point);
        }
        for (number, mv) in (1..).zip(self.replay(state)) {
            let ends = (
                mv.points(self.variant.length()).next(),
                mv.points(self.variant.length()).last(),
            );
            if let (Some(from), Some(to)) = ends {
                picture.line(place(from), place(to));
            }
            let (x, y) = place(mv.dot());
            picture.piece((x, y), '*', Colour::Blue, Body::Point);
            picture.note(x, y, number.to_string());
        }
        if let Some(mv) = last {
            picture.mark(place(mv.dot()));
        }
        picture
    }
}
