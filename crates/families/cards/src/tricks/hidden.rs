//! What a player knows while hands are hidden: his own cards, the trick, all that was played, how many cards everybody
//! holds, the bids, and who has shown to have none of a suit. Nothing is concluded from bids or from how somebody played.

use std::marker::PhantomData;

use rand::Rng;
use tabia_game::{Game, Hidden, Imperfect, Opened, Player, Turn};

use super::deal::{PLACES, Task};
use super::{Hand, MOST, Merged, Scoring, State, Tricks};

/// What one player knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    player: Player,
    /// The position without the hands of the others.
    state: State,
    sizes: [u8; MOST],
}

impl<S: Scoring> Hidden for Tricks<S, Imperfect> {
    type Observation = Seen;

    fn observe(&self, state: &State, player: Player) -> Seen {
        let mut seen = *state;
        let over = self.turn(state) == Turn::Over;
        for (other, hand) in seen.hands.iter_mut().enumerate() {
            if other != player.index() && !over {
                *hand = Hand::NONE;
            }
        }
        Seen {
            player,
            state: seen,
            sizes: state.hands.map(|hand| hand.len() as u8),
        }
    }

    fn sample_state<R: Rng + ?Sized>(&self, seen: &Seen, rng: &mut R) -> State {
        let mut state = seen.state;
        let known = state.live().and(state.gone);
        let cards = Hand::ALL.without(known);
        let others: Vec<usize> = (0..self.table.players)
            .filter(|&other| other != seen.player.index())
            .collect();
        let mut task = Task {
            cards,
            sizes: [0; PLACES],
            voids: [0; PLACES],
        };
        let mut dealt = 0;
        for (place, &other) in others.iter().enumerate() {
            task.sizes[place] = seen.sizes[other];
            task.voids[place] = state.voids[other];
            dealt += seen.sizes[other];
        }
        task.sizes[PLACES - 1] = (cards.len() as u8).saturating_sub(dealt);
        let hands = task.draw(rng).unwrap_or_default();
        for (&other, hand) in others.iter().zip(hands) {
            state.hands[other] = hand;
        }
        state
    }
}

impl<S: Scoring> Opened for Tricks<S, Imperfect> {
    type Open = Merged<S>;

    fn open_game(&self) -> Merged<S> {
        Merged(Tricks {
            table: self.table,
            scoring: self.scoring.clone(),
            information: PhantomData,
        })
    }

    fn open_state(&self, state: &State) -> State {
        State {
            gone: Hand::NONE,
            voids: [0; MOST],
            ..*state
        }
    }
}
