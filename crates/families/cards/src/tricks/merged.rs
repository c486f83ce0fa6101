//! The open game with cards that come to the same merged: of cards of one hand with no card of
//! anybody's between them only the lowest is played, and positions are told apart by ranks among
//! the cards that are left (Sturtevant 2004, section 5.2). Values are those of the whole game, and
//! everything that searches games can search this one.

use tabia_game::{
    Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Turn, zobrist,
};

use super::{Card, Habits, State, TrickRules, Tricks};

/// A game with merged cards. Positions and cards are those of the game itself.
#[derive(Clone, Debug)]
pub struct Merged<S>(pub Tricks<S, Perfect>);

impl<S: TrickRules> Game for Merged<S> {
    type State = State;
    type Move = Card;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.0.players()
    }

    fn start(&self) -> State {
        self.0.start()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        self.0.turn(state)
    }

    fn moves(&self, state: &State, out: &mut Vec<Card>) {
        out.extend(self.0.distinct(state).iter());
    }

    #[inline]
    fn play(&self, state: &mut State, card: Card) -> State {
        self.0.play(state, card)
    }

    fn undo(&self, state: &mut State, before: State) {
        self.0.undo(state, before);
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        self.0.payoff(state, player)
    }

    fn max_payoff(&self) -> Payoff {
        self.0.max_payoff()
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        self.0.payoff_sum()
    }

    fn payoff_range(&self, state: &State, player: Player) -> (Payoff, Payoff) {
        self.0.payoff_range(state, player)
    }

    fn payoff_total(&self, state: &State) -> Option<Payoff> {
        self.0.payoff_total(state)
    }
}

impl<S: TrickRules> Key for Merged<S> {
    fn key(&self, state: &State) -> u64 {
        let taken = u64::from(u32::from_le_bytes(state.taken));
        let bids = u64::from(u32::from_le_bytes(state.bids)) << 32;
        zobrist::mix(self.0.ranked_key(state).wrapping_add(taken | bids))
    }

    fn future_key(&self, state: &State) -> Option<u64> {
        self.0.future_key(state)
    }
}

impl<S: TrickRules> MoveIndex for Merged<S> {
    fn move_indices(&self) -> usize {
        self.0.move_indices()
    }

    #[inline]
    fn move_index(&self, card: Card) -> usize {
        self.0.move_index(card)
    }
}

impl<S: TrickRules> Knowledge<Merged<S>> for Habits {
    fn evaluate(&self, game: &Merged<S>, state: &State, player: Player) -> i32 {
        self.evaluate(&game.0, state, player)
    }

    fn priority(&self, game: &Merged<S>, state: &State, card: Card) -> i32 {
        self.priority(&game.0, state, card)
    }
}
