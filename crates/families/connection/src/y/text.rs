//! Notation and picture of Y. Rows are numbers from the top, and letters count the cells of a row
//! from the left: a1 is the cell at the top.

use tabia_game::bits::Bits;
use tabia_game::grid::{file_letter, parse_side};
use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Move, State, Y};

const LETTERS: [char; 2] = ['x', 'o'];
const COLOURS: [Colour; 2] = [Colour::Black, Colour::White];

impl<B: Bits> Y<B> {
    fn owner(&self, state: &State<B>, cell: usize) -> Option<usize> {
        (0..2).find(|&player| state.stones[player].has(cell))
    }

    /// A row, with numbers for empty cells.
    fn row_text(&self, state: &State<B>, row: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for place in 0..=row {
            match self.owner(state, row * self.side + place) {
                None => empty += 1,
                Some(player) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    text.push(LETTERS[player]);
                    empty = 0;
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    fn read_row(&self, text: &str, row: usize, stones: &mut [B; 2]) -> Result<(), TextError> {
        let mut place = 0usize;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit as usize);
                    letters.next();
                }
                place = place.saturating_add(run);
                continue;
            }
            let player = LETTERS.iter().position(|&known| known == letter);
            match player {
                Some(player) if place <= row => {
                    stones[player] |= B::bit(row * self.side + place);
                }
                None if !matches!(letter, '.' | '-' | '_') => {
                    return Err(TextError::new(format!(
                        "'{letter}' is no stone; those are x and o, and empty cells are numbers"
                    )));
                }
                _ => {}
            }
            place = place.saturating_add(1);
        }
        match place == row + 1 {
            true => Ok(()),
            false => Err(TextError::new(format!(
                "row {} ('{}') has {place} cell(s) where {} belong",
                row + 1,
                shortened(text),
                row + 1
            ))),
        }
    }

    /// Where a cell lies in a picture: each row begins half a cell to the left of the one above.
    fn place(&self, cell: usize) -> (f32, f32) {
        let (row, place) = self.row_and_place(cell);
        (place as f32 - row as f32 / 2.0, row as f32)
    }
}

impl<B: Bits> Text for Y<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows: Vec<String> = (0..self.side)
            .map(|row| self.row_text(state, row))
            .collect();
        format!("{} {}", rows.join("/"), LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let text = text.to_ascii_lowercase();
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next().unwrap_or("").split('/').collect();
        if rows.len() != self.side {
            return Err(TextError::new(format!(
                "the board has {} row(s) where {} belong, from the top and joined by '/'",
                rows.len(),
                self.side
            )));
        }
        let mut stones = [B::EMPTY; 2];
        for (row, text) in rows.into_iter().enumerate() {
            self.read_row(text, row, &mut stones)?;
        }
        let rest: Vec<&str> = words.collect();
        let mover = match parse_side(&rest, LETTERS)? {
            Some(mover) => mover,
            None if stones[0].count() > stones[1].count() => Player::SECOND,
            None => Player::FIRST,
        };
        Ok(self.with(stones, mover))
    }

    fn move_text(&self, _: &State<B>, mv: Move) -> String {
        let (row, place) = self.row_and_place(usize::from(mv.0));
        format!("{}{}", file_letter(place), row + 1)
    }

    fn player_name(&self, player: Player) -> String {
        ["Black", "White"][player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, x for Black and o for White, and the side to move, e.g. '1/xo/1x1 o' \
         for a side of 3"
    }
}

impl<B: Bits> Draw for Y<B> {
    fn picture(&self, state: &State<B>, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        for cell in self.full.iter() {
            let (x, y) = self.place(cell);
            picture.hexagon(x, y, Shade::Light);
            if let Some(player) = self.owner(state, cell) {
                picture.piece((x, y), LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        for row in 0..self.side {
            let (x, y) = self.place(row * self.side);
            picture.label(x - 1.0, y, (row + 1).to_string());
        }
        // Below the last row, where the rows would go on.
        let below = self.side as f32;
        for place in 0..self.side {
            let x = place as f32 - below / 2.0;
            picture.label(x, below, file_letter(place).to_string());
        }
        if let Some(Move(cell)) = last {
            picture.mark(self.place(usize::from(cell)));
        }
        picture
    }
}
