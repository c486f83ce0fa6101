//! Random games without listing the moves.
//!
//! A block with an equal one above or to its right, but none below or to its left, may be the first
//! of its group, and the first of every group is such a block. One of them is drawn; if it is not
//! the first of its group after all, another one is drawn. Every group is as likely as any other,
//! and only one of them is ever looked at in full. After a move only the columns around it change.

use rand::{Rng, RngExt};

use super::board::{Board, MAX_COLUMNS, first_blocks, of_colour};
use super::{Move, SameGame, State};

/// Blocks that may be the first of a group, column by column.
struct Drawing {
    first: [u16; MAX_COLUMNS],
    total: u32,
    /// The colour whose blocks are left out.
    tabu: Option<usize>,
}

impl Drawing {
    fn new(board: &Board, tabu: Option<usize>) -> Drawing {
        let mut drawing = Drawing {
            first: [0; MAX_COLUMNS],
            total: 0,
            tabu,
        };
        drawing.renew(board, 0, MAX_COLUMNS - 1);
        drawing
    }

    /// Looks at the columns from `from` to `to` again.
    #[inline]
    fn renew(&mut self, board: &Board, from: usize, to: usize) {
        let mut left = board.left_of(from);
        let mut column = board.columns[from];
        for at in from..=to.min(MAX_COLUMNS - 1) {
            let right = board.columns[at + 1];
            let mut first = first_blocks(left, column, right);
            if let Some(tabu) = self.tabu {
                first &= !of_colour(column, tabu);
            }
            self.total = self.total + first.count_ones() - self.first[at].count_ones();
            self.first[at] = first;
            (left, column) = (column, right);
        }
    }

    /// One of the blocks, all equally likely. There must be one.
    #[inline]
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (usize, usize) {
        let mut rest = rng.random_range(0..self.total);
        let mut column = 0;
        while column < MAX_COLUMNS - 1 {
            let here = self.first[column].count_ones();
            if rest < here {
                break;
            }
            rest -= here;
            column += 1;
        }
        let mut first = self.first[column];
        for _ in 0..rest {
            first &= first.wrapping_sub(1);
        }
        (column, first.trailing_zeros() as usize & 15)
    }
}

impl SameGame {
    /// Plays at random until this many moves are played or the game is over; how many were played.
    /// Every group is as likely as any other, but with a tabu colour none of this colour is played
    /// as long as there is another: the policies TabuRandom and TabuColorRandom of Schadd (2011,
    /// section 3.3.2) but for the choice of the colour. `played` is told every move.
    pub fn play_out<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        tabu: Option<u8>,
        rng: &mut R,
        mut played: impl FnMut(Move),
    ) -> u32 {
        let tabu = tabu.map(usize::from);
        let mut drawing = Drawing::new(&state.board, tabu);
        for ply in 0..plies {
            if drawing.total == 0 {
                if drawing.tabu.is_none() {
                    return ply;
                }
                // Only the tabu colour is left, for this move at least.
                drawing = Drawing::new(&state.board, None);
                if drawing.total == 0 {
                    return ply;
                }
            }
            let (mv, cells) = loop {
                let (column, row) = drawing.draw(rng);
                let colour = state.board.colour(column, row).unwrap_or(0);
                if let Some(cells) = state.board.group(column, row, colour, true) {
                    break (Move::new(column, row), cells);
                }
            };
            state.points += self.score.of(cells.len());
            let emptied = state.board.remove(&cells);
            played(mv);
            if drawing.tabu != tabu {
                drawing = Drawing::new(&state.board, tabu);
                continue;
            }
            let (first, last) = cells.range().into_inner();
            let last = if emptied { MAX_COLUMNS } else { last + 1 };
            drawing.renew(&state.board, first.saturating_sub(1), last);
        }
        plies
    }
}
