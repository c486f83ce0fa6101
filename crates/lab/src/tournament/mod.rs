//! Tournaments: pairings, points, standings and crosstables.
//!
//! A [`Tournament`] is read from a file that names its players and either their engines or what
//! they scored. With engines it has a [`TournamentPlan`], which a [`Contest`] plays. Everything
//! else is computed from results, wherever they come from. Points are exact fractions, so that a
//! third of a shared win stays one.

mod course;
mod crosstable;
mod file;
mod limits;
mod matching;
mod pairing;
mod plan;
mod play;
mod results;
mod scoring;
mod standings;
mod swiss;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::referee::Terms;

pub use course::DECIDING_PAIRS;
pub use crosstable::Crosstable;
pub use file::TournamentFileError;
pub use pairing::{Round, bracket, double_round_robin, next_matches, round_robin};
pub use plan::{MAX_TOURNAMENT_GAMES, TournamentPlan, from_store};
pub use play::Contest;
pub use scoring::{MAX_POINTS, Points, Scoring, ScoringError, parse_points, show_points};
pub use standings::{
    ByeOpponent, Meeting, Places, Standing, TieBreak, TournamentRules, knockout_standings,
    standings,
};
pub use swiss::swiss_round;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// All meet all.
    RoundRobin,
    /// All meet all twice, with colours reversed.
    DoubleRoundRobin,
    /// All meet all, then the first two play for the title.
    RoundRobinFinal,
    /// Those with equal points meet, for some rounds.
    Swiss,
    /// Who loses a match is out.
    Knockout,
}

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentPlayer {
    /// The name in tables.
    pub name: String,
    /// The spec of the engine that plays; none if the results are given.
    pub engine: Option<String>,
}

/// What the engines are told.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentConditions {
    /// The spec of the game.
    pub game: String,
    /// Everything random follows from it, if the file says it.
    pub seed: Option<u64>,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    /// Games of the final of a round robin.
    pub final_games: Option<u32>,
    /// Where games begin, as for a match, if the file says so.
    pub opening: Option<String>,
    /// What they agree on.
    pub terms: Terms,
}

/// A tournament with what has been played of it.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Its name.
    pub name: String,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// How it is ranked.
    pub rules: TournamentRules,
    /// Who takes part, the seeded ones first.
    pub players: Vec<TournamentPlayer>,
    /// What the engines are told; none once there are results.
    pub play: Option<TournamentConditions>,
    /// What was played, in the order of rounds.
    pub meetings: Vec<Meeting>,
    /// The round that is the final.
    final_round: Option<u32>,
    /// A round of a knockout that is being played: nobody is out because of it yet.
    open_round: Option<u32>,
}

impl Tournament {
    /// The round in which the first two play for the title.
    pub fn final_round(&self) -> Option<u32> {
        self.final_round
    }

    /// Ranks everybody by what has been played. A final changes the order of those who play it; if
    /// it is drawn, the order of the round robin stands.
    pub fn standings(&self) -> Vec<Standing> {
        let players = self.players.len();
        if self.format == TournamentFormat::Knockout {
            return knockout_standings(players, &self.meetings, self.open_round, &self.rules);
        }
        let is_final = |meeting: &Meeting| Some(meeting.round()) == self.final_round;
        let (last, before): (Vec<Meeting>, Vec<Meeting>) =
            self.meetings.iter().cloned().partition(is_final);
        let mut ranked = standings(players, &before, &self.rules);
        let mut lead = vec![Points::ZERO; players];
        for meeting in &last {
            if let Meeting::Game {
                players: [first, second],
                points,
                ..
            } = meeting
            {
                lead[*first] += points[0] - points[1];
                lead[*second] += points[1] - points[0];
            }
        }
        if !last.is_empty() {
            let finalists = &mut ranked[..2];
            finalists.sort_by_key(|standing| std::cmp::Reverse(lead[standing.player]));
            for (standing, place) in finalists.iter_mut().zip(1..) {
                standing.place = place;
                standing.shared = false;
            }
            // Whoever was level with a finalist comes third now.
            let level = ranked.iter().skip(2).take_while(|s| s.place <= 2).count();
            for standing in ranked.iter_mut().skip(2).take(level) {
                standing.place = 3;
                standing.shared = level > 1;
            }
        }
        ranked
    }

    /// The crosstable of these standings.
    pub fn crosstable(&self, standings: &[Standing]) -> Crosstable {
        Crosstable::new(self, standings)
    }
}
