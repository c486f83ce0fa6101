//! Who a player chooses for where it makes no difference to themselves.
//!
//! Breaking ties otherwise may change the value of a whole tree (Sturtevant 2004, section 4.2), so
//! the rule is part of what max^n computes.

use super::aims::Vector;

/// A tie rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The move that comes first in the order of search.
    First,
    /// The move that is worst for the player at the root (Schadd 2011, section 6.2.1), of several
    /// the first.
    Worst,
    /// The lexicographically larger vector, so that a tree has one value in whatever order it is
    /// searched (Sturtevant 2004, section 5.2).
    Total,
}

/// A move that a player has looked at: what it leads to, and its place in the order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it leads to.
    pub values: Vector,
    /// Its place in the order of moves.
    pub number: u32,
}

impl Ties {
    /// Whether `player` prefers one option to another; `root` is the player at the root.
    #[inline]
    pub fn prefers(self, player: usize, root: usize, one: &Offer, other: &Offer) -> bool {
        let (a, b) = (&one.values, &other.values);
        if a[player] != b[player] {
            return a[player] > b[player];
        }
        match self {
            Ties::Total => a > b,
            Ties::Worst if a[root] != b[root] => a[root] < b[root],
            Ties::First | Ties::Worst => one.number < other.number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_as_the_rule_says() {
        let option = |values: [i32; 3], number| Offer {
            values: [values[0], values[1], values[2], 0, 0, 0],
            number,
        };
        let (one, other) = (option([7, 2, 9], 0), option([5, 2, 1], 1));
        for (ties, expected) in [
            (Ties::First, true),
            (Ties::Worst, false),
            (Ties::Total, true),
        ] {
            assert_eq!(ties.prefers(1, 0, &one, &other), expected);
            assert_eq!(ties.prefers(1, 0, &other, &one), !expected);
            assert!(ties.prefers(0, 0, &one, &other), "no tie at all");
            assert!(!ties.prefers(1, 0, &one, &one));
        }
    }
}
