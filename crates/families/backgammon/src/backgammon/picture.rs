//! What a position looks like: White's home below on the right, points as columns of checkers, the
//! bar between the halves, checkers borne off on the right. Points are numbered as the player on
//! roll counts them.

use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::{Draw, Picture, Player};

use super::board::{BAR, CHECKERS, POINTS};
use super::notation::roll_text;
use super::{Backgammon, LETTERS, Move, NAMES, Phase, State};

/// Checkers of a point that are shown one by one; the count of more stands beside them.
const HEIGHT: u8 = 5;
const TOP: f32 = 0.0;
const BOTTOM: f32 = 12.0;
const MIDDLE: f32 = 6.0;
const BAR_COLUMN: f32 = 6.0;
const OFF_COLUMN: f32 = 13.5;
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

/// A column of checkers: where its first is, and which way it grows.
#[derive(Clone, Copy)]
struct Column {
    x: f32,
    y: f32,
    down: bool,
}

impl Column {
    /// The point that White calls so, from 1 to 24.
    fn point(point: usize) -> Column {
        let down = point > POINTS / 2;
        // Columns count from the left, without the bar.
        let column = if down { point - 13 } else { 12 - point };
        let x = column as f32 + if column >= 6 { 1.0 } else { 0.0 };
        Column::new(x, down)
    }

    fn new(x: f32, down: bool) -> Column {
        Column {
            x,
            y: if down { TOP } else { BOTTOM },
            down,
        }
    }

    /// The place of a checker in it.
    fn at(self, height: u8) -> (f32, f32) {
        let height = f32::from(height);
        (
            self.x,
            if self.down {
                self.y + height
            } else {
                self.y - height
            },
        )
    }

    /// Where a player has the checkers of one of its places.
    fn of(player: Player, place: usize) -> Column {
        let white = player == Player::FIRST;
        match place {
            // On the side where they must enter.
            BAR => Column::new(BAR_COLUMN, white),
            place if white => Column::point(place + 1),
            place => Column::point(POINTS - place),
        }
    }

    fn fill(self, picture: &mut Picture, player: Player, count: u8) {
        for height in 0..count.min(HEIGHT) {
            let side = player.index() & 1;
            picture.piece(self.at(height), LETTERS[side], COLOURS[side], Body::Disc);
        }
        if count > HEIGHT {
            let (x, y) = self.at(HEIGHT);
            picture.label(x, y, count.to_string());
        }
    }
}

fn board(picture: &mut Picture, viewer: Player) {
    for point in 1..=POINTS {
        let column = Column::point(point);
        for height in 0..HEIGHT {
            let shade = if point % 2 == 0 {
                Shade::Light
            } else {
                Shade::Dark
            };
            let (x, y) = column.at(height);
            picture.cell(x, y, shade);
        }
        let seen = if viewer == Player::FIRST {
            point
        } else {
            POINTS + 1 - point
        };
        let y = if column.down { TOP - 1.0 } else { BOTTOM + 1.0 };
        picture.label(column.x, y, seen.to_string());
    }
}

fn status(game: &Backgammon, state: &State) -> String {
    let name = NAMES[state.mover.index() & 1];
    let mut text = match state.phase {
        Phase::Opening => "opening roll".to_string(),
        Phase::Cube => format!("{name} to roll or double"),
        Phase::Roll => format!("{name} to roll"),
        Phase::Doubled => format!("{name} doubles"),
        Phase::Play(roll) => format!("{name} to play {}", roll_text(roll)),
        Phase::Over => format!("{name} has won"),
    };
    if game.rules().cube && !state.crawford {
        let owner = state.owner.map_or(String::new(), |owner| {
            format!(" {}", NAMES[owner.index() & 1])
        });
        text += &format!(", cube {}{owner}", state.cube());
    }
    if game.rules().length > 0 {
        let [white, black] = state.score;
        let crawford = if state.crawford { " Crawford" } else { "" };
        text += &format!(", {white}-{black} of {}{crawford}", game.rules().length);
    }
    text
}

impl Draw for Backgammon {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        board(&mut picture, state.mover);
        for (player, side) in [state.mover, state.mover.other()]
            .into_iter()
            .zip(state.board.sides())
        {
            for (place, &count) in side.iter().enumerate() {
                Column::of(player, place).fill(&mut picture, player, count);
            }
            let off = CHECKERS - side.iter().sum::<u8>();
            Column::new(OFF_COLUMN, player != Player::FIRST).fill(&mut picture, player, off);
        }
        picture.label(BAR_COLUMN, MIDDLE, status(self, state));
        if let Some(Move::Play(play)) = last {
            let over = state.phase == Phase::Over;
            let player = if over {
                state.mover
            } else {
                state.mover.other()
            };
            let side = state.board.sides()[usize::from(!over)];
            for step in play.steps() {
                for (place, shown) in [(step.from, 0), (step.to, 1)] {
                    let Some(place) = usize::from(place).checked_sub(1) else {
                        continue;
                    };
                    let height = side[place].saturating_sub(shown).min(HEIGHT - 1);
                    picture.mark(Column::of(player, place).at(height));
                }
            }
        }
        picture
    }
}
