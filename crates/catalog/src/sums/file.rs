//! Files of sums with commands, as users of MCGS write them.
//!
//! A file consists of sections, games and commands, separated by white space. `[name]` begins a section; words, and
//! whatever stands between `(` and `)`, are games of its kind. Games add up until a command block `{...}`, which
//! acts on the sum before it and empties it. `/* ... */` is a comment.

use tabia_game::Player;
use tabia_game::text::shortened;

use super::{SumError, Summands};

/// A question about a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether this player, moving first, wins, and what is expected.
    Wins(Player, Option<bool>),
    /// The nimber, and what is expected.
    Nimber(Option<u32>),
    /// The winning moves of a player, or of whoever moves in an impartial game.
    WinningMoves(Option<Player>),
}

/// A sum and a question about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The line on which the question stands, counted from one.
    pub line: usize,
    /// The sum as it was written.
    pub text: String,
    /// What it says.
    pub sum: Summands,
    /// What is asked.
    pub question: Question,
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct FileError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong there, and what would be right.
    pub reason: String,
}

/// What a file consists of.
enum Token<'t> {
    Section(&'t str),
    Game(&'t str),
    Commands(&'t str),
}

/// The tokens of a file with their lines.
struct Tokens<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Tokens<'t> {
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        self.rest = rest;
    }

    fn error(&self, reason: impl Into<String>) -> FileError {
        FileError {
            line: self.line,
            reason: reason.into(),
        }
    }

    fn skip_blanks_and_comments(&mut self) -> Result<(), FileError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.skip(blanks);
            if !self.rest.starts_with("/*") {
                return Ok(());
            }
            match self.rest.find("*/") {
                Some(end) => self.skip(end + 2),
                None => return Err(self.error("a comment '/*' is not ended by '*/'")),
            }
        }
    }

    /// What stands between the bracket that comes first and its partner.
    fn bracketed(&mut self, open: char, close: char) -> Result<&'t str, FileError> {
        let end = self
            .rest
            .find(close)
            .ok_or_else(|| self.error(format!("'{open}' is not followed by '{close}'")))?;
        let inner = &self.rest[open.len_utf8()..end];
        self.skip(end + close.len_utf8());
        Ok(inner.trim())
    }

    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, FileError> {
        self.skip_blanks_and_comments()?;
        let line = self.line;
        let token = match self.rest.chars().next() {
            None => return Ok(None),
            Some('[') => Token::Section(self.bracketed('[', ']')?),
            Some('(') => Token::Game(self.bracketed('(', ')')?),
            Some('{') => Token::Commands(self.bracketed('{', '}')?),
            Some(closing @ (']' | ')' | '}')) => {
                return Err(self.error(format!("'{closing}' closes nothing")));
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || "[({".contains(c);
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                let word = &self.rest[..end];
                self.skip(end);
                Token::Game(word)
            }
        };
        Ok(Some((line, token)))
    }
}

/// What a section's games are.
#[derive(Clone, Debug)]
enum Section {
    /// Positions of the game with this name of ours.
    Game { name: String, impartial: bool },
    /// Numbers: integers and fractions.
    Number,
    /// Nimbers.
    Nimber,
    /// Two numbers, one for each player.
    Switch,
    /// Ups and a star.
    UpStar,
}

/// Sections that go by another name than our games.
const SECTIONS: [(&str, &str); 4] = [
    ("clobber_1xn", "clobber"),
    ("nogo_1xn", "nogo"),
    ("gen_toads", "toads"),
    ("kayles", "octal.77"),
];

impl Section {
    fn named(text: &str) -> Section {
        let (impartial, name) = match text.split_once(char::is_whitespace) {
            Some(("impartial", name)) => (true, name.trim()),
            _ => (false, text),
        };
        match name {
            "integer_game" | "dyadic_rational" => Section::Number,
            "nimber" => Section::Nimber,
            "switch_game" => Section::Switch,
            "up_star" => Section::UpStar,
            _ => {
                let ours = SECTIONS.iter().find(|(theirs, _)| *theirs == name);
                Section::Game {
                    name: ours.map_or(name, |(_, ours)| ours).to_string(),
                    impartial,
                }
            }
        }
    }

