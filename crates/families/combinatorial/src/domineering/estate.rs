//! Bounds of a position of Domineering: the moves that a player is sure of, and the most that the
//! other can make of the rest (after Breuker, Uiterwijk and van den Herik 2000 and Bullock 2002,
//! who count real estate in the same way).
//!
//! The player whose moves are counted, here Left, is sure of every *safe* domino, of which the
//! other can use neither square. *Boxes* of two upright dominoes side by side, and *single*
//! dominoes, are contested: one move of Right destroys a box, a single or two, or a half of each of
//! two of them, in which case a box becomes a single; one move of Left takes a single, or half a
//! box, the other half of which is a single then. What Left is sure of as the second to move
//! follows from the numbers alone. Having made g moves, Left has used 2g squares, and Right has no
//! more than half of the others that can be used at all. So the position is worth at least the
//! difference, and at most what the same count says for Right.

use tabia_game::bits::Bits;

use super::super::cells::{Cells, MAX_CELLS, Set, Shape};

/// Boxes and singles beyond these numbers are not counted.
const BOXES: usize = MAX_CELLS / 4 + 1;
const SINGLES: usize = MAX_CELLS / 2 + 1;

/// Moves that Left is sure of as the second to move, by boxes and singles.
static SURE: [[u8; SINGLES]; BOXES] = sure();

const fn sure() -> [[u8; SINGLES]; BOXES] {
    let mut sure = [[0; SINGLES]; BOXES];
    let mut boxes = 0;
    while boxes < BOXES {
        let mut singles = 0;
        while singles < SINGLES {
            sure[boxes][singles] = answered(&sure, boxes, singles);
            singles += 1;
        }
        boxes += 1;
    }
    sure
}

/// The least over what Right can do, which includes not to touch anything.
const fn answered(sure: &[[u8; SINGLES]; BOXES], boxes: usize, singles: usize) -> u8 {
    let mut least = moved(sure, boxes, singles);
    if boxes >= 1 {
        // A box, or a box that becomes a single and a single that goes.
        least = lesser(least, moved(sure, boxes - 1, singles));
    }
    if boxes >= 2 && singles + 2 < SINGLES {
        least = lesser(least, moved(sure, boxes - 2, singles + 2));
    }
    if singles >= 1 {
        least = lesser(least, moved(sure, boxes, singles - 1));
    }
    if singles >= 2 {
        least = lesser(least, moved(sure, boxes, singles - 2));
    }
    least
}

/// What Left makes of it, being to move.
const fn moved(sure: &[[u8; SINGLES]; BOXES], boxes: usize, singles: usize) -> u8 {
    let mut most = 0;
    if singles >= 1 {
        most = 1 + sure[boxes][singles - 1];
    }
    if boxes >= 1 && singles + 1 < SINGLES {
        let half = 1 + sure[boxes - 1][singles + 1];
        if half > most {
            most = half;
        }
    }
    most
}

const fn lesser(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

/// Squares as the player sees them whose dominoes are upright.
struct View {
    shape: Shape,
    /// Whether it is Right who looks.
    across: bool,
}

impl View {
    /// Squares whose next square, in the direction of the player's dominoes, is in a set.
    fn before(&self, set: Set) -> Set {
        if self.across {
            self.shape.left_of(set)
        } else {
            self.shape.above(set)
        }
    }

    fn after(&self, set: Set) -> Set {
        if self.across {
            self.shape.right_of(set)
        } else {
            self.shape.under(set)
        }
    }

    /// Squares beside a set, in the direction of the other's dominoes.
    fn beside(&self, set: Set) -> [Set; 2] {
        match self.across {
            true => [self.shape.above(set), self.shape.under(set)],
            false => [self.shape.left_of(set), self.shape.right_of(set)],
        }
    }

    /// The moves that the player is sure of, less the most of the other.
    fn lead(&self, open: Set) -> i64 {
        let [one, other] = self.beside(open);
        // Squares that no domino of the other can cover.
        let hidden = open & !one & !other;
        let (mut safe, mut single, mut double) = (0, 0, 0);
        let mut free = hidden;
        for first in hidden.iter().map(Set::bit) {
            let second = self.after(first) & free;
            if !(first & free).is_empty() && !second.is_empty() {
                free &= !(first | second);
                safe += 1;
            }
        }
        let mut rest = open & !hidden | free;
        // Boxes by their first squares, then what is left as singles.
        let starts = rest & self.before(rest);
        for first in starts.iter().map(Set::bit) {
            let domino = first | self.after(first);
            let beside = self.beside(domino)[1] & rest;
            if domino & rest == domino && beside.count_ones() == 2 {
                rest &= !(domino | beside);
                double += 1;
            }
        }
        for first in starts.iter().map(Set::bit) {
            let domino = first | self.after(first);
            if domino & rest == domino {
                rest &= !domino;
                single += 1;
            }
        }
        let sure = safe + i64::from(SURE[double][single]);
        // Of the hidden squares one may be in each contested domino, and no more: two would be
        // safe.
        let hidden = i64::from(hidden.count_ones()) - 2 * safe;
        let useless = (hidden - (sure - safe)).max(0);
        let squares = i64::from(open.count_ones()) - 2 * sure - useless;
        sure - (squares / 2).max(0)
    }
}

/// Integers that the value is not below and not above.
pub(super) fn bounds(position: &Cells) -> [i64; 2] {
    let (shape, open) = (position.shape(), position.open());
    let left = View {
        shape,
        across: false,
    }
    .lead(open);
    let right = View {
        shape,
        across: true,
    }
    .lead(open);
    [left, -right]
}
