//! Notation and picture: `b2-c2A-c3A` for two captures by approach, `W` for one by withdrawal.

use tabia_game::bits::Bits;
use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::{Draw, Picture, Player, Text, TextError};

use super::moves::Capture;
use super::{Chain, Fanorona, LETTERS, State};

const NAMES: [&str; 2] = ["White", "Black"];
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

impl<B: Bits> Fanorona<B> {
    fn owner(&self, state: &State<B>, file: usize, rank: usize) -> Option<Player> {
        let point = rank * self.grid.width + file;
        [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|player| state.pieces[player.index()].has(point))
    }

    fn name(&self, point: usize) -> String {
        let width = self.grid.width;
        self.grid.name(point % width, point / width)
    }
}

impl<B: Bits> Text for Fanorona<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self
            .grid
            .write(|f, r| self.owner(state, f, r).map(|p| LETTERS[p.index()]));
        format!("{rows} {}", LETTERS[state.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let rows = self.grid.parse(text, LETTERS)?;
        let mut pieces = [B::EMPTY; 2];
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = rows.at(file, rank) {
                    pieces[player.index()] |= B::bit(rank * self.grid.width + file);
                }
            }
        }
        for (own, name) in pieces.iter().zip(NAMES) {
            let (count, most) = (own.count(), self.most());
            if count > most {
                return Err(TextError::new(format!(
                    "{name} has {count} pieces, more than the {most} of the start"
                )));
            }
        }
        if pieces[0] | pieces[1] == B::EMPTY {
            return Err(TextError::new("the board is empty"));
        }
        let mover = parse_side(&rows.rest, LETTERS)?.unwrap_or(Player::FIRST);
        Ok(State::new(pieces, mover))
    }

    fn move_text(&self, _: &State<B>, mv: Chain<B>) -> String {
        let mut at = mv.from();
        let mut text = self.name(at);
        for (way, capture) in mv.steps() {
            at = self.directions[way].step(at);
            text.push('-');
            text += &self.name(at);
            match capture {
                Some(Capture::Approach) => text.push('A'),
                Some(Capture::Withdrawal) => text.push('W'),
                None => {}
            }
        }
        text
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % 2].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. 'bb1/b1w/1ww w' for 3x3; x and o will do for \
         w and b, and without a side White is to move"
    }
}

/// Strong points are where diagonals meet.
impl<B: Bits> Draw for Fanorona<B> {
    fn picture(&self, state: &State<B>, last: Option<Chain<B>>) -> Picture {
        let mut picture = self.grid.picture(true);
        let place = |point: usize| {
            let width = self.grid.width;
            self.grid.place(point % width, point / width)
        };
        // Each line once: the last four directions are the opposites of the first.
        for direction in &self.directions[..4] {
            for point in direction.from.iter() {
                picture.line(place(point), place(direction.step(point)));
            }
        }
        for file in 0..self.grid.width {
            for rank in 0..self.grid.height {
                if let Some(player) = self.owner(state, file, rank) {
                    let (letter, colour) = (LETTERS[player.index()], COLOURS[player.index()]);
                    picture.piece(self.grid.place(file, rank), letter, colour, Body::Disc);
                }
            }
        }
        if let Some(mv) = last {
            let mut at = mv.from();
            let mut mark = |point: usize| picture.mark(place(point));
            mark(at);
            for (way, _) in mv.steps() {
                at = self.directions[way].step(at);
                mark(at);
            }
        }
        picture
    }
}
