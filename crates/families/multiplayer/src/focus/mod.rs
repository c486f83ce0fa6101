//! Focus (Sackson 1969) for two to four players, after Schadd (2011, section 6.4.2).
//!
//! The board has 52 squares, an 8x8 board without three squares in each corner. Men stand in
//! stacks, and a stack belongs to the man on top. A turn takes some men from the top of one's own
//! stack and moves them as many squares in a straight line as there are men, over whatever stands
//! in between, onto whatever stands there. Of more than five men the lowest are taken away: one's
//! own go to the reserve, the others are captured. Instead of moving, a man of the reserve can be
//! put on any square. Who can do neither passes.
//!
//! The short game is won by whoever has captured 6 men (two players), 10 men or 3 of each opponent
//! (three players), 10 men or 2 of each opponent (four players); the long game by whoever alone can
//! still move. After 300 moves it is a draw. Payoffs sum to zero: with n players a win
//! is worth n - 1 and a loss -1.
//!
//! The thesis shows its set-ups in a figure. Ours are:
//! - two players: 18 men each on the middle 6x6, in pairs, rows alternating;
//! - three: 12 men each on the middle 6x6, in pairs, each row shifted by a pair against the one
//!   before. The 13th man of each is put on an empty square in the player's first turn, as in the
//!   published game;
//! - four: 13 men each, one on every square. The squares of one quarter are coloured in pairs that
//!   are shifted from rank to rank, and a quarter turn of the board takes the men of each player to
//!   the next one's, so that nobody begins better placed.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod stack;
#[cfg(test)]
mod tests;
mod text;

use tabia_game::grid::Grid;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::zobrist;
use tabia_game::{
    Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Symmetric, TextError, Turn,
};

pub use evaluation::Stacks;
pub use stack::Stack;

use stack::TALLEST;
use tabia_game::{Outcome, SizeError};

const SIDE: usize = 8;
const SQUARES: usize = SIDE * SIDE;
const GRID: Grid = Grid {
    width: SIDE,
    height: SIDE,
};
/// Players at most.
const SEATS: usize = 4;
/// The file and rank steps of the four directions.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The options.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "players",
        kind: ParameterKind::Integer(2, SEATS as i64),
        default: "2",
        help: "number of players",
    },
    Parameter {
        key: "goal",
        kind: ParameterKind::Choice(&["short", "long"]),
        default: "short",
        help: "how to win: by captured men, or by being the last who can move",
    },
    Parameter {
        key: "moves",
        kind: ParameterKind::Integer(1, 10_000),
        default: "300",
        help: "moves of all players together until a game is a draw",
    },
];

/// What wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VictoryCondition {
    /// Captured men.
    Short,
    /// That nobody else can move.
    Long,
}

impl VictoryCondition {
    /// The goal with this name, as in [`PARAMETERS`].
    pub fn named(name: &str) -> VictoryCondition {
        match name {
            "long" => VictoryCondition::Long,
            _ => VictoryCondition::Short,
        }
    }
}

/// The squares, as a set of bits.
static BOARD: u64 = board();

const fn board() -> u64 {
    let mut set = 0;
    let mut square = 0;
    while square < SQUARES {
        let (file, rank) = (square % SIDE, square / SIDE);
        let file = if file < SIDE / 2 {
            file
        } else {
            SIDE - 1 - file
        };
        let rank = if rank < SIDE / 2 {
            rank
        } else {
            SIDE - 1 - rank
        };
        if file + rank >= 2 {
            set |= 1 << square;
        }
        square += 1;
    }
    set
}

/// For every square and direction the squares that lie this many squares away, and beyond the edge
/// [`NOWHERE`].
static REACH: [[[u8; TALLEST]; 4]; SQUARES] = reach();

const NOWHERE: u8 = u8::MAX;

