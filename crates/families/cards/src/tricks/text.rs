//! Positions, cards and pictures.
//!
//! A position begins with the hands in the order of the seats, each with its spades, hearts,
//! diamonds and clubs apart by points, then the seat of who led or leads the trick:
//! `A5.9.3.7/Q.K2.6.4/87.J.8.9 1`. Words follow where there is something to say: `trick=7C,4C`,
//! `taken=0/14/3`, `bids=2/1/2`, `broken`, `first` for the first trick where that has rules; with
//! hidden hands `gone=` with the cards of earlier tricks, written like a hand, and `voids=-/SH/-`
//! for the suits that players have shown to have none of. Hands alone are a deal: who leads, and
//! what it is the first trick of, follows from the rules.

use tabia_game::picture::{Body, Colour, Facing, Shade};
use tabia_game::text::shortened;
use tabia_game::{Draw, Information, Picture, Text, TextError, Unit};

use super::{Card, Hand, MAX_PLAYERS, State, TrickRules, Tricks, View};
use crate::cards::hand::SUITS_OF_DECK;
use crate::cards::{rank_letter, suit_of};

const SUIT_LETTERS: [char; SUITS_OF_DECK] = ['S', 'H', 'D', 'C'];
const NONE: &str = "-";

fn wrong<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn joined<T: ToString>(all: &[T]) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    all.join("/")
}

fn suits_text(suits: u8) -> String {
    let letters = SUIT_LETTERS.iter().enumerate();
    let text: String = letters
        .filter(|(suit, _)| suits >> suit & 1 == 1)
        .map(|(_, letter)| letter)
        .collect();
    if text.is_empty() { NONE.into() } else { text }
}

impl<S: TrickRules, I: Information> Tricks<S, I> {
    /// Reads one number for each player.
    fn read_numbers(
        &self,
        what: &str,
        text: &str,
        range: [u8; 2],
    ) -> Result<[u8; MAX_PLAYERS], TextError> {
        let players = self.table.players;
        let mut numbers = [0; MAX_PLAYERS];
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() != players {
            return wrong(format!(
                "{what} has {} number(s) for {players} players, joined by '/'",
                parts.len()
            ));
        }
        for (number, part) in numbers.iter_mut().zip(parts) {
            let [least, most] = range;
            let read = part.parse().ok();
            let read = read.filter(|read| (least..=most).contains(read));
            *number = read.ok_or_else(|| {
                TextError::new(format!(
                    "{what} has '{}'; {least} to {most} are possible",
                    shortened(part)
                ))
            })?;
        }
        Ok(numbers)
    }

    fn read_hands(&self, text: &str) -> Result<[Hand; MAX_PLAYERS], TextError> {
        let players = self.table.players;
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() != players {
            return wrong(format!(
                "there are {} hand(s) for {players} players, joined by '/'",
                parts.len()
            ));
        }
        let mut hands = [Hand::NONE; MAX_PLAYERS];
        for (seat, part) in parts.into_iter().enumerate() {
            let hand = Hand::parse(part);
            hands[seat] = hand.map_err(|why| {
                TextError::new(format!("hand {} ('{}') {why}", seat + 1, shortened(part)))
            })?;
        }
        Ok(hands)
    }

    fn read_trick(&self, state: &mut State, text: &str) -> Result<(), TextError> {
        for part in text.split(',') {
            let card = match Card::read(part) {
                Some((card, "")) => card,
                _ => {
                    return wrong(format!(
                        "'{}' in the trick is no card such as QS",
                        shortened(part)
                    ));
                }
            };
            if usize::from(state.laid) + 1 >= self.table.players {
                return wrong(format!(
                    "the trick has more than {} cards; a whole trick is taken at once",
                    self.table.players - 1
                ));
            }
            state.trick[usize::from(state.laid)] = card;
            state.laid += 1;
        }
        Ok(())
    }

