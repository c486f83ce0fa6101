//! Searching what a player sees: an engine for games with perfect information plays one with hidden
//! information.
//!
//! The position that is searched is made from what the player to move observes and from nothing else, so
//! the choice cannot depend on what is hidden from him.

use tabia_game::{Compared, Game, Key, Limits, Made, Player, Seed, Seen, Turn};

use crate::{Choice, Engine, Situation};

/// An engine of the belief of a game, as an engine of the game itself.
///
/// ```
/// use tabia_game::{Game, Limits, Path};
/// use tabia_stratego::stratego::{Armies, Setup, Stratego};
/// use tabia_search::chance::{StarMinimax, preset};
/// use tabia_search::{Engine, OnBelief, Situation};
///
/// let game = Stratego::new(Setup::Figure, 1000);
/// let star1 = preset("star1").and_then(|preset| preset.configure("table=1M").ok());
/// let mut engine = OnBelief(StarMinimax::<_, f64>::new(star1.unwrap_or_default(), Armies));
/// let (state, path) = (game.start(), Path::new());
/// let situation = Situation { game: &game, state: &state, path: &path };
/// assert!(engine.choose(situation, &Limits::nodes(500)).best.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct OnBelief<E>(pub E);

impl<G, E> Engine<G> for OnBelief<E>
where
    G: Seen<Belief: Key>,
    E: Engine<G::Belief>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let player = match game.turn(state) {
            Turn::Player(player) => player,
            // Nothing is chosen.
            _ => Player::FIRST,
        };
        let (belief, view) = game.belief(&game.observe(state, player));
        // The keys of the real positions would tell what is hidden; the moves are public.
        let mut path = path.public(game.repetition());
        if belief.repetition().compared == Compared::Positions {
            path.pop();
            path.enter(&belief, belief.repetition(), &view, Made::NOTHING);
        }
        let situation = Situation {
            game: &belief,
            state: &view,
            path: &path,
        };
        let choice = self.0.choose(situation, limits);
        let best = choice.best.and_then(|mv| game.real_move(mv));
        // What was found for certain holds in the belief alone, and what follows the best move hangs on
        // what is hidden.
        Choice {
            best,
            value: choice.value,
            solved: false,
            plies: None,
            line: best.into_iter().collect(),
            depth: choice.depth,
            nodes: choice.nodes,
            counters: choice.counters,
        }
    }

    fn new_game(&mut self, luck: Seed) {
        self.0.new_game(luck);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{PRESETS, StarMinimax, preset};
    use rand::RngExt;
    use tabia_game::{Hidden, Path, Text};
    use tabia_stratego::stratego::{Armies, Setup, Stratego};

    fn ask<E: Engine<Stratego>>(
        engine: &mut E,
        game: &Stratego,
        state: &<Stratego as Game>::State,
    ) -> Choice<<Stratego as Game>::Move> {
        let path = Path::new();
        let situation = Situation {
            game,
            state,
            path: &path,
        };
        engine.choose(situation, &Limits::nodes(400))
    }

    /// Whatever the opponent's pieces really are, the engine does the same.
    #[test]
    fn choices_depend_on_observations_alone() {
        let game = Stratego::new(Setup::Random(7), 1000);
        let mut rng = Seed::new(11).rng();
        let mut state = game.start();
        let mut asked = 0;
        for ply in 0..120 {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            if ply % 5 == 0
                && let Turn::Player(player) = game.turn(&state)
            {
                let config = PRESETS[ply / 5 % PRESETS.len()].configure("").unwrap();
                let config = crate::chance::Config {
                    table: config.table.min(1 << 20),
                    ..config
                };
                let engine = || OnBelief(StarMinimax::<_, f64>::new(config.clone(), Armies));
                let choice = ask(&mut engine(), &game, &state);
                assert!(choice.best.is_some_and(|best| moves.contains(&best)));
                let seen = game.observe(&state, player);
                for _ in 0..3 {
                    let other = game.sample_state(&seen, &mut rng);
                    assert_eq!(ask(&mut engine(), &game, &other), choice);
                }
                asked += 1;
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
        assert!(asked > 10);
    }

    /// A Flag that can only be in one place is taken.
    #[test]
    fn a_certain_flag_is_taken() {
        let game = Stratego::new(Setup::Figure, 1000);
        let text = "4f5/4M!5/10/10/10/10/10/10/9t!/F9 w";
        let state = game.parse_position(text).unwrap();
        let config = preset("star2").unwrap().configure("table=1M").unwrap();
        let mut engine = OnBelief(StarMinimax::<_, f64>::new(config, Armies));
        let best = ask(&mut engine, &game, &state).best.unwrap();
        assert_eq!(game.move_text(&state, best), "e9xe10");
    }
}