const fn reach() -> [[[u8; TALLEST]; 4]; SQUARES] {
    let mut all = [[[NOWHERE; TALLEST]; 4]; SQUARES];
    let board = board();
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            let (across, up) = DIRECTIONS[direction];
            let mut far = 0;
            while far < TALLEST {
                let file = (square % SIDE) as i8 + across * (far as i8 + 1);
                let rank = (square / SIDE) as i8 + up * (far as i8 + 1);
                if 0 <= file && file < SIDE as i8 && 0 <= rank && rank < SIDE as i8 {
                    let to = rank as usize * SIDE + file as usize;
                    if board & 1 << to != 0 {
                        all[square][direction][far] = to as u8;
                    }
                }
                far += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    all
}

/// The rules.
///
/// ```
/// use tabia_game::{Game, Text};
/// use tabia_multiplayer::focus::{Focus, VictoryCondition};
///
/// let focus = Focus::new(2, VictoryCondition::Short, 300).unwrap();
/// let mut state = focus.start();
/// let mv = focus.parse_move(&state, "d2-e2").unwrap();
/// focus.play(&mut state, mv);
/// assert!(focus.position_text(&state).contains("/1gg1(rr)gg1/"));
/// ```
#[derive(Clone, Debug)]
pub struct Focus {
    players: usize,
    goal: VictoryCondition,
    longest: u16,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    stacks: [Stack; SQUARES],
    /// Own men of each player that can be put back.
    reserve: [u8; SEATS],
    /// Men that each player has captured, by their colours.
    captured: [[u8; SEATS]; SEATS],
    mover: Player,
    plies: u16,
    outcome: Outcome,
    key: u64,
}

/// From where to where, as many squares as men; from `RESERVE` a man of the reserve; `PASS`
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    from: u8,
    to: u8,
}

const RESERVE: u8 = SQUARES as u8;
const PASS: Move = Move {
    from: RESERVE,
    to: RESERVE,
};

impl Move {
    /// How many men move: as many as squares.
    #[inline]
    fn men(self) -> usize {
        if self.from == RESERVE {
            return 1;
        }
        let (from, to) = (usize::from(self.from), usize::from(self.to));
        (from % SIDE).abs_diff(to % SIDE) + (from / SIDE).abs_diff(to / SIDE)
    }
}

static TURN: [u64; SEATS] = zobrist::table(0xf0c5);

#[inline]
fn stack_key(square: usize, stack: Stack) -> u64 {
    match stack.is_empty() {
        true => 0,
        false => zobrist::number(0xf0c0, u64::from(stack.code()) << 8 | square as u64),
    }
}

impl State {
    /// What is not on the board, as a part of the key.
    #[inline]
    fn aside(&self) -> u64 {
        let word = |men: [u8; SEATS]| u64::from(u32::from_le_bytes(men));
        let captured = (1u64..).zip(self.captured);
        let captured = captured.fold(0, |key, (player, men)| {
            key ^ zobrist::number(0xf0c1 + player, word(men))
        });
        captured
            ^ zobrist::number(0xf0c1, word(self.reserve))
            ^ zobrist::number(0xf0cf, u64::from(self.plies))
            ^ TURN[self.mover.index() % SEATS]
    }

    /// The key, from scratch.
    fn full_key(&self) -> u64 {
        let squares = self.stacks.iter().enumerate();
        squares.fold(self.aside(), |key, (square, &stack)| {
            key ^ stack_key(square, stack)
        })
    }

    #[inline]
    fn set(&mut self, square: usize, stack: Stack) {
        self.key ^= stack_key(square, self.stacks[square]) ^ stack_key(square, stack);
        self.stacks[square] = stack;
    }

    /// The squares whose stacks belong to a player.
    #[inline]
    fn controlled(&self, player: Player) -> impl Iterator<Item = usize> + '_ {
        let squares = (0..SQUARES).filter(|&square| BOARD & 1 << square != 0);
        squares.filter(move |&square| self.stacks[square].top() == Some(player.0))
    }

    /// Whether a player could do anything but pass. Every square has a neighbour, so one man can
    /// always move.
    #[inline]
    fn can_move(&self, player: Player) -> bool {
        self.reserve[player.index() % SEATS] > 0 || self.controlled(player).next().is_some()
    }
}

