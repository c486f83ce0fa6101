//! The lower bound that positions carry along: Manhattan distance and linear conflicts (Hansson,
//! Mayer and Yung 1992).
//!
//! Of the tiles that stand in the row of their goals some must leave it, so that the others are in
//! order; each takes two moves more than its Manhattan distance. The least number that must leave
//! are all but the longest ascending subsequence. Columns are treated alike, and all may be added.
//! A move changes the bound by one in either direction, so that the bound is consistent: a tile
//! that slides along a line passes no other, and only the line of its goal, if it leaves or enters
//! that, has one tile more or less.

use super::{MAX_SIDE, MAX_SQUARES, Sliding};

/// The extra moves for all arrangements of a line of some length.
#[derive(Clone, Debug)]
pub(super) struct LineConflicts {
    len: usize,
    /// By the arrangement as a number: for each place, zero for a tile that does not belong into
    /// the line, otherwise one more than its place in it.
    moves: Box<[u8]>,
}

impl LineConflicts {
    pub(super) fn new(len: usize) -> LineConflicts {
        let arrangements = (len + 1).pow(len as u32);
        let moves = (0..arrangements).map(|code| {
            let mut code = code;
            let mut goals = [0; MAX_SIDE];
            for goal in goals[..len].iter_mut().rev() {
                *goal = code % (len + 1);
                code /= len + 1;
            }
            2 * must_leave(&goals[..len])
        });
        LineConflicts {
            len,
            moves: moves.collect(),
        }
    }

    #[inline]
    fn moves(&self, goals: impl Iterator<Item = usize>) -> u16 {
        let code = goals.fold(0, |code, goal| code * (self.len + 1) + goal);
        u16::from(self.moves[code])
    }
}

/// How many of the tiles with these goals must leave the line; zeros do not count. Codes with a
/// goal twice belong to no position and mean nothing.
fn must_leave(goals: &[usize]) -> u8 {
    let mut longest = [0u8; MAX_SIDE];
    let mut tiles = 0;
    for (i, &goal) in goals.iter().enumerate().filter(|&(_, &goal)| goal != 0) {
        let before = (0..i).filter(|&j| goals[j] != 0 && goals[j] < goal);
        longest[i] = 1 + before.map(|j| longest[j]).max().unwrap_or(0);
        tiles += 1;
    }
    tiles - longest.iter().max().copied().unwrap_or(0)
}

/// A row or a column of the board.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoardLine {
    Row(usize),
    Column(usize),
}

impl Sliding {
    /// The line of its goal that a tile leaves or enters, if it does.
    #[inline]
    pub(super) fn line_of_goal(&self, tile: usize, from: usize, to: usize) -> Option<BoardLine> {
        let goal = usize::from(self.goal[tile]);
        let (row, column) = (goal / self.width, goal % self.width);
        if from.abs_diff(to) == self.width {
            (row == from / self.width || row == to / self.width).then_some(BoardLine::Row(row))
        } else {
            (column == from % self.width || column == to % self.width)
                .then_some(BoardLine::Column(column))
        }
    }

    /// The extra moves for a line.
    #[inline]
    pub(super) fn conflicts(&self, tiles: &[u8; MAX_SQUARES], line: BoardLine) -> u16 {
        // Places and goals across and along the line, in the same way for both.
        let goal = |place: usize| {
            let tile = usize::from(tiles[place]);
            let goal = usize::from(self.goal[tile]);
            (tile != 0).then_some((goal / self.width, goal % self.width))
        };
        match line {
            BoardLine::Row(row) => self.rows.moves((0..self.width).map(|column| {
                let goal = goal(self.width * row + column).filter(|goal| goal.0 == row);
                goal.map_or(0, |goal| goal.1 + 1)
            })),
            BoardLine::Column(column) => self.columns.moves((0..self.height).map(|row| {
                let goal = goal(self.width * row + column).filter(|goal| goal.1 == column);
                goal.map_or(0, |goal| goal.0 + 1)
            })),
        }
    }

    /// The bound, without what was known before.
    pub(super) fn bound(&self, tiles: &[u8; MAX_SQUARES]) -> u16 {
        let away = (0..self.squares()).map(|place| {
            let tile = usize::from(tiles[place]);
            u16::from(self.manhattan[tile][place])
        });
        let rows = (0..self.height).map(|row| self.conflicts(tiles, BoardLine::Row(row)));
        let columns =
            (0..self.width).map(|column| self.conflicts(tiles, BoardLine::Column(column)));
        away.chain(rows).chain(columns).sum()
    }
}
