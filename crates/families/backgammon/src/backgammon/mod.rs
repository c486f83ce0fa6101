//! Backgammon, with gammons, the doubling cube and matches.
//!
//! Two players bring fifteen checkers each around 24 points in opposite directions and bear them
//! off. A roll must be used as far as possible: checkers on the bar enter first, doubles are played
//! four times, and if either die can be played but not both, the larger must be. The tournaments of
//! Hauk, Buro and Schaeffer (2004) count every win as one point; that is `gammons=off`.
//!
//! Chance rolls and a player plays in turn. A play is a complete one, and plays that lead to the
//! same position are one and the same. The opening roll is one die each, never a double; whoever
//! rolled more plays both dice. With the cube a turn begins with the decision to roll or to double,
//! wherever doubling is allowed. A match is one game that is won or lost: [`State`] holds the
//! score.

mod bearoff;
mod board;
mod cube;
#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod features;
mod fibs;
mod ids;
mod keys;
mod learnt;
mod notation;
#[cfg(not(test))]
mod peer;
mod picture;
mod plays;
mod position;
pub mod records;
mod rules;
#[cfg(test)]
mod tests;
#[cfg(not(test))]
pub mod training;

use rand::{Rng, RngExt};
use tabia_game::{Chance, Game, Payoff, Perfect, Player, Stochastic, TextError, Turn, TwoPlayer};

pub use bearoff::{Bearoff, Home, OneSided, home_number, homes, numbered_home};
pub use board::{BAR, Board, BoardError, CHECKERS, HOME, POINTS, Side};
pub use cube::Prospect;
pub use evaluation::{Chances, EvaluationBuffers, Networks, SHAPE, known, place};
pub use features::{INPUTS, PositionClass, inputs};
pub use learnt::Learnt;
pub use plays::{Play, Roll, Step};
pub use rules::{PARAMETERS, Rules, RulesError};

const LETTERS: [char; 2] = ['w', 'b'];
const NAMES: [&str; 2] = ["White", "Black"];
/// The cube shows 2 to this power at most.
const MAX_DOUBLES: u8 = 6;
const MAX_STAKES: Payoff = 3;

/// The game.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_backgammon::backgammon::Backgammon;
///
/// let game = Backgammon::default();
/// let mut state = game.start();
/// for text in ["31", "8/5 6/5", "64", "24/14"] {
///     let mv = game.parse_move(&state, text).expect("a legal move");
///     game.play(&mut state, mv);
/// }
/// assert_eq!(
///     game.position_text(&state),
///     "24:2,13:5,8:2,6:4,5:2/24,14,13:5,8:3,6:5 w roll"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Backgammon {
    rules: Rules,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Both players throw one die to see who begins.
    Opening,
    /// The player on roll rolls or doubles.
    Cube,
    /// The dice are thrown.
    Roll,
    /// The opponent of the player on roll takes or drops a double.
    Doubled,
    /// The player on roll plays these dice.
    Play(Roll),
    /// Nothing: the player on roll has won.
    Over,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    board: Board,
    mover: Player,
    phase: Phase,
    /// How often the stakes were doubled.
    doubles: u8,
    /// Who alone may double next; nobody if both may or none.
    owner: Option<Player>,
    score: [u8; 2],
    crawford: bool,
}

/// A roll, a play or a decision about the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Chance: the dice. In the opening the first die is White's.
    Roll(Roll),
    /// The player on roll moves checkers.
    Play(Play),
    /// The player on roll does not double.
    Decline,
    /// The player on roll doubles.
    Double,
    /// The opponent plays on for twice the stakes and owns the cube.
    Take,
    /// The opponent gives the game up.
    Drop,
}

impl State {
    /// The board, the side of the player on roll first.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The player on roll; at the end the winner, and in the opening the first player.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// What happens next.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What the cube shows; 1 before the first double.
    pub fn cube(&self) -> u8 {
        1 << self.doubles
    }

    /// Who alone may double next; nobody if both may or, with the cube at its highest, none.
    pub fn cube_owner(&self) -> Option<Player> {
        self.owner
    }

