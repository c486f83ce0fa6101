//! Tournament files: TOML that a person can write, and errors that name the line.
//!
//! A file names its players and either their engines or their results. Results are written in the
//! points of the scoring scheme, the points of the player named first coming first, and must be
//! possible under it.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;

use super::limits::FileLimits;
use super::scoring::{Scoring, parse_points};
use super::standings::{ByeOpponent, Places, TieBreak, TournamentRules};
use super::{Tournament, TournamentConditions, TournamentFormat, TournamentPlayer};
use crate::referee::Terms;

/// The most players of a tournament.
pub(super) const MAX_PLAYERS: usize = 1000;
/// The most rounds, and the most games of a pair each time it meets.
pub(super) const MAX_GAMES: u32 = 1000;
/// The longest name.
const MAX_NAME: usize = 100;

/// A text that is no tournament. The message names the line and says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TournamentFileError {
    /// It is no TOML, or has other fields.
    #[error("{0}")]
    Toml(String),
    /// It is wrong as a whole.
    #[error("{0}")]
    Whole(String),
    /// Something on a line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    format: TournamentFormat,
    #[serde(default = "Scoring::classical")]
    scoring: Scoring,
    #[serde(default)]
    tie_breaks: Vec<TieBreak>,
    #[serde(default)]
    places: Places,
    bye: Option<Spanned<String>>,
    #[serde(default)]
    bye_opponent: ByeOpponent,
    #[serde(default = "once")]
    games: Spanned<u32>,
    game: Option<Spanned<String>>,
    seed: Option<Spanned<u64>>,
    rounds: Option<Spanned<u32>>,
    opening: Option<Spanned<String>>,
    final_games: Option<Spanned<u32>>,
    limits: Option<Spanned<FileLimits>>,
    #[serde(default)]
    player: Vec<FilePlayer>,
    #[serde(default)]
    round: Vec<Spanned<FileRound>>,
}

