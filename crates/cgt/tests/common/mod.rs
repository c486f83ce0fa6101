//! Games as plain trees, played out by minimax: what everything else is checked against.

#![allow(dead_code, reason = "not every test uses everything")]

pub mod rules;

use proptest::prelude::*;
use tabia_cgt::{OutcomeClass, Tree, Value, Values};
use tabia_game::Player;

/// A position by all its options, integers included.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    pub options: [Vec<Plain>; 2],
}

impl Plain {
    pub fn new(left: Vec<Plain>, right: Vec<Plain>) -> Plain {
        Plain {
            options: [left, right],
        }
    }

    pub fn integer(n: i32) -> Plain {
        match n {
            0 => Plain::new(vec![], vec![]),
            1.. => Plain::new(vec![Plain::integer(n - 1)], vec![]),
            _ => Plain::new(vec![], vec![Plain::integer(n + 1)]),
        }
    }

    pub fn of_tree(tree: &Tree) -> Plain {
        match tree {
            Tree::Integer(n) => Plain::integer(*n),
            Tree::Options(left, right) => Plain::new(
                left.iter().map(Plain::of_tree).collect(),
                right.iter().map(Plain::of_tree).collect(),
            ),
        }
    }

    pub fn negative(&self) -> Plain {
        let side = |options: &[Plain]| options.iter().map(Plain::negative).collect();
        Plain::new(side(&self.options[1]), side(&self.options[0]))
    }

    /// The sum written out.
    pub fn plus(&self, other: &Plain) -> Plain {
        let side = |i: usize| {
            let here = self.options[i].iter().map(|x| x.plus(other));
            let there = other.options[i].iter().map(|y| self.plus(y));
            here.chain(there).collect()
        };
        Plain::new(side(0), side(1))
    }

    pub fn value(&self, values: &mut Values) -> Value {
        let [left, right] = [0, 1].map(|side| {
            self.options[side]
                .iter()
                .map(|option| option.value(values))
                .collect::<Vec<Value>>()
        });
        values.from_options(&left, &right).unwrap()
    }
}

/// Whether the player to move wins a sum of positions, by trying all moves.
pub fn mover_wins(sum: &[&Plain], mover: Player) -> bool {
    (0..sum.len()).any(|i| {
        sum[i].options[mover.index()].iter().any(|option| {
            let mut next = sum.to_vec();
            next[i] = option;
            !mover_wins(&next, mover.other())
        })
    })
}

pub fn outcome(sum: &[&Plain]) -> OutcomeClass {
    match (
        mover_wins(sum, Player::FIRST),
        mover_wins(sum, Player::SECOND),
    ) {
        (false, false) => OutcomeClass::P,
        (true, true) => OutcomeClass::N,
        (true, false) => OutcomeClass::L,
        (false, true) => OutcomeClass::R,
    }
}

/// Trees of options with small integers at the ends.
pub fn trees(depth: u32, width: usize) -> impl Strategy<Value = Tree> {
    (-3..=3i32)
        .prop_map(Tree::Integer)
        .prop_recursive(depth, 40, width as u32, move |inner| {
            let side = prop::collection::vec(inner, 0..=width);
            (side.clone(), side).prop_map(|(left, right)| Tree::Options(left, right))
        })
}

/// Trees in which both players can move until all is zero.
pub fn all_small_trees() -> impl Strategy<Value = Tree> {
    Just(Tree::Integer(0)).prop_recursive(4, 24, 3, |inner| {
        let side = prop::collection::vec(inner, 1..=3);
        (side.clone(), side).prop_map(|(left, right)| Tree::Options(left, right))
    })
}
