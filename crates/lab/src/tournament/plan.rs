//! What a tournament between engines follows from, as it is stored.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabia_registry::open;

use super::course::{self, Scores};
use super::file::{MAX_GAMES, MAX_PLAYERS};
use super::standings::TournamentRules;
use super::{Tournament, TournamentFormat, TournamentPlayer};
use crate::LabError;
use crate::matches::{Fixture, Opening, PlayedGame, usual_seed};
use crate::player::Entrant;
use crate::referee::Terms;

/// The most games of a tournament, those that decide drawn matches aside.
pub const MAX_TOURNAMENT_GAMES: u64 = 1_000_000;

/// Everything that a tournament between engines follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentPlan {
    /// Its name.
    pub name: String,
    /// The spec of the game.
    pub game: String,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// How it is ranked.
    #[serde(flatten)]
    pub rules: TournamentRules,
    /// Who takes part, the seeded ones first.
    pub players: Vec<Entrant>,
    /// Games of the final; as many as of any other pair if nothing is said.
    pub final_games: Option<u32>,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    /// Where games begin.
    pub opening: Opening,
    /// What was agreed on.
    pub terms: Terms,
    /// Everything random follows from it.
    pub seed: u64,
}

impl TournamentPlan {
    /// The plan of a tournament that is still to be played. Openings on file are looked for in
    /// `folder`.
    pub fn new(tournament: Tournament, folder: &Path) -> Result<TournamentPlan, LabError> {
        let Some(play) = tournament.play else {
            let reason = "the results of this tournament are given, so there is nothing to play";
            return Err(LabError::BadRequest(reason.to_string()));
        };
        let game = open(&play.game)?;
        let entrant = |player: TournamentPlayer| Entrant {
            name: player.name,
            spec: player.engine.unwrap_or_default(),
        };
        let players: Vec<Entrant> = tournament.players.into_iter().map(entrant).collect();
        Ok(TournamentPlan {
            seed: play.seed.unwrap_or_else(|| usual_seed(&*game, &players)),
            name: tournament.name,
            game: play.game,
            format: tournament.format,
            rules: tournament.rules,
            players,
            final_games: play.final_games,
            rounds: play.rounds,
            opening: match &play.opening {
                Some(opening) => Opening::parse(&inside(folder, opening), &*game)?,
                None => Opening::usual(&*game),
            },
            terms: play.terms,
        })
    }

    /// Refuses what cannot be played.
    pub(super) fn check(&self) -> Result<(), LabError> {
        let refuse = |reason: String| Err(LabError::BadRequest(reason));
        if !(2..=MAX_PLAYERS).contains(&self.players.len()) {
            return refuse(format!("a tournament has from 2 to {MAX_PLAYERS} players"));
        }
        let is_swiss = self.format == TournamentFormat::Swiss;
        if self.rounds.is_some() != is_swiss {
            let reason = "a Swiss tournament has a number of rounds, and no other has one";
            return refuse(reason.to_string());
        }
        if self.final_games.is_some() && self.format != TournamentFormat::RoundRobinFinal {
            let reason = "only the format 'round-robin-final' has games of a final";
            return refuse(reason.to_string());
        }
        let numbers = [Some(self.rules.games), self.final_games, self.rounds];
        if numbers
            .iter()
            .flatten()
            .any(|n| !(1..=MAX_GAMES).contains(n))
        {
            return refuse(format!(
                "games and rounds are numbers from 1 to {MAX_GAMES}"
            ));
        }
        let games = self.planned();
        if games > MAX_TOURNAMENT_GAMES {
            return refuse(format!(
                "this tournament would have {games} games; at most {MAX_TOURNAMENT_GAMES} can be \
                 played"
            ));
        }
        Ok(())
    }

    /// Games to be played, if no match of a knockout is drawn.
    pub fn planned(&self) -> u64 {
        let players = self.players.len() as u64;
        let games = u64::from(self.rules.games);
        let all_pairs = players * players.saturating_sub(1) / 2 * games;
        match self.format {
            TournamentFormat::RoundRobin => all_pairs,
            TournamentFormat::DoubleRoundRobin => 2 * all_pairs,
            TournamentFormat::RoundRobinFinal => all_pairs + u64::from(self.games_of_final()),
            TournamentFormat::Swiss => u64::from(self.rounds.unwrap_or(0)) * (players / 2) * games,
            TournamentFormat::Knockout => players.saturating_sub(1) * games,
        }
    }

    pub(super) fn games_of_final(&self) -> u32 {
        self.final_games.unwrap_or(self.rules.games)
    }

    /// The tournament before its first game.
    pub(super) fn empty(&self) -> Tournament {
        let player = |entrant: &Entrant| TournamentPlayer {
            name: entrant.name.clone(),
            engine: Some(entrant.spec.clone()),
        };
        Tournament {
            name: self.name.clone(),
            format: self.format,
            rules: self.rules.clone(),
            players: self.players.iter().map(player).collect(),
            play: None,
            meetings: Vec::new(),
            final_round: None,
            open_round: None,
        }
    }

    /// What a game was worth, if it is the game of this fixture.
    pub(super) fn score(
        &self,
        fixture: &Fixture,
        game: &PlayedGame,
        largest: i32,
    ) -> Result<[super::Points; 2], LabError> {
        let points = game
            .points(&self.rules.scoring, largest)
            .unwrap_or_default();
        match points[..] {
            [first, second] if game.seats == fixture.seats => Ok([first, second]),
            _ => Err(LabError::BadRequest(format!(
                "the stored game {} does not belong to this tournament",
                game.number
            ))),
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> Result<Value, LabError> {
        serde_json::to_value(self).map_err(|e| LabError::BadRequest(e.to_string()))
    }

    /// A stored plan.
    pub fn from_json(plan: &Value) -> Result<TournamentPlan, LabError> {
        let plan: TournamentPlan = TournamentPlan::deserialize(plan).map_err(|e| {
            LabError::BadRequest(format!("the plan of the tournament cannot be read: {e}"))
        })?;
        plan.check()?;
        Ok(plan)
    }
}

/// A stored tournament as far as it was played, from its plan and the games there are.
pub fn from_store(plan: &Value, games: &[PlayedGame]) -> Result<Tournament, LabError> {
    let plan = TournamentPlan::from_json(plan)?;
    let largest = open(&plan.game)?.traits().max_payoff;
    let mut look_up = |fixtures: &[Fixture]| -> Result<Scores, LabError> {
        let score = |fixture: &Fixture| {
            let found = games.binary_search_by_key(&fixture.number, |game| game.number);
            let game = found.ok().and_then(|at| games.get(at));
            game.map(|game| plan.score(fixture, game, largest))
                .transpose()
        };
        fixtures.iter().map(score).collect()
    };
    Ok(course::follow(&plan, &mut look_up)?.0)
}

/// Files of openings are looked for beside the file that names them.
fn inside(folder: &Path, opening: &str) -> String {
    match opening.trim().split_once(':') {
        Some((kind @ ("file" | "book"), file)) => {
            format!("{kind}:{}", folder.join(file.trim()).display())
        }
        _ => opening.to_string(),
    }
}
