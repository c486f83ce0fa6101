//! How playouts choose their moves, and what may be learnt of moves from them.
//!
//! Like [`Knowledge`](crate::Knowledge) a value of its own, so that one game can be played out in several ways.

use rand::{Rng, RngExt};

use crate::{Game, MoveIndex};

/// A way to play a game to its end that costs little.
pub trait Playouts<G: Game>: Send + Sync {
    /// What is decided once, where a playout begins, such as a colour that is spared.
    type Plan: Clone + Send;

    /// Decides on a plan for the position in which a playout begins.
    fn plan<R: Rng + ?Sized>(&self, game: &G, state: &G::State, rng: &mut R) -> Self::Plan;

    /// The place of the move to play among the legal ones, of which there is one at least.
    fn draw<R: Rng + ?Sized>(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        plan: &Self::Plan,
        rng: &mut R,
    ) -> usize;

    /// Plays on until the game is over or so many plies are played, and appends the moves to `line`. For games that
    /// can draw a move faster than list them all.
    fn play_out<R: Rng + ?Sized>(
        &self,
        game: &G,
        state: &mut G::State,
        plies: usize,
        moves: &mut Vec<G::Move>,
        line: &mut Vec<G::Move>,
        rng: &mut R,
    ) {
        let plan = self.plan(game, state, rng);
        for _ in 0..plies {
            moves.clear();
            game.moves(state, moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.draw(game, state, moves, &plan, rng)];
            game.play(state, mv);
            line.push(mv);
        }
    }

    /// Appends what is learnt of each of the legal moves, which are appended to `moves`.
    fn lessons(
        &self,
        game: &G,
        state: &G::State,
        plan: &Self::Plan,
        moves: &mut Vec<G::Move>,
        out: &mut Vec<Lesson>,
    );
}

/// What a search may learn of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The number under which the move is remembered: moves that do the same in similar positions share it.
    pub code: u64,
    /// How much it is favoured before anything was learnt: the logarithm of its weight, 0 for a plain move.
    pub bias: f64,
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: MoveIndex> Playouts<G> for Uniform {
    type Plan = ();

    fn plan<R: Rng + ?Sized>(&self, _: &G, _: &G::State, _: &mut R) {}

    fn draw<R: Rng + ?Sized>(
        &self,
        _: &G,
        _: &G::State,
        moves: &[G::Move],
        _: &(),
        rng: &mut R,
    ) -> usize {
        rng.random_range(0..moves.len())
    }

    fn lessons(
        &self,
        game: &G,
        state: &G::State,
        (): &(),
        moves: &mut Vec<G::Move>,
        out: &mut Vec<Lesson>,
    ) {
        let before = moves.len();
        game.moves(state, moves);
        out.extend(moves[before..].iter().map(|&mv| Lesson {
            code: game.move_index(mv) as u64,
            bias: 0.0,
        }));
    }
}
