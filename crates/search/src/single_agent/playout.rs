//! One playout, and the buffers that all playouts of a search share.

use tabia_game::{GameRng, OnePlayer, Payoff, Playouts};

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
    /// off.
    pub fn play_out<G: OnePlayer<Move = M>, P: Playouts<G>>(
        &mut self,
        game: &G,
        state: &mut G::State,
        policy: &P,
        rng: &mut GameRng,
    ) -> Payoff {
        self.line.clear();
        let (moves, line) = (&mut self.moves, &mut self.line);
        policy.play_out(game, state, MAX_PLAYOUT_PLIES, moves, line, rng);
        game.earned(state)
    }
}
