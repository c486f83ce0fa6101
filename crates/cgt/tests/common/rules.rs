//! Small rules to evaluate: Domineering, Toads-and-Frogs, red-blue Hackenbush stalks and Kayles.

use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player, TextError};

/// What no test asks for.
macro_rules! without_text {
    ($position:ty, $mv:ty) => {
        fn position_text(&self, position: &$position) -> String {
            format!("{position:?}")
        }

        fn parse_position(&self, text: &str) -> Result<$position, TextError> {
            Err(TextError::new(format!("'{text}' is not read here")))
        }

        fn position_help(&self) -> &'static str {
            ""
        }

        fn move_text(&self, _: &$position, _: Player, mv: $mv) -> String {
            format!("{mv:?}")
        }

        fn picture(&self, _: &$position, _: Option<$mv>) -> Picture {
            unimplemented!("no test draws a picture")
        }
    };
}

/// Left plays upright dominoes, Right lying ones; a board is rows of squares, `true` where empty.
pub struct Domineering;

pub type Board = Vec<Vec<bool>>;

pub fn board(width: usize, height: usize, taken: u32) -> Board {
    (0..height)
        .map(|y| {
            (0..width)
                .map(|x| taken >> (y * width + x) & 1 == 0)
                .collect()
        })
        .collect()
}

fn transposed(board: &Board) -> Board {
    let width = board.first().map_or(0, Vec::len);
    (0..width)
        .map(|x| board.iter().map(|row| row[x]).collect())
        .collect()
}

impl Combinatorial for Domineering {
    type Position = Board;
    type Move = (usize, usize);

    fn moves(&self, board: &Board, player: Player, out: &mut Vec<(usize, usize)>) {
        let (dx, dy) = if player == Player::FIRST {
            (0, 1)
        } else {
            (1, 0)
        };
        for (y, row) in board.iter().enumerate() {
            for x in 0..row.len() {
                let free = |x: usize, y: usize| {
                    board.get(y).and_then(|row| row.get(x)).copied() == Some(true)
                };
                if free(x, y) && free(x + dx, y + dy) {
                    out.push((x, y));
                }
            }
        }
    }

    fn can_move(&self, board: &Board, player: Player) -> bool {
        let mut moves = Vec::new();
        self.moves(board, player, &mut moves);
        !moves.is_empty()
    }

    fn play(&self, board: &mut Board, player: Player, (x, y): (usize, usize)) {
        let (dx, dy) = if player == Player::FIRST {
            (0, 1)
        } else {
            (1, 0)
        };
        board[y][x] = false;
        board[y + dy][x + dx] = false;
    }

    fn split(&self, board: &Board, out: &mut Vec<Board>) {
        let mut rest = board.clone();
        for y in 0..rest.len() {
            for x in 0..rest[y].len() {
                let mut region = Vec::new();
                let mut open = vec![(x, y)];
                while let Some((x, y)) = open.pop() {
                    if rest.get(y).and_then(|row| row.get(x)) == Some(&true) {
                        rest[y][x] = false;
                        region.push((x, y));
                        open.extend([(x + 1, y), (x, y + 1)]);
                        open.extend(x.checked_sub(1).map(|x| (x, y)));
                        open.extend(y.checked_sub(1).map(|y| (x, y)));
                    }
                }
                if region.len() < 2 {
                    continue;
                }
                let left = region.iter().map(|&(x, _)| x).min().unwrap_or(0);
                let right = region.iter().map(|&(x, _)| x).max().unwrap_or(0);
                let top = region.iter().map(|&(_, y)| y).min().unwrap_or(0);
                let bottom = region.iter().map(|&(_, y)| y).max().unwrap_or(0);
                let mut part = vec![vec![false; right - left + 1]; bottom - top + 1];
                for (x, y) in region {
                    part[y - top][x - left] = true;
                }
                out.push(part);
            }
        }
    }

    fn negative(&self, board: &Board) -> Board {
        transposed(board)
    }

    without_text!(Board, (usize, usize));
}

/// Toads move right, frogs left, by one cell or over one of the others.
pub struct Toads;

