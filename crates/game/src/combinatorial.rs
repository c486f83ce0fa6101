//! Combinatorial games: whoever cannot move loses, and positions may stand side by side.
//!
//! [`Combinatorial`] holds the rules of such a game. Its positions do not say whose turn it is,
//! since in a sum of positions either player may be the next to move in any of them; Left is the
//! first player, called Black where stones are black and white, and Right the second (Berlekamp,
//! Conway and Guy 1982). The same rules serve three ends: [`LastMover`] makes an ordinary [`Game`]
//! of them, [`Impartial`] the game in which both players have the moves of both, and algorithms for
//! sums of games use them as they are.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{
    Deterministic, Draw, Game, Key, MoveIndex, Payoff, Perfect, Picture, Player, Text, TextError,
    Turn, TwoPlayer, zobrist,
};

/// The rules of a combinatorial game under normal play.
///
/// Every line of play ends, whoever makes its moves: no position can come back.
pub trait Combinatorial: Send + Sync {
    /// A position without whose turn it is, complete with the board that it stands on.
    type Position: Clone + Ord + Hash + Debug + Send + Sync;
    /// A move of a player.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Whether both players have the same moves, here and wherever play may lead from here.
    fn is_impartial(&self, _: &Self::Position) -> bool {
        false
    }

    /// Whether both players can move or neither can, here and wherever play may lead from here.
    fn is_all_small(&self, position: &Self::Position) -> bool {
        self.is_impartial(position)
    }

    /// Appends what `player` may play to `out`, without repetition and in a fixed order.
    fn moves(&self, position: &Self::Position, player: Player, out: &mut Vec<Self::Move>);

    /// Whether `player` has a move.
    fn can_move(&self, position: &Self::Position, player: Player) -> bool;

    /// How many moves `player` has.
    fn mobility(&self, position: &Self::Position, player: Player) -> usize {
        let mut moves = Vec::new();
        self.moves(position, player, &mut moves);
        moves.len()
    }

    /// Integers between which the value of a position lies, ends included, where the game knows any
    /// at a glance.
    fn bounds(&self, _: &Self::Position) -> Option<[i64; 2]> {
        None
    }

    /// Plays one of the [`Combinatorial::moves`] of `player`. What happens with any other is
    /// unspecified.
    fn play(&self, position: &mut Self::Position, player: Player, mv: Self::Move);

    /// Appends positions whose sum is worth as much as this one. Parts in which nobody can move are
    /// left out, and those that are alike by sight (shifted, mirrored, turned where the rules allow
    /// it) come out the same.
    fn split(&self, position: &Self::Position, out: &mut Vec<Self::Position>);

    /// The position with the players exchanged, whose sum with this one is worth nothing. Of
    /// positions that [`Combinatorial::split`] gives it is one that `split` gives, too.
    fn negative(&self, position: &Self::Position) -> Self::Position;

    /// A position on one line.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a position; refuses others with the reason and the character at which it went wrong.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// An example of a position, for help and error messages.
    fn position_help(&self) -> &'static str;

    /// A move of a player, such as `b2` or `a1-b1`.
    fn move_text(&self, position: &Self::Position, player: Player, mv: Self::Move) -> String;

    /// What the literature of the game calls this player.
    fn player_name(&self, player: Player) -> String {
        ["Left", "Right"][player.index() % 2].to_string()
    }

    /// The picture of a position; the cells of the move just played are marked.
    fn picture(&self, position: &Self::Position, last: Option<Self::Move>) -> Picture;
}

/// The impartial form of a game: either player may make any move of both.
#[derive(Clone, Copy, Debug)]
pub struct Impartial<R>(pub R);

/// A move of the impartial form: whose it is in the partizan game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveOf<M>(pub Player, pub M);

const BOTH: [Player; 2] = [Player::FIRST, Player::SECOND];

impl<R: Combinatorial> Combinatorial for Impartial<R> {
    type Position = R::Position;
    type Move = MoveOf<R::Move>;

    fn is_impartial(&self, _: &R::Position) -> bool {
        true
    }

    fn moves(&self, position: &R::Position, _: Player, out: &mut Vec<Self::Move>) {
        let mut own = Vec::new();
        // What is impartial by itself has each move once.
        let both = !self.0.is_impartial(position);
        let sides = if both { &BOTH[..] } else { &BOTH[..1] };
        for &side in sides {
            own.clear();
            self.0.moves(position, side, &mut own);
            out.extend(own.iter().map(|&mv| MoveOf(side, mv)));
        }
    }

    fn mobility(&self, position: &R::Position, _: Player) -> usize {
        let both = !self.0.is_impartial(position);
        let sides = if both { &BOTH[..] } else { &BOTH[..1] };
        let mobility = sides.iter().map(|&side| self.0.mobility(position, side));
        mobility.sum()
    }

    fn can_move(&self, position: &R::Position, _: Player) -> bool {
        BOTH.iter().any(|&side| self.0.can_move(position, side))
    }

    fn play(&self, position: &mut R::Position, _: Player, MoveOf(side, mv): Self::Move) {
        self.0.play(position, side, mv);
    }

    /// Whose moves are whose does not matter, so of a part and its negative the lesser comes out.
    fn split(&self, position: &R::Position, out: &mut Vec<R::Position>) {
        let before = out.len();
        self.0.split(position, out);
        for part in &mut out[before..] {
            let negative = self.0.negative(part);
            if negative < *part {
                *part = negative;
            }
        }
    }

