//! Chinese Checkers on the star of 73 cells with six pieces a player, after Schadd (2011, section
//! 6.4.1).
//!
//! A piece steps to an empty cell beside it, or jumps over one piece beside it to the empty cell
//! behind, as often in one turn as it likes; nothing is captured. A move is told by where it begins
//! and where it ends. Everybody wants to have the triangle opposite to the own one filled. It need
//! not be filled with own pieces only, or staying at home would block it; but one of them must be
//! there. Whoever's triangle is filled first has won, whoever made the last move.
//!
//! Rules that the thesis does not tell, or that are told differently elsewhere, are options:
//! - `leave`: whether a piece may leave its target triangle again (the thesis: no). A jump may pass
//!   outside and come back;
//! - `foreign`: whether pieces may enter the side triangles, which are neither home nor target: not
//!   at all, in passing while they jump, or to stay. Without them a player uses 49 cells;
//! - `target`: filled, one's own piece among the fillers, or filled with one's own pieces alone;
//! - `moves`: moves of all players together until a game is a draw. The thesis knows no draws, but
//!   games at random hardly ever end.
//!
//! Two players sit opposite to each other, three in every other triangle, four in two pairs of
//! opposite ones. Who cannot move passes. Payoffs sum to zero: with n players a win is
//! worth n - 1 and a loss -1.

#[cfg(not(test))]
pub mod entry;
mod evaluation;
mod playout;
mod rules;
mod solitaire;
mod star;
#[cfg(not(test))]
pub mod tables;
#[cfg(test)]
mod tests;
mod text;

use rand::{Rng, RngExt};
use tabia_game::bits::Bits;
use tabia_game::zobrist;
use tabia_game::{Deterministic, Game, Key, MoveIndex, Payoff, Perfect, Player, Symmetric, Turn};

pub use evaluation::Race;
pub use rules::{Foreign, PARAMETERS, Rules, Target};
pub use solitaire::Solitaire;

use star::{BIT, CELL, CELLS, FRAMES, HIGH, LOW, MIRRORED, NONE, TRIANGLE, TRIANGLES, is_filled};
use tabia_game::{Outcome, SizeError};

/// The rules.
///
/// ```
/// use tabia_game::Game;
/// use tabia_multiplayer::chinese_checkers::{ChineseCheckers, Rules};
///
/// let game = ChineseCheckers::new(6, Rules::default()).unwrap();
/// let mut moves = Vec::new();
/// game.moves(&game.start(), &mut moves);
/// assert_eq!(moves.len(), 10);
/// assert!(ChineseCheckers::new(5, Rules::default()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct ChineseCheckers {
    players: usize,
    rules: Rules,
    /// The triangle that each player begins in.
    homes: [u8; TRIANGLES],
    /// The player who wants to fill each triangle, if there is one.
    fillers: [Option<Player>; TRIANGLES],
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The pieces of each player, by cells.
    pieces: [u128; TRIANGLES],
    /// The pieces of each player in the player's frame, as far as they are there.
    framed: [u64; TRIANGLES],
    /// All pieces in each frame.
    occupied: [u64; FRAMES],
    mover: Player,
    plies: u16,
    outcome: Outcome,
    /// The key but for the plies.
    key: u64,
}

/// What it takes to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    mover: Player,
    plies: u16,
    outcome: Outcome,
    key: u64,
}

/// From which cell to which; both are no cell for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    from: u8,
    to: u8,
}

const PASS: Move = Move {
    from: NONE,
    to: NONE,
};

static KEYS: [[u64; CELLS]; TRIANGLES] = [
    zobrist::table(0xc410),
    zobrist::table(0xc411),
    zobrist::table(0xc412),
    zobrist::table(0xc413),
    zobrist::table(0xc414),
    zobrist::table(0xc415),
];
static TURN: [u64; TRIANGLES] = zobrist::table(0xc41f);

impl State {
    /// A piece of a player goes from one cell to another, or back.
    #[inline]
    fn shift(&mut self, player: usize, home: u8, mv: Move) {
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        self.pieces[player] ^= 1 << from | 1 << to;
        let frame = usize::from(home) % FRAMES;
        self.framed[player] ^= BIT[frame][from] ^ BIT[frame][to];
        for (occupied, bit) in self.occupied.iter_mut().zip(&BIT) {
            *occupied ^= bit[from] ^ bit[to];
        }
    }

    #[inline]
    fn turn_to(&mut self, player: Player) {
        self.key ^= TURN[self.mover.index() % TRIANGLES] ^ TURN[player.index() % TRIANGLES];
        self.mover = player;
    }

    /// All pieces.
    #[inline]
    fn all(&self) -> u128 {
        self.pieces.iter().fold(0, |all, own| all | own)
    }
}

