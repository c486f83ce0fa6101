//! Notation and picture: the foundations, stock and waste, and the piles, separated by `/`.
//!
//! Of the foundations the last cards are told, `--` for an empty one. The cards of the waste come
//! before a colon, those of the stock after it, in the order in which they are turned, and
//! `redeals 2` after them where redeals are counted. Of the piles, cards face down are written in
//! lower case. Where moves are counted, they are told at the end, as in `after 12`. `5H-6S` puts a
//! card with all that lie on it on another, `5H-foundation` on its foundation and `KS-empty` on an
//! empty pile.

use tabia_game::picture::{Facing, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Picture, Player, Text, TextError, Unit};

use super::{
    EMPTY, FOUNDATION, Klondike, LIMIT, MAX_DOWN, MAX_PILES, Move, Pile, STOCK, SUITS, State, fits,
};
use crate::cards::{self, CARDS, Card, card, name, rank, rank_letter, suit, suit_of};

const NONE: &str = "--";
const REDEALS: &str = "redeals";
const AFTER: &str = "after";
const BLANKS: [char; 3] = [' ', '\t', ','];
/// Cards of the stock in a line of the picture.
const LINE: usize = 12;

fn wrong<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn names(cards: &[Card]) -> String {
    let names: Vec<String> = cards.iter().map(|&card| name(card)).collect();
    names.join(" ")
}

/// The cards of a part of the text, and whether they lie face down.
fn read_cards(part: &str, text: &str) -> Result<Vec<(Card, bool)>, TextError> {
    let mut rest = text.trim_start_matches(BLANKS);
    let mut found = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(NONE) {
            rest = after.trim_start_matches(BLANKS);
            continue;
        }
        let Some((card, after)) = cards::read(rest) else {
            let word = rest.split(BLANKS).next().unwrap_or(rest);
            return wrong(format!(
                "{part}: '{}' is no card; cards are written as 3S or TH, in lower case face down",
                shortened(word)
            ));
        };
        let written = &rest[..rest.len() - after.len()];
        found.push((card, written.ends_with(|c: char| c.is_ascii_lowercase())));
        rest = after.trim_start_matches(BLANKS);
    }
    Ok(found)
}

/// Which cards were read, and where.
struct Seen<'a> {
    game: &'a Klondike,
    parts: [Option<String>; CARDS],
}

impl Seen<'_> {
    fn add(&mut self, card: Card, part: &str) -> Result<(), TextError> {
        if rank(card) > self.game.rules.ranks {
            let ranks = self.game.rules.ranks;
            return wrong(format!(
                "{part}: {} is not in a deck of {ranks} ranks",
                name(card)
            ));
        }
        match self.parts[usize::from(card)].replace(part.to_string()) {
            None => Ok(()),
            Some(first) if first == part => wrong(format!("{} is in {part} twice", name(card))),
            Some(first) => wrong(format!("{} is in {first} and in {part}", name(card))),
        }
    }

    fn check_all(&self) -> Result<(), TextError> {
        let ranks = self.game.rules.ranks;
        let deck = (0..SUITS).flat_map(|suit| (1..=ranks).map(move |rank| card(suit, rank)));
        let missing: Vec<Card> = deck
            .filter(|&card| self.parts[usize::from(card)].is_none())
            .collect();
        match missing.is_empty() {
            true => Ok(()),
            false => wrong(format!("missing: {}", names(&missing))),
        }
    }
}

