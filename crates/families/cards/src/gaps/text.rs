//! Notation and picture: rows of cards from the top, `--` for a gap, `3S-b1` for a card put into a
//! gap.
//!
//! Columns are letters and rows are numbers from the top. When reading, rows may be separated by
//! `/`, `|`, `;` or line breaks, cards by blanks, commas or nothing at all.

use tabia_game::grid::file_letter;
use tabia_game::picture::{Facing, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Picture, Player, Text, TextError, Unit};

use super::{GAP, Gaps, Move, PLACES, STRIDE, State, TWO, Variant};
use crate::cards::{self, CARDS, Card, card, name, rank, rank_letter, suit, suit_of};

const GAP_TEXT: &str = "--";
const GAPS_READ: [&str; 4] = [GAP_TEXT, "__", "..", "-"];

fn place_name(place: u8) -> String {
    let place = usize::from(place);
    format!("{}{}", file_letter(place % STRIDE), place / STRIDE + 1)
}

impl Gaps {
    /// The cards of one row, as they are written.
    fn parse_row(&self, row: usize, text: &str) -> Result<Vec<Card>, TextError> {
        let number = row + 1;
        let mut rest = text.trim_start_matches([' ', '\t', ',']);
        let mut cards = Vec::new();
        while !rest.is_empty() {
            let column = cards.len().min(STRIDE - 1);
            let place = || place_name((STRIDE * row + column) as u8);
            let gap = GAPS_READ
                .iter()
                .find_map(|gap| rest.strip_prefix(gap).map(|after| (GAP, after)));
            let (card, after) = gap.or_else(|| cards::read(rest)).ok_or_else(|| {
                let word = rest.split([' ', ',']).next().unwrap_or(rest);
                TextError::new(format!(
                    "row {number}: '{}' at {} is no card; cards are written as 3S or TH, gaps as \
                     {GAP_TEXT}",
                    shortened(word),
                    place()
                ))
            })?;
            if card != GAP {
                self.check_in_game(card).map_err(|reason| {
                    TextError::new(format!("row {number}, {}: {reason}", place()))
                })?;
            }
            cards.push(card);
            rest = after.trim_start_matches([' ', '\t', ',']);
        }
        let columns = self.columns();
        if cards.len() != columns {
            return Err(TextError::new(format!(
                "row {number} has {} places where {columns} belong",
                cards.len()
            )));
        }
        Ok(cards)
    }

    fn check_in_game(&self, card: Card) -> Result<(), String> {
        if (TWO..=self.ranks).contains(&rank(card)) && suit(card) < self.suits {
            return Ok(());
        }
        let name = name(card);
        if rank(card) < TWO {
            Err(match self.variant {
                Variant::Basic => format!("{name} lies to the left of its row and is not written"),
                Variant::Common => format!("{name} is out of the game, as all Aces are"),
            })
        } else if rank(card) > self.ranks {
            Err(format!("{name} is not in a deck of {} ranks", self.ranks))
        } else {
            Err(format!("{name} is not in a deck of {} suits", self.suits))
        }
    }
}

impl Text for Gaps {
    fn position_text(&self, state: &State) -> String {
        let rows = (0..self.suits).map(|row| {
            let cards = &state.cards[STRIDE * row..][..self.columns()];
            let names = cards.iter().map(|&card| match card {
                GAP => GAP_TEXT.to_string(),
                card => name(card),
            });
            names.collect::<Vec<_>>().join(" ")
        });
        rows.collect::<Vec<_>>().join(" / ")
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let rows: Vec<&str> = text.trim().split(['/', '|', ';', '\n']).collect();
        if rows.len() != self.suits {
            return Err(TextError::new(format!(
                "there are {} rows where {} belong, one for each suit; rows are separated by '/'",
                rows.len(),
                self.suits
            )));
        }
        let mut cards = [GAP; PLACES];
        let mut seen = [None; CARDS];
        for (row, text) in rows.into_iter().enumerate() {
            for (column, card) in self.parse_row(row, text)?.into_iter().enumerate() {
                let place = STRIDE * row + column;
                cards[place] = card;
                if card == GAP {
                    continue;
                }
                if let Some(first) = seen[usize::from(card)].replace(place as u8) {
                    return Err(TextError::new(format!(
                        "{} lies at {} and at {}",
                        name(card),
                        place_name(first),
                        place_name(place as u8)
                    )));
                }
            }
        }
        let deck = (0..self.suits).flat_map(|s| (TWO..=self.ranks).map(move |r| card(s, r)));
        let missing: Vec<String> = deck
            .filter(|&card| seen[usize::from(card)].is_none())
            .map(name)
            .collect();
        if !missing.is_empty() {
            return Err(TextError::new(format!(
                "missing: {}; there are {} gaps where {} belong",
                missing.join(" "),
                self.suits + missing.len(),
                self.suits
            )));
        }
        Ok(State::new(self, cards))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}-{}", name(mv.card), place_name(mv.to))
    }

    fn player_name(&self, _: Player) -> String {
        "Player".to_string()
    }

    fn unit(&self) -> Unit {
        Unit::Things("card", "cards")
    }

    fn position_help(&self) -> &'static str {
        "rows of cards from the top, -- for a gap, e.g. '2S -- 3H / -- 2H 3S' with 3 ranks of 2 \
         suits"
    }
}

impl Draw for Gaps {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        let at = |place: usize| ((place % STRIDE) as f32, (place / STRIDE) as f32);
        let up = Facing::FaceUp;
        for row in 0..self.suits {
            let y = row as f32;
            picture.label(-2.0, y, (row + 1).to_string());
            if self.variant == Variant::Basic {
                let ace = card(row, 1);
                picture.card((-1.0, y), rank_letter(ace), suit_of(ace), up);
            }
        }
        for column in 0..self.columns() {
            let letter = file_letter(column).to_string();
            picture.label(column as f32, self.suits as f32, letter);
        }
        for place in self.places() {
            let (x, y) = at(place);
            picture.cell(x, y, Shade::Light);
            match state.cards[place] {
                GAP => {}
                card => picture.card((x, y), rank_letter(card), suit_of(card), up),
            }
        }
        if let Some(mv) = last {
            picture.mark(at(usize::from(mv.from)));
            picture.mark(at(usize::from(mv.to)));
        }
        picture
    }
}
