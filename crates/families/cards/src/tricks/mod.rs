//! Games of tricks for three and four players, each for themselves: Hearts and Spades as in
//! Sturtevant (2004).
//!
//! Whoever leads plays any card; the others follow suit if they can. The highest trump takes the
//! trick, or the highest card of the suit that was led, and its owner leads the next one. What
//! tricks are worth is the game's [`TrickRules`]: [`hearts`], where points are to be avoided, and
//! [`spades`], where tricks are bid for and spades are trump.
//!
//! A game is *open*, with all hands on the table (`I` is [`Perfect`](tabia_game::Perfect)), or
//! played as it is in the world ([`Imperfect`](tabia_game::Imperfect)): everybody sees their own
//! hand, the trick, what was played, and who has shown to have none of a suit. Cards that were not
//! dealt stay unknown to the end. Nothing is passed, and bids follow a fixed rule.

mod deal;
#[cfg(not(test))]
pub mod entry;
pub mod hearts;
mod hidden;
mod merged;
mod order;
pub mod spades;
mod state;
mod text;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::marker::PhantomData;

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Game, Information, Key, MoveIndex, Payoff, Player, Turn, Unit, zobrist,
};

pub use crate::cards::hand::{Card, Hand};
pub use hearts::{Hearts, HeartsRules};
pub use hidden::View;
pub use merged::Merged;
pub use order::Habits;
pub use spades::{Count, Spades, SpadesRules};
pub use state::State;

use crate::cards::hand::{DECK, NUMBERS, SUITS_OF_DECK};
use crate::cards::{KING, shuffled};
use state::{beats, winner};
use tabia_game::Seed;
use tabia_game::SizeError;

/// The largest number of players.
pub const MAX_PLAYERS: usize = 4;

/// The spades, as a suit.
pub const SPADES: usize = 0;
/// The hearts, as a suit.
pub const HEARTS: usize = 1;
/// The clubs, as a suit.
const CLUBS: usize = 3;

/// Who leads the first trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// The first player, with any card.
    First,
    /// Whoever was dealt the lowest club, with that card; the first player if there is none.
    LowestClub,
}

/// What all games of tricks have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrickSettings {
    /// Three or four.
    pub players: usize,
    /// Cards in each hand at the beginning.
    pub cards: u32,
    /// Who leads the first trick.
    pub lead: Lead,
    /// Whether the suit that must be broken (hearts in Hearts, spades in Spades) may be led only
    /// after one of its cards was played, or by who has nothing else.
    pub broken: bool,
    /// Where deals come from.
    pub seed: u64,
}

/// The options that all games of tricks have.
macro_rules! table_parameters {
    ($($own:expr),* $(,)?) => {
        &[
            $crate::tricks::TABLE[0],
            $crate::tricks::TABLE[1],
            $crate::tricks::TABLE[2],
            $crate::tricks::TABLE[3],
            $crate::tricks::TABLE[4],
            $crate::tricks::TABLE[5],
            $($own),*
        ]
    };
}
pub(crate) use table_parameters;

pub(crate) const TABLE: [Parameter; 6] = [
    Parameter {
        key: "players",
        kind: ParameterKind::Integer(3, 4),
        default: "4",
        help: "number of players",
    },
    Parameter {
        key: "cards",
        kind: ParameterKind::Integer(0, 17),
        default: "0",
        help: "cards in each hand, drawn from 52; 0: as many as there are for all",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the deal",
    },
    Parameter {
        key: "open",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether all hands lie on the table",
    },
    Parameter {
        key: "lead",
        kind: ParameterKind::Choice(&["first", "club"]),
        default: "first",
        help: "who leads: the first player, or the holder of the lowest club with that card",
    },
    Parameter {
        key: "broken",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether hearts (in Spades: spades) are led only after one of them was played",
    },
];

