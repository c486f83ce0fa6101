//! Reading a record: line by line, each action played as soon as it is read.

use std::str::FromStr;

use tabia_game::text::shortened;
use tabia_game::{Game, Player, Text};

use super::{GameRecord, MatchRecord, RecordError};
use crate::backgammon::notation::PASS;
use crate::backgammon::position::number;
use crate::backgammon::{Backgammon, Move, NAMES, Phase, State};

/// The place in a line from which on a single action belongs to the right column.
const RIGHT_COLUMN: usize = 20;

/// What stands in a cell of a turn.
#[derive(Debug, PartialEq, Eq)]
enum Action<'a> {
    Play(&'a str, String),
    Double,
    Take,
    Drop,
    Wins(u32),
}

/// A game as it is read, and where it stands.
struct Reading {
    record: MatchRecord,
    game: Backgammon,
    state: State,
    over: bool,
}

impl FromStr for MatchRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<MatchRecord, RecordError> {
        let mut reading: Option<Reading> = None;
        let mut lines = 0;
        for (i, line) in text.lines().enumerate() {
            lines = i + 1;
            let fail = |reason: String| RecordError {
                line: i + 1,
                reason,
            };
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(';') {
                continue;
            }
            match &mut reading {
                None => reading = Some(Reading::begin(trimmed).map_err(fail)?),
                Some(reading) => reading.enter(line).map_err(fail)?,
            }
        }
        let reading = reading.ok_or(RecordError {
            line: lines.max(1),
            reason: "there is no line such as ' 7 point match' up to here".to_string(),
        })?;
        Ok(reading.record)
    }
}

impl Reading {
    fn begin(line: &str) -> Result<Reading, String> {
        let length = line
            .strip_suffix("point match")
            .and_then(|n| number(n.trim()));
        let length =
            length.ok_or("a record begins with the length of the match, ' 7 point match'")?;
        let record = MatchRecord {
            length: u8::try_from(length).unwrap_or(u8::MAX),
            names: ["White", "Black"].map(str::to_string),
            games: Vec::new(),
        };
        let game = Backgammon::new(record.rules()).map_err(|error| error.to_string())?;
        Ok(Reading {
            state: game.start(),
            record,
            game,
            over: true,
        })
    }

