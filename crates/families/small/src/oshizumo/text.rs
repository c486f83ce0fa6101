//! Positions and pictures.
//!
//! A position is the coins of both players and how far the wrestler is from the middle, towards the
//! end of the second player: `5/3 +1`. `bid=2` follows if the first player has bid and the second
//! has not.

use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Picture, Text, TextError};

use super::{OshiZumo, State};

impl Text for OshiZumo {
    fn position_text(&self, state: &State) -> String {
        let [first, second] = state.coins;
        let place = match state.place {
            0 => "0".to_string(),
            place => format!("{place:+}"),
        };
        let bid = state.bid.checked_sub(1);
        let bid = bid.map(|bid| format!(" bid={bid}")).unwrap_or_default();
        format!("{first}/{second} {place}{bid}")
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (coins, place, bid) = match words[..] {
            [coins, place] => (coins, place, None),
            [coins, place, bid] => (coins, place, Some(bid)),
            _ => {
                let wanted = "a position is the coins of both players and the place of the \
                              wrestler, such as '5/3 +1'";
                return Err(TextError::new(wanted));
            }
        };
        let number = |word: &str| {
            let read = word.parse::<u8>().ok().filter(|&coins| coins <= self.coins);
            read.ok_or_else(|| {
                TextError::new(format!(
                    "'{}' is no number of coins from 0 to {}",
                    shortened(word),
                    self.coins
                ))
            })
        };
        let Some((first, second)) = coins.split_once('/') else {
            return Err(TextError::new("the coins are joined by '/', such as '5/3'"));
        };
        let coins = [number(first)?, number(second)?];
        let most = self.fields + 1;
        let place = place.parse::<i8>().ok();
        let place = place.filter(|place| (-most..=most).contains(place));
        let Some(place) = place else {
            return Err(TextError::new(format!(
                "the wrestler is from -{most} to +{most}; at the ends it is off the board"
            )));
        };
        let mut state = State {
            coins,
            place,
            bid: 0,
        };
        let Some(bid) = bid else {
            return Ok(state);
        };
        let bid = bid.strip_prefix("bid=").map(number).transpose()?;
        match bid.filter(|bid| !self.is_over(&state) && self.bids(coins[0]).contains(bid)) {
            Some(bid) => state.bid = bid + 1,
            None => return Err(TextError::new("the first player cannot have bid that")),
        }
        Ok(state)
    }

    fn move_text(&self, _: &State, bid: u8) -> String {
        bid.to_string()
    }

    fn position_help(&self) -> &'static str {
        "the coins of both players and the place of the wrestler, towards the second player's end, \
         e.g. '5/3 +1'"
    }
}

impl Draw for OshiZumo {
    fn picture(&self, state: &State, _: Option<u8>) -> Picture {
        let mut picture = Picture::default();
        let fields = self.fields;
        for place in -fields..=fields {
            let shade = match place {
                0 => Shade::Dark,
                _ => Shade::Light,
            };
            picture.cell(f32::from(place), 0.0, shade);
        }
        let colour = match state.place.signum() {
            1 => Colour::Black,
            -1 => Colour::White,
            _ => Colour::Green,
        };
        picture.piece((f32::from(state.place), 0.0), 'O', colour, Body::Disc);
        let [first, second] = state.coins;
        let end = f32::from(fields) + 2.0;
        let bid = state.bid.checked_sub(1);
        let bid = bid.map(|bid| format!(" bids {bid}")).unwrap_or_default();
        picture.label(-end, 0.0, format!("{first}{bid}"));
        picture.label(end, 0.0, second.to_string());
        picture
    }
}
