//! The course of a tournament: which games come next, given the results of those before them.
//!
//! Games are numbered in the order in which they are laid out, and what is laid out follows from
//! the plan and the games with lower numbers alone. So a tournament can be followed again from its
//! stored games, and goes on where they end.
//!
//! All pairs of a round have the same openings and the same luck, so that all of them face the same
//! task. The games of a pair share them in twos, with colours reversed; so do the two meetings of a
//! double round robin if a meeting has an odd number of games.

use super::pairing::{Round, bracket, double_round_robin, next_matches, round_robin};
use super::plan::TournamentPlan;
use super::scoring::Points;
use super::standings::Meeting;
use super::swiss::swiss_round;
use super::{Tournament, TournamentFormat};
use crate::LabError;
use crate::matches::Fixture;

/// Pairs of games that are played to decide a drawn match of a knockout; after them the better
/// seed goes on.
pub const DECIDING_PAIRS: u32 = 10;

/// What the games of fixtures were worth to their seats; nothing for those that were not played.
pub(super) type Scores = Vec<Option<[Points; 2]>>;

/// Plays fixtures, or looks up what became of them.
pub(super) type PlayFixtures<'a> = dyn FnMut(&[Fixture]) -> Result<Scores, LabError> + 'a;

/// Follows a tournament as far as its games are played, and tells whether that is to its end.
pub(super) fn follow(
    plan: &TournamentPlan,
    play: &mut PlayFixtures<'_>,
) -> Result<(Tournament, bool), LabError> {
    let mut course = Course {
        plan,
        play,
        tournament: plan.empty(),
        points: vec![Points::ZERO; plan.players.len()],
        next: 0,
    };
    let players = plan.players.len();
    let finished = match plan.format {
        TournamentFormat::RoundRobin => course.all_at_once(&round_robin(players), 1)?,
        TournamentFormat::DoubleRoundRobin => {
            course.all_at_once(&double_round_robin(players), 2)?
        }
        TournamentFormat::RoundRobinFinal => {
            let rounds = round_robin(players);
            course.all_at_once(&rounds, 1)? && course.final_match(rounds.len())?
        }
        TournamentFormat::Swiss => course.swiss()?,
        TournamentFormat::Knockout => course.knockout()?,
    };
    Ok((course.tournament, finished))
}

/// A tournament on its way.
struct Course<'a, 'b> {
    plan: &'a TournamentPlan,
    play: &'a mut PlayFixtures<'b>,
    tournament: Tournament,
    points: Vec<Points>,
    /// The number of the next game.
    next: u64,
}

/// Games of two players, who change over after each.
struct Encounter {
    round: usize,
    /// The first one moves first in the first game.
    players: [usize; 2],
    games: u32,
    /// Twice the number of the opening with which the first game begins, and one more if the first
    /// half of that opening has been played.
    place: u64,
}

impl Course<'_, '_> {
    /// Plays encounters that do not depend on each other. By how much the first player leads in
    /// each of them; nothing if they were not all played.
    fn play(&mut self, encounters: &[Encounter]) -> Result<Option<Vec<Points>>, LabError> {
        let mut fixtures = Vec::new();
        for encounter in encounters {
            let [a, b] = encounter.players;
            for game in 0..u64::from(encounter.games) {
                let round = (encounter.place + game) / 2;
                fixtures.push(Fixture {
                    number: self.next,
                    round,
                    opening: round,
                    seats: if game % 2 == 0 {
                        vec![a, b]
                    } else {
                        vec![b, a]
                    },
                });
                self.next += 1;
            }
        }
        let mut scores = (self.play)(&fixtures)?.into_iter();
        let mut leads = Vec::with_capacity(encounters.len());
        let mut complete = true;
        for encounter in encounters {
            let [a, b] = encounter.players;
            let mut lead = Points::ZERO;
            for game in 0..encounter.games {
                let Some(points) = scores.next().flatten() else {
                    complete = false;
                    continue;
                };
                let (players, own) = match game % 2 {
                    0 => ([a, b], points[0] - points[1]),
                    _ => ([b, a], points[1] - points[0]),
                };
                lead += own;
                self.enter(Meeting::Game {
                    round: encounter.round as u32,
                    players,
                    points,
                });
            }
            leads.push(lead);
        }
        Ok(complete.then_some(leads))
    }

    fn enter(&mut self, meeting: Meeting) {
        match meeting {
            Meeting::Game {
                players, points, ..
            } => {
                for (player, points) in players.into_iter().zip(points) {
                    self.points[player] += points;
                }
            }
            Meeting::Bye { player, .. } => self.points[player] += self.plan.rules.bye,
            Meeting::Seeded { .. } => {}
        }
        self.tournament.meetings.push(meeting);
    }

    /// Openings of a pair that plays this many games.
    fn openings(games: u32) -> u64 {
        u64::from(games).div_ceil(2)
    }

