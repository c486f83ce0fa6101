//! How a match stands: points, shares, intervals, and the difference in strength.

use std::collections::HashSet;

use serde::Serialize;

use super::boards::{Board, Comparison, comparisons};
use super::units::{luckless_payoff_of_player, payoff_of_player, score_of_player, units};
use super::{MatchPlan, PlayedGame};
use crate::statistics::{
    CONFIDENCE, Counts, Elo, Interval, Mean, Moments, Pairing, Ratings, Score, SprtState,
};

/// What a player has achieved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// Games it took part in.
    pub games: u64,
    /// Games it won alone; in games for one player, boards on which nobody else scored as much.
    pub wins: u64,
    /// Games whose win was shared; in games for one player, boards on which somebody else scored
    /// as much and nobody more.
    pub draws: u64,
    /// Games in which it got nothing; in games for one player, boards on which somebody scored
    /// more.
    pub losses: u64,
    /// A win is one point, a shared win a part of one.
    pub points: f64,
    /// Points for each game, where games are paired of the finished rounds.
    pub share: f64,
    /// Where the true share lies with 95% confidence.
    pub interval: Interval,
    /// What it got for a game on the average, in the units of the game; a game lost by a fault
    /// costs one.
    pub payoff: Mean,
    /// The same without the luck of chance events, if the match tells it: as true, with less noise.
    pub payoff_without_luck: Option<Mean>,
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
    /// Games that differ from all others in their moves or in who sat where. The statistics take
    /// games for independent, and repeated ones are not.
    pub different: u64,
    /// Each player, in the order of the plan.
    pub players: Vec<PlayerSummary>,
    /// For three players or more at two seats: ratings by Bradley and Terry.
    pub ratings: Option<Ratings>,
    /// For two players at two seats: games or pairs by the first player's score.
    pub counts: Option<Counts>,
    /// For two players: the first player's advantage. Nothing in games for one player, which nobody
    /// wins.
    pub elo: Option<Elo>,
    /// In games for one player: how the scores of each two compare on the same boards.
    pub comparisons: Option<Vec<Comparison>>,
    /// The sequential test, if the match has one.
    pub sprt: Option<SprtState>,
}

impl Summary {
    pub(super) fn new<'a>(
        plan: &MatchPlan,
        seats: usize,
        games: impl Iterator<Item = &'a PlayedGame> + Clone,
    ) -> Summary {
        let size = plan.games_in_a_unit(seats);
        let mut players: Vec<PlayerSummary> = (0..plan.players.len())
            .map(|player| player_summary(plan, size, player, games.clone()))
            .collect();
        if seats == 1 {
            rank_by_board(&mut players, &Board::of(plan.players.len(), games.clone()));
        }
        let of_two = plan.players.len() == 2 && seats == 2;
        let counts = of_two.then(|| {
            let mut counts = match plan.paired {
                true => Counts::pairs(),
                false => Counts::games(),
            };
            let units = units(size, games.clone(), |game| score_of_player(game, 0));
            for unit in units.iter().filter(|unit| unit.full) {
                // Wins, draws and losses of two players have no other scores.
                let _ = counts.add(unit.score);
            }
            counts
        });
        Summary {
            games: games.clone().count() as u64,
            different: games
                .clone()
                .map(|game| (&game.seats, &game.position, &game.moves))
                .collect::<HashSet<_>>()
                .len() as u64,
            ratings: (plan.players.len() > 2 && seats == 2)
                .then(|| ratings(plan.players.len(), games.clone())),
            elo: (plan.players.len() == 2 && seats > 1)
                .then(|| Elo::from(&score_of(size, 0, games.clone()))),
            comparisons: (seats == 1).then(|| {
                let names: Vec<&str> = plan.players.iter().map(|p| p.name.as_str()).collect();
                comparisons(&names, &Board::of(names.len(), games))
            }),
            sprt: plan
                .sprt
                .zip(counts)
                .map(|(sprt, counts)| sprt.state(&counts)),
            players,
            counts,
        }
    }
}

/// Players of a game for one have a part of the first place on each board.
fn rank_by_board(players: &mut [PlayerSummary], boards: &[Board]) {
    for (player, summary) in players.iter_mut().enumerate() {
        let parts = boards
            .iter()
            .filter_map(|board| board.part_of_first(player));
        let parts: Vec<f64> = parts.collect();
        let count = |is_one: fn(f64) -> bool| parts.iter().filter(|&&p| is_one(p)).count() as u64;
        summary.wins = count(|part| part == 1.0);
        summary.losses = count(|part| part == 0.0);
        summary.draws = parts.len() as u64 - summary.wins - summary.losses;
        summary.points = parts.iter().sum();
        let score = Score::new(&parts.into_iter().collect(), CONFIDENCE);
        (summary.share, summary.interval) = (score.mean, score.interval);
    }
}

/// Ratings from games at two seats.
pub fn ratings<'a>(players: usize, games: impl Iterator<Item = &'a PlayedGame>) -> Ratings {
    let pairings: Vec<Pairing> = games
        .filter_map(|game| match game.seats[..] {
            [player, opponent] if player != opponent => Some(Pairing {
                player,
                opponent,
                points: score_of_player(game, player)?,
                games: 1.0,
            }),
            _ => None,
        })
        .collect();
    Ratings::new(players, &pairings)
}

/// The score of a player.
fn score_of<'a>(size: u64, player: usize, games: impl Iterator<Item = &'a PlayedGame>) -> Score {
    let units = units(size, games, |game| score_of_player(game, player));
    let moments: Moments = units.iter().map(|unit| unit.score).collect();
    Score::new(&moments, CONFIDENCE)
}

/// What a player got for a game.
fn payoff_of<'a>(
    size: u64,
    games: impl Iterator<Item = &'a PlayedGame>,
    payoff: impl Fn(&PlayedGame) -> Option<f64>,
) -> Mean {
    let units = units(size, games, payoff);
    let moments: Moments = units.iter().map(|unit| unit.score).collect();
    Mean::new(&moments, CONFIDENCE)
}

fn player_summary<'a>(
    plan: &MatchPlan,
    size: u64,
    player: usize,
    games: impl Iterator<Item = &'a PlayedGame> + Clone,
) -> PlayerSummary {
    let played = games.clone().filter(|g| g.seats.contains(&player)).count() as u64;
    let score = score_of(size, player, games.clone());
    let mut summary = PlayerSummary {
        name: plan.players[player].name.clone(),
        spec: plan.players[player].spec.clone(),
        games: played,
        wins: 0,
        draws: 0,
        losses: 0,
        points: 0.0,
        share: score.mean,
        interval: score.interval,
        payoff: payoff_of(size, games.clone(), |game| payoff_of_player(game, player)),
        payoff_without_luck: plan.terms.luck.then(|| {
            let luckless = |game: &PlayedGame| luckless_payoff_of_player(game, player);
            payoff_of(size, games.clone(), luckless)
        }),
        faults: 0,
        moves: 0,
        nodes: 0,
        seconds: 0.0,
    };
    for game in games {
        match score_of_player(game, player) {
            Some(1.0) => summary.wins += 1,
            Some(0.0) => summary.losses += 1,
            Some(_) => summary.draws += 1,
            None => {}
        }
        summary.points += score_of_player(game, player).unwrap_or(0.0);
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
    summary
}
