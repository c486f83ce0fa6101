//! Pig (Scarne 1945; Neller and Presser 2004): roll as often as you dare, but a one loses the turn.
//!
//! A player rolls a die again and again and adds up what it shows, until they hold and the sum is
//! theirs, or the die shows a one and they get nothing. Whoever holds with the goal reached wins.

#[cfg(not(test))]
pub mod entry;

use rand::{Rng, RngExt};
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::picture::{Colour, Shade};
use tabia_game::{
    CERTAIN, Chance, Draw, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Picture, Player,
    Stochastic, Text, TextError, Turn, TwoPlayer, zobrist,
};

const NAMES: [&str; 2] = ["First", "Second"];
const LETTERS: [char; 2] = ['x', 'o'];
const FACES: u8 = 6;
/// The face that loses the turn.
const LOSING: u8 = 1;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    key: "goal",
    kind: ParameterKind::Integer(2, 1000),
    default: "100",
    help: "points that win",
}];

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    goal: u16,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    scores: [u16; 2],
    mover: Player,
    /// What the turn has brought so far.
    sum: u16,
    rolling: bool,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// The player rolls.
    Roll,
    /// The player keeps what the turn has brought.
    Hold,
    /// The die shows this.
    Face(u8),
}

impl Pig {
    /// A game to this many points, at least two.
    pub fn new(goal: u16) -> Pig {
        Pig { goal: goal.max(2) }
    }

    fn has_won(&self, state: &State, player: Player) -> bool {
        state.scores[player.index()] >= self.goal
    }
}

impl Game for Pig {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            scores: [0; 2],
            mover: Player::FIRST,
            sum: 0,
            rolling: false,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.has_won(state, Player::FIRST) || self.has_won(state, Player::SECOND) {
            Turn::Over
        } else if state.rolling {
            Turn::Chance
        } else {
            Turn::Player(state.mover)
        }
    }

    /// Holding nothing would only pass the turn on, which nobody has a reason to do and two players
    /// could do for ever: whoever has nothing must roll.
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        match self.turn(state) {
            Turn::Over => {}
            Turn::Chance => out.extend((1..=FACES).map(Move::Face)),
            Turn::Player(_) => {
                out.push(Move::Roll);
                if state.sum > 0 {
                    out.push(Move::Hold);
                }
            }
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        match mv {
            Move::Roll => state.rolling = true,
            Move::Face(LOSING) => {
                *state = State {
                    mover: old.mover.other(),
                    sum: 0,
                    rolling: false,
                    ..old
                };
            }
            Move::Face(face) => {
                // More than the goal is as good as the goal.
                let needed = self.goal - state.scores[state.mover.index()].min(self.goal);
                state.sum = (state.sum + u16::from(face)).min(needed);
                state.rolling = false;
            }
            Move::Hold => {
                state.scores[old.mover.index()] += state.sum;
                state.sum = 0;
                state.mover = old.mover.other();
            }
        }
        old
    }

    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        match () {
            () if self.has_won(state, player) => 1,
            () if self.has_won(state, player.other()) => -1,
            () => 0,
        }
    }
}

impl TwoPlayer for Pig {}

