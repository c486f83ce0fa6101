//! Othello on any square board of even side.
//!
//! Squares have the names of the literature, in which Black begins with e4 and d5 against d4 and
//! e5. Whoever has no move that flips anything passes; if nobody has one the game is over, and most
//! discs win. With `score=pieces` a game pays how many discs one has more than the other, none for
//! the squares left empty.

use tabia_game::bits::Bits;
use tabia_game::grid::parse_side;
use tabia_game::picture::{Body, Colour};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Symmetric, Text,
    TextError, Turn, TwoPlayer, Unit,
};

use super::field::{Field, MAX_SQUARES};
use super::{Place, Score};
use tabia_game::SizeError;

const LETTERS: [char; 2] = ['b', 'w'];
const COLOURS: [Colour; 2] = [Colour::Black, Colour::White];

static KEYS: [[u64; MAX_SQUARES]; 2] = [zobrist::table(0x07e1), zobrist::table(0x07e2)];

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_reversi::{Othello, Score};
///
/// let othello = Othello::<u64>::new(8, Score::Win).unwrap();
/// let mut state = othello.start();
/// let mv = othello.parse_move(&state, "f5").unwrap();
/// othello.play(&mut state, mv);
/// assert_eq!(othello.position_text(&state), "8/8/8/3bbb2/3wb3/8/8/8 w");
/// ```
#[derive(Clone, Debug)]
pub struct Othello<B> {
    pub(super) field: Field<B>,
    score: Score,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<B> {
    pub(super) discs: [B; 2],
    pub(super) mover: Player,
    /// Where the player to move flips something; found as the position arises, since it says
    /// whether the game is over.
    pub(super) flipping: B,
    over: bool,
    key: u64,
}

impl<B: Bits> State<B> {
    #[inline]
    pub(super) fn of(&self, player: Player) -> B {
        self.discs[player.index() & 1]
    }

    /// How many discs the player has more than the other.
    fn lead(&self, player: Player) -> Payoff {
        self.of(player).count() as Payoff - self.of(player.other()).count() as Payoff
    }
}

impl<B: Bits> Othello<B> {
    /// The game on a board with this side.
    pub fn new(side: usize, score: Score) -> Result<Othello<B>, SizeError> {
        let field = Field::new(side)?;
        Ok(Othello { field, score })
    }

    /// The position with these discs; `flipping` and `over` are found.
    #[inline]
    fn position(&self, discs: [B; 2], mover: Player, key: u64) -> State<B> {
        let [own, other] = [discs[mover.index() & 1], discs[mover.other().index() & 1]];
        let flipping = self.field.flipping(own, other);
        let over = flipping.is_empty() && self.field.flipping(other, own).is_empty();
        State {
            discs,
            mover,
            flipping,
            over,
            key,
        }
    }

    #[inline]
    fn pass(&self) -> Place {
        Place::at(self.field.squares())
    }
}

impl<B: Bits> Game for Othello<B> {
    type State = State<B>;
    type Move = Place;
    type Undo = State<B>;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State<B> {
        let high = self.field.side() / 2;
        let low = high - 1;
        let set = |squares: [(usize, usize); 2]| {
            squares.iter().fold(B::EMPTY, |set, &(file, rank)| {
                set | B::bit(self.field.square(file, rank))
            })
        };
        let discs = [
            set([(low, high), (high, low)]),
            set([(low, low), (high, high)]),
        ];
        let key = zobrist::position_key(&KEYS, discs, Player::FIRST);
        self.position(discs, Player::FIRST, key)
    }

