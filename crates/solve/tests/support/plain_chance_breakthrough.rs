//! ChanceBreakthrough (Schadd 2011, section 5.4.1) on a list of letters, and its value: a position
//! comes again only if the dice miss, so the two values of a board, one for each side to move,
//! follow from those of other boards and from each other.

use std::collections::HashMap;

/// Values for White if White moves next, and if Black does.
type Values = [f64; 2];

/// A board, ranks from below one after the other: `w`, `b` or `.`.
type Board = Vec<u8>;

/// The game on a board of this size.
pub struct PlainChanceBreakthrough {
    pub width: usize,
    pub height: usize,
}

impl PlainChanceBreakthrough {
    /// The value for White, to move, if each side fills this many ranks.
    pub fn value(&self, filled: usize) -> f64 {
        let rank = |rank: usize| match rank {
            low if low < filled => b'w',
            high if high >= self.height - filled => b'b',
            _ => b'.',
        };
        let board = (0..self.height).flat_map(|r| vec![rank(r); self.width]);
        self.values(&board.collect(), &mut HashMap::new())[0]
    }

    fn values(&self, board: &Board, known: &mut HashMap<Board, Values>) -> Values {
        if let Some(&values) = known.get(board) {
            return values;
        }
        // Hits lead to boards with a piece less, and to the other side's turn.
        let squares = board.len() as f64;
        let mut hits: Values = [0.0; 2];
        let mut empty = 0.0;
        for square in 0..board.len() {
            if board[square] == b'.' {
                empty += 1.0;
                continue;
            }
            let mut left = board.clone();
            left[square] = b'.';
            for (side, hits) in hits.iter_mut().enumerate() {
                *hits += self.after(&left, side, known) / squares;
            }
        }
        let steps = [0, 1].map(|side| self.steps(board, side));
        let [white, black] = [0, 1].map(|side: usize| -> Vec<f64> {
            let boards = steps[side].iter();
            boards.map(|next| self.after(next, side, known)).collect()
        });
        let white = white.into_iter().fold(f64::MIN, f64::max);
        let black = black.into_iter().fold(f64::MAX, f64::min);
        // What is wrong with a value counts for less in the other, by the share of empty squares.
        let mut values: Values = [0.0; 2];
        for _ in 0..2_000 {
            let roll = |side: usize| hits[side] + empty / squares * values[1 - side];
            values = [white.max(roll(0)), black.min(roll(1))];
        }
        known.insert(board.clone(), values);
        values
    }

    /// The value of a board after a turn of a side.
    fn after(&self, board: &Board, side: usize, known: &mut HashMap<Board, Values>) -> f64 {
        let last = board.len() - self.width;
        if !board.contains(&b'b') || board[last..].contains(&b'w') {
            return 1.0;
        }
        if !board.contains(&b'w') || board[..self.width].contains(&b'b') {
            return -1.0;
        }
        self.values(board, known)[1 - side]
    }

    /// The boards after the moves of a side.
    fn steps(&self, board: &Board, side: usize) -> Vec<Board> {
        let (own, other, up) = [(b'w', b'b', 1), (b'b', b'w', -1)][side];
        let mut boards = Vec::new();
        for from in (0..board.len()).filter(|&from| board[from] == own) {
            let (file, rank) = (from % self.width, from / self.width);
            let Some(rank) = rank
                .checked_add_signed(up)
                .filter(|&rank| rank < self.height)
            else {
                continue;
            };
            for across in [-1, 0, 1] {
                let file = file.checked_add_signed(across);
                let Some(file) = file.filter(|&file| file < self.width) else {
                    continue;
                };
                let to = rank * self.width + file;
                if board[to] == b'.' || (board[to] == other && across != 0) {
                    let mut next = board.clone();
                    next[from] = b'.';
                    next[to] = own;
                    boards.push(next);
                }
            }
        }
        boards
    }
}
