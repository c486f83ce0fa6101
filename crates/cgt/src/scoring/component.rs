//! One game of a sum.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use tabia_game::text::shortened;
use tabia_game::{GameRng, TextError};

use crate::Tree;

/// Components have at most this many moves in a row.
pub const MAX_LEVELS: u32 = 12;

/// A game in which either player has one move, until it is an integer. It is read and written as in
/// `10|0||-1`: more bars divide first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Summand {
    /// This many points for Left; play has ended here.
    Integer(i32),
    /// What it becomes if Left moves, and if Right moves.
    Options(Box<[Summand; 2]>),
}

impl Summand {
    /// The game with these options.
    pub fn new(left: Summand, right: Summand) -> Summand {
        Summand::Options(Box::new([left, right]))
    }

    /// A random game `rcg(levels, size)` (Müller and Li 2004, section 4.1): a complete tree whose
    /// leaves, from the right, begin with 0 and rise by 0 to `size - 1` each.
    ///
    /// Levels beyond [`MAX_LEVELS`] are cut off, and a size of 0 is taken for 1.
    pub fn random(levels: u32, size: u32, rng: &mut GameRng) -> Summand {
        let mut next = 0i32;
        let mut leaf = || {
            let value = next;
            next = value.saturating_add_unsigned(rng.random_range(0..size.max(1)));
            value
        };
        Summand::complete(levels.min(MAX_LEVELS), &mut leaf)
    }

    fn complete(levels: u32, leaf: &mut impl FnMut() -> i32) -> Summand {
        if levels == 0 {
            return Summand::Integer(leaf());
        }
        let right = Summand::complete(levels - 1, leaf);
        let left = Summand::complete(levels - 1, leaf);
        Summand::new(left, right)
    }

    /// The longest line of play.
    pub fn levels(&self) -> u32 {
        match self {
            Summand::Integer(_) => 0,
            Summand::Options(options) => 1 + options[0].levels().max(options[1].levels()),
        }
    }

    /// The same as a literal tree, for values and thermographs.
    pub fn tree(&self) -> Tree {
        match self {
            Summand::Integer(points) => Tree::Integer(*points),
            Summand::Options(options) => {
                Tree::Options(vec![options[0].tree()], vec![options[1].tree()])
            }
        }
    }

    /// The leaf that Right reaches by moving on and on.
    pub(super) fn rightmost(&self) -> i32 {
        match self {
            Summand::Integer(points) => *points,
            Summand::Options(options) => options[1].rightmost(),
        }
    }

    /// The game with this many points less at every leaf.
    pub(super) fn lowered(&self, points: i32) -> Summand {
        match self {
            Summand::Integer(leaf) => Summand::Integer(leaf - points),
            Summand::Options(options) => {
                Summand::new(options[0].lowered(points), options[1].lowered(points))
            }
        }
    }

    /// The game with the players exchanged.
    pub(super) fn negative(&self) -> Summand {
        match self {
            Summand::Integer(leaf) => Summand::Integer(-leaf),
            Summand::Options(options) => Summand::new(options[1].negative(), options[0].negative()),
        }
    }

    /// The leaf farthest from zero.
    pub(super) fn extreme(&self) -> i32 {
        match self {
            Summand::Integer(points) => *points,
            Summand::Options(options) => {
                let leaves = [options[0].extreme(), options[1].extreme()];
                if leaves[0].unsigned_abs() < leaves[1].unsigned_abs() {
                    leaves[1]
                } else {
                    leaves[0]
                }
            }
        }
    }
}

impl fmt::Display for Summand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Summand::Integer(points) => write!(f, "{points}"),
            Summand::Options(options) => {
                let bars = "|".repeat(self.levels() as usize);
                write!(f, "{}{bars}{}", options[0], options[1])
            }
        }
    }
}

impl FromStr for Summand {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Summand, TextError> {
        read(text, MAX_LEVELS).map_err(|why| {
            TextError::new(format!(
                "'{}' {why}; 10|0||-1 is a component",
                shortened(text)
            ))
        })
    }
}

fn read(text: &str, levels: u32) -> Result<Summand, &'static str> {
    let runs = text.split(|c| c != '|').map(str::len);
    let Some(longest) = runs.max().filter(|&longest| longest > 0) else {
        let points = text.trim().parse();
        return points
            .map(Summand::Integer)
            .map_err(|_| "has something at its ends that is no integer");
    };
    let (left, right) = text
        .split_once(&"|".repeat(longest))
        .ok_or("has no middle")?;
    let levels = levels.checked_sub(1).ok_or("has too many levels")?;
    Ok(Summand::new(read(left, levels)?, read(right, levels)?))
}
