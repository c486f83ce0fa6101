//! Random play, every legal move equally likely.
//!
//! Listing two thousand moves to choose one of them is a waste. A pair of a queen and a place to go to is drawn instead,
//! all pairs equally likely, and a number below an upper bound of the arrows that any such pair can have; if the pair
//! has an arrow of that number the move is played, otherwise everything is drawn anew. Each move is then drawn
//! with the same probability as any other. Where pairs are so few that counting all arrows is cheaper, they are
//! counted.

use rand::{Rng, RngExt};
use tabia_game::bits::Bits;

use super::lines::Blocked;
use super::{Amazons, Set, Shot, State};

/// Up to so many pairs arrows are counted.
const FEW: u32 = 12;
/// Queens of one side whose slides are kept on the way; sides with more are counted, too.
const QUEENS: usize = 8;

/// The squares in sight of a queen: two halves as [`super::lines::Lines::halves`] gives them.
#[derive(Clone, Copy, Default)]
struct Sight {
    from: usize,
    halves: [Set; 2],
    count: u32,
}

/// The element of a set with this number, from the lowest.
#[inline]
fn element(set: Set, number: u32) -> usize {
    let low = set as u64;
    let in_low = low.count_ones();
    let (mut word, mut left, base) = match number < in_low {
        true => (low, number, 0),
        false => ((set >> 64) as u64, number - in_low, 64),
    };
    while left > 0 {
        word &= word.wrapping_sub(1);
        left -= 1;
    }
    base + word.trailing_zeros() as usize
}

/// The square with this number among those in sight.
#[inline]
fn nth([ahead, back]: [Set; 2], number: u32) -> usize {
    let in_front = ahead.count_ones();
    match number < in_front {
        true => element(ahead, number),
        false => 127 - element(back, number - in_front),
    }
}

impl Amazons {
    /// Plays so many random plies, fewer if the game ends; how many.
    pub(super) fn random_plies<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        rng: &mut R,
    ) -> u32 {
        let mut blocked = Blocked::new(state.occupied());
        let (mut queens, mut arrows, mut mover) = (state.queens, state.arrows, state.mover);
        let mut played = 0;
        while played < plies {
            let own = &mut queens[mover.index() & 1];
            let Some(shot) = self.random_shot(*own, blocked, rng) else {
                break;
            };
            let [from, to, arrow] = shot.squares().map(Set::bit);
            *own ^= from | to;
            arrows |= arrow;
            blocked = Blocked::new(blocked.set ^ from | to | arrow);
            mover = mover.other();
            played += 1;
        }
        *state = self.set_up(queens, arrows, mover);
        played
    }

    /// A move of these queens; none if there is none.
    #[inline]
    fn random_shot<R: Rng + ?Sized>(
        &self,
        queens: Set,
        blocked: Blocked,
        rng: &mut R,
    ) -> Option<Shot> {
        let mut sights = [Sight::default(); QUEENS];
        let (mut known, mut pairs) = (0, 0);
        for from in queens.iter() {
            let halves = self.lines.halves(from, blocked);
            let count = halves[0].count_ones() + halves[1].count_ones();
            if let Some(sight) = sights.get_mut(known) {
                *sight = Sight {
                    from,
                    halves,
                    count,
                };
            }
            known += 1;
            pairs += count;
        }
        if pairs == 0 {
            return None;
        }
        if pairs <= FEW || known > QUEENS {
            return self.counted_shot(queens, blocked, rng);
        }
        loop {
            let drawn = rng.random_range(0..pairs * self.most_in_sight);
            let (mut pair, arrow) = (drawn / self.most_in_sight, drawn % self.most_in_sight);
            let mut sight = &sights[0];
            for next in &sights[1..known] {
                if pair < sight.count {
                    break;
                }
                pair -= sight.count;
                sight = next;
            }
            let to = nth(sight.halves, pair);
            let halves = self
                .lines
                .halves(to, Blocked::new(blocked.set ^ Set::bit(sight.from)));
            if arrow < halves[0].count_ones() + halves[1].count_ones() {
                return Some(Shot::new(sight.from, to, nth(halves, arrow)));
            }
        }
    }

    /// The same by counting all arrows.
    fn counted_shot<R: Rng + ?Sized>(
        &self,
        queens: Set,
        blocked: Blocked,
        rng: &mut R,
    ) -> Option<Shot> {
        // The last of n moves replaces those before it with probability 1/n; arrows of a pair are one such move
        // of their number.
        let (mut all, mut chosen) = (0, None);
        for from in queens.iter() {
            let vacated = Blocked::new(blocked.set ^ Set::bit(from));
            for to in self.lines.sight(from, blocked).iter() {
                let halves = self.lines.halves(to, vacated);
                let count = halves[0].count_ones() + halves[1].count_ones();
                all += count;
                let drawn = rng.random_range(0..all);
                if drawn < count {
                    chosen = Some(Shot::new(from, to, nth(halves, drawn)));
                }
            }
        }
        chosen
    }
}
