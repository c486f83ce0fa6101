//! Notation and picture.

use tabia_game::bits::Bits;
use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::{Amazons, Set, Shot, State};

const LETTERS: [char; 2] = ['w', 'b'];
const NAMES: [&str; 2] = ["White", "Black"];
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];
const ARROW: char = '#';

impl Amazons {
    fn letter(&self, state: &State, file: usize, rank: usize) -> Option<char> {
        let square = self.square(file, rank);
        let queen = state.queens.iter().position(|own| own.has(square));
        match queen {
            Some(player) => Some(LETTERS[player]),
            None => state.arrows.has(square).then_some(ARROW),
        }
    }

    fn name(&self, square: usize) -> String {
        let (file, rank) = self.place(square);
        self.grid.name(file, rank)
    }
}

impl Text for Amazons {
    fn position_text(&self, state: &State) -> String {
        let rows = self.grid.write(|file, rank| self.letter(state, file, rank));
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let [white, black] = LETTERS;
        let read = |letter: char| match letter {
            '.' | '-' | '_' => Some(None),
            ARROW => Some(Some(2)),
            letter if letter == white || letter == 'x' => Some(Some(0)),
            letter if letter == black || letter == 'o' => Some(Some(1)),
            _ => None,
        };
        let rows = self.grid.parse_with(text, read, "'w', 'b', '#' or '.'")?;
        let mut sets: [Set; 3] = [0; 3];
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(set) = rows.at(file, rank) {
                    sets[set] |= Set::bit(self.square(file, rank));
                }
            }
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        let [white, black, arrows] = sets;
        self.with_letters([white, black], arrows, mover)
    }

    fn move_text(&self, _: &State, shot: Shot) -> String {
        let [from, to, arrow] = shot.squares().map(|square| self.name(square));
        format!("{from}-{to}/{arrow}")
    }

    /// `D1-D8(B6)` and `d1-d8xb6` are read as `d1-d8/b6`. Two thousand moves are not written out to
    /// find one.
    fn parse_move(&self, state: &State, text: &str) -> Result<Shot, TextError> {
        let wanted = self.squares(text);
        let (mut found, mut first, mut count) = (None, None, 0);
        self.each_move(state, state.mover, |shot| {
            count += 1;
            first = first.or(Some(shot));
            if Some(shot.squares()) == wanted {
                found = Some(shot);
            }
        });
        found.ok_or_else(|| {
            TextError::new(match first {
                None => format!("'{text}' cannot be played: the game is over"),
                Some(first) => format!(
                    "'{text}' is not a legal move here; one of the {count} that are is '{}': where \
                     the queen is, where it goes, where it shoots",
                    self.move_text(state, first)
                ),
            })
        })
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top with queens 'w' and 'b' (or 'X' and 'O'), arrows '#' and the side to \
         move, e.g. '1b1/#1w/3 w' for 3x3"
    }
}

impl Amazons {
    /// The three squares that a text names, in whatever way they are set apart.
    fn squares(&self, text: &str) -> Option<[usize; 3]> {
        // A mark of arrows, which is no file up to the tenth.
        let marks = |c: char| "-/:()xX ".contains(c);
        let mut squares = [0; 3];
        let mut rest = text.trim();
        for square in &mut squares {
            rest = rest.trim_start_matches(marks);
            let file = rest.chars().next()?.to_ascii_lowercase();
            let file = (file as usize).checked_sub('a' as usize)?;
            let digits = rest.get(1..)?;
            let end = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            let rank = digits[..end].parse::<usize>().ok()?.checked_sub(1)?;
            if file >= self.grid.width || rank >= self.grid.height {
                return None;
            }
            *square = self.square(file, rank);
            rest = &digits[end..];
        }
        rest.trim_start_matches(marks).is_empty().then_some(squares)
    }
}

impl Draw for Amazons {
    fn picture(&self, state: &State, last: Option<Shot>) -> Picture {
        let mut picture = self.grid.picture(true);
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                let square = self.square(file, rank);
                let place = self.grid.place(file, rank);
                if state.arrows.has(square) {
                    picture.piece(place, ARROW, Colour::Red, Body::Letter);
                }
                for player in 0..2 {
                    if state.queens[player].has(square) {
                        let colour = COLOURS[player];
                        picture.piece(place, LETTERS[player], colour, Body::Disc);
                    }
                }
            }
        }
        for square in last.into_iter().flat_map(Shot::squares) {
            let (file, rank) = self.place(square);
            picture.mark(self.grid.place(file, rank));
        }
        picture
    }
}