    fn enter(&mut self, line: &str) -> Result<(), String> {
        let trimmed = line.trim();
        if trimmed
            .strip_prefix("Game ")
            .is_some_and(|n| number(n.trim()).is_some())
        {
            return self.new_game();
        }
        let Some(game) = self.record.games.last() else {
            return Err("a game begins with a line such as ' Game 1'".to_string());
        };
        let line = line.trim_end();
        let begins = game.moves.is_empty() && game.result.is_none();
        let (cells, from) = match line.split_once(')') {
            Some((turn, cells)) if number(turn.trim()).is_some() => {
                (cells, line.len() - cells.len())
            }
            _ if begins && trimmed.contains(" : ") => return self.score(trimmed),
            _ => (line, 0),
        };
        let actions = actions(cells)?;
        let single = actions.len() == 1;
        for (i, (at, action)) in actions.into_iter().enumerate() {
            let right = i == 1 || single && from + at >= RIGHT_COLUMN;
            let player = if right { Player::SECOND } else { Player::FIRST };
            self.act(player, action)?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), String> {
        let mut score = [0; 2];
        let mut crawford = self.record.length == 1;
        if let Some(last) = self.record.games.last() {
            let (winner, points) = last.result.ok_or("the game before this one has no end")?;
            score = last.score;
            score[winner.index()] += points;
            let length = u32::from(self.record.length);
            if length > 0 && score.iter().any(|&n| n >= length) {
                return Err("the match is over".to_string());
            }
            let one_away = |score: [u32; 2]| length > 0 && score.contains(&(length - 1));
            crawford = one_away(score) && !one_away(last.score);
        }
        self.record.games.push(GameRecord {
            score,
            crawford,
            moves: Vec::new(),
            result: None,
        });
        self.over = false;
        if let Some(game) = self.record.games.last() {
            self.state = self.record.start(game);
        }
        Ok(())
    }

    /// The line with the names and the score: `Alice : 0   Bob : 0`.
    fn score(&mut self, line: &str) -> Result<(), String> {
        let wrong = || "names and score are told as ' Alice : 0   Bob : 0'".to_string();
        let (first, rest) = line.split_once(" : ").ok_or_else(wrong)?;
        let rest = rest.trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (white, rest) = rest.split_at(digits);
        let (second, black) = rest.rsplit_once(':').ok_or_else(wrong)?;
        let names = [first.trim(), second.trim()].map(str::to_string);
        let told = [white, black.trim()].map(number);
        let games = self.record.games.len();
        let Some(game) = self.record.games.last_mut() else {
            return Err(wrong());
        };
        for (told, counted) in told.into_iter().zip(game.score) {
            let told = told.ok_or_else(wrong)?;
            if told != counted as usize {
                return Err(format!(
                    "the score is told as {told} and counted as {counted}"
                ));
            }
        }
        if games > 1 && names != self.record.names {
            return Err("the names are not those of the first game".to_string());
        }
        self.record.names = names;
        Ok(())
    }

    fn act(&mut self, player: Player, action: Action) -> Result<(), String> {
        let name = NAMES[player.index()];
        if let Action::Wins(points) = action {
            return self.wins(player, points);
        }
        if self.over {
            return Err("the game is over".to_string());
        }
        match action {
            Action::Play(dice, text) => {
                if self.state.phase == Phase::Opening {
                    self.opening(player, dice)?;
                } else {
                    self.on_roll(player)?;
                    if self.state.phase == Phase::Cube {
                        self.play(Move::Decline);
                    }
                    self.play_text(dice)?;
                }
                self.play_text(&text)
            }
            Action::Double => {
                self.on_roll(player)?;
                match self.state.phase {
                    Phase::Cube => {
                        self.play(Move::Double);
                        Ok(())
                    }
                    _ => Err(format!("{name} may not double")),
                }
            }
            Action::Take | Action::Drop => {
                if self.state.phase != Phase::Doubled || self.state.mover == player {
                    return Err(format!("{name} was not doubled"));
                }
                self.play(if action == Action::Take {
                    Move::Take
                } else {
                    Move::Drop
                });
                Ok(())
            }
            Action::Wins(_) => Ok(()),
        }
    }

    /// The higher die begins, in whatever order the two are told.
    fn opening(&mut self, player: Player, dice: &str) -> Result<(), String> {
        let turned: String = dice.chars().rev().collect();
        let begins = |text: &str| {
            let mv = self.game.parse_move(&self.state, text).ok()?;
            let mut next = self.state;
            self.game.play(&mut next, mv);
            (next.mover == player).then_some(mv)
        };
        let mv = begins(dice).or_else(|| begins(&turned));
        let mv = mv.ok_or_else(|| format!("'{}' is no opening roll", shortened(dice)))?;
        self.play(mv);
        Ok(())
    }

    fn on_roll(&self, player: Player) -> Result<(), String> {
        match self.state.phase {
            Phase::Cube | Phase::Roll if self.state.mover == player => Ok(()),
            _ => Err(format!("it is not {}'s turn", NAMES[player.index()])),
        }
    }

    fn play_text(&mut self, text: &str) -> Result<(), String> {
        let mv = self.game.parse_move(&self.state, text);
        self.play(mv.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Plays a legal move, and takes down who has won if it ends the game.
    fn play(&mut self, mv: Move) {
        let before = self.state;
        let end = match mv {
            Move::Play(play) => before.board.after(play),
            _ => before.board,
        };
        self.game.play(&mut self.state, mv);
        self.over = end.left(0) == 0 || mv == Move::Drop;
        if let Some(game) = self.record.games.last_mut() {
            game.moves.push(mv);
            if self.over {
                let points = self.game.points(&before, &end);
                game.result = Some((before.mover, u32::from(points)));
            }
        }
    }

    /// What the record says of the end: the same as the rules, or that somebody gave up.
    fn wins(&mut self, player: Player, points: u32) -> Result<(), String> {
        let cube = u32::from(self.state.cube());
        let session = self.record.length == 0;
        let Some(game) = self.record.games.last_mut() else {
            return Ok(());
        };
        match game.result {
            // By the Jacoby rule gammons count once while nobody has doubled.
            Some((winner, counted)) if winner == player => {
                let once = session && cube == 1 && points == 1;
                if points != counted && !once {
                    return Err(format!(
                        "{points} points are won, and {counted} by the rules"
                    ));
                }
            }
            Some((winner, _)) => {
                return Err(format!("{} has won", NAMES[winner.index()]));
            }
            None if (1..=3).any(|stakes| points == stakes * cube) => self.over = true,
            None => {
                return Err(format!(
                    "a game with the cube at {cube} is not worth {points} points"
                ));
            }
        }
        game.result = Some((player, points));
        Ok(())
    }
}

/// The actions of a line with their places in it.
fn actions(cells: &str) -> Result<Vec<(usize, Action<'_>)>, String> {
    let mut found: Vec<(usize, Action)> = Vec::new();
    let mut words = words(cells).peekable();
    while let Some((at, word)) = words.next() {
        let lower = word.to_ascii_lowercase();
        let action = match lower.as_str() {
            "doubles" => {
                words.next_if(|(_, word)| *word == "=>");
                words.next_if(|(_, word)| number(word).is_some());
                Action::Double
            }
            "takes" => Action::Take,
            "drops" => Action::Drop,
            "wins" => {
                let points = words.next().and_then(|(_, word)| number(word));
                let points = points.and_then(|n| u32::try_from(n).ok());
                while words
                    .next_if(|(_, w)| ["point", "points", "and", "the", "match"].contains(w))
                    .is_some()
                {}
                Action::Wins(points.ok_or("'Wins' without a number of points")?)
            }
            _ => match word.strip_suffix(':') {
                Some(dice) if dice.len() == 2 && number(dice).is_some() => {
                    let mut steps = Vec::new();
                    let step = |word: &str| {
                        word.contains('/')
                            || ["cannot", "move"].contains(&word.to_ascii_lowercase().as_str())
                    };
                    while let Some((_, word)) = words.next_if(|(_, word)| step(word)) {
                        steps.push(word);
                    }
                    let text = if steps.is_empty() {
                        PASS.to_string()
                    } else {
                        steps.join(" ")
                    };
                    Action::Play(dice, text)
                }
                _ => {
                    return Err(format!(
                        "'{}' is neither dice nor a word of a record",
                        shortened(word)
                    ));
                }
            },
        };
        found.push((at, action));
    }
    match found.len() {
        0..=2 => Ok(found),
        _ => Err("there are more than two columns".to_string()),
    }
}

/// Words with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut passed = 0;
    text.split_whitespace().map(move |word| {
        let at = passed + text[passed..].find(word).unwrap_or(0);
        passed = at + word.len();
        (at, word)
    })
}
