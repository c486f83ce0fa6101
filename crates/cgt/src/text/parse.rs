//! From characters to expressions.

use tabia_game::TextError;

use super::{Expression, MAX_NESTING, MAX_TEXT};
use crate::{Dyadic, MAX_HEIGHT, MAX_NIMBER, NumberUpStar};

/// A character and its place in the text, from 1. A sign that stands for several characters has one
/// place for them all.
type Letter = (char, usize);

struct Parser {
    letters: Vec<Letter>,
    next: usize,
    nesting: usize,
}

/// Lists of options and the bars between them, each by its strokes and its place.
struct Content {
    lists: Vec<Vec<Expression>>,
    bars: Vec<(usize, usize)>,
}

pub(super) fn parse(text: &str) -> Result<Expression, TextError> {
    if text.chars().nth(MAX_TEXT).is_some() {
        return Err(TextError::new(format!(
            "the text is too long: {MAX_TEXT} characters are read at most"
        )));
    }
    let mut letters = Vec::new();
    for (i, c) in text.chars().enumerate() {
        let plain = match c {
            '↑' => "^",
            '↓' => "v",
            '⇑' => "^^",
            '⇓' => "vv",
            '±' => "+-",
            '⧾' => "+_",
            '⧿' => "-_",
            '−' => "-",
            '⋆' | '∗' => "*",
            _ => {
                letters.push((c, i + 1));
                continue;
            }
        };
        letters.extend(plain.chars().map(|c| (c, i + 1)));
    }
    let mut parser = Parser {
        letters,
        next: 0,
        nesting: 0,
    };
    let expression = parser.content(None)?.game(&parser)?;
    match parser.peek() {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected("the end of the text, or + before another value")),
    }
}

impl Content {
    /// A game with bars, or a single value without.
    fn game(self, parser: &Parser) -> Result<Expression, TextError> {
        let Content { mut lists, bars } = self;
        if !bars.is_empty() {
            return divide(&mut lists.into_iter(), &bars);
        }
        match lists.pop() {
            Some(mut list) if list.len() == 1 => list.pop(),
            _ => None,
        }
        .ok_or_else(|| {
            parser.error(
                parser.next.saturating_sub(1),
                "one value, or options on both sides of a bar such as {1,*|0}, should stand here",
            )
        })
    }
}

/// Splits at the weakest bar; either side is a list of options or, with bars of its own, a single
/// option.
fn divide(
    lists: &mut impl Iterator<Item = Vec<Expression>>,
    bars: &[(usize, usize)],
) -> Result<Expression, TextError> {
    let weakest = bars.iter().map(|&(strokes, _)| strokes).max().unwrap_or(1);
    let mut places = (0..bars.len()).filter(|&i| bars[i].0 == weakest);
    let middle = places.next().unwrap_or(0);
    if let Some(second) = places.next() {
        let bar = "|".repeat(weakest.min(10));
        return Err(TextError::new(format!(
            "at character {}: a second '{bar}' beside the one at character {}; one of them needs \
             more strokes, as in a|b||c, or braces",
            bars[second].1, bars[middle].1
        )));
    }
    let mut side = |bars: &[(usize, usize)]| match bars {
        [] => Ok(lists.next().unwrap_or_default()),
        _ => divide(&mut *lists, bars).map(|option| vec![option]),
    };
    let left = side(&bars[..middle])?;
    let right = side(&bars[middle + 1..])?;
    Ok(Expression::Options(left, right))
}

impl Parser {
    fn peek(&mut self) -> Option<char> {
        while self.letters.get(self.next)?.0.is_whitespace() {
            self.next += 1;
        }
        self.at(0)
    }

