//! Games on file: a few lines of text that a person can read and write.

use std::fmt;
use std::str::FromStr;

/// The record of a game.
///
/// ```text
/// # a comment
/// game: mnk:3,3,3
/// position: .../.x./... o
/// seat 1: human
/// seat 2: random:seed=7
/// result: X has won
/// moves: a1 b3 a2
/// moves: a3 c2 b1
/// ```
///
/// Every line is a key, a colon and a value; blank lines and lines that begin with `#` do not
/// count. `game` is a spec and must be there; `position` is where the game began, if not at the
/// start; `moves` may be spread over several lines. `seat` tells who plays on when the game is
/// taken up again. `result` is for the reader: what counts is what the moves lead to.
///
/// A game with hidden information that is not over yet belongs to a seat: `seen by` is its number,
/// `view` the position as it sees it, and `moves` what it has seen of each. Such a game is read,
/// not taken up again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The spec of the game.
    pub game: String,
    /// Where it began, if not at the start.
    pub position: Option<String>,
    /// Whose record it is, if it is one of what a seat has seen.
    pub seen: Option<Seen>,
    /// Who sat where.
    pub seats: Vec<String>,
    /// How it ended.
    pub result: Option<String>,
    /// What was played.
    pub moves: Vec<String>,
}

/// What a seat sees of a game that is not over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The seat, counted from one.
    pub seat: usize,
    /// The position as it sees it.
    pub view: String,
}

/// The longest line of moves that is written.
const WIDTH: usize = 80;
const KEYS: &str = "game, position, seen by, view, seat 1, seat 2, ..., result, moves";

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game: {}", self.game)?;
        if let Some(position) = &self.position {
            writeln!(f, "position: {position}")?;
        }
        if let Some(Seen { seat, view }) = &self.seen {
            writeln!(f, "seen by: {seat}\nview: {view}")?;
        }
        for (i, seat) in self.seats.iter().enumerate() {
            writeln!(f, "seat {}: {seat}", i + 1)?;
        }
        if let Some(result) = &self.result {
            writeln!(f, "result: {result}")?;
        }
        let mut line = String::new();
        for mv in &self.moves {
            if !line.is_empty() && "moves:".len() + line.len() + 1 + mv.len() > WIDTH {
                writeln!(f, "moves:{line}")?;
                line.clear();
            }
            line.push(' ');
            line.push_str(mv);
        }
        if !line.is_empty() {
            writeln!(f, "moves:{line}")?;
        }
        Ok(())
    }
}

/// What is wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the record: {reason}")]
pub struct RecordError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let mut record = Record::default();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            record.enter(line).map_err(|reason| RecordError {
                line: i + 1,
                reason,
            })?;
        }
        if record.game.is_empty() {
            return Err(RecordError {
                line: text.lines().count().max(1),
                reason: "there is no 'game: SPEC' up to here".to_string(),
            });
        }
        Ok(record)
    }
}

impl Record {
    fn enter(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line
            .split_once(':')
            .map(|(key, value)| (key.trim(), value.trim()))
            .ok_or_else(|| format!("'{line}' is not 'key: value'; keys are {KEYS}"))?;
        let once = |free: bool| {
            if value.is_empty() {
                Err(format!("'{key}' has no value"))
            } else if free {
                Ok(())
            } else {
                Err(format!("'{key}' is given twice"))
            }
        };
        match key.split_whitespace().collect::<Vec<_>>()[..] {
            ["game"] => {
                once(self.game.is_empty())?;
                self.game = value.to_string();
            }
            ["position"] => {
                once(self.position.is_none())?;
                self.position = Some(value.to_string());
            }
            ["seen", "by"] => {
                once(self.seen.is_none())?;
                let seat = value.parse().ok().filter(|&seat| seat > 0);
                let seat = seat.ok_or_else(|| format!("'{value}' is no number of a seat"))?;
                let view = String::new();
                self.seen = Some(Seen { seat, view });
            }
            ["view"] => {
                let seen = self.seen.as_mut().ok_or("'view' comes after 'seen by'")?;
                once(seen.view.is_empty())?;
                seen.view = value.to_string();
            }
            ["seat", number] => {
                let expected = self.seats.len() + 1;
                if number != expected.to_string() {
                    return Err(format!("'{key}' where 'seat {expected}' should be"));
                }
                once(true)?;
                self.seats.push(value.to_string());
            }
            ["result"] => {
                once(self.result.is_none())?;
                self.result = Some(value.to_string());
            }
            ["moves"] => self
                .moves
                .extend(value.split_whitespace().map(str::to_string)),
            _ => return Err(format!("unknown key '{key}'; keys are {KEYS}")),
        }
        Ok(())
    }
}
