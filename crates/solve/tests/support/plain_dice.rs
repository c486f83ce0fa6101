//! Dice (Hauk 2004, chapter 4) on a list of letters, and its value by looking at every roll and
//! every place: a die says in which rank X places, or in which file O does.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

/// The game on a board of `m` by `m` with `k` in a row.
pub struct PlainDice {
    pub m: usize,
    pub k: usize,
    /// Whether the die is cast again where its line is full; else the turn passes.
    pub reroll: bool,
}

/// Values for X if X rolls next, and if O does.
type Values = [BigRational; 2];

impl PlainDice {
    /// The value for X of the empty board, X to roll.
    pub fn value(&self) -> BigRational {
        let [value, _] = self.values(&vec![b'.'; self.m * self.m], &mut HashMap::new());
        value
    }

    fn values(&self, board: &[u8], known: &mut HashMap<Vec<u8>, Values>) -> Values {
        if let Some(values) = known.get(board) {
            return values.clone();
        }
        let values = match self.payoff(board) {
            Some(payoff) => [payoff.clone(), payoff],
            None => self.rolled(board, known),
        };
        known.insert(board.to_vec(), values.clone());
        values
    }

    /// One if X has a row, minus one if O has, zero if the board is full.
    fn payoff(&self, board: &[u8]) -> Option<BigRational> {
        let at = |file: i64, rank: i64| -> u8 {
            let inside = (0..self.m as i64).contains(&file) && (0..self.m as i64).contains(&rank);
            if inside {
                board[(rank * self.m as i64 + file) as usize]
            } else {
                b'.'
            }
        };
        let side = 0..self.m as i64;
        for (file, rank) in side.clone().flat_map(|f| side.clone().map(move |r| (f, r))) {
            for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let mut row = (0..self.k as i64).map(|i| at(file + i * across, rank + i * up));
                match at(file, rank) {
                    b'x' if row.all(|c| c == b'x') => return Some(BigRational::one()),
                    b'o' if row.all(|c| c == b'o') => return Some(-BigRational::one()),
                    _ => {}
                }
            }
        }
        (!board.contains(&b'.')).then(BigRational::zero)
    }

    /// Of each side: the sum of the best values over the sides of the die with room, and how many
    /// have none. Where turns pass, each value is a part of the other.
    fn rolled(&self, board: &[u8], known: &mut HashMap<Vec<u8>, Values>) -> Values {
        let number = |n: usize| BigRational::from_integer(n.into());
        let mut sums = [BigRational::zero(), BigRational::zero()];
        let mut full = [0, 0];
        for (seat, letter) in [b'x', b'o'].into_iter().enumerate() {
            for die in 0..self.m {
                let places = (0..self.m).map(|i| match seat {
                    0 => die * self.m + i,
                    _ => i * self.m + die,
                });
                let mut values = Vec::new();
                for place in places.filter(|&place| board[place] == b'.') {
                    let mut after = board.to_vec();
                    after[place] = letter;
                    values.push(self.values(&after, known)[1 - seat].clone());
                }
                let best = if seat == 0 {
                    values.into_iter().max()
                } else {
                    values.into_iter().min()
                };
                match best {
                    Some(best) => sums[seat] += best,
                    None => full[seat] += 1,
                }
            }
        }
        let [x, o] = sums;
        if self.reroll {
            return [x / number(self.m - full[0]), o / number(self.m - full[1])];
        }
        let m = number(self.m);
        let [p, q] = full.map(|n| number(n) / m.clone());
        let (x, o) = (x / m.clone(), o / m);
        let both = BigRational::one() - p.clone() * q.clone();
        [
            (x.clone() + p * o.clone()) / both.clone(),
            (o + q * x) / both,
        ]
    }
}
