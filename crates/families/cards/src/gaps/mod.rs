//! Gaps, also called Montana or Superpuzz: a patience for which all cards are known from the
//! beginning, after Helmstetter and Cazenave (2004, section 3.1).
//!
//! The deck is dealt into one row for each suit, and the Aces are taken out: they leave gaps. A gap
//! is filled with the card of the same suit that is one higher than its left neighbour; beside a
//! gap or a King nothing can be put. The goal is every row in the order of one suit.
//!
//! In the *basic* variant the Aces go into a column of their own to the left of the rows, in the
//! order of the suits, so that each row has its suit. No card goes back to where it was, and no
//! position occurs twice: a card moves only to its predecessor, and a card of rank r so moves r - 1
//! times at most. In the *common* variant the Aces are out of the game, and a gap in the first
//! column takes any Two. Twos can go round between gaps of the first column, so that positions
//! recur. There are no redeals.

#[cfg(not(test))]
pub mod entry;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Seed, Turn,
};

use crate::cards::{self, CARDS, Card, KING, card, rank};
use tabia_game::SizeError;

/// A gap, where a card would be.
const GAP: Card = 0;
const TWO: u8 = 2;
/// Places of a row. They are more than its cards, so that the place before a row is never one of a
/// card.
const STRIDE: usize = 16;
const PLACES: usize = 4 * STRIDE;

/// Card and place.
static KEYS: [[u64; PLACES]; CARDS] = keys();

const fn keys() -> [[u64; PLACES]; CARDS] {
    let mut keys = [[0; PLACES]; CARDS];
    let mut card = 0;
    while card < CARDS {
        keys[card] = zobrist::table(0x6a95_0000 + card as u64);
        card += 1;
    }
    keys
}

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "variant",
        kind: ParameterKind::Choice(&["basic", "common"]),
        default: "basic",
        help: "Aces to the left of their rows, or out of the game and any Two in the first column",
    },
    Parameter {
        key: "ranks",
        kind: ParameterKind::Integer(TWO as i64, KING as i64),
        default: "13",
        help: "cards of each suit, the Ace included",
    },
    Parameter {
        key: "suits",
        kind: ParameterKind::Integer(1, 4),
        default: "4",
        help: "suits, and rows",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the deal",
    },
];

/// What becomes of the Aces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// They lie to the left of the rows, so that each row has its suit.
    Basic,
    /// They are out of the game, and any Two may begin any row.
    Common,
}

impl Variant {
    /// The variant that the option `variant` calls so.
    pub fn named(name: &str) -> Option<Variant> {
        match name {
            "basic" => Some(Variant::Basic),
            "common" => Some(Variant::Common),
            _ => None,
        }
    }
}

/// The rules, and which deal it is.
///
/// ```
/// use tabia_game::{Game, OnePlayer, Text};
/// use tabia_cards::gaps::{Gaps, Variant};
///
/// let game = Gaps::new(Variant::Basic, 3, 2, 0).unwrap();
/// let mut state = game.parse_position("2S -- 3H / -- 2H 3S").unwrap();
/// for text in ["3S-b1", "2H-a2", "3H-b2"] {
///     let mv = game.parse_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.position_text(&state), "2S 3S -- / 2H 3H --");
/// assert_eq!(game.earned(&state), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Gaps {
    variant: Variant,
    ranks: u8,
    suits: usize,
    seed: u64,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// What lies where.
    cards: [Card; PLACES],
    /// Where the cards lie, which is told by the cards as well but found faster here.
    places: [u8; CARDS],
    /// The gaps as a set of places.
    gaps: u64,
    key: u64,
}

/// A card put into a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    card: Card,
    from: u8,
    to: u8,
}

impl State {
    /// Positions are made from what lies where; the rest follows.
    fn new(rules: &Gaps, cards: [Card; PLACES]) -> State {
        let mut state = State {
            cards,
            places: [0; CARDS],
            gaps: 0,
            key: 0,
        };
        for place in rules.places() {
            match cards[place] {
                GAP => state.gaps |= 1 << place,
                card => {
                    state.places[usize::from(card)] = place as u8;
                    state.key ^= KEYS[usize::from(card)][place];
                }
            }
        }
        state
    }

    #[inline]
    fn shift(&mut self, card: Card, from: u8, to: u8) {
        let keys = &KEYS[usize::from(card)];
        self.cards[usize::from(from)] = GAP;
        self.cards[usize::from(to)] = card;
        self.places[usize::from(card)] = to;
        self.gaps ^= 1 << from | 1 << to;
        self.key ^= keys[usize::from(from)] ^ keys[usize::from(to)];
    }
}