    fn read_voids(&self, text: &str) -> Result<[u8; MAX_PLAYERS], TextError> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() != self.table.players {
            return wrong(format!(
                "voids has {} part(s) for {} players, joined by '/'",
                parts.len(),
                self.table.players
            ));
        }
        let mut voids = [0; MAX_PLAYERS];
        for (suits, part) in voids.iter_mut().zip(parts) {
            for letter in part.chars().filter(|_| part != NONE) {
                let suit = SUIT_LETTERS
                    .iter()
                    .position(|&s| s == letter.to_ascii_uppercase());
                let suit = suit.ok_or_else(|| {
                    TextError::new(format!(
                        "voids has '{}'; suits are S, H, D, C, none is '-'",
                        shortened(part)
                    ))
                })?;
                *suits |= 1 << suit;
            }
        }
        Ok(voids)
    }

    /// Refuses what cannot be.
    fn check(&self, state: &State) -> Result<(), TextError> {
        let players = self.table.players;
        let mut seen = Hand::NONE;
        let mut place = |cards: Hand, whose: String| {
            if let Some(twice) = seen.in_both(cards).lowest() {
                return wrong(format!("{twice} is {whose}, and somewhere else, too"));
            }
            seen = seen.and(cards);
            Ok(())
        };
        for (seat, &hand) in state.hands.iter().enumerate() {
            place(hand, format!("in hand {}", seat + 1))?;
        }
        for &card in state.trick() {
            place(Hand::NONE.with(card), "in the trick".into())?;
        }
        place(state.gone, "gone".into())?;
        let whole = state.tricks_left();
        for step in 0..players {
            let seat = (usize::from(state.leader) + step) % players;
            let laid = u32::from(step < usize::from(state.laid));
            let held = state.hands[seat].len();
            if held + laid != whole {
                return wrong(format!(
                    "player {} holds {held} card(s) where {} belong: all play as many",
                    seat + 1,
                    whole - laid
                ));
            }
            let suits = (0..SUITS_OF_DECK).filter(|&suit| state.voids[seat] >> suit & 1 == 1);
            for suit in suits {
                if state.hands[seat].ranks(suit) != 0 {
                    return wrong(format!(
                        "player {} holds cards of {}, which voids says they have none of",
                        seat + 1,
                        SUIT_LETTERS[suit]
                    ));
                }
            }
        }
        self.check_followed(state)?;
        let taken: u32 = state.taken.iter().map(|&taken| u32::from(taken)).sum();
        let unit = S::UNIT;
        if I::HIDDEN {
            let tricks = state.gone.len() / players as u32;
            if !state.gone.len().is_multiple_of(players as u32) {
                return wrong(format!(
                    "{} cards are gone, which are no whole tricks",
                    state.gone.len()
                ));
            }
            let counted = tricks * u32::from(S::TRICK) + S::count(state.gone);
            if counted != taken {
                return wrong(format!(
                    "{taken} {unit} are taken, but what is gone makes {counted}"
                ));
            }
        }
        let others = Hand::ALL.without(state.live());
        let most = others.len() / players as u32 * u32::from(S::TRICK) + S::count(others);
        if taken > most {
            return wrong(format!(
                "{taken} {unit} are taken, but the other cards make no more than {most}"
            ));
        }
        Ok(())
    }

    /// Whoever did not follow suit must have none of it.
    fn check_followed(&self, state: &State) -> Result<(), TextError> {
        let Some(led) = state.trick().first() else {
            return Ok(());
        };
        for (step, card) in state.trick().iter().enumerate().skip(1) {
            let seat = (usize::from(state.leader) + step) % self.table.players;
            if card.suit() != led.suit() && state.hands[seat].ranks(led.suit()) != 0 {
                return wrong(format!(
                    "player {} played {card} to {led} but holds {}, which had to be played",
                    seat + 1,
                    SUIT_LETTERS[led.suit()]
                ));
            }
        }
        Ok(())
    }

    fn read(&self, text: &str) -> Result<State, TextError> {
        let mut words = text.split_whitespace();
        let Some(hands) = words.next() else {
            return wrong("no hands are given".into());
        };
        let hands = self.read_hands(hands)?;
        let bids = self.scoring.bids(&self.table, &hands);
        let Some(leader) = words.next() else {
            let state = self.dealt(hands);
            return self.check(&state).map(|()| state);
        };
        let players = self.table.players;
        let leader = leader
            .parse::<usize>()
            .ok()
            .filter(|seat| (1..=players).contains(seat));
        let Some(leader) = leader else {
            return wrong(format!(
                "after the hands comes the seat of who leads, 1 to {players}"
            ));
        };
        let mut state = State {
            leader: leader as u8 - 1,
            bids,
            broken: false,
            first: false,
            ..self.dealt(hands)
        };
        let mut given: Vec<&str> = Vec::new();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if given.contains(&key) {
                return wrong(format!("'{}' is said twice", shortened(key)));
            }
            given.push(key);
            match (key, value) {
                ("trick", cards) => self.read_trick(&mut state, cards)?,
                ("taken", numbers) => state.taken = self.read_numbers("taken", numbers, [0, 26])?,
                ("bids", numbers) if bids != [0; MAX_PLAYERS] => {
                    state.bids = self.read_numbers("bids", numbers, [1, 17])?;
                }
                ("broken", "") if self.table.broken => state.broken = true,
                ("first", "") if self.has_first() => state.first = true,
                ("gone", cards) if I::HIDDEN => {
                    let hand = Hand::parse(cards);
                    state.gone = hand.map_err(|why| TextError::new(format!("gone {why}")))?;
                }
                ("voids", suits) if I::HIDDEN => state.voids = self.read_voids(suits)?,
                _ => {
                    return wrong(format!(
                        "'{}' means nothing here: there are trick=, taken=, bids= in Spades, \
                         broken and first where the rules have them, gone= and voids= where hands \
                         are hidden",
                        shortened(word)
                    ));
                }
            }
        }
        self.check(&state)?;
        Ok(state)
    }
}

