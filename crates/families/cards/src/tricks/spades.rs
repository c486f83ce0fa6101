//! Spades for three or four players without partners: spades are trump, and everybody bids how many
//! tricks they will take.
//!
//! Whoever makes their bid scores ten times the bid and one for every trick beyond it; whoever does
//! not loses ten times the bid. This many tricks beyond the bid in one deal, ten in most rules,
//! cost a hundred. Bids follow a fixed rule: [`bid`].

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Payoff, Perfect, Unit};

use super::{
    Card, Hand, MAX_PLAYERS, SPADES, State, TrickRules, TrickSettings, Tricks, table_parameters,
};
use crate::cards::hand::{DECK, SUITS_OF_DECK};

/// The game.
pub type Spades<I = Perfect> = Tricks<SpadesRules, I>;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = table_parameters![
    Parameter {
        key: "count",
        kind: ParameterKind::Choice(&["score", "tricks"]),
        default: "score",
        help: "what is paid: the score for bid and tricks, or the number of tricks",
    },
    Parameter {
        key: "bags",
        kind: ParameterKind::Integer(0, 17),
        default: "10",
        help: "tricks beyond the bid that cost a hundred; 0: never",
    },
];

/// What a game pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The number of tricks.
    Tricks,
    /// The score for bid and tricks.
    Score,
}

/// The rules that are particular to Spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpadesRules {
    /// What a game pays.
    pub count: Count,
    /// Tricks beyond the bid that cost a hundred; never with 0.
    pub bags: u8,
}

impl From<&OptionValues> for SpadesRules {
    fn from(values: &OptionValues) -> SpadesRules {
        SpadesRules {
            count: match values.word("count") {
                "tricks" => Count::Tricks,
                _ => Count::Score,
            },
            bags: u8::try_from(values.integer("bags")).unwrap_or(0),
        }
    }
}

/// What too many tricks beyond the bid cost.
const PENALTY: Payoff = 100;

impl SpadesRules {
    /// Every trick counts one, and nothing else.
    pub const TRICKS: SpadesRules = SpadesRules {
        count: Count::Tricks,
        bags: 0,
    };

    /// The score for this bid and this many tricks.
    pub fn score(&self, bid: u8, tricks: u8) -> Payoff {
        let (bid, tricks) = (Payoff::from(bid), Payoff::from(tricks));
        let beyond = tricks - bid;
        match beyond {
            ..0 => -10 * bid,
            _ if self.bags > 0 && beyond >= Payoff::from(self.bags) => 10 * bid + beyond - PENALTY,
            _ => 10 * bid + beyond,
        }
    }

    fn worth(&self, bid: u8, tricks: u8) -> Payoff {
        match self.count {
            Count::Tricks => Payoff::from(tricks),
            Count::Score => self.score(bid, tricks),
        }
    }
}

/// A whole trick, as the bidding rule counts.
const WHOLE: u64 = 1000;

/// The rule by which players bid, from their own hand alone: the sum of what the cards promise,
/// rounded, but at least one.
///
/// A card promises the probability that none of the higher cards of its suit, as far as the player
/// does not hold them themselves, was dealt to anybody else. In a side suit only the two highest
/// cards of a hand promise anything, and three quarters of it, since they may be ruffed. A spade
/// promises half a trick at least, and a whole one from the fourth on.
pub fn bid(table: &TrickSettings, hand: Hand) -> u8 {
    let unseen = u64::from(DECK - hand.len());
    let dealt = (table.players as u64 - 1) * u64::from(table.cards);
    let mut sum = 0;
    for suit in 0..SUITS_OF_DECK {
        let mut own: Vec<Card> = hand.in_both(Hand::of_suit(suit)).iter().collect();
        own.reverse();
        for (place, card) in own.into_iter().enumerate() {
            let above = Hand::ALL.ranks(suit) >> (card.rank() + 1)
                & !(hand.ranks(suit) >> (card.rank() + 1));
            let higher = u64::from(above.count_ones());
            let safe = (0..higher).fold(WHOLE, |share, one| {
                share * unseen.saturating_sub(dealt + one) / (unseen - one).max(1)
            });
            sum += match (suit, place) {
                (SPADES, 0..3) => safe.max(WHOLE / 2),
                (SPADES, _) => WHOLE,
                (_, 0..2) => safe * 3 / 4,
                _ => 0,
            };
        }
    }
    ((sum + WHOLE / 2) / WHOLE).clamp(1, u64::from(table.cards.max(1))) as u8
}

impl TrickRules for SpadesRules {
    const TRUMP: Option<usize> = Some(SPADES);
    const BROKEN: usize = SPADES;
    const TRICK: u8 = 1;
    const WANTED: bool = true;
    const NAME: &'static str = "Spades";
    const UNIT: &'static str = "tricks";
    const SPECIAL: Hand = Hand::NONE;

    #[inline]
    fn counts(_: Card) -> u8 {
        0
    }

    fn count(_: Hand) -> u32 {
        0
    }

    fn kept_back(&self) -> Hand {
        Hand::NONE
    }

    fn bids(&self, table: &TrickSettings, hands: &[Hand; MAX_PLAYERS]) -> [u8; MAX_PLAYERS] {
        let mut bids = [0; MAX_PLAYERS];
        for (own, &hand) in bids.iter_mut().zip(hands).take(table.players) {
            *own = bid(table, hand);
        }
        bids
    }

    fn payoff(&self, _: &TrickSettings, end: &State, player: usize) -> Payoff {
        self.worth(
            end.bids[player % MAX_PLAYERS],
            end.taken[player % MAX_PLAYERS],
        )
    }

    fn unit(&self) -> Unit {
        match self.count {
            Count::Tricks => Unit::Things("trick", "tricks"),
            Count::Score => Unit::Things("point", "points"),
        }
    }

    fn max_payoff(&self, table: &TrickSettings) -> Payoff {
        let tricks = (DECK / table.players as u32) as Payoff;
        match self.count {
            Count::Tricks => tricks,
            Count::Score => (10 * tricks).max(PENALTY),
        }
    }

    fn range(&self, _: &TrickSettings, state: &State, player: usize) -> (Payoff, Payoff) {
        let taken = state.taken[player % MAX_PLAYERS];
        let most = taken + state.tricks_left() as u8;
        let all = (taken..=most).map(|tricks| self.worth(state.bids[player % MAX_PLAYERS], tricks));
        all.fold((Payoff::MAX, Payoff::MIN), |(least, most), worth| {
            (least.min(worth), most.max(worth))
        })
    }

    fn total(&self, _: &TrickSettings, state: &State) -> Option<Payoff> {
        let taken: Payoff = state.taken.iter().map(|&tricks| Payoff::from(tricks)).sum();
        (self.count == Count::Tricks).then_some(taken + state.tricks_left() as Payoff)
    }

    fn adds_up(&self) -> bool {
        self.count == Count::Tricks
    }
}