    /// The character this many places on, spaces included.
    fn at(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.next + ahead).map(|&(c, _)| c)
    }

    fn error(&self, place: usize, what: &str) -> TextError {
        let found = match self.letters.get(place) {
            Some(&(c, at)) if c.is_control() => format!("at character {at}"),
            Some(&(c, at)) => format!("at character {at} ('{c}')"),
            None => "at the end of the text".to_string(),
        };
        TextError::new(format!("{found}: {what}"))
    }

    fn unexpected(&self, wanted: &str) -> TextError {
        self.error(self.next, &format!("here {wanted} should stand"))
    }

    /// Lists and bars up to a closing bracket, which is taken, or to where the text does not go on.
    fn content(&mut self, closing: Option<char>) -> Result<Content, TextError> {
        let mut content = Content {
            lists: vec![self.list(closing)?],
            bars: Vec::new(),
        };
        while self.peek() == Some('|') {
            let place = self.letters[self.next].1;
            let mut strokes = 0;
            while self.at(0) == Some('|') {
                strokes += 1;
                self.next += 1;
            }
            content.bars.push((strokes, place));
            content.lists.push(self.list(closing)?);
        }
        match (closing, self.peek()) {
            (None, _) => {}
            (Some(bracket), Some(c)) if c == bracket => self.next += 1,
            (Some(bracket), _) => {
                return Err(self.unexpected(&format!("a bar, a comma, + or '{bracket}'")));
            }
        }
        Ok(content)
    }

    fn list(&mut self, closing: Option<char>) -> Result<Vec<Expression>, TextError> {
        let mut options = Vec::new();
        match self.peek() {
            None | Some('|') => return Ok(options),
            c if c == closing => return Ok(options),
            _ => {}
        }
        loop {
            options.push(self.sum()?);
            if self.peek() != Some(',') {
                return Ok(options);
            }
            self.next += 1;
        }
    }

    fn sum(&mut self) -> Result<Expression, TextError> {
        let mut terms = vec![self.term()?];
        loop {
            let sign = self.peek();
            let follower = self.at(1);
            match (sign, follower) {
                (Some('+'), Some('-' | '_')) | (Some('-'), Some('_')) => terms.push(self.term()?),
                (Some('+'), _) => {
                    self.next += 1;
                    terms.push(self.term()?);
                }
                (Some('-'), _) => {
                    self.next += 1;
                    terms.push(Expression::Negative(Box::new(self.term()?)));
                }
                _ => break,
            }
        }
        Ok(match terms.len() {
            1 => terms.swap_remove(0),
            _ => Expression::Sum(terms),
        })
    }

    fn term(&mut self) -> Result<Expression, TextError> {
        let mut negative = false;
        while self.peek() == Some('-') && self.at(1) != Some('_') {
            if self.at(1).is_some_and(|c| c.is_ascii_digit()) {
                break;
            }
            negative = !negative;
            self.next += 1;
        }
        let atom = self.atom()?;
        Ok(match negative {
            true => Expression::Negative(Box::new(atom)),
            false => atom,
        })
    }

    fn atom(&mut self) -> Result<Expression, TextError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(
                self.next,
                &format!(
                    "nested too deeply: {MAX_NESTING} brackets within brackets are read at most"
                ),
            ));
        }
        let atom = match (self.peek(), self.at(1)) {
            (Some('{'), _) => {
                self.next += 1;
                let content = self.content(Some('}'))?;
                if content.bars.is_empty() {
                    return Err(self.error(
                        self.next - 1,
                        "between braces a bar should divide the options, as in {1|0} and {|}",
                    ));
                }
                content.game(self)
            }
            (Some('('), _) => {
                self.next += 1;
                self.content(Some(')'))?.game(self)
            }
            (Some('+'), Some('-')) => {
                self.next += 2;
                self.switch()
            }
            (Some('+'), Some('_')) => {
                self.next += 2;
                Ok(Expression::Tiny(Box::new(self.atom()?)))
            }
            (Some('-'), Some('_')) => {
                self.next += 2;
                let tiny = Expression::Tiny(Box::new(self.atom()?));
                Ok(Expression::Negative(Box::new(tiny)))
            }
            _ => self.simple(),
        }?;
        self.nesting -= 1;
        Ok(atom)
    }

    /// What follows `+-`: a value, or several between braces without a bar.
    fn switch(&mut self) -> Result<Expression, TextError> {
        if self.peek() != Some('{') {
            return Ok(Expression::Switch(vec![self.atom()?]));
        }
        self.next += 1;
        let mut content = self.content(Some('}'))?;
        if !content.bars.is_empty() {
            return Ok(Expression::Switch(vec![content.game(self)?]));
        }
        Ok(Expression::Switch(content.lists.pop().unwrap_or_default()))
    }

    /// A number, ups and a star, at least one of them.
    fn simple(&mut self) -> Result<Expression, TextError> {
        let start = self.next;
        let mut simple = NumberUpStar::default();
        if self.at(0) == Some('-') || self.at(0).is_some_and(|c| c.is_ascii_digit()) {
            simple.number = self.number()?;
        }
        if let Some(arrow @ ('^' | 'v')) = self.at(0) {
            simple.up = self.ups(arrow)?;
        }
        if self.at(0) == Some('*') {
            self.next += 1;
            simple.nimber = self.digits_if_any("a nimber", MAX_NIMBER)?.unwrap_or(1);
        }
        if self.next == start {
            return Err(
                self.unexpected("a value, such as 3, -1/2, *, ^, {1|0}, +-2 or a list of options")
            );
        }
        Ok(Expression::Simple(simple))
    }

    fn number(&mut self) -> Result<Dyadic, TextError> {
        let start = self.next;
        let belongs = |c: char| c == '-' || c.is_ascii_digit();
        while self.at(0).is_some_and(belongs) && (self.next == start || self.at(0) != Some('-')) {
            self.next += 1;
        }
        if self.at(0) == Some('/') {
            self.next += 1;
            while self.at(0).is_some_and(|c| c.is_ascii_digit()) {
                self.next += 1;
            }
        }
        let text: String = self.letters[start..self.next]
            .iter()
            .map(|&(c, _)| c)
            .collect();
        text.parse()
            .map_err(|why: TextError| self.error(start, &why.to_string()))
    }

    /// Arrows alone count themselves; after a single one their number may follow.
    fn ups(&mut self, arrow: char) -> Result<i32, TextError> {
        let start = self.next;
        while self.at(0) == Some(arrow) {
            self.next += 1;
        }
        let arrows = (self.next - start) as u32;
        let count = match self.digits_if_any("a number of arrows", MAX_HEIGHT)? {
            None => arrows,
            Some(count) if arrows == 1 => count,
            Some(count) => {
                return Err(self.error(
                    start,
                    &format!("{arrows} arrows and a number; {arrow}{count} means {count} arrows"),
                ));
            }
        };
        let count = count as i32;
        Ok(if arrow == '^' { count } else { -count })
    }

    fn digits_if_any(&mut self, what: &str, most: u32) -> Result<Option<u32>, TextError> {
        let start = self.next;
        let mut number: u32 = 0;
        while let Some(digit) = self.at(0).and_then(|c| c.to_digit(10)) {
            number = (number * 10 + digit).min(most + 1);
            self.next += 1;
        }
        if number > most {
            return Err(self.error(start, &format!("{what} can be {most} at most")));
        }
        Ok((self.next > start).then_some(number))
    }
}
