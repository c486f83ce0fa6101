//! Engines for perfect information in a game with hidden information.

use rand::RngExt;
use tabia_game::{Game, Hidden, Limits, Path, Seed, Text, Turn};
use tabia_search::chance::{Config, PRESETS, StarMinimax, preset};
use tabia_search::{Choice, Engine, OnBelief, Situation};
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
            let config = Config {
                table: config.table.min(1 << 20),
                ..config
            };
            let engine = || OnBelief(StarMinimax::<_, f64>::new(config.clone(), Armies));
            let choice = ask(&mut engine(), &game, &state);
            assert!(choice.best.is_some_and(|best| moves.contains(&best)));
            let seen = game.observe(&state, &[], player);
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
