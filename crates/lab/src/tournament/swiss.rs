//! Swiss pairings: players with equal points meet, and nobody meets the same opponent twice.
//!
//! From the top down everybody gets the opponent that suits best among those who leave the others
//! with a pairing; whether one is left is known from a maximum matching. So a pairing without
//! repetitions is found whenever there is one, and otherwise one with the fewest. Within a group of
//! equal points the upper half meets the lower one, as in the Dutch system of the chess federation.

use std::cmp::Reverse;

use super::matching::Matching;
use super::pairing::Round;
use super::scoring::Points;
use super::standings::Meeting;

/// The largest difference between the games in which a player moves first and moves second.
const COLOUR_BALANCE: i64 = 2;

/// What the earlier rounds say about pairing.
struct Past {
    players: usize,
    /// How often each pair has met.
    met: Vec<u32>,
    byes: Vec<u32>,
    /// How much more often somebody moved first than second.
    firsts: Vec<i64>,
    /// Whether somebody moved first in the last game.
    moved_first: Vec<bool>,
}

impl Past {
    fn new(players: usize, meetings: &[Meeting]) -> Past {
        let mut past = Past {
            players,
            met: vec![0; players * players],
            byes: vec![0; players],
            firsts: vec![0; players],
            moved_first: vec![false; players],
        };
        for meeting in meetings {
            match *meeting {
                Meeting::Bye { player, .. } => past.byes[player] += 1,
                Meeting::Seeded { .. } => {}
                Meeting::Game {
                    players: [first, second],
                    ..
                } => {
                    past.met[first * players + second] += 1;
                    past.met[second * players + first] += 1;
                    past.firsts[first] += 1;
                    past.firsts[second] -= 1;
                    past.moved_first[first] = true;
                    past.moved_first[second] = false;
                }
            }
        }
        past
    }

    fn met(&self, a: usize, b: usize) -> u32 {
        self.met[a * self.players + b]
    }

    /// Whether one of the two would move first, or second, too often.
    fn unbalances(&self, a: usize, b: usize) -> bool {
        let both = [self.firsts[a], self.firsts[b]];
        both.iter().all(|f| *f >= COLOUR_BALANCE) || both.iter().all(|f| *f <= -COLOUR_BALANCE)
    }

    /// The pair, with the one first who moved first less often, or not in the last game, or who
    /// stands higher.
    fn coloured(&self, higher: usize, lower: usize) -> [usize; 2] {
        let due = |player: usize| (self.firsts[player], self.moved_first[player]);
        if due(lower) < due(higher) {
            [lower, higher]
        } else {
            [higher, lower]
        }
    }
}

/// The next round, from everybody's points so far and all that was played. Equal points are ordered
/// by the players' numbers. With an odd number of players the lowest of those who have had no bye,
/// or the fewest, gets one.
///
/// # Panics
///
/// If a meeting names a player who is not there.
pub fn swiss_round(points: &[Points], meetings: &[Meeting]) -> Round {
    let players = points.len();
    let past = Past::new(players, meetings);
    let mut ranked: Vec<usize> = (0..players).collect();
    ranked.sort_by_key(|&player| Reverse(points[player]));
    // From here on players are called by their rank.
    let fresh = |a: usize, b: usize| past.met(ranked[a], ranked[b]) == 0;
    let balanced = |a: usize, b: usize| fresh(a, b) && !past.unbalances(ranked[a], ranked[b]);

    let mut bye = None;
    if players % 2 == 1 {
        let had = |rank: &usize| past.byes[ranked[*rank]];
        let fewest = (0..players).map(|rank| had(&rank)).min();
        let candidates = (0..players).rev().filter(|rank| Some(had(rank)) == fewest);
        bye = fewest_exposed(candidates, |rank| {
            Matching::new(players, Some(rank), &fresh).exposed()
        });
    }
    let strict = Matching::new(players, bye, &balanced);
    let pairs = if strict.exposed() == 0 {
        from_the_top(strict, bye, &balanced, points, &ranked, &past)
    } else {
        let loose = Matching::new(players, bye, &fresh);
        from_the_top(loose, bye, &fresh, points, &ranked, &past)
    };
    Round {
        pairs: pairs
            .into_iter()
            .map(|[a, b]| past.coloured(ranked[a], ranked[b]))
            .collect(),
        byes: bye.iter().map(|&rank| ranked[rank]).collect(),
    }
}