impl From<&OptionValues> for TrickSettings {
    fn from(values: &OptionValues) -> TrickSettings {
        let players = values.integer("players").unsigned_abs() as usize;
        let cards = values.integer("cards").unsigned_abs() as u32;
        TrickSettings {
            players,
            cards: match cards {
                0 => DECK / players.max(1) as u32,
                cards => cards,
            },
            lead: match values.word("lead") {
                "club" => Lead::LowestClub,
                _ => Lead::First,
            },
            broken: values.switch("broken"),
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

impl TrickSettings {
    /// This many players with this many cards each, the first of whom leads what they like.
    pub fn new(players: usize, cards: u32, seed: u64) -> TrickSettings {
        TrickSettings {
            players,
            cards,
            lead: Lead::First,
            broken: false,
            seed,
        }
    }

    fn check(&self) -> Result<(), SizeError> {
        if !(3..=MAX_PLAYERS).contains(&self.players) {
            return Err(SizeError(format!(
                "{} players; there are three or four",
                self.players
            )));
        }
        let most = DECK / self.players as u32;
        if !(1..=most).contains(&self.cards) {
            return Err(SizeError(format!(
                "{} cards for each of {} players; 1 to {most} can be dealt",
                self.cards, self.players
            )));
        }
        Ok(())
    }

    /// Hands drawn from a shuffled deck.
    fn deal(&self, seed: Seed) -> [Hand; MAX_PLAYERS] {
        let deck = shuffled(SUITS_OF_DECK, KING, &mut seed.rng());
        let mut hands = [Hand::NONE; MAX_PLAYERS];
        let cards = deck
            .chunks(self.cards as usize)
            .zip(&mut hands[..self.players]);
        for (dealt, hand) in cards {
            *hand = dealt.iter().map(|&face| Card::from_face(face)).collect();
        }
        hands
    }
}

/// What is particular to one game of tricks.
pub trait TrickRules: Clone + Debug + Send + Sync + 'static {
    /// The suit that beats all others.
    const TRUMP: Option<usize>;
    /// The suit that has to be broken, if that is a rule of the table.
    const BROKEN: usize;
    /// What every trick counts.
    const TRICK: u8;
    /// Whether it is good to take tricks.
    const WANTED: bool;
    /// The name of the game.
    const NAME: &'static str;
    /// What is taken, in words.
    const UNIT: &'static str;

    /// Cards that count something else than the others of their suit; one at most.
    const SPECIAL: Hand;

    /// What a card counts for the player who takes it.
    fn counts(card: Card) -> u8;

    /// What all these cards count.
    fn count(cards: Hand) -> u32;

    /// Cards that may not be played to the first trick by who has others.
    fn kept_back(&self) -> Hand;

    /// The bids of all players, zeros where nobody bids.
    fn bids(&self, table: &TrickSettings, hands: &[Hand; MAX_PLAYERS]) -> [u8; MAX_PLAYERS];

    /// What a finished game is worth.
    fn payoff(&self, table: &TrickSettings, end: &State, player: usize) -> Payoff;

    /// What payoffs are counted in.
    fn unit(&self) -> Unit;

    /// The largest absolute payoff.
    fn max_payoff(&self, table: &TrickSettings) -> Payoff;

    /// What `player` gets at least and at most, if they take what they have now and up to all that
    /// is left.
    fn range(&self, table: &TrickSettings, state: &State, player: usize) -> (Payoff, Payoff);

    /// No more than this is paid to all players together, if anything is known of it.
    fn total(&self, table: &TrickSettings, state: &State) -> Option<Payoff>;

    /// Whether payoffs are what was taken, trick by trick, and nothing else.
    fn adds_up(&self) -> bool;
}

/// A game of tricks.
pub struct Tricks<S, I> {
    table: TrickSettings,
    scoring: S,
    information: PhantomData<fn() -> I>,
}

impl<S: Clone, I> Clone for Tricks<S, I> {
    fn clone(&self) -> Self {
        Tricks {
            table: self.table,
            scoring: self.scoring.clone(),
            information: PhantomData,
        }
    }
}

impl<S: Debug, I> Debug for Tricks<S, I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tricks")
            .field("table", &self.table)
            .field("scoring", &self.scoring)
            .finish()
    }
}

impl<S: TrickRules, I: Information> Tricks<S, I> {
    /// A game at this table; impossible numbers of players or cards are refused.
    pub fn new(table: TrickSettings, scoring: S) -> Result<Tricks<S, I>, SizeError> {
        table.check()?;
        Ok(Tricks {
            table,
            scoring,
            information: PhantomData,
        })
    }

    /// What all games of tricks have in common.
    pub fn table(&self) -> &TrickSettings {
        &self.table
    }

    /// What is particular to this one.
    pub fn scoring(&self) -> &S {
        &self.scoring
    }

