//! Files of sums with commands, as users of MCGS write them.
//!
//! A file consists of sections, games and commands, separated by white space. `[name]` begins a
//! section; words, and whatever stands between `(` and `)`, are games of its kind. Games add up
//! until a command block `{...}`, which acts on the sum before it and empties it. `/* ... */` is a
//! comment.

use std::collections::BTreeMap;

use tabia_cgt::impartial::Mex;
use tabia_cgt::{Dyadic, NumberUpStar, Value, Values};
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
pub struct SumFileError {
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

    fn error(&self, reason: impl Into<String>) -> SumFileError {
        SumFileError {
            line: self.line,
            reason: reason.into(),
        }
    }

    fn skip_blanks_and_comments(&mut self) -> Result<(), SumFileError> {
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
    fn bracketed(&mut self, open: char, close: char) -> Result<&'t str, SumFileError> {
        let end = self
            .rest
            .find(close)
            .ok_or_else(|| self.error(format!("'{open}' is not followed by '{close}'")))?;
        let inner = &self.rest[open.len_utf8()..end];
        self.skip(end + close.len_utf8());
        Ok(inner.trim())
    }

    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, SumFileError> {
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
struct Section {
    kind: SectionKind,
    /// Whether either player may make any move of both.
    impartial: bool,
}

#[derive(Clone, Debug)]
enum SectionKind {
    /// Positions of the game with this name of ours.
    Game(String),
    /// Values.
    Value(ValueKind),
}

#[derive(Clone, Copy, Debug)]
enum ValueKind {
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
        let kind = match name {
            "integer_game" | "dyadic_rational" => SectionKind::Value(ValueKind::Number),
            "nimber" => SectionKind::Value(ValueKind::Nimber),
            "switch_game" => SectionKind::Value(ValueKind::Switch),
            "up_star" => SectionKind::Value(ValueKind::UpStar),
            _ => {
                let ours = SECTIONS.iter().find(|(theirs, _)| *theirs == name);
                SectionKind::Game(ours.map_or(name, |(_, ours)| ours).to_string())
            }
        };
        Section { kind, impartial }
    }

    /// Adds a game of the section to a sum.
    fn add(&self, text: &str, sum: &mut Summands) -> Result<(), SumError> {
        match &self.kind {
            SectionKind::Game(name) => sum.push_position(name, self.impartial, text),
            SectionKind::Value(kind) => self.add_value(*kind, text, sum),
        }
    }

    fn add_value(&self, kind: ValueKind, text: &str, sum: &mut Summands) -> Result<(), SumError> {
        let mut values = Values::new();
        let words = list(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // The options of Left and Right, which need not be those of the canonical form.
        let (left, right) = match (kind, &words[..]) {
            (ValueKind::Number, [word]) => {
                let value = number(&mut values, word)?;
                options(&mut values, value)?
            }
            (ValueKind::Number, _) => return Err(wrong(text, "a number such as '3' or '-3/4'")),
            (ValueKind::Nimber, [word]) => match word.parse::<u32>() {
                Ok(heap) => return sum.push_value(&format!("*{heap}")),
                Err(_) => return Err(wrong(text, "a nimber, a whole number from 0 on")),
            },
            (ValueKind::Nimber, _) => {
                return Err(wrong(text, "a nimber, a whole number from 0 on"));
            }
            (ValueKind::Switch, [left, right]) => {
                let left = number(&mut values, left)?;
                let right = number(&mut values, right)?;
                (vec![left], vec![right])
            }
            (ValueKind::Switch, _) => {
                return Err(wrong(text, "a switch, two numbers such as '21, 7/8'"));
            }
            (ValueKind::UpStar, words) => {
                let value = up_star(&mut values, text, words)?;
                options(&mut values, value)?
            }
        };
        if self.impartial {
            let nimber = impartial_nimber(&mut values, left.into_iter().chain(right))?;
            return sum.push_value(&format!("*{nimber}"));
        }
        let value = values.from_options(&left, &right)?;
        sum.push_value(&values.write(value)?)
    }
}

/// Words separated by blanks or commas; blanks around the bar of a fraction do not count.
fn list(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('/').map(str::trim).collect();
    let words = parts.join("/");
    words
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

/// A number, whose fraction need not be in lowest terms.
fn number(values: &mut Values, text: &str) -> Result<Value, SumError> {
    let number: Dyadic = text.parse()?;
    Ok(values.number(number)?)
}

/// Ups and a star, each at most once.
fn up_star(values: &mut Values, text: &str, words: &[&str]) -> Result<Value, SumError> {
    let no_ups = || wrong(text, "ups and a star, such as '2 *'");
    let (mut ups, mut star) = (None, false);
    for &word in words {
        match word {
            "*" if !star => star = true,
            _ if ups.is_none() => ups = Some(word.parse::<i32>().map_err(|_| no_ups())?),
            _ => return Err(no_ups()),
        }
    }
    if words.is_empty() {
        return Err(no_ups());
    }
    Ok(values.number_up_star(NumberUpStar {
        up: ups.unwrap_or(0),
        nimber: u32::from(star),
        ..NumberUpStar::default()
    })?)
}

fn options(values: &mut Values, value: Value) -> Result<(Vec<Value>, Vec<Value>), SumError> {
    let left = values.options(value, Player::FIRST)?.to_vec();
    let right = values.options(value, Player::SECOND)?.to_vec();
    Ok((left, right))
}

/// The nimber of the game in which both players may move to all of these, and so on: the impartial
/// form of values as they are written canonically.
fn impartial_nimber(
    values: &mut Values,
    options: impl Iterator<Item = Value>,
) -> Result<u32, SumError> {
    fn of(
        values: &mut Values,
        value: Value,
        known: &mut BTreeMap<Value, u32>,
    ) -> Result<u32, SumError> {
        if let Some(&nimber) = known.get(&value) {
            return Ok(nimber);
        }
        // A whole number is left in one way only.
        if let Some(number) = values.as_number(value)
            && number.is_integer()
        {
            return Ok(u32::from(number.numerator() % 2 != 0));
        }
        let mut mex = Mex::new();
        let (left, right) = self::options(values, value)?;
        for option in left.into_iter().chain(right) {
            mex.insert(of(values, option, known)?);
        }
        known.insert(value, mex.least());
        Ok(mex.least())
    }
    let mut known = BTreeMap::new();
    let mut mex = Mex::new();
    for option in options {
        mex.insert(of(values, option, &mut known)?);
    }
    Ok(mex.least())
}

fn wrong(text: &str, right: &str) -> SumError {
    SumError::Text(tabia_game::TextError::new(format!(
        "'{}' is not {right}",
        shortened(text)
    )))
}

/// Reads a file of sums.
pub fn read(text: &str) -> Result<Vec<Case>, SumFileError> {
    let mut tokens = Tokens {
        rest: text,
        line: 1,
    };
    let mut cases = Vec::new();
    let mut section: Option<Section> = None;
    let (mut sum, mut written) = (Summands::default(), Vec::new());
    let mut first = true;
    while let Some((line, token)) = tokens.next()? {
        let at = |reason: String| SumFileError { line, reason };
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
            "'{}' is no command; there are B, W, N and 'winning moves', such as '{{B win, W \
             loss}}'",
            shortened(text)
        )),
    }
}
