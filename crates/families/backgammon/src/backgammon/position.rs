//! Positions as text, and the notation of the game.
//!
//! The checkers of White and of Black, each in the player's own numbers from the rear, then who is
//! on roll and what comes next, then cube and score where there are any:
//!
//! ```text
//! 24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w opening
//! bar,24,13:5,8:2,6:4,5:2/24,14,13:5,8:3,6:5 w roll cube=2b score=3-4
//! 6:2,1/4:3 b 31
//! ```
//!
//! Identifiers of GNU Backgammon and lines of FIBS are read as well.

use std::fmt::Write;

use tabia_game::text::shortened;
use tabia_game::{Game, Player, Text, TextError, Unit};

use super::board::{BAR, Board, POINTS, Side};
use super::ids::looks_like_id;
use super::notation::{PASS, parse_play, parse_roll, play_text, roll_text};
use super::{Backgammon, LETTERS, Move, NAMES, Phase, State};

const WORDS: [(&str, Phase); 5] = [
    ("opening", Phase::Opening),
    ("cube", Phase::Cube),
    ("roll", Phase::Roll),
    ("doubled", Phase::Doubled),
    ("won", Phase::Over),
];
const DECISIONS: [(&str, Move); 4] = [
    ("roll", Move::Decline),
    ("double", Move::Double),
    ("take", Move::Take),
    ("drop", Move::Drop),
];

fn side_text(side: &Side) -> String {
    let held = (0..=POINTS).rev().filter(|&place| side[place] > 0);
    let words: Vec<String> = held
        .map(|place| {
            let name = match place {
                BAR => "bar".to_string(),
                _ => (place + 1).to_string(),
            };
            match side[place] {
                1 => name,
                n => format!("{name}:{n}"),
            }
        })
        .collect();
    match words.is_empty() {
        true => "-".to_string(),
        false => words.join(","),
    }
}

fn parse_side(text: &str) -> Result<Side, TextError> {
    let mut side = [0; POINTS + 1];
    if text == "-" {
        return Ok(side);
    }
    for word in text.split(',') {
        let wrong = || {
            TextError::new(format!(
                "'{}' is not a point with its checkers, such as '13:5', '24' or 'bar:2'",
                shortened(word)
            ))
        };
        let (place, count) = word.split_once(':').unwrap_or((word, "1"));
        let place = match place {
            "bar" => BAR,
            _ => {
                number(place)
                    .filter(|point| (1..=POINTS).contains(point))
                    .ok_or_else(wrong)?
                    - 1
            }
        };
        let count = number(count)
            .filter(|n| (1..=15).contains(n))
            .ok_or_else(wrong)?;
        if side[place] > 0 {
            return Err(TextError::new(format!(
                "'{}' is a point that is told twice",
                shortened(word)
            )));
        }
        side[place] = count as u8;
    }
    Ok(side)
}

