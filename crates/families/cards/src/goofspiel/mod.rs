//! Goofspiel, the Game of Pure Strategy: both players have the same cards, prizes are turned up one
//! by one, and both bid a card for each at the same time. The higher bid takes the prize.
//!
//! Simultaneous bids are made one after the other, and the second player does not see the first
//! one's: the [`Simultaneous`] capability says so. Turning up a prize is a chance event, with a
//! single outcome where the order is fixed. Of equal bids neither takes the prize: it is discarded,
//! or stays for the next bids to be added to. Sharing it out would come to the same as discarding,
//! since only the difference of points counts, or which of the two has more.

#[cfg(not(test))]
pub mod entry;
mod text;

#[cfg(test)]
mod tests;

use rand::{Rng, RngExt};
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Chance, Draw, Game, Hidden, Imperfect, Key, MoveIndex, ObservationOf, Payoff, Picture, Player,
    Simultaneous, Stochastic, Text, Turn, TwoPlayer, zobrist,
};

use tabia_game::SizeError;

/// The highest card there can be.
pub const MAX_CARD: u8 = 15;

/// In which order prizes are turned up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lowest first.
    Ascending,
    /// The highest first.
    Descending,
    /// Any that is left, with the same probability.
    Random,
}

/// What becomes of a prize for which both bid the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Nobody gets it.
    Discard,
    /// The next prize that somebody takes is worth this much more.
    Carry,
}

/// What is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The difference of points.
    Points,
    /// To have more points.
    Win,
}

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "cards",
        kind: ParameterKind::Integer(1, 13),
        default: "4",
        help: "cards in each hand, and prizes",
    },
    Parameter {
        key: "order",
        kind: ParameterKind::Choice(&["descending", "ascending", "random"]),
        default: "descending",
        help: "in which order prizes are turned up",
    },
    Parameter {
        key: "objective",
        kind: ParameterKind::Choice(&["points", "win"]),
        default: "points",
        help: "what is played for: the difference of points, or to have more",
    },
    Parameter {
        key: "ties",
        kind: ParameterKind::Choice(&["discard", "carry"]),
        default: "discard",
        help: "what becomes of a prize after equal bids: nobody gets it, or it is added to the \
               next",
    },
];

/// A set of cards, the card n as bit n.
pub(crate) type Cards = u16;

/// The cards of a set, lowest first.
pub(crate) fn each(cards: Cards) -> impl Iterator<Item = u8> {
    (1..=MAX_CARD).filter(move |card| cards >> card & 1 == 1)
}

/// The sum of the cards of a set.
fn sum(cards: Cards) -> Payoff {
    each(cards).map(Payoff::from).sum()
}

/// How many cards of one hand can answer different cards of the other one like this.
fn answered(own: Cards, other: Cards, answers: fn(u8, u8) -> bool) -> usize {
    let mut bids = each(other).peekable();
    each(own)
        .filter(|&card| bids.next_if(|&bid| answers(card, bid)).is_some())
        .count()
}

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text, Turn};
/// use tabia_cards::goofspiel::{Goofspiel, Objective, Order, Ties};
///
/// let game = Goofspiel::new(3, Order::Descending, Objective::Points, Ties::Discard).unwrap();
/// let mut state = game.start();
/// for text in ["3", "2", "1"] {
///     let card = game.parse_move(&state, text).unwrap();
///     game.play(&mut state, card);
/// }
/// // The prize of 3 went to the first player, whose Two beat the Ace.
/// assert_eq!(game.position_text(&state), "1,3/2,3 1,2 lead=3");
/// assert_eq!(game.turn(&state), Turn::Chance);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goofspiel {
    cards: u8,
    order: Order,
    objective: Objective,
    ties: Ties,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) hands: [Cards; 2],
    /// The prizes that were not turned up yet.
    pub(crate) prizes: Cards,
    /// The prize that is bid for; 0 before one is turned up.
    pub(crate) up: u8,
    /// What the first player has bid, 0 for nothing yet; the card is still in the hand.
    pub(crate) bid: u8,
    /// By how many points the first player leads.
    pub(crate) lead: i16,
    /// Prizes that nobody took and that go with the next.
    pub(crate) pot: u8,
}

impl Goofspiel {
    /// The game with cards from 1 to `cards`.
    pub fn new(
        cards: u8,
        order: Order,
        objective: Objective,
        ties: Ties,
    ) -> Result<Goofspiel, SizeError> {
        match cards {
            1..=13 => Ok(Goofspiel {
                cards,
                order,
                objective,
                ties,
            }),
            _ => Err(SizeError(format!("{cards} cards; there are 1 to 13"))),
        }
    }