    /// A position before the first card, its hands drawn from this seed.
    pub(crate) fn dealt_from(&self, seed: Seed) -> State {
        self.dealt(self.table.deal(seed))
    }

    /// The position with these hands before the first card.
    pub(crate) fn dealt(&self, hands: [Hand; MAX_PLAYERS]) -> State {
        let club = hands.iter().fold(Hand::NONE, |all, &hand| all.and(hand));
        let club = club.in_both(Hand::of_suit(CLUBS)).lowest();
        let holder = |card: Card| hands.iter().position(|hand| hand.has(card));
        let leader = match self.table.lead {
            Lead::First => 0,
            Lead::LowestClub => club.and_then(holder).unwrap_or(0),
        };
        State {
            hands,
            trick: [Card::LOWEST; MAX_PLAYERS],
            laid: 0,
            leader: leader as u8,
            taken: [0; MAX_PLAYERS],
            bids: self.scoring.bids(&self.table, &hands),
            broken: false,
            first: self.has_first(),
            gone: Hand::NONE,
            voids: [0; MAX_PLAYERS],
        }
    }

    /// Whether the first trick has rules of its own.
    fn has_first(&self) -> bool {
        self.table.lead == Lead::LowestClub || !self.scoring.kept_back().is_empty()
    }

    #[inline]
    fn mover(&self, state: &State) -> usize {
        (usize::from(state.leader) + usize::from(state.laid)) % self.table.players
    }

    /// The cards that may be played.
    #[inline]
    pub fn legal(&self, state: &State) -> Hand {
        let hand = state.hands[self.mover(state)];
        let or_all = |some: Hand, all: Hand| if some.is_empty() { all } else { some };
        if let Some(led) = state.trick().first() {
            let following = hand.in_both(Hand::of_suit(led.suit()));
            let may = or_all(following, hand);
            return match state.first {
                true => or_all(may.without(self.scoring.kept_back()), may),
                false => may,
            };
        }
        let mut may = hand;
        if state.first && self.table.lead == Lead::LowestClub {
            let clubs = hand.in_both(Hand::of_suit(CLUBS));
            if let Some(lowest) = clubs.lowest() {
                return Hand::NONE.with(lowest);
            }
        }
        if self.table.broken && !state.broken {
            may = or_all(may.without(Hand::of_suit(S::BROKEN)), may);
        }
        if state.first {
            may = or_all(may.without(self.scoring.kept_back()), may);
        }
        may
    }

    /// The cards among those that may be played of which no two come to the same: cards of one hand
    /// that count the same and have no card of anybody's between them are one, and the lowest
    /// stands for all (Sturtevant 2004, section 5.2).
    pub fn distinct(&self, state: &State) -> Hand {
        let legal = self.legal(state);
        let live = state.live();
        let special = legal.in_both(S::SPECIAL);
        let plain = legal.without(S::SPECIAL).lowest_of_runs(live);
        plain.and(special)
    }

    /// A number for everything that what is still to come depends on: who holds which cards, by
    /// their ranks among those that are left, and the trick as far as it matters.
    pub(crate) fn ranked_key(&self, state: &State) -> u64 {
        let held = state.held();
        let Some(first) = state.trick().first() else {
            return self.key_among(state, held, 0);
        };
        let place = winner(state.trick(), S::TRUMP);
        let live = held.with(state.trick[place]);
        let winning = Hand::place_among(state.trick[place], live).index() as u64;
        let points = state.trick().iter().map(|&card| u64::from(S::counts(card)));
        let trick = (1 + place as u64)
            | (first.suit() as u64) << 4
            | winning << 8
            | points.sum::<u64>() << 16;
        self.key_among(state, live, trick)
    }

    /// A number for the whole tree of a position with [merged](Merged) cards: finer than that of
    /// its values, since a card of the trick that no longer wins still lies between others.
    pub fn tree_key(&self, state: &State) -> u64 {
        let live = state.live();
        let places = state.trick().iter().fold(1, |all, &card| {
            (all << 7) | (1 + Hand::place_among(card, live).index() as u64)
        });
        let points = state.trick().iter().map(|&card| u64::from(S::counts(card)));
        let trick = places | points.sum::<u64>() << 24;
        self.key_among(state, live, trick)
    }

