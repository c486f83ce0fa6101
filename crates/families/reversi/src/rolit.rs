//! Rolit, Othello for two to four players (Schadd 2011, section 6.4.3).
//!
//! Red, Green, Yellow and Blue move in this order; with fewer players the last colours belong to
//! nobody, but their balls are on the board and can be flipped. The four balls of the centre are
//! one of each colour: red and yellow over blue and green. A line may hold balls of all other
//! colours. Who cannot flip anything places a ball on any empty square beside one, so nobody ever
//! passes, and a game lasts as long as there are empty squares.
//!
//! Most balls win, and those who have equally many share the win. Payoffs sum to zero:
//! with n players a share s of the win is worth n s - 1, in units in which all shares are whole (1
//! for two players, 1/2 for three, 1/3 for four). With `score=pieces` it pays the balls themselves.

use tabia_game::bits::Bits;
use tabia_game::picture::{Body, Colour};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Symmetric, Text,
    TextError, Turn, Unit,
};

use super::field::{Field, MAX_SQUARES};
use super::{Place, Score};
use tabia_game::SizeError;

/// Colours of balls, whether they have players or not.
const BALLS: usize = 4;
const LETTERS: [char; BALLS] = ['r', 'g', 'y', 'b'];
const NAMES: [&str; BALLS] = ["Red", "Green", "Yellow", "Blue"];
const COLOURS: [Colour; BALLS] = [Colour::Red, Colour::Green, Colour::Yellow, Colour::Blue];

static KEYS: [[u64; MAX_SQUARES]; BALLS] = [
    zobrist::table(0x2011),
    zobrist::table(0x2012),
    zobrist::table(0x2013),
    zobrist::table(0x2014),
];
static TURN: [u64; BALLS] = zobrist::table(0x2010);

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_reversi::{Rolit, Score};
///
/// let rolit = Rolit::<u64>::new(4, 8, Score::Win).unwrap();
/// let mut state = rolit.start();
/// let mv = rolit.parse_move(&state, "f5").unwrap();
/// rolit.play(&mut state, mv);
/// assert_eq!(rolit.position_text(&state), "8/8/8/3rrr2/3bg3/8/8/8 g");
/// ```
#[derive(Clone, Debug)]
pub struct Rolit<B> {
    pub(super) field: Field<B>,
    players: usize,
    score: Score,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    pub(super) balls: [B; BALLS],
    pub(super) mover: Player,
    key: u64,
}

impl<B: Bits> State<B> {
    #[inline]
    pub(super) fn of(&self, player: Player) -> B {
        self.balls[player.index() % BALLS]
    }

    #[inline]
    pub(super) fn occupied(&self) -> B {
        let [red, green, yellow, blue] = self.balls;
        red | green | yellow | blue
    }

    fn new(balls: [B; BALLS], mover: Player) -> State<B> {
        let mut key = TURN[mover.index() % BALLS];
        for (set, keys) in balls.iter().zip(&KEYS) {
            set.iter().for_each(|square| key ^= keys[square]);
        }
        State { balls, mover, key }
    }

    #[inline]
    fn turn_to(&mut self, player: Player) {
        self.key ^= TURN[self.mover.index() % BALLS] ^ TURN[player.index() % BALLS];
        self.mover = player;
    }
}

impl<B: Bits> Rolit<B> {
    /// The game for this many players on a board with this side.
    pub fn new(players: usize, side: usize, score: Score) -> Result<Rolit<B>, SizeError> {
        if !(2..=BALLS).contains(&players) {
            return Err(SizeError(format!(
                "{players} players are not possible: two, three or four play"
            )));
        }
        Ok(Rolit {
            field: Field::new(side)?,
            players,
            score,
        })
    }

    #[inline]
    pub(super) fn score(&self) -> Score {
        self.score
    }

    /// Where a player may place a ball, whose turn it is or not.
    #[inline]
    pub(super) fn places(&self, state: &State<B>, player: Player) -> B {
        let (own, occupied) = (state.of(player), state.occupied());
        let flipping = self.field.flipping(own, occupied & !own);
        match flipping.is_empty() {
            true => self.field.beside(occupied),
            false => flipping,
        }
    }

    /// A share of the win as a payoff, for one of `winners` or for somebody who is none.
    fn share(&self, winners: usize, wins: bool) -> Payoff {
        let (players, winners) = (self.players as Payoff, winners as Payoff);
        let unit = players - 1;
        match wins {
            // Whole: n - k and (n - 1) together are divisible by k for all 1 <= k <= n <= 4.
            true => (players - winners) * unit / winners,
            false => -unit,
        }
    }
}

