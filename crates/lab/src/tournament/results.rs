//! The rounds of a tournament file: names, results, and what the format allows.

use std::collections::{HashMap, HashSet};

use toml::Spanned;

use super::file::{FileRound, Reader, TournamentFileError};
use super::scoring::{Points, Scoring, parse_points};
use super::standings::Meeting;
use super::{Tournament, TournamentFormat, TournamentPlayer};

/// This many names are listed when one is unknown.
const LISTED: usize = 20;

impl Reader<'_> {
    /// Enters all rounds of the file.
    pub(super) fn rounds(
        &self,
        tournament: &mut Tournament,
        rounds: &[Spanned<FileRound>],
    ) -> Result<(), TournamentFileError> {
        let mut course = Course::default();
        for (number, round) in (1..).zip(rounds) {
            let (at, round) = (round, round.get_ref());
            course.begin(round, tournament.format);
            if round.is_final {
                if tournament.format != TournamentFormat::RoundRobinFinal {
                    let reason = "only the format \"round-robin-final\" has a final";
                    return Err(self.wrong(at, reason));
                }
                if number as usize != rounds.len() {
                    return Err(self.wrong(at, "the final is the last round"));
                }
                self.check_finalists(tournament, at)?;
                tournament.final_round = Some(number);
            }
            for game in &round.games {
                let [first, second, results] = &game.get_ref()[..] else {
                    return Err(self.wrong(
                        game,
                        "a game is two names and its results, such as [\"A\", \"B\", \"1-0\"], or \
                         \"1-0 0-1\" for two games",
                    ));
                };
                let players = [
                    self.find(&tournament.players, first)?,
                    self.find(&tournament.players, second)?,
                ];
                let games = self.results(&tournament.rules.scoring, results)?;
                let entered = course.enter(tournament, players, games.len());
                entered.map_err(|reason| self.wrong(first, reason))?;
                // They change over after each game.
                for (game, points) in games.into_iter().enumerate() {
                    let [(a, x), (b, y)] = [(players[0], points[0]), (players[1], points[1])];
                    let changed = game % 2 == 1;
                    course.lead(a, x - y);
                    course.lead(b, y - x);
                    tournament.meetings.push(Meeting::Game {
                        round: number,
                        players: if changed { [b, a] } else { [a, b] },
                        points: if changed { [y, x] } else { [x, y] },
                    });
                }
            }
            for name in &round.byes {
                let player = self.find(&tournament.players, name)?;
                let entered = course.enter_bye(tournament, player);
                entered.map_err(|reason| self.wrong(name, reason))?;
                tournament.meetings.push(Meeting::Bye {
                    round: number,
                    player,
                });
            }
        }
        Ok(())
    }

    fn check_finalists(
        &self,
        tournament: &Tournament,
        at: &Spanned<FileRound>,
    ) -> Result<(), TournamentFileError> {
        let ranked = tournament.standings();
        let [best, second] = [0, 1].map(|place| {
            let standing = ranked.get(place);
            standing.map_or("", |s| tournament.players[s.player].name.as_str())
        });
        let matches = |named: &str| named == best || named == second;
        let round = at.get_ref();
        let games = round.games.iter();
        let right = games
            .flat_map(|game| game.get_ref().iter().take(2))
            .all(|name| matches(name.get_ref()));
        if right && round.byes.is_empty() && !round.games.is_empty() {
            return Ok(());
        }
        let reason = format!("the final is between the first two, '{best}' and '{second}'");
        Err(self.wrong(at, reason))
    }

    fn find(
        &self,
        players: &[TournamentPlayer],
        name: &Spanned<String>,
    ) -> Result<usize, TournamentFileError> {
        let wanted = name.get_ref();
        if let Some(found) = players.iter().position(|p| p.name == *wanted) {
            return Ok(found);
        }
        let distance = |known: &str| {
            strsim::damerau_levenshtein(&wanted.to_lowercase(), &known.to_lowercase())
        };
        let near = players
            .iter()
            .map(|p| (distance(&p.name), p.name.as_str()))
            .filter(|(distance, known)| *distance <= (known.chars().count() / 3).max(1))
            .min();
        let guess = near.map_or(String::new(), |(_, known)| {
            format!("; did you mean '{known}'?")
        });
        let known: Vec<&str> = players
            .iter()
            .take(LISTED)
            .map(|p| p.name.as_str())
            .collect();
        let more = if players.len() > LISTED { ", ..." } else { "" };
        Err(self.wrong(
            name,
            format!(
                "there is no player '{wanted}'{guess}\nKnown are: {}{more}",
                known.join(", ")
            ),
        ))
    }

    /// The results of one or several games, separated by blanks.
    fn results(
        &self,
        scoring: &Scoring,
        text: &Spanned<String>,
    ) -> Result<Vec<[Points; 2]>, TournamentFileError> {
        let wrong = |result: &str| {
            let reason = format!(
                "'{result}' is no result; under the scoring '{scoring}' it is {}, and several \
                 games are separated by blanks",
                scoring.expected()
            );
            self.wrong(text, reason)
        };
        let mut results = Vec::new();
        for result in text.get_ref().split_whitespace() {
            let points = parse_result(result).filter(|points| scoring.allows(*points));
            results.push(points.ok_or_else(|| wrong(result))?);
        }
        if results.is_empty() {
            return Err(wrong(""));
        }
        Ok(results)
    }
}

