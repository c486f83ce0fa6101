//! Notation and picture: `w` and `b` for the pieces, `a4-a2` for a move.

use tabia_game::bits::Bits;
use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Board, Dao, GRID, Move, PIECES, POINTS, SIDE, State};

const LETTERS: [char; 2] = ['w', 'b'];
const NAMES: [&str; 2] = ["White", "Black"];
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

fn name(point: usize) -> String {
    GRID.name(point % SIDE, point / SIDE)
}

fn owner(state: &State, point: usize) -> Option<usize> {
    state.pieces.iter().position(|own| own.has(point))
}

impl Text for Dao {
    fn position_text(&self, state: &State) -> String {
        let rows = GRID.write(|file, rank| owner(state, SIDE * rank + file).map(|p| LETTERS[p]));
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let rows = GRID.parse(text, LETTERS)?;
        let mut pieces: [Board; 2] = [0; 2];
        for point in 0..POINTS {
            if let Some(player) = rows.at(point % SIDE, point / SIDE) {
                pieces[player.index() & 1] |= Board::bit(point);
            }
        }
        for (own, name) in pieces.iter().zip(NAMES) {
            if own.count() != PIECES {
                return Err(TextError::new(format!(
                    "{name} has {} piece(s) where {PIECES} belong",
                    own.count()
                )));
            }
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        Ok(State::new(pieces, mover))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}-{}", name(mv.from()), name(mv.to()))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. '3b/1wb1/wbw1/b2w b' after a4-a2"
    }
}

impl Draw for Dao {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = GRID.picture(false);
        let place = |point: usize| GRID.place(point % SIDE, point / SIDE);
        for point in 0..POINTS {
            if let Some(player) = owner(state, point) {
                let (letter, colour) = (LETTERS[player], COLOURS[player]);
                picture.piece(place(point), letter, colour, Body::Disc);
            }
        }
        if let Some(mv) = last {
            picture.mark(place(mv.from()));
            picture.mark(place(mv.to()));
        }
        picture
    }
}