impl Focus {
    /// The game for this many players; after `longest` moves it is a draw.
    pub fn new(players: usize, goal: VictoryCondition, longest: u16) -> Result<Focus, SizeError> {
        if !(2..=SEATS).contains(&players) {
            return Err(SizeError(format!(
                "{players} players are not possible: two, three or four play"
            )));
        }
        if longest == 0 {
            return Err(SizeError(
                "a game of 0 moves is none: at least 1 belongs there".to_string(),
            ));
        }
        Ok(Focus {
            players,
            goal,
            longest,
        })
    }

    /// Men of each player.
    fn men(&self) -> u8 {
        if self.players == 2 { 18 } else { 13 }
    }

    /// Men that win: how many in all, and how many of each opponent.
    fn wanted(&self) -> (u8, Option<u8>) {
        match self.players {
            2 => (6, None),
            3 => (10, Some(3)),
            _ => (10, Some(2)),
        }
    }

    /// How many more captured men a player needs to win the short game, by the nearer way.
    #[inline]
    fn needed(&self, state: &State, player: Player) -> u8 {
        let captured = &state.captured[player.index() % SEATS];
        let (all, each) = self.wanted();
        let by_all = all.saturating_sub(captured.iter().sum());
        let by_each = each.map_or(by_all, |each| {
            let opponents = (0..self.players).filter(|&other| other != player.index());
            opponents
                .map(|other| each.saturating_sub(captured[other]))
                .sum()
        });
        by_all.min(by_each)
    }

    /// The owner of the man that stands on a square at the start.
    fn first_man(&self, square: usize) -> Option<u8> {
        if BOARD & 1 << square == 0 {
            return None;
        }
        let (file, rank) = (square % SIDE, square / SIDE);
        if self.players < 4 {
            let middle = 1..SIDE - 1;
            let inside = middle.contains(&file) && middle.contains(&rank);
            // Ranks are counted from the top, as the set-up is written.
            let (pair, row) = ((file.wrapping_sub(1)) / 2, SIDE - 2 - rank.min(SIDE - 2));
            return inside.then(|| ((pair + row) % self.players) as u8);
        }
        // Turned into the first quarter, by quarter turns each of which goes to the next player.
        let (mut file, mut rank, mut turns) = (file, rank, 0);
        while file >= SIDE / 2 || rank >= SIDE / 2 {
            (file, rank) = (rank, SIDE - 1 - file);
            turns += 1;
        }
        Some(((file / 2 + rank + turns) % self.players) as u8)
    }

    /// Whether a player's first turn puts the thirteenth man.
    #[inline]
    fn puts_thirteenth(&self, state: &State, player: Player) -> bool {
        self.players == 3
            && usize::from(state.plies) < self.players
            && state.reserve[player.index() % SEATS] > 0
    }

    /// The moves of a player, whose turn it is or not, if the game is not over.
    fn moves_of(&self, state: &State, player: Player, mut tell: impl FnMut(Move)) {
        let reserve = state.reserve[player.index() % SEATS] > 0;
        let squares = (0..SQUARES).filter(|&square| BOARD & 1 << square != 0);
        let put = |to: usize| Move {
            from: RESERVE,
            to: to as u8,
        };
        if self.puts_thirteenth(state, player) {
            let empty = squares.filter(|&square| state.stacks[square].is_empty());
            return empty.for_each(|to| tell(put(to)));
        }
        let mut moves = false;
        for from in state.controlled(player) {
            let height = state.stacks[from].height();
            moves = true;
            for reach in &REACH[from] {
                for &to in reach[..height].iter().take_while(|&&to| to != NOWHERE) {
                    tell(Move {
                        from: from as u8,
                        to,
                    });
                }
            }
        }
        if reserve {
            squares.for_each(|to| tell(put(to)));
        } else if !moves {
            tell(PASS);
        }
    }

    /// Who has won after a player's move, or whether it is a draw.
    #[inline]
    fn outcome(&self, state: &State, player: Player) -> Outcome {
        let mut others = (0..self.players as u8).filter(|&other| other != player.0);
        let wins = match self.goal {
            VictoryCondition::Short => self.needed(state, player) == 0,
            VictoryCondition::Long => others.all(|other| !state.can_move(Player(other))),
        };
        if wins {
            Outcome::Won(player)
        } else if state.plies >= self.longest {
            Outcome::Drawn
        } else {
            Outcome::Open
        }
    }
}

