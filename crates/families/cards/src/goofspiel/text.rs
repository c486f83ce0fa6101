//! Positions and pictures.
//!
//! A position is the hands of both players and the prizes that were not turned up yet, numbers
//! joined by commas and `-` for none: `1,3/2,3 1,2`. Words follow where there is something to say:
//! `up=3` for the prize that is bid for, `bid=2` for what the first player has bid for it,
//! `lead=-3` for the points of the first player less those of the second, `pot=4` for prizes that
//! go with the next.

use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Payoff, Picture, Text, TextError, Unit};

use super::{Cards, Goofspiel, MAX_CARD, Objective, State, Ties, each, sum};

fn wrong<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn cards_text(cards: Cards) -> String {
    let all: Vec<String> = each(cards).map(|card| card.to_string()).collect();
    match all.is_empty() {
        true => "-".into(),
        false => all.join(","),
    }
}

fn read_cards(what: &str, text: &str) -> Result<Cards, TextError> {
    let mut cards = 0;
    for part in text.split(',').filter(|_| text != "-") {
        let card = part
            .parse::<u8>()
            .ok()
            .filter(|card| (1..=MAX_CARD).contains(card));
        let Some(card) = card else {
            return wrong(format!(
                "{what} has '{}'; cards are numbers from 1 to {MAX_CARD}, joined by ','",
                shortened(part)
            ));
        };
        if cards >> card & 1 == 1 {
            return wrong(format!("{what} has {card} twice"));
        }
        cards |= 1 << card;
    }
    Ok(cards)
}

impl Goofspiel {
    fn check(&self, state: &State) -> Result<(), TextError> {
        let [one, other] = state.hands.map(u16::count_ones);
        let prizes = state.prizes.count_ones() + u32::from(state.up > 0);
        if one != prizes || other != prizes {
            return wrong(format!(
                "there are {one} and {other} cards for {prizes} prize(s); there must be as many of \
                 each"
            ));
        }
        if state.up > 0 && state.prizes >> state.up & 1 == 1 {
            return wrong(format!("the prize {} is up and still to come", state.up));
        }
        if state.bid > 0 && (state.up == 0 || state.hands[0] >> state.bid & 1 == 0) {
            return wrong(format!(
                "the bid {} is no card of the first player, or there is no prize to bid for",
                state.bid
            ));
        }
        if state.pot > 0 && self.ties == Ties::Discard {
            return wrong("prizes after equal bids are discarded, so there is no pot".into());
        }
        let points = sum(state.prizes) + Payoff::from(state.up) + Payoff::from(state.pot);
        let most = self.points() - points;
        if Payoff::from(state.lead).abs() > most {
            return wrong(format!(
                "the lead is {}, and {points} points are still to be had; with {} cards all prizes \
                 together make {}",
                state.lead,
                self.cards,
                self.points()
            ));
        }
        Ok(())
    }
}

impl Text for Goofspiel {
    fn position_text(&self, state: &State) -> String {
        let [one, other] = state.hands.map(cards_text);
        let mut text = format!("{one}/{other} {}", cards_text(state.prizes));
        for (key, number) in [
            ("up", i32::from(state.up)),
            ("bid", i32::from(state.bid)),
            ("lead", i32::from(state.lead)),
            ("pot", i32::from(state.pot)),
        ] {
            if number != 0 {
                text += &format!(" {key}={number}");
            }
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let mut words = text.split_whitespace();
        let (Some(hands), Some(prizes)) = (words.next(), words.next()) else {
            return wrong("a position is two hands and the prizes, such as '1,3/2,3 1,2'".into());
        };
        let Some((one, other)) = hands.split_once('/') else {
            return wrong("the two hands are joined by '/', such as '1,3/2,3'".into());
        };
        let mut state = State {
            hands: [
                read_cards("the first hand", one)?,
                read_cards("the second hand", other)?,
            ],
            prizes: read_cards("the prizes", prizes)?,
            up: 0,
            bid: 0,
            lead: 0,
            pot: 0,
        };
        let mut given: Vec<&str> = Vec::new();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let number = value.parse::<i16>().ok().filter(|_| !given.contains(&key));
            given.push(key);
            let card = number.and_then(|number| u8::try_from(number).ok());
            let card = card.filter(|&number| number <= 100);
            match (key, number, card) {
                ("up", _, Some(card)) if card <= MAX_CARD => state.up = card,
                ("bid", _, Some(card)) if card <= MAX_CARD => state.bid = card,
                ("lead", Some(lead), _) if lead.abs() <= 1000 => state.lead = lead,
                ("pot", _, Some(pot)) => state.pot = pot,
                _ => {
                    return wrong(format!(
                        "'{}' means nothing here; there are up=, bid=, lead= and pot= with a \
                         number, once each",
                        shortened(word)
                    ));
                }
            }
        }
        self.check(&state)?;
        Ok(state)
    }

    fn move_text(&self, _: &State, card: u8) -> String {
        card.to_string()
    }

    fn unit(&self) -> Unit {
        match self.objective {
            Objective::Points => Unit::Things("point", "points"),
            Objective::Win => Unit::Result,
        }
    }

    fn position_help(&self) -> &'static str {
        "both hands, the prizes to come, the prize that is up and the first player's lead, e.g. \
         '1,3/2,3 1 up=2 lead=-3'"
    }
}

impl Draw for Goofspiel {
    fn picture(&self, state: &State, _: Option<u8>) -> Picture {
        let mut picture = Picture::default();
        let mut row = |y: f32, label: &str, cards: Cards, colour: Colour, marked: u8| {
            picture.label(-2.0, y, label.to_string());
            for x in 1..=self.cards.max(cards.checked_ilog2().unwrap_or(0) as u8) {
                let at = (f32::from(x - 1), y);
                picture.cell(at.0, at.1, Shade::Light);
                if cards >> x & 1 == 1 {
                    picture.piece(at, '#', colour, Body::Tile(x));
                }
                if marked == x {
                    picture.mark(at);
                }
            }
        };
        row(0.0, "1", state.hands[0], Colour::Black, state.bid);
        row(
            1.0,
            "prize",
            state.prizes | u16::from(state.up > 0) << state.up,
            Colour::Yellow,
            state.up,
        );
        row(2.0, "2", state.hands[1], Colour::White, 0);
        let text = match state.pot {
            0 => format!("{:+}", state.lead),
            pot => format!("{:+} pot {pot}", state.lead),
        };
        picture.label(-2.0, 3.0, text);
        picture
    }
}