impl Gaps {
    /// A deal of this many ranks of this many suits.
    pub fn new(variant: Variant, ranks: usize, suits: usize, seed: u64) -> Result<Gaps, SizeError> {
        let (least, most) = (usize::from(TWO), usize::from(KING));
        if !(least..=most).contains(&ranks) || !(1..=4).contains(&suits) {
            return Err(SizeError(format!(
                "gaps is played with {least} to {most} ranks of 1 to 4 suits, not {ranks} of \
                 {suits}"
            )));
        }
        Ok(Gaps {
            variant,
            ranks: ranks as u8,
            suits,
            seed,
        })
    }

    /// Which variant it is.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    fn columns(&self) -> usize {
        usize::from(self.ranks)
    }

    /// All places, row by row from the top.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns();
        (0..self.suits).flat_map(move |row| (0..columns).map(move |column| STRIDE * row + column))
    }

    /// Tells the moves, in a fixed order, until it is asked to stop; whether it was.
    #[inline]
    fn each_move(&self, state: &State, mut stop: impl FnMut(Move) -> bool) -> bool {
        let mut fill = |card: Card, to: usize| {
            stop(Move {
                card,
                from: state.places[usize::from(card)],
                to: to as u8,
            })
        };
        let mut gaps = state.gaps;
        while gaps != 0 {
            let to = gaps.trailing_zeros() as usize;
            gaps &= gaps - 1;
            let stopped = if !to.is_multiple_of(STRIDE) {
                let left = state.cards[to - 1];
                left != GAP && rank(left) != self.ranks && fill(left + 1, to)
            } else if self.variant == Variant::Basic {
                fill(card(to / STRIDE, TWO), to)
            } else {
                (0..self.suits).any(|suit| fill(card(suit, TWO), to))
            };
            if stopped {
                return true;
            }
        }
        false
    }

    /// How many cards are in place: those in the order of a suit from the first column on.
    fn in_place(&self, state: &State) -> Payoff {
        let row = |row: usize| {
            let cards = &state.cards[STRIDE * row..][..self.columns()];
            let first = match self.variant {
                Variant::Basic => card(row, TWO),
                Variant::Common if rank(cards[0]) == TWO => cards[0],
                Variant::Common => return 0,
            };
            let order = (first..).zip(cards);
            order.take_while(|(wanted, card)| wanted == *card).count()
        };
        (0..self.suits).map(row).sum::<usize>() as Payoff
    }

    /// The cards there are, without the Aces.
    fn all_cards(&self) -> Payoff {
        (self.suits * (self.columns() - 1)) as Payoff
    }
}

impl Game for Gaps {
    type State = State;
    type Move = Move;
    /// The move, which tells where the card came from.
    type Undo = Move;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> State {
        let mut rng = Seed::new(self.seed).split("gaps").rng();
        let deck = cards::shuffled(self.suits, self.ranks, &mut rng);
        let mut cards = [GAP; PLACES];
        for (place, card) in self.places().zip(deck) {
            cards[place] = if rank(card) < TWO { GAP } else { card };
        }
        State::new(self, cards)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.each_move(state, |_| true) {
            true => Turn::Player(Player::FIRST),
            false => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.each_move(state, |mv| {
            out.push(mv);
            false
        });
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Move {
        state.shift(mv.card, mv.from, mv.to);
        mv
    }

    #[inline]
    fn undo(&self, state: &mut State, mv: Move) {
        state.shift(mv.card, mv.to, mv.from);
    }

    /// The cards in place, so that a solved deal pays the most, and one that is nearly solved more
    /// than one that has hardly begun. A card counts only with all cards before it in its row,
    /// which are those that a redeal leaves lying: in the basic variant they never move again.
    fn payoff(&self, state: &State, _: Player) -> Payoff {
        self.in_place(state)
    }

    fn max_payoff(&self) -> Payoff {
        self.all_cards()
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl OnePlayer for Gaps {
    fn earned(&self, state: &State) -> Payoff {
        self.in_place(state)
    }

    /// All cards while there is a move.
    fn most(&self, state: &State) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.in_place(state),
            _ => self.all_cards(),
        }
    }

    /// Two moves disturb each other if they move the same card, fill the same gap, or if one takes
    /// away the card that the other puts its card beside.
    #[inline]
    fn commute(&self, _: &State, one: Move, other: Move) -> bool {
        one.card != other.card
            && one.to != other.to
            && one.from + 1 != other.to
            && other.from + 1 != one.to
    }
}

impl Key for Gaps {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Gaps {
    fn move_indices(&self) -> usize {
        CARDS * PLACES
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        PLACES * usize::from(mv.card) + usize::from(mv.to)
    }
}
