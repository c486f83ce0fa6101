//! What a player sees of a position, and drawing positions that look the same.

use rand::Rng;
use rand::seq::SliceRandom;
use tabia_game::{Hidden, ObservationOf, Outcome, Picture, Player, Text};
use tabia_search::Believed;

use super::belief::{Belief, Event, Pool, View};
use super::evaluation::points;
use super::pieces::{Piece, Rank, Sight};
use super::text::drawn;
use super::{State, Step, Stratego};

/// What both players see of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signal {
    step: Step,
    /// The ranks of the attacker and the defender, if it is an attack.
    ranks: Option<[Rank; 2]>,
}

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
    type View = View;
    type Signal = Signal;

    fn view(&self, state: &State, player: Player) -> View {
        View::of(state, player)
    }

    fn signal(&self, state: &State, step: Step, _: Player) -> Signal {
        let rank = |square| state.board.at(square).and_then(|piece| piece.rank);
        let ranks = rank(step.from).zip(rank(step.to));
        Signal {
            step,
            ranks: ranks.map(|(attacker, defender)| [attacker, defender]),
        }
    }

    /// Draws until the opponent, if it is their turn, has a move, since otherwise the game would be
    /// over and nothing hidden. Some piece of unknown rank stands where it could move and may be
    /// one that moves, so one draw in forty succeeds at least.
    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> State {
        let view = observation.view();
        loop {
            let mut state = view.deal(rng);
            self.settle(&mut state);
            if state.outcome == view.position.outcome {
                return state;
            }
        }
    }

    /// A position in which unknown pieces are question marks.
    fn view_text(&self, view: &View) -> String {
        self.position_text(&view.position)
    }

    /// The move, and the ranks of both pieces of an attack: `e4-e5`, `e5xe6=OxN`.
    fn signal_text(&self, signal: &Signal) -> String {
        let [from, to] = [signal.step.from, signal.step.to].map(super::board::name);
        match signal.ranks.map(|ranks| ranks.map(Rank::letter)) {
            Some([attacker, defender]) => format!("{from}x{to}={attacker}x{defender}"),
            None => format!("{from}-{to}"),
        }
    }

    /// Pieces of the opponent whose rank is not known are question marks.
    fn picture_for(&self, view: &View, last: Option<&Signal>) -> Picture {
        drawn(&view.position, last.map(|signal| signal.step))
    }
}

impl Believed for Stratego {
    type Belief = Belief;

    /// The evaluation of the position seen is the origin of all evaluations (Schadd 2011, section
    /// 5.5.4), so that they stay within their bounds however much material one side is ahead.
    fn belief(&self, observation: &ObservationOf<Self>) -> (Belief, View) {
        let view = observation.view();
        let mut belief = Belief::new(self.clone(), view.viewer);
        belief.origin = points(view);
        (belief, view.clone())
    }

    fn real_move(&self, event: Event) -> Option<Step> {
        match event {
            Event::Step(step) => Some(step),
            Event::Reveal(_) => None,
        }
    }
}
