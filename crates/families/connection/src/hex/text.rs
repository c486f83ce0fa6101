//! Notation and picture of Hex. Columns are letters and rows numbers, a1 is the left end of the top
//! row.

use tabia_game::bits::Bits;
use tabia_game::grid::{file_letter, parse_side};
use tabia_game::picture::{Body, Colour, HexSide, Shade};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Hex, Move, State};

const LETTERS: [char; 2] = ['x', 'o'];
const COLOURS: [Colour; 2] = [Colour::Red, Colour::Blue];

impl<B: Bits> Hex<B> {
    fn owner(&self, state: &State<B>, cell: usize) -> Option<usize> {
        (0..2).find(|&player| state.stones[player].has(cell))
    }

    /// The cell in this column and rank; ranks are counted from the bottom.
    fn at(&self, file: usize, rank: usize) -> usize {
        (self.grid.height - 1 - rank) * self.grid.width + file
    }

    fn column_and_row(&self, cell: usize) -> (usize, usize) {
        (cell % self.grid.width, cell / self.grid.width)
    }

    /// Where a cell lies in a picture: each row half a cell to the right of the one above.
    fn place(&self, cell: usize) -> (f32, f32) {
        let (column, row) = self.column_and_row(cell);
        (column as f32 + row as f32 / 2.0, row as f32)
    }
}

impl<B: Bits> Text for Hex<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let letter = |file, rank| self.owner(state, self.at(file, rank)).map(|p| LETTERS[p]);
        let rows = self.grid.write(letter);
        format!("{rows} {}", LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let rows = self.grid.parse(text, LETTERS)?;
        let mut stones = [B::EMPTY; 2];
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = rows.at(file, rank) {
                    stones[player.index()] |= B::bit(self.at(file, rank));
                }
            }
        }
        let mover = match parse_side(&rows.rest, LETTERS)? {
            Some(mover) => mover,
            None if stones[0].count() > stones[1].count() => Player::SECOND,
            None => Player::FIRST,
        };
        Ok(self.with(stones, mover))
    }

    fn move_text(&self, _: &State<B>, mv: Move) -> String {
        match mv {
            Move::Swap => "swap".to_string(),
            Move::Cell(cell) => {
                let (column, row) = self.column_and_row(usize::from(cell));
                format!("{}{}", file_letter(column), row + 1)
            }
        }
    }

    fn player_name(&self, player: Player) -> String {
        ["Red", "Blue"][player.index() % 2].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. 'x2/1o1/3 x' for 3x3"
    }
}

impl<B: Bits> Draw for Hex<B> {
    fn picture(&self, state: &State<B>, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let (width, height) = (self.grid.width, self.grid.height);
        for cell in 0..self.cells() {
            let (x, y) = self.place(cell);
            picture.hexagon(x, y, Shade::Light);
            if let Some(player) = self.owner(state, cell) {
                picture.piece((x, y), LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        for column in 0..width {
            let bottom = (height - 1) * width + column;
            for (cell, sides) in [
                (column, [HexSide::UpperLeft, HexSide::UpperRight]),
                (bottom, [HexSide::LowerLeft, HexSide::LowerRight]),
            ] {
                for side in sides {
                    picture.edge(self.place(cell), side, COLOURS[0]);
                }
            }
            let (x, y) = self.place(column);
            picture.label(x - 0.5, y - 1.0, file_letter(column).to_string());
        }
        for row in 0..height {
            for (cell, sides) in [
                (row * width, [HexSide::Left, HexSide::LowerLeft]),
                ((row + 1) * width - 1, [HexSide::Right, HexSide::UpperRight]),
            ] {
                for side in sides {
                    // The two sides at a sharp corner of the board are one of each player's.
                    let outermost = match side {
                        HexSide::LowerLeft => row + 1 == height,
                        HexSide::UpperRight => row == 0,
                        _ => false,
                    };
                    if !outermost {
                        picture.edge(self.place(cell), side, COLOURS[1]);
                    }
                }
            }
            let (x, y) = self.place(row * width);
            picture.label(x - 1.0, y, (row + 1).to_string());
        }
        match last {
            Some(Move::Cell(cell)) => picture.mark(self.place(usize::from(cell))),
            Some(Move::Swap) => {
                for cell in state.stones[1].iter() {
                    picture.mark(self.place(cell));
                }
            }
            None => {}
        }
        picture
    }
}
