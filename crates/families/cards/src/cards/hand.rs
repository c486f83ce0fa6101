//! Cards as trick-taking games rank them, with the Ace high, and sets of them as bit masks: sixteen
//! bits for each suit, so that a suit is a shift and the highest card of a suit a count of zeros.

use std::fmt;

use super::{SUITS, card, name, rank, read, suit};

/// A card: sixteen times the suit plus the rank, 0 for the Two and 12 for the Ace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

/// Cards of a suit.
pub const RANKS: u32 = 13;
/// Suits of the deck.
pub const SUITS_OF_DECK: usize = SUITS.len();
/// Cards of the deck.
pub const DECK: u32 = 52;
/// One more than the largest number of a card.
pub const NUMBERS: usize = 64;

impl Card {
    /// The Two of spades, which has the lowest number.
    pub(crate) const LOWEST: Card = Card(0);

    /// A card by suit and rank.
    #[inline]
    pub const fn new(suit: usize, rank: u32) -> Card {
        Card((suit as u8) << 4 | rank as u8)
    }

    /// Its number, below `NUMBERS`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit as a number, in the order spades, hearts, diamonds, clubs.
    #[inline]
    pub const fn suit(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The rank, 0 for the Two and 12 for the Ace.
    #[inline]
    pub const fn rank(self) -> u32 {
        (self.0 & 15) as u32
    }

    /// The same card with the Ace low, as it is written and drawn.
    pub(crate) fn face(self) -> super::Card {
        let low = (self.rank() as u8 + 1) % RANKS as u8 + 1;
        card(self.suit(), low)
    }

    /// The card whose [`Card::face`] this is.
    pub(crate) fn from_face(face: super::Card) -> Card {
        let high = (u32::from(rank(face)) + RANKS - 2) % RANKS;
        Card::new(suit(face), high)
    }

    /// Reads a card at the beginning of a text, such as `TS`; returns it with what follows.
    pub(crate) fn read(text: &str) -> Option<(Card, &str)> {
        let (face, rest) = read(text)?;
        Some((Card::from_face(face), rest))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name(self.face()))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Hand(u64);

/// All cards of a suit, as the lowest suit has them.
const SUIT: u64 = (1 << RANKS) - 1;

impl Hand {
    /// No card.
    pub const NONE: Hand = Hand(0);
    /// The deck of 52.
    pub const ALL: Hand = Hand(SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48);

    /// All cards of a suit.
    #[inline]
    pub const fn of_suit(suit: usize) -> Hand {
        Hand(SUIT << (16 * suit))
    }

    /// The set as a mask, sixteen bits a suit.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cards of a suit as thirteen bits, the Two lowest.
    #[inline]
    pub const fn ranks(self, suit: usize) -> u64 {
        self.0 >> (16 * suit) & SUIT
    }

    /// How many cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in it.
    #[inline]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// With one more card.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> Hand {
        Hand(self.0 | 1 << card.0)
    }

    /// The cards of both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Hand) -> Hand {
        Hand(self.0 | other.0)
    }

    /// The cards that are in both.
    #[inline]
    #[must_use]
    pub const fn in_both(self, other: Hand) -> Hand {
        Hand(self.0 & other.0)
    }

    /// The cards that the other has not.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Hand) -> Hand {
        Hand(self.0 & !other.0)
    }

    /// The card with the lowest number, in the lowest suit.
    #[inline]
    pub fn lowest(self) -> Option<Card> {
        (self.0 != 0).then(|| Card(self.0.trailing_zeros() as u8))
    }

    /// The cards by suit, each from the lowest to the highest.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let card = Hand(left).lowest()?;
            left &= left - 1;
            Some(card)
        })
    }

    /// The cards of each suit of which no other card of `live` lies between them and the next lower
    /// one of this set: only the lowest of such a run is kept.
    #[must_use]
    pub(crate) fn lowest_of_runs(self, live: Hand) -> Hand {
        let mut kept = Hand::NONE;
        for suit in 0..SUITS_OF_DECK {
            let (own, live) = (self.ranks(suit), live.ranks(suit) | self.ranks(suit));
            let mut before = false;
            let mut left = live;
            while left != 0 {
                let lowest = left & left.wrapping_neg();
                left ^= lowest;
                let mine = own & lowest != 0;
                if mine && !before {
                    kept.0 |= lowest << (16 * suit);
                }
                before = mine;
            }
        }
        kept
    }

    /// The ranks of this set among the cards of `live`, which holds it: how many live cards of the
    /// suit are lower takes the place of the rank.
    #[must_use]
    pub(crate) fn compressed(self, live: Hand) -> Hand {
        let mut packed = 0;
        for suit in 0..SUITS_OF_DECK {
            let own = self.ranks(suit);
            let mut left = live.ranks(suit);
            let mut place = 16 * suit;
            while left != 0 {
                let lowest = left & left.wrapping_neg();
                left ^= lowest;
                packed |= u64::from(own & lowest != 0) << place;
                place += 1;
            }
        }
        Hand(packed)
    }

    /// The place of a card among the live cards of its suit, as [`Hand::compressed`] has it.
    pub(crate) fn place_among(card: Card, live: Hand) -> Card {
        let below = live.ranks(card.suit()) & ((1 << card.rank()) - 1);
        Card::new(card.suit(), below.count_ones())
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        cards.into_iter().fold(Hand::NONE, Hand::with)
    }
}