impl Combinatorial for Toads {
    type Position = Vec<u8>;
    type Move = (usize, usize);

    fn moves(&self, strip: &Vec<u8>, player: Player, out: &mut Vec<(usize, usize)>) {
        let (own, other, step) = match player {
            Player::FIRST => (b'T', b'F', 1),
            _ => (b'F', b'T', -1),
        };
        let at = |place: Option<usize>| place.and_then(|place| strip.get(place)).copied();
        for from in (0..strip.len()).filter(|&from| strip[from] == own) {
            let (next, beyond) = (
                from.checked_add_signed(step),
                from.checked_add_signed(2 * step),
            );
            if at(next) == Some(b'.') {
                out.extend(next.map(|to| (from, to)));
            } else if at(next) == Some(other) && at(beyond) == Some(b'.') {
                out.extend(beyond.map(|to| (from, to)));
            }
        }
    }

    fn can_move(&self, strip: &Vec<u8>, player: Player) -> bool {
        let mut moves = Vec::new();
        self.moves(strip, player, &mut moves);
        !moves.is_empty()
    }

    fn play(&self, strip: &mut Vec<u8>, _: Player, (from, to): (usize, usize)) {
        strip.swap(from, to);
    }

    fn split(&self, strip: &Vec<u8>, out: &mut Vec<Vec<u8>>) {
        if self.can_move(strip, Player::FIRST) || self.can_move(strip, Player::SECOND) {
            out.push(strip.clone());
        }
    }

    fn negative(&self, strip: &Vec<u8>) -> Vec<u8> {
        let swapped = strip.iter().rev().map(|&cell| match cell {
            b'T' => b'F',
            b'F' => b'T',
            other => other,
        });
        swapped.collect()
    }

    without_text!(Vec<u8>, (usize, usize));
}

/// A stalk of edges from the ground up; who cuts an edge of their own removes all above it.
pub struct Stalk;

impl Combinatorial for Stalk {
    type Position = Vec<Player>;
    type Move = usize;

    fn moves(&self, stalk: &Vec<Player>, player: Player, out: &mut Vec<usize>) {
        out.extend((0..stalk.len()).filter(|&edge| stalk[edge] == player));
    }

    fn can_move(&self, stalk: &Vec<Player>, player: Player) -> bool {
        stalk.contains(&player)
    }

    fn play(&self, stalk: &mut Vec<Player>, _: Player, edge: usize) {
        stalk.truncate(edge);
    }

    fn split(&self, stalk: &Vec<Player>, out: &mut Vec<Vec<Player>>) {
        if !stalk.is_empty() {
            out.push(stalk.clone());
        }
    }

    fn negative(&self, stalk: &Vec<Player>) -> Vec<Player> {
        stalk.iter().map(|edge| edge.other()).collect()
    }

    without_text!(Vec<Player>, usize);
}

/// One or two neighbouring pins of a row are knocked over.
pub struct Kayles;

impl Combinatorial for Kayles {
    type Position = Vec<u32>;
    type Move = (usize, u32, u32);

    fn is_impartial(&self, _: &Self::Position) -> bool {
        true
    }

    fn moves(&self, rows: &Vec<u32>, _: Player, out: &mut Vec<(usize, u32, u32)>) {
        for (row, &pins) in rows.iter().enumerate() {
            for taken in 1..=2.min(pins) {
                out.extend((0..=(pins - taken) / 2).map(|before| (row, taken, before)));
            }
        }
    }

    fn can_move(&self, rows: &Vec<u32>, _: Player) -> bool {
        !rows.is_empty()
    }

    fn play(&self, rows: &mut Vec<u32>, _: Player, (row, taken, before): (usize, u32, u32)) {
        let after = rows[row] - taken - before;
        rows[row] = before;
        rows.push(after);
        rows.retain(|&pins| pins > 0);
    }

    fn split(&self, rows: &Vec<u32>, out: &mut Vec<Vec<u32>>) {
        out.extend(rows.iter().map(|&pins| vec![pins]));
    }

    fn negative(&self, rows: &Vec<u32>) -> Vec<u32> {
        rows.clone()
    }

    without_text!(Vec<u32>, (usize, u32, u32));
}