impl ChineseCheckers {
    /// The game for this many players.
    pub fn new(players: usize, rules: Rules) -> Result<ChineseCheckers, SizeError> {
        let seats: &[u8] = match players {
            2 => &[0, 3],
            3 => &[0, 2, 4],
            4 => &[0, 1, 3, 4],
            6 => &[0, 1, 2, 3, 4, 5],
            _ => {
                return Err(SizeError(format!(
                    "{players} players are not possible: two, three, four or six play"
                )));
            }
        };
        if rules.longest == 0 {
            return Err(SizeError(
                "a game of 0 moves is none: at least 1 belongs there".to_string(),
            ));
        }
        let mut homes = [0; TRIANGLES];
        let mut fillers = [None; TRIANGLES];
        for (player, &home) in seats.iter().enumerate() {
            homes[player] = home;
            fillers[opposite(home)] = Some(Player(player as u8));
        }
        Ok(ChineseCheckers {
            players,
            rules,
            homes,
            fillers,
        })
    }

    /// The rules that differ from place to place.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The triangle that a player begins in.
    #[inline]
    fn home(&self, player: Player) -> u8 {
        self.homes[player.index() % TRIANGLES]
    }

    /// The target of a player in the player's frame.
    #[inline]
    fn target(&self, player: Player) -> u64 {
        if self.home(player) < FRAMES as u8 {
            LOW
        } else {
            HIGH
        }
    }

    /// The position with these pieces, nobody having won.
    fn position(&self, pieces: [u128; TRIANGLES], mover: Player, plies: u16) -> State {
        let mut state = State {
            pieces,
            framed: [0; TRIANGLES],
            occupied: [0; FRAMES],
            mover,
            plies,
            outcome: Outcome::Open,
            key: TURN[mover.index() % TRIANGLES],
        };
        for player in 0..self.players {
            let frame = usize::from(self.homes[player]) % FRAMES;
            for cell in pieces[player].iter() {
                state.key ^= KEYS[player][cell];
                state.framed[player] |= BIT[frame][cell];
                for (occupied, bit) in state.occupied.iter_mut().zip(&BIT) {
                    *occupied |= bit[cell];
                }
            }
        }
        state
    }

    /// Whether a player's target is filled as it should be.
    #[inline]
    fn has_won(&self, state: &State, player: Player) -> bool {
        let index = player.index() % TRIANGLES;
        let frame = usize::from(self.homes[index]) % FRAMES;
        let strict = self.rules.target == Target::Own;
        let (own, occupied) = (state.framed[index], state.occupied[frame]);
        is_filled(self.target(player), own, occupied, strict)
    }

    /// The cells that a player's pieces may stand on.
    #[inline]
    fn stops(&self, player: Player) -> u128 {
        match self.rules.foreign {
            Foreign::Open => STAR,
            _ => FRAMED[usize::from(self.home(player)) % FRAMES],
        }
    }

    /// Where a piece of a frame may go.
    #[inline]
    fn reach(&self, from: u64, occupied: u64, target: u64) -> u64 {
        let to = star::reach(from, occupied);
        match self.rules.leave || from & target == 0 {
            true => to,
            false => to & target,
        }
    }

    /// The same on the whole star.
    fn reach_star(&self, from: usize, state: &State, player: Player) -> u128 {
        let to = star::reach_star(from, state.all(), self.stops(player));
        let target = TRIANGLE_CELLS[opposite(self.home(player))];
        match self.rules.leave || target & (1 << from) == 0 {
            true => to,
            false => to & target,
        }
    }

    /// Tells the moves of a player, whose turn it is or not, if there are any.
    #[inline]
    fn moves_of(&self, state: &State, player: Player, mut tell: impl FnMut(Move)) {
        let index = player.index() % TRIANGLES;
        if self.rules.foreign != Foreign::Closed {
            for from in state.pieces[index].iter() {
                for to in self.reach_star(from, state, player).iter() {
                    tell(Move {
                        from: from as u8,
                        to: to as u8,
                    });
                }
            }
            return;
        }
        let frame = usize::from(self.homes[index]) % FRAMES;
        let (occupied, cells) = (state.occupied[frame], &CELL[frame]);
        let target = self.target(player);
        for from in state.framed[index].iter() {
            for to in self.reach(1 << from, occupied, target).iter() {
                tell(Move {
                    from: cells[from],
                    to: cells[to],
                });
            }
        }
    }
}

#[inline]
fn opposite(triangle: u8) -> usize {
    (usize::from(triangle) + TRIANGLES / 2) % TRIANGLES
}

/// All cells.
const STAR: u128 = (1 << CELLS) - 1;

/// The cells of each frame.
static FRAMED: [u128; FRAMES] = framed();

