//! From values to characters.
//!
//! Every value has one text. Numbers with ups and stars are written as such, values that are their
//! own negative as switches, tiny and miny values by name, a number before them where there is one;
//! all others by their options, those that are number-up-stars first. An option that is alone on
//! its side goes without braces if weaker bars can do it.

use std::cmp::Ordering;
use std::fmt::Write;

use tabia_game::Player;

use crate::values::Exceeded;
use crate::{NumberUpStar, Value, Values};

/// Values whose text would be longer are not written.
pub const MAX_WRITTEN: usize = 1 << 20;

/// As many strokes make the weakest bar; beyond, braces are used.
const MAX_STROKES: usize = 4;

/// A text, and the strokes of its weakest bar if it must stand in braces.
struct Written {
    text: String,
    strokes: usize,
}

impl Written {
    fn braced(self) -> String {
        match self.strokes {
            0 => self.text,
            _ => format!("{{{}}}", self.text),
        }
    }
}

impl NumberUpStar {
    fn text(self) -> String {
        let mut text = String::new();
        if !self.number.is_zero() || self.is_number() {
            text = self.number.to_string();
        }
        let arrow = if self.up > 0 { "^" } else { "v" };
        let _ = match self.up.unsigned_abs() {
            0 => Ok(()),
            few @ 1..=2 => write!(text, "{}", arrow.repeat(few as usize)),
            many => write!(text, "{arrow}{many}"),
        };
        let _ = match self.nimber {
            0 => Ok(()),
            1 => write!(text, "*"),
            many => write!(text, "*{many}"),
        };
        text
    }
}

impl Values {
    /// The text of a value, from which [`Values::read`] gives it back. It needs to store values,
    /// for what a tiny value threatens, and refuses texts of more than a million characters.
    pub fn write(&mut self, g: Value) -> Result<String, Exceeded> {
        self.written(g).map(Written::braced)
    }

    fn written(&mut self, g: Value) -> Result<Written, Exceeded> {
        let named = match self.as_number_up_star(g) {
            Some(simple) => Some(simple.text()),
            None if self.negative(g)? == g => Some(self.switch_text(g)?),
            None => self.tiny_text(g)?,
        };
        let written = match named {
            Some(text) => Written { text, strokes: 0 },
            None => self.options_text(g)?,
        };
        if written.text.len() > MAX_WRITTEN {
            return Err(Exceeded::Text(MAX_WRITTEN));
        }
        Ok(written)
    }

    fn switch_text(&mut self, g: Value) -> Result<String, Exceeded> {
        let options = self.options(g, Player::FIRST)?.to_vec();
        match options[..] {
            [option] => Ok(format!("+-{}", self.operand_text(option)?)),
            _ => Ok(format!("+-{{{}}}", self.list_text(options)?)),
        }
    }

    /// Numbers and braces can follow a sign at once, all else needs parentheses.
    fn operand_text(&mut self, g: Value) -> Result<String, Exceeded> {
        let is_number = self.is_number(g);
        let written = self.written(g)?;
        Ok(match written.strokes {
            0 if !is_number => format!("({})", written.text),
            _ => written.braced(),
        })
    }

    /// A number plus a tiny or a miny value.
    fn tiny_text(&mut self, g: Value) -> Result<Option<String>, Exceeded> {
        for (sign, near, far) in [
            ('+', Player::FIRST, Player::SECOND),
            ('-', Player::SECOND, Player::FIRST),
        ] {
            let (&[number], &[threat]) = (&*self.options(g, near)?.to_vec(), self.options(g, far)?)
            else {
                return Ok(None);
            };
            if !self.is_number(number) || self.is_number(threat) {
                continue;
            }
            let (&[back], &[reached]) = (
                &*self.options(threat, near)?.to_vec(),
                self.options(threat, far)?,
            ) else {
                continue;
            };
            if back != number {
                continue;
            }
            let threatened = match near {
                Player::FIRST => self.difference(number, reached)?,
                _ => self.difference(reached, number)?,
            };
            if self.compare(threatened, Value::ZERO)? != Some(Ordering::Greater) {
                continue;
            }
            let before = match number {
                Value::ZERO => String::new(),
                _ => self.write(number)?,
            };
            let threatened = self.operand_text(threatened)?;
            return Ok(Some(format!("{before}{sign}_{threatened}")));
        }
        Ok(None)
    }

    fn list_text(&mut self, options: Vec<Value>) -> Result<String, Exceeded> {
        let mut texts = Vec::with_capacity(options.len());
        for option in options {
            let simple = self
                .as_number_up_star(option)
                .map(|simple| (simple.number, simple.up, simple.nimber));
            texts.push((simple.is_none(), simple, self.write(option)?));
        }
        texts.sort();
        let texts: Vec<String> = texts.into_iter().map(|(_, _, text)| text).collect();
        Ok(texts.join(","))
    }

    fn side_text(&mut self, options: Vec<Value>) -> Result<Written, Exceeded> {
        if let [option] = options[..] {
            let written = self.written(option)?;
            return Ok(match written.strokes {
                MAX_STROKES => Written {
                    text: written.braced(),
                    strokes: 0,
                },
                _ => written,
            });
        }
        Ok(Written {
            text: self.list_text(options)?,
            strokes: 0,
        })
    }

    fn options_text(&mut self, g: Value) -> Result<Written, Exceeded> {
        let left = self.options(g, Player::FIRST)?.to_vec();
        let right = self.options(g, Player::SECOND)?.to_vec();
        let (left, right) = (self.side_text(left)?, self.side_text(right)?);
        let strokes = left.strokes.max(right.strokes) + 1;
        Ok(Written {
            text: format!("{}{}{}", left.text, "|".repeat(strokes), right.text),
            strokes,
        })
    }
}
