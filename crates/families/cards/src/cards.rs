//! Playing cards, as the patiences of this crate hold and write them: a number for the state, `TS`
//! in text. Games of tricks rank them with the Ace high and hold them in sets ([`hand`]).

pub(crate) mod hand;

use rand::{Rng, RngExt};
use tabia_game::picture::Suit;

/// The letters of the ranks, from the Ace on.
const RANKS: &[u8; 13] = b"A23456789TJQK";
/// The letters of the suits, in the order of [`Suit::ALL`].
const SUITS: &[u8; 4] = b"SHDC";

/// The highest rank, the King's.
pub(crate) const KING: u8 = 13;
/// One more than the largest number of a card.
pub(crate) const CARDS: usize = 64;

/// A card as a number: sixteen times the suit plus the rank, so that the next number is the next
/// card of the suit. No card has number 0.
pub(crate) type Card = u8;

/// The card of a suit with a rank from 1 to 13.
#[inline]
pub(crate) const fn card(suit: usize, rank: u8) -> Card {
    (suit as u8) << 4 | rank
}

/// The rank, 1 for the Ace.
#[inline]
pub(crate) const fn rank(card: Card) -> u8 {
    card & 15
}

/// The suit as a number.
#[inline]
pub(crate) const fn suit(card: Card) -> usize {
    (card >> 4) as usize
}

/// The suit as pictures have it.
pub(crate) fn suit_of(card: Card) -> Suit {
    Suit::ALL[suit(card) & 3]
}

/// The letter of the rank.
pub(crate) fn rank_letter(card: Card) -> char {
    char::from(RANKS[usize::from(rank(card)).clamp(1, RANKS.len()) - 1])
}

/// A card in two letters, such as `TS`.
pub(crate) fn name(card: Card) -> String {
    format!("{}{}", rank_letter(card), char::from(SUITS[suit(card) & 3]))
}

/// Reads a card at the beginning of a text: `TS`, `ts`, `10s` or `T♠`. Returns it with what
/// follows.
pub(crate) fn read(text: &str) -> Option<(Card, &str)> {
    let (rank, rest) = match text.strip_prefix("10") {
        Some(rest) => (10, rest),
        None => {
            let letter = text.chars().next()?.to_ascii_uppercase();
            let place = RANKS.iter().position(|&r| char::from(r) == letter)?;
            (place as u8 + 1, &text[1..])
        }
    };
    let sign = rest.chars().next()?;
    let letter = sign.to_ascii_uppercase();
    let suit = SUITS
        .iter()
        .zip(Suit::ALL)
        .position(|(&s, suit)| char::from(s) == letter || suit.sign() == sign)?;
    Some((card(suit, rank), &rest[sign.len_utf8()..]))
}

/// A deck with this many suits and ranks in random order. The order of equal seeds must not change
/// with versions of a library, so that the shuffle (Durstenfeld 1964) is written out.
pub(crate) fn shuffled<R: Rng + ?Sized>(suits: usize, ranks: u8, rng: &mut R) -> Vec<Card> {
    let mut deck: Vec<Card> = (0..suits)
        .flat_map(|suit| (1..=ranks).map(move |rank| card(suit, rank)))
        .collect();
    for last in (1..deck.len()).rev() {
        deck.swap(last, rng.random_range(0..=last));
    }
    deck
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::Seed;

    #[test]
    fn names_are_read_back() {
        for suit in 0..4 {
            for rank in 1..=KING {
                let card = card(suit, rank);
                let text = name(card);
                assert_eq!(read(&text), Some((card, "")));
                assert_eq!(read(&text.to_lowercase()), Some((card, "")));
                let signed = format!("{}{} 2H", rank_letter(card), suit_of(card).sign());
                assert_eq!(read(&signed), Some((card, " 2H")));
            }
        }
        assert_eq!(read("10d5"), Some((card(2, 10), "5")));
        for wrong in ["", "1", "10", "0S", "1S", "SA", "é", "2é", "--"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_shuffled_deck_has_every_card_once() {
        let mut deck = shuffled(4, KING, &mut Seed::new(3).rng());
        assert_ne!(deck, shuffled(4, KING, &mut Seed::new(4).rng()));
        deck.sort_unstable();
        deck.dedup();
        assert_eq!(deck.len(), 52);
        assert!(
            deck.iter()
                .all(|&c| (1..=KING).contains(&rank(c)) && suit(c) < 4)
        );
    }
}
