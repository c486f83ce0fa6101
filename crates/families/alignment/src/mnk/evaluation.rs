//! What a search may know about m,n,k-games: the rows that can still be completed.
//!
//! A row of k squares is open to a side while the other has no stone in it, and the fewer stones it
//! lacks the more it counts. Central squares lie in more rows, so a preference for the centre comes
//! by itself.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player, URGENT};

use super::{Mnk, Place, State};
use crate::rows::{Survey, completions};
use tabia_game::Outcome;

/// Open rows and threats.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenRows;

impl<B: Bits> Knowledge<Mnk<B>> for OpenRows {
    fn evaluate(&self, game: &Mnk<B>, state: &State<B>, player: Player) -> i32 {
        if state.outcome != Outcome::Open {
            return state.outcome.payoff(player) * (CERTAIN - 1);
        }
        let empty = game.empty(state);
        let survey = Survey::new(&game.steps, game.k, empty, state.stones);
        match survey.forced(state.mover, empty) {
            Some(value) if player == state.mover => value,
            Some(value) => -value,
            None => survey.estimate(player, [0; 2]),
        }
    }

    fn priority(&self, game: &Mnk<B>, state: &State<B>, mv: Place) -> i32 {
        let mut priorities = Vec::with_capacity(1);
        self.priorities(game, state, &[mv], &mut priorities);
        priorities.first().copied().unwrap_or(0)
    }

    /// A stone that wins comes first, then one that prevents a loss, then those that touch others,
    /// then the rest, from the middle outwards.
    fn priorities(&self, game: &Mnk<B>, state: &State<B>, moves: &[Place], out: &mut Vec<i32>) {
        let completing =
            |side: Player| completions(&game.steps, state.stones[side.index()], game.k);
        let (own, other) = (completing(state.mover), completing(state.mover.other()));
        let occupied = state.stones[0] | state.stones[1];
        let stride = game.stride();
        let beside = occupied | (occupied << 1) | (occupied >> 1);
        let near = beside | (beside << stride) | (beside >> stride);
        out.extend(moves.iter().map(|&Place(bit)| {
            let bit = usize::from(bit);
            if own.has(bit) {
                URGENT + 1
            } else if other.has(bit) {
                URGENT
            } else {
                let (file, rank) = game.square(bit);
                let from_edge = |at: usize, size: usize| at.min(size - 1 - at) as i32;
                let central =
                    from_edge(file, game.grid.width).min(from_edge(rank, game.grid.height));
                central.min(15) + if near.has(bit) { 16 } else { 0 }
            }
        }));
    }

    fn is_tactical(&self, game: &Mnk<B>, state: &State<B>, mv: Place) -> bool {
        self.priority(game, state, mv) >= URGENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::RngExt;
    use tabia_game::bits::Wide;
    use tabia_game::{Game, Seed, Symmetric, Text};

    fn wander<B: Bits>(game: &Mnk<B>, plies: usize, seed: u64) -> State<B> {
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
        state
    }

    fn check<B: Bits>(game: &Mnk<B>, state: &State<B>) {
        let value = OpenRows.evaluate(game, state, Player::FIRST);
        assert_eq!(value, -OpenRows.evaluate(game, state, Player::SECOND));
        assert!(value.abs() < CERTAIN);
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for symmetry in 0..game.symmetries() {
            let image = game.map_state(state, symmetry);
            assert_eq!(value, OpenRows.evaluate(game, &image, Player::FIRST));
            for &mv in &moves {
                let mapped = game.map_move(mv, symmetry);
                assert_eq!(
                    OpenRows.priority(game, state, mv),
                    OpenRows.priority(game, &image, mapped)
                );
            }
        }
        // Urgent moves are those that complete a row of either side.
        for &mv in &moves {
            let wins = |mover: Player| {
                let mut child = State { mover, ..*state };
                game.play(&mut child, mv);
                child.outcome == Outcome::Won(mover)
            };
            let expected = match (wins(state.mover), wins(state.mover.other())) {
                (true, _) => URGENT + 1,
                (false, true) => URGENT,
                _ => OpenRows.priority(game, state, mv).min(URGENT - 1),
            };
            assert_eq!(OpenRows.priority(game, state, mv), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 60,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn antisymmetric_symmetric_and_right_about_rows(plies in 0usize..40, seed: u64) {
            for (width, height, k) in [(3, 3, 3), (5, 4, 4), (7, 2, 3), (2, 9, 5), (6, 6, 4)] {
                let game = Mnk::<u64>::new(width, height, k).unwrap();
                check(&game, &wander(&game, plies, seed));
            }
            let game = Mnk::<Wide>::new(15, 15, 5).unwrap();
            check(&game, &wander(&game, plies, seed));
        }
    }

    #[test]
    fn the_middle_is_best_and_threats_are_seen() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let value = |text| {
            let state = game.parse_position(text).unwrap();
            OpenRows.evaluate(&game, &state, Player::FIRST)
        };
        assert!(value("3/1x1/3 o") > value("x2/3/3 o"));
        assert!(value("x2/3/3 o") > value("1x1/3/3 o"));
        assert!(value("xx1/oo1/3 x") > CERTAIN / 2);
        assert!(value("xx1/oo1/3 o") < -CERTAIN / 2);
    }
}
