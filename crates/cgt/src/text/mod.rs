//! Values as text, in the notation of Winning Ways as CGSuite types it.
//!
//! | written | meaning |
//! |---|---|
//! | `3`, `-3/4` | numbers |
//! | `*`, `*2`, `^`, `^^`, `^3`, `v`, `vv`, `v3` | nimbers, ups and downs |
//! | `2*`, `1/2v*3` | sums of the above, in this order |
//! | `{a,b\|c}`, `{\|}` | a game by its options |
//! | `a\|b\|\|c\|d` | `{{a\|b}\|{c\|d}}`: more strokes separate more weakly |
//! | `+-x`, `+-{x,y}` | `{x\|-x}`, `{x,y\|-x,-y}` |
//! | `+_x`, `-_x` | tiny `{0\|\|0\|-x}` and miny `{x\|0\|\|0}` |
//! | `a + b`, `a - b`, `-a`, `(a)`, `a+-b` | sums |
//!
//! A sign before digits belongs to the number alone: `-1^` is an up more than -1. The signs ↑ ↓ ⇑ ⇓
//! ± ⧾ ⧿ − are read as well.

mod parse;
mod write;

use tabia_game::TextError;

pub use write::MAX_WRITTEN;

use crate::values::Exceeded;
use crate::{NumberUpStar, Tree, Value, Values};

/// Texts longer than this are not read.
pub const MAX_TEXT: usize = 10_000;

/// Brackets within brackets are read to this depth.
pub const MAX_NESTING: usize = 100;

/// What a text says, before it is evaluated.
#[derive(Clone, Debug)]
enum Expression {
    Simple(NumberUpStar),
    Options(Vec<Expression>, Vec<Expression>),
    Switch(Vec<Expression>),
    Tiny(Box<Expression>),
    Negative(Box<Expression>),
    Sum(Vec<Expression>),
}

impl Values {
    /// Reads a value.
    pub fn read(&mut self, text: &str) -> Result<Value, TextError> {
        let expression = parse::parse(text)?;
        self.evaluate(&expression)
            .map_err(|why| TextError::new(format!("the value cannot be stored: {why}")))
    }

    fn evaluate_all(&mut self, expressions: &[Expression]) -> Result<Vec<Value>, Exceeded> {
        expressions.iter().map(|x| self.evaluate(x)).collect()
    }

    fn evaluate(&mut self, expression: &Expression) -> Result<Value, Exceeded> {
        match expression {
            Expression::Simple(simple) => self.number_up_star(*simple),
            Expression::Options(left, right) => {
                let (left, right) = (self.evaluate_all(left)?, self.evaluate_all(right)?);
                self.from_options(&left, &right)
            }
            Expression::Switch(options) => {
                let left = self.evaluate_all(options)?;
                let right = left
                    .iter()
                    .map(|&option| self.negative(option))
                    .collect::<Result<Vec<Value>, Exceeded>>()?;
                self.from_options(&left, &right)
            }
            Expression::Tiny(threat) => {
                let threat = self.evaluate(threat)?;
                self.tiny(threat)
            }
            Expression::Negative(inner) => {
                let inner = self.evaluate(inner)?;
                self.negative(inner)
            }
            Expression::Sum(terms) => {
                let mut total = Value::ZERO;
                for term in terms {
                    let term = self.evaluate(term)?;
                    total = self.sum(total, term)?;
                }
                Ok(total)
            }
        }
    }

    /// The value `{0||0|-threat}`, tiny of the threat.
    pub fn tiny(&mut self, threat: Value) -> Result<Value, Exceeded> {
        let carried_out = self.negative(threat)?;
        let threatened = self.from_options(&[Value::ZERO], &[carried_out])?;
        self.from_options(&[Value::ZERO], &[threatened])
    }
}

impl Tree {
    /// Reads a game by its literal options, with integers at the ends: `114|66||49|0`.
    pub fn read(text: &str) -> Result<Tree, TextError> {
        tree(&parse::parse(text)?)
    }
}

fn tree(expression: &Expression) -> Result<Tree, TextError> {
    let side = |options: &[Expression]| options.iter().map(tree).collect::<Result<Vec<_>, _>>();
    match expression {
        Expression::Simple(simple) if simple.is_number() && simple.number.is_integer() => {
            i32::try_from(simple.number.numerator())
                .map(Tree::Integer)
                .map_err(|_| {
                    TextError::new(format!("{} is too large for a literal game", simple.number))
                })
        }
        Expression::Options(left, right) => Ok(Tree::Options(side(left)?, side(right)?)),
        _ => Err(TextError::new(
            "a literal game has integers and options only, such as {2|1||0}",
        )),
    }
}
