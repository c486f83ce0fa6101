//! A run with all that is stored of it.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tabia_game::{Cancel, Limits, Seed};
use tabia_registry::open;

use crate::LabError;
use crate::matches::{Hall, MatchPlan, Opening, PlayedGame, Summary, seating};
use crate::player::Entrant;
use crate::referee::Terms;
use crate::store::{Run, RunKind, Sitting, Store, StoredPlayer};

/// A run with its players and games.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// What it is.
    pub run: Run,
    /// Who takes part.
    pub players: Vec<StoredPlayer>,
    /// The games there are, by number.
    pub games: Vec<PlayedGame>,
    /// When and where it was played.
    pub sittings: Vec<Sitting>,
}

/// What the plans of matches and tournaments have in common.
#[derive(Deserialize)]
struct Conditions {
    #[serde(default)]
    terms: Terms,
}

impl StoredRun {
    /// Reads a run, the newest one if no number is given.
    pub fn read(store: &Store, run: Option<i64>) -> Result<StoredRun, LabError> {
        let run = store.run(run)?;
        Ok(StoredRun {
            players: store.players(run.id)?,
            games: store.games(run.id)?,
            sittings: store.sittings(run.id)?,
            run,
        })
    }

    /// The spec of the game that is played in it.
    pub fn game(&self) -> Result<&str, LabError> {
        let game = self.run.plan.get("game").and_then(|game| game.as_str());
        game.ok_or_else(|| {
            LabError::BadRequest(format!(
                "run {} is an {} and has no games",
                self.run.id,
                self.run.kind.word()
            ))
        })
    }

    /// The plan of a match; nothing for other runs.
    pub fn plan(&self) -> Result<Option<MatchPlan>, LabError> {
        match self.run.kind {
            RunKind::Match => self.planned().map(Some),
            RunKind::Tournament | RunKind::Experiment => Ok(None),
        }
    }

    fn planned<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        let read = serde_json::from_value(self.run.plan.clone());
        read.map_err(|error| {
            let number = self.run.id;
            LabError::BadRequest(format!("the plan of run {number} cannot be read: {error}"))
        })
    }

    /// What the players of a match or tournament agreed on.
    pub fn terms(&self) -> Result<Terms, LabError> {
        Ok(self.planned::<Conditions>()?.terms)
    }

    /// Whether no limit on time had a part in it, neither by the terms nor by a player's spec.
    pub fn is_timeless(&self) -> Result<bool, LabError> {
        let game = open(self.game()?)?;
        let has_own = |player: &StoredPlayer| {
            let engine = game.engine(&player.full_spec).ok();
            engine.is_some_and(|engine| engine.limits(&Limits::default()).time.is_some())
        };
        Ok(self.terms()?.are_timeless() && !self.players.iter().any(has_own))
    }

    /// A game by its number.
    pub fn find(&self, number: u64) -> Result<&PlayedGame, LabError> {
        let found = self.games.iter().find(|game| game.number == number);
        found.ok_or_else(|| {
            let run = self.run.id;
            let numbers = match (self.games.first(), self.games.last()) {
                (Some(first), Some(last)) => {
                    format!("there are games from {} to {}", first.number, last.number)
                }
                _ => "there are none yet".to_string(),
            };
            LabError::BadRequest(format!("run {run} has no game {number}; {numbers}"))
        })
    }

    /// The name of a player, and a question mark for one who is not there.
    pub fn name(&self, player: usize) -> &str {
        self.players
            .get(player)
            .map_or("?", |player| player.entrant.name.as_str())
    }

    /// The names by seat.
    pub fn names<'a>(&'a self, game: &'a PlayedGame) -> impl Iterator<Item = &'a str> {
        game.seats.iter().map(|&player| self.name(player))
    }

    /// How a match stands.
    pub fn summary(&self, plan: &MatchPlan) -> Result<Summary, LabError> {
        let seats = open(&plan.game)?.traits().players;
        if seating::count(plan.players.len(), seats).is_none() {
            return Err(LabError::BadRequest(format!(
                "the plan of run {} cannot be played",
                self.run.id
            )));
        }
        Ok(plan.summary(seats, self.games.iter()))
    }

    /// Plays a stored game again; nothing if it was cancelled.
    pub fn replay(
        &self,
        game: &PlayedGame,
        cancel: &Cancel,
    ) -> Result<Option<PlayedGame>, LabError> {
        let spec = self.game()?;
        // Spelled out, so that a default that has changed since does not matter.
        let entrant = |player: &StoredPlayer| Entrant {
            name: player.entrant.name.clone(),
            spec: player.full_spec.clone(),
        };
        let entrants: Vec<Entrant> = self.players.iter().map(entrant).collect();
        if game.seats.iter().any(|&player| player >= entrants.len()) {
            let number = game.number;
            return Err(LabError::BadRequest(format!(
                "game {number} names a player who is not stored"
            )));
        }
        let hall = Hall {
            game: &*open(spec)?,
            spec,
            entrants: &entrants,
            terms: &self.terms()?,
            // A stored game brings its opening and its luck along.
            opening: &Opening::Start,
            seed: Seed::new(0),
        };
        hall.replay(game, cancel)
    }
}
