//! A position: hands, the trick on the table, and what was taken.

use tabia_game::Player;

use super::{Card, Hand, MAX_PLAYERS};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) hands: [Hand; MAX_PLAYERS],
    /// The cards of the trick, as many as were laid, in the order of play; others are the lowest
    /// card.
    pub(crate) trick: [Card; MAX_PLAYERS],
    pub(crate) laid: u8,
    pub(crate) leader: u8,
    /// What each player has taken, as the game counts it.
    pub(crate) taken: [u8; MAX_PLAYERS],
    pub(crate) bids: [u8; MAX_PLAYERS],
    /// Whether a card of the suit that has to be broken was played, where that matters.
    pub(crate) broken: bool,
    /// Whether it is the first trick, where that matters.
    pub(crate) first: bool,
    /// Cards of earlier tricks, where somebody does not know them all anyway.
    pub(crate) gone: Hand,
    /// The suits that each player has shown to have none of, as bits, where that is not plain to
    /// see.
    pub(crate) voids: [u8; MAX_PLAYERS],
}

impl State {
    /// What a player holds.
    pub fn hand(&self, player: Player) -> Hand {
        self.hands[player.index() % MAX_PLAYERS]
    }

    /// What a player has taken so far, as the game counts it: points in Hearts, tricks in Spades.
    pub fn taken(&self, player: Player) -> u8 {
        self.taken[player.index() % MAX_PLAYERS]
    }

    /// What a player has bid.
    pub fn bid(&self, player: Player) -> u8 {
        self.bids[player.index() % MAX_PLAYERS]
    }

    /// The cards of the trick, in the order of play.
    pub fn trick(&self) -> &[Card] {
        &self.trick[..usize::from(self.laid)]
    }

    /// All cards that are still held.
    pub(crate) fn held(&self) -> Hand {
        self.hands
            .iter()
            .fold(Hand::NONE, |all, &hand| all.and(hand))
    }

    /// The cards that are held or lie in the trick.
    pub(crate) fn live(&self) -> Hand {
        self.trick()
            .iter()
            .fold(self.held(), |all, &card| all.with(card))
    }

    /// Tricks that are not taken yet.
    pub(crate) fn tricks_left(&self) -> u32 {
        self.hands[usize::from(self.leader) % MAX_PLAYERS].len() + u32::from(self.laid > 0)
    }
}

/// The place in the trick of the card that wins it so far.
#[inline]
pub(super) fn winner(trick: &[Card], trump: Option<usize>) -> usize {
    let mut best = 0;
    for (place, &card) in trick.iter().enumerate().skip(1) {
        if beats(card, trick[best], trump) {
            best = place;
        }
    }
    best
}

/// Whether a card that is played later beats an earlier one that wins so far.
#[inline]
pub(super) fn beats(later: Card, best: Card, trump: Option<usize>) -> bool {
    match later.suit() == best.suit() {
        true => later.rank() > best.rank(),
        false => Some(later.suit()) == trump,
    }
}