    /// Adds a game of the section to a sum.
    fn add(&self, text: &str, sum: &mut Summands) -> Result<(), SumError> {
        let number = |text: &str| -> Result<(), SumError> {
            let mut values = tabia_cgt::Values::new();
            let value = values.read(text)?;
            match values.is_number(value) {
                true => Ok(()),
                false => Err(wrong(text, "a number such as '3' or '-3/4'")),
            }
        };
        match self {
            Section::Game { name, impartial } => sum.push_position(name, *impartial, text),
            Section::Number => {
                number(text)?;
                sum.push_value(text)
            }
            Section::Nimber => match text.parse::<u32>() {
                Ok(heap) => sum.push_value(&format!("*{heap}")),
                Err(_) => Err(wrong(text, "a nimber, a whole number from 0 on")),
            },
            Section::Switch => {
                let (left, right) = text
                    .split_once(',')
                    .map(|(left, right)| (left.trim(), right.trim()))
                    .ok_or_else(|| wrong(text, "a switch, two numbers such as '21, 7/8'"))?;
                number(left)?;
                number(right)?;
                sum.push_value(&format!("{{{left}|{right}}}"))
            }
            Section::UpStar => {
                let mut value = String::new();
                let mut star = false;
                for word in text.split_whitespace() {
                    match (word, word.parse::<i32>()) {
                        ("*", _) if !star => star = true,
                        (_, Ok(ups)) if value.is_empty() => {
                            let arrow = if ups < 0 { 'v' } else { '^' };
                            value = match ups {
                                0 => "0".to_string(),
                                _ => format!("{arrow}{}", ups.unsigned_abs()),
                            };
                        }
                        _ => return Err(wrong(text, "ups and a star, such as '2 *'")),
                    }
                }
                value.push_str(if star { "*" } else { "" });
                if value == "0*" {
                    value = "*".to_string();
                }
                if value.is_empty() {
                    return Err(wrong(text, "ups and a star, such as '2 *'"));
                }
                sum.push_value(&value)
            }
        }
    }
}

fn wrong(text: &str, right: &str) -> SumError {
    SumError::Text(tabia_game::TextError::new(format!(
        "'{}' is not {right}",
        shortened(text)
    )))
}

/// Reads a file of sums.
pub fn read(text: &str) -> Result<Vec<Case>, FileError> {
    let mut tokens = Tokens {
        rest: text,
        line: 1,
    };
    let mut cases = Vec::new();
    let mut section: Option<Section> = None;
    let (mut sum, mut written) = (Summands::default(), Vec::new());
    let mut first = true;
    while let Some((line, token)) = tokens.next()? {
        let at = |reason: String| FileError { line, reason };
        match token {
            Token::Section(name) => section = Some(Section::named(name)),
            Token::Game(game) => {
                let section = section.as_ref().ok_or_else(|| {
                    at(format!(
                        "'{}' stands before any section such as '[clobber]'",
                        shortened(game)
                    ))
                })?;
                section
                    .add(game, &mut sum)
                    .map_err(|error| at(error.to_string()))?;
                written.push(game);
            }
            Token::Commands(block) if first && block.starts_with("version") => {}
            Token::Commands(block) => {
                let questions = block
                    .split(',')
                    .map(str::trim)
                    .filter(|text| !text.is_empty());
                for question in questions {
                    cases.push(Case {
                        line,
                        text: written.join(" "),
                        sum: sum.clone(),
                        question: question_of(question).map_err(at)?,
                    });
                }
                sum = Summands::default();
                written.clear();
            }
        }
        first = false;
    }
    if !written.is_empty() {
        return Err(tokens.error("the last sum is not followed by a command such as '{B}'"));
    }
    Ok(cases)
}

fn question_of(text: &str) -> Result<Question, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let wins = |player, expected: &[&str]| match expected {
        [] => Ok(Question::Wins(player, None)),
        ["win"] => Ok(Question::Wins(player, Some(true))),
        ["loss"] => Ok(Question::Wins(player, Some(false))),
        _ => Err(format!(
            "'{}' is no result: expected is 'win' or 'loss'",
            shortened(&expected.join(" "))
        )),
    };
    match words[..] {
        ["B", ref expected @ ..] => wins(Player::FIRST, expected),
        ["W", ref expected @ ..] => wins(Player::SECOND, expected),
        ["N"] => Ok(Question::Nimber(None)),
        ["N", number] => match number.parse() {
            Ok(number) => Ok(Question::Nimber(Some(number))),
            Err(_) => Err(format!("'{}' is no nimber", shortened(number))),
        },
        ["winning", "moves", "B", ..] => Ok(Question::WinningMoves(Some(Player::FIRST))),
        ["winning", "moves", "W", ..] => Ok(Question::WinningMoves(Some(Player::SECOND))),
        ["winning", "moves", "N", ..] => Ok(Question::WinningMoves(None)),
        _ => Err(format!(
            "'{}' is no command; there are B, W, N and 'winning moves', such as '{{B win, W loss}}'",
            shortened(text)
        )),
    }
}
