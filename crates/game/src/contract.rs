//! [`Game`] and the capabilities a game may add to it.

use std::fmt::Debug;
use std::hash::Hash;

use rand::{Rng, RngExt};

use crate::{Made, Path, Repetition, Ruling};

/// A seat at the table, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

impl Player {
    /// The player who moves first in a two-player game.
    pub const FIRST: Player = Player(0);
    /// The opponent of [`Player::FIRST`].
    pub const SECOND: Player = Player(1);

    /// The seat as an index into per-player arrays.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The opponent in a two-player game.
    #[inline]
    pub fn other(self) -> Player {
        Player(self.0 ^ 1)
    }
}

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player chooses among [`Game::moves`].
    Player(Player),
    /// Chance chooses among the outcomes of [`Chance`].
    Chance,
    /// Nobody: the game has ended and [`Game::payoff`] is defined.
    Over,
}

/// What a finished game is worth to one player, in the game's smallest unit.
///
/// An integer, so that exact arithmetic stays possible; a search converts it to its own value type.
pub type Payoff = i32;

/// The kind of [`Game::Luck`].
pub trait Luck {
    /// Whether a [`Turn::Chance`] can occur.
    const CHANCE: bool;
}

/// No chance event ever occurs.
pub enum Deterministic {}
/// Some turns belong to chance; the game implements [`Chance`].
pub enum Stochastic {}

impl Luck for Deterministic {
    const CHANCE: bool = false;
}
impl Luck for Stochastic {
    const CHANCE: bool = true;
}

/// The kind of [`Game::Information`].
pub trait Information {
    /// Whether a player may not know the whole state.
    const HIDDEN: bool;
}

/// Every player sees the whole state.
pub enum Perfect {}
/// Something is hidden from somebody; the game implements [`Hidden`](crate::Hidden).
pub enum Imperfect {}

impl Information for Perfect {
    const HIDDEN: bool = false;
}
impl Information for Imperfect {
    const HIDDEN: bool = true;
}

/// The rules of a game.
///
/// A player may move several times in a row, so no algorithm may assume that turns alternate.
pub trait Game: Send + Sync {
    /// A position, complete but for its history (see [`Game::repetition`]).
    type State: Clone + Eq + Debug + Send + Sync;
    /// A move of a player or an outcome of chance.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What [`Game::undo`] needs to take a move back. A small state is its own token.
    type Undo;
    /// [`Deterministic`] or [`Stochastic`].
    type Luck: Luck;
    /// [`Perfect`] or [`Imperfect`].
    type Information: Information;

    /// The number of players.
    fn players(&self) -> usize;

    /// The position in which a game begins.
    fn start(&self) -> Self::State;

