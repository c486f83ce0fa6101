//! Thoughtful Klondike: the best-known patience, played with all cards known from the beginning
//! (Yan, Diaconis, Rusmevichientong and Van Roy 2004), so that only the play decides.
//!
//! Cards lie in piles, of which the last cards are face up, in a stock, and on one foundation for
//! each suit, which is built up from the Ace. In the piles a card goes onto one of the other colour
//! that is one higher, with all cards that lie on it; an empty pile takes a King. A card face down
//! at the end of a pile is turned. The stock is turned three cards at a time onto the waste, of
//! which the last card can be played, and the waste is taken up again when the stock is used up.
//! Between 82 and 91.44 per cent of deals can be solved (Bjarnason, Tadepalli and Fern 2007).
//!
//! What is counted as a move here follows Bjarnason et al. (2007): turning the stock is none by
//! itself, but every card of stock and waste that can be come at by turning, and by taking up the
//! waste, may be played at once. Three kinds of moves that lead nowhere are left out, so that games
//! do not go round in circles. Cards are moved between piles only if they are all cards face up of
//! theirs, or if the card that they uncover can go to its foundation. A King that has a pile for
//! itself does not change it for another, and of several empty piles the first is taken. A card
//! comes back from a foundation, where that is allowed, only if another can then be put on it that
//! does not come from a foundation, or does so to carry such a card. Two cards of a colour can then
//! still take turns on a foundation without end, so that a game in which cards may come back is
//! given up after [`LIMIT`] moves.
//!
//! Piles may change places without any difference; the key of a position does not tell them apart.

#[cfg(not(test))]
pub mod entry;
mod moves;
#[cfg(test)]
#[path = "../../tests/support/plain_klondike.rs"]
mod plain;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Seed, Turn,
};

use crate::cards::{self, CARDS, Card, KING, rank, suit};
use tabia_game::SizeError;

const SUITS: usize = 4;
const MAX_PILES: usize = 7;
/// Face down in a pile at most, and face up.
const MAX_DOWN: usize = MAX_PILES - 1;
const PILE: usize = MAX_DOWN + KING as usize;
/// All but the one card of the smallest tableau.
const STOCK: usize = SUITS * KING as usize - 1;
const MAX_PASSES: u8 = 100;

/// Moves after which a game is given up, if cards may come back. Solutions are far shorter.
pub const LIMIT: u16 = 10_000;

/// In place of a card to put a card on: its foundation.
const FOUNDATION: Card = 0;
/// In place of a card to put a card on, or below the first card of a pile: nothing. No card has
/// this number.
const EMPTY: Card = 15;

/// A card and what it lies on in its pile.
static LIES_ON: [[u64; CARDS]; CARDS] = tables(0x6b10_1000);
/// A card and its place in the stock.
static IN_STOCK: [[u64; CARDS]; CARDS] = tables(0x6b10_2000);
static FACE_DOWN: [u64; CARDS] = zobrist::table(0x6b10_3000);
static AT_HOME: [u64; CARDS] = zobrist::table(0x6b10_3001);
static WASTE: [u64; CARDS] = zobrist::table(0x6b10_3002);
static REDEALS: [u64; 256] = zobrist::table(0x6b10_3003);

const fn tables(salt: u64) -> [[u64; CARDS]; CARDS] {
    let mut tables = [[0; CARDS]; CARDS];
    let mut card = 0;
    while card < CARDS {
        tables[card] = zobrist::table(salt + card as u64);
        card += 1;
    }
    tables
}

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "draw",
        kind: ParameterKind::Integer(1, 3),
        default: "3",
        help: "cards that are turned at a time",
    },
    Parameter {
        key: "passes",
        kind: ParameterKind::Integer(0, MAX_PASSES as i64),
        default: "0",
        help: "how often the stock may be gone through; 0: as often as one likes",
    },
    Parameter {
        key: "back",
        kind: ParameterKind::Switch,
        default: "off",
        help: "cards may come back from the foundations",
    },
    Parameter {
        key: "ranks",
        kind: ParameterKind::Integer(1, KING as i64),
        default: "13",
        help: "cards of each suit, of which the highest is the King",
    },
    Parameter {
        key: "piles",
        kind: ParameterKind::Integer(1, MAX_PILES as i64),
        default: "7",
        help: "piles, of one card, two cards and so on",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the deal",
    },
];

