//! What players know: hidden information and joint moves.
//!
//! A [`Hidden`] game says what one player sees of a position (a *view*) and of a move (a *signal*).
//! The first view, all signals since and the present view are an [`Observation`]. It grows with
//! every move and never forgets, so it names an information set: all histories that the player
//! cannot tell apart.

use std::fmt::Debug;
use std::hash::Hash;

use rand::Rng;

use crate::{Deterministic, Game, Imperfect, Payoff, Perfect, Picture, Player, TwoPlayer};

/// Everything that one player has observed of a game: an information set by name.
///
/// Two observations are equal if the player has seen the same in the same order, own moves
/// included (perfect recall). `V` is [`Hidden::View`] and `S` is [`Hidden::Signal`]; see
/// [`ObservationOf`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation<V, S> {
    player: Player,
    first: V,
    signals: Vec<S>,
    view: V,
}

/// The [`Observation`] of a player of the game `G`.
pub type ObservationOf<G> = Observation<<G as Hidden>::View, <G as Hidden>::Signal>;

impl<V: Clone, S> Observation<V, S> {
    /// The observation of a game that begins with this view.
    pub fn new(player: Player, view: V) -> Observation<V, S> {
        Observation {
            player,
            first: view.clone(),
            signals: Vec::new(),
            view,
        }
    }

    /// Adds what the player saw of a move, and what it sees of the position after it.
    pub fn push(&mut self, signal: S, view: V) {
        self.signals.push(signal);
        self.view = view;
    }

    /// Who has observed this.
    pub fn player(&self) -> Player {
        self.player
    }

    /// What the player saw where the game began.
    pub fn first(&self) -> &V {
        &self.first
    }

    /// What the player saw of each move, the latest last.
    pub fn signals(&self) -> &[S] {
        &self.signals
    }

    /// What the player sees now.
    pub fn view(&self) -> &V {
        &self.view
    }
}

/// What the players of a game with hidden information know.
///
/// Views and signals obey a few rules, which the conformance kit checks:
///
/// - What a player has observed determines whether it is that player's turn, and the legal moves.
/// - A player's own moves have different signals, and all [secret](Hidden::is_secret) moves of a
///   position have the same signal for everybody else.
/// - While the game goes on, the first view and the signals determine all later views: what a
///   player learns, it learns from a signal. At the end a view may show everything.
///
/// Two players put down a coin each, and nobody sees the other's before both lie there:
///
/// ```
/// use rand::{Rng, RngExt};
/// use tabia_game::*;
///
/// /// The first player wins if both coins show the same side.
/// struct Pennies;
///
/// impl Game for Pennies {
///     type State = Vec<bool>;
///     type Move = bool;
///     type Undo = ();
///     type Luck = Deterministic;
///     type Information = Imperfect;
///
///     fn players(&self) -> usize { 2 }
///     fn start(&self) -> Vec<bool> { Vec::new() }
///     fn turn(&self, coins: &Vec<bool>) -> Turn {
///         if coins.len() == 2 { Turn::Over } else { Turn::Player(Player(coins.len() as u8)) }
///     }
///     fn moves(&self, coins: &Vec<bool>, out: &mut Vec<bool>) {
///         if coins.len() < 2 { out.extend([false, true]) }
///     }
///     fn play(&self, coins: &mut Vec<bool>, coin: bool) { coins.push(coin) }
///     fn undo(&self, coins: &mut Vec<bool>, (): ()) { coins.pop(); }
///     fn payoff(&self, coins: &Vec<bool>, player: Player) -> Payoff {
///         if (coins[0] == coins[1]) == (player == Player::FIRST) { 1 } else { -1 }
///     }
/// }
///
/// impl Hidden for Pennies {
///     /// The coins that the player sees, and how many there are.
///     type View = (Vec<bool>, usize);
///     type Signal = Vec<bool>;
///
///     fn view(&self, coins: &Vec<bool>, player: Player) -> Self::View {
///         let seen = coins.len() == 2 || player == Player::FIRST;
///         (if seen { coins.clone() } else { Vec::new() }, coins.len())
///     }
///     fn signal(&self, coins: &Vec<bool>, coin: bool, player: Player) -> Vec<bool> {
///         match coins[..] {
///             [first] => vec![first, coin],
///             _ if player == Player::FIRST => vec![coin],
///             _ => vec![],
///         }
///     }
///     fn sample_state<R: Rng + ?Sized>(
///         &self,
///         observation: &ObservationOf<Self>,
///         rng: &mut R,
///     ) -> Vec<bool> {
///         let (seen, count) = observation.view();
///         if seen.len() == *count { seen.clone() } else { vec![rng.random()] }
///     }
///     fn is_secret(&self, coins: &Vec<bool>) -> bool { coins.is_empty() }
/// }
///
/// let start = Pennies.start();
/// let observed = |moves: &[bool]| Pennies.observe(&start, moves, Player::SECOND);
/// assert_eq!(observed(&[true]), observed(&[false]));
/// assert_ne!(observed(&[true, true]), observed(&[false, true]));
/// ```
pub trait Hidden: Game<Information = Imperfect> {
    /// What one player sees of a position: own cards, the table, whatever is remembered for all.
    type View: Clone + Eq + Hash + Debug;

