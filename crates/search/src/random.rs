//! The weakest opponent: every legal move with the same probability.

use rand::RngExt;
use tabia_game::{Key, Limits, Seed, Turn};

use crate::{Choice, Engine, Reading, Situation};

/// Plays any legal move.
///
/// It remembers nothing: the n-th move of a game is drawn from the n-th child of its seed, so a
/// game that is taken back and played on, or set up anew, goes the same way again.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    own: Seed,
    seed: Seed,
}

impl Random {
    /// A player whose luck is all in this seed.
    pub fn new(seed: Seed) -> Random {
        let own = seed.split("random");
        Random { own, seed: own }
    }
}

impl<G: Key> Engine<G> for Random {
    fn choose(&mut self, situation: Situation<'_, G>, _: &Limits) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let mut moves = Vec::new();
        if matches!(game.turn(state), Turn::Player(_)) {
            path.legal_moves(game, state, &mut moves);
        }
        let mut rng = self.seed.number(path.len() as u64).rng();
        let best = (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())]);
        Choice {
            best,
            value: None,
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: best.into_iter().collect(),
            depth: 0,
            nodes: 1,
            counters: Vec::new(),
        }
    }

    fn new_game(&mut self, luck: Seed) {
        self.seed = self.own.number(luck.value());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_alignment::mnk::Mnk;
    use tabia_game::{Game, Path};

    /// Nine equally likely moves, drawn 9,000 times: each about 1,000 times. The standard
    /// deviation is 30, so 150 is five of them.
    #[test]
    fn every_move_is_equally_likely() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let state = game.start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut counts = vec![0i32; moves.len()];
        for seed in 0..9_000 {
            let situation = Situation {
                game: &game,
                state: &state,
                path: &Path::new(),
            };
            let choice = Random::new(Seed::new(seed)).choose(situation, &Limits::default());
            let best = choice.best.unwrap();
            counts[moves.iter().position(|&mv| mv == best).unwrap()] += 1;
        }
        assert!(counts.iter().all(|n| (n - 1_000).abs() < 150), "{counts:?}");
    }

    #[test]
    fn a_seed_replays_and_plies_differ() {
        let game = Mnk::<u64>::new(15, 4, 3).unwrap();
        let state = game.start();
        let choose = |seed, plies| {
            let mut path = Path::new();
            (0..plies).for_each(|key| {
                path.push(key);
            });
            let situation = Situation {
                game: &game,
                state: &state,
                path: &path,
            };
            Random::new(Seed::new(seed))
                .choose(situation, &Limits::default())
                .best
        };
        assert_eq!(choose(7, 3), choose(7, 3));
        let line: Vec<_> = (0..8).map(|plies| choose(7, plies)).collect();
        assert!(line.iter().any(|mv| *mv != line[0]));
    }
}
