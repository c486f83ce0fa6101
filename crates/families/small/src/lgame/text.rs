//! Notation and picture: `x` and `o` for the squares of the Ls, `n` for the neutral pieces.
//!
//! A move is the four squares of the L, rank by rank from a1 on, and, if a neutral piece moves
//! too, a comma and the squares it leaves and goes to: `d2d3c4d4` or `d2d3c4d4,d1-c2`.

use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Board, GRID, LGame, Move, PLACEMENTS, SIDE, SQUARES, State, squares};

const LETTERS: [char; 2] = ['x', 'o'];
/// The letters and colours of what stands on a square: either L, or a neutral piece.
const PIECES: [(char, Colour); 3] = [
    (LETTERS[0], Colour::Red),
    (LETTERS[1], Colour::Blue),
    ('n', Colour::White),
];

fn name(square: usize) -> String {
    GRID.name(square % SIDE, square / SIDE)
}

fn names(board: Board) -> String {
    squares(board).map(name).collect()
}

fn piece_on(state: &State, square: usize) -> Option<(char, Colour)> {
    let boards = [state.ls[0], state.ls[1], state.neutrals];
    let piece = boards.iter().position(|board| board >> square & 1 != 0);
    piece.map(|piece| PIECES[piece])
}

/// Reads the squares of each of [`PIECES`], and the words after the board. Rows are written as for
/// every rectangular board, but with three letters.
fn parse_board(text: &str) -> Result<([Board; 3], Vec<&str>), TextError> {
    let mut words = text.split_whitespace();
    let first = words.clone().next().unwrap_or("");
    let rows: Vec<&str> = if first.contains(['/', '|']) {
        words.next();
        first.split(['/', '|']).collect()
    } else {
        words.by_ref().take(SIDE).collect()
    };
    if rows.len() != SIDE {
        return Err(TextError::new(format!(
            "the board has {} row(s) where {SIDE} belong, from the top and joined by '/'",
            rows.len()
        )));
    }
    let mut boards = [0; 3];
    for (row, rank) in rows.iter().zip((0..SIDE).rev()) {
        let bad = |why: String| TextError::new(format!("row {} ('{row}') {why}", rank + 1));
        let mut file = 0;
        for c in row.chars().map(|c| c.to_ascii_lowercase()) {
            if let Some(piece) = PIECES.iter().position(|&(letter, _)| letter == c) {
                if file < SIDE {
                    boards[piece] |= 1 << (SIDE * rank + file);
                }
                file += 1;
            } else if matches!(c, '.' | '-' | '_') {
                file += 1;
            } else if let Some(empty) = c.to_digit(10) {
                file += empty as usize;
            } else {
                return Err(bad(format!(
                    "has '{c}'; a square is 'x', 'o', 'n' or '.', and a digit stands for that many \
                     empty squares"
                )));
            }
        }
        if file != SIDE {
            return Err(bad(format!("has {file} square(s) where {SIDE} belong")));
        }
    }
    Ok((boards, words.collect()))
}

impl Text for LGame {
    fn position_text(&self, state: &State) -> String {
        let rows = GRID.write(|file, rank| {
            let piece = piece_on(state, SIDE * rank + file);
            piece.map(|(letter, _)| letter)
        });
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let ([x, o, neutrals], rest) = parse_board(text)?;
        for (l, letter) in [x, o].into_iter().zip(LETTERS) {
            if !PLACEMENTS.contains(&l) {
                return Err(TextError::new(format!(
                    "'{letter}' has the squares '{}', which are no L: three in a row and one \
                     beside either end of it",
                    names(l)
                )));
            }
        }
        if neutrals.count_ones() != 2 {
            return Err(TextError::new(format!(
                "there are {} neutral piece(s) 'n' where 2 belong",
                neutrals.count_ones()
            )));
        }
        let mover = parse_side(&rest, LETTERS)?.unwrap_or(Player::FIRST);
        Ok(State::new([x, o], neutrals, mover))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        let l = names(mv.squares());
        match mv.neutral() {
            None => l,
            Some((from, to)) => format!("{l},{}-{}", name(from), name(to)),
        }
    }

    fn player_name(&self, player: Player) -> String {
        LETTERS[player.index() & 1].to_ascii_uppercase().to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top with x and o for the Ls and n for the neutral pieces, and the side to \
         move, e.g. 'n1xx/1o1x/1onx/1oo1 o' after d2d3c4d4,d1-c2"
    }
}

impl Draw for LGame {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = GRID.picture(false);
        let place = |square: usize| GRID.place(square % SIDE, square / SIDE);
        for square in 0..SQUARES {
            if let Some((letter, colour)) = piece_on(state, square) {
                picture.piece(place(square), letter, colour, Body::Disc);
            }
        }
        if let Some(mv) = last {
            squares(mv.squares()).for_each(|square| picture.mark(place(square)));
            if let Some((from, to)) = mv.neutral() {
                picture.mark(place(from));
                picture.mark(place(to));
            }
        }
        picture
    }
}