    /// What one player sees of a move or of an outcome of chance.
    type Signal: Clone + Eq + Hash + Debug;

    /// Returns what `player` sees of a position.
    fn view(&self, state: &Self::State, player: Player) -> Self::View;

    /// Returns what `player` sees of a move, or of an outcome of chance, that is played in `state`.
    fn signal(&self, state: &Self::State, mv: Self::Move, player: Player) -> Self::Signal;

    /// Draws a state that agrees with an observation, uniformly over the hidden parts.
    ///
    /// The player has the same view of it, the same turn and the same legal moves.
    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> Self::State;

    /// Returns what `player` has observed of a game that began at `start`, after these moves and
    /// outcomes of chance.
    fn observe(
        &self,
        start: &Self::State,
        moves: &[Self::Move],
        player: Player,
    ) -> ObservationOf<Self> {
        let mut observation = Observation::new(player, self.view(start, player));
        let mut state = start.clone();
        for &mv in moves {
            let signal = self.signal(&state, mv, player);
            self.play(&mut state, mv);
            observation.push(signal, self.view(&state, player));
        }
        observation
    }

    /// Whether the move made in this position is kept from all other players for now, like all
    /// moves of a joint choice but the last.
    fn is_secret(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Returns a view on one line.
    fn view_text(&self, view: &Self::View) -> String {
        format!("{view:?}")
    }

    /// Returns a signal as one word, without blanks. Different signals of the moves of one
    /// position have different texts.
    fn signal_text(&self, signal: &Self::Signal) -> String {
        format!("{signal:?}").split_whitespace().collect()
    }

    /// Returns the picture of a position as one player sees it, what is known of the last move
    /// marked. An empty one by default, so that nothing is given away.
    fn picture_for(&self, view: &Self::View, last: Option<&Self::Signal>) -> Picture {
        let _ = (view, last);
        Picture::default()
    }
}

/// A game in which players choose at the same time, now and then.
///
/// A joint choice is a sequence of moves, one of each player who takes part. Nobody sees what
/// others have chosen until all have: up to then neither views nor moves of those who have not
/// chosen depend on it, and all moves but the last are [secret](Hidden::is_secret). Any number of
/// players may take part, with or without chance between the choices.
pub trait Simultaneous: Hidden {
    /// Returns how many players choose jointly, the player to move first, if a joint choice begins
    /// here; 0 anywhere else, also in the middle of one.
    fn choosers(&self, state: &Self::State) -> usize;

    /// Takes out of a position what is already decided, and returns what that is worth to the
    /// first player: the value of the position is the sum of this and the value of what is left.
    /// Positions that differ by nothing else become equal.
    fn settle(&self, state: &mut Self::State) -> Payoff
    where
        Self: TwoPlayer,
    {
        let _ = state;
        0
    }
}

/// A game with hidden information that can be played with everything on the table.
///
/// Perfect-information Monte Carlo looks at positions that agree with what a player has observed as
/// if they were played openly. Games of tricks are searched so, and Bridge will be (a drawn deal
/// double dummy) as well as Kriegspiel (a drawn position as chess).
pub trait Opened: Hidden {
    /// The open game. It may leave out moves that come to the same as others.
    type Open: Game<Luck = Deterministic, Information = Perfect, Move = Self::Move>;

    /// Returns that game.
    fn open_game(&self) -> Self::Open;

    /// Returns a position of it.
    fn open_state(&self, state: &Self::State) -> <Self::Open as Game>::State;
}
