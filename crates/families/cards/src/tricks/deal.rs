//! Hands drawn uniformly among all that agree with what is known: how many cards each place takes,
//! and which suits it has none of.
//!
//! Shuffles are tried first, and taken if nobody gets a suit that they have none of. If that fails
//! too often the cards are dealt suit by suit, each split among the places with the number of ways
//! to deal the remaining suits as its weight. Both are uniform, and so is whichever comes first.

use std::collections::HashMap;

use rand::{Rng, RngExt};

use crate::cards::hand::{Card, Hand, SUITS_OF_DECK};

/// Places that cards are dealt to: up to three players, and the cards that stay out of play.
pub(super) const PLACES: usize = 4;

/// Shuffles that are tried.
const SHUFFLES: usize = 16;

/// What is dealt to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The cards, as many as the places take together.
    pub cards: Hand,
    /// How many cards each place takes.
    pub sizes: [u8; PLACES],
    /// The suits that each place takes none of, as bits.
    pub voids: [u8; PLACES],
}

type Sizes = [u8; PLACES];

impl Task {
    /// Draws hands, each as likely as any other; nothing if there are none that agree.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<[Hand; PLACES]> {
        let mut cards: Vec<Card> = self.cards.iter().collect();
        (0..SHUFFLES)
            .find_map(|_| self.shuffle(&mut cards, rng))
            .or_else(|| self.by_suits(rng))
    }

    fn shuffle<R: Rng + ?Sized>(&self, cards: &mut [Card], rng: &mut R) -> Option<[Hand; PLACES]> {
        let mut hands = [Hand::NONE; PLACES];
        let mut next = 0;
        for (place, hand) in hands.iter_mut().enumerate() {
            for _ in 0..self.sizes[place] {
                let drawn = rng.random_range(next..cards.len());
                cards.swap(next, drawn);
                let card = cards[next];
                if self.voids[place] >> card.suit() & 1 == 1 {
                    return None;
                }
                *hand = hand.with(card);
                next += 1;
            }
        }
        Some(hands)
    }

    fn by_suits<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<[Hand; PLACES]> {
        let mut known = HashMap::new();
        let mut sizes = self.sizes;
        let mut hands = [Hand::NONE; PLACES];
        for suit in 0..SUITS_OF_DECK {
            let all = self.ways(suit, sizes, &mut known);
            let mut drawn = (all > 0).then(|| rng.random_range(0..all))?;
            let mut chosen = None;
            self.each_split(suit, sizes, |split, ways, rest| {
                let weight = ways * self.ways(suit + 1, rest, &mut known);
                if chosen.is_none() {
                    match drawn < weight {
                        true => chosen = Some((split, rest)),
                        false => drawn -= weight,
                    }
                }
            });
            let (split, rest) = chosen?;
            let mut cards: Vec<Card> = self.cards.in_both(Hand::of_suit(suit)).iter().collect();
            for (hand, count) in hands.iter_mut().zip(split) {
                for _ in 0..count {
                    let card = cards.swap_remove(rng.random_range(0..cards.len()));
                    *hand = hand.with(card);
                }
            }
            sizes = rest;
        }
        Some(hands)
    }

    /// In how many ways the cards from this suit on can be dealt to places with so much room.
    fn ways(&self, suit: usize, sizes: Sizes, known: &mut HashMap<(usize, Sizes), u128>) -> u128 {
        if suit == SUITS_OF_DECK {
            return u128::from(sizes == [0; PLACES]);
        }
        if let Some(&ways) = known.get(&(suit, sizes)) {
            return ways;
        }
        let mut sum = 0;
        self.each_split(suit, sizes, |_, ways, rest| {
            sum += ways * self.ways(suit + 1, rest, known);
        });
        known.insert((suit, sizes), sum);
        sum
    }

    /// Visits every way to share the cards of a suit out by number: how many each place gets, in
    /// how many ways, and the room that is left.
    fn each_split(&self, suit: usize, sizes: Sizes, mut visit: impl FnMut(Sizes, u128, Sizes)) {
        let cards = self.cards.in_both(Hand::of_suit(suit)).len() as u8;
        let room = |place: usize| match self.voids[place] >> suit & 1 {
            1 => 0,
            _ => sizes[place],
        };
        for a in 0..=room(0).min(cards) {
            for b in 0..=room(1).min(cards - a) {
                for c in 0..=room(2).min(cards - a - b) {
                    let d = cards - a - b - c;
                    if d <= room(3) {
                        let split = [a, b, c, d];
                        let mut rest = sizes;
                        rest.iter_mut()
                            .zip(split)
                            .for_each(|(room, taken)| *room -= taken);
                        visit(split, multinomial(split), rest);
                    }
                }
            }
        }
    }
}