fn once() -> Spanned<u32> {
    Spanned::new(0..0, 1)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePlayer {
    name: Spanned<String>,
    engine: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileRound {
    #[serde(default)]
    pub(super) games: Vec<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub(super) byes: Vec<Spanned<String>>,
    #[serde(default, rename = "final")]
    pub(super) is_final: bool,
}

impl FromStr for Tournament {
    type Err = TournamentFileError;

    fn from_str(text: &str) -> Result<Tournament, TournamentFileError> {
        let file: File = toml::from_str(text)
            .map_err(|e| TournamentFileError::Toml(e.to_string().trim().to_string()))?;
        Reader { text }.tournament(file)
    }
}

/// Knows the text, and so the lines of what is wrong in it.
pub(super) struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    pub(super) fn wrong<T>(
        &self,
        at: &Spanned<T>,
        reason: impl Into<String>,
    ) -> TournamentFileError {
        let before = self.text.as_bytes().iter().take(at.span().start);
        TournamentFileError::Line {
            line: 1 + before.filter(|byte| **byte == b'\n').count(),
            reason: reason.into(),
        }
    }

    fn tournament(&self, file: File) -> Result<Tournament, TournamentFileError> {
        let players = self.players(&file)?;
        let games = *file.games.get_ref();
        if !(1..=MAX_GAMES).contains(&games) {
            let reason = format!("'games' is a number from 1 to {MAX_GAMES}");
            return Err(self.wrong(&file.games, reason));
        }
        let mut rules = TournamentRules {
            bye_opponent: file.bye_opponent,
            tie_breaks: file.tie_breaks.clone(),
            places: file.places,
            ..TournamentRules::new(file.scoring).with_games(games)
        };
        if let Some(bye) = &file.bye {
            let points = parse_points(bye.get_ref());
            rules.bye = points.map_err(|e| self.wrong(bye, e.to_string()))?;
        }
        let play = self.play(&file)?;
        let mut tournament = Tournament {
            name: file.name,
            format: file.format,
            rules,
            players,
            play,
            meetings: Vec::new(),
            final_round: None,
            open_round: None,
        };
        self.rounds(&mut tournament, &file.round)?;
        Ok(tournament)
    }

    fn players(&self, file: &File) -> Result<Vec<TournamentPlayer>, TournamentFileError> {
        let mut seen = HashSet::new();
        for FilePlayer { name, .. } in &file.player {
            let text = name.get_ref();
            if text.trim() != text || text.is_empty() || text.chars().any(char::is_control) {
                return Err(self.wrong(name, "a name has no blanks around it, and is not empty"));
            }
            if text.chars().count() > MAX_NAME {
                return Err(self.wrong(name, format!("a name has at most {MAX_NAME} characters")));
            }
            if !seen.insert(text) {
                return Err(self.wrong(name, format!("there are two players '{text}'")));
            }
        }
        if !(2..=MAX_PLAYERS).contains(&seen.len()) {
            return Err(TournamentFileError::Whole(format!(
                "a tournament has from 2 to {MAX_PLAYERS} players, each as [[player]] with a name"
            )));
        }
        let player = |player: &FilePlayer| TournamentPlayer {
            name: player.name.get_ref().clone(),
            engine: player.engine.clone(),
        };
        Ok(file.player.iter().map(player).collect())
    }

    /// What engines are told, if there are engines; nothing if there are results.
    fn play(&self, file: &File) -> Result<Option<TournamentConditions>, TournamentFileError> {
        let without = file.player.iter().find(|player| player.engine.is_none());
        let Some(without) = without else {
            if let Some(round) = file.round.first() {
                let reason = "either the players have engines or the results are given, not both";
                return Err(self.wrong(round, reason));
            }
            return self.engines(file).map(Some);
        };
        if file.player.iter().any(|player| player.engine.is_some()) {
            let reason =
                "this player has no engine, and others have; give all of them one, or none";
            return Err(self.wrong(&without.name, reason));
        }
        if file.round.is_empty() {
            let reason = "this player has no engine, so results are needed: [[round]] with games";
            return Err(self.wrong(&without.name, reason));
        }
        let for_engines = [
            ("game", file.game.as_ref().map(Spanned::span)),
            ("seed", file.seed.as_ref().map(Spanned::span)),
            ("rounds", file.rounds.as_ref().map(Spanned::span)),
            ("final_games", file.final_games.as_ref().map(Spanned::span)),
            ("opening", file.opening.as_ref().map(Spanned::span)),
            ("limits", file.limits.as_ref().map(Spanned::span)),
        ];
        for (field, span) in for_engines {
            if let Some(span) = span {
                let reason = format!("'{field}' is for engines, and here the results are given");
                return Err(self.wrong(&Spanned::new(span, ()), reason));
            }
        }
        Ok(None)
    }

    fn engines(&self, file: &File) -> Result<TournamentConditions, TournamentFileError> {
        let Some(game) = &file.game else {
            return Err(TournamentFileError::Whole(
                "engines need a game to play, such as game = \"loa\"".to_string(),
            ));
        };
        let is_swiss = file.format == TournamentFormat::Swiss;
        match &file.rounds {
            None if is_swiss => {
                return Err(TournamentFileError::Whole(
                    "a Swiss tournament needs a number of rounds, such as rounds = 5".to_string(),
                ));
            }
            Some(rounds) if !is_swiss => {
                let reason = "only a Swiss tournament has a number of rounds";
                return Err(self.wrong(rounds, reason));
            }
            Some(rounds) if !(1..=MAX_GAMES).contains(rounds.get_ref()) => {
                let reason = format!("'rounds' is a number from 1 to {MAX_GAMES}");
                return Err(self.wrong(rounds, reason));
            }
            _ => {}
        }
        if let Some(games) = &file.final_games {
            if file.format != TournamentFormat::RoundRobinFinal {
                let reason = "only the format \"round-robin-final\" has a final";
                return Err(self.wrong(games, reason));
            }
            if !(1..=MAX_GAMES).contains(games.get_ref()) {
                let reason = format!("'final_games' is a number from 1 to {MAX_GAMES}");
                return Err(self.wrong(games, reason));
            }
        }
        let opening = file.opening.as_ref().map(|o| o.get_ref().clone());
        Ok(TournamentConditions {
            game: game.get_ref().trim().to_string(),
            seed: file.seed.as_ref().map(|seed| *seed.get_ref()),
            rounds: file.rounds.as_ref().map(|rounds| *rounds.get_ref()),
            final_games: file.final_games.as_ref().map(|games| *games.get_ref()),
            opening,
            terms: match &file.limits {
                Some(limits) => self.terms(limits.get_ref())?,
                None => Terms::default(),
            },
        })
    }
}