    fn negative(&self, position: &R::Position) -> R::Position {
        position.clone()
    }

    fn position_text(&self, position: &R::Position) -> String {
        self.0.position_text(position)
    }

    fn parse_position(&self, text: &str) -> Result<R::Position, TextError> {
        self.0.parse_position(text)
    }

    fn position_help(&self) -> &'static str {
        self.0.position_help()
    }

    /// Moves of different sides may look alike, so those of Right carry a mark.
    fn move_text(&self, position: &R::Position, _: Player, MoveOf(side, mv): Self::Move) -> String {
        let text = self.0.move_text(position, side, mv);
        match side {
            Player::FIRST => text,
            _ => format!("{text}'"),
        }
    }

    fn picture(&self, position: &R::Position, last: Option<Self::Move>) -> Picture {
        self.0.picture(position, last.map(|MoveOf(_, mv)| mv))
    }
}

/// A combinatorial game played by two in turn, from one position: whoever makes the last move wins.
#[derive(Clone, Debug)]
pub struct LastMover<R: Combinatorial> {
    rules: R,
    start: R::Position,
}

/// A position of [`LastMover`].
#[derive(Clone, Debug)]
pub struct LastMoverState<P> {
    position: P,
    mover: Player,
    stuck: bool,
}

impl<P: PartialEq> PartialEq for LastMoverState<P> {
    fn eq(&self, other: &Self) -> bool {
        self.mover == other.mover && self.position == other.position
    }
}

impl<P: Eq> Eq for LastMoverState<P> {}

impl<P> LastMoverState<P> {
    /// What lies on the board.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Who is to move.
    pub fn mover(&self) -> Player {
        self.mover
    }
}

impl<R: Combinatorial> LastMover<R> {
    /// A game from this position, the first player to move.
    pub fn new(rules: R, start: R::Position) -> LastMover<R> {
        LastMover { rules, start }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// A position with this player to move.
    pub fn standing(&self, position: R::Position, mover: Player) -> LastMoverState<R::Position> {
        LastMoverState {
            stuck: !self.rules.can_move(&position, mover),
            position,
            mover,
        }
    }
}

/// The salt of keys and of numbers of moves.
const KEY: u64 = 0xc6;

fn side_key(mover: Player) -> u64 {
    match mover {
        Player::FIRST => 0,
        _ => zobrist::SECOND_TO_MOVE,
    }
}

impl<R: Combinatorial> Game for LastMover<R> {
    type State = LastMoverState<R::Position>;
    type Move = R::Move;
    type Undo = Self::State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Self::State {
        self.standing(self.start.clone(), Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        match state.stuck {
            true => Turn::Over,
            false => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &Self::State, out: &mut Vec<R::Move>) {
        self.rules.moves(&state.position, state.mover, out);
    }

    fn play(&self, state: &mut Self::State, mv: R::Move) -> Self::State {
        let mut position = state.position.clone();
        self.rules.play(&mut position, state.mover, mv);
        let next = self.standing(position, state.mover.other());
        std::mem::replace(state, next)
    }

    fn undo(&self, state: &mut Self::State, token: Self::State) {
        *state = token;
    }

    /// Whoever cannot move loses, and all lines of play end.
    fn has_draws(&self) -> bool {
        false
    }

    fn payoff(&self, state: &Self::State, player: Player) -> Payoff {
        if player == state.mover { -1 } else { 1 }
    }
}

impl<R: Combinatorial> TwoPlayer for LastMover<R> {}

/// The key is found when it is asked for: playouts never ask.
impl<R: Combinatorial> Key for LastMover<R> {
    #[inline]
    fn key(&self, state: &Self::State) -> u64 {
        zobrist::hash_of(KEY, &state.position) ^ side_key(state.mover)
    }
}

/// Numbers of moves are drawn from their hash.
impl<R: Combinatorial> MoveIndex for LastMover<R> {
    fn move_indices(&self) -> usize {
        1 << 16
    }

    fn move_index(&self, mv: R::Move) -> usize {
        (zobrist::hash_of(KEY, &mv) & 0xffff) as usize
    }
}

const SIDES: [char; 2] = ['x', 'o'];

/// The position and the side to move, `x` or `o`.
impl<R: Combinatorial> Text for LastMover<R> {
    fn position_text(&self, state: &Self::State) -> String {
        let position = self.rules.position_text(&state.position);
        format!("{position} {}", SIDES[state.mover.index() % 2])
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, TextError> {
        let text = text.trim();
        let side = |letter: &str| {
            SIDES
                .iter()
                .position(|side| letter.eq_ignore_ascii_case(&side.to_string()))
        };
        let last = text.rsplit_once(char::is_whitespace);
        let (position, mover) = match last.and_then(|(rest, letter)| Some((rest, side(letter)?))) {
            Some((position, side)) => (position, BOTH[side]),
            None => (text, Player::FIRST),
        };
        let position = self.rules.parse_position(position.trim())?;
        Ok(self.standing(position, mover))
    }

    fn move_text(&self, state: &Self::State, mv: R::Move) -> String {
        self.rules.move_text(&state.position, state.mover, mv)
    }

    fn player_name(&self, player: Player) -> String {
        self.rules.player_name(player)
    }

    fn position_help(&self) -> &'static str {
        self.rules.position_help()
    }
}

impl<R: Combinatorial> Draw for LastMover<R> {
    fn picture(&self, state: &Self::State, last: Option<R::Move>) -> Picture {
        self.rules.picture(&state.position, last)
    }
}
