//! Portable Game Notation in its export format (Edwards 1994, section 3.2).
//!
//! In PGN White moves first, and readers rely on it. So White is whoever has the first seat,
//! whatever the game calls it. Moves are written as the game writes them; a pass is `--`, as
//! programs write null moves.
//!
//! ```
//! use tabia_formats::pgn::{PgnGame, PgnResult};
//!
//! let moves = ["b2", "a1", "pass"].map(String::from);
//! let game = PgnGame {
//!     tags: vec![("Event", "a \"cup\"".to_string())],
//!     second_begins: false,
//!     moves: &moves,
//!     comment: "X has won".to_string(),
//!     result: PgnResult::White,
//! };
//! let text = "[Event \"a \\\"cup\\\"\"]\n\n1. b2 a1 2. -- {X has won} 1-0\n\n";
//! assert_eq!(game.to_string(), text);
//! ```

use std::fmt;

/// The longest line of moves.
const WIDTH: usize = 79;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnResult {
    /// The first seat.
    White,
    /// The second seat.
    Black,
    /// Nobody.
    Draw,
    /// It is not known.
    Unknown,
}

impl PgnResult {
    /// The word for it, as in the tag `Result`.
    pub fn word(self) -> &'static str {
        match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        }
    }
}

/// A game; its text is the whole game with an empty line after it.
#[derive(Clone, Debug)]
pub struct PgnGame<'a> {
    /// Names and values of the tags, in their order.
    pub tags: Vec<(&'static str, String)>,
    /// Whether the second seat makes the first move, as it may after a set-up.
    pub second_begins: bool,
    /// What was played.
    pub moves: &'a [String],
    /// The comment after the last move.
    pub comment: String,
    /// Who has won.
    pub result: PgnResult,
}

impl fmt::Display for PgnGame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", escape(value))?;
        }
        writeln!(f, "\n{}", wrapped(&self.tokens()))
    }
}

impl PgnGame<'_> {
    fn tokens(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        for (ply, mv) in self.moves.iter().enumerate() {
            let half = ply + usize::from(self.second_begins);
            if half.is_multiple_of(2) {
                tokens.push(format!("{}.", half / 2 + 1));
            } else if ply == 0 {
                tokens.push(format!("{}...", half / 2 + 1));
            }
            let pass = mv == "pass";
            tokens.push(if pass { "--".to_string() } else { mv.clone() });
        }
        // A comment ends at the first brace.
        let comment = format!("{{{}}}", self.comment.replace(['{', '}'], "|"));
        tokens.extend(comment.split_whitespace().map(str::to_string));
        tokens.push(self.result.word().to_string());
        tokens
    }
}

/// Strings hold neither line ends nor bare quotes and backslashes.
fn escape(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .flat_map(|c| {
            let mark = matches!(c, '"' | '\\').then_some('\\');
            mark.into_iter().chain([c])
        })
        .collect()
}

fn wrapped(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for token in tokens {
        let length = token.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(token);
        column += length;
    }
    text.push('\n');
    text
}