    /// Who acts in this position.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends what may be played to `out`, without repetition and in a fixed order; nothing when
    /// the game is over. At a chance turn these are the outcomes, where they can be enumerated.
    ///
    /// Appending lets a search keep one stack of moves for its whole path and never allocate.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays one of [`Game::moves`]. What happens with any other move is unspecified.
    fn play(&self, state: &mut Self::State, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move played, exactly.
    fn undo(&self, state: &mut Self::State, token: Self::Undo);

    /// What the finished game is worth to `player`. Unspecified while the game is not over.
    fn payoff(&self, state: &Self::State, player: Player) -> Payoff;

    /// The largest absolute payoff; 1 for games that are only won, drawn or lost.
    fn max_payoff(&self) -> Payoff {
        1
    }

    /// Whether a game may be drawn: end with a payoff of zero, or go on for ever. A game of two that
    /// is never drawn is solved by half the work, since whoever cannot win loses.
    fn has_draws(&self) -> bool {
        true
    }

    /// The constant sum of all players' payoffs, if there is one.
    fn payoff_sum(&self) -> Option<Payoff> {
        Some(0)
    }

    /// The least and the most that `player` can get, whatever is played from here on. A game that
    /// pays as it goes, as tricks do, knows more here than [`Game::max_payoff`] says; max^n prunes
    /// by it.
    fn payoff_range(&self, state: &Self::State, player: Player) -> (Payoff, Payoff) {
        let _ = (state, player);
        (-self.max_payoff(), self.max_payoff())
    }

    /// No more than this is paid to all players together, whatever is played from here on; `None`
    /// if nothing is known.
    fn payoff_total(&self, state: &Self::State) -> Option<Payoff> {
        let _ = state;
        self.payoff_sum()
    }

    /// What happens when a position occurs again. The state does not hold its history: referees
    /// and searches keep a [`Path`] and apply this rule to it. [`Game::moves`] leaves the rule
    /// aside; [`Path::retain_legal`] takes out the moves that it forbids.
    fn repetition(&self) -> Repetition {
        Repetition::ALLOWED
    }

    /// What `player` gets when the rule of repetition has ended the game with this ruling.
    fn ruled(&self, ruling: Ruling, player: Player) -> Payoff {
        ruling.shared(self, player)
    }

    /// Appends at least the first `most` moves in the order of [`Game::moves`], fewer only if there
    /// are no more; whether none is missing. For games with so many moves that a search does not
    /// want them all at once, such as Amazons and Arimaa.
    fn first_moves(&self, state: &Self::State, most: usize, out: &mut Vec<Self::Move>) -> bool {
        let _ = most;
        self.moves(state, out);
        true
    }

    /// Plays at random until this many plies are played, the game is over or it is chance's turn;
    /// how many were played. Every legal move is as likely as any other unless the game says
    /// otherwise. For games that can draw a move faster than list them all.
    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut Self::State,
        plies: u32,
        moves: &mut Vec<Self::Move>,
        rng: &mut R,
    ) -> u32 {
        for played in 0..plies {
            if !matches!(self.turn(state), Turn::Player(_)) {
                return played;
            }
            moves.clear();
            self.moves(state, moves);
            if moves.is_empty() {
                return played;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            self.play(state, mv);
        }
        plies
    }
}

/// Marks a game of exactly two players whose payoffs cancel out.
pub trait TwoPlayer: Game {}

/// A game of one player, who wants as much as can be had.
///
/// Positions with equal keys have the same future: what a game pays beyond what was
/// [earned](OnePlayer::earned) depends on the key of the position and on the moves that follow,
/// never on how the position came about, unless a rule of repetition looks at that.
pub trait OnePlayer: Key + Game<Luck = Deterministic, Information = Perfect> {
    /// What the position has brought so far, and what a game broken off here is worth; of a
    /// finished game its payoff.
    fn earned(&self, state: &Self::State) -> Payoff;

    /// No game that goes on from here pays more, nor does the rule of repetition where it ends one;
    /// of a finished game its payoff.
    fn most(&self, state: &Self::State) -> Payoff;

    /// Appends every legal move, with a bound on what games that go on with it pay: what
    /// [`Self::most`] says of the position after it, or a little more where that saves playing the
    /// move. The position is left as it was; `moves` is working memory.
    fn promises(
        &self,
        state: &mut Self::State,
        moves: &mut Vec<Self::Move>,
        out: &mut Vec<(Payoff, Self::Move)>,
    ) {
        moves.clear();
        self.moves(state, moves);
        for &mv in moves.iter() {
            let token = self.play(state, mv);
            out.push((self.most(state), mv));
            self.undo(state, token);
        }
    }

    /// Whether two different legal moves may be played in either order, and lead to the same
    /// position, as searches without repeated positions want to know.
    fn commute(&self, state: &Self::State, one: Self::Move, other: Self::Move) -> bool {
        let after = |first, second| {
            let mut state = state.clone();
            self.play(&mut state, first);
            let mut moves = Vec::new();
            self.moves(&state, &mut moves);
            moves.contains(&second).then(|| {
                self.play(&mut state, second);
                state
            })
        };
        let reached = after(one, other);
        reached.is_some() && reached == after(other, one)
    }
}

/// Chance events with exact weights.
pub trait Chance: Game<Luck = Stochastic> {
    /// Appends every outcome of a chance turn with its weight. Probabilities are weights divided
    /// by their sum. Empty where outcomes are too many to enumerate and can only be sampled.
    fn outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Move, u64)>);

    /// Draws one outcome of a chance turn.
    fn sample_outcome<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Self::Move;
}

