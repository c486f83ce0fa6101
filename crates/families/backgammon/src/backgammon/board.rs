//! Checkers on the points, seen by each player in its own numbers.

use super::plays::{Play, Step};

/// Checkers a player has.
pub const CHECKERS: u8 = 15;
/// Points of the board; the place after the last is the bar.
pub const POINTS: usize = 24;
/// Where the bar is among the places of a player.
pub const BAR: usize = POINTS;
/// Points of a home board.
pub const HOME: usize = 6;

/// The checkers of one player: its points 1 to 24 at places 0 to 23, then the bar. What is missing
/// has been borne off.
pub type Side = [u8; POINTS + 1];

/// A board, without anything else of a position.
///
/// The first side is the player on roll, the second the opponent; each counts its points from its
/// own home, so that a player's point `n` is the opponent's `25 - n`.
///
/// ```
/// use tabia_backgammon::backgammon::{Board, Roll};
///
/// let mut plays = Vec::new();
/// Board::START.plays(Roll::new(3, 1).expect("two dice"), &mut plays);
/// assert_eq!(plays.len(), 16);
/// let (before, after) = (Board::START, Board::START.after(plays[0]));
/// assert_eq!(after.pips(0), before.pips(0) - 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    sides: [Side; 2],
}

/// Why checkers are no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A player has more checkers than there are.
    #[error("a player has {0} checkers, more than {CHECKERS}")]
    TooMany(u32),
    /// Both players have checkers on one point.
    #[error("both players have checkers on one point, which is {0} for one and {other} for the \
             other", other = 25 - .0)]
    Shared(usize),
    /// Neither player has a checker left.
    #[error("neither player has a checker left")]
    Empty,
}

const START: Side = {
    let mut side = [0; POINTS + 1];
    side[24 - 1] = 2;
    side[13 - 1] = 5;
    side[8 - 1] = 3;
    side[6 - 1] = 5;
    side
};

impl Board {
    /// The board at the beginning of a game.
    pub const START: Board = Board {
        sides: [START, START],
    };

    /// A board with these checkers, those of the player on roll first.
    pub fn new(sides: [Side; 2]) -> Result<Board, BoardError> {
        for side in &sides {
            let count = side.iter().map(|&n| u32::from(n)).sum();
            if count > u32::from(CHECKERS) {
                return Err(BoardError::TooMany(count));
            }
        }
        if sides.as_flattened().iter().all(|&n| n == 0) {
            return Err(BoardError::Empty);
        }
        let [own, other] = &sides;
        let shared = (0..POINTS).find(|&i| own[i] > 0 && other[POINTS - 1 - i] > 0);
        match shared {
            Some(i) => Err(BoardError::Shared(i + 1)),
            None => Ok(Board { sides }),
        }
    }

    /// The checkers of both players, those of the player on roll first.
    #[inline]
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// The same board with the opponent on roll.
    #[inline]
    #[must_use]
    pub fn swapped(&self) -> Board {
        let [own, other] = self.sides;
        Board {
            sides: [other, own],
        }
    }

    /// The checkers that a side (0 is on roll) has on the board and on the bar.
    #[inline]
    pub fn left(&self, side: usize) -> u8 {
        self.sides[side & 1].iter().sum()
    }

    /// The checkers that a side has borne off.
    #[inline]
    pub fn off(&self, side: usize) -> u8 {
        CHECKERS - self.left(side)
    }

    /// The pips that a side must still move its checkers to bear all of them off.
    pub fn pips(&self, side: usize) -> u32 {
        let places = self.sides[side & 1].iter().zip(1..);
        places.map(|(&n, point)| u32::from(n) * point).sum()
    }

    /// Whether the players can still hit or block each other.
    pub fn is_contact(&self) -> bool {
        let rearmost = |side: &Side| side.iter().rposition(|&n| n > 0);
        match (rearmost(&self.sides[0]), rearmost(&self.sides[1])) {
            (Some(own), Some(other)) => own + other >= POINTS,
            _ => false,
        }
    }

    /// The board after a play of [`Board::plays`], with the same player on roll.
    #[inline]
    #[must_use]
    pub fn after(&self, play: Play) -> Board {
        let mut board = *self;
        for step in play.steps() {
            board.step(step);
        }
        board
    }

    /// The board after one step of such a play.
    pub(super) fn after_step(&self, step: Step) -> Board {
        let mut board = *self;
        board.step(step);
        board
    }

    /// Moves one checker. Steps that the board has no checker for change nothing.
    #[inline]
    fn step(&mut self, step: Step) {
        let [own, other] = &mut self.sides;
        let Some(from) = own.get_mut(usize::from(step.from).wrapping_sub(1)) else {
            return;
        };
        if *from == 0 {
            return;
        }
        *from -= 1;
        let to = usize::from(step.to);
        if (1..=POINTS).contains(&to) {
            own[to - 1] += 1;
            if other[POINTS - to] == 1 {
                other[POINTS - to] = 0;
                other[BAR] += 1;
            }
        }
    }

    /// What a side with no checker left has won, in stakes: 1, or 2 for a gammon, where the
    /// loser bore off none, or 3 for a backgammon, where the loser moreover is on the bar or in the
    /// winner's home.
    pub fn stakes(&self, winner: usize) -> u8 {
        let loser = (winner & 1) ^ 1;
        if self.left(loser) < CHECKERS {
            return 1;
        }
        let behind = self.sides[loser][POINTS - HOME..].iter().any(|&n| n > 0);
        2 + u8::from(behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_167_pips_a_side() {
        assert_eq!([0, 1].map(|side| Board::START.pips(side)), [167, 167]);
        assert_eq!([0, 1].map(|side| Board::START.off(side)), [0, 0]);
        assert!(Board::START.is_contact());
    }

    #[test]
    fn impossible_boards_are_refused() {
        let mut sides = [START, START];
        sides[0][0] = 1;
        assert_eq!(Board::new(sides), Err(BoardError::TooMany(16)));
        let mut sides = [[0; 25]; 2];
        assert_eq!(Board::new(sides), Err(BoardError::Empty));
        sides[0][3] = 1;
        sides[1][20] = 1;
        let error = Board::new(sides).unwrap_err();
        assert_eq!(error, BoardError::Shared(4));
        assert!(error.to_string().contains("4 for one and 21 for the other"));
        // Both may be on the bar.
        sides = [[0; 25]; 2];
        sides[0][BAR] = 1;
        sides[1][BAR] = 1;
        assert!(Board::new(sides).is_ok());
    }

    #[test]
    fn stakes_follow_what_the_loser_has_left() {
        let stakes = |loser: &[(usize, u8)]| {
            let mut sides = [[0; 25]; 2];
            for &(place, n) in loser {
                sides[1][place] = n;
            }
            Board::new(sides).unwrap().stakes(0)
        };
        assert_eq!(stakes(&[(5, 14)]), 1);
        assert_eq!(stakes(&[(17, 15)]), 2);
        assert_eq!(stakes(&[(17, 14), (18, 1)]), 3);
        assert_eq!(stakes(&[(0, 14), (BAR, 1)]), 3);
        assert_eq!(stakes(&[(0, 13), (BAR, 1)]), 1);
    }
}
