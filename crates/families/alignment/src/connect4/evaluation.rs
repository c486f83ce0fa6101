//! What a search may know about Connect Four: the lines that can still be completed.
//!
//! A line of k squares is open to a side while the other has no disc in it, and the fewer discs it
//! lacks the more it counts. Central squares lie in more lines, so a preference for the centre
//! comes by itself. The only square that a line lacks is a threat. Where the number of rows is
//! even, the second player can answer every drop in the same column and so comes to own the even
//! rows; that zugzwang (Allis 1988) makes threats of the first player worth more on odd rows and
//! those of the second on even ones.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player, URGENT};

use super::{Connect4, Drop, State};
use crate::rows::{Survey, completions};
use tabia_game::Outcome;

/// Open lines and threats.
///
/// ```
/// use tabia_game::{Game, Knowledge, Player, Text};
/// use tabia_alignment::connect4::{Connect4, Threats};
///
/// let game = Connect4::<u64>::new(7, 6, 4)?;
/// let value = |text| {
///     let state = game.parse_position(text).expect("a position");
///     Threats.evaluate(&game, &state, Player::FIRST)
/// };
/// assert!(value("7/7/7/7/7/3x3") > value("7/7/7/7/7/x6"));
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Threats {
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
}

impl<B: Bits> Knowledge<Connect4<B>> for Threats {
    fn evaluate(&self, game: &Connect4<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let occupied = state.occupied();
        let empty = game.full & !occupied;
        let survey = Survey::new(&game.steps, game.k, empty, state.discs);
        match survey.forced(state.mover, game.landings(occupied)) {
            Some(value) if player == state.mover => value,
            Some(value) => -value,
            None => survey.estimate(player, Threats::favoured(game, survey.threats)),
        }
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
            landings & completions(&game.steps, discs, game.k)
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
