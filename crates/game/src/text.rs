//! Positions and moves as text, in both directions.

use crate::{Game, Path, Player};

/// A text that is no position or no move, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(String);

impl TextError {
    /// An error with a message that says what was wrong and what would be right.
    pub fn new(message: impl Into<String>) -> TextError {
        TextError(message.into())
    }
}

/// What payoffs are counted in, for people to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Nothing that is counted: games are won, drawn or lost.
    #[default]
    Result,
    /// Things, in the singular and in the plural: `trick` and `tricks`.
    Things(&'static str, &'static str),
    /// A quantity without a unit, such as `equity`.
    Quantity(&'static str),
}

impl Unit {
    /// A payoff, or the mean of several: `2 tricks`, `equity +0.314`.
    ///
    /// ```
    /// use tabia_game::Unit;
    ///
    /// let tricks = Unit::Things("trick", "tricks");
    /// assert_eq!(tricks.amount(1.0), "1 trick");
    /// assert_eq!(tricks.amount(2.25), "2.25 tricks");
    /// assert_eq!(Unit::Quantity("equity").amount(0.3141), "equity +0.314");
    /// assert_eq!(Unit::Result.amount(-1.0), "-1");
    /// ```
    pub fn amount(self, payoff: f64) -> String {
        match self {
            Unit::Result => decimal(payoff),
            Unit::Things(one, _) if payoff.abs() == 1.0 => format!("{payoff} {one}"),
            Unit::Things(_, many) => format!("{} {many}", decimal(payoff)),
            Unit::Quantity(name) => format!("{name} {payoff:+.3}"),
        }
    }

    /// The plural, or the name of the quantity; none where nothing is counted.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Unit::Result => None,
            Unit::Things(_, name) | Unit::Quantity(name) => Some(name),
        }
    }
}

/// A number with two decimal places at most.
fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_string(),
        _ => text.to_string(),
    }
}

/// Notation of positions and moves. Printing and parsing are inverse to each other.
pub trait Text: Game {
    /// A position on one line. It says everything but the history; see [`Text::situation_text`].
    fn position_text(&self, state: &Self::State) -> String;

    /// Reads a position, also one that cannot arise in play; refuses impossible ones with a reason.
    fn parse_position(&self, text: &str) -> Result<Self::State, TextError>;

    /// A position on one line with what a rule of repetition still needs to know of the path that
    /// led to it, as far as the notation has a place for that.
    fn situation_text(&self, state: &Self::State, path: &Path) -> String {
        let _ = path;
        self.position_text(state)
    }

    /// The path that a position text tells of, the position itself included; an empty one if it
    /// tells of none. The text is one that [`Text::parse_position`] reads.
    fn parse_path(&self, text: &str) -> Result<Path, TextError> {
        let _ = text;
        Ok(Path::new())
    }

    /// A move (or an outcome of chance) of this position.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String;

    /// Reads a legal move of this position. Case does not matter, nor do the marks for moving and
    /// capturing between two squares (`b1-b3`, `b1xb3`, `b1:b3`, `b1b3`).
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, TextError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let wanted = squeeze(text);
        moves
            .iter()
            .copied()
            .find(|&mv| squeeze(&self.move_text(state, mv)) == wanted)
            .ok_or_else(|| not_legal(self, state, text, &moves))
    }

    /// What the literature of the game calls this player.
    fn player_name(&self, player: Player) -> String {
        format!("Player {}", player.index() + 1)
    }

    /// What payoffs are counted in.
    fn unit(&self) -> Unit {
        Unit::Result
    }

    /// An example of a position text other than the start, for help and error messages.
    fn position_help(&self) -> &'static str;
}

fn not_legal<G: Text + ?Sized>(
    game: &G,
    state: &G::State,
    text: &str,
    moves: &[G::Move],
) -> TextError {
    if moves.is_empty() {
        return TextError::new(format!("'{text}' cannot be played: the game is over"));
    }
    const SHOWN: usize = 40;
    let mut legal: Vec<String> = moves
        .iter()
        .take(SHOWN)
        .map(|&mv| game.move_text(state, mv))
        .collect();
    if moves.len() > SHOWN {
        legal.push(format!("and {} more", moves.len() - SHOWN));
    }
    TextError::new(format!(
        "'{text}' is not a legal move here; legal are: {}",
        legal.join(" ")
    ))
}

/// Lower case, without the marks between squares.
fn squeeze(text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut previous_is_digit = false;
    for c in text.chars() {
        let mark = matches!(c, '-' | ':') || (c == 'x' && previous_is_digit);
        if !mark {
            out.push(c);
        }
        previous_is_digit = c.is_ascii_digit();
    }
    out
}

/// As much of a text from outside as belongs into a message, without what could upset a terminal.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 200;
    let mut short: String = text
        .chars()
        .take(LENGTH)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LENGTH).is_some() {
        short.push_str("...");
    }
    short
}

/// The place of the first character of a word that cannot stand there, or of the word where each
/// can; the word is a part of the text. Characters are counted from 1.
pub fn place(text: &str, word: &str, fits: impl Fn(char) -> bool) -> String {
    let wrong = word.char_indices().find(|&(_, c)| !fits(c));
    let begin = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let offset = begin + wrong.map_or(0, |(offset, _)| offset);
    match text.get(offset..).and_then(|rest| rest.chars().next()) {
        Some(character) => {
            let before = text
                .get(..offset)
                .map_or(0, |before| before.chars().count());
            format!(
                "at character {} ('{}')",
                before + 1,
                character.escape_debug()
            )
        }
        None => "at the end of the text".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{place, squeeze};

    #[test]
    fn characters_are_counted_from_one() {
        let text = "ä,2x,7,";
        let digits = |c: char| c.is_ascii_digit();
        let places: Vec<String> = text
            .split(',')
            .map(|word| place(text, word, digits))
            .collect();
        let expected = [
            "at character 1 ('ä')",
            "at character 4 ('x')",
            "at character 6 ('7')",
            "at the end of the text",
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn marks_between_squares_do_not_matter() {
        for text in ["b1-b3", "B1xB3", "b1:b3", " b1b3 "] {
            assert_eq!(squeeze(text), "b1b3");
        }
        assert_eq!(squeeze("x4"), "x4", "a leading x is a file");
    }
}
