//! One playout, and the buffers that all playouts of a search share.

use tabia_game::{GameRng, OnePlayer, Payoff, Playouts};

use super::ruled::Ruled;

/// No playout is longer; games that can go on forever are broken off.
pub(super) const MAX_PLAYOUT_PLIES: usize = 10_000;

/// Buffers of playouts.
pub(super) struct Player<M> {
    moves: Vec<M>,
    /// The moves of the last playout.
    pub line: Vec<M>,
}

impl<M: Copy> Player<M> {
    pub fn new() -> Player<M> {
        Player {
            moves: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Plays on from a position by the policy; the payoff, or what was earned when it was broken
    /// off. The path is left as it was.
    pub fn play_out<G: OnePlayer<Move = M>, P: Playouts<G>>(
        &mut self,
        ruled: &mut Ruled<'_, G>,
        state: &mut G::State,
        policy: &P,
        rng: &mut GameRng,
    ) -> Payoff {
        self.line.clear();
        if ruled.is_tracked() {
            let len = ruled.len();
            let payoff = self.play_on_path(ruled, state, policy, rng);
            ruled.truncate(len);
            return payoff;
        }
        let (moves, line) = (&mut self.moves, &mut self.line);
        policy.play_out(ruled.game, state, MAX_PLAYOUT_PLIES, moves, line, rng);
        ruled.game.earned(state)
    }

    /// The same under a rule of repetition.
    fn play_on_path<G: OnePlayer<Move = M>, P: Playouts<G>>(
        &mut self,
        ruled: &mut Ruled<'_, G>,
        state: &mut G::State,
        policy: &P,
        rng: &mut GameRng,
    ) -> Payoff {
        let plan = policy.plan(ruled.game, state, rng);
        for _ in 0..MAX_PLAYOUT_PLIES {
            self.moves.clear();
            if let Some(payoff) = ruled.moves(state, &mut self.moves) {
                return payoff;
            }
            if self.moves.is_empty() {
                break;
            }
            let mv = self.moves[policy.draw(ruled.game, state, &self.moves, &plan, rng)];
            self.line.push(mv);
            if let (_, Some(payoff)) = ruled.play(state, mv) {
                return payoff;
            }
        }
        ruled.game.earned(state)
    }
}
