//! The probability of winning with best play of both, for few checkers on each side.

use tabia_game::Probability;

use super::home::{Steps, home_number, home_of, homes};
use crate::backgammon::board::Board;
use crate::backgammon::evaluation::Chances;
use crate::backgammon::plays::Roll;

/// Checkers that each side has at most.
const CHECKERS: u8 = 6;
const ROLLS: usize = 21;

/// Exact chances of positions in which all checkers are at home, and each side has six at most.
///
/// Nobody can win a gammon there, and what counts is who bears off first. Probabilities are rounded
/// as [`Probability`] says, once for each turn.
///
/// ```
/// use tabia_game::Text;
/// use tabia_backgammon::backgammon::{Backgammon, Bearoff};
///
/// let bearoff = Bearoff::new();
/// let state = Backgammon::default().parse_position("6/6 w roll").expect("a position");
/// let chances = bearoff.chances(state.board()).expect("few checkers");
/// assert_eq!(chances.win, 13.0 / 16.0);
/// ```
#[derive(Clone, Debug)]
pub struct Bearoff {
    /// By the home of the player on roll, then by the opponent's.
    values: Vec<Probability>,
    homes: usize,
}

impl Bearoff {
    /// Computes all probabilities.
    #[expect(clippy::new_without_default, reason = "it takes a while")]
    pub fn new() -> Bearoff {
        let homes = homes(CHECKERS);
        let plays = Plays::new(homes);
        let mut found = Bearoff {
            values: vec![Probability::LOSS; homes * homes],
            homes,
        };
        // Whoever has no checker left has won.
        found.values[..homes].fill(Probability::WIN);
        // A turn leads from a pair of homes to the same pair exchanged, one of them lower. So with
        // all pairs below this home known, those with it as the player's own are, and then all
        // others.
        for latest in 1..homes {
            for other in 1..latest {
                found.derive(&plays, latest, other);
            }
            for own in 1..=latest {
                found.derive(&plays, own, latest);
            }
        }
        found
    }

    fn derive(&mut self, plays: &Plays, own: usize, other: usize) {
        // What the opponent is left with, by where the player ends.
        let left = &self.values[other * self.homes..][..self.homes];
        let best = |after: &[u16]| {
            let least = after.iter().map(|&n| left[usize::from(n)]).min();
            least.unwrap_or(Probability::WIN).flipped()
        };
        let rolls = plays.of(own).map(|(after, weight)| (best(after), weight));
        let mean = Probability::mean(rolls);
        self.values[own * self.homes + other] = mean.unwrap_or(Probability::LOSS);
    }

    /// The probability that the player on roll wins; `None` if somebody has more than six checkers
    /// or any outside of their home, or if nobody has any.
    #[inline]
    pub fn probability(&self, board: &Board) -> Option<Probability> {
        let number = |side| home_number(&home_of(side)?).filter(|&n| n < self.homes);
        let [own, other] = board.sides();
        self.values
            .get(number(own)? * self.homes + number(other)?)
            .copied()
    }

    /// The same as what a network says.
    #[inline]
    pub fn chances(&self, board: &Board) -> Option<Chances> {
        let win = self.probability(board)?.to_f64() as f32;
        Some(Chances {
            win,
            ..Chances::default()
        })
    }
}

/// Where each roll leads from each home.
struct Plays {
    rolls: Vec<(Roll, u64)>,
    /// Where those of each home and roll begin, and the end of the last.
    starts: Vec<u32>,
    next: Vec<u16>,
}

impl Plays {
    fn new(homes: usize) -> Plays {
        let steps = Steps::new(CHECKERS);
        let mut plays = Plays {
            rolls: Roll::all().collect(),
            starts: vec![0],
            next: Vec::new(),
        };
        let (mut out, mut spare) = (Vec::new(), Vec::new());
        for number in 0..homes {
            for &(roll, _) in &plays.rolls {
                steps.plays(number as u16, roll, &mut out, &mut spare);
                plays.next.extend_from_slice(&out);
                plays.starts.push(plays.next.len() as u32);
            }
        }
        plays
    }

    #[inline]
    fn of(&self, number: usize) -> impl Iterator<Item = (&[u16], u64)> {
        let starts = &self.starts[number * ROLLS..][..=ROLLS];
        let ends = starts[1..].iter();
        let ranges = starts
            .iter()
            .zip(ends)
            .map(|(&from, &to)| &self.next[from as usize..to as usize]);
        ranges.zip(self.rolls.iter().map(|&(_, weight)| weight))
    }
}
