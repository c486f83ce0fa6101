//! What moves gain, compared as games.
//!
//! The incentive of a move is how much the game gains by it for the mover, a game itself. A move is
//! as good as another in any company if its incentive is at least the other's (Müller and Li 2004,
//! section 2.2).

use tabia_game::Player;

use super::sum::{FINISHED, Sum};
use crate::{Exceeded, Value, Values};

#[derive(Clone, Copy, PartialEq)]
enum Known {
    Not,
    Less,
    AtLeast,
}

/// The incentives of all moves of a sum, and the comparisons made so far.
pub(super) struct Incentives {
    values: Values,
    moves: [Vec<Value>; 2],
    known: [Vec<Known>; 2],
}

impl Incentives {
    pub(super) fn new(sum: &Sum) -> Result<Incentives, Exceeded> {
        let mut values = Values::new();
        let mut moves = [Vec::new(), Vec::new()];
        for state in 0..sum.states() {
            for player in [Player::FIRST, Player::SECOND] {
                let incentive = if state == FINISHED {
                    Value::ZERO
                } else {
                    let component = sum.component(state);
                    let game = component.tree().value(&mut values)?;
                    let option = sum.option(state, player).tree().value(&mut values)?;
                    match player {
                        Player::FIRST => values.difference(option, game)?,
                        _ => values.difference(game, option)?,
                    }
                };
                moves[player.index()].push(incentive);
            }
        }
        let pairs = moves[0].len() * moves[0].len();
        Ok(Incentives {
            values,
            moves,
            known: [vec![Known::Not; pairs], vec![Known::Not; pairs]],
        })
    }

    /// Whether the player gains at least as much by moving in the one state as in the other.
    #[inline]
    pub(super) fn at_least(
        &mut self,
        player: Player,
        one: u16,
        other: u16,
    ) -> Result<bool, Exceeded> {
        if one == other {
            return Ok(true);
        }
        let moves = &self.moves[player.index()];
        let place = usize::from(one) * moves.len() + usize::from(other);
        let known = &mut self.known[player.index()][place];
        if *known == Known::Not {
            let (one, other) = (moves[usize::from(one)], moves[usize::from(other)]);
            *known = match self.values.le(other, one)? {
                true => Known::AtLeast,
                false => Known::Less,
            };
        }
        Ok(*known == Known::AtLeast)
    }
}
