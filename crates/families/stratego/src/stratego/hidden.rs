//! What a player sees of a position, and drawing positions that look the same.

use rand::Rng;
use rand::seq::SliceRandom;
use tabia_game::{Hidden, Player, Seen};

use super::belief::{Belief, Event, Pool, View};
use super::evaluation::points;
use super::pieces::{Piece, Rank, Sight};
use super::{State, Step, Stratego};
use tabia_game::Outcome;

impl View {
    /// What this player sees. Once the game is over that is everything.
    pub(super) fn of(state: &State, viewer: Player) -> View {
        let mut view = View {
            viewer,
            position: state.clone(),
            pool: Pool::default(),
            attack: None,
        };
        if state.outcome == Outcome::Open {
            let pieces = state.board.pieces(viewer.other());
            for (square, piece) in pieces.filter(|(_, piece)| piece.sight != Sight::Known) {
                if let Some(rank) = piece.rank {
                    view.pool[rank.index()] += 1;
                }
                let masked = Piece {
                    rank: None,
                    ..piece
                };
                view.position.board.set(square, Some(masked));
            }
        }
        view
    }

    /// Deals the pool out, every way that suits what has moved with the same probability.
    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        let mut state = self.position.clone();
        let unknown = state.board.pieces(self.viewer.other());
        let (mut idle, moved): (Vec<_>, Vec<_>) = unknown
            .filter(|(_, piece)| piece.rank.is_none())
            .partition(|(_, piece)| piece.sight == Sight::Hidden);
        let (mut mobile, mut fixed): (Vec<Rank>, Vec<Rank>) = Rank::ALL
            .into_iter()
            .zip(self.pool)
            .flat_map(|(rank, n)| std::iter::repeat_n(rank, usize::from(n)))
            .partition(|rank| rank.is_mobile());
        mobile.shuffle(rng);
        fixed.shuffle(rng);
        idle.shuffle(rng);
        let places = idle.into_iter().chain(moved);
        for ((square, piece), rank) in places.zip(fixed.into_iter().chain(mobile)) {
            let piece = Piece {
                rank: Some(rank),
                ..piece
            };
            state.board.set(square, Some(piece));
        }
        state
    }
}

impl Hidden for Stratego {
    type Observation = View;

    fn observe(&self, state: &State, player: Player) -> View {
        View::of(state, player)
    }

    /// Draws until the opponent, if it is his turn, has a move, since otherwise the game would be over and
    /// nothing hidden. Some piece of unknown rank stands where it could move and may be one that moves, so one
    /// draw in forty succeeds at least.
    fn sample_state<R: Rng + ?Sized>(&self, observation: &View, rng: &mut R) -> State {
        loop {
            let mut state = observation.deal(rng);
            self.settle(&mut state);
            if state.outcome == observation.position.outcome {
                return state;
            }
        }
    }
}

impl Seen for Stratego {
    type Belief = Belief;

    /// The evaluation of the position seen is the origin of all evaluations (Schadd 2011, section 5.5.4), so
    /// that they stay within their bounds however much material one side is ahead.
    fn belief(&self, observation: &View) -> (Belief, View) {
        let mut belief = Belief::new(self.clone(), observation.viewer);
        belief.origin = points(observation);
        (belief, observation.clone())
    }

    fn real_move(&self, event: Event) -> Option<Step> {
        match event {
            Event::Step(step) => Some(step),
            Event::Reveal(_) => None,
        }
    }
}
