//! Games as they are written, with integers at the ends and no simplification.

use crate::values::Exceeded;
use crate::{Dyadic, Thermograph, TooLarge, Value, Values};

/// A game by its literal options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// An integer, at which play has ended.
    Integer(i32),
    /// The options of Left and of Right.
    Options(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    /// The canonical value.
    pub fn value(&self, values: &mut Values) -> Result<Value, Exceeded> {
        match self {
            Tree::Integer(integer) => values.integer(*integer),
            Tree::Options(left, right) => {
                let mut side = |trees: &[Tree]| {
                    trees
                        .iter()
                        .map(|tree| tree.value(values))
                        .collect::<Result<Vec<Value>, Exceeded>>()
                };
                let (left, right) = (side(left)?, side(right)?);
                values.from_options(&left, &right)
            }
        }
    }

    /// The thermograph, from the literal options alone.
    pub fn thermograph(&self) -> Result<Thermograph, TooLarge> {
        match self {
            Tree::Integer(integer) => Ok(Thermograph::of_integer(Dyadic::from(*integer))),
            Tree::Options(left, right) => {
                let side = |trees: &[Tree]| {
                    trees
                        .iter()
                        .map(Tree::thermograph)
                        .collect::<Result<Vec<Thermograph>, TooLarge>>()
                };
                Thermograph::of_options(&side(left)?, &side(right)?)
            }
        }
    }
}