/// In how many ways cards can be split into parts of these sizes.
fn multinomial(parts: Sizes) -> u128 {
    let (mut ways, mut placed) = (1u128, 0u128);
    for part in parts {
        for one in 1..=u128::from(part) {
            placed += 1;
            ways = ways * placed / one;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tabia_game::Seed;

    /// All deals of a task, by trying every place for every card.
    fn all(task: &Task) -> Vec<[Hand; PLACES]> {
        let mut found = vec![[Hand::NONE; PLACES]];
        for card in task.cards.iter() {
            let grown = found.iter().flat_map(|hands| {
                (0..PLACES).filter_map(move |place| {
                    let full = hands[place].len() == u32::from(task.sizes[place]);
                    let void = task.voids[place] >> card.suit() & 1 == 1;
                    let mut hands = *hands;
                    hands[place] = hands[place].with(card);
                    (!full && !void).then_some(hands)
                })
            });
            found = grown.collect();
        }
        found
    }

    const TASKS: [([u8; PLACES], [u8; PLACES], &str); 3] = [
        ([2, 2, 1, 1], [0, 0, 0, 0], "A5.9.3.7Q"),
        ([2, 1, 0, 2], [0b0001, 0b1000, 0, 0], "A5.9.3.7"),
        // A shuffle nearly never does.
        ([2, 2, 2, 0], [0b1110, 0b1101, 0b1011, 0], "AK.AK.AK."),
    ];

    #[test]
    fn ways_are_those_of_enumeration() {
        for (sizes, voids, cards) in TASKS {
            let cards = Hand::parse(cards).unwrap();
            let task = Task {
                cards,
                sizes,
                voids,
            };
            let ways = task.ways(0, sizes, &mut HashMap::new());
            assert_eq!(ways, all(&task).len() as u128);
        }
    }

    /// Either method finds every deal about as often as any other.
    #[test]
    fn draws_are_uniform() {
        for (sizes, voids, cards) in TASKS {
            let cards = Hand::parse(cards).unwrap();
            let task = Task {
                cards,
                sizes,
                voids,
            };
            let deals = all(&task);
            for whole in [true, false] {
                let mut counts: BTreeMap<[Hand; PLACES], u32> =
                    deals.iter().map(|&deal| (deal, 0)).collect();
                let mut rng = Seed::new(5).rng();
                let each = 400;
                for _ in 0..each * deals.len() {
                    let drawn = if whole {
                        task.draw(&mut rng)
                    } else {
                        task.by_suits(&mut rng)
                    };
                    *counts.get_mut(&drawn.unwrap()).expect("a deal that agrees") += 1;
                }
                // Pearson's statistic: its mean is the number of deals less one, its variance twice
                // that.
                let free = deals.len() as f64 - 1.0;
                let square = |&count: &u32| (f64::from(count) - each as f64).powi(2) / each as f64;
                let statistic: f64 = counts.values().map(square).sum();
                assert!(
                    statistic < free + 5.0 * (2.0 * free).sqrt() + 1e-9,
                    "{statistic} of {free}"
                );
            }
        }
    }

    #[test]
    fn impossible_tasks_have_no_deal() {
        let cards = Hand::parse("AK...").unwrap();
        let task = Task {
            cards,
            sizes: [1, 1, 0, 0],
            voids: [1, 0, 0, 0],
        };
        assert_eq!(task.draw(&mut Seed::new(1).rng()), None);
    }
}
