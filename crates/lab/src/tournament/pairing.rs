//! Who meets whom: round robins by the circle method, and seeded knockouts.
//!
//! Players are numbered from zero. In a pair the first one moves first. In a round robin everybody
//! moves first as often as second, or once more or less where the number of games is odd.

/// One round of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Those who meet; the first one moves first.
    pub pairs: Vec<[usize; 2]>,
    /// Those without an opponent.
    pub byes: Vec<usize>,
}

/// All meet all once. With an odd number of players one sits out in each round.
pub fn round_robin(players: usize) -> Vec<Round> {
    if players < 2 {
        return Vec::new();
    }
    // All but one sit on a circle that turns by one seat each round; those opposite each other
    // meet. An odd player out meets the one in the middle, whom nobody plays.
    let circle = players - 1 + players % 2;
    let opposite = |round: usize| {
        let pairs = (1..=(circle - 1) / 2).map(move |k| {
            let pair = [(round + k) % circle, (round + circle - k) % circle];
            // Neighbouring distances change colours, so that they alternate from round to round.
            if k % 2 == 1 { pair } else { [pair[1], pair[0]] }
        });
        pairs.collect::<Vec<_>>()
    };
    (0..circle)
        .map(|round| {
            let mut pairs = opposite(round);
            if circle == players {
                return Round {
                    pairs,
                    byes: vec![round],
                };
            }
            let middle = if round % 2 == 0 {
                [round, circle]
            } else {
                [circle, round]
            };
            pairs.insert(0, middle);
            Round {
                pairs,
                byes: Vec::new(),
            }
        })
        .collect()
}

/// All meet all twice, the second time with colours reversed.
pub fn double_round_robin(players: usize) -> Vec<Round> {
    let mut rounds = round_robin(players);
    let reversed: Vec<Round> = rounds
        .iter()
        .map(|round| Round {
            pairs: round.pairs.iter().map(|&[a, b]| [b, a]).collect(),
            byes: round.byes.clone(),
        })
        .collect();
    rounds.extend(reversed);
    rounds
}

/// The first matches of a knockout, the strongest player being number zero: the best seeds can meet
/// in the last rounds only, and have no opponent at first if the number of players is no power of
/// two. The winners of neighbouring matches meet next.
pub fn bracket(players: usize) -> Vec<(usize, Option<usize>)> {
    if players < 2 {
        return (0..players).map(|only| (only, None)).collect();
    }
    let mut seeds = vec![0];
    while seeds.len() < players {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    seeds
        .chunks(2)
        .filter_map(|pair| {
            let (best, other) = (pair.iter().min()?, pair.iter().max()?);
            Some((*best, Some(*other).filter(|&seed| seed < players)))
        })
        .collect()
}

/// The next matches of a knockout from the winners of the last ones, in their order.
pub fn next_matches(winners: &[usize]) -> Vec<(usize, Option<usize>)> {
    let pairs = winners.chunks(2);
    pairs
        .filter_map(|pair| Some((*pair.first()?, pair.get(1).copied())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_meet_all_with_balanced_colours() {
        for players in 2..40 {
            let rounds = round_robin(players);
            assert_eq!(rounds.len(), players - 1 + players % 2);
            let mut met = HashSet::new();
            let mut firsts = vec![0_i32; players];
            for round in &rounds {
                let mut busy: Vec<usize> = round.pairs.iter().flatten().copied().collect();
                busy.extend(&round.byes);
                busy.sort_unstable();
                assert_eq!(busy, (0..players).collect::<Vec<_>>());
                for &[a, b] in &round.pairs {
                    assert!(met.insert([a.min(b), a.max(b)]));
                    firsts[a] += 1;
                    firsts[b] -= 1;
                }
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            let worst = if players % 2 == 0 { 1 } else { 0 };
            assert!(firsts.iter().all(|f| f.abs() == worst), "{firsts:?}");
        }
        assert!(round_robin(1).is_empty() && round_robin(0).is_empty());
    }

    #[test]
    fn twice_means_once_with_each_colour() {
        let mut seen = HashSet::new();
        for round in double_round_robin(7) {
            assert!(round.pairs.into_iter().all(|pair| seen.insert(pair)));
        }
        assert_eq!(seen.len(), 42);
    }

    #[test]
    fn seeds_meet_as_late_as_they_can() {
        let eight = [(0, Some(7)), (3, Some(4)), (1, Some(6)), (2, Some(5))];
        assert_eq!(bracket(8), eight);
        assert_eq!(bracket(5), [(0, None), (3, Some(4)), (1, None), (2, None)]);
        assert_eq!(bracket(2), [(0, Some(1))]);
        assert_eq!(bracket(1), [(0, None)]);
        for players in 2..70 {
            let mut matches = bracket(players);
            let mut left = players;
            while matches.len() > 1 || matches[0].1.is_some() {
                // The lower number wins, so the best that are left are the first ones.
                let mut winners: Vec<usize> = matches.iter().map(|m| m.0).collect();
                left = left.next_power_of_two() / 2;
                matches = next_matches(&winners);
                winners.sort_unstable();
                assert_eq!(winners, (0..left).collect::<Vec<_>>());
            }
        }
    }
}
