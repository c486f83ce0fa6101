//! What a search may know of Dice.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player, URGENT};

use super::{Dice, Move, State};
use crate::rows::completions;
use tabia_game::Outcome;

impl<B: Bits> Dice<B> {
    /// The four directions, whether or not a winning row fits in them.
    fn directions(&self) -> [usize; 4] {
        let stride = self.board.stride();
        [1, stride, stride - 1, stride + 1]
    }

    /// Pairs of stones on neighbouring squares.
    #[inline]
    pub(super) fn neighbours(&self, own: B) -> i32 {
        let count = |step: usize| (own & (own >> step)).count() as i32;
        self.directions().into_iter().map(count).sum()
    }

    /// Places for a pair of stones with one square between them.
    pub(super) fn gaps(&self) -> i32 {
        let full = self.board.full;
        let count = |step: usize| (full & (full >> step) & (full >> (2 * step))).count() as i32;
        self.directions().into_iter().map(count).sum()
    }

    /// Pairs of stones that are neighbours or have one empty square between them.
    #[inline]
    fn pairs(&self, own: B, empty: B) -> i32 {
        let over_a_gap = |step: usize| (own & (empty >> step) & (own >> (2 * step))).count() as i32;
        let more: i32 = self.directions().into_iter().map(over_a_gap).sum();
        self.neighbours(own) + more
    }

    /// The pairs of a player less those of the opponent.
    #[inline]
    pub(super) fn difference(&self, stones: [B; 2], player: Player) -> i32 {
        let empty = self.board.full & !(stones[0] | stones[1]);
        self.pairs(stones[player.index()], empty)
            - self.pairs(stones[player.other().index()], empty)
    }
}

/// The evaluation of Hauk (2004, section 4.2): pairs of stones less those of the opponent. A won
/// game is worth one pair more than there can be.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCount;

impl<B: Bits> Knowledge<Dice<B>> for PairCount {
    fn evaluate(&self, game: &Dice<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome() != Outcome::Open {
            return state.outcome().payoff(player) * (CERTAIN - 1);
        }
        let unit = CERTAIN / (game.most_pairs + 1);
        game.difference(state.board.stones(), player) * unit
    }

    fn priority(&self, game: &Dice<B>, state: &State<B>, mv: Move) -> i32 {
        let mut priorities = Vec::with_capacity(1);
        self.priorities(game, state, &[mv], &mut priorities);
        priorities.first().copied().unwrap_or(0)
    }

    /// The quick ordering of the thesis: a stone that wins, then by the difference of pairs that it
    /// makes.
    fn priorities(&self, game: &Dice<B>, state: &State<B>, moves: &[Move], out: &mut Vec<i32>) {
        let mover = state.board.mover();
        let stones = state.board.stones();
        let winning = completions(&game.board.steps, stones[mover.index()], game.board.k);
        let before = game.difference(stones, mover);
        out.extend(moves.iter().map(|&mv| {
            let Move::Place(place) = mv else { return 0 };
            let bit = place.bit();
            if winning.has(bit) {
                return URGENT + 1;
            }
            let mut after = stones;
            after[mover.index()] |= B::bit(bit);
            (game.difference(after, mover) - before).clamp(-99, URGENT - 1)
        }));
    }
}

/// The evaluation of Schadd (2011, section 5.4.1): stones that can still become part of a winning
/// row, less those of the opponent; a stone that cannot counts a quarter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usable;

impl Usable {
    /// Stones of a side in quarters.
    fn quarters<B: Bits>(game: &Dice<B>, own: B, other: B) -> i32 {
        let room = game.board.full & !other;
        let mut usable = B::EMPTY;
        for &step in &game.board.steps {
            let rows = crate::rows::runs(room, step, game.board.k);
            for i in 0..game.board.k {
                usable |= rows << (i * step);
            }
        }
        let stones = own.count() as i32;
        stones + 3 * (own & usable).count() as i32
    }
}

impl<B: Bits> Knowledge<Dice<B>> for Usable {
    /// On a scale of ten stones.
    fn evaluate(&self, game: &Dice<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome() != Outcome::Open {
            return state.outcome().payoff(player) * (CERTAIN - 1);
        }
        let stones = state.board.stones();
        let (own, other) = (stones[player.index()], stones[player.other().index()]);
        let ahead = Usable::quarters(game, own, other) - Usable::quarters(game, other, own);
        (ahead * (CERTAIN / 40)).clamp(1 - CERTAIN, CERTAIN - 1)
    }

    fn priority(&self, game: &Dice<B>, state: &State<B>, mv: Move) -> i32 {
        PairCount.priority(game, state, mv)
    }

    fn priorities(&self, game: &Dice<B>, state: &State<B>, moves: &[Move], out: &mut Vec<i32>) {
        PairCount.priorities(game, state, moves, out);
    }
}