    /// The points of both players in the match.
    pub fn score(&self) -> [u8; 2] {
        self.score
    }

    /// Whether this is the one game without the cube, after a player came within a point of winning
    /// the match.
    pub fn is_crawford(&self) -> bool {
        self.crawford
    }
}

impl Backgammon {
    /// A game by these rules.
    pub fn new(rules: Rules) -> Result<Backgammon, RulesError> {
        let rules = rules.checked()?;
        Ok(Backgammon { rules })
    }

    /// What is played for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// A position of this board before `mover` rolls or doubles; with the cube in the middle and,
    /// in a match, no points yet.
    pub fn position(&self, board: Board, mover: Player) -> Result<State, TextError> {
        let mut state = State {
            board,
            mover: Player(mover.0 & 1),
            ..self.start()
        };
        state.phase = self.turn_begins(&state);
        self.checked(state)
    }

    /// Whether the player on roll may double before rolling.
    pub fn may_double(&self, state: &State) -> bool {
        self.rules.cube
            && !state.crawford
            && state.doubles < MAX_DOUBLES
            && state.owner.is_none_or(|owner| owner == state.mover)
    }

    fn turn_begins(&self, state: &State) -> Phase {
        if self.may_double(state) {
            Phase::Cube
        } else {
            Phase::Roll
        }
    }

    /// The stakes of a game that ends with this board, won by the player on roll.
    fn points(&self, state: &State, end: &Board) -> u8 {
        let turned = state.doubles > 0;
        let counted = self.rules.gammons && (turned || !self.rules.jacoby);
        let borne_off = end.left(0) == 0;
        let stakes = if counted && borne_off {
            end.stakes(0)
        } else {
            1
        };
        state.cube() * stakes
    }

    /// The game is won by the player on roll: the end, or the next game of the match.
    fn finish(&self, state: &mut State) {
        state.phase = Phase::Over;
        let length = self.rules.length;
        if length == 0 {
            return;
        }
        let one_away = |score: [u8; 2]| score.contains(&(length - 1));
        let crawford_was_played = one_away(state.score);
        let points = self.points(state, &state.board);
        let own = &mut state.score[state.mover.index()];
        *own = own.saturating_add(points).min(length);
        if *own < length {
            let score = state.score;
            *state = State {
                score,
                crawford: one_away(score) && !crawford_was_played,
                ..self.start()
            };
        }
    }

    /// The state itself if it can be one of this game, or what is wrong with it.
    fn checked(&self, mut state: State) -> Result<State, TextError> {
        let wrong = |reason: &str| Err(TextError::new(reason));
        let Rules { length, cube, .. } = self.rules;
        let left = [0, 1].map(|side| state.board.left(side));
        let over = state.phase == Phase::Over;
        if left.contains(&0) && !(over && left[1] > 0) {
            return wrong("a player who has borne off all checkers has won, and nothing else");
        }
        if !cube && (state.doubles > 0 || state.owner.is_some()) {
            return wrong("this game has no doubling cube; it has one with cube=on");
        }
        if state.doubles > MAX_DOUBLES || (state.doubles == 0 && state.owner.is_some()) {
            return wrong("the cube shows 1 in the middle, or 2, 4, ... 64");
        }
        if state.doubles == MAX_DOUBLES {
            state.owner = None;
        }
        if matches!(state.phase, Phase::Cube | Phase::Doubled) && !self.may_double(&state) {
            return wrong("the player on roll may not double here");
        }
        let first = state.mover == Player::FIRST;
        if state.phase == Phase::Opening && (!first || state.doubles > 0) {
            return wrong("in the opening White counts as on roll and the cube shows 1");
        }
        let highest = state.score[0].max(state.score[1]);
        let ended = length > 0 && state.score[state.mover.index()] == length;
        if length == 0 && (highest > 0 || state.crawford) {
            return wrong("there is no score without a match; match=N makes one to N points");
        }
        if length > 0 && (highest > length || state.score == [length; 2]) {
            return Err(TextError::new(format!("the match is to {length} points")));
        }
        if length > 0 && over != (highest == length) || over && length > 0 && !ended {
            return wrong(
                "a match is over when the player who has won has all points, and not before",
            );
        }
        if over && left[0] > 0 && !cube {
            return wrong("the winner has checkers left, and without the cube nobody gives up");
        }
        if state.crawford && !over && !state.score.contains(&(length - 1)) {
            return wrong("the Crawford game is played when somebody is one point from winning");
        }
        if state.crawford && state.doubles > 0 {
            return wrong("nobody doubles in the Crawford game");
        }
        Ok(state)
    }
}

