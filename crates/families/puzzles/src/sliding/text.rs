//! Notation and picture: rows of numbers from the top, `0` for the blank; a move is the tile that
//! slides.
//!
//! Rows may be separated by `/`, `|`, `;` or line breaks, or not at all; numbers by blanks or
//! commas. The blank may also be `-`, `_` or `.`. Moves made before are told at the end, such as
//! `after 12`.

use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Picture, Player, Text, TextError, Unit};

use super::{LIMIT, MAX_SQUARES, Move, Sliding, State};

const AFTER: &str = "after";

impl Sliding {
    fn parse_moves(&self, text: &str) -> Result<u32, TextError> {
        let moves = text.trim().parse().ok().filter(|&moves| moves <= LIMIT);
        moves.ok_or_else(|| {
            TextError::new(format!(
                "'{}' is no number of moves: '{AFTER}' is followed by 0 to {LIMIT}",
                shortened(text.trim())
            ))
        })
    }

    fn parse_tile(&self, word: &str, place: usize) -> Result<u8, TextError> {
        if matches!(word, "-" | "_" | ".") {
            return Ok(0);
        }
        let last = self.squares() - 1;
        // Only digits, so that no other way to write a number is read.
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let tile = word
            .parse()
            .ok()
            .filter(|&tile| digits && usize::from(tile) <= last);
        tile.ok_or_else(|| {
            TextError::new(format!(
                "'{}' in row {}, column {} is no tile; tiles are 1 to {last}, and 0 is the blank",
                shortened(word),
                place / self.width + 1,
                place % self.width + 1
            ))
        })
    }
}

impl Text for Sliding {
    fn position_text(&self, state: &State) -> String {
        let rows = state.tiles[..self.squares()].chunks(self.width).map(|row| {
            let tiles: Vec<String> = row.iter().map(u8::to_string).collect();
            tiles.join(" ")
        });
        let rows = rows.collect::<Vec<_>>().join(" / ");
        match state.moves {
            0 => rows,
            moves => format!("{rows} {AFTER} {moves}"),
        }
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let (board, moves) = match text.split_once(AFTER) {
            Some((board, moves)) => (board, self.parse_moves(moves)?),
            None => (text, 0),
        };
        let rows: Vec<&str> = board.trim().split(['/', '|', ';', '\n']).collect();
        let words = |row: &str| -> Vec<String> {
            let words = row.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            words.map(str::to_string).collect()
        };
        // A list without rows is as good.
        if rows.len() > 1 {
            if rows.len() != self.height {
                return Err(TextError::new(format!(
                    "there are {} rows where {} belong",
                    rows.len(),
                    self.height
                )));
            }
            let uneven = rows.iter().position(|row| words(row).len() != self.width);
            if let Some(row) = uneven {
                return Err(TextError::new(format!(
                    "row {} has {} numbers where {} belong",
                    row + 1,
                    words(rows[row]).len(),
                    self.width
                )));
            }
        }
        let all: Vec<String> = rows.iter().flat_map(|row| words(row)).collect();
        if all.len() != self.squares() {
            return Err(TextError::new(format!(
                "there are {} numbers where {} belong, 0 for the blank among them",
                all.len(),
                self.squares()
            )));
        }
        let mut tiles = [0; MAX_SQUARES];
        let mut seen = [false; MAX_SQUARES];
        for (place, word) in all.iter().enumerate() {
            let tile = self.parse_tile(word, place)?;
            if std::mem::replace(&mut seen[usize::from(tile)], true) {
                let what = match tile {
                    0 => "the blank".to_string(),
                    tile => format!("tile {tile}"),
                };
                return Err(TextError::new(format!(
                    "{what} is there twice, the second time in row {}, column {}",
                    place / self.width + 1,
                    place % self.width + 1
                )));
            }
            tiles[place] = tile;
        }
        let (exchanges, away) = self.parity(&tiles);
        if exchanges % 2 != away % 2 {
            let word = |n: usize| if n.is_multiple_of(2) { "even" } else { "odd" };
            return Err(TextError::new(format!(
                "these tiles cannot be put in order: {exchanges} exchanges would do it, which is \
                 {}, but the blank is {away} squares from its corner, which is {}, and every move \
                 is one exchange that takes the blank one square further; exchange any two tiles",
                word(exchanges),
                word(away)
            )));
        }
        Ok(self.state(tiles, moves))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        mv.tile.to_string()
    }

    fn player_name(&self, _: Player) -> String {
        "Player".to_string()
    }

    fn unit(&self) -> Unit {
        Unit::Things("move", "moves")
    }

    fn position_help(&self) -> &'static str {
        "rows of tiles from the top, 0 for the blank, e.g. '1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 \
         14 15'"
    }
}

impl Draw for Sliding {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let at = |place: usize| ((place % self.width) as f32, (place / self.width) as f32);
        for place in 0..self.squares() {
            let (x, y) = at(place);
            picture.cell(x, y, Shade::Light);
            match state.tiles[place] {
                0 => {}
                tile => {
                    let digit = char::from(b'0' + tile % 10);
                    picture.piece((x, y), digit, Colour::Black, Body::Tile(tile));
                }
            }
        }
        if let Some(mv) = last {
            picture.mark(at(usize::from(state.places[usize::from(mv.tile)])));
        }
        picture
    }
}
