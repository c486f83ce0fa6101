//! A prover that knows every value already: solved tables, in the place of a search.

use tabia_game::{Game, Indexed, Limits, Turn, Wdl};
use tabia_tables::retrograde::Solved;
use tabia_tables::{Tables, Value};

use crate::{Attack, INFINITY, Proof, Prover, Settled, Status};

/// Answers from the values of all positions, for players to move. Positions whose value it does not
/// know are left undecided.
pub struct Oracle<F>(pub F);

impl<G: Game, F: Fn(&G::State) -> Option<Value>> Prover<G> for Oracle<F> {
    fn prove<S: Settled<G>>(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &S,
        _: &Limits,
    ) -> Proof {
        let mut status = attack.status(game, state, settled);
        if let (Status::Unknown, Turn::Player(mover), Some(value)) =
            (status, game.turn(state), (self.0)(state))
        {
            let wins = if mover == attack.attacker {
                Wdl::Win
            } else {
                Wdl::Loss
            };
            status = Status::of(value.wdl == wins);
        }
        let (pn, dn) = match status {
            Status::Proved => (0, INFINITY),
            Status::Disproved => (INFINITY, 0),
            Status::Unknown => (1, 1),
        };
        Proof {
            status,
            pn,
            dn,
            nodes: 1,
            held: 1,
        }
    }

    /// The move to the best value, by the shortest way to a win or the longest to a loss.
    fn hint(&self, game: &G, state: &G::State, _: Attack) -> Option<G::Move> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let worth = |mv: &G::Move| {
            let mut next = state.clone();
            game.play(&mut next, *mv);
            let value = match game.turn(&next) {
                Turn::Over => return (Wdl::Draw, 0),
                _ => (self.0)(&next).unwrap_or(Value::DRAW),
            };
            let plies = i32::from(value.plies.unwrap_or(0));
            let gain = value.wdl.flipped();
            (gain, if gain == Wdl::Win { -plies } else { plies })
        };
        moves.iter().copied().max_by_key(worth)
    }
}

/// Tables settle the positions that they hold.
impl<G: Indexed> Settled<G> for Tables<G> {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl> {
        Tables::value(self, game, state).map(|value| value.wdl)
    }
}

/// So do slices that were solved in memory.
impl<G: Indexed> Settled<G> for Solved<G> {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl> {
        Solved::value(self, game, state).map(|value| value.wdl)
    }
}
