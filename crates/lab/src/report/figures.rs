//! The figures of a report, computed from the stored games.

use std::collections::BTreeMap;

use crate::export::StoredRun;
use crate::matches::PlayedGame;
use crate::matches::units::{score_of_player, score_of_seat, units};
use crate::statistics::{CONFIDENCE, Counts, Moments, Pairing, Score, Sprt};
use crate::tournament::{
    Crosstable, Meeting, Points, Scoring, Standing, TieBreak, TournamentRules, show_points,
    standings,
};

/// How a score developed: the games so far, and the score after them.
pub(super) fn running(
    games: &[PlayedGame],
    size: u64,
    score: impl Fn(&PlayedGame) -> Option<f64>,
) -> Vec<(u64, Score)> {
    let mut moments = Moments::default();
    let mut played = 0;
    units(size, games, score)
        .into_iter()
        .map(|unit| {
            moments.add(unit.score);
            played += unit.games;
            (played, Score::new(&moments, CONFIDENCE))
        })
        .collect()
}

/// How the log-likelihood ratio of a sequential test developed: the games so far, and the ratio
/// after them.
pub(super) fn ratios(
    games: &[PlayedGame],
    size: u64,
    paired: bool,
    test: &Sprt,
) -> Vec<(u64, f64)> {
    let mut counts = match paired {
        true => Counts::pairs(),
        false => Counts::games(),
    };
    let (mut played, mut ratios) = (0, vec![(0, 0.0)]);
    for unit in units(size, games, |game| score_of_player(game, 0)) {
        played += unit.games;
        if unit.full && counts.add(unit.score) {
            ratios.push((played, test.state(&counts).log_likelihood_ratio));
        }
    }
    ratios
}

/// What each seat scored in this many games, whoever sat there.
pub(super) fn by_seat(games: &[PlayedGame], size: u64) -> Vec<(u64, Score)> {
    let seats = games.iter().map(|game| game.seats.len()).max();
    (0..seats.unwrap_or(0))
        .map(|seat| {
            let last = running(games, size, |game| score_of_seat(game, seat)).pop();
            last.unwrap_or_else(|| (0, Score::new(&Moments::default(), CONFIDENCE)))
        })
        .collect()
}

/// What players of a game for two scored against each other, in the order in which they met.
pub(super) fn meetings(stored: &StoredRun) -> Vec<Meeting> {
    let known = |player: usize| player < stored.players.len();
    let meeting = |game: &PlayedGame| match (&game.seats[..], game.shares().as_deref()) {
        (&[first, second], Some(&[a, b])) if known(first) && known(second) && first != second => {
            Some(Meeting::Game {
                round: u32::try_from(game.round).unwrap_or(u32::MAX),
                players: [first, second],
                points: [a, b],
            })
        }
        _ => None,
    };
    stored.games.iter().filter_map(meeting).collect()
}

/// The totals of each pair, the player with the lower number first.
pub(super) fn pairings(meetings: &[Meeting]) -> Vec<Pairing> {
    let mut totals: BTreeMap<(usize, usize), (Points, u64)> = BTreeMap::new();
    for meeting in meetings {
        let Meeting::Game {
            players: [a, b],
            points,
            ..
        } = *meeting
        else {
            continue;
        };
        let (pair, own) = if a < b {
            ((a, b), points[0])
        } else {
            ((b, a), points[1])
        };
        let total = totals.entry(pair).or_insert((Points::ZERO, 0));
        total.0 += own;
        total.1 += 1;
    }
    let pairing =
        |((player, opponent), (points, games)): ((usize, usize), (Points, u64))| Pairing {
            player,
            opponent,
            points: *points.numer() as f64 / *points.denom() as f64,
            games: games as f64,
        };
    totals.into_iter().map(pairing).collect()
}

/// The order of the players by what they scored, with the tie-breaks of a crosstable.
pub(super) fn ranking(players: usize, meetings: &[Meeting]) -> (Vec<Standing>, TournamentRules) {
    let rules = TournamentRules {
        // Two players have met nobody else.
        tie_breaks: match players {
            0..=2 => Vec::new(),
            _ => vec![TieBreak::SonnebornBerger, TieBreak::Wins],
        },
        ..TournamentRules::new(Scoring::classical())
    };
    (standings(players, meetings, &rules), rules)
}

/// Everybody against everybody: points, and games where they differ from pair to pair.
pub(super) fn crosstable(stored: &StoredRun) -> Option<Crosstable> {
    let meetings = meetings(stored);
    if meetings.is_empty() {
        return None;
    }
    let (ranked, rules) = ranking(stored.players.len(), &meetings);
    let mut totals: BTreeMap<(usize, usize), Points> = BTreeMap::new();
    for meeting in &meetings {
        if let Meeting::Game {
            players: [a, b],
            points,
            ..
        } = *meeting
        {
            *totals.entry((a, b)).or_insert(Points::ZERO) += points[0];
            *totals.entry((b, a)).or_insert(Points::ZERO) += points[1];
        }
    }
    let header = ["#".to_string(), "name".to_string()]
        .into_iter()
        .chain((1..=ranked.len()).map(|number| number.to_string()))
        .chain(["points".to_string(), "games".to_string()])
        .chain(rules.tie_breaks.iter().map(|t| t.name().to_string()))
        .collect();
    let row = |standing: &Standing| {
        let cells = ranked
            .iter()
            .map(|other| match totals.get(&(standing.player, other.player)) {
                Some(points) => show_points(*points),
                None if other.player == standing.player => "×".to_string(),
                None => String::new(),
            });
        let tie_breaks = standing.tie_breaks.iter();
        [
            standing.place_text(),
            stored.name(standing.player).to_string(),
        ]
        .into_iter()
        .chain(cells)
        .chain([show_points(standing.points), standing.played.to_string()])
        .chain(tie_breaks.map(|value| value.map_or(String::new(), show_points)))
        .collect()
    };
    Some(Crosstable {
        header,
        rows: ranked.iter().map(row).collect(),
    })
}

/// How many games had how many plies, in at most this many bins of equal width: each as its first
/// length, the length after its last, and a count.
pub(super) fn lengths(games: &[PlayedGame], most: usize) -> Vec<(usize, usize, usize)> {
    let plies: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    let (Some(&shortest), Some(&longest)) = (plies.iter().min(), plies.iter().max()) else {
        return Vec::new();
    };
    let width = (longest - shortest + 1).div_ceil(most.max(1)).max(1);
    let bins = (longest - shortest) / width + 1;
    let mut counts = vec![0; bins];
    for length in plies {
        if let Some(count) = counts.get_mut((length - shortest) / width) {
            *count += 1;
        }
    }
    let bin = |(number, count)| {
        let first = shortest + number * width;
        (first, first + width, count)
    };
    counts.into_iter().enumerate().map(bin).collect()
}
