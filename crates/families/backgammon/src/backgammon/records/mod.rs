//! Games on file as Jellyfish writes them (`.mat`): whole matches, and sessions of single games.
//!
//! A file tells the length of the match (0 for a session), and for each game the names, the score
//! and the turns in two columns: dice and play, or what is done with the cube. Every move is
//! replayed through the rules, and so is the result, unless a player gave up. The players of the
//! left column are White.
//!
//! ```text
//!  3 point match
//!
//!  Game 1
//!  Alice : 0                      Bob : 0
//!   1)                             31: 8/5 6/5
//!   2)  Doubles => 2                Drops
//!       Wins 1 point
//! ```

mod reading;

use std::fmt;

use tabia_game::{Game, Player};

use super::notation::{play_text, roll_text};
use super::{Backgammon, Move, Phase, Rules, State};

const LEFT_WIDTH: usize = 28;

/// A match or a session.
///
/// ```
/// use tabia_backgammon::backgammon::records::MatchRecord;
///
/// let text = " 0 point match\n\n Game 1\n A : 0   B : 0\n\
///     \x20 1) 31: 8/5 6/5   Doubles => 2\n\
///     \x20 2)  Drops\n\
///     \x20                             Wins 1 point\n";
/// let record: MatchRecord = text.parse()?;
/// assert_eq!(record.games[0].moves.len(), 4);
/// assert_eq!(record.to_string().parse(), Ok(record));
/// # Ok::<(), tabia_backgammon::backgammon::records::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// Points of the match; 0 for a session.
    pub length: u8,
    /// Who plays White and who plays Black.
    pub names: [String; 2],
    /// The games, in order.
    pub games: Vec<GameRecord>,
}

/// One game of a [`MatchRecord`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The points of both players before the game.
    pub score: [u32; 2],
    /// Whether nobody may double, one player being a point from winning the match.
    pub crawford: bool,
    /// Rolls, plays and decisions from [`MatchRecord::start`] on.
    pub moves: Vec<Move>,
    /// Who has won how many points; nobody if the record breaks off.
    pub result: Option<(Player, u32)>,
}

/// A file that is no record, with the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl MatchRecord {
    /// The rules by which the games were played. Whether the Jacoby rule held is not on record.
    pub fn rules(&self) -> Rules {
        Rules {
            length: self.length,
            cube: true,
            ..Rules::default()
        }
    }

    /// The position in which a game begins.
    pub fn start(&self, game: &GameRecord) -> State {
        let rules = Backgammon {
            rules: self.rules(),
        };
        let score = match self.length {
            0 => [0; 2],
            _ => game.score.map(|n| u8::try_from(n).unwrap_or(u8::MAX)),
        };
        State {
            score,
            crawford: game.crawford,
            ..rules.start()
        }
    }
}

/// The turns of a game in two columns.
fn turns(game: &Backgammon, mut state: State, moves: &[Move]) -> Vec<[String; 2]> {
    let mut turns: Vec<[String; 2]> = Vec::new();
    for &mv in moves {
        let cell = match (mv, state.phase) {
            (Move::Play(play), Phase::Play(roll)) => {
                let text = match play.is_none() {
                    true => String::new(),
                    false => play_text(&state.board, play, ' '),
                };
                Some((state.mover, format!("{}: {text}", roll_text(roll))))
            }
            (Move::Double, _) => {
                let doubled = 2 * u32::from(state.cube());
                Some((state.mover, format!(" Doubles => {doubled}")))
            }
            (Move::Take, _) => Some((state.mover.other(), " Takes".to_string())),
            (Move::Drop, _) => Some((state.mover.other(), " Drops".to_string())),
            _ => None,
        };
        match (cell, turns.last_mut()) {
            (Some((Player::SECOND, text)), Some([_, right])) if right.is_empty() => *right = text,
            (Some((Player::SECOND, text)), _) => turns.push([String::new(), text]),
            (Some((_, text)), _) => turns.push([text, String::new()]),
            (None, _) => {}
        }
        game.play(&mut state, mv);
    }
    turns
}

impl fmt::Display for MatchRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, " {} point match", self.length)?;
        let game = Backgammon {
            rules: self.rules(),
        };
        for (i, record) in self.games.iter().enumerate() {
            let [white, black] = record.score;
            writeln!(f, "\n Game {}", i + 1)?;
            let left = format!(" {} : {white}", self.names[0]);
            writeln!(f, "{left:<LEFT_WIDTH$}     {} : {black}", self.names[1])?;
            let turns = turns(&game, self.start(record), &record.moves);
            for (turn, [left, right]) in turns.iter().enumerate() {
                let line = format!("{:>3}) {left:<LEFT_WIDTH$} {right}", turn + 1);
                writeln!(f, "{}", line.trim_end())?;
            }
            if let Some((winner, points)) = record.result {
                let plural = if points == 1 { "" } else { "s" };
                let white = winner == Player::FIRST;
                let indent = if white { 6 } else { LEFT_WIDTH + 6 };
                let length = u32::from(self.length);
                let won = length > 0 && record.score[usize::from(!white)] + points >= length;
                let end = if won { " and the match" } else { "" };
                writeln!(f, "{:indent$}Wins {points} point{plural}{end}", "")?;
            }
        }
        Ok(())
    }
}