/// A number of plain digits.
pub(super) fn number(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn parse_player(text: &str) -> Option<Player> {
    match text {
        "w" => Some(Player::FIRST),
        "b" => Some(Player::SECOND),
        _ => None,
    }
}

impl Backgammon {
    fn parse_own(&self, text: &str) -> Result<State, TextError> {
        let lower = text.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let mut next = |what: &str| {
            words.next().ok_or_else(|| {
                TextError::new(format!(
                    "'{}' lacks {what}: {}",
                    shortened(text),
                    self.position_help()
                ))
            })
        };
        let checkers = next("the checkers")?;
        let (white, black) = checkers.split_once('/').ok_or_else(|| {
            TextError::new(format!(
                "'{}' is not the checkers of both players with a slash between",
                shortened(checkers)
            ))
        })?;
        let mover = next("the side on roll")?;
        let mover = parse_player(mover).ok_or_else(|| {
            TextError::new(format!(
                "'{}' is on roll, which must be w or b",
                shortened(mover)
            ))
        })?;
        let phase = parse_phase(words.next().ok_or_else(|| {
            TextError::new(format!(
                "after the side on roll belongs what comes next: {}",
                phases()
            ))
        })?)?;
        let (white, black) = (parse_side(white)?, parse_side(black)?);
        let sides = if mover == Player::FIRST {
            [white, black]
        } else {
            [black, white]
        };
        let board = Board::new(sides).map_err(|error| TextError::new(error.to_string()))?;
        let mut state = State {
            board,
            mover,
            phase,
            crawford: false,
            ..self.start()
        };
        for word in words {
            enter(&mut state, word)?;
        }
        self.checked(state)
    }
}

fn parse_phase(word: &str) -> Result<Phase, TextError> {
    if let Some(roll) = parse_roll(word) {
        return Ok(Phase::Play(roll.sorted()));
    }
    let known = WORDS.iter().find(|(name, _)| *name == word);
    known.map(|&(_, phase)| phase).ok_or_else(|| {
        let word = shortened(word);
        TextError::new(format!("'{word}' comes next, which must be {}", phases()))
    })
}

/// What can come next, for messages.
fn phases() -> String {
    let names = WORDS.map(|(name, _)| name).join(", ");
    format!("dice such as 31, or one of {names} ('roll' before the dice are cast)")
}

/// Reads the cube, the score or the word for the Crawford game.
fn enter(state: &mut State, word: &str) -> Result<(), TextError> {
    let wrong = || {
        TextError::new(format!(
            "'{}' is neither a cube such as cube=2b, nor a score such as score=3-4, nor crawford",
            shortened(word)
        ))
    };
    if word == "crawford" {
        state.crawford = true;
    } else if let Some(score) = word.strip_prefix("score=") {
        let (white, black) = score.split_once('-').ok_or_else(wrong)?;
        for (points, text) in state.score.iter_mut().zip([white, black]) {
            *points = number(text)
                .and_then(|n| u8::try_from(n).ok())
                .ok_or_else(wrong)?;
        }
    } else if let Some(cube) = word.strip_prefix("cube=") {
        let digits = cube.trim_end_matches(|c| LETTERS.contains(&c));
        state.owner = match &cube[digits.len()..] {
            "" => None,
            owner => Some(parse_player(owner).ok_or_else(wrong)?),
        };
        let value = number(digits)
            .filter(|n| n.is_power_of_two() && *n <= 64)
            .ok_or_else(wrong)?;
        state.doubles = value.trailing_zeros() as u8;
    } else {
        return Err(wrong());
    }
    Ok(())
}

impl Text for Backgammon {
    fn position_text(&self, state: &State) -> String {
        let [own, other] = state.board.sides().map(|side| side_text(&side));
        let (white, black) = if state.mover == Player::FIRST {
            (own, other)
        } else {
            (other, own)
        };
        let phase = match state.phase {
            Phase::Play(roll) => roll_text(roll),
            phase => WORDS
                .iter()
                .find(|(_, known)| *known == phase)
                .map_or(String::new(), |(name, _)| (*name).to_string()),
        };
        let mut text = format!(
            "{white}/{black} {} {phase}",
            LETTERS[state.mover.index() & 1]
        );
        if self.rules.cube && (state.doubles > 0 || state.owner.is_some()) {
            let owner = state.owner.map(|owner| LETTERS[owner.index() & 1]);
            let _ = write!(text, " cube={}", state.cube());
            text.extend(owner);
        }
        if self.rules.length > 0 {
            let [white, black] = state.score;
            let _ = write!(text, " score={white}-{black}");
        }
        if state.crawford {
            text += " crawford";
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let text = text.trim();
        if text.starts_with("board:") {
            self.parse_fibs(text)
        } else if looks_like_id(text) {
            self.parse_id(text)
        } else {
            self.parse_own(text)
        }
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        match mv {
            Move::Roll(roll) => roll_text(roll),
            Move::Play(play) => play_text(&state.board, play, ','),
            decision => DECISIONS
                .iter()
                .find(|(_, known)| *known == decision)
                .map_or(PASS.to_string(), |(name, _)| (*name).to_string()),
        }
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        let refuse = |expected: &str| {
            TextError::new(format!(
                "'{}' cannot be played: {expected}",
                shortened(text)
            ))
        };
        let word = text.trim().to_ascii_lowercase();
        let roll = || parse_roll(&word);
        let decision = |legal: [Move; 2], expected: &str| {
            let known = DECISIONS
                .iter()
                .find(|(name, mv)| *name == word && legal.contains(mv));
            known.map(|&(_, mv)| mv).ok_or_else(|| refuse(expected))
        };
        match state.phase {
            Phase::Over => Err(refuse("the game is over")),
            Phase::Opening => roll()
                .filter(|roll| !roll.is_double())
                .map(Move::Roll)
                .ok_or_else(|| {
                    refuse("the opening roll is two different dice, White's first, such as 31")
                }),
            Phase::Roll => roll()
                .map(|roll| Move::Roll(roll.sorted()))
                .ok_or_else(|| refuse("a roll is two dice, such as 31")),
            Phase::Cube => decision(
                [Move::Decline, Move::Double],
                "the choice is roll or double",
            ),
            Phase::Doubled => decision([Move::Take, Move::Drop], "the choice is take or drop"),
            Phase::Play(roll) => parse_play(&state.board, roll, text).map(Move::Play),
        }
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn unit(&self) -> Unit {
        match self.rules.length {
            0 => Unit::Quantity("equity"),
            _ => Unit::Quantity("match equity"),
        }
    }

    fn position_help(&self) -> &'static str {
        "checkers of White and Black by their own points, who is on roll and what is next, e.g. \
         'bar,13:5,6:5/24:2,8:3 w 31'; or an identifier of GNU Backgammon; or a board: line of FIBS"
    }
}
