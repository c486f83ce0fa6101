//! Positions of Breakthrough whose winner is seen without search: a piece that arrives in time
//! whatever the opponent does.
//!
//! Where the pieces of the opponent can be after so many of its moves is overestimated: nothing
//! hinders them, and each of them may have made all the moves. A path on which a runner is not met
//! by any of these is safe, and if no piece of the opponent can arrive before the runner does, the
//! game is won.

use tabia_game::bits::Bits;
use tabia_game::{Player, Wdl};
use tabia_solve::Settled;

use super::{Breakthrough, State};

/// The winner of positions in which a piece arrives in time.
///
/// ```
/// use tabia_breakthrough::breakthrough::{Breakthrough, SettledByArrival};
/// use tabia_game::{Text, Wdl};
/// use tabia_solve::Settled;
///
/// let game = Breakthrough::<u64>::new(5, 8)?;
/// let value = |text| SettledByArrival.value(&game, &game.parse_position(text).expect("a position"));
/// assert_eq!(value("5/2b2/5/5/w4/5/5/5 w"), Some(Wdl::Win), "c7 comes too late");
/// assert_eq!(value("5/bbbbb/5/5/w4/5/5/5 w"), None);
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SettledByArrival;

impl<B: Bits> Breakthrough<B> {
    /// In how many moves a piece of this player arrives that cannot be stopped. The player moves
    /// next, or the opponent does.
    fn arrival(&self, state: &State<B>, player: Player, next: bool) -> Option<usize> {
        let (own, other) = (state.pieces[player.index()], player.other());
        // The squares that pieces of the opponent may stand on.
        let mut met = state.pieces[other.index()];
        let mut runners = own;
        if !next {
            runners &= !self.attacks(met, other);
            met |= self.steps(met, other);
        }
        for moves in 1..self.grid.height {
            let straight = self.ahead(runners, player) & !met;
            // Whatever stands diagonally ahead is taken.
            runners = (straight | self.attacks(runners, player)) & !own;
            if !(runners & self.goals[player.index()]).is_empty() {
                return Some(moves);
            }
            runners &= !self.attacks(met, other);
            if runners.is_empty() {
                return None;
            }
            met |= self.steps(met, other);
        }
        None
    }

    /// Who wins, as far as it is seen, in a game that is not over.
    fn seen_winner(&self, state: &State<B>) -> Option<Player> {
        if let Some((winner, _)) = self.last_step(state) {
            return Some(winner);
        }
        let (mover, other) = (state.mover, state.mover.other());
        let least = |player: Player| self.distance(state.pieces[player.index()], player);
        if let Some(moves) = self.arrival(state, mover, true)
            && least(other) >= moves
        {
            return Some(mover);
        }
        let moves = self.arrival(state, other, false)?;
        (least(mover) > moves).then_some(other)
    }
}

impl<B: Bits> Settled<Breakthrough<B>> for SettledByArrival {
    fn value(&self, game: &Breakthrough<B>, state: &State<B>) -> Option<Wdl> {
        let winner = game.seen_winner(state)?;
        Some(match winner == state.mover {
            true => Wdl::Win,
            false => Wdl::Loss,
        })
    }
}
