//! Klondike on lists of words, written from the rules: with every turn of the stock and every move
//! between piles.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::HashSet;

const ORDER: &str = "A23456789TJQK";

/// A pile as cards and whether they lie face up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    pub foundations: Vec<Vec<String>>,
    pub waste: Vec<String>,
    pub stock: Vec<String>,
    pub piles: Vec<Vec<(String, bool)>>,
    pub passes: Option<u8>,
}

pub fn rank(card: &str) -> usize {
    ORDER.find(&card[..1]).unwrap() + 1
}

fn red(card: &str) -> bool {
    card.ends_with('H') || card.ends_with('D')
}

pub fn goes_on(card: &str, onto: &str) -> bool {
    rank(card) + 1 == rank(onto) && red(card) != red(onto)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().filter(|&word| word != "--");
    words.map(str::to_string).collect()
}

impl Table {
    pub fn read(text: &str) -> Table {
        let text = text.split("after").next().unwrap();
        let parts: Vec<&str> = text.split('/').collect();
        let lasts = words(parts[0]);
        let foundations = ["S", "H", "D", "C"].map(|suit| {
            let last = lasts.iter().find(|card| card.ends_with(suit));
            let last = last.map_or(0, |card| rank(card));
            (0..last)
                .map(|i| format!("{}{suit}", &ORDER[i..=i]))
                .collect()
        });
        let (cards, redeals) = match parts[1].split_once("redeals") {
            Some((cards, n)) => (cards, Some(n.trim().parse().unwrap())),
            None => (parts[1], None),
        };
        let (waste, stock) = cards.split_once(':').unwrap();
        let pile = |text: &&str| {
            let cards = words(text).into_iter();
            cards
                .map(|card| (card.to_uppercase(), card == card.to_uppercase()))
                .collect()
        };
        Table {
            foundations: foundations.to_vec(),
            waste: words(waste),
            stock: words(stock),
            piles: parts[2..].iter().map(pile).collect(),
            passes: redeals,
        }
    }

    pub fn home(&self) -> usize {
        self.foundations.iter().map(Vec::len).sum()
    }

    pub fn is_next(&self, card: &str) -> bool {
        let suit = ["S", "H", "D", "C"].iter().position(|s| card.ends_with(s));
        self.foundations[suit.unwrap()].len() + 1 == rank(card)
    }

    /// The stock turned once, or the waste taken up.
    pub fn turned(&self, draw: usize) -> Option<Table> {
        let mut next = self.clone();
        if self.stock.is_empty() {
            if self.waste.is_empty() {
                return None;
            }
            next.passes = match self.passes {
                Some(0) => return None,
                Some(n) => Some(n - 1),
                None => None,
            };
            next.stock = std::mem::take(&mut next.waste);
        } else {
            let draw = draw.min(next.stock.len());
            next.waste.extend(next.stock.drain(..draw));
        }
        Some(next)
    }

    fn settle(&mut self) {
        for pile in &mut self.piles {
            if let Some(last) = pile.last_mut() {
                last.1 = true;
            }
        }
    }

    /// All that can be played, by the text of the move, without turning the stock.
    pub fn plays(&self, ranks: usize, back: bool) -> Vec<(String, Table)> {
        let mut all = Vec::new();
        let suit = |card: &str| {
            ["S", "H", "D", "C"]
                .iter()
                .position(|s| card.ends_with(s))
                .unwrap()
        };
        // What can be taken: cards, and the table without them.
        let mut taken: Vec<(Vec<String>, Table)> = Vec::new();
        if let Some(card) = self.waste.last() {
            let mut without = self.clone();
            without.waste.pop();
            taken.push((vec![card.clone()], without));
        }
        for (i, pile) in self.piles.iter().enumerate() {
            for place in (0..pile.len()).filter(|&place| pile[place].1) {
                let cards = pile[place..].iter().map(|(card, _)| card.clone()).collect();
                let mut without = self.clone();
                without.piles[i].truncate(place);
                taken.push((cards, without));
            }
        }
        if back {
            for (i, foundation) in self.foundations.iter().enumerate() {
                if let Some(card) = foundation.last() {
                    let mut without = self.clone();
                    without.foundations[i].pop();
                    taken.push((vec![card.clone()], without));
                }
            }
        }
        for (cards, without) in taken {
            let head = &cards[0];
            let mut put = |name: &str, mut table: Table| {
                table.settle();
                all.push((format!("{head}-{name}"), table));
            };
            if cards.len() == 1 && self.is_next(head) {
                let mut table = without.clone();
                table.foundations[suit(head)].push(head.clone());
                put("foundation", table);
            }
            for i in 0..without.piles.len() {
                let onto = match self.piles[i].last() {
                    Some((top, _)) if goes_on(head, top) => top.clone(),
                    None if rank(head) == ranks => "empty".to_string(),
                    _ => continue,
                };
                let mut table = without.clone();
                table.piles[i].extend(cards.iter().map(|card| (card.clone(), true)));
                put(&onto, table);
            }
        }
        all
    }

    /// The most cards that ever lie on the foundations at once; `None` if there are too many
    /// positions.
    pub fn best(&self, draw: usize, ranks: usize, back: bool, most: usize) -> Option<usize> {
        let mut seen = HashSet::from([hash_of(&self)]);
        let mut open = vec![self.clone()];
        let mut best = 0;
        while let Some(table) = open.pop() {
            best = best.max(table.home());
            if best == 4 * ranks {
                break;
            }
            // What goes to a foundation is looked at first, that is, comes last.
            let mut plays = table.plays(ranks, back);
            plays.sort_by_key(|(text, _)| text.ends_with("foundation"));
            let plays = plays.into_iter().map(|(_, next)| next);
            for next in table.turned(draw).into_iter().chain(plays) {
                if seen.insert(hash_of(&next)) {
                    open.push(next);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        Some(best)
    }
}

fn hash_of(table: &impl std::hash::Hash) -> u64 {
    tabia_game::zobrist::hash_of(0, table)
}
