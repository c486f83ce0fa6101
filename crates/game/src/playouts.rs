//! How playouts choose their moves, and what may be learnt of moves from them.
//!
//! Like [`Knowledge`](crate::Knowledge) a value of its own, so that one game can be played out in
//! several ways.

use rand::{Rng, RngExt};

use crate::{Game, MoveIndex};

/// A way to play a game to its end that costs little.
pub trait Playouts<G: Game>: Send + Sync {
    /// What is decided once, where a playout begins, such as a colour that is spared.
    type Context: Clone + Send;

    /// What is kept of the legal moves from one position of a playout to the next.
    type Scratch: Default + Send;

    /// Decides on a plan for the position in which a playout begins.
    fn plan<R: Rng + ?Sized>(&self, game: &G, state: &G::State, rng: &mut R) -> Self::Context;

    /// The place of the move to play among the legal ones, of which there is one at least.
    fn draw<R: Rng + ?Sized>(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        plan: &Self::Context,
        rng: &mut R,
    ) -> usize;

    /// Plays on until the game is over or this many plies are played, and appends the moves to
    /// `line`. For games that can draw a move faster than list them all.
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

    /// Lists the legal moves where a playout begins and what is learnt of each, in the place of
    /// what the lists hold.
    fn move_features(
        &self,
        game: &G,
        state: &G::State,
        plan: &Self::Context,
        notes: &mut Self::Scratch,
        list: &mut MoveFeatures<G::Move>,
    );

    /// Plays the move in this place of the list and lists what follows, in any order. For games in
    /// which a move changes few others.
    fn next_move_features(
        &self,
        game: &G,
        state: &mut G::State,
        plan: &Self::Context,
        chosen: usize,
        notes: &mut Self::Scratch,
        list: &mut MoveFeatures<G::Move>,
    ) {
        game.play(state, list.moves[chosen]);
        self.move_features(game, state, plan, notes, list);
    }
}

/// The legal moves of a position, and what may be learnt of them.
#[derive(Clone, Debug)]
pub struct MoveFeatures<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// What is learnt of each of them.
    pub features: Vec<MoveFeature>,
}

impl<M> Default for MoveFeatures<M> {
    fn default() -> Self {
        MoveFeatures {
            moves: Vec::new(),
            features: Vec::new(),
        }
    }
}

impl<M> MoveFeatures<M> {
    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.features.clear();
    }
}

/// What a search may learn of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveFeature {
    /// The number under which the move is remembered: moves that do the same in similar positions
    /// share it. It may refer to where the playout began.
    pub code: u64,
    /// How much likelier than a plain move it is before anything was learnt: the exponential of its
    /// bias, 1 for a plain move.
    pub favour: f64,
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: MoveIndex> Playouts<G> for Uniform {
    type Context = ();
    type Scratch = ();

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

    fn move_features(
        &self,
        game: &G,
        state: &G::State,
        (): &(),
        (): &mut (),
        list: &mut MoveFeatures<G::Move>,
    ) {
        list.clear();
        game.moves(state, &mut list.moves);
        list.features
            .extend(list.moves.iter().map(|&mv| MoveFeature {
                code: game.move_index(mv) as u64,
                favour: 1.0,
            }));
    }
}