impl Game for Backgammon {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            board: Board::START,
            mover: Player::FIRST,
            phase: Phase::Opening,
            doubles: 0,
            owner: None,
            score: [0; 2],
            crawford: self.rules.length == 1,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Opening | Phase::Roll => Turn::Chance,
            Phase::Cube | Phase::Play(_) => Turn::Player(state.mover),
            Phase::Doubled => Turn::Player(state.mover.other()),
            Phase::Over => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        match state.phase {
            Phase::Play(roll) => state
                .board
                .each_play(roll, |play| out.push(Move::Play(play))),
            Phase::Cube => out.extend([Move::Decline, Move::Double]),
            Phase::Doubled => out.extend([Move::Take, Move::Drop]),
            Phase::Opening => out.extend(openings().map(Move::Roll)),
            Phase::Roll => out.extend(Roll::all().map(|(roll, _)| Move::Roll(roll))),
            Phase::Over => {}
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        match mv {
            Move::Play(play) => {
                state.board = old.board.after(play);
                if state.board.left(0) == 0 {
                    self.finish(state);
                } else {
                    state.board = state.board.swapped();
                    state.mover = old.mover.other();
                    state.phase = self.turn_begins(state);
                }
            }
            Move::Roll(roll) => {
                let [first, second] = roll.dice();
                if old.phase == Phase::Opening && second > first {
                    state.mover = old.mover.other();
                    state.board = old.board.swapped();
                }
                state.phase = Phase::Play(roll.sorted());
            }
            Move::Decline => state.phase = Phase::Roll,
            Move::Double => state.phase = Phase::Doubled,
            Move::Take => {
                state.doubles = (old.doubles + 1).min(MAX_DOUBLES);
                state.owner = Some(old.mover.other()).filter(|_| state.doubles < MAX_DOUBLES);
                state.phase = Phase::Roll;
            }
            Move::Drop => self.finish(state),
        }
        old
    }

    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        let won = match (state.phase, self.rules.length) {
            (Phase::Over, 0) => Payoff::from(self.points(state, &state.board)),
            (Phase::Over, _) => 1,
            _ => 0,
        };
        if player == state.mover { won } else { -won }
    }

    fn max_payoff(&self) -> Payoff {
        if self.rules.length > 0 {
            return 1;
        }
        let stakes = if self.rules.gammons { MAX_STAKES } else { 1 };
        let cube = if self.rules.cube { MAX_DOUBLES } else { 0 };
        stakes << cube
    }
}

/// The throws that decide who begins, White's die first.
fn openings() -> impl Iterator<Item = Roll> {
    (1..=6)
        .flat_map(|first| (1..=6).filter_map(move |second| Roll::thrown(first, second)))
        .filter(|roll| !roll.is_double())
}

impl TwoPlayer for Backgammon {}

impl Chance for Backgammon {
    fn outcomes(&self, state: &State, out: &mut Vec<(Move, u64)>) {
        match state.phase {
            Phase::Opening => out.extend(openings().map(|roll| (Move::Roll(roll), 1))),
            Phase::Roll => out.extend(Roll::all().map(|(roll, weight)| (Move::Roll(roll), weight))),
            _ => {}
        }
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Move {
        let opening = state.phase == Phase::Opening;
        loop {
            let [first, second] = [0; 2].map(|_| rng.random_range(1..=6));
            let roll = Roll::thrown(first, second).filter(|roll| !(opening && roll.is_double()));
            if let Some(roll) = roll {
                return Move::Roll(if opening { roll } else { roll.sorted() });
            }
        }
    }
}
