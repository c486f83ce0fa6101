//! What a search may know about Connect Four: the lines that can still be completed.
//!
//! A line of k squares is open to a side while the other has no disc in it, and the fewer discs it
//! lacks the more it counts. Central squares lie in more lines, so a preference for the centre
//! comes by itself. The only square that a line lacks is a threat. Where the number of rows is even,
//! the second player can answer every drop in the same column and so comes to own the even rows;
//! that zugzwang (Allis 1988) makes threats of the first player worth more on odd rows and those of
//! the second on even ones.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player, URGENT};

use super::{Connect4, Drop, State};
use crate::Outcome;

/// Points of a line that lacks two or three discs.
const LACKS_TWO: i32 = 4;
const LACKS_THREE: i32 = 1;
/// Points of a threat; it counts twice if zugzwang favours it.
const THREAT: i32 = 16;
/// The side to move completes a row at once, or can only prevent one of two threats.
const WINS: i32 = CERTAIN - CERTAIN / 50;
const LOSES: i32 = -(CERTAIN - CERTAIN / 25);
/// Estimates approach `LARGEST` and reach half of it at `HALF` points.
const LARGEST: i64 = 800_000;
const HALF: i64 = 64;

/// Open lines and threats.
///
/// ```
/// use tabia_game::{Game, Knowledge, Player, Text};
/// use tabia_games::connect4::{Connect4, Threats};
///
/// let game = Connect4::<u64>::new(7, 6, 4)?;
/// let value = |text| {
///     let state = game.parse_position(text).expect("a position");
///     Threats.evaluate(&game, &state, Player::FIRST)
/// };
/// assert!(value("7/7/7/7/7/3x3") > value("7/7/7/7/7/x6"));
/// # Ok::<(), tabia_games::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

/// The lines that start on each square in one direction, by the number of empty squares in them.
struct Lacking<B> {
    one: B,
    two: B,
    three: B,
}

impl<B: Bits> Lacking<B> {
    /// Counts the empty squares of all lines at once, in the bits of two boards and an overflow.
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

impl Threats {
    /// The empty squares that complete a row of each side, and the points of its other open lines.
    #[inline]
    fn survey<B: Bits>(game: &Connect4<B>, state: &State<B>) -> ([B; 2], [i32; 2]) {
        // With a known length the compiler writes the loops out.
        if game.k == 4 {
            Self::survey_of(game, state, 4)
        } else {
            Self::survey_of(game, state, game.k)
        }
    }

    #[inline(always)]
    fn survey_of<B: Bits>(game: &Connect4<B>, state: &State<B>, k: usize) -> ([B; 2], [i32; 2]) {
        let empty = game.full & !state.occupied();
        let mut threats = [B::EMPTY; 2];
        let mut points = [0; 2];
        for &step in &game.steps {
            let lacking = Lacking::new(empty, k, step);
            for side in 0..2 {
                let open = game.runs(empty | state.discs[side], step);
                points[side] += LACKS_TWO * (open & lacking.two).count() as i32
                    + LACKS_THREE * (open & lacking.three).count() as i32;
                let almost = open & lacking.one;
                for i in 0..k {
                    threats[side] |= (almost << (i * step)) & empty;
                }
            }
        }
        (threats, points)
    }

    /// How many threats of each side lie on rows that zugzwang favours.
    #[inline]
    fn favoured<B: Bits>(game: &Connect4<B>, threats: [B; 2]) -> [usize; 2] {
        if !game.grid.height.is_multiple_of(2) {
            return [0; 2];
        }
        [
            (threats[0] & game.odd_rows).count(),
            (threats[1] & !game.odd_rows).count(),
        ]
    }

    /// Whether the mover has one or the opponent two threats that can be carried out at once.
    #[inline]
    fn forced<B: Bits>(game: &Connect4<B>, state: &State<B>, threats: [B; 2]) -> Option<i32> {
        let landings = game.landings(state.occupied());
        let mover = state.mover;
        if !(threats[mover.index()] & landings).is_empty() {
            return Some(WINS);
        }
        let against = threats[mover.other().index()] & landings;
        (!against.without_first().is_empty()).then_some(LOSES)
    }
}

impl<B: Bits> Knowledge<Connect4<B>> for Threats {
    fn evaluate(&self, game: &Connect4<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let (threats, points) = Threats::survey(game, state);
        if let Some(value) = Threats::forced(game, state, threats) {
            return if player == state.mover { value } else { -value };
        }
        let favoured = Threats::favoured(game, threats);
        let total =
            |side: usize| points[side] + THREAT * (threats[side].count() + favoured[side]) as i32;
        let ahead = i64::from(total(player.index()) - total(player.other().index()));
        (LARGEST * ahead / (ahead.abs() + HALF)) as i32
    }

    /// A drop that wins comes first, then one that prevents a loss, then the columns by their
    /// distance from the middle.
    fn priority(&self, game: &Connect4<B>, state: &State<B>, mv: Drop) -> i32 {
        let completing = Completing::new(game, state);
        completing.priority(game, state, mv)
    }

    fn priorities(&self, game: &Connect4<B>, state: &State<B>, moves: &[Drop], out: &mut Vec<i32>) {
        let completing = Completing::new(game, state);
        out.extend(moves.iter().map(|&mv| completing.priority(game, state, mv)));
    }

    fn is_tactical(&self, game: &Connect4<B>, state: &State<B>, mv: Drop) -> bool {
        self.priority(game, state, mv) >= URGENT
    }
}

/// The landings that complete a row of the mover and of the opponent.
struct Completing<B> {
    own: B,
    other: B,
}

impl<B: Bits> Completing<B> {
    #[inline]
    fn new(game: &Connect4<B>, state: &State<B>) -> Completing<B> {
        let landings = game.landings(state.occupied());
        let of = |side: Player| {
            let discs = state.discs[side.index()];
            if game.k == 4 {
                landings & completions(&game.steps, discs, 4)
            } else {
                landings & completions(&game.steps, discs, game.k)
            }
        };
        Completing {
            own: of(state.mover),
            other: of(state.mover.other()),
        }
    }

    #[inline]
    fn priority(&self, game: &Connect4<B>, state: &State<B>, Drop(column): Drop) -> i32 {
        let column = usize::from(column);
        let disc = game.landing(state.occupied(), column);
        if !(disc & self.own).is_empty() {
            URGENT + 1
        } else if !(disc & self.other).is_empty() {
            URGENT
        } else {
            column.min(game.grid.width - 1 - column) as i32
        }
    }
}

/// The squares that would complete a row of k, occupied ones included.
#[inline(always)]
fn completions<B: Bits>(steps: &[usize], discs: B, k: usize) -> B {
    let mut squares = B::EMPTY;
    for &step in steps {
        // `before` holds the squares that begin a run of i discs; together with the k - 1 - i discs
        // after the gap they make a row with one square missing.
        let mut before = !B::EMPTY;
        for i in 0..k {
            let mut row = before;
            for j in i + 1..k {
                row &= discs >> (j * step);
            }
            squares |= row << (i * step);
            before &= discs >> (i * step);
        }
    }
    squares
}
