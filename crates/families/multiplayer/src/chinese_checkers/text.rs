//! Notation and picture of Chinese Checkers.
//!
//! Rows have letters from `a` at the first player's tip to `m` at the opposite one, and the cells
//! of a row numbers from the left. A position is the thirteen rows from the top, a number standing
//! for this many empty cells, then the player to move and the number of moves played. A move is
//! `c2-d4`: where it begins and where it ends.

use tabia_game::bits::Bits;
use tabia_game::grid::file_letter;
use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::{Draw, Player, Text, TextError};

use super::star::{FIRST_OF_ROW, PIECES, ROWS, TRIANGLE, TRIANGLES, across, row_of};
use super::{ChineseCheckers, Move, PASS, State};
use tabia_game::Outcome;

const LETTERS: [char; TRIANGLES] = ['r', 'g', 'y', 'b', 'k', 'w'];
const NAMES: [&str; TRIANGLES] = ["Red", "Green", "Yellow", "Blue", "Black", "White"];
const COLOURS: [Colour; TRIANGLES] = [
    Colour::Red,
    Colour::Green,
    Colour::Yellow,
    Colour::Blue,
    Colour::Black,
    Colour::White,
];

fn name(cell: usize) -> String {
    let (row, number) = row_of(cell);
    format!("{}{}", file_letter(row), number + 1)
}

fn wrong<T>(message: impl Into<String>) -> Result<T, TextError> {
    Err(TextError::new(message))
}

impl ChineseCheckers {
    fn owner(&self, letter: char) -> Result<usize, TextError> {
        let letters = &LETTERS[..self.players];
        let owner = letters.iter().position(|&l| l == letter);
        owner.ok_or_else(|| {
            let known: Vec<String> = letters.iter().map(|l| format!("'{l}'")).collect();
            TextError::new(format!(
                "'{letter}' is no player: the players are {}",
                known.join(", ")
            ))
        })
    }

    fn row_text(&self, state: &State, row: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for cell in usize::from(FIRST_OF_ROW[row])..usize::from(FIRST_OF_ROW[row + 1]) {
            match state.pieces.iter().position(|own| own.has(cell)) {
                None => empty += 1,
                Some(player) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(LETTERS[player]);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    fn read_row(
        &self,
        text: &str,
        row: usize,
        pieces: &mut [u128; TRIANGLES],
    ) -> Result<(), TextError> {
        let first = usize::from(FIRST_OF_ROW[row]);
        let length = usize::from(FIRST_OF_ROW[row + 1]) - first;
        let mut at = 0usize;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit as usize);
                    letters.next();
                }
                at = at.saturating_add(run);
            } else {
                if !matches!(letter, '.' | '-' | '_') && at < length {
                    pieces[self.owner(letter)?] |= 1 << (first + at);
                }
                at = at.saturating_add(1);
            }
        }
        match at == length {
            true => Ok(()),
            false => wrong(format!(
                "row {} ('{text}') has {at} cell(s) where {length} belong",
                file_letter(row)
            )),
        }
    }

    /// Everybody has six pieces, on cells where they may stand.
    fn check_pieces(&self, pieces: &[u128; TRIANGLES]) -> Result<(), TextError> {
        for (player, own) in pieces.iter().enumerate().take(self.players) {
            let name_of = NAMES[player];
            if own.count() != PIECES {
                let count = own.count();
                return wrong(format!(
                    "{name_of} has {count} pieces where {PIECES} belong"
                ));
            }
            let stray = own & !self.stops(Player(player as u8));
            if !stray.is_empty() {
                return wrong(format!(
                    "{name_of} has a piece on {}, in a triangle where it may not stop",
                    name(stray.first())
                ));
            }
        }
        Ok(())
    }
}

impl Text for ChineseCheckers {
    fn position_text(&self, state: &State) -> String {
        let rows: Vec<String> = (0..ROWS)
            .rev()
            .map(|row| self.row_text(state, row))
            .collect();
        format!(
            "{} {} {}",
            rows.join("/"),
            LETTERS[state.mover.index() % TRIANGLES],
            state.plies
        )
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let text = text.to_ascii_lowercase();
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next().unwrap_or("").split('/').collect();
        if rows.len() != ROWS {
            return wrong(format!(
                "the board has {} row(s) where {ROWS} belong, from the top and joined by '/'",
                rows.len()
            ));
        }
        let mut pieces = [0; TRIANGLES];
        for (down, text) in rows.into_iter().enumerate() {
            self.read_row(text, ROWS - 1 - down, &mut pieces)?;
        }
        self.check_pieces(&pieces)?;
        let mut letters = words.next().unwrap_or("").chars();
        let mover = match (letters.next(), letters.next()) {
            (Some(letter), None) => self.owner(letter)?,
            _ => return wrong("after the board belongs the player to move"),
        };
        let longest = self.rules.longest;
        let plies = match words.next() {
            None => 0,
            Some(word) => match word.parse() {
                Ok(plies) if plies <= longest => plies,
                _ => {
                    return wrong(format!(
                        "'{word}' is no number of moves: 0 to {longest} have been played"
                    ));
                }
            },
        };
        if let Some(more) = words.next() {
            return wrong(format!("'{more}' is too much"));
        }
        let mut state = self.position(pieces, Player(mover as u8), plies);
        let players = (0..self.players as u8).map(Player);
        let winners: Vec<Player> = players.filter(|&p| self.has_won(&state, p)).collect();
        state.outcome = match winners.as_slice() {
            [] if plies == longest => Outcome::Drawn,
            [] => Outcome::Open,
            &[winner] => Outcome::Won(winner),
            _ => return wrong("several players have their targets filled"),
        };
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        match mv {
            PASS => "pass".to_string(),
            Move { from, to } => format!("{}-{}", name(usize::from(from)), name(usize::from(to))),
        }
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % TRIANGLES].to_string()
    }

    fn position_help(&self) -> &'static str {
        "13 rows from the top, the player to move and moves played, e.g. \
         '1/2/3/yyy4ggg/yy5gg/y6g/7/8/4r4/10/rrr/1r/r r 4' for three players"
    }
}

impl Draw for ChineseCheckers {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let place = |cell: usize| {
            let (row, _) = row_of(cell);
            (across(cell), (ROWS - 1 - row) as f32)
        };
        let mut picture = Picture::default();
        for (cell, &triangle) in TRIANGLE.iter().enumerate() {
            let (x, y) = place(cell);
            let is_corner = usize::from(triangle) < TRIANGLES;
            picture.hexagon(x, y, if is_corner { Shade::Dark } else { Shade::Light });
        }
        for (player, own) in state.pieces.iter().enumerate() {
            for cell in own.iter() {
                picture.piece(place(cell), LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        for row in 0..ROWS {
            let y = (ROWS - 1 - row) as f32;
            picture.label(-6.0, y, file_letter(row).to_string());
        }
        if let Some(mv) = last.filter(|&mv| mv != PASS) {
            picture.mark(place(usize::from(mv.from)));
            picture.mark(place(usize::from(mv.to)));
        }
        picture
    }
}
