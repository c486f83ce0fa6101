//! A prover that knows every value already: solved tables, in the place of a search.

use tabia_game::{Game, Indexed, Limits, Player, Turn, Wdl};
use tabia_tables::retrograde::Solved;
use tabia_tables::{TableValue, Tables};

use crate::{Attack, Proof, Prover, Settled, Status};

/// Answers from the values of all positions, for players to move. Positions whose value it does not
/// know are left undecided.
pub struct Oracle<F>(pub F);

impl<G: Game, F: Fn(&G::State) -> Option<TableValue>> Prover<G> for Oracle<F> {
    fn prove(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &dyn Settled<G>,
        _: &Limits,
    ) -> Proof {
        let status = match attack.status(game, state, settled) {
            Status::Unknown => self
                .worth(game, state, attack.attacker)
                .map_or(Status::Unknown, |(value, _)| {
                    attack.given(value, game.max_payoff())
                }),
            status => status,
        };
        Proof::of(status, 1, 1)
    }

    /// The move to the best value, by the shortest way to a win or the longest to a loss.
    fn hint(&self, game: &G, state: &G::State, _: Attack) -> Option<G::Move> {
        let Turn::Player(mover) = game.turn(state) else {
            return None;
        };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let known = moves.into_iter().filter_map(|mv| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            let (value, plies) = self.worth(game, &next, mover)?;
            let sooner = if value == Wdl::Win { -plies } else { plies };
            Some((mv, (value, sooner)))
        });
        known.max_by_key(|&(_, worth)| worth).map(|(mv, _)| mv)
    }
}

impl<F> Oracle<F> {
    /// What a position is worth to a player, and in how many plies.
    fn worth<G: Game>(&self, game: &G, state: &G::State, player: Player) -> Option<(Wdl, i32)>
    where
        F: Fn(&G::State) -> Option<TableValue>,
    {
        match game.turn(state) {
            Turn::Over => Some((Wdl::of_payoff(game.payoff(state, player)), 0)),
            Turn::Player(mover) => {
                let value = (self.0)(state)?;
                let own = mover == player;
                let wdl = if own { value.wdl } else { value.wdl.flipped() };
                Some((wdl, i32::from(value.plies.unwrap_or(0))))
            }
            Turn::Chance => None,
        }
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