impl Klondike {
    /// What comes before the number of moves, and the number.
    fn parse_moves<'t>(&self, text: &'t str) -> Result<(&'t str, u16), TextError> {
        let Some((position, number)) = text.split_once(AFTER) else {
            return Ok((text, 0));
        };
        match number.trim().parse().ok().filter(|&moves| moves <= LIMIT) {
            Some(moves) if self.rules.back => Ok((position, moves)),
            None if self.rules.back => {
                wrong(format!("'{AFTER}' is followed by 0 to {LIMIT} moves"))
            }
            _ => wrong("moves are counted only if cards may come back".to_string()),
        }
    }

    fn parse_foundations(&self, text: &str, seen: &mut Seen<'_>) -> Result<[u8; SUITS], TextError> {
        let mut foundations = [0; SUITS];
        for (last, _) in read_cards("foundations", text)? {
            if foundations[suit(last)] != 0 {
                return wrong(format!(
                    "foundations: {} is the second card of its suit, of which only the last is \
                     told",
                    name(last)
                ));
            }
            foundations[suit(last)] = rank(last);
            for rank in 1..=rank(last) {
                seen.add(card(suit(last), rank), "foundations")?;
            }
        }
        Ok(foundations)
    }

    /// Cards, how many of them are turned, and the redeals.
    fn parse_stock(
        &self,
        text: &str,
        seen: &mut Seen<'_>,
    ) -> Result<(Vec<Card>, u8, u8), TextError> {
        let (text, redeals) = match text.split_once(REDEALS) {
            None => (text, self.all_redeals()),
            Some((text, number)) => {
                let most = self.all_redeals();
                let redeals = number.trim().parse().ok().filter(|&n| n <= most);
                match redeals {
                    Some(redeals) if !self.has_any_passes() => (text, redeals),
                    None if !self.has_any_passes() => {
                        return wrong(format!("stock: '{REDEALS}' is followed by 0 to {most}"));
                    }
                    _ => return wrong(format!("stock: {REDEALS} are not counted")),
                }
            }
        };
        let Some((waste, stock)) = text.split_once(':') else {
            return wrong(
                "stock: a colon belongs between waste and stock, as in '4H : 5C 6D'".into(),
            );
        };
        let waste = read_cards("waste", waste)?;
        let turned = waste.len() as u8;
        let mut cards = Vec::new();
        for (card, _) in waste.into_iter().chain(read_cards("stock", stock)?) {
            seen.add(card, "stock")?;
            cards.push(card);
        }
        if cards.len() > STOCK {
            return wrong(format!("stock: there are more than {STOCK} cards"));
        }
        let turned = self.settled_waste(turned, cards.len() as u8);
        Ok((cards, turned, redeals))
    }

    fn parse_pile(
        &self,
        number: usize,
        text: &str,
        seen: &mut Seen<'_>,
    ) -> Result<Pile, TextError> {
        let part = format!("pile {number}");
        let cards = read_cards(&part, text)?;
        let down = cards.iter().take_while(|&&(_, down)| down).count();
        if down > MAX_DOWN {
            return wrong(format!(
                "{part}: {down} cards face down, where {MAX_DOWN} are the most"
            ));
        }
        if down == cards.len() && down > 0 {
            return wrong(format!(
                "{part}: the last card lies face up and is written in capitals"
            ));
        }
        if let Some(&(card, _)) = cards[down..].iter().find(|&&(_, down)| down) {
            return wrong(format!(
                "{part}: {} lies face down on a card face up",
                name(card)
            ));
        }
        for pair in cards[down..].windows(2) {
            let (below, card) = (pair[0].0, pair[1].0);
            if !fits(card, below) {
                return wrong(format!(
                    "{part}: {} does not go on {}, which is not one higher and of the other colour",
                    name(card),
                    name(below)
                ));
            }
        }
        let mut pile = Pile::NONE;
        for (card, _) in cards {
            seen.add(card, &part)?;
            pile.push(card);
        }
        pile.down = down as u8;
        Ok(pile)
    }
}