/// The outcome at a place among weights that are laid end to end; nothing beyond their sum.
pub fn outcome_at<M: Copy>(outcomes: &[(M, u64)], mut place: u64) -> Option<M> {
    for &(outcome, weight) in outcomes {
        if place < weight {
            return Some(outcome);
        }
        place -= weight;
    }
    None
}

/// A 64-bit key that identifies a position (side to move included), kept up incrementally.
pub trait Key: Game {
    /// The key of a position.
    fn key(&self, state: &Self::State) -> u64;

    /// A key of what is still to come, for games that pay as they go: where it is the same,
    /// everybody's payoff less the least of [`Game::payoff_range`] is the same after the same play,
    /// so that what is known of one position is known of all. Games of tricks and Bridge have one.
    fn future_key(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// What the rule of repetition compares of a position, if it compares
    /// [history keys](crate::Compared::HistoryKeys); `None` if the position does not count.
    ///
    /// Go with positional superko leaves out the player to move. Arimaa counts positions at the end
    /// of a turn and not those between its steps. In a game with hidden information the key depends
    /// on nothing that is hidden.
    #[inline]
    fn history_key(&self, state: &Self::State) -> Option<u64> {
        Some(self.key(state))
    }

    /// Who makes a move that is about to be played, as the rule of repetition sees it: the player
    /// whose turn it is, nobody at a turn of chance.
    #[inline]
    fn maker(&self, state: &Self::State, mv: Self::Move) -> Option<Player> {
        let _ = mv;
        match self.turn(state) {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    /// What the rule of repetition has to know of a move that is about to be played, packed into a
    /// number: in Chinese chess whether it gives check and which pieces it attacks. Not called
    /// under rules that do not look at moves. It tells nothing that is hidden from anybody.
    fn note(&self, state: &Self::State, mv: Self::Move) -> u64 {
        let _ = (state, mv);
        0
    }

    /// Judges a cycle, if the rule leaves that [to the game](crate::Consequence::Judged): the moves
    /// since this position occurred last, up to the one that brought it about again. If the game
    /// goes on, the next recurrence is judged again.
    fn judge(&self, state: &Self::State, cycle: &[Made]) -> Ruling {
        let _ = (state, cycle);
        Ruling::Draw
    }

    /// Takes the moves from `first` on out of the list that the rule of repetition forbids on this
    /// path. Called only under rules that [forbid](crate::Consequence::Forbidden), with the moves
    /// of a player. Leaves the position as it was, and the other moves in their order.
    fn retain_allowed(
        &self,
        state: &mut Self::State,
        path: &Path,
        moves: &mut Vec<Self::Move>,
        first: usize,
    ) {
        path.retain_unrepeated(self, state, moves, first);
    }

    /// How the game ends when the rule of repetition forbids every move: unless the game says
    /// otherwise, the player to move loses.
    fn stuck(&self, state: &Self::State, path: &Path) -> Ruling {
        let _ = path;
        match self.turn(state) {
            Turn::Player(player) => Ruling::Loss(player),
            _ => Ruling::Draw,
        }
    }

    /// The key under which a table knows the position at the end of this path.
    #[inline]
    fn key_on_path(&self, state: &Self::State, path: &Path) -> u64 {
        self.key(state) ^ path.signature()
    }
}

/// A small number for every move, independent of the position it is played in.
///
/// History tables, killer moves and transposition tables speak of moves by this number. Legal moves
/// of one position have different numbers; where moves are too many to be numbered (captures in
/// chains) a few may share one, and a search that takes one for the other orders its moves worse
/// but never values them wrongly.
pub trait MoveIndex: Game {
    /// One more than the largest index; at most 2^24.
    fn move_indices(&self) -> usize;

    /// The index of a move.
    fn move_index(&self, mv: Self::Move) -> usize;
}

/// Symmetries of the board that the rules respect.
pub trait Symmetric: Game<State: Ord> {
    /// How many there are, the identity (number 0) included.
    fn symmetries(&self) -> usize;

    /// The image of a position.
    fn map_state(&self, state: &Self::State, symmetry: usize) -> Self::State;

    /// The image of a move.
    fn map_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;

    /// The representative of a position's class: the least of its images.
    fn canonical(&self, state: &Self::State) -> Self::State {
        (1..self.symmetries()).fold(state.clone(), |least, symmetry| {
            least.min(self.map_state(state, symmetry))
        })
    }

    /// A key of the position's class: the least key of its images.
    fn class_key(&self, state: &Self::State) -> u64
    where
        Self: Key,
    {
        (1..self.symmetries()).fold(self.key(state), |least, symmetry| {
            least.min(self.key(&self.map_state(state, symmetry)))
        })
    }
}

/// Positions numbered without gaps, slice by slice: what tables of values are built over.
///
/// A place in a slice belongs to the player to move, whoever that is: a position and the one with
/// all colours exchanged share it. The players of an indexed game move in turn.
pub trait Indexed: Game {
    /// What the positions of a slice have in common, such as how many pieces each side has.
    type Slice: Copy + Ord + Hash + Debug + Send + Sync;
    /// Numbers for the classes of symmetric positions of a slice; [`NoClasses`] if there are none.
    type Classes: Classes<Self::State>;

    /// All slices, in ascending order.
    fn slices(&self) -> Vec<Self::Slice>;

    /// How many positions a slice has; `None` if that is more than a `u64` holds.
    fn slice_len(&self, slice: Self::Slice) -> Option<u64>;

    /// The slices that a move from a position of this slice may lead to.
    fn next_slices(&self, slice: Self::Slice) -> Vec<Self::Slice>;

    /// The slice of a position and its number in it; `None` for a position of no slice, which must
    /// be one where the game is over, unless the slices hold endings alone.
    fn locate(&self, state: &Self::State) -> Option<(Self::Slice, u64)>;

    /// The position with this number, the first player to move. Unspecified beyond
    /// [`Indexed::slice_len`].
    fn position_at(&self, slice: Self::Slice, index: u64) -> Self::State;

    /// A slice in words, such as `3-2`; no blanks and no slashes.
    fn slice_text(&self, slice: Self::Slice) -> String;

    /// The size of a slice by which ranges of slices are told, such as the number of pieces.
    fn slice_size(&self, slice: Self::Slice) -> u32;

    /// How many classes of symmetric positions a slice has; `None` if they cannot be counted.
    fn class_count(&self, _slice: Self::Slice) -> Option<u64> {
        None
    }

    /// The bytes of memory that [`Indexed::classes`] take at most; `None` if they cannot be
    /// counted.
    fn class_bytes(&self, _slice: Self::Slice) -> Option<u64> {
        None
    }

    /// The numbers of the classes of a slice; `None` if they cannot be numbered.
    fn classes(&self, _slice: Self::Slice) -> Option<Self::Classes> {
        None
    }
}

/// The classes of symmetric positions of one slice, numbered without gaps.
pub trait Classes<S>: Send + Sync {
    /// The number of the class of a position, which must be one of the slice.
    fn number(&self, state: &S) -> u64;

    /// A position of the class with this number, always the same and the first player to move.
    /// Unspecified beyond [`Indexed::class_count`].
    fn member(&self, number: u64) -> S;
}

/// The classes of a game that does not number them.
pub enum NoClasses {}

impl<S> Classes<S> for NoClasses {
    fn number(&self, _: &S) -> u64 {
        match *self {}
    }

    fn member(&self, _: u64) -> S {
        match *self {}
    }
}

/// Moves taken back without knowing them.
pub trait Retro: Indexed + Game<Luck = Deterministic> {
    /// Appends the positions from which a legal move leads to this one, each as often as there are
    /// such moves, as far as they lie in slices that can be reached again from this position's.
    fn predecessors(&self, state: &Self::State, out: &mut Vec<Self::State>);
}
