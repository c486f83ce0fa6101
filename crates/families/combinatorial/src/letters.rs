//! Boards of letters: how [`Cells`] are read, written and drawn.
//!
//! Rows stand from the top and are joined by `|`; `/` is read as well. Each game has its own
//! [`Alphabet`].

use tabia_game::bits::Bits;
use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::text::shortened;
use tabia_game::{Player, TextError};

use super::cells::{Cells, Set, Shape, column_name};

/// In which of the three sets of [`Cells`] a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Square(u8);

impl Square {
    pub(crate) const HOLE: Square = Square(0);
    pub(crate) const EMPTY: Square = Square(4);
    pub(crate) const LEFT: Square = Square(5);
    pub(crate) const RIGHT: Square = Square(6);
    /// Of both players.
    pub(crate) const EITHER: Square = Square(7);
    /// Left's and out of the game.
    pub(crate) const LEFT_HOLE: Square = Square(1);
    /// Right's and out of the game.
    pub(crate) const RIGHT_HOLE: Square = Square(2);
}

/// The letters of the squares. The first letter of a square is the one that is written; case
/// matters only where both cases are listed.
pub(crate) type Alphabet = [(char, Square)];

impl Cells {
    fn square(&self, cell: usize) -> Square {
        let bit = |set: Set| u8::from(set.has(cell));
        let [left, right] = [Player::FIRST, Player::SECOND].map(|p| bit(self.stones(p)));
        Square(left | right << 1 | bit(self.open()) << 2)
    }

    /// The rows from the top, joined by `|`.
    pub(crate) fn write(&self, alphabet: &Alphabet) -> String {
        let mut text = String::with_capacity(self.shape().len() + self.shape().height());
        for cell in 0..self.shape().len() {
            if cell > 0 && cell.is_multiple_of(self.shape().width()) {
                text.push('|');
            }
            text.push(letter(alphabet, self.square(cell)));
        }
        text
    }

    /// Reads rows from the top, joined by `|` or `/`.
    pub(crate) fn read(text: &str, alphabet: &Alphabet) -> Result<Cells, TextError> {
        let rows: Vec<&str> = text.split(['|', '/']).map(str::trim).collect();
        let width = rows[0].chars().count();
        let shape = Shape::new(width, rows.len()).map_err(|error| {
            TextError::new(format!("'{}' is no board: {error}", shortened(text)))
        })?;
        let (mut open, mut stones) = (0, [0; 2]);
        for (y, row) in rows.iter().enumerate() {
            let length = row.chars().count();
            if length != width {
                return Err(TextError::new(format!(
                    "row {} from the top, '{}', has {length} cell(s) where {width} belong",
                    y + 1,
                    shortened(row)
                )));
            }
            for (x, character) in row.chars().enumerate() {
                let Some(Square(square)) = meaning(alphabet, character) else {
                    let letters: Vec<String> =
                        alphabet.iter().map(|(c, _)| format!("'{c}'")).collect();
                    return Err(TextError::new(format!(
                        "row {} from the top has '{character}' as its character {}; a cell is one \
                         of {}",
                        y + 1,
                        x + 1,
                        letters.join(" ")
                    )));
                };
                let cell = y * width + x;
                stones[0] |= Set::from(square & 1) << cell;
                stones[1] |= Set::from(square >> 1 & 1) << cell;
                open |= Set::from(square >> 2) << cell;
            }
        }
        Ok(Cells::of(shape, open, stones))
    }

    /// The picture of a board, the cells of a move marked. Small letters are remarks and not
    /// pieces.
    pub(crate) fn picture(&self, alphabet: &Alphabet, marks: &[usize]) -> Picture {
        // A board without cells is drawn as one empty cell.
        let (width, height) = (self.shape().width().max(1), self.shape().height().max(1));
        let mut picture = Picture::default();
        for y in 0..height {
            for x in 0..width {
                picture.cell(x as f32, y as f32, Shade::Light);
            }
            picture.label(-1.0, y as f32, (height - y).to_string());
        }
        for x in 0..width {
            picture.label(x as f32, height as f32, column_name(x));
        }
        let place = |cell: usize| {
            let (x, y) = self.shape().place(cell);
            (x as f32, y as f32)
        };
        for cell in 0..self.shape().len() {
            let square = self.square(cell);
            let letter = letter(alphabet, square);
            if letter.is_ascii_lowercase() {
                let (x, y) = place(cell);
                picture.label(x, y, letter.to_string());
                continue;
            }
            let (colour, body) = match square.0 & 3 {
                1 => (Colour::Black, Body::Disc),
                2 => (Colour::White, Body::Disc),
                _ if square == Square::EMPTY => continue,
                _ => (Colour::Red, Body::Letter),
            };
            picture.piece(place(cell), letter, colour, body);
        }
        for &cell in marks.iter().filter(|&&cell| cell < self.shape().len()) {
            picture.mark(place(cell));
        }
        picture
    }
}

/// The letter of a square; `?` for one that the game does not know, since boards of other games
/// have the same type.
fn letter(alphabet: &Alphabet, square: Square) -> char {
    let found = alphabet.iter().find(|&&(_, meant)| meant == square);
    found.map_or('?', |&(letter, _)| letter)
}

fn meaning(alphabet: &Alphabet, character: char) -> Option<Square> {
    let exact = alphabet.iter().find(|&&(letter, _)| letter == character);
    let other = || {
        let same = |letter: char| letter.eq_ignore_ascii_case(&character);
        alphabet.iter().find(|&&(letter, _)| same(letter))
    };
    exact.or_else(other).map(|&(_, square)| square)
}

/// Texts of a game whose positions are [`Cells`] of an alphabet.
macro_rules! text_of_cells {
    ($alphabet:expr, $help:expr) => {
        fn position_text(&self, position: &Cells) -> String {
            position.write($alphabet)
        }

        fn parse_position(&self, text: &str) -> Result<Cells, tabia_game::TextError> {
            Cells::read(text, $alphabet)
        }

        fn position_help(&self) -> &'static str {
            $help
        }
    };
}
pub(crate) use text_of_cells;

#[cfg(test)]
mod tests {
    use super::super::cells::tests::board;
    use super::*;
    use proptest::prelude::*;

    const LETTERS: &Alphabet = &[
        ('.', Square::EMPTY),
        ('X', Square::LEFT),
        ('O', Square::RIGHT),
        ('#', Square::HOLE),
    ];

    proptest! {
        #[test]
        fn rows_round_trip(cells in board()) {
            prop_assert_eq!(Cells::read(&cells.write(LETTERS), LETTERS), Ok(cells));
            let slashes = cells.write(LETTERS).replace('|', "/").to_lowercase();
            prop_assert_eq!(Cells::read(&slashes, LETTERS), Ok(cells));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[xoXO.#|/]{0,150}|.{0,20}") {
            if let Ok(cells) = Cells::read(&text, LETTERS) {
                prop_assert_eq!(Cells::read(&cells.write(LETTERS), LETTERS), Ok(cells));
            }
        }
    }

    #[test]
    fn errors_name_the_row_and_the_character() {
        let error = |text: &str| Cells::read(text, LETTERS).unwrap_err().to_string();
        assert!(error("..|.q").contains("row 2 from the top has 'q' as its character 2"));
        assert!(
            error("..|...").contains("row 2 from the top, '...', has 3 cell(s) where 2 belong")
        );
        assert!(error("").contains("1 to 128 cells"));
        assert!(error(&".".repeat(129)).contains("1 to 128 cells"));
        assert!(Cells::read(&".".repeat(128), LETTERS).is_ok());
    }
}
