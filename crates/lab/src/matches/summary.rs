//! How a match stands: points, shares, intervals, and the difference in strength.

use serde::Serialize;

use super::{Plan, Played};
use crate::statistics::{
    CONFIDENCE, Counts, Elo, Interval, Moments, Pairing, Ratings, Score, SprtState,
};
use crate::tournament::Points;

/// What a player has achieved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// Games it took part in.
    pub games: u64,
    /// Games it won alone.
    pub wins: u64,
    /// Games whose win was shared.
    pub draws: u64,
    /// Games in which it got nothing.
    pub losses: u64,
    /// A win is one point, a shared win a part of one.
    pub points: f64,
    /// Points for each game.
    pub share: f64,
    /// Where the true share lies with 95% confidence.
    pub interval: Interval,
    /// Games lost by a fault.
    pub faults: u64,
    /// Moves it was asked for.
    pub moves: u64,
    /// Nodes it visited, as far as it told.
    pub nodes: u64,
    /// Seconds it thought.
    pub seconds: f64,
}

/// How a match stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Each player, in the order of the plan.
    pub players: Vec<PlayerSummary>,
    /// For three players or more at two seats: ratings by Bradley and Terry.
    pub ratings: Option<Ratings>,
    /// For two players at two seats: games or pairs by the first player's score.
    pub counts: Option<Counts>,
    /// For two players: the first player's advantage.
    pub elo: Option<Elo>,
    /// The sequential test, if the match has one.
    pub sprt: Option<SprtState>,
}

/// What a player scored in a game: the part of the win that fell to its seats. Nothing if it was
/// not there.
fn score(game: &Played, player: usize) -> Option<f64> {
    if !game.seats.contains(&player) {
        return None;
    }
    let points = game.shares()?;
    let own = game.seats.iter().zip(points).filter(|(p, _)| **p == player);
    let sum: Points = own.map(|(_, points)| points).sum();
    Some(*sum.numer() as f64 / *sum.denom() as f64)
}

/// The mean score of a player in the games of a unit that it took part in.
pub(super) fn unit_score<'a>(
    games: impl IntoIterator<Item = &'a Played>,
    player: usize,
) -> Option<f64> {
    let scores: Moments = games.into_iter().filter_map(|g| score(g, player)).collect();
    (scores.count() > 0).then(|| scores.mean())
}

impl Summary {
    pub(super) fn new<'a>(
        plan: &Plan,
        seatings: &[Vec<usize>],
        games: impl Iterator<Item = &'a Played> + Clone,
    ) -> Summary {
        let size = plan.games_in_a_unit(seatings);
        let players = (0..plan.players.len())
            .map(|player| player_summary(plan, size, player, games.clone()))
            .collect();
        let of_two = plan.players.len() == 2 && seatings.first().is_some_and(|s| s.len() == 2);
        let counts = of_two.then(|| {
            let mut counts = match plan.paired {
                true => Counts::pairs(),
                false => Counts::games(),
            };
            for unit in units(size, 0, games.clone()).filter(|unit| unit.full) {
                let _ = counts.add(unit.score);
            }
            counts
        });
        Summary {
            games: games.clone().count() as u64,
            ratings: (plan.players.len() > 2 && seatings.first().is_some_and(|s| s.len() == 2))
                .then(|| ratings(plan.players.len(), games.clone())),
            elo: (plan.players.len() == 2).then(|| Elo::from(&score_of(size, 0, games))),
            sprt: plan
                .sprt
                .zip(counts)
                .map(|(sprt, counts)| sprt.state(&counts)),
            players,
            counts,
        }
    }
}

/// Ratings from games at two seats.
pub fn ratings<'a>(players: usize, games: impl Iterator<Item = &'a Played>) -> Ratings {
    let pairings: Vec<Pairing> = games
        .filter_map(|game| match game.seats[..] {
            [player, opponent] if player != opponent => Some(Pairing {
                player,
                opponent,
                points: score(game, player)?,
                games: 1.0,
            }),
            _ => None,
        })
        .collect();
    Ratings::new(players, &pairings)
}

/// What a player did in a unit.
struct Unit {
    score: f64,
    /// Games it took part in.
    games: u64,
    /// Whether all games of the unit are there.
    full: bool,
}

/// The units of a player one by one.
fn units<'a>(
    size: u64,
    player: usize,
    games: impl Iterator<Item = &'a Played>,
) -> impl Iterator<Item = Unit> {
    let mut games = games.peekable();
    std::iter::from_fn(move || {
        let number = games.peek()?.number / size;
        let mut unit = Vec::new();
        while let Some(game) = games.next_if(|game| game.number / size == number) {
            unit.push(game);
        }
        let own = unit.iter().filter(|game| game.seats.contains(&player));
        let (games, full) = (own.count() as u64, unit.len() as u64 == size);
        Some(unit_score(unit, player).map(|score| Unit { score, games, full }))
    })
    .flatten()
}

/// The score of a player. A round that is not finished is left out as long as there are others: it
/// may lack just the games that one side is expected to win.
fn score_of<'a>(
    size: u64,
    player: usize,
    games: impl Iterator<Item = &'a Played> + Clone,
) -> Score {
    let any_full = units(size, player, games.clone()).any(|unit| unit.full);
    let mut moments = Moments::default();
    let mut played = 0;
    for unit in units(size, player, games).filter(|unit| unit.full || !any_full) {
        moments.add(unit.score);
        played += unit.games;
    }
    Score::new(&moments, played, CONFIDENCE)
}

fn player_summary<'a>(
    plan: &Plan,
    size: u64,
    player: usize,
    games: impl Iterator<Item = &'a Played> + Clone,
) -> PlayerSummary {
    let played = games.clone().filter(|g| g.seats.contains(&player)).count() as u64;
    let mut summary = PlayerSummary {
        name: plan.players[player].name.clone(),
        spec: plan.players[player].spec.clone(),
        games: played,
        wins: 0,
        draws: 0,
        losses: 0,
        points: 0.0,
        share: 0.5,
        interval: score_of(size, player, games.clone()).interval,
        faults: 0,
        moves: 0,
        nodes: 0,
        seconds: 0.0,
    };
    for game in games {
        let Some(score) = score(game, player) else {
            continue;
        };
        summary.points += score;
        match score {
            1.0 => summary.wins += 1,
            0.0 => summary.losses += 1,
            _ => summary.draws += 1,
        }
        let at_fault = game.forfeit().and_then(|seat| game.seats.get(seat));
        summary.faults += u64::from(at_fault == Some(&player));
        for (effort, _) in game
            .efforts
            .iter()
            .zip(&game.seats)
            .filter(|(_, p)| **p == player)
        {
            summary.moves += u64::from(effort.moves);
            summary.nodes = summary.nodes.saturating_add(effort.nodes);
            summary.seconds += effort.seconds;
        }
    }
    if played > 0 {
        summary.share = summary.points / played as f64;
    }
    summary
}