/// Reads `2-0`, or `12:-12` where points may be negative.
fn parse_result(text: &str) -> Option<[Points; 2]> {
    let (first, second) = text.split_once(':').or_else(|| text.split_once('-'))?;
    Some([parse_points(first).ok()?, parse_points(second).ok()?])
}

/// What has been played, for what the format does not allow.
#[derive(Default)]
struct Course {
    /// Those with a game or a bye in this round.
    busy: HashSet<usize>,
    /// Games of each pair, in this round or, in a round robin, in all.
    met: HashMap<[usize; 2], usize>,
    /// By how much each player leads in this round.
    leads: HashMap<usize, Points>,
    /// Those who have lost a match of a knockout.
    out: HashSet<usize>,
    is_final: bool,
}

impl Course {
    fn begin(&mut self, round: &FileRound, format: TournamentFormat) {
        self.is_final = round.is_final;
        self.busy.clear();
        if !is_round_robin(format) {
            self.met.clear();
        }
        let lost = self.leads.iter().filter(|(_, lead)| **lead < Points::ZERO);
        self.out.extend(lost.map(|(player, _)| *player));
        self.leads.clear();
    }

    fn lead(&mut self, player: usize, by: Points) {
        *self.leads.entry(player).or_default() += by;
    }

    fn enter(
        &mut self,
        tournament: &Tournament,
        [a, b]: [usize; 2],
        games: usize,
    ) -> Result<(), String> {
        let name = |player: usize| &tournament.players[player].name;
        if a == b {
            return Err(format!("'{}' cannot play against itself", name(a)));
        }
        if !is_round_robin(tournament.format) {
            self.occupy(tournament, a)?;
            self.occupy(tournament, b)?;
        }
        let times = match tournament.format {
            // A match goes on until it is decided.
            TournamentFormat::Knockout => return Ok(()),
            _ if self.is_final => return Ok(()),
            TournamentFormat::DoubleRoundRobin => 2,
            _ => 1,
        };
        let most = times * tournament.rules.games as usize;
        let met = self.met.entry([a.min(b), a.max(b)]).or_default();
        *met += games;
        if *met > most {
            return Err(format!(
                "'{}' and '{}' meet in more games than the {most} that 'format' and 'games' allow",
                name(a),
                name(b)
            ));
        }
        Ok(())
    }

    fn enter_bye(&mut self, tournament: &Tournament, player: usize) -> Result<(), String> {
        if is_round_robin(tournament.format) {
            return Err("in a round robin those who sit out are not named".to_string());
        }
        self.occupy(tournament, player)
    }

    /// Nobody plays twice in a round, or after having been knocked out.
    fn occupy(&mut self, tournament: &Tournament, player: usize) -> Result<(), String> {
        let name = &tournament.players[player].name;
        if !self.busy.insert(player) {
            return Err(format!(
                "'{name}' is paired twice in this round; several games of a pair are written as \
                 \"1-0 0-1\""
            ));
        }
        if tournament.format == TournamentFormat::Knockout && self.out.contains(&player) {
            return Err(format!("'{name}' has lost a match and is out"));
        }
        Ok(())
    }
}

fn is_round_robin(format: TournamentFormat) -> bool {
    !matches!(format, TournamentFormat::Swiss | TournamentFormat::Knockout)
}