    /// Rounds whose pairs do not depend on results. With two `meetings` of each pair the second
    /// half of the rounds repeats the first with colours reversed.
    fn all_at_once(&mut self, rounds: &[Round], meetings: u32) -> Result<bool, LabError> {
        let half = rounds.len() / meetings as usize;
        let games = self.plan.rules.games;
        let openings = Self::openings(meetings * games);
        let mut encounters = Vec::new();
        for (number, round) in rounds.iter().enumerate() {
            let (meeting, within) = if number < half {
                (0, number)
            } else {
                (1, number - half)
            };
            let place = 2 * openings * within as u64 + meeting * u64::from(games);
            encounters.extend(round.pairs.iter().map(|&players| Encounter {
                round: number + 1,
                players,
                games,
                place,
            }));
        }
        Ok(self.play(&encounters)?.is_some())
    }

    /// The first two after this many rounds play for the title.
    fn final_match(&mut self, rounds: usize) -> Result<bool, LabError> {
        let ranked = self.tournament.standings();
        let [first, second, ..] = &ranked[..] else {
            return Ok(true);
        };
        let encounter = Encounter {
            round: rounds + 1,
            players: [first.player, second.player],
            games: self.plan.games_of_final(),
            place: 2 * Self::openings(self.plan.rules.games) * rounds as u64,
        };
        self.tournament.final_round = Some(rounds as u32 + 1);
        Ok(self.play(&[encounter])?.is_some())
    }

    fn swiss(&mut self) -> Result<bool, LabError> {
        let games = self.plan.rules.games;
        for number in 0..self.plan.rounds.unwrap_or(0) {
            let round = swiss_round(&self.points, &self.tournament.meetings);
            for &player in &round.byes {
                self.enter(Meeting::Bye {
                    round: number + 1,
                    player,
                });
            }
            let encounter = |&players: &[usize; 2]| Encounter {
                round: number as usize + 1,
                players,
                games,
                place: 2 * Self::openings(games) * u64::from(number),
            };
            let encounters: Vec<Encounter> = round.pairs.iter().map(encounter).collect();
            if self.play(&encounters)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn knockout(&mut self) -> Result<bool, LabError> {
        let mut matches = bracket(self.plan.players.len());
        for round in 1.. {
            let Some(winners) = self.knockout_round(round, &matches)? else {
                self.tournament.open_round = Some(round);
                return Ok(false);
            };
            if winners.len() < 2 {
                break;
            }
            matches = next_matches(&winners);
        }
        Ok(true)
    }

    /// The winners of a round, in the order of its matches; nothing if it was not finished.
    fn knockout_round(
        &mut self,
        round: u32,
        matches: &[(usize, Option<usize>)],
    ) -> Result<Option<Vec<usize>>, LabError> {
        for &(player, opponent) in matches {
            if opponent.is_none() {
                self.enter(Meeting::Bye { round, player });
            }
        }
        let pairs = matches.iter().filter_map(|&(a, b)| Some([a, b?]));
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let openings = Self::openings(self.plan.rules.games);
        let first = u64::from(round - 1) * (openings + u64::from(DECIDING_PAIRS));
        let encounter = |players, games, opening| Encounter {
            round: round as usize,
            players,
            games,
            place: 2 * (first + opening),
        };
        let regular = pairs
            .iter()
            .map(|&p| encounter(p, self.plan.rules.games, 0));
        let regular: Vec<Encounter> = regular.collect();
        let Some(mut leads) = self.play(&regular)? else {
            return Ok(None);
        };
        for extra in 0..u64::from(DECIDING_PAIRS) {
            let drawn: Vec<usize> = (0..pairs.len())
                .filter(|&at| leads[at] == Points::ZERO)
                .collect();
            if drawn.is_empty() {
                break;
            }
            let deciding = drawn
                .iter()
                .map(|&at| encounter(pairs[at], 2, openings + extra));
            let deciding: Vec<Encounter> = deciding.collect();
            let Some(new) = self.play(&deciding)? else {
                return Ok(None);
            };
            for (at, lead) in drawn.into_iter().zip(new) {
                leads[at] = lead;
            }
        }
        let mut leads = leads.into_iter();
        let mut winners = Vec::with_capacity(matches.len());
        for &(a, opponent) in matches {
            let Some((b, lead)) = opponent.and_then(|b| Some((b, leads.next()?))) else {
                winners.push(a);
                continue;
            };
            if lead == Points::ZERO {
                self.enter(Meeting::Seeded {
                    round,
                    players: [a.min(b), a.max(b)],
                });
            }
            let seeded = lead == Points::ZERO && a < b;
            winners.push(if lead > Points::ZERO || seeded { a } else { b });
        }
        Ok(Some(winners))
    }
}
