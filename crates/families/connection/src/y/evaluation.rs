//! What a search may know about Y: how many more stones each side needs.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Outcome, Player, URGENT};

use super::{Move, State, Y};

/// About how many stones a player lacks if the opponent passes: those on the shortest ways from one
/// cell to the three sides, which may share more than that cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distances;

/// What one stone less to place is worth.
pub(super) const STONE: i32 = CERTAIN / 40;

impl<B: Bits> Y<B> {
    /// For each cell how many empty cells there are on a shortest way of a player from this side to
    /// it, itself included; `None` where the opponent has cut all ways.
    fn ways(&self, state: &State<B>, player: Player, side: usize) -> Vec<Option<u32>> {
        let own = state.stones[player.index()];
        let empty = self.empty(state);
        let mut ways = vec![None; self.side * self.side];
        let mut reached = self.flood(own & self.sides[side], own);
        let mut new = reached;
        for stones in 0.. {
            new.iter().for_each(|cell| ways[cell] = Some(stones));
            let next = (self.around(reached) | self.sides[side]) & empty & !reached;
            if next.is_empty() {
                break;
            }
            let all = self.flood(reached | next, own);
            (new, reached) = (all & !reached, all);
        }
        ways
    }

    /// For each cell how many stones a player lacks whose chain goes through it.
    pub(super) fn through(&self, state: &State<B>, player: Player) -> Vec<Option<u32>> {
        let [left, right, bottom] = [0, 1, 2].map(|side| self.ways(state, player, side));
        let empty = self.empty(state);
        let sum = |cell: usize| {
            let all = left[cell]? + right[cell]? + bottom[cell]?;
            // A stone on an empty cell counts once.
            Some(if empty.has(cell) { all - 2 } else { all })
        };
        (0..self.side * self.side).map(sum).collect()
    }
}

/// The least of what is lacking.
fn least(through: &[Option<u32>]) -> Option<u32> {
    through.iter().flatten().min().copied()
}

impl<B: Bits> Knowledge<Y<B>> for Distances {
    fn evaluate(&self, game: &Y<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let cells = game.full.count() as u32;
        let lacking = |player| least(&game.through(state, player)).unwrap_or(cells) as i32;
        let ahead = 2 * (lacking(player.other()) - lacking(player));
        let tempo = if state.mover == player { 1 } else { -1 };
        ((ahead + tempo) * STONE / 2).clamp(1 - CERTAIN, CERTAIN - 1)
    }

    fn priority(&self, game: &Y<B>, state: &State<B>, mv: Move) -> i32 {
        let mut priorities = Vec::with_capacity(1);
        self.priorities(game, state, &[mv], &mut priorities);
        priorities.first().copied().unwrap_or(0)
    }

    /// A stone that wins, then one that prevents a loss, then those that are best for both sides,
    /// for the player, for the opponent, and the rest.
    fn priorities(&self, game: &Y<B>, state: &State<B>, moves: &[Move], out: &mut Vec<i32>) {
        let own = game.through(state, state.mover);
        let other = game.through(state, state.mover.other());
        let (own_least, other_least) = (least(&own), least(&other));
        out.extend(moves.iter().map(|&Move(cell)| {
            let cell = usize::from(cell);
            let is_own = own[cell].is_some() && own[cell] == own_least;
            let is_other = other[cell].is_some() && other[cell] == other_least;
            match (is_own, is_other) {
                (true, _) if own_least == Some(1) => URGENT + 1,
                (_, true) if other_least == Some(1) => URGENT,
                (true, true) => 3,
                (true, false) => 2,
                (false, true) => 1,
                (false, false) => 0,
            }
        }));
    }
}