    /// A number for all hands by ranks among these cards, the trick as it is told, and who is to
    /// move.
    fn key_among(&self, state: &State, live: Hand, trick: u64) -> u64 {
        let mut key = KEY;
        for hand in &state.hands[..self.table.players] {
            key = zobrist::mix(key ^ hand.compressed(live).bits()).wrapping_add(KEY);
        }
        // Where the special card lies, if somebody holds it; whether it was taken already does not
        // matter.
        let special = state.held().in_both(S::SPECIAL).lowest();
        let special = special.map_or(0, |card| 1 + Hand::place_among(card, live).index() as u64);
        let rest = trick
            | special << 32
            | u64::from(state.leader) << 40
            | u64::from(state.laid) << 44
            | u64::from(state.broken) << 48
            | u64::from(state.first) << 49;
        zobrist::mix(key ^ rest)
    }
}

const KEY: u64 = zobrist::number(0xca_7d5, 0);

impl<S: TrickRules, I: Information> Game for Tricks<S, I> {
    type State = State;
    type Move = Card;
    type Undo = State;
    type Luck = Deterministic;
    type Information = I;

    fn players(&self) -> usize {
        self.table.players
    }

    fn start(&self) -> State {
        self.dealt_from(Seed::new(self.table.seed))
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let mover = self.mover(state);
        match state.hands[mover].is_empty() {
            true => Turn::Over,
            false => Turn::Player(Player(mover as u8)),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Card>) {
        out.extend(self.legal(state).iter());
    }

    fn play(&self, state: &mut State, card: Card) -> State {
        let before = *state;
        let mover = self.mover(state);
        state.hands[mover] = state.hands[mover].without(Hand::NONE.with(card));
        if let Some(led) = before.trick().first()
            && I::HIDDEN
            && led.suit() != card.suit()
        {
            state.voids[mover] |= 1 << led.suit();
        }
        state.broken |= self.table.broken && card.suit() == S::BROKEN;
        state.trick[usize::from(state.laid)] = card;
        state.laid += 1;
        if usize::from(state.laid) == self.table.players {
            let place = winner(state.trick(), S::TRUMP);
            let taker = (usize::from(state.leader) + place) % self.table.players;
            let points: u8 = state.trick().iter().map(|&card| S::counts(card)).sum();
            state.taken[taker] += S::TRICK + points;
            if I::HIDDEN {
                state.gone = state
                    .trick()
                    .iter()
                    .fold(state.gone, |all, &card| all.with(card));
            }
            state.trick = [Card::LOWEST; MAX_PLAYERS];
            (state.laid, state.leader, state.first) = (0, taker as u8, false);
        }
        before
    }

    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        self.scoring.payoff(&self.table, state, player.index())
    }

    fn max_payoff(&self) -> Payoff {
        self.scoring.max_payoff(&self.table)
    }

    /// It depends on the deal; [`Game::payoff_total`] tells it.
    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }

    fn payoff_range(&self, state: &State, player: Player) -> (Payoff, Payoff) {
        self.scoring.range(&self.table, state, player.index())
    }

    fn payoff_total(&self, state: &State) -> Option<Payoff> {
        self.scoring.total(&self.table, state)
    }
}

impl<S: TrickRules, I: Information> Key for Tricks<S, I> {
    fn key(&self, state: &State) -> u64 {
        let mut key = KEY;
        let mut add = |word: u64| key = zobrist::mix(key ^ word).wrapping_add(KEY);
        state.hands.iter().for_each(|hand| add(hand.bits()));
        add(u64::from(u32::from_le_bytes(
            state.trick.map(|card| card.index() as u8),
        )) | u64::from(state.laid) << 32
            | u64::from(state.leader) << 40
            | u64::from(state.broken) << 48
            | u64::from(state.first) << 49);
        add(u64::from(u32::from_le_bytes(state.taken))
            | u64::from(u32::from_le_bytes(state.bids)) << 32);
        if I::HIDDEN {
            add(state.gone.bits());
            add(u64::from(u32::from_le_bytes(state.voids)));
        }
        key
    }

    /// What is taken already makes no difference to what is still to be had, unless the scoring
    /// says otherwise.
    fn future_key(&self, state: &State) -> Option<u64> {
        self.scoring.adds_up().then(|| self.ranked_key(state))
    }
}

impl<S: TrickRules, I: Information> MoveIndex for Tricks<S, I> {
    fn move_indices(&self) -> usize {
        NUMBERS
    }

    #[inline]
    fn move_index(&self, card: Card) -> usize {
        card.index()
    }
}
