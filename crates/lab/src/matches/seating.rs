//! Who sits where: every way to seat the players, so that no seat favours anybody.
//!
//! With as many players as seats or fewer, every player takes part in every game: these are the
//! surjections from seats to players. For two kinds of players at n seats there are 2^n - 2 of them
//! (Schadd 2011, section 6.5), for n players n!. With more players than seats every ordered choice
//! of players has its game, which for two seats is a double round robin.

/// All seatings in a fixed order; each lists the player of every seat.
pub fn seatings(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut seating = Vec::with_capacity(seats);
    extend(players, seats, &mut seating, &mut all);
    all
}

fn extend(players: usize, seats: usize, seating: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    let missing = (0..players).filter(|p| !seating.contains(p)).count();
    let free = seats - seating.len();
    if free == 0 {
        all.push(seating.clone());
        return;
    }
    for player in 0..players {
        let is_new = !seating.contains(&player);
        // Somebody may sit twice only while all others still find a seat.
        if is_new || missing < free {
            seating.push(player);
            extend(players, seats, seating, all);
            seating.pop();
        }
    }
}

/// How many seatings there are, unless there are more than anybody would play.
pub fn count(players: usize, seats: usize) -> Option<u64> {
    const MAX_SEATINGS: u64 = 1_000_000;
    let falling = |n: u64, k: u64| (0..k).try_fold(1u64, |product, i| product.checked_mul(n - i));
    let (n, k) = (seats as u64, players as u64);
    let number = if k > n {
        falling(k, n)?
    } else {
        // By inclusion and exclusion over the players left out.
        let mut sum = 0i128;
        for out in 0..=k {
            let choices = i128::from(falling(k, out)?) / i128::from(falling(out, out)?);
            let ways = i128::from(k - out).checked_pow(u32::try_from(n).ok()?)?;
            let term = choices.checked_mul(ways)?;
            sum = sum.checked_add(if out % 2 == 0 { term } else { -term })?;
        }
        u64::try_from(sum).ok()?
    };
    (1..=MAX_SEATINGS).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Schadd (2011), section 6.5: 6, 14 and 62 assignments of two player types, and the games
    /// 1002 = 6 * 167, 1008 = 14 * 72 and 1054 = 62 * 17 of tables 6.1 to 6.5.
    #[test]
    fn assignments_of_schadd_section_6_5() {
        let counts = [2, 3, 4, 6].map(|seats| seatings(2, seats).len() as u64);
        assert_eq!(counts, [2, 6, 14, 62]);
        let games = counts.map(|n| 1000u64.div_ceil(n) * n);
        assert_eq!(games, [1000, 1002, 1008, 1054]);
    }

    #[test]
    fn seatings_are_complete_different_and_counted() {
        for players in 1..6 {
            for seats in 1..6 {
                let all = seatings(players, seats);
                let unique: HashSet<&Vec<usize>> = all.iter().collect();
                // Every way to fill the seats, one by one, without looking at who is missing.
                let expected = (0..players.pow(seats as u32))
                    .filter(|&code| {
                        let who: HashSet<usize> = (0..seats)
                            .map(|seat| code / players.pow(seat as u32) % players)
                            .collect();
                        who.len() == players.min(seats)
                    })
                    .count();
                assert_eq!(all.len(), expected, "{players} players at {seats} seats");
                assert_eq!(unique.len(), all.len());
                assert_eq!(count(players, seats), Some(all.len() as u64));
                for seat in 0..seats {
                    for player in 0..players {
                        let often = all.iter().filter(|s| s[seat] == player).count();
                        assert_eq!(often * players, all.len(), "seats are balanced");
                    }
                }
            }
        }
    }

    #[test]
    fn nobody_waits_for_too_many_seatings() {
        assert_eq!(count(1000, 6), None);
        assert_eq!(count(40, 40), None);
        assert_eq!(count(2, 200), None);
    }
}
