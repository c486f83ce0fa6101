//! Notation and picture: `b` and `w` for the pieces, `b1-b3` for a move, `b1xd3` for a capture.

use tabia_game::bits::Bits;
use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{GRID, Loa, MAX_PIECES, Move, State};

const LETTERS: [char; 2] = ['b', 'w'];
const NAMES: [&str; 2] = ["Black", "White"];
const COLOURS: [Colour; 2] = [Colour::Black, Colour::White];

fn name(square: usize) -> String {
    GRID.name(square % 8, square / 8)
}

fn owner(state: &State, square: usize) -> Option<usize> {
    (0..2).find(|&player| state.pieces[player].has(square))
}

impl Text for Loa {
    fn position_text(&self, state: &State) -> String {
        let rows = GRID.write(|file, rank| owner(state, 8 * rank + file).map(|p| LETTERS[p]));
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let rows = GRID.parse(text, LETTERS)?;
        let mut pieces = [0; 2];
        for square in 0..64 {
            if let Some(player) = rows.at(square % 8, square / 8) {
                pieces[player.index() & 1] |= u64::bit(square);
            }
        }
        for (own, name) in pieces.iter().zip(NAMES) {
            let count = own.count();
            if !(1..=MAX_PIECES).contains(&count) {
                return Err(TextError::new(format!(
                    "{name} has {count} piece(s); a side has 1 to {MAX_PIECES}"
                )));
            }
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        Ok(self.set_up(pieces, mover))
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        if mv == Move::PASS {
            return "pass".to_string();
        }
        let mark = if state.is_capture(mv) { 'x' } else { '-' };
        format!("{}{mark}{}", name(mv.from()), name(mv.to()))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. '1bbbbbb1/w6w/w6w/w6w/w6w/wb5w/w6w/2bbbbb1 \
         w' after b1-b3"
    }
}

impl Draw for Loa {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = GRID.picture(true);
        let place = |square: usize| GRID.place(square % 8, square / 8);
        for square in 0..64 {
            if let Some(player) = owner(state, square) {
                let (letter, colour) = (LETTERS[player], COLOURS[player]);
                picture.piece(place(square), letter, colour, Body::Disc);
            }
        }
        if let Some(mv) = last.filter(|&mv| mv != Move::PASS) {
            picture.mark(place(mv.from()));
            picture.mark(place(mv.to()));
        }
        picture
    }
}
