//! What a player knows while hands are hidden: their own cards, the trick, all that was played, how
//! many cards everybody holds, the bids, and who has shown to have none of a suit. Nothing is
//! concluded from bids or from how somebody played.

use std::marker::PhantomData;

use rand::Rng;
use tabia_game::{Game, Hidden, Imperfect, ObservationOf, Opened, Picture, Player, Text, Turn};

use super::deal::{PLACES, Task};
use super::{Card, Hand, MAX_PLAYERS, Merged, State, TrickRules, Tricks};

/// What one player sees of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) player: Player,
    /// The position without the hands of the others.
    pub(super) state: State,
    /// How many cards each player holds.
    pub(super) sizes: [u8; MAX_PLAYERS],
}

/// Everything that was played lies on the table: cards are seen by all.
impl<S: TrickRules> Hidden for Tricks<S, Imperfect> {
    type View = View;
    type Signal = Card;

    fn view(&self, state: &State, player: Player) -> View {
        let mut seen = *state;
        let over = self.turn(state) == Turn::Over;
        for (other, hand) in seen.hands.iter_mut().enumerate() {
            if other != player.index() && !over {
                *hand = Hand::NONE;
            }
        }
        View {
            player,
            state: seen,
            sizes: state.hands.map(|hand| hand.len() as u8),
        }
    }

    fn signal(&self, _: &State, card: Card, _: Player) -> Card {
        card
    }

    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> State {
        let seen = observation.view();
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

    /// The position, with `?7` in the place of a hand of seven cards that is not seen.
    fn view_text(&self, view: &View) -> String {
        let text = self.position_text(&view.state);
        let (hands, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let hands = hands.split('/').enumerate().map(|(seat, hand)| {
            match seat == view.player.index() || view.sizes[seat] == 0 {
                true => hand.to_string(),
                false => format!("?{}", view.sizes[seat]),
            }
        });
        format!("{} {rest}", hands.collect::<Vec<_>>().join("/"))
    }

    fn signal_text(&self, card: &Card) -> String {
        card.to_string()
    }

    fn picture_for(&self, view: &View, last: Option<&Card>) -> Picture {
        self.draw_view(view, last.copied())
    }
}

impl<S: TrickRules> Opened for Tricks<S, Imperfect> {
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
            voids: [0; MAX_PLAYERS],
            ..*state
        }
    }
}