/// By suit, highest cards first, suits in the order of the deck and apart by points: `A5.9.3.7`.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for suit in 0..SUITS_OF_DECK {
            if suit > 0 {
                f.write_str(".")?;
            }
            let ranks = self.ranks(suit);
            for rank in (0..RANKS).rev().filter(|rank| ranks >> rank & 1 == 1) {
                let letter = super::rank_letter(Card::new(suit, rank).face());
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Hand {
    /// Reads cards as they are written, or says what is wrong with them.
    pub(crate) fn parse(text: &str) -> Result<Hand, String> {
        let suits: Vec<&str> = text.split('.').collect();
        if suits.len() != SUITS_OF_DECK {
            return Err(format!(
                "has {} part(s) where 4 belong, the spades, hearts, diamonds and clubs apart by \
                 '.'",
                suits.len()
            ));
        }
        let mut hand = Hand::NONE;
        for (letters, sign) in suits.into_iter().zip(SUITS) {
            let mut left = letters;
            while let Some(first) = left.chars().next() {
                let length = if left.starts_with("10") {
                    2
                } else {
                    first.len_utf8()
                };
                let written = format!("{}{}", &left[..length], char::from(*sign));
                let (card, _) = Card::read(&written).ok_or_else(|| {
                    format!("has '{first}', which is no rank; ranks are AKQJT98765432")
                })?;
                if hand.has(card) {
                    return Err(format!("has {card} twice"));
                }
                hand = hand.with(card);
                left = &left[length..];
            }
        }
        Ok(hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_hands_are_read_back() {
        for card in Hand::ALL.iter() {
            let text = card.to_string();
            assert_eq!(Card::read(&text), Some((card, "")));
            let hand = Hand::NONE.with(card);
            assert_eq!(Hand::parse(&hand.to_string()), Ok(hand));
        }
        assert_eq!(Hand::ALL.len(), DECK);
        let hand = Hand::parse("A5.9..10").unwrap();
        assert_eq!(hand.to_string(), "A5.9..T");
        assert_eq!(
            hand.iter().map(|c| c.to_string()).collect::<Vec<_>>(),
            ["5S", "AS", "9H", "TC"]
        );
        for wrong in ["", "A", "AA...", "A.B..", "1...", "A.....", "é..."] {
            assert!(Hand::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranks_run_from_the_two_to_the_ace() {
        let rank = |text: &str| Card::read(text).unwrap().0.rank();
        assert_eq!(
            (rank("2S"), rank("TH"), rank("KD"), rank("AC")),
            (0, 8, 11, 12)
        );
    }

    /// Of A K J among A K Q J the Ace and the King are one; with the Queen gone all three are.
    #[test]
    fn runs_keep_their_lowest_card() {
        let own = Hand::parse("AKJ.32.5.").unwrap();
        let live = own.and(Hand::parse("Q...9").unwrap());
        assert_eq!(own.lowest_of_runs(live).to_string(), "KJ.2.5.");
        assert_eq!(own.lowest_of_runs(own).to_string(), "J.2.5.");
    }

    #[test]
    fn compression_counts_lower_live_cards() {
        let own = Hand::parse("A5.9.3.").unwrap();
        let live = own.and(Hand::parse("Q7.K2..4").unwrap());
        assert_eq!(own.compressed(live).to_string(), "52.3.2.");
        let ace = Card::read("AS").unwrap().0;
        assert_eq!(Hand::place_among(ace, live).to_string(), "5S");
    }
}