const fn framed() -> [u128; FRAMES] {
    let mut sets = [0; FRAMES];
    let mut i = 0;
    while i < FRAMES * CELLS {
        if star::bits()[i / CELLS][i % CELLS] != 0 {
            sets[i / CELLS] |= 1 << (i % CELLS);
        }
        i += 1;
    }
    sets
}

/// The cells of each triangle.
static TRIANGLE_CELLS: [u128; TRIANGLES] = triangle_cells();

const fn triangle_cells() -> [u128; TRIANGLES] {
    let mut sets = [0; TRIANGLES];
    let triangles = star::triangles();
    let mut cell = 0;
    while cell < CELLS {
        if (triangles[cell] as usize) < TRIANGLES {
            sets[triangles[cell] as usize] |= 1 << cell;
        }
        cell += 1;
    }
    sets
}

impl Game for ChineseCheckers {
    type State = State;
    type Move = Move;
    type Undo = Undo;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        let mut pieces = [0; TRIANGLES];
        for (own, &home) in pieces.iter_mut().zip(&self.homes).take(self.players) {
            *own = TRIANGLE_CELLS[usize::from(home)];
        }
        self.position(pieces, Player::FIRST, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Outcome::Open => Turn::Player(state.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.outcome != Outcome::Open {
            return;
        }
        let before = out.len();
        self.moves_of(state, state.mover, |mv| out.push(mv));
        if out.len() == before {
            out.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Undo {
        let undo = Undo {
            mv,
            mover: state.mover,
            plies: state.plies,
            outcome: state.outcome,
            key: state.key,
        };
        let mover = state.mover.index() % TRIANGLES;
        state.plies += 1;
        if mv != PASS {
            let (from, to) = (usize::from(mv.from), usize::from(mv.to));
            state.shift(mover, self.homes[mover], mv);
            state.key ^= KEYS[mover][from] ^ KEYS[mover][to];
            let entered = self.fillers.get(usize::from(TRIANGLE[to]));
            if let Some(&Some(filler)) = entered
                && self.has_won(state, filler)
            {
                state.outcome = Outcome::Won(filler);
            }
        }
        let next = if mover + 1 == self.players {
            0
        } else {
            mover + 1
        };
        state.turn_to(Player(next as u8));
        if state.plies >= self.rules.longest && state.outcome == Outcome::Open {
            state.outcome = Outcome::Drawn;
        }
        undo
    }

    #[inline]
    fn undo(&self, state: &mut State, undo: Undo) {
        if undo.mv != PASS {
            let mover = undo.mover.index() % TRIANGLES;
            state.shift(mover, self.homes[mover], undo.mv);
        }
        state.mover = undo.mover;
        state.plies = undo.plies;
        state.outcome = undo.outcome;
        state.key = undo.key;
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

    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        moves: &mut Vec<Move>,
        rng: &mut R,
    ) -> u32 {
        if self.rules.foreign == Foreign::Closed {
            return self.play_out(state, plies, rng);
        }
        for played in 0..plies {
            if state.outcome != Outcome::Open {
                return played;
            }
            moves.clear();
            self.moves(state, moves);
            let mv = moves[rng.random_range(0..moves.len())];
            self.play(state, mv);
        }
        plies
    }
}

impl ChineseCheckers {
    /// Makes it the turn of `player` in a game that is not over.
    #[inline]
    pub fn hand_turn(&self, state: &mut State, player: Player) -> Undo {
        let undo = Undo {
            mv: PASS,
            mover: state.mover,
            plies: state.plies,
            outcome: state.outcome,
            key: state.key,
        };
        state.turn_to(player);
        undo
    }
}

impl Key for ChineseCheckers {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key ^ zobrist::number(0xc42a, u64::from(state.plies))
    }
}

impl MoveIndex for ChineseCheckers {
    fn move_indices(&self) -> usize {
        (CELLS + 1) * (CELLS + 1)
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.from) * (CELLS + 1) + usize::from(mv.to)
    }
}

/// With two players the star can be mirrored; with more that would exchange players.
impl Symmetric for ChineseCheckers {
    fn symmetries(&self) -> usize {
        if self.players == 2 { 2 } else { 1 }
    }

    fn map_state(&self, state: &State, symmetry: usize) -> State {
        if symmetry == 0 {
            return *state;
        }
        let pieces = state.pieces.map(|own| {
            let images = own.iter().map(|cell| usize::from(MIRRORED[cell]));
            images.fold(0, |image, cell| image | 1 << cell)
        });
        State {
            outcome: state.outcome,
            ..self.position(pieces, state.mover, state.plies)
        }
    }

    fn map_move(&self, mv: Move, symmetry: usize) -> Move {
        let map = |cell: u8| MIRRORED.get(usize::from(cell)).copied().unwrap_or(NONE);
        match symmetry {
            0 => mv,
            _ => Move {
                from: map(mv.from),
                to: map(mv.to),
            },
        }
    }
}