/// What may be chosen of the rules; the default are those of the game in the shops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Cards that are turned at a time, 1 to 3.
    pub draw: u8,
    /// How often the stock may be gone through; 0 for any number.
    pub passes: u8,
    /// Whether cards may come back from the foundations.
    pub back: bool,
    /// Cards of each suit.
    pub ranks: u8,
    /// Piles.
    pub piles: u8,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            draw: 3,
            passes: 0,
            back: false,
            ranks: KING,
            piles: MAX_PILES as u8,
        }
    }
}

/// The rules, and which deal it is.
///
/// ```
/// use tabia_game::{Game, OnePlayer, Text};
/// use tabia_cards::klondike::{Klondike, Rules};
///
/// let rules = Rules { ranks: 2, piles: 2, ..Rules::default() };
/// let game = Klondike::new(rules, 0).unwrap();
/// // Nothing on the foundations, five cards in the stock, and one card face down.
/// let mut state = game.parse_position("-- -- -- -- / : 2S 2H AD 2D AC / AS / 2c AH").unwrap();
/// for card in ["AD", "AS", "2D", "AH", "AC"] {
///     let mv = game.parse_move(&state, &format!("{card}-foundation")).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.earned(&state), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Klondike {
    rules: Rules,
    seed: u64,
}

/// A pile: cards face down, and on them cards face up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pile {
    /// Nothing beyond the last card, so that equal piles are equal.
    cards: [Card; PILE],
    len: u8,
    down: u8,
}

impl Pile {
    const NONE: Pile = Pile {
        cards: [0; PILE],
        len: 0,
        down: 0,
    };

    #[inline]
    fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// The cards face up.
    #[inline]
    fn up(&self) -> &[Card] {
        &self.cards[usize::from(self.down)..usize::from(self.len)]
    }

    #[inline]
    fn top(&self) -> Option<Card> {
        self.cards().last().copied()
    }

    /// What the card at a place lies on.
    #[inline]
    fn below(&self, place: usize) -> Card {
        match place {
            0 => EMPTY,
            place => self.cards[place - 1],
        }
    }

    #[inline]
    fn push(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    piles: [Pile; MAX_PILES],
    /// Waste and stock together, in the order in which they are turned. Nothing beyond.
    stock: [Card; STOCK],
    stock_len: u8,
    /// How many cards of the stock are turned. With any number of passes none, where that makes no
    /// difference.
    waste: u8,
    /// How often the waste may still be taken up; not used with any number of passes.
    redeals: u8,
    /// The rank of the last card on each foundation.
    foundations: [u8; SUITS],
    /// Moves that were made, if cards may come back, and otherwise none. Not in the key.
    moves: u16,
    key: u64,
}

/// A card, with all that lie on it, and what it is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    card: Card,
    onto: Card,
}

/// Whether a card is of a red suit.
#[inline]
fn is_red(card: Card) -> bool {
    matches!(suit(card), 1 | 2)
}

/// Whether a card may be put on another in a pile.
#[inline]
fn fits(card: Card, onto: Card) -> bool {
    rank(onto) == rank(card) + 1 && is_red(onto) != is_red(card)
}

impl State {
    #[inline]
    fn stock(&self) -> &[Card] {
        &self.stock[..usize::from(self.stock_len)]
    }

    /// Whether a card is the next one of its foundation.
    #[inline]
    fn is_next(&self, card: Card) -> bool {
        self.foundations[suit(card)] + 1 == rank(card)
    }

    fn on_foundations(&self) -> Payoff {
        self.foundations.iter().map(|&n| Payoff::from(n)).sum()
    }

    /// The part of the key that stock and waste have.
    fn stock_key(&self) -> u64 {
        let cards = self.stock().iter().zip(0..);
        let key = cards.fold(0, |key, (&card, place): (_, usize)| {
            key ^ IN_STOCK[usize::from(card)][place]
        });
        key ^ WASTE[usize::from(self.waste)] ^ REDEALS[usize::from(self.redeals)]
    }

    /// The key, without what was known before.
    fn whole_key(&self) -> u64 {
        let mut key = self.stock_key();
        for (suit, &last) in self.foundations.iter().enumerate() {
            for rank in 1..=last {
                key ^= AT_HOME[usize::from(cards::card(suit, rank))];
            }
        }
        for pile in &self.piles {
            for (place, &card) in pile.cards().iter().enumerate() {
                key ^= LIES_ON[usize::from(card)][usize::from(pile.below(place))];
                if place < usize::from(pile.down) {
                    key ^= FACE_DOWN[usize::from(card)];
                }
            }
        }
        key
    }
}

