//! Stratego (Mogendorff 1942), as described by Schadd (2011, section 5.5.1): two armies of forty
//! pieces whose ranks the opponent does not see, each out for the other's Flag.
//!
//! [`Stratego`] is the game itself, deterministic and with hidden information. [`Belief`] is the
//! same game as one player sees it: perfect information, and a chance event wherever a piece of
//! unknown rank fights. [`Armies`] evaluates it. The board has ten ranks and two lakes. A piece
//! steps to a neighbouring square, a Scout goes as far as it likes; whoever enters a square with an
//! opposing piece attacks it, and both ranks are told. A Scout that goes further than one square
//! shows what it is. The Flag taken is the game won. A player who cannot move has lost, unless the
//! other cannot either: then the game is drawn.
//!
//! Two rules of the International Stratego Federation forbid moves that repeat. By the Two-Squares
//! Rule the fourth of four consecutive moves of one piece is illegal if all four cross the same
//! border between two squares. By the More-Squares Rule a player who threatens at every move, and
//! whose opponent evades every time, may not bring a position of the same chase about again, but by
//! going straight back. They do not end every game, so that a game without an attack for [a number
//! of plies](Stratego::new) is drawn, which is ours.
//!
//! After the end nothing is hidden any more.

mod belief;
mod board;
#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod hidden;
mod pieces;
mod position;
mod repetition;
mod setup;
mod text;

#[cfg(test)]
mod belief_tests;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{Deterministic, Game, Imperfect, Key, MoveIndex, Payoff, Player, Turn, TwoPlayer};

pub use belief::{Belief, Event, View};
pub use board::Step;
pub use evaluation::Armies;
pub use hidden::Signal;
pub use pieces::{ARMY, Battle, Piece, Rank, Sight, battle};
pub use position::{State, Undo};
pub use setup::Setup;

use board::SQUARES;
use repetition::History;
use tabia_game::{Outcome, Path, Repetition, Ruling};

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "setup",
        kind: ParameterKind::Choice(setup::NAMES),
        default: "random",
        help: "how both armies stand at the start",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the set-ups",
    },
    Parameter {
        key: "limit",
        kind: ParameterKind::Integer(0, 1_000_000),
        default: "1000",
        help: "plies without an attack after which the game is drawn; 0: never",
    },
];

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text, Turn};
/// use tabia_stratego::stratego::{Setup, Stratego};
///
/// let game = Stratego::new(Setup::Figure, 1000);
/// let mut state = game.start();
/// for text in ["e4-e6", "f7-f6", "e6xe7"] {
///     let step = game.parse_move(&state, text).expect("a legal move");
///     game.play(&mut state, step);
/// }
/// // Two Scouts met, and both are gone.
/// let upper = "jnbfbnlonc/ltgbtosmbt/cbpjlnbnoo/polo2ojtp/5p'4/";
/// assert!(game.position_text(&state).starts_with(upper));
/// ```
#[derive(Clone, Debug)]
pub struct Stratego {
    setup: Setup,
    limit: u32,
}

impl Stratego {
    /// A game from this set-up, which is drawn after `limit` plies without an attack, never with 0.
    pub fn new(setup: Setup, limit: u32) -> Stratego {
        Stratego { setup, limit }
    }

    /// The first position of a game from this set-up.
    fn set_up(&self, setup: Setup) -> State {
        let mut state = State::new(setup.board(), Player::FIRST, 0);
        self.settle(&mut state);
        state
    }

    fn settle(&self, state: &mut State) {
        state.settle(self.limit, [true; 2]);
    }
}

impl Game for Stratego {
    type State = State;
    type Move = Step;
    type Undo = Undo;
    type Luck = Deterministic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        self.set_up(self.setup)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Step>) {
        state.each_step(true, |step| out.push(step));
    }

    fn play(&self, state: &mut State, step: Step) -> Undo {
        let rank = |square| state.board.at(square).and_then(|piece| piece.rank);
        let token = match (rank(step.from), rank(step.to)) {
            (Some(attacker), Some(defender)) => state.fight(step, attacker, defender),
            _ => state.shift(step),
        };
        self.settle(state);
        token
    }

    fn undo(&self, state: &mut State, token: Undo) {
        state.take_back(token);
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        state.outcome.payoff(player)
    }

    fn repetition(&self) -> Repetition {
        Repetition::forbidden_by_moves()
    }
}

impl TwoPlayer for Stratego {}

impl Key for Stratego {
    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn note(&self, state: &State, step: Step) -> u64 {
        let rank = |square| state.board.at(square).and_then(|piece| piece.rank);
        state.note(step, rank(step.from).zip(rank(step.to)))
    }

    fn retain_allowed(&self, state: &mut State, path: &Path, moves: &mut Vec<Step>, first: usize) {
        let history = History::of(path.made());
        if history.may_forbid(state.mover) {
            let mut place = 0;
            moves.retain(|&step| {
                place += 1;
                place <= first || !history.forbids(&state.board, state.mover, step)
            });
        }
    }

    fn stuck(&self, state: &State, path: &Path) -> Ruling {
        state.stuck(&History::of(path.made()), [true; 2])
    }

    /// Paths share what was found if the rules of repetition forbid the same; single moves are left
    /// aside.
    fn key_on_path(&self, state: &State, path: &Path) -> u64 {
        state.key() ^ History::of(path.made()).key()
    }
}

impl MoveIndex for Stratego {
    fn move_indices(&self) -> usize {
        SQUARES * SQUARES
    }

    #[inline]
    fn move_index(&self, step: Step) -> usize {
        step.index()
    }
}