/// The first candidate that leaves the fewest without an opponent.
fn fewest_exposed(
    candidates: impl Iterator<Item = usize>,
    exposed: impl Fn(usize) -> usize,
) -> Option<usize> {
    let mut best = None;
    for candidate in candidates {
        let left = exposed(candidate);
        if best.is_none_or(|(fewest, _)| left < fewest) {
            best = Some((left, candidate));
        }
        if left == 0 {
            break;
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Pairs everybody but the bye by rank. As many pairs are no edges as the matching leaves exposed.
fn from_the_top(
    mut matching: Matching,
    bye: Option<usize>,
    edge: &impl Fn(usize, usize) -> bool,
    points: &[Points],
    ranked: &[usize],
    past: &Past,
) -> Vec<[usize; 2]> {
    let mut repeats = matching.exposed() / 2;
    let mut left: Vec<usize> = (0..ranked.len())
        .filter(|rank| Some(*rank) != bye)
        .collect();
    let mut pairs = Vec::with_capacity(left.len() / 2);
    while left.len() >= 2 {
        let top = left.remove(0);
        let score = |rank: usize| points[ranked[rank]];
        let equals = left.iter().filter(|&&r| score(r) == score(top)).count();
        // In a group of this size the best meets the first of the lower half. A group of one meets
        // the best of the next.
        let ideal = equals.div_ceil(2).max(1) - 1;
        let mut candidates: Vec<(usize, usize)> = left.iter().copied().zip(0..).collect();
        candidates.sort_by_key(|&(rank, at)| {
            let pair = [ranked[top], ranked[rank]];
            let wants = pair.map(|player| past.firsts[player].signum());
            (
                past.met(pair[0], pair[1]),
                score(top) - score(rank),
                wants[0] != 0 && wants[0] == wants[1],
                at.abs_diff(ideal),
                at,
            )
        });
        for &(rank, at) in &candidates {
            let spent = usize::from(!edge(top, rank));
            if spent > repeats {
                continue;
            }
            let rest = matching.without([top, rank], edge);
            if rest.exposed() <= 2 * (repeats - spent) {
                repeats -= spent;
                matching = rest;
                left.remove(at);
                pairs.push([top, rank]);
                break;
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::Ratio;
    use proptest::prelude::*;

    fn game(round: u32, players: [usize; 2], first_wins: bool) -> Meeting {
        let win = [Ratio::ONE, Ratio::ZERO];
        Meeting::Game {
            round,
            players,
            points: if first_wins { win } else { [win[1], win[0]] },
        }
    }

    /// The fewest pairs that are not allowed, by trying all pairings.
    fn exhaustive(left: &[usize], allowed: &impl Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = left.split_first() else {
            return 0;
        };
        let with = |i: usize| {
            let mut others = rest.to_vec();
            let other = others.remove(i);
            usize::from(!allowed(first, other)) + exhaustive(&others, allowed)
        };
        (0..rest.len()).map(with).min().unwrap_or(0)
    }

    fn everybody(round: &Round) -> Vec<usize> {
        let mut all: Vec<usize> = round.pairs.iter().flatten().copied().collect();
        all.extend(&round.byes);
        all.sort_unstable();
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// After any past whatever everybody is paired once, the bye goes to one who has had the
        /// fewest, and no pairing has fewer repetitions or, without any, better balanced colours.
        #[test]
        fn no_pairing_is_better(
            players in 1_usize..9,
            past in proptest::collection::vec((0_usize..8, 0_usize..8), 0..30),
            byes in proptest::collection::vec(0_usize..8, 0..6),
            points in proptest::collection::vec(0_i128..4, 8),
        ) {
            let meetings: Vec<Meeting> = past
                .into_iter()
                .filter(|&(a, b)| a != b && a < players && b < players)
                .map(|(a, b)| game(1, [a, b], true))
                .chain(
                    byes.into_iter()
                        .filter(|&p| p < players)
                        .map(|player| Meeting::Bye { round: 1, player }),
                )
                .collect();
            let points = points[..players].iter().map(|&p| Ratio::from_integer(p));
            let points: Vec<Points> = points.collect();
            let round = swiss_round(&points, &meetings);
            prop_assert_eq!(everybody(&round), (0..players).collect::<Vec<_>>());
            prop_assert_eq!(round.byes.len(), players % 2);

            let past = Past::new(players, &meetings);
            let fresh = |a: usize, b: usize| past.met(a, b) == 0;
            let balanced = |a: usize, b: usize| fresh(a, b) && !past.unbalances(a, b);
            let without = |bye: Option<usize>| -> Vec<usize> {
                (0..players).filter(|p| Some(*p) != bye).collect()
            };
            let fewest = past.byes.iter().min();
            let repeats = |round: &Round| round.pairs.iter().filter(|p| !fresh(p[0], p[1])).count();
            let possible = match round.byes.first() {
                None => exhaustive(&without(None), &fresh),
                Some(&bye) => {
                    prop_assert_eq!(Some(&past.byes[bye]), fewest);
                    let candidates = (0..players).filter(|&p| Some(&past.byes[p]) == fewest);
                    candidates.map(|p| exhaustive(&without(Some(p)), &fresh)).min().unwrap()
                }
            };
            prop_assert_eq!(repeats(&round), possible);
            let bye = round.byes.first().copied();
            if exhaustive(&without(bye), &balanced) == 0 {
                prop_assert!(round.pairs.iter().all(|p| balanced(p[0], p[1])));
            }
        }
    }

    /// The usual course of things: nobody meets twice, has two byes or plays one colour only.
    #[test]
    fn whole_tournaments_are_paired() {
        for players in [9_usize, 17, 100] {
            let mut points = vec![Ratio::ZERO; players];
            let mut meetings = Vec::new();
            for number in 1..=7 {
                let round = swiss_round(&points, &meetings);
                for &pair in &round.pairs {
                    // Stronger players have smaller numbers, but for an upset now and then.
                    let first_wins = (pair[0] < pair[1]) == ((pair[0] + pair[1]) % 5 != 0);
                    points[pair[usize::from(!first_wins)]] += 1;
                    meetings.push(game(number, pair, first_wins));
                }
                for &player in &round.byes {
                    points[player] += 1;
                    meetings.push(Meeting::Bye {
                        round: number,
                        player,
                    });
                }
            }
            let past = Past::new(players, &meetings);
            assert!(past.met.iter().all(|&often| often <= 1));
            assert!(past.byes.iter().all(|&byes| byes <= 1));
            assert!(past.firsts.iter().all(|f| f.abs() <= COLOUR_BALANCE));
        }
    }

    /// Equal points: the upper half meets the lower one. The odd one out of a group meets the best
    /// of the next.
    #[test]
    fn groups_are_folded() {
        let pairs = |points: &[i128]| {
            let points: Vec<Points> = points.iter().map(|&p| Ratio::from_integer(p)).collect();
            let mut round = swiss_round(&points, &[]);
            round.pairs.iter_mut().for_each(|pair| pair.sort_unstable());
            (round.pairs, round.byes)
        };
        let folded = vec![[0, 3], [1, 4], [2, 5]];
        assert_eq!(pairs(&[0; 6]), (folded.clone(), vec![]));
        assert_eq!(pairs(&[0; 7]), (folded, vec![6]));
        assert_eq!(
            pairs(&[2, 2, 2, 1, 1, 0]),
            (vec![[0, 1], [2, 3], [4, 5]], vec![])
        );
        assert_eq!(pairs(&[0, 1, 2, 3, 4]), (vec![[3, 4], [1, 2]], vec![0]));
        assert_eq!(pairs(&[]), (vec![], vec![]));
    }
}
