//! Oshi-Zumo (Kotani; Buro 2003, *Solving the Oshi-Zumo game*): both players bid coins at the same
//! time, and whoever bids more pushes the wrestler one field towards the other's end.
//!
//! Both bids are paid, also the lower one, and equal bids move nothing. A player who has the
//! minimum bid must bid at least that much; one who has less bids nothing. The game ends when the
//! wrestler is off the board or when nobody can bid. Whoever has the wrestler in the own half then
//! has lost; in the middle it is a draw.
//!
//! There is no chance: all that is hidden is the bid of who chooses first.

#[cfg(not(test))]
pub mod entry;
mod text;

#[cfg(test)]
mod tests;

use rand::{Rng, RngExt};
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{
    Deterministic, Draw, Game, Hidden, Imperfect, Key, MoveIndex, ObservationOf, Payoff, Picture,
    Player, Simultaneous, Text, Turn, TwoPlayer, zobrist,
};

/// The largest number of coins.
const MAX_COINS: u8 = 100;
/// The largest number of fields on each side of the middle.
const MAX_FIELDS: u8 = 20;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "coins",
        kind: ParameterKind::Integer(1, MAX_COINS as i64),
        default: "8",
        help: "coins of each player",
    },
    Parameter {
        key: "fields",
        kind: ParameterKind::Integer(1, MAX_FIELDS as i64),
        default: "3",
        help: "fields on each side of the middle",
    },
    Parameter {
        key: "minimum",
        kind: ParameterKind::Integer(1, MAX_COINS as i64),
        default: "1",
        help: "lowest bid of a player who has that many coins",
    },
];

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_small::oshizumo::OshiZumo;
///
/// let game = OshiZumo::new(5, 3, 1);
/// let mut state = game.start();
/// // The first player bids three, the second one: the wrestler moves towards the second.
/// game.play(&mut state, 3);
/// game.play(&mut state, 1);
/// assert_eq!(game.position_text(&state), "2/4 +1");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OshiZumo {
    coins: u8,
    fields: i8,
    minimum: u8,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    coins: [u8; 2],
    /// How far the wrestler is from the middle, towards the end of the second player.
    place: i8,
    /// One more than what the first player has bid; 0 before.
    bid: u8,
}

/// What a player sees: everything but a bid of the first player that the second has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    state: State,
    /// Whether there is a bid that is not seen.
    secret: bool,
}

/// What a player sees of a bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// The player's own bid, while the other has not bid.
    Own(u8),
    /// The other player has bid.
    Bid,
    /// Both have bid: the bids of both.
    Shown([u8; 2]),
}

impl OshiZumo {
    /// The game with this many coins for each player, fields on each side of the middle, and coins
    /// to bid at least. Numbers that are out of range are brought into it.
    pub fn new(coins: u8, fields: u8, minimum: u8) -> OshiZumo {
        OshiZumo {
            coins: coins.clamp(1, MAX_COINS),
            fields: fields.clamp(1, MAX_FIELDS) as i8,
            minimum: minimum.clamp(1, MAX_COINS),
        }
    }

    fn bids(&self, coins: u8) -> std::ops::RangeInclusive<u8> {
        match coins < self.minimum {
            true => 0..=0,
            false => self.minimum..=coins,
        }
    }

    fn is_over(&self, state: &State) -> bool {
        let poor = state.coins.iter().all(|&coins| coins < self.minimum);
        state.place.abs() > self.fields || poor
    }
}

impl Game for OshiZumo {
    type State = State;
    type Move = u8;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            coins: [self.coins; 2],
            place: 0,
            bid: 0,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.bid {
            _ if self.is_over(state) => Turn::Over,
            0 => Turn::Player(Player::FIRST),
            _ => Turn::Player(Player::SECOND),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        if let Turn::Player(player) = self.turn(state) {
            out.extend(self.bids(state.coins[player.index() & 1]));
        }
    }

    fn play(&self, state: &mut State, bid: u8) -> State {
        let before = *state;
        match state.bid.checked_sub(1) {
            None => state.bid = bid + 1,
            Some(first) => {
                let [own, other] = state.coins;
                state.coins = [own.saturating_sub(first), other.saturating_sub(bid)];
                state.place += i8::from(first > bid) - i8::from(first < bid);
                state.bid = 0;
            }
        }
        before
    }

    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        let first = Payoff::from(state.place.signum());
        match player {
            Player::FIRST => first,
            _ => -first,
        }
    }
}

impl TwoPlayer for OshiZumo {}

impl Hidden for OshiZumo {
    type View = View;
    type Signal = Signal;

    fn view(&self, state: &State, player: Player) -> View {
        let secret = state.bid > 0 && player != Player::FIRST;
        let bid = if secret { 0 } else { state.bid };
        View {
            state: State { bid, ..*state },
            secret,
        }
    }

    fn signal(&self, state: &State, bid: u8, player: Player) -> Signal {
        match state.bid.checked_sub(1) {
            Some(first) => Signal::Shown([first, bid]),
            None if player == Player::FIRST => Signal::Own(bid),
            None => Signal::Bid,
        }
    }

    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> State {
        let View { mut state, secret } = *observation.view();
        if secret {
            state.bid = 1 + rng.random_range(self.bids(state.coins[0]));
        }
        state
    }

    fn is_secret(&self, state: &State) -> bool {
        self.turn(state) == Turn::Player(Player::FIRST)
    }

    /// A position, with `bid=?` for a bid that is not seen.
    fn view_text(&self, view: &View) -> String {
        let secret = if view.secret { " bid=?" } else { "" };
        format!("{}{secret}", self.position_text(&view.state))
    }

    /// `3` for an own bid, `?` for one that is not seen, `3:1` for both.
    fn signal_text(&self, signal: &Signal) -> String {
        match signal {
            Signal::Own(bid) => bid.to_string(),
            Signal::Bid => "?".to_string(),
            Signal::Shown([first, second]) => format!("{first}:{second}"),
        }
    }

    fn picture_for(&self, view: &View, _: Option<&Signal>) -> Picture {
        self.picture(&view.state, None)
    }
}

impl Simultaneous for OshiZumo {
    fn choosers(&self, state: &State) -> usize {
        match self.turn(state) {
            Turn::Player(Player::FIRST) => 2,
            _ => 0,
        }
    }
}

impl Key for OshiZumo {
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.coins;
        let bytes = [first, second, state.place as u8, state.bid];
        zobrist::number(0x05_21, u64::from(u32::from_le_bytes(bytes)))
    }
}

impl MoveIndex for OshiZumo {
    fn move_indices(&self) -> usize {
        usize::from(MAX_COINS) + 1
    }

    fn move_index(&self, bid: u8) -> usize {
        usize::from(bid)
    }
}
