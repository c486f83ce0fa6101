//! Notation and picture: points as on a board of three files and ranks, of which only five exist;
//! `w` and `b` for the stones, `a1-b2` for a move.

use tabia_game::bits::Bits;
use tabia_game::grid::{Grid, file_letter, parse_side};
use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Board, DoGuti, Move, POINTS, STONES, State};

const GRID: Grid = Grid {
    width: 3,
    height: 3,
};
const LETTERS: [char; 2] = ['w', 'b'];
const NAMES: [&str; 2] = ["White", "Black"];
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

fn name(point: usize) -> String {
    let ((file, rank), _) = POINTS[point];
    GRID.name(file, rank)
}

fn owner(state: &State, point: usize) -> Option<usize> {
    state.stones.iter().position(|own| own.has(point))
}

/// The point at a file and rank, if there is one.
fn point_at(file: usize, rank: usize) -> Option<usize> {
    POINTS.iter().position(|&(at, _)| at == (file, rank))
}

impl Text for DoGuti {
    fn position_text(&self, state: &State) -> String {
        let rows = GRID.write(|file, rank| {
            let point = point_at(file, rank)?;
            owner(state, point).map(|p| LETTERS[p])
        });
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let rows = GRID.parse(text, LETTERS)?;
        let mut stones: [Board; 2] = [0; 2];
        for (file, rank) in (0..9).map(|i| (i % 3, i / 3)) {
            let Some(player) = rows.at(file, rank) else {
                continue;
            };
            let Some(point) = point_at(file, rank) else {
                return Err(TextError::new(format!(
                    "there is no point {}; there are a1, c1, b2, a3 and c3",
                    GRID.name(file, rank)
                )));
            };
            stones[player.index() & 1] |= Board::bit(point);
        }
        for (own, name) in stones.iter().zip(NAMES) {
            if own.count() != STONES {
                return Err(TextError::new(format!(
                    "{name} has {} stone(s) where {STONES} belong",
                    own.count()
                )));
            }
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        Ok(State::new(stones, mover))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}-{}", name(mv.from()), name(mv.to()))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "three rows from the top, of which only the corners and the middle are points, and the \
         side to move, e.g. 'b1b/1w1/2w b' after a1-b2"
    }
}

impl Draw for DoGuti {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        for i in 0..3 {
            picture.label(-1.0, GRID.place(0, i).1, (i + 1).to_string());
            picture.label(i as f32, 3.0, file_letter(i).to_string());
        }
        let place = |point: usize| {
            let ((file, rank), _) = POINTS[point];
            GRID.place(file, rank)
        };
        for point in 0..POINTS.len() {
            let (x, y) = place(point);
            picture.cell(x, y, Shade::Light);
            if let Some(player) = owner(state, point) {
                picture.piece((x, y), LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        if let Some(mv) = last {
            picture.mark(place(mv.from()));
            picture.mark(place(mv.to()));
        }
        picture
    }
}
