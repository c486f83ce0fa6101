//! Rows of k on bitboards: what Connect Four and the m,n,k-games have in common.
//!
//! A board is laid out so that neighbours in one direction are always `step` bits apart and a guard
//! bit ends every line; then a shift looks at all lines of the board at once.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Player};

/// Points of a row that lacks one, two or three stones.
const LACKS_ONE: i32 = 16;
const LACKS_TWO: i32 = 4;
const LACKS_THREE: i32 = 1;
/// The side to move completes a row at once, or can only prevent one of two threats.
const WINS: i32 = CERTAIN - CERTAIN / 50;
const LOSES: i32 = -(CERTAIN - CERTAIN / 25);
/// Estimates approach `MAX_ESTIMATE` and reach half of it at `HALF` points.
const MAX_ESTIMATE: i64 = 800_000;
const HALF: i64 = 64;

/// The squares from which k squares in this direction all belong to `set`.
#[inline]
pub(crate) fn runs<B: Bits>(set: B, step: usize, k: usize) -> B {
    // The usual case, written out for speed.
    if k == 4 {
        let pairs = set & (set >> step);
        return pairs & (pairs >> (2 * step));
    }
    let mut runs = set;
    let mut length = 1;
    // Two runs that touch or overlap make a longer one, so the length can double.
    while length < k {
        let more = length.min(k - length);
        runs &= runs >> (more * step);
        length += more;
    }
    runs
}

/// The rows that start on each square in one direction, by the number of empty squares in them.
struct Lacking<B> {
    one: B,
    two: B,
    three: B,
}

impl<B: Bits> Lacking<B> {
    /// Counts the empty squares of all rows at once, in the bits of two boards and an overflow.
    #[inline(always)]
    fn new(empty: B, k: usize, step: usize) -> Lacking<B> {
        let (mut low, mut high, mut more) = (empty, B::EMPTY, B::EMPTY);
        for i in 1..k {
            let next = empty >> (i * step);
            let carry = low & next;
            low ^= next;
            more |= high & carry;
            high ^= carry;
        }
        Lacking {
            one: low & !high & !more,
            two: high & !low & !more,
            three: high & low & !more,
        }
    }
}

/// What there is to know about the rows that each side can still complete.
pub(crate) struct Survey<B> {
    /// The empty squares that complete a row.
    pub threats: [B; 2],
    /// Points of the rows that lack more than one stone.
    pub points: [i32; 2],
}

impl<B: Bits> Survey<B> {
    /// Looks at all rows of k in these directions.
    #[inline]
    pub fn new(steps: &[usize], k: usize, empty: B, sides: [B; 2]) -> Survey<B> {
        // With a known length the compiler writes the loops out.
        if k == 4 {
            Self::of(steps, 4, empty, sides)
        } else {
            Self::of(steps, k, empty, sides)
        }
    }

    #[inline(always)]
    fn of(steps: &[usize], k: usize, empty: B, sides: [B; 2]) -> Survey<B> {
        let mut survey = Survey {
            threats: [B::EMPTY; 2],
            points: [0; 2],
        };
        for &step in steps {
            let lacking = Lacking::new(empty, k, step);
            for (side, own) in sides.into_iter().enumerate() {
                let open = runs(empty | own, step, k);
                survey.points[side] += LACKS_TWO * (open & lacking.two).count() as i32
                    + LACKS_THREE * (open & lacking.three).count() as i32;
                let almost = open & lacking.one;
                for i in 0..k {
                    survey.threats[side] |= (almost << (i * step)) & empty;
                }
            }
        }
        survey
    }

    /// The estimate for the mover where the next move decides: one own threat on a square that can
    /// be played now wins, two of the opponent lose.
    #[inline]
    pub fn forced(&self, mover: Player, playable: B) -> Option<i32> {
        if !(self.threats[mover.index()] & playable).is_empty() {
            return Some(WINS);
        }
        let against = self.threats[mover.other().index()] & playable;
        (!against.without_first().is_empty()).then_some(LOSES)
    }

    /// The estimate for a player by points; `extra` threats count twice.
    #[inline]
    pub fn estimate(&self, player: Player, extra: [usize; 2]) -> i32 {
        let total = |side: usize| {
            self.points[side] + LACKS_ONE * (self.threats[side].count() + extra[side]) as i32
        };
        let ahead = i64::from(total(player.index()) - total(player.other().index()));
        (MAX_ESTIMATE * ahead / (ahead.abs() + HALF)) as i32
    }
}

/// The squares that would complete a row of k, occupied ones and some beyond the board included.
#[inline]
pub(crate) fn completions<B: Bits>(steps: &[usize], own: B, k: usize) -> B {
    if k == 4 {
        completions_of(steps, own, 4)
    } else {
        completions_of(steps, own, k)
    }
}

#[inline(always)]
fn completions_of<B: Bits>(steps: &[usize], own: B, k: usize) -> B {
    let mut squares = B::EMPTY;
    for &step in steps {
        // `before` holds the squares that begin a run of i stones; together with the k - 1 - i
        // after the gap they make a row with one square missing.
        let mut before = !B::EMPTY;
        for i in 0..k {
            let mut row = before;
            for j in i + 1..k {
                row &= own >> (j * step);
            }
            squares |= row << (i * step);
            before &= own >> (i * step);
        }
    }
    squares
}