impl<B: Bits> Game for Rolit<B> {
    type State = State<B>;
    type Move = Place;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State<B> {
        let high = self.field.side() / 2;
        let low = high - 1;
        let ball = |file, rank| B::bit(self.field.square(file, rank));
        let balls = [
            ball(low, high),
            ball(high, low),
            ball(high, high),
            ball(low, low),
        ];
        State::new(balls, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match state.occupied() == self.field.full() {
            true => Turn::Over,
            false => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Place>) {
        out.extend(self.places(state, state.mover).iter().map(Place::at));
    }

    #[inline]
    fn play(&self, state: &mut State<B>, mv: Place) -> State<B> {
        let old = *state;
        let (mover, square) = (old.mover.index() % BALLS, mv.square());
        let own = old.balls[mover];
        let flipped = self.field.flipped(own, old.occupied() & !own, square);
        for (balls, keys) in state.balls.iter_mut().zip(&KEYS) {
            let lost = *balls & flipped;
            for square in lost.iter() {
                state.key ^= keys[square] ^ KEYS[mover][square];
            }
            *balls ^= lost;
        }
        state.balls[mover] |= flipped | B::bit(square);
        state.key ^= KEYS[mover][square];
        let next = (mover + 1) % self.players;
        state.turn_to(Player(next as u8));
        old
    }

    #[inline]
    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        let count = |player: usize| state.balls[player].count();
        let own = state.of(player).count();
        if self.score == Score::Pieces {
            return own as Payoff;
        }
        let most = (0..self.players).map(count).max().unwrap_or(0);
        let winners = (0..self.players).filter(|&p| count(p) == most).count();
        self.share(winners, own == most)
    }

    fn max_payoff(&self) -> Payoff {
        match self.score {
            Score::Win => self.share(1, true),
            Score::Pieces => self.field.squares() as Payoff,
        }
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        match self.score {
            Score::Win => Some(0),
            // With fewer players some balls may stay nobody's.
            Score::Pieces => (self.players == BALLS).then_some(self.field.squares() as Payoff),
        }
    }
}

impl<B: Bits> Rolit<B> {
    /// Makes it the turn of `player` in a game that is not over.
    #[inline]
    pub fn hand_turn(&self, state: &mut State<B>, player: Player) -> State<B> {
        let old = *state;
        state.turn_to(player);
        old
    }
}

impl<B: Bits> Key for Rolit<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Rolit<B> {
    fn move_indices(&self) -> usize {
        self.field.squares()
    }

    #[inline]
    fn move_index(&self, mv: Place) -> usize {
        mv.square()
    }
}

impl<B: Bits> Symmetric for Rolit<B> {
    fn symmetries(&self) -> usize {
        self.field.grid().symmetries()
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        let balls = state.balls.map(|set| self.field.map_set(set, symmetry));
        State::new(balls, state.mover)
    }

    fn map_move(&self, mv: Place, symmetry: usize) -> Place {
        Place::at(self.field.map(mv.square(), symmetry))
    }
}

impl<B: Bits> Text for Rolit<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self.field.write(&state.balls, &LETTERS);
        format!("{rows} {}", LETTERS[state.mover.index() % BALLS])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let read = |letter| match letter {
            '.' | '-' | '_' => Some(None),
            letter => {
                let owner = LETTERS.iter().position(|&l| l == letter)?;
                Some(Some(Player(owner as u8)))
            }
        };
        let (balls, rest) = self.field.read(text, read, "'r', 'g', 'y', 'b' or '.'")?;
        let letters = &LETTERS[..self.players];
        let side = rest.iter().map(|word| word.to_ascii_lowercase());
        let side: Vec<String> = side.collect();
        let mover = match side.as_slice() {
            [word] => letters.iter().position(|&l| word.chars().eq([l])),
            _ => None,
        };
        let Some(mover) = mover else {
            let letters: Vec<String> = letters.iter().map(|l| format!("'{l}'")).collect();
            return Err(TextError::new(format!(
                "after the board belongs the side to move and nothing else, one of {}",
                letters.join(", ")
            )));
        };
        if balls.iter().all(|set| set.is_empty()) {
            return Err(TextError::new(
                "the board is empty, and a ball is placed beside another; at least one belongs \
                 there",
            ));
        }
        Ok(State::new(balls, Player(mover as u8)))
    }

    fn move_text(&self, _: &State<B>, mv: Place) -> String {
        self.field.name(mv.square())
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % BALLS].to_string()
    }

    fn unit(&self) -> Unit {
        match self.score {
            Score::Win => Unit::Result,
            Score::Pieces => Unit::Things("ball", "balls"),
        }
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. '4/1ry1/1rgg/4 r' for a side of 4"
    }
}

impl<B: Bits> Draw for Rolit<B> {
    fn picture(&self, state: &State<B>, last: Option<Place>) -> Picture {
        let grid = self.field.grid();
        let mut picture = grid.picture(false);
        let side = self.field.side();
        for (player, balls) in state.balls.iter().enumerate() {
            for square in balls.iter() {
                let at = grid.place(square % side, square / side);
                picture.piece(at, LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        if let Some(mv) = last {
            picture.mark(grid.place(mv.square() % side, mv.square() / side));
        }
        picture
    }
}
