//! Homes and their numbers, and the plays that lead from one to the other.
//!
//! The checkers on the points 6, 5, ... 1, each heap closed by a bar, are a row of checkers and six
//! bars, and a home has the number of the set of its bars in colexicographic order. So homes of
//! fewer checkers come first, and every step of a checker leads to a lower number: no bar moves up,
//! and some move down.

use std::sync::LazyLock;

use tabia_game::combinatorics::Binomials;

use crate::backgammon::board::{CHECKERS, HOME, POINTS, Side};
use crate::backgammon::plays::Roll;

/// The checkers on the points 1 to 6 of a player who has none elsewhere.
pub type Home = [u8; HOME];

/// Checkers and bars.
const ROW: usize = CHECKERS as usize + HOME;
/// The faces of a die.
const FACES: usize = 6;

static BINOMIALS: LazyLock<Binomials> = LazyLock::new(|| Binomials::new(ROW));

/// How many homes there are of at most this many checkers, none included; fifteen count for any
/// more.
pub fn homes(checkers: u8) -> usize {
    let checkers = usize::from(checkers.min(CHECKERS));
    BINOMIALS.choose(checkers + HOME, HOME) as usize
}

/// How many homes there are of exactly this many checkers, of which there must be at least one.
pub(super) fn homes_of(checkers: u8) -> u64 {
    let checkers = usize::from(checkers.min(CHECKERS));
    BINOMIALS.choose(checkers + HOME - 1, HOME - 1)
}

/// The home of a player without checkers elsewhere.
#[inline]
pub(super) fn home_of(side: &Side) -> Option<Home> {
    let (home, elsewhere) = side.split_first_chunk()?;
    elsewhere.iter().all(|&n| n == 0).then_some(*home)
}

/// The checkers of a player who has them in this home.
pub(super) fn side_of(home: &Home) -> Side {
    let mut side = [0; POINTS + 1];
    side[..HOME].copy_from_slice(home);
    side
}

/// The number of a home; `None` if there are more than fifteen checkers in it.
///
/// ```
/// use tabia_backgammon::backgammon::{home_number, homes, numbered_home};
///
/// assert_eq!(homes(15), 54_264);
/// assert_eq!(home_number(&[0, 0, 0, 0, 0, 15]), Some(54_263));
/// assert_eq!(numbered_home(1), [1, 0, 0, 0, 0, 0]);
/// ```
#[inline]
pub fn home_number(home: &Home) -> Option<usize> {
    let (mut bars, mut at) = (0u64, 0usize);
    for &checkers in home.iter().rev() {
        at += usize::from(checkers);
        if at >= ROW {
            return None;
        }
        bars |= 1 << at;
        at += 1;
    }
    Some(BINOMIALS.rank(bars) as usize)
}

/// The home with a number, which must be below [`homes`] of fifteen.
pub fn numbered_home(number: usize) -> Home {
    let bars: u64 = BINOMIALS.unrank(number as u64, ROW, HOME);
    let mut home = [0; HOME];
    let mut row = bars;
    for checkers in home.iter_mut().rev() {
        let n = row.trailing_zeros();
        *checkers = n as u8;
        row = row.checked_shr(n + 1).unwrap_or(0);
    }
    home
}

/// Calls for every home that a checker moved by a die leads to.
fn each_step(home: &Home, die: usize, mut call: impl FnMut(&Home)) {
    let rearmost = home.iter().rposition(|&n| n > 0);
    for place in 0..HOME {
        if home[place] == 0 {
            continue;
        }
        let mut after = *home;
        after[place] -= 1;
        match place.checked_sub(die) {
            Some(to) => after[to] += 1,
            None if place + 1 == die || Some(place) == rearmost => {}
            None => continue,
        }
        call(&after);
    }
}

/// Where steps lead from each home of at most this many checkers. All dice can be used until no
/// checker is left; then nothing changes any more.
pub(super) struct Steps {
    /// Where those of each home and die begin, and the end of the last.
    starts: Vec<u32>,
    next: Vec<u16>,
}

impl Steps {
    pub fn new(checkers: u8) -> Steps {
        let (mut starts, mut next) = (vec![0], Vec::new());
        for number in 0..homes(checkers) {
            let home = numbered_home(number);
            for die in 1..=FACES {
                each_step(&home, die, |after| {
                    next.extend(home_number(after).map(|n| n as u16));
                });
                if number == 0 {
                    next.push(0);
                }
                starts.push(next.len() as u32);
            }
        }
        Steps { starts, next }
    }

    #[inline]
    fn after(&self, number: u16, die: u8) -> &[u16] {
        let at = usize::from(number) * FACES + usize::from(die) - 1;
        &self.next[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Fills `out` with the homes that a roll leads to, each once. `spare` is a buffer.
    pub fn plays(&self, number: u16, roll: Roll, out: &mut Vec<u16>, spare: &mut Vec<u16>) {
        let [one, other] = roll.dice();
        out.clear();
        if one == other {
            out.push(number);
            for _ in 0..4 {
                std::mem::swap(out, spare);
                out.clear();
                spare
                    .iter()
                    .for_each(|&n| out.extend_from_slice(self.after(n, one)));
                out.sort_unstable();
                out.dedup();
            }
        } else {
            for (first, second) in [(one, other), (other, one)] {
                for &n in self.after(number, first) {
                    out.extend_from_slice(self.after(n, second));
                }
            }
            out.sort_unstable();
            out.dedup();
        }
    }
}
