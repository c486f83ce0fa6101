//! Positions as `board:` lines of the First Internet Backgammon Server, in its style 3.
//!
//! Fifty-three fields with colons between: the names of *the player* and the opponent, match length
//! and score, 26 places with O's checkers positive and X's negative, whose turn it is, dice, cube
//! and who may turn it, and how the player sees the board. White is O. A line is written as the one
//! who acts next sees it.

use tabia_game::text::shortened;
use tabia_game::{Game, Player, TextError};

use super::board::{BAR, Board, POINTS, Side};
use super::plays::Roll;
use super::{Backgammon, NAMES, Phase, State};

/// How an endless match is told; zero is read as well.
const ENDLESS: i64 = 9999;
const FIELDS: usize = 53;
/// The fields after the names: length, score, places, and the rest in this order.
const PLACES: usize = POINTS + 2;

/// A line in numbers, as one player sees it.
struct FibsLine {
    length: i64,
    score: [i64; 2],
    places: [i64; PLACES],
    turn: i64,
    dice: [i64; 4],
    cube: i64,
    may_double: [i64; 2],
    was_doubled: i64,
    colour: i64,
    direction: i64,
    home: i64,
    bar: i64,
    on_home: [i64; 2],
    on_bar: [i64; 2],
    can_move: i64,
    forced: i64,
    did_crawford: i64,
    redoubles: i64,
}

impl FibsLine {
    fn numbers(&self) -> impl Iterator<Item = i64> {
        let before = [self.length].into_iter().chain(self.score);
        let turn = [self.turn].into_iter().chain(self.dice);
        let cube = [self.cube].into_iter().chain(self.may_double);
        let view = [
            self.was_doubled,
            self.colour,
            self.direction,
            self.home,
            self.bar,
        ];
        let after = self.on_home.into_iter().chain(self.on_bar);
        let last = [
            self.can_move,
            self.forced,
            self.did_crawford,
            self.redoubles,
        ];
        before
            .chain(self.places)
            .chain(turn)
            .chain(cube)
            .chain(view)
            .chain(after)
            .chain(last)
    }

    fn parse(text: &str) -> Result<FibsLine, TextError> {
        let fields: Vec<&str> = text.trim().split(':').collect();
        if fields.len() != FIELDS || fields.first() != Some(&"board") {
            return Err(TextError::new(format!(
                "a line of FIBS is 'board:' and {} more fields, and this one has {}",
                FIELDS - 1,
                fields.len() - 1
            )));
        }
        let mut numbers = Vec::with_capacity(FIELDS);
        for field in &fields[3..] {
            let number = field
                .parse()
                .ok()
                .filter(|n| (-ENDLESS..=ENDLESS).contains(n));
            numbers.push(number.ok_or_else(|| {
                TextError::new(format!(
                    "'{}' is no number of a line of FIBS",
                    shortened(field)
                ))
            })?);
        }
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap_or(0);
        Ok(FibsLine {
            length: next(),
            score: [next(), next()],
            places: [0; PLACES].map(|_| next()),
            turn: next(),
            dice: [next(), next(), next(), next()],
            cube: next(),
            may_double: [next(), next()],
            was_doubled: next(),
            colour: next(),
            direction: next(),
            home: next(),
            bar: next(),
            on_home: [next(), next()],
            on_bar: [next(), next()],
            can_move: next(),
            forced: next(),
            did_crawford: next(),
            redoubles: next(),
        })
    }

    /// The checkers of the player (0) or the opponent (1).
    fn side(&self, who: usize) -> Result<Side, TextError> {
        let colour = if who == 0 { self.colour } else { -self.colour };
        let down = (self.direction < 0) == (who == 0);
        let mut side = [0; POINTS + 1];
        for (place, count) in side.iter_mut().enumerate() {
            let index = if down { place + 1 } else { POINTS - place };
            let own = (self.places[index] * colour).max(0);
            // The bar is told twice, and by some only once.
            let own = if place == BAR {
                own.max(self.on_bar[who])
            } else {
                own
            };
            *count = u8::try_from(own)
                .map_err(|_| TextError::new(format!("there are {own} checkers on one place")))?;
        }
        Ok(side)
    }
}

fn player_of(colour: i64) -> Player {
    if colour > 0 {
        Player::FIRST
    } else {
        Player::SECOND
    }
}