impl Chance for Pig {
    fn outcomes(&self, _: &State, out: &mut Vec<(Move, u64)>) {
        out.extend((1..=FACES).map(|face| (Move::Face(face), 1)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Move {
        Move::Face(rng.random_range(1..=FACES))
    }
}

impl Key for Pig {
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.scores.map(u64::from);
        let rest = u64::from(state.mover.0) << 1 | u64::from(state.rolling);
        zobrist::number(
            0x916,
            first << 48 | second << 32 | u64::from(state.sum) << 8 | rest,
        )
    }
}

impl MoveIndex for Pig {
    fn move_indices(&self) -> usize {
        usize::from(FACES) + 2
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Roll => 0,
            Move::Hold => 1,
            Move::Face(face) => 1 + usize::from(face),
        }
    }
}

impl Text for Pig {
    fn position_text(&self, state: &State) -> String {
        let [first, second] = state.scores;
        let mover = LETTERS[state.mover.index()];
        let rolling = if state.rolling { " roll" } else { "" };
        format!("{first}-{second} {mover} {}{rolling}", state.sum)
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let bad = |why: String| Err(TextError::new(why));
        let words: Vec<&str> = text.split_whitespace().collect();
        let (scores, mover, sum, rolling) = match words[..] {
            [scores, mover] => (scores, mover, "0", false),
            [scores, mover, sum] => (scores, mover, sum, false),
            [scores, mover, sum, "roll"] => (scores, mover, sum, true),
            _ => {
                return bad(
                    "a position is two scores, the side to move and the sum of the turn"
                        .to_string(),
                );
            }
        };
        let number = |word: &str| {
            let read = word.parse::<u16>().ok().filter(|&n| n <= self.goal);
            read.ok_or_else(|| {
                TextError::new(format!(
                    "'{word}' is no number of points up to {}",
                    self.goal
                ))
            })
        };
        let Some((first, second)) = scores.split_once('-') else {
            return bad(format!("'{scores}' is no score such as 20-35"));
        };
        let scores = [number(first)?, number(second)?];
        let mover = match mover {
            "x" => Player::FIRST,
            "o" => Player::SECOND,
            _ => {
                return bad(format!(
                    "'{mover}' is no side to move: 'x' is the first player, 'o' the second"
                ));
            }
        };
        let sum = number(sum)?;
        let state = State {
            scores,
            mover,
            sum,
            rolling,
        };
        if scores == [self.goal; 2] {
            return bad("both players have reached the goal".to_string());
        }
        if self.turn(&state) == Turn::Over && (sum > 0 || rolling) {
            return bad("the game is over: nobody's turn goes on".to_string());
        }
        // A sum that reaches the goal may have been cut down to it.
        let reached = scores[mover.index()] + sum;
        if sum == 1 && reached < self.goal || reached > self.goal {
            return bad(format!("a turn cannot have brought {sum} points here"));
        }
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".to_string(),
            Move::Hold => "hold".to_string(),
            Move::Face(face) => face.to_string(),
        }
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % 2].to_string()
    }

    fn position_help(&self) -> &'static str {
        "both scores, the side to move, the sum of the turn, and 'roll' while the die rolls, e.g. \
         '20-35 o 7'"
    }
}

impl Draw for Pig {
    fn picture(&self, state: &State, _: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let told = |row: usize| match state.mover.index() == row {
            true => format!(
                "{}: {} + {} of {}",
                NAMES[row], state.scores[row], state.sum, self.goal
            ),
            false => format!("{}: {} of {}", NAMES[row], state.scores[row], self.goal),
        };
        let width = told(0).len().max(told(1).len());
        for row in 0..NAMES.len() {
            let y = row as f32;
            let to_move = state.mover.index() == row;
            picture.cell(0.0, y, if to_move { Shade::Dark } else { Shade::Light });
            // Labels end where they stand, and a character is a third of a cell.
            picture.label((width + 1) as f32 / 3.0, y, format!("{:width$}", told(row)));
            if to_move {
                let colour = [Colour::White, Colour::Black][row];
                picture.piece(
                    (0.0, y),
                    LETTERS[row],
                    colour,
                    tabia_game::picture::Body::Disc,
                );
            }
        }
        picture
    }
}

/// How far each player has come, and the sum of the turn by a half.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points;

impl Knowledge<Pig> for Points {
    fn evaluate(&self, pig: &Pig, state: &State, player: Player) -> i32 {
        let mut points = state.scores.map(|score| 2 * i32::from(score));
        points[state.mover.index()] += i32::from(state.sum);
        let ahead = points[player.index()] - points[player.other().index()];
        (CERTAIN / (2 * i32::from(pig.goal) + 1)) * ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_kit::Kit;

    #[test]
    fn conforms() {
        for goal in [2, 10, 100] {
            let kit = Kit::new().two_player().chance().key().move_index();
            kit.text().text_key().draw().run(&Pig::new(goal)).unwrap();
        }
    }

    #[test]
    fn a_one_loses_the_turn_and_holding_keeps_it() {
        let pig = Pig::new(20);
        let mut state = pig.start();
        for mv in [
            Move::Roll,
            Move::Face(5),
            Move::Roll,
            Move::Face(4),
            Move::Hold,
        ] {
            pig.play(&mut state, mv);
        }
        assert_eq!(pig.position_text(&state), "9-0 o 0");
        for mv in [Move::Roll, Move::Face(6), Move::Roll, Move::Face(1)] {
            pig.play(&mut state, mv);
        }
        assert_eq!(pig.position_text(&state), "9-0 x 0");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let pig = Pig::new(50);
        for text in [
            "",
            "3",
            "3-4",
            "3-4 z",
            "51-0 x",
            "3-4 x 1",
            "50-50 x",
            "50-3 o 2",
            "45-0 x 6",
            "1-2 x 0 rolls",
        ] {
            assert!(pig.parse_position(text).is_err(), "{text}");
        }
    }
}