impl Text for Klondike {
    fn position_text(&self, state: &State) -> String {
        let foundations = state
            .foundations
            .iter()
            .enumerate()
            .map(|(suit, &last)| match last {
                0 => NONE.to_string(),
                rank => name(card(suit, rank)),
            });
        let (waste, stock) = state.stock().split_at(usize::from(state.waste));
        let mut middle = format!("{} : {}", names(waste), names(stock));
        if !self.has_any_passes() {
            middle += &format!(" {REDEALS} {}", state.redeals);
        }
        let mut parts = vec![
            foundations.collect::<Vec<_>>().join(" "),
            middle.trim().to_string(),
        ];
        for pile in &state.piles[..usize::from(self.rules.piles)] {
            let down = usize::from(pile.down);
            let cards = pile.cards().iter().enumerate();
            let cards = cards.map(|(place, &card)| match place < down {
                true => name(card).to_lowercase(),
                false => name(card),
            });
            parts.push(match pile.len {
                0 => NONE.to_string(),
                _ => cards.collect::<Vec<_>>().join(" "),
            });
        }
        let mut text = parts.join(" / ");
        if state.moves > 0 {
            text += &format!(" {AFTER} {}", state.moves);
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let (text, moves) = self.parse_moves(text)?;
        let parts: Vec<&str> = text.trim().split(['/', '|', ';', '\n']).collect();
        let piles = usize::from(self.rules.piles);
        if parts.len() != piles + 2 {
            return wrong(format!(
                "there are {} parts where {} belong: foundations, stock and {piles} pile(s), \
                 separated by '/'",
                parts.len(),
                piles + 2
            ));
        }
        let mut seen = Seen {
            game: self,
            parts: [const { None }; CARDS],
        };
        let foundations = self.parse_foundations(parts[0], &mut seen)?;
        let (stock, waste, redeals) = self.parse_stock(parts[1], &mut seen)?;
        let mut state = State {
            piles: [Pile::NONE; MAX_PILES],
            stock: [0; STOCK],
            stock_len: stock.len() as u8,
            waste,
            redeals,
            foundations,
            moves,
            key: 0,
        };
        state.stock[..stock.len()].copy_from_slice(&stock);
        for (i, text) in parts[2..].iter().enumerate() {
            state.piles[i] = self.parse_pile(i + 1, text, &mut seen)?;
        }
        seen.check_all()?;
        state.key = state.whole_key();
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        match mv.onto {
            FOUNDATION => format!("{}-foundation", name(mv.card)),
            EMPTY => format!("{}-empty", name(mv.card)),
            onto => format!("{}-{}", name(mv.card), name(onto)),
        }
    }

    fn player_name(&self, _: Player) -> String {
        "Player".to_string()
    }

    fn unit(&self) -> Unit {
        Unit::Things("card", "cards")
    }

    fn position_help(&self) -> &'static str {
        "foundations, waste : stock, and piles with cards face down in lower case, \
         e.g. 'AS -- -- -- / 2D : 2H AH 2S / AC / ad 2C' with 2 ranks and 2 piles"
    }
}

impl Draw for Klondike {
    /// The foundations, below them waste and stock, and the piles side by side.
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let mut put = |x: usize, y: usize, card: Option<Card>, side: Facing| {
            let at = (x as f32, y as f32);
            picture.cell(at.0, at.1, Shade::Light);
            if let Some(card) = card {
                picture.card(at, rank_letter(card), suit_of(card), side);
                if last.is_some_and(|mv| mv.card == card) {
                    picture.mark(at);
                }
            }
        };
        for (suit, &rank) in state.foundations.iter().enumerate() {
            let last = (rank > 0).then(|| card(suit, rank));
            put(suit, 0, last, Facing::FaceUp);
        }
        for (place, &card) in state.stock().iter().enumerate() {
            let side = match place < usize::from(state.waste) {
                true => Facing::FaceUp,
                false => Facing::FaceDown,
            };
            put(place % LINE, 1 + place / LINE, Some(card), side);
        }
        let first = 2 + state.stock().len().div_ceil(LINE);
        for (x, pile) in state.piles[..usize::from(self.rules.piles)]
            .iter()
            .enumerate()
        {
            if pile.len == 0 {
                put(x, first, None, Facing::FaceUp);
            }
            for (y, &card) in pile.cards().iter().enumerate() {
                let side = match y < usize::from(pile.down) {
                    true => Facing::FaceDown,
                    false => Facing::FaceUp,
                };
                put(x, first + y, Some(card), side);
            }
        }
        picture
    }
}
