//! Crosstables as plain cells, to be drawn as text or in a page.
//!
//! Round robins show what everybody scored against everybody; Swiss tournaments show each round as
//! `4+`, `11-` or `5=`, the opponent's row and a sign for each game, and `0+` for a bye, as in
//! Table 1 of Wieczorek et al. (2013); knockouts list their matches.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::scoring::{Points, compare, show_points};
use super::standings::{Meeting, Standing};
use super::{Tournament, TournamentFormat};

/// A table of cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    /// What the columns hold.
    pub header: Vec<String>,
    /// One row for each player, the first one first, or for each match of a knockout.
    pub rows: Vec<Vec<String>>,
}

impl Crosstable {
    /// The table of a tournament.
    pub fn new(tournament: &Tournament, standings: &[Standing]) -> Crosstable {
        match tournament.format {
            TournamentFormat::Knockout => matches(tournament),
            TournamentFormat::Swiss => {
                let rounds = tournament.meetings.iter().map(Meeting::round).max();
                let columns = (1..=rounds.unwrap_or(0)).map(|round| format!("R{round}"));
                framed(tournament, standings, columns.collect(), |rows, player| {
                    rounds_of(tournament, rows, player)
                })
            }
            TournamentFormat::RoundRobin
            | TournamentFormat::DoubleRoundRobin
            | TournamentFormat::RoundRobinFinal => {
                let mut columns: Vec<String> =
                    (1..=standings.len()).map(|n| n.to_string()).collect();
                let decided = tournament.final_round().is_some();
                columns.extend(decided.then(|| "final".to_string()));
                framed(tournament, standings, columns, |rows, player| {
                    scores_of(tournament, rows, player)
                })
            }
        }
    }
}

/// The columns that all tables of players have, around those in the middle.
fn framed(
    tournament: &Tournament,
    standings: &[Standing],
    columns: Vec<String>,
    cells: impl Fn(&[usize], usize) -> Vec<String>,
) -> Crosstable {
    let mut rows_of = vec![0; tournament.players.len()];
    for (row, standing) in standings.iter().enumerate() {
        rows_of[standing.player] = row;
    }
    // Where all places differ they are the numbers of the rows.
    let shared = standings.iter().any(|s| s.shared);
    let place = shared.then(|| "place".to_string());
    let tie_breaks = &tournament.rules.tie_breaks;
    let header = ["#".to_string()]
        .into_iter()
        .chain(place)
        .chain(["name".to_string()])
        .chain(columns)
        .chain(["points".to_string()])
        .chain(tie_breaks.iter().map(|t| t.name().to_string()))
        .collect();
    let row = |(number, standing): (usize, &Standing)| {
        [number.to_string()]
            .into_iter()
            .chain(shared.then(|| standing.place_text()))
            .chain([tournament.players[standing.player].name.clone()])
            .chain(cells(&rows_of, standing.player))
            .chain([show_points(standing.points)])
            .chain(
                standing
                    .tie_breaks
                    .iter()
                    .map(|v| v.map_or(String::new(), show_points)),
            )
            .collect()
    };
    Crosstable {
        header,
        rows: (1..).zip(standings).map(row).collect(),
    }
}

/// What a player scored against each of the others, in the order of the rows, and in the final.
fn scores_of(tournament: &Tournament, rows: &[usize], player: usize) -> Vec<String> {
    let last = tournament.final_round();
    let mut scores: Vec<Option<Points>> = vec![None; rows.len() + usize::from(last.is_some())];
    for (opponent, points, round) in games_of(tournament, player) {
        let at = if Some(round) == last {
            rows.len()
        } else {
            rows[opponent]
        };
        *scores[at].get_or_insert_default() += points[0];
    }
    let mut cells: Vec<String> = scores
        .into_iter()
        .map(|score| score.map_or(String::new(), show_points))
        .collect();
    cells[rows[player]] = "x".to_string();
    cells
}

/// What a player did in each round.
fn rounds_of(tournament: &Tournament, rows: &[usize], player: usize) -> Vec<String> {
    let rounds = tournament.meetings.iter().map(Meeting::round).max();
    let mut cells = vec![String::new(); rounds.unwrap_or(0) as usize];
    for (opponent, points, round) in games_of(tournament, player) {
        let cell = &mut cells[round as usize - 1];
        if cell.is_empty() {
            *cell = (rows[opponent] + 1).to_string();
        }
        cell.push(match compare(points) {
            Ordering::Greater => '+',
            Ordering::Equal => '=',
            Ordering::Less => '-',
        });
    }
    let worth = tournament.rules.bye;
    for meeting in &tournament.meetings {
        if let Meeting::Bye { round, player: who } = *meeting
            && who == player
        {
            let rules = &tournament.rules;
            let all = rules.scoring.win() * i128::from(rules.games);
            let sign = match worth.cmp(&all) {
                Ordering::Less if worth == Points::ZERO => "-",
                Ordering::Less => "=",
                _ => "+",
            };
            cells[round as usize - 1] = format!("0{sign}");
        }
    }
    cells
}

/// The games of a player in the order of the file, with the points from the player's side.
fn games_of(
    tournament: &Tournament,
    player: usize,
) -> impl Iterator<Item = (usize, [Points; 2], u32)> {
    tournament.meetings.iter().filter_map(move |meeting| {
        let Meeting::Game {
            round,
            players,
            points: [first, second],
        } = *meeting
        else {
            return None;
        };
        match players {
            [a, b] if a == player => Some((b, [first, second], round)),
            [a, b] if b == player => Some((a, [second, first], round)),
            _ => None,
        }
    })
}

/// The matches of a knockout, round by round in the order of the file.
fn matches(tournament: &Tournament) -> Crosstable {
    let name = |player: usize| tournament.players[player].name.clone();
    let mut rows: Vec<(u32, [usize; 2], [Points; 2])> = Vec::new();
    let mut seeded = BTreeSet::new();
    let mut at: BTreeMap<(u32, [usize; 2]), usize> = BTreeMap::new();
    let mut table = Vec::new();
    for meeting in &tournament.meetings {
        match *meeting {
            Meeting::Bye { round, player } => {
                table.push((round, [name(player), String::new(), "bye".to_string()]));
            }
            Meeting::Seeded {
                round,
                players: [on, _],
            } => {
                seeded.insert((round, on));
            }
            Meeting::Game {
                round,
                players: [a, b],
                points: [first, second],
            } => {
                // Colours change within a match, its players do not.
                let (pair, points) = if at.contains_key(&(round, [b, a])) {
                    ([b, a], [second, first])
                } else {
                    ([a, b], [first, second])
                };
                let row = *at.entry((round, pair)).or_insert(rows.len());
                match rows.get_mut(row) {
                    Some((_, _, total)) => {
                        total[0] += points[0];
                        total[1] += points[1];
                    }
                    None => rows.push((round, pair, points)),
                }
            }
        }
    }
    table.extend(rows.into_iter().map(|(round, [a, b], [first, second])| {
        let score = format!("{}-{}", show_points(first), show_points(second));
        let by_seed = [a, b].into_iter().find(|p| seeded.contains(&(round, *p)));
        let decided = by_seed.map_or(String::new(), |p| format!(" (seed: {})", name(p)));
        (round, [name(a), name(b), score + &decided])
    }));
    table.sort_by_key(|(round, _)| *round);
    let row =
        |(round, cells): (u32, [String; 3])| [round.to_string()].into_iter().chain(cells).collect();
    Crosstable {
        header: ["round", "name", "opponent", "score"]
            .map(str::to_string)
            .to_vec(),
        rows: table.into_iter().map(row).collect(),
    }
}