/// A position that was set up says who has won by what is on the board.
impl Focus {
    fn standing(&self, state: &State) -> Result<Outcome, TextError> {
        let winners: Vec<Player> = (0..self.players as u8)
            .map(Player)
            .filter(|&player| matches!(self.outcome(state, player), Outcome::Won(_)))
            .collect();
        match (self.goal, winners.as_slice()) {
            // Nobody can move at all.
            (VictoryCondition::Long, [_, _, ..]) => Ok(Outcome::Drawn),
            (VictoryCondition::Short, [_, _, ..]) => Err(TextError::new(
                "several players have captured enough men to have won",
            )),
            (_, &[winner]) => Ok(Outcome::Won(winner)),
            (_, []) => Ok(self.outcome(state, state.mover)),
        }
    }
}

impl Game for Focus {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        let man = |square| match self.first_man(square) {
            Some(owner) => Stack::of(owner),
            None => Stack::EMPTY,
        };
        let mut reserve = [0; SEATS];
        if self.players == 3 {
            reserve[..3].fill(1);
        }
        let mut state = State {
            stacks: std::array::from_fn(man),
            reserve,
            captured: [[0; SEATS]; SEATS],
            mover: Player::FIRST,
            plies: 0,
            outcome: Outcome::Open,
            key: 0,
        };
        state.key = state.full_key();
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.outcome == Outcome::Open {
            self.moves_of(state, state.mover, |mv| out.push(mv));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> State {
        let old = *state;
        let mover = old.mover.index() % SEATS;
        state.key ^= state.aside();
        if mv != PASS {
            let to = usize::from(mv.to);
            let moved = if mv.from == RESERVE {
                state.reserve[mover] -= 1;
                Stack::of(old.mover.0)
            } else {
                let from = usize::from(mv.from);
                let (rest, moved) = state.stacks[from].split(mv.men());
                state.set(from, rest);
                moved
            };
            let (stack, lost) = state.stacks[to].under(moved);
            state.set(to, stack);
            for man in lost.men() {
                let man = usize::from(man) % SEATS;
                match man == mover {
                    true => state.reserve[mover] += 1,
                    false => state.captured[mover][man] += 1,
                }
            }
        }
        state.plies += 1;
        state.mover = Player(((mover + 1) % self.players) as u8);
        state.key ^= state.aside();
        state.outcome = self.outcome(state, old.mover);
        old
    }

    #[inline]
    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        match state.outcome {
            Outcome::Won(winner) if winner == player => self.max_payoff(),
            outcome => outcome.payoff(player),
        }
    }

    fn max_payoff(&self) -> Payoff {
        self.players as Payoff - 1
    }
}

impl Focus {
    /// Makes it the turn of `player` in a game that is not over.
    #[inline]
    pub fn hand_turn(&self, state: &mut State, player: Player) -> State {
        let old = *state;
        state.key ^= TURN[old.mover.index() % SEATS] ^ TURN[player.index() % SEATS];
        state.mover = player;
        old
    }
}

impl Key for Focus {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }
}

impl MoveIndex for Focus {
    fn move_indices(&self) -> usize {
        (SQUARES + 1) * SQUARES + 1
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.from) * SQUARES + usize::from(mv.to)
    }
}

fn map_square(square: u8, symmetry: usize) -> u8 {
    if square == RESERVE {
        return RESERVE;
    }
    let square = usize::from(square);
    let (file, rank) = GRID.map(symmetry, square % SIDE, square / SIDE);
    (rank * SIDE + file) as u8
}

impl Symmetric for Focus {
    fn symmetries(&self) -> usize {
        GRID.symmetries()
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        let mut image = *state;
        for square in 0..SQUARES {
            let to = usize::from(map_square(square as u8, symmetry));
            image.stacks[to] = state.stacks[square];
        }
        image.key = image.full_key();
        image
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        Move {
            from: map_square(mv.from, symmetry),
            to: map_square(mv.to, symmetry),
        }
    }
}