    #[inline]
    fn turn(&self, state: &State<B>) -> Turn {
        match state.over {
            true => Turn::Over,
            false => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &State<B>, out: &mut Vec<Place>) {
        if state.over {
            return;
        }
        if state.flipping.is_empty() {
            out.push(self.pass());
        }
        out.extend(state.flipping.iter().map(Place::at));
    }

    #[inline]
    fn play(&self, state: &mut State<B>, mv: Place) -> State<B> {
        let old = *state;
        let (mover, square) = (old.mover, mv.square());
        let (us, them) = (mover.index() & 1, mover.other().index() & 1);
        let mut discs = old.discs;
        let mut key = old.key ^ zobrist::SECOND_TO_MOVE;
        if mv != self.pass() {
            let flipped = self.field.flipped(discs[us], discs[them], square);
            discs[us] |= flipped | B::bit(square);
            discs[them] ^= flipped;
            key ^= KEYS[us][square];
            for square in flipped.iter() {
                key ^= KEYS[0][square] ^ KEYS[1][square];
            }
        }
        *state = self.position(discs, mover.other(), key);
        old
    }

    #[inline]
    fn undo(&self, state: &mut State<B>, old: State<B>) {
        *state = old;
    }

    fn payoff(&self, state: &State<B>, player: Player) -> Payoff {
        match self.score {
            Score::Win => state.lead(player).signum(),
            Score::Pieces => state.lead(player),
        }
    }

    fn max_payoff(&self) -> Payoff {
        match self.score {
            Score::Win => 1,
            Score::Pieces => self.field.squares() as Payoff,
        }
    }
}

impl<B: Bits> TwoPlayer for Othello<B> {}

impl<B: Bits> Key for Othello<B> {
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.key
    }
}

impl<B: Bits> MoveIndex for Othello<B> {
    fn move_indices(&self) -> usize {
        self.field.squares() + 1
    }

    #[inline]
    fn move_index(&self, mv: Place) -> usize {
        mv.square()
    }
}

impl<B: Bits> Symmetric for Othello<B> {
    fn symmetries(&self) -> usize {
        self.field.grid().symmetries()
    }

    fn map_state(&self, state: &State<B>, symmetry: usize) -> State<B> {
        let discs = state.discs.map(|set| self.field.map_set(set, symmetry));
        let key = zobrist::position_key(&KEYS, discs, state.mover);
        self.position(discs, state.mover, key)
    }

    fn map_move(&self, mv: Place, symmetry: usize) -> Place {
        match mv == self.pass() {
            true => mv,
            false => Place::at(self.field.map(mv.square(), symmetry)),
        }
    }
}

impl<B: Bits> Text for Othello<B> {
    fn position_text(&self, state: &State<B>) -> String {
        let rows = self.field.write(&state.discs, &LETTERS);
        format!("{rows} {}", LETTERS[state.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let read = |letter| match letter {
            '.' | '-' | '_' => Some(None),
            'b' | 'x' => Some(Some(Player::FIRST)),
            'w' | 'o' => Some(Some(Player::SECOND)),
            _ => None,
        };
        let (discs, rest) = self.field.read(text, read, "'b', 'w' or '.'")?;
        let mover = parse_side(&rest, LETTERS)?.ok_or_else(|| {
            TextError::new("after the board belongs the side to move, 'b' or 'w'")
        })?;
        let key = zobrist::position_key(&KEYS, discs, mover);
        Ok(self.position(discs, mover, key))
    }

    fn move_text(&self, _: &State<B>, mv: Place) -> String {
        match mv == self.pass() {
            true => "pass".to_string(),
            false => self.field.name(mv.square()),
        }
    }

    fn player_name(&self, player: Player) -> String {
        ["Black", "White"][player.index() & 1].to_string()
    }

    fn unit(&self) -> Unit {
        match self.score {
            Score::Win => Unit::Result,
            Score::Pieces => Unit::Things("disc", "discs"),
        }
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the side to move, e.g. '4/1bw1/1bbb/4 w' for a side of 4"
    }
}

impl<B: Bits> Draw for Othello<B> {
    fn picture(&self, state: &State<B>, last: Option<Place>) -> Picture {
        let grid = self.field.grid();
        let mut picture = grid.picture(false);
        let side = self.field.side();
        for (player, discs) in state.discs.iter().enumerate() {
            for square in discs.iter() {
                let at = grid.place(square % side, square / side);
                picture.piece(at, LETTERS[player], COLOURS[player], Body::Disc);
            }
        }
        if let Some(mv) = last.filter(|&mv| mv != self.pass()) {
            picture.mark(grid.place(mv.square() % side, mv.square() / side));
        }
        picture
    }
}
