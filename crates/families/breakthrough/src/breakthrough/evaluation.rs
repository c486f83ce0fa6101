//! What a search may know about Breakthrough: material, how far it has advanced, and won races.
//!
//! A piece can only ever be stopped by opponents that stand in the cone widening ahead of it, since
//! they move towards it one rank and at most one file at a time. A piece whose cone is empty is a
//! runner, and if its side is ahead in the race the game is won, whatever the opponent does.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player};

use super::{Breakthrough, State, Step};
use tabia_game::Outcome;

const PIECE: i32 = 100;
/// What a piece is worth in addition, by the number of moves it needs to its goal, from one.
const NEAR: [i32; 6] = [100, 60, 36, 20, 10, 4];
/// A piece that another one of its side could avenge.
const PROTECTED: i32 = 8;
/// A piece that can no longer be stopped.
const RUNNER: i32 = 80;
/// The estimate of a race won, and what each move to go takes off it.
const WON: i32 = CERTAIN - CERTAIN / 50;
const DELAY: i32 = CERTAIN / 1000;
/// Other estimates approach `MAX_ESTIMATE` and reach half of it at `HALF` points.
const MAX_ESTIMATE: i64 = 800_000;
const HALF: i64 = 600;

/// Material, advancement, protection and races.
///
/// ```
/// use tabia_game::{Game, Knowledge, Player, Text};
/// use tabia_breakthrough::breakthrough::{Advancement, Breakthrough};
///
/// let game = Breakthrough::<u64>::new(8, 8)?;
/// let value = |text| {
///     let state = game.parse_position(text).expect("a position");
///     Advancement.evaluate(&game, &state, Player::FIRST)
/// };
/// assert!(value("8/7b/8/8/w7/8/8/8 w") > 900_000, "White is ahead in the race");
/// # Ok::<(), tabia_game::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Advancement;

impl<B: Bits> Breakthrough<B> {
    /// The squares one move ahead of each of these.
    #[inline]
    pub(super) fn steps(&self, set: B, player: Player) -> B {
        self.ahead(set, player) | self.attacks(set, player)
    }

    /// The squares that pieces of one side could come to stand on if nothing hindered them.
    #[inline]
    fn cones(&self, pieces: B, player: Player) -> B {
        let mut reached = pieces;
        for _ in 1..self.grid.height {
            reached |= self.steps(reached, player);
        }
        reached
    }

    /// How many moves the most advanced of these pieces needs to its goal.
    #[inline]
    pub(super) fn distance(&self, pieces: B, player: Player) -> usize {
        let mut rank = self.goals[player.index()];
        let mut moves = 0;
        while (pieces & rank).is_empty() && moves < self.grid.height {
            rank = self.ahead(rank, player.other());
            moves += 1;
        }
        moves
    }

    /// A piece that stands before its goal rank can always move there, since none of its own side
    /// is on that rank: it moves now, or next time if it is not captured.
    pub(super) fn last_step(&self, state: &State<B>) -> Option<(Player, usize)> {
        let (mover, other) = (state.mover, state.mover.other());
        let before_goal = |player: Player| {
            state.pieces[player.index()] & self.ahead(self.goals[player.index()], player.other())
        };
        if !before_goal(mover).is_empty() {
            return Some((mover, 1));
        }
        let waiting = before_goal(other);
        let attacked = waiting & self.attacks(state.pieces[mover.index()], mover);
        let one_at_most = attacked == waiting && waiting.without_first().is_empty();
        (!one_at_most).then_some((other, 1))
    }

    /// The side that wins a race by moving its nearest runner straight ahead, and in how many of
    /// its moves. `safe` are the squares of each side outside the cones of the other.
    ///
    /// No piece of its own side can block the nearest runner, for that piece would be a nearer one.
    fn race(&self, state: &State<B>, safe: [B; 2]) -> Option<(Player, usize)> {
        let (mover, other) = (state.mover, state.mover.other());
        let [own, opposing] = [mover, other].map(|p| state.pieces[p.index()]);
        // The mover may run into safety with its first move.
        let runners = self.steps(own, mover) & safe[mover.index()];
        if !runners.is_empty() {
            let moves = 1 + self.distance(runners, mover);
            if self.distance(opposing, other) >= moves {
                return Some((mover, moves));
            }
        }
        let runners = opposing & safe[other.index()];
        if !runners.is_empty() {
            let moves = self.distance(runners, other);
            if self.distance(own, mover) > moves {
                return Some((other, moves));
            }
        }
        None
    }

    #[inline]
    fn points(&self, pieces: B, safe: B, player: Player) -> i32 {
        let protected = pieces & self.attacks(pieces, player);
        let mut points = PIECE * pieces.count() as i32
            + PROTECTED * protected.count() as i32
            + RUNNER * (pieces & safe).count() as i32;
        let mut rank = self.goals[player.index()];
        for near in NEAR.iter().take(self.grid.height - 1) {
            rank = self.ahead(rank, player.other());
            points += near * (pieces & rank).count() as i32;
        }
        points
    }
}

impl<B: Bits> Knowledge<Breakthrough<B>> for Advancement {
    fn evaluate(&self, game: &Breakthrough<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let [white, black] = state.pieces;
        let won = |(winner, moves): (Player, usize)| {
            let value = WON - DELAY * moves as i32;
            if winner == player { value } else { -value }
        };
        if let Some(ending) = game.last_step(state) {
            return won(ending);
        }
        let safe = [
            !game.cones(black, Player::SECOND),
            !game.cones(white, Player::FIRST),
        ];
        if let Some(ending) = game.race(state, safe) {
            return won(ending);
        }
        let points = game.points(white, safe[0], Player::FIRST)
            - game.points(black, safe[1], Player::SECOND);
        let ahead = i64::from(if player == Player::FIRST {
            points
        } else {
            -points
        });
        (MAX_ESTIMATE * ahead / (ahead.abs() + HALF)) as i32
    }

    /// A step to the goal comes first, then capturing a piece about to reach its own, then any
    /// other capture.
    fn priority(&self, game: &Breakthrough<B>, state: &State<B>, mv: Step) -> i32 {
        let target = B::bit(usize::from(mv.to));
        let other = state.mover.other();
        if !(target & game.goals[state.mover.index()]).is_empty() {
            3
        } else if !game.is_capture(state, mv) {
            0
        } else if !(game.ahead(target, other) & game.goals[other.index()]).is_empty() {
            2
        } else {
            1
        }
    }

    /// Captures, and steps to the last two ranks.
    fn is_tactical(&self, game: &Breakthrough<B>, state: &State<B>, mv: Step) -> bool {
        let goal = game.goals[state.mover.index()];
        let last_two = goal | game.ahead(goal, state.mover.other());
        game.is_capture(state, mv) || last_two.has(usize::from(mv.to))
    }

    /// The right to move is seldom a burden while there are pieces that can wait.
    fn pass(&self, _: &Breakthrough<B>, state: &mut State<B>) -> Option<State<B>> {
        if state.outcome != Outcome::Open {
            return None;
        }
        let old = *state;
        state.mover = old.mover.other();
        state.key ^= tabia_game::zobrist::SECOND_TO_MOVE;
        Some(old)
    }

    /// A side with few pieces may have to give way.
    fn is_endgame(&self, game: &Breakthrough<B>, state: &State<B>) -> bool {
        let few = game.grid.width / 2;
        state.pieces.iter().any(|own| own.count() <= few)
    }
}