    /// The game from its options.
    pub fn from_values(values: &OptionValues) -> Result<Goofspiel, SizeError> {
        let order = match values.word("order") {
            "ascending" => Order::Ascending,
            "random" => Order::Random,
            _ => Order::Descending,
        };
        let objective = match values.word("objective") {
            "win" => Objective::Win,
            _ => Objective::Points,
        };
        let ties = match values.word("ties") {
            "carry" => Ties::Carry,
            _ => Ties::Discard,
        };
        let cards = u8::try_from(values.integer("cards")).unwrap_or(0);
        Goofspiel::new(cards, order, objective, ties)
    }

    /// All points there are.
    fn points(&self) -> Payoff {
        let cards = Payoff::from(self.cards);
        cards * (cards + 1) / 2
    }

    /// The prizes that can be turned up next.
    fn next(&self, prizes: Cards) -> Cards {
        match (prizes, self.order) {
            (0, _) | (_, Order::Random) => prizes,
            (_, Order::Ascending) => 1 << prizes.trailing_zeros(),
            (_, Order::Descending) => 1 << prizes.ilog2(),
        }
    }

    /// No more than this is still to be gained by the player with these cards: as many prizes as
    /// they have cards that beat others, the highest, less as many as they must lose, the lowest.
    fn most(&self, state: &State, own: Cards, other: Cards) -> Payoff {
        let prizes = state.prizes | u16::from(state.up > 0) << state.up;
        if self.ties == Ties::Carry {
            // Without prizes to come what lies in the pot is nobody's.
            let pot = if prizes == 0 { 0 } else { state.pot };
            return sum(prizes) + Payoff::from(pot);
        }
        let wins = answered(own, other, |card, bid| card > bid);
        let kept = answered(own, other, |card, bid| card >= bid);
        let lost = prizes.count_ones() as usize - kept.min(prizes.count_ones() as usize);
        let highest = (1..=MAX_CARD)
            .rev()
            .filter(|prize| prizes >> prize & 1 == 1);
        let gained: Payoff = highest.take(wins).map(Payoff::from).sum();
        let paid: Payoff = each(prizes).take(lost).map(Payoff::from).sum();
        gained - paid
    }

    fn worth(&self, lead: Payoff) -> Payoff {
        match self.objective {
            Objective::Points => lead,
            Objective::Win => lead.signum(),
        }
    }
}

impl Game for Goofspiel {
    type State = State;
    type Move = u8;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        let all = ((1u32 << (self.cards + 1)) - 2) as Cards;
        State {
            hands: [all; 2],
            prizes: all,
            up: 0,
            bid: 0,
            lead: 0,
            pot: 0,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.up, state.bid) {
            (0, _) if state.prizes == 0 => Turn::Over,
            (0, _) => Turn::Chance,
            (_, 0) => Turn::Player(Player::FIRST),
            _ => Turn::Player(Player::SECOND),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        out.extend(each(match self.turn(state) {
            Turn::Over => 0,
            Turn::Chance => self.next(state.prizes),
            Turn::Player(player) => state.hands[player.index() & 1],
        }));
    }

    fn play(&self, state: &mut State, card: u8) -> State {
        let before = *state;
        match self.turn(state) {
            Turn::Over => {}
            Turn::Chance => {
                state.prizes &= !(1 << card);
                state.up = card;
            }
            Turn::Player(Player::FIRST) => state.bid = card,
            Turn::Player(_) => {
                let bids = [state.bid, card];
                for (hand, bid) in state.hands.iter_mut().zip(bids) {
                    *hand &= !(1 << bid);
                }
                let prize = i16::from(state.up) + i16::from(state.pot);
                state.pot = 0;
                match bids[0].cmp(&bids[1]) {
                    std::cmp::Ordering::Greater => state.lead += prize,
                    std::cmp::Ordering::Less => state.lead -= prize,
                    std::cmp::Ordering::Equal if self.ties == Ties::Carry => {
                        state.pot = prize as u8;
                    }
                    std::cmp::Ordering::Equal => {}
                }
                (state.up, state.bid) = (0, 0);
            }
        }
        before
    }

    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        let worth = self.worth(Payoff::from(state.lead));
        if player == Player::FIRST {
            worth
        } else {
            -worth
        }
    }

    fn max_payoff(&self) -> Payoff {
        match self.objective {
            Objective::Points => self.points(),
            Objective::Win => 1,
        }
    }

    fn payoff_range(&self, state: &State, player: Player) -> (Payoff, Payoff) {
        let (own, other) = match player {
            Player::FIRST => (state.hands[0], state.hands[1]),
            _ => (state.hands[1], state.hands[0]),
        };
        let lead = match player {
            Player::FIRST => Payoff::from(state.lead),
            _ => -Payoff::from(state.lead),
        };
        let least = lead - self.most(state, other, own);
        let most = lead + self.most(state, own, other);
        (self.worth(least), self.worth(most))
    }
}