impl Klondike {
    /// A deal.
    pub fn new(rules: Rules, seed: u64) -> Result<Klondike, SizeError> {
        let Rules {
            draw,
            passes,
            ranks,
            piles,
            ..
        } = rules;
        let within = |n: u8, least: u8, most: u8| (least..=most).contains(&n);
        let dealt = usize::from(piles) * (usize::from(piles) + 1) / 2;
        let reason = if !within(draw, 1, 3) {
            format!("1 to 3 cards are turned at a time, not {draw}")
        } else if passes > MAX_PASSES {
            format!(
                "the stock is gone through {MAX_PASSES} times at most, or any number of times with \
                 0"
            )
        } else if !within(ranks, 1, KING) {
            format!("a suit has 1 to {KING} cards, not {ranks}")
        } else if !within(piles, 1, MAX_PILES as u8) {
            format!("there are 1 to {MAX_PILES} piles, not {piles}")
        } else if dealt > SUITS * usize::from(ranks) {
            let cards = SUITS * usize::from(ranks);
            format!(
                "{piles} piles have {dealt} cards, and with {ranks} ranks there are only {cards}"
            )
        } else {
            return Ok(Klondike { rules, seed });
        };
        Err(SizeError(format!("klondike: {reason}")))
    }

    /// The rules it is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    fn has_any_passes(&self) -> bool {
        self.rules.passes == 0
    }

    /// How often the waste may be taken up in the whole game, as far as that is limited.
    fn all_redeals(&self) -> u8 {
        self.rules.passes.saturating_sub(1)
    }

    /// The cards there are.
    fn all_cards(&self) -> Payoff {
        SUITS as Payoff * Payoff::from(self.rules.ranks)
    }

    /// Takes a number of turned cards for none where the same cards can be come at: after whole
    /// turns, and when all are turned. That holds only if the waste can always be taken up.
    fn settled_waste(&self, waste: u8, stock: u8) -> u8 {
        let same = waste.is_multiple_of(self.rules.draw) || waste == stock;
        if self.has_any_passes() && same {
            0
        } else {
            waste
        }
    }
}

impl Game for Klondike {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> State {
        let mut rng = Seed::new(self.seed).split("klondike").rng();
        let mut deck = cards::shuffled(SUITS, self.rules.ranks, &mut rng).into_iter();
        let mut state = State {
            piles: [Pile::NONE; MAX_PILES],
            stock: [0; STOCK],
            stock_len: 0,
            waste: 0,
            redeals: self.all_redeals(),
            foundations: [0; SUITS],
            moves: 0,
            key: 0,
        };
        for (down, pile) in (0..self.rules.piles).zip(&mut state.piles) {
            deck.by_ref()
                .take(usize::from(down) + 1)
                .for_each(|card| pile.push(card));
            pile.down = down;
        }
        for (place, card) in state.stock.iter_mut().zip(deck) {
            *place = card;
            state.stock_len += 1;
        }
        state.key = state.whole_key();
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.each_move(state, |_| true) {
            true => Turn::Player(Player::FIRST),
            false => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.each_move(state, |mv| {
            out.push(mv);
            false
        });
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let before = *state;
        self.make(state, mv);
        before
    }

    #[inline]
    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }

    /// The cards on the foundations: all of them if the deal is solved.
    fn payoff(&self, state: &State, _: Player) -> Payoff {
        state.on_foundations()
    }

    fn max_payoff(&self) -> Payoff {
        self.all_cards()
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl OnePlayer for Klondike {
    fn earned(&self, state: &State) -> Payoff {
        state.on_foundations()
    }

    /// All cards while there is a move.
    fn most(&self, state: &State) -> Payoff {
        match self.turn(state) {
            Turn::Over => state.on_foundations(),
            _ => self.all_cards(),
        }
    }
}

impl Key for Klondike {
    /// The same for positions that differ in the order of piles only. Moves tell cards and no
    /// piles, so that what may be played is the same, too.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Klondike {
    fn move_indices(&self) -> usize {
        CARDS * CARDS
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        CARDS * usize::from(mv.card) + usize::from(mv.onto)
    }
}
