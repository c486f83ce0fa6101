//! Rectangular boards: names of squares, rows of text, and the picture of a board.
//!
//! A square is a pair (file, rank), both counted from zero at the lower left corner, so that
//! `a1` is (0, 0). Positions are written as in Forsyth's notation: rows from the top, joined by
//! `/`, empty squares as numbers, then the side to move. When reading, rows may also be separated
//! by `|` or white space, and an empty square may be `.`, `-` or `_`.

use crate::picture::{Picture, Shade};
use crate::{Player, TextError};

/// The size of a rectangular board; at most 26 files, so that each has a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Number of files (columns).
    pub width: usize,
    /// Number of ranks (rows).
    pub height: usize,
}

/// A position read by [`Grid::parse`]: rows from the bottom, and the words after the board.
pub struct Rows<'t, P = Player> {
    squares: Vec<Option<P>>,
    width: usize,
    /// What followed the board, such as the side to move.
    pub rest: Vec<&'t str>,
}

impl<P: Copy> Rows<'_, P> {
    /// The owner of the piece on a square, or the piece.
    pub fn at(&self, file: usize, rank: usize) -> Option<P> {
        self.squares[rank * self.width + file]
    }
}

impl Grid {
    /// The name of a square, such as `c7`.
    pub fn name(self, file: usize, rank: usize) -> String {
        format!("{}{}", file_letter(file), rank + 1)
    }

    /// How many symmetries [`Grid::map`] knows: eight for a square board, otherwise four.
    pub fn symmetries(self) -> usize {
        if self.width == self.height { 8 } else { 4 }
    }

    /// The image of a square. Symmetry 1 mirrors the files, 2 the ranks, 3 both; 4 to 7 do the
    /// same and then exchange files with ranks.
    pub fn map(self, symmetry: usize, file: usize, rank: usize) -> (usize, usize) {
        let file = if symmetry & 1 == 0 {
            file
        } else {
            self.width - 1 - file
        };
        let rank = if symmetry & 2 == 0 {
            rank
        } else {
            self.height - 1 - rank
        };
        if symmetry & 4 == 0 {
            (file, rank)
        } else {
            (rank, file)
        }
    }

    /// Writes the rows of a board; `symbol` gives the letter of an occupied square.
    pub fn write(self, symbol: impl Fn(usize, usize) -> Option<char>) -> String {
        let mut text = String::new();
        for rank in (0..self.height).rev() {
            let mut empty = 0;
            for file in 0..self.width {
                match symbol(file, rank) {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text += &empty.to_string();
                            empty = 0;
                        }
                        text.push(letter);
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Reads the rows of a board. `letters` are those of the first and of the second player;
    /// `x` and `o` mean the first and the second player on every board, and case does not matter.
    pub fn parse(self, text: &str, letters: [char; 2]) -> Result<Rows<'_>, TextError> {
        let [first, second] = letters;
        let read = |letter: char| match letter {
            '.' | '-' | '_' => Some(None),
            letter if letter == first || letter == 'x' => Some(Some(Player::FIRST)),
            letter if letter == second || letter == 'o' => Some(Some(Player::SECOND)),
            _ => None,
        };
        self.parse_with(text, read, &format!("'{first}', '{second}' or '.'"))
    }

    /// Reads the rows of a board with other pieces. `read` is given every letter in lower case and
    /// says what is on such a square; `letters` are what errors say would be right.
    pub fn parse_with<'t, P: Copy>(
        self,
        text: &'t str,
        read: impl Fn(char) -> Option<Option<P>>,
        letters: &str,
    ) -> Result<Rows<'t, P>, TextError> {
        let (rows, rest) = self.split(text);
        if rows.len() != self.height {
            return Err(TextError::new(format!(
                "the board has {} where {} belong, from the top and joined by '/'",
                counted(rows.len(), "row"),
                self.height
            )));
        }
        let mut squares = vec![None; self.width * self.height];
        for (i, row) in rows.iter().enumerate() {
            let rank = self.height - 1 - i;
            let line = &mut squares[rank * self.width..][..self.width];
            self.parse_row(row, rank, (&read, letters), line)?;
        }
        Ok(Rows {
            squares,
            width: self.width,
            rest,
        })
    }

    /// The rows of a board and the words after it.
    fn split(self, text: &str) -> (Vec<&str>, Vec<&str>) {
        let Some((board, last)) = text.rsplit_once(['/', '|']) else {
            let mut words = text.split_whitespace();
            return (words.by_ref().take(self.height).collect(), words.collect());
        };
        let mut rows: Vec<&str> = board.split(['/', '|']).map(str::trim).collect();
        let mut words = last.split_whitespace();
        rows.push(words.next().unwrap_or(""));
        (rows, words.collect())
    }