impl TwoPlayer for Goofspiel {}

impl Simultaneous for Goofspiel {
    fn choosers(&self, state: &State) -> usize {
        match self.turn(state) {
            Turn::Player(Player::FIRST) => 2,
            _ => 0,
        }
    }

    /// The points that lie with the players already make no difference to those to come.
    fn settle(&self, state: &mut State) -> Payoff {
        match self.objective {
            Objective::Points => Payoff::from(std::mem::take(&mut state.lead)),
            Objective::Win => 0,
        }
    }
}

impl Chance for Goofspiel {
    fn outcomes(&self, state: &State, out: &mut Vec<(u8, u64)>) {
        if self.turn(state) == Turn::Chance {
            out.extend(each(self.next(state.prizes)).map(|prize| (prize, 1)));
        }
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> u8 {
        let next = self.next(state.prizes);
        let drawn = rng.random_range(0..next.count_ones().max(1));
        each(next).nth(drawn as usize).unwrap_or(0)
    }
}

/// What a player sees: everything but a bid of the first player that the second has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    state: State,
    /// Whether there is a bid that is not seen.
    secret: bool,
}

/// What a player sees of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// A prize is turned up.
    Prize(u8),
    /// The player's own bid, while the other has not bid.
    Own(u8),
    /// The other player has bid.
    Bid,
    /// Both have bid: the cards of both.
    Shown([u8; 2]),
}

impl Hidden for Goofspiel {
    type View = View;
    type Signal = Signal;

    fn view(&self, state: &State, player: Player) -> View {
        let secret = state.bid > 0 && player != Player::FIRST;
        let mut state = *state;
        if secret {
            state.bid = 0;
        }
        View { state, secret }
    }

    fn signal(&self, state: &State, card: u8, player: Player) -> Signal {
        match self.turn(state) {
            Turn::Player(Player::FIRST) if player == Player::FIRST => Signal::Own(card),
            Turn::Player(Player::FIRST) => Signal::Bid,
            Turn::Player(_) => Signal::Shown([state.bid, card]),
            _ => Signal::Prize(card),
        }
    }

    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> State {
        let seen = observation.view();
        let mut state = seen.state;
        if seen.secret {
            let hand = state.hands[0];
            let drawn = rng.random_range(0..hand.count_ones().max(1));
            state.bid = each(hand).nth(drawn as usize).unwrap_or(0);
        }
        state
    }

    fn is_secret(&self, state: &State) -> bool {
        self.turn(state) == Turn::Player(Player::FIRST)
    }

    /// A position, with `bid=?` for a bid that is not seen.
    fn view_text(&self, view: &View) -> String {
        let secret = if view.secret { " bid=?" } else { "" };
        format!("{}{secret}", self.position_text(&view.state))
    }

    /// `3` for a prize or an own bid, `?` for a bid that is not seen, `4:2` for both bids.
    fn signal_text(&self, signal: &Signal) -> String {
        match signal {
            Signal::Prize(card) | Signal::Own(card) => card.to_string(),
            Signal::Bid => "?".to_string(),
            Signal::Shown([first, second]) => format!("{first}:{second}"),
        }
    }

    fn picture_for(&self, view: &View, _: Option<&Signal>) -> Picture {
        self.picture(&view.state, None)
    }
}

impl Key for Goofspiel {
    fn key(&self, state: &State) -> u64 {
        let cards = u64::from(state.hands[0])
            | u64::from(state.hands[1]) << 16
            | u64::from(state.prizes) << 32
            | u64::from(state.up) << 48
            | u64::from(state.bid) << 56;
        let points = u64::from(state.lead as u16) | u64::from(state.pot) << 16;
        zobrist::mix(zobrist::mix(cards ^ zobrist::number(0x600f, 0)).wrapping_add(points))
    }
}

impl MoveIndex for Goofspiel {
    fn move_indices(&self) -> usize {
        usize::from(MAX_CARD) + 1
    }

    fn move_index(&self, card: u8) -> usize {
        usize::from(card)
    }
}
