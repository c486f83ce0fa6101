//! Hearts: each heart counts one point and the Queen of spades thirteen, and points are to be
//! avoided.
//!
//! A player who takes all points that were dealt has *shot the moon*, if that is a rule of the
//! game: they have none and everybody else has them all. A payoff is the number of points with a
//! minus sign. Of a short deal only those points count that were dealt, so that the sum of all
//! payoffs follows from the deal and, with the moon, from the play.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Payoff, Perfect, Unit};

use super::{
    Card, HEARTS, Hand, MAX_PLAYERS, SPADES, State, TrickRules, TrickSettings, Tricks,
    table_parameters,
};

/// The game.
pub type Hearts<I = Perfect> = Tricks<HeartsRules, I>;

/// Points of the whole deck.
const POINTS: u8 = 26;
const QUEEN: Card = Card::new(SPADES, 10);
const QUEEN_POINTS: u8 = 13;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = table_parameters![
    Parameter {
        key: "moon",
        kind: ParameterKind::Switch,
        default: "on",
        help: "whether taking all points gives them to the others instead",
    },
    Parameter {
        key: "first",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether points are kept back from the first trick by who has other cards",
    },
];

/// The rules that are particular to Hearts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeartsRules {
    /// Whether taking all points gives them to the others instead.
    pub moon: bool,
    /// Whether points are kept back from the first trick by who has other cards.
    pub first: bool,
}

impl From<&OptionValues> for HeartsRules {
    fn from(values: &OptionValues) -> HeartsRules {
        HeartsRules {
            moon: values.switch("moon"),
            first: values.switch("first"),
        }
    }
}

impl HeartsRules {
    /// Neither the moon nor a rule for the first trick, as the search experiments of Sturtevant
    /// (2004) take it.
    pub const PLAIN: HeartsRules = HeartsRules {
        moon: false,
        first: false,
    };

    /// The only player with points, if there is one; the moon is theirs alone to shoot.
    fn alone(state: &State) -> Option<usize> {
        let mut takers = (0..MAX_PLAYERS).filter(|&player| state.taken[player] > 0);
        takers.next().filter(|_| takers.next().is_none())
    }

    /// All points of the deal, and those that are not taken yet.
    fn points(state: &State) -> (Payoff, Payoff) {
        let left = Self::count(state.live()) as Payoff;
        let taken: Payoff = state.taken.iter().map(|&points| Payoff::from(points)).sum();
        (taken + left, left)
    }

    /// Whether somebody may still shoot the moon.
    fn moonlit(&self, state: &State) -> bool {
        self.moon && (state.taken == [0; MAX_PLAYERS] || Self::alone(state).is_some())
    }
}

impl TrickRules for HeartsRules {
    const TRUMP: Option<usize> = None;
    const BROKEN: usize = HEARTS;
    const TRICK: u8 = 0;
    const WANTED: bool = false;
    const NAME: &'static str = "Hearts";
    const UNIT: &'static str = "points";
    const SPECIAL: Hand = Hand::NONE.with(QUEEN);

    #[inline]
    fn counts(card: Card) -> u8 {
        match card {
            QUEEN => QUEEN_POINTS,
            _ => u8::from(card.suit() == HEARTS),
        }
    }

    fn count(cards: Hand) -> u32 {
        let queen = u32::from(cards.has(QUEEN)) * u32::from(QUEEN_POINTS);
        cards.in_both(Hand::of_suit(HEARTS)).len() + queen
    }

    fn kept_back(&self) -> Hand {
        match self.first {
            true => Hand::of_suit(HEARTS).with(QUEEN),
            false => Hand::NONE,
        }
    }

    fn bids(&self, _: &TrickSettings, _: &[Hand; MAX_PLAYERS]) -> [u8; MAX_PLAYERS] {
        [0; MAX_PLAYERS]
    }

    fn payoff(&self, _: &TrickSettings, end: &State, player: usize) -> Payoff {
        let (all, _) = Self::points(end);
        match Self::alone(end) {
            Some(shooter) if self.moon && shooter == player => 0,
            Some(_) if self.moon => -all,
            _ => -Payoff::from(end.taken[player % MAX_PLAYERS]),
        }
    }

    fn unit(&self) -> Unit {
        Unit::Things("point", "points")
    }

    fn max_payoff(&self, _: &TrickSettings) -> Payoff {
        Payoff::from(POINTS)
    }

    fn range(&self, table: &TrickSettings, state: &State, player: usize) -> (Payoff, Payoff) {
        let (all, left) = Self::points(state);
        if left == 0 {
            let payoff = self.payoff(table, state, player);
            return (payoff, payoff);
        }
        match self.moonlit(state) {
            true => (-all, 0),
            false => {
                let taken = Payoff::from(state.taken[player % MAX_PLAYERS]);
                (-taken - left, -taken)
            }
        }
    }

    /// The moon makes it less.
    fn total(&self, table: &TrickSettings, state: &State) -> Option<Payoff> {
        let (all, left) = Self::points(state);
        Some(match left {
            0 => (0..table.players)
                .map(|player| self.payoff(table, state, player))
                .sum(),
            _ => -all,
        })
    }

    fn adds_up(&self) -> bool {
        !self.moon
    }
}