impl<S: TrickRules, I: Information> Text for Tricks<S, I> {
    fn position_text(&self, state: &State) -> String {
        let players = self.table.players;
        let mut text = format!("{} {}", joined(&state.hands[..players]), state.leader + 1);
        if state.laid > 0 {
            text += &format!(" trick={}", joined(state.trick()).replace('/', ","));
        }
        if state.taken != [0; MAX_PLAYERS] {
            text += &format!(" taken={}", joined(&state.taken[..players]));
        }
        if state.bids != [0; MAX_PLAYERS] {
            text += &format!(" bids={}", joined(&state.bids[..players]));
        }
        if state.broken {
            text += " broken";
        }
        if state.first {
            text += " first";
        }
        if !state.gone.is_empty() {
            text += &format!(" gone={}", state.gone);
        }
        if state.voids != [0; MAX_PLAYERS] {
            let voids = state.voids[..players]
                .iter()
                .map(|&suits| suits_text(suits));
            text += &format!(" voids={}", voids.collect::<Vec<_>>().join("/"));
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        self.read(text)
    }

    fn move_text(&self, _: &State, card: Card) -> String {
        card.to_string()
    }

    fn unit(&self) -> Unit {
        self.scoring.unit()
    }

    fn position_help(&self) -> &'static str {
        match self.table.players {
            3 => {
                "hands by suit and the seat of who leads, e.g. 'A5.9.3.7/Q.K2.6.4/87.J.8.9 1 \
                 trick=7C'"
            }
            _ => "hands by suit and the seat of who leads, e.g. 'A5.9../Q.K2../87.J../.3.4.4 1'",
        }
    }
}

impl<S: TrickRules, I: Information> Tricks<S, I> {
    /// The picture of what one player sees.
    pub(super) fn draw_view(&self, view: &View, last: Option<Card>) -> Picture {
        self.draw(&view.state, last, view.sizes)
    }

    /// A row for each player with its cards, what it has taken and its bid, and a row for the
    /// trick. Cards that hands of these sizes have beside those that are known are question marks.
    fn draw(&self, state: &State, last: Option<Card>, sizes: [u8; MAX_PLAYERS]) -> Picture {
        let mut picture = Picture::default();
        let players = self.table.players;
        for (seat, &size) in sizes.iter().enumerate().take(players) {
            let y = seat as f32;
            let hand = state.hands[seat];
            let mut count = format!("{}: {}", seat + 1, state.taken[seat]);
            if state.bids != [0; MAX_PLAYERS] {
                count += &format!(" of {}", state.bids[seat]);
            }
            picture.label(-3.0, y, count);
            let mut cards: Vec<Card> = hand.iter().collect();
            cards.sort_by_key(|card| (card.suit(), std::cmp::Reverse(card.rank())));
            for place in 0..usize::from(size) {
                let at = (place as f32, y);
                picture.cell(at.0, at.1, Shade::Light);
                match cards.get(place) {
                    Some(card) => picture.card(
                        at,
                        rank_letter(card.face()),
                        suit_of(card.face()),
                        Facing::FaceUp,
                    ),
                    None => picture.piece(at, '?', Colour::Black, Body::Letter),
                }
            }
        }
        let y = players as f32 + 0.5;
        picture.label(-3.0, y, "trick".into());
        for place in 0..players {
            picture.cell(place as f32, y, Shade::Dark);
        }
        for (place, &card) in state.trick().iter().enumerate() {
            let at = (place as f32, y);
            picture.card(
                at,
                rank_letter(card.face()),
                suit_of(card.face()),
                Facing::FaceUp,
            );
            if last == Some(card) {
                picture.mark(at);
            }
        }
        picture
    }
}

impl<S: TrickRules, I: Information> Draw for Tricks<S, I> {
    fn picture(&self, state: &State, last: Option<Card>) -> Picture {
        self.draw(state, last, state.hands.map(|hand| hand.len() as u8))
    }
}
