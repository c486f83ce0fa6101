//! What a search may know about Hex: how many more stones each side needs.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Outcome, Player, URGENT};

use super::{Hex, Move, State};

/// The least number of stones that connect a player's sides if the opponent passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distances;

/// What one stone less to place is worth.
pub(super) const STONE: i32 = CERTAIN / 40;

/// Cells by the number of stones that it takes to reach them from one side: the first set takes
/// none.
type Layers<B> = Vec<B>;

impl<B: Bits> Hex<B> {
    /// The layers from one of the two sides of a player, up to the one that reaches the other side;
    /// `None` if the opponent has cut all ways.
    fn layers(&self, state: &State<B>, player: Player, from: usize) -> Option<Layers<B>> {
        let own = state.stones[player.index()];
        let empty = self.empty(state);
        let sides = self.sides[player.index()];
        let (side, goal) = (sides[from], sides[1 - from]);
        let mut reached = self.flood(own & side, own);
        let mut layers = vec![reached];
        while (reached & goal).is_empty() {
            let stones = (self.around(reached) | side) & empty & !reached;
            if stones.is_empty() {
                return None;
            }
            let next = self.flood(reached | stones, own);
            layers.push(next & !reached);
            reached = next;
        }
        Some(layers)
    }

    /// The empty cells on the shortest ways of a player, and how many stones these ways lack.
    fn shortest(&self, state: &State<B>, player: Player) -> Option<(B, usize)> {
        let (ahead, back) = (
            self.layers(state, player, 0)?,
            self.layers(state, player, 1)?,
        );
        let lacking = ahead.len() - 1;
        let met = (1..=lacking).map(|k| ahead[k] & back[lacking + 1 - k]);
        let cells = met.fold(B::EMPTY, |all, cells| all | cells);
        Some((cells & self.empty(state), lacking))
    }
}

impl<B: Bits> Knowledge<Hex<B>> for Distances {
    fn evaluate(&self, game: &Hex<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let lacking = |player| {
            let layers = game.layers(state, player, 0);
            layers.map_or(game.cells(), |layers| layers.len() - 1) as i32
        };
        let ahead = 2 * (lacking(player.other()) - lacking(player));
        let tempo = if state.mover == player { 1 } else { -1 };
        ((ahead + tempo) * STONE / 2).clamp(1 - CERTAIN, CERTAIN - 1)
    }

    fn priority(&self, game: &Hex<B>, state: &State<B>, mv: Move) -> i32 {
        let mut priorities = Vec::with_capacity(1);
        self.priorities(game, state, &[mv], &mut priorities);
        priorities.first().copied().unwrap_or(0)
    }

    /// A stone that wins, then one that prevents a loss, then those on the shortest ways of both
    /// sides, of the player, of the opponent, and the rest.
    fn priorities(&self, game: &Hex<B>, state: &State<B>, moves: &[Move], out: &mut Vec<i32>) {
        let shortest = |player| {
            let found = game.shortest(state, player);
            found.unwrap_or((B::EMPTY, usize::MAX))
        };
        let (own, own_lacking) = shortest(state.mover);
        let (other, other_lacking) = shortest(state.mover.other());
        out.extend(moves.iter().map(|&mv| {
            let Move::Cell(cell) = mv else {
                return 0;
            };
            match [own, other].map(|cells| cells.has(usize::from(cell))) {
                [true, _] if own_lacking == 1 => URGENT + 1,
                [_, true] if other_lacking == 1 => URGENT,
                [true, true] => 3,
                [true, false] => 2,
                [false, true] => 1,
                [false, false] => 0,
            }
        }));
    }
}