impl Backgammon {
    /// The position as a line of FIBS; nothing before the opening roll and after a dropped double,
    /// which such lines cannot tell.
    pub fn fibs_board(&self, state: &State) -> Option<String> {
        let doubled = state.phase() == Phase::Doubled;
        let viewer = if doubled {
            state.mover().other()
        } else {
            state.mover()
        };
        let colour_of = |player: Player| if player == Player::FIRST { 1 } else { -1 };
        let board = if doubled {
            state.board().swapped()
        } else {
            *state.board()
        };
        let [own, other] = board.sides().map(|side| side.map(i64::from));
        let colour = colour_of(viewer);
        let mut places = [0; PLACES];
        for place in 0..=POINTS {
            places[place + 1] += colour * own[place];
            places[POINTS - place] -= colour * other[place];
        }
        let dice = match state.phase() {
            Phase::Opening => return None,
            Phase::Over if board.left(0) > 0 => return None,
            Phase::Play(roll) => roll.dice().map(i64::from),
            _ => [0; 2],
        };
        let length = self.rules().length;
        let score = state.score();
        let one_away = length > 0 && score.contains(&(length - 1));
        let players = [viewer, viewer.other()];
        // These tell who owns the cube: both say yes while it is in the middle, even where nobody
        // will turn it.
        let may_double = players.map(|player| i64::from(state.owner != Some(player.other())));
        let over = state.phase() == Phase::Over;
        let line = FibsLine {
            length: if length == 0 { ENDLESS } else { length.into() },
            score: players.map(|player| score[player.index()].into()),
            places,
            turn: if over { 0 } else { colour_of(state.mover()) },
            dice: [dice[0], dice[1], 0, 0],
            cube: state.cube().into(),
            may_double,
            was_doubled: doubled.into(),
            colour,
            direction: -1,
            home: 0,
            bar: 25,
            on_home: [0, 1].map(|side| board.off(side).into()),
            on_bar: [own[BAR], other[BAR]],
            can_move: 0,
            forced: 0,
            did_crawford: (one_away && !state.is_crawford()).into(),
            redoubles: 0,
        };
        let names = players.map(|player| NAMES[player.index()]).join(":");
        let numbers: Vec<String> = line.numbers().map(|n| n.to_string()).collect();
        Some(format!("board:{names}:{}", numbers.join(":")))
    }

    pub(super) fn parse_fibs(&self, text: &str) -> Result<State, TextError> {
        let line = FibsLine::parse(text)?;
        let wrong = |reason: String| Err(TextError::new(format!("the line of FIBS {reason}")));
        if ![line.colour, line.direction].iter().all(|n| n.abs() == 1) {
            return wrong("has a colour or a direction other than 1 and -1".to_string());
        }
        let length = if line.length == ENDLESS {
            0
        } else {
            line.length
        };
        let expected = self.rules().length;
        if length != i64::from(expected) {
            return wrong(format!(
                "is of a match to {length} points, and this game is to {expected}"
            ));
        }
        let sides = [line.side(0)?, line.side(1)?];
        let player = player_of(line.colour);
        let board = Board::new(sides).map_err(|error| TextError::new(error.to_string()))?;
        let over = board.left(0) == 0 || board.left(1) == 0;
        // A player who was doubled is not on roll; at the end it is the winner who counts.
        let own_turn = match (over, line.was_doubled, line.turn) {
            (true, _, _) => board.left(0) == 0,
            (_, 0, turn @ (1 | -1)) => turn == line.colour,
            (_, 1, 1 | -1) => false,
            _ => return wrong("says neither whose turn it is nor who has won".to_string()),
        };
        let Some(doubles) = u8::try_from(line.cube).ok().filter(|n| n.is_power_of_two()) else {
            return wrong(format!("has {} on its cube", line.cube));
        };
        let mut score = [0; 2];
        for (who, points) in [player, player.other()].into_iter().zip(line.score) {
            if length > 0 {
                score[who.index()] = u8::try_from(points).unwrap_or(u8::MAX);
            }
        }
        let one_away = score.iter().any(|&points| i64::from(points) + 1 == length);
        let mut state = State {
            board: if own_turn { board } else { board.swapped() },
            mover: if own_turn { player } else { player.other() },
            doubles: doubles.trailing_zeros() as u8,
            owner: match line.may_double {
                [1, 0] if doubles > 1 => Some(player),
                [0, 1] if doubles > 1 => Some(player.other()),
                _ => None,
            },
            score,
            crawford: one_away && line.did_crawford == 0,
            ..self.start()
        };
        let own = if own_turn { 0 } else { 2 };
        state.phase = match (over, line.was_doubled, [line.dice[own], line.dice[own + 1]]) {
            (true, ..) => Phase::Over,
            (_, 1, _) => Phase::Doubled,
            (_, _, [0, 0]) => self.turn_begins(&state),
            (_, _, [first, second]) => {
                let dice = u8::try_from(first).ok().zip(u8::try_from(second).ok());
                match dice.and_then(|(first, second)| Roll::new(first, second)) {
                    Some(roll) => Phase::Play(roll),
                    None => return wrong(format!("has impossible dice, {first} and {second}")),
                }
            }
        };
        self.checked(state)
    }
}