    fn parse_row<P: Copy>(
        self,
        row: &str,
        rank: usize,
        (read, letters): (&impl Fn(char) -> Option<Option<P>>, &str),
        line: &mut [Option<P>],
    ) -> Result<(), TextError> {
        let bad = |why: String| Err(TextError::new(format!("row {} ('{row}') {why}", rank + 1)));
        let mut file = 0usize;
        let mut chars = row.chars().peekable();
        while let Some(c) = chars.next() {
            if let Some(digit) = c.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit as usize);
                    chars.next();
                }
                file = file.saturating_add(run);
            } else {
                let Some(piece) = read(c.to_ascii_lowercase()) else {
                    return bad(format!(
                        "has '{c}'; a square is {letters}, and a number stands for that many empty \
                         squares"
                    ));
                };
                if let Some(square) = line.get_mut(file) {
                    *square = piece;
                }
                file += 1;
            }
            if file > self.width {
                return bad(format!("is longer than the board's {} squares", self.width));
            }
        }
        if file != self.width {
            let squares = counted(file, "square");
            return bad(format!("has {squares} where {} belong", self.width));
        }
        Ok(())
    }

    /// An empty board with coordinates, to be filled with pieces by [`Grid::place`].
    pub fn picture(self, checkered: bool) -> Picture {
        let mut picture = Picture::default();
        for rank in 0..self.height {
            for file in 0..self.width {
                let dark = checkered && (file + rank).is_multiple_of(2);
                let (x, y) = self.place(file, rank);
                picture.cell(x, y, if dark { Shade::Dark } else { Shade::Light });
            }
            picture.label(-1.0, self.place(0, rank).1, (rank + 1).to_string());
        }
        for file in 0..self.width {
            picture.label(
                file as f32,
                self.height as f32,
                file_letter(file).to_string(),
            );
        }
        picture
    }

    /// Where the middle of a square lies in [`Grid::picture`].
    pub fn place(self, file: usize, rank: usize) -> (f32, f32) {
        (file as f32, (self.height - 1 - rank) as f32)
    }
}

/// `a` for the first file.
pub fn file_letter(file: usize) -> char {
    char::from(b'a' + (file % 26) as u8)
}

/// Reads the side to move from what follows a board, if it is there: a player's letter, `x` or `o`.
pub fn parse_side(rest: &[&str], letters: [char; 2]) -> Result<Option<Player>, TextError> {
    let [first, second] = letters;
    let expected =
        || format!("after the board belongs only the side to move, '{first}' or '{second}'");
    match rest {
        [] => Ok(None),
        [word] => {
            let mut chars = word.chars();
            match (chars.next().map(|c| c.to_ascii_lowercase()), chars.next()) {
                (Some(c), None) if c == first || c == 'x' => Ok(Some(Player::FIRST)),
                (Some(c), None) if c == second || c == 'o' => Ok(Some(Player::SECOND)),
                _ => Err(TextError::new(format!(
                    "'{word}' is no side to move: {}",
                    expected()
                ))),
            }
        }
        [_, more, ..] => Err(TextError::new(format!(
            "'{more}' is too much: {}",
            expected()
        ))),
    }
}

/// A number of things that form their plural with an s.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LETTERS: [char; 2] = ['b', 'w'];

    fn symbol(player: Option<Player>) -> Option<char> {
        player.map(|p| LETTERS[p.index()])
    }

    proptest! {
        #[test]
        fn rows_round_trip(width in 1usize..27, height in 1usize..20, seed: u64) {
            let grid = Grid { width, height };
            let cell = |file: usize, rank: usize| {
                match crate::zobrist::number(seed, (rank * width + file) as u64) % 3 {
                    0 => None,
                    n => Some(Player(n as u8 - 1)),
                }
            };
            let text = grid.write(|f, r| symbol(cell(f, r)));
            let rows = grid.parse(&text, LETTERS).unwrap();
            for rank in 0..height {
                for file in 0..width {
                    prop_assert_eq!(rows.at(file, rank), cell(file, rank));
                }
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[xobw.0-9/| ]{0,40}|.{0,20}") {
            let _ = Grid { width: 4, height: 3 }.parse(&text, LETTERS);
        }
    }

    #[test]
    fn the_three_ways_to_separate_rows_agree() {
        let grid = Grid {
            width: 3,
            height: 2,
        };
        for text in ["x.o/3 o", "x.o|... o", "x.o\n___ o", " x.o / ... o "] {
            let rows = grid.parse(text, ['x', 'o']).unwrap();
            assert_eq!(rows.at(0, 1), Some(Player::FIRST));
            assert_eq!(rows.at(2, 1), Some(Player::SECOND));
            assert_eq!(parse_side(&rows.rest, ['x', 'o']), Ok(Some(Player::SECOND)));
        }
    }

    #[test]
    fn errors_name_the_row_and_the_reason() {
        let grid = Grid {
            width: 3,
            height: 2,
        };
        let error = |text| {
            grid.parse(text, ['x', 'o'])
                .err()
                .map(|e| e.to_string())
                .unwrap()
        };
        assert!(error("x.o").contains("1 row where 2 belong"));
        assert!(error("x.q/3").contains("row 2 ('x.q') has 'q'"));
        assert!(error("xo/3").contains("2 squares where 3 belong"));
        assert!(error("3/99999999999999999999").contains("longer than the board"));
    }
}
