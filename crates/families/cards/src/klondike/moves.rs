//! What may be played, and what then happens.

use super::{
    AT_HOME, EMPTY, FACE_DOWN, FOUNDATION, Klondike, LIES_ON, LIMIT, Move, Pile, SUITS, State,
    fits, is_red,
};
use crate::cards::{Card, card, rank, suit};

impl Klondike {
    /// Whether a card of the stock can be come at without taking up the waste: the last one that is
    /// turned, and the last of every further turn.
    #[inline]
    fn is_in_this_pass(&self, state: &State, place: usize) -> bool {
        let (waste, stock) = (usize::from(state.waste), usize::from(state.stock_len));
        let turned = place + 1;
        turned == waste
            || turned > waste
                && ((turned - waste).is_multiple_of(usize::from(self.rules.draw))
                    || turned == stock)
    }

    /// Whether it can be come at when the waste was taken up.
    #[inline]
    fn is_in_next_pass(&self, state: &State, place: usize) -> bool {
        let turned = place + 1;
        let may = self.has_any_passes() || state.redeals > 0;
        may && (turned.is_multiple_of(usize::from(self.rules.draw))
            || turned == usize::from(state.stock_len))
    }

    #[inline]
    pub(super) fn is_within_reach(&self, state: &State, place: usize) -> bool {
        self.is_in_this_pass(state, place) || self.is_in_next_pass(state, place)
    }

    /// Tells the moves, in a fixed order, until it is asked to stop; whether it was.
    #[inline]
    pub(super) fn each_move(&self, state: &State, mut stop: impl FnMut(Move) -> bool) -> bool {
        if state.moves >= LIMIT {
            return false;
        }
        let piles = &state.piles[..usize::from(self.rules.piles)];
        let has_room = piles.iter().any(|pile| pile.len == 0);
        // To the foundations first, which is the best that can happen most of the time.
        for pile in piles {
            if let Some(card) = pile.top()
                && state.is_next(card)
                && stop(Move {
                    card,
                    onto: FOUNDATION,
                })
            {
                return true;
            }
        }
        for pile in piles {
            if self.each_run(state, piles, pile, has_room, &mut stop) {
                return true;
            }
        }
        for (place, &card) in state.stock().iter().enumerate() {
            if !self.is_within_reach(state, place) {
                continue;
            }
            let home = Move {
                card,
                onto: FOUNDATION,
            };
            if state.is_next(card) && stop(home)
                || each_target(piles, card, &mut stop)
                || rank(card) == self.rules.ranks && has_room && stop(Move { card, onto: EMPTY })
            {
                return true;
            }
        }
        self.rules.back
            && (0..SUITS).any(|suit| {
                let card = card(suit, state.foundations[suit]);
                let is_king = rank(card) == self.rules.ranks;
                self.can_carry(state, piles, card)
                    && (each_target(piles, card, &mut stop)
                        || is_king && has_room && stop(Move { card, onto: EMPTY }))
            })
    }

    /// Moves of cards from one pile to another.
    #[inline]
    fn each_run(
        &self,
        state: &State,
        piles: &[Pile],
        pile: &Pile,
        has_room: bool,
        stop: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let up = pile.up();
        for (i, &card) in up.iter().enumerate() {
            let uncovers = i.checked_sub(1).map(|below| up[below]);
            if uncovers.is_some_and(|below| !state.is_next(below)) {
                continue;
            }
            // A card of a pile does not fit on the last card of the same pile, which is lower.
            if each_target(piles, card, stop) {
                return true;
            }
            let is_king = rank(card) == self.rules.ranks;
            if is_king && has_room && pile.down > 0 && stop(Move { card, onto: EMPTY }) {
                return true;
            }
        }
        false
    }

    /// Whether a card that comes back from its foundation can carry one that does not, or one that
    /// does but can itself. What an Ace or a Two would carry is on a foundation, or could as well
    /// be.
    fn can_carry(&self, state: &State, piles: &[Pile], carrier: Card) -> bool {
        rank(carrier) > 2
            && (0..SUITS)
                .map(|suit| card(suit, rank(carrier) - 1))
                .filter(|&carried| is_red(carried) != is_red(carrier))
                .any(|carried| {
                    let mut stock = state.stock().iter().enumerate();
                    match state.foundations[suit(carried)] {
                        last if last == rank(carried) => self.can_carry(state, piles, carried),
                        last if last > rank(carried) => false,
                        _ => {
                            stock.any(|(place, &card)| {
                                card == carried && self.is_within_reach(state, place)
                            }) || piles.iter().any(|pile| can_leave(state, pile, carried))
                        }
                    }
                })
    }

    /// Plays a move.
    pub(super) fn make(&self, state: &mut State, Move { card, onto }: Move) {
        state.moves += u16::from(self.rules.back);
        let mut moved = Pile::NONE;
        let home = &mut state.foundations[suit(card)];
        if rank(card) <= *home {
            *home -= 1;
            state.key ^= AT_HOME[usize::from(card)];
            moved.push(card);
        } else if let Some(place) = state.stock().iter().position(|&c| c == card) {
            self.take_from_stock(state, place);
            moved.push(card);
        } else {
            take_from_pile(state, card, &mut moved);
        }
        if onto == FOUNDATION {
            state.foundations[suit(card)] += 1;
            state.key ^= AT_HOME[usize::from(card)];
            return;
        }
        let wanted = (onto != EMPTY).then_some(onto);
        let piles = &mut state.piles[..usize::from(self.rules.piles)];
        if let Some(pile) = piles.iter_mut().find(|pile| pile.top() == wanted) {
            for &card in moved.cards() {
                pile.push(card);
            }
            state.key ^= LIES_ON[usize::from(card)][usize::from(onto)];
        }
    }

    fn take_from_stock(&self, state: &mut State, place: usize) {
        state.key ^= state.stock_key();
        if !self.has_any_passes() && !self.is_in_this_pass(state, place) {
            state.redeals -= 1;
        }
        let last = usize::from(state.stock_len) - 1;
        state.stock.copy_within(place + 1..=last, place);
        state.stock[last] = 0;
        state.stock_len -= 1;
        state.waste = self.settled_waste(place as u8, state.stock_len);
        state.key ^= state.stock_key();
    }
}

/// Takes a card, with all that lie on it, and turns the card below.
fn take_from_pile(state: &mut State, card: Card, moved: &mut Pile) {
    for pile in &mut state.piles {
        let Some(place) = pile.up().iter().position(|&c| c == card) else {
            continue;
        };
        let place = usize::from(pile.down) + place;
        state.key ^= LIES_ON[usize::from(card)][usize::from(pile.below(place))];
        for i in place..usize::from(pile.len) {
            moved.push(std::mem::take(&mut pile.cards[i]));
        }
        pile.len = place as u8;
        if pile.len > 0 && pile.down == pile.len {
            pile.down -= 1;
            state.key ^= FACE_DOWN[usize::from(pile.below(place))];
        }
        return;
    }
}

/// Moves of a card onto the last cards of piles.
#[inline]
fn each_target(piles: &[Pile], card: Card, stop: &mut impl FnMut(Move) -> bool) -> bool {
    let mut tops = piles.iter().filter_map(Pile::top);
    tops.any(|onto| fits(card, onto) && stop(Move { card, onto }))
}

/// Whether a card may leave its pile for another, if it is in this one.
fn can_leave(state: &State, pile: &Pile, card: Card) -> bool {
    let up = pile.up();
    match up.iter().position(|&c| c == card) {
        Some(0) => true,
        Some(place) => state.is_next(up[place - 1]),
        None => false,
    }
}
