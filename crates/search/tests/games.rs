//! Every safe switch leaves the value unchanged on every game, with the game's own knowledge.

use crate::support::safe::{ask, cases, check, safe_config};
use proptest::prelude::*;
use rand::RngExt;
use tabia_alignment::connect4::{Connect4, Threats};
use tabia_alignment::mnk::Mnk;
use tabia_breakthrough::breakthrough::{Advancement, Breakthrough};
use tabia_connection::loa::{Both, Loa, Mia};
use tabia_game::{Game, Key, Knowledge, Seed, Turn, Uninformed};
use tabia_search::alphabeta::{AlphaBetaGame, Config, Method, PRESETS, preset};

/// The position after random moves, and the keys of those before it.
fn wander<G: Game + Key>(game: &G, plies: usize, seed: u64) -> (G::State, Vec<u64>) {
    let mut rng = Seed::new(seed).rng();
    let (mut state, mut history) = (game.start(), Vec::new());
    for _ in 0..plies {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut next = state.clone();
        let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else {
            break;
        };
        game.play(&mut next, mv);
        if game.turn(&next) == Turn::Over {
            break;
        }
        history.push(game.key(&state));
        state = next;
    }
    (state, history)
}

fn unchanged<G: AlphaBetaGame, K: Knowledge<G> + Clone>(
    game: &G,
    knowledge: &K,
    config: &Config,
    plies: usize,
    seed: u64,
    depth: u32,
) -> Result<(), TestCaseError> {
    let (state, history) = wander(game, plies, seed);
    check(game, knowledge, &state, &history, config, depth)
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn tic_tac_toe(config in safe_config(), plies in 2usize..7, seed: u64) {
        unchanged(&Mnk::<u64>::new(3, 3, 3).unwrap(), &Uninformed, &config, plies, seed, 9)?;
    }

    #[test]
    fn connect_four(config in safe_config(), plies in 0usize..20, seed: u64, depth in 1u32..5) {
        unchanged(&Connect4::<u64>::new(7, 6, 4).unwrap(), &Threats, &config, plies, seed, depth)?;
        unchanged(&Connect4::<u128>::new(9, 8, 3).unwrap(), &Threats, &config, plies, seed, 3)?;
    }

    #[test]
    fn breakthrough(config in safe_config(), plies in 0usize..30, seed: u64, depth in 1u32..4) {
        let game = Breakthrough::<u64>::new(5, 6).unwrap();
        unchanged(&game, &Advancement, &config, plies, seed, depth)?;
    }

    #[test]
    fn lines_of_action(config in safe_config(), plies in 0usize..60, seed: u64, depth in 1u32..4) {
        for both in [Both::Draw, Both::Mover] {
            unchanged(&Loa::new(both), &Mia::default(), &config, plies, seed, depth)?;
        }
    }
}

/// Winands et al. (2004): history, relative history and no history find the same value, on a
/// hundred positions to depth 5, as does plain alpha-beta on the first few.
#[test]
fn winands_orderings_agree_on_a_hundred_positions_to_depth_5() {
    let game = Loa::new(Both::Draw);
    let pvs = preset("pvs").unwrap();
    for seed in 0..100 {
        let (state, history) = wander(&game, 10 + seed as usize % 31, seed);
        let value = |options: &str| {
            let options = format!("graft=off,table=1M,{options}");
            let config = pvs.configure(&options).unwrap();
            ask(&game, Mia::default(), &state, &history, &config, 5).value
        };
        let expected = value("history=none");
        for history in ["history", "relative", "butterfly", "gravity,continuation"] {
            assert_eq!(
                value(&format!("history={history}")),
                expected,
                "{history}, seed {seed}"
            );
        }
        if seed < 5 {
            let plain = Config {
                method: Method::FailSoft,
                ..Config::default()
            };
            let choice = ask(&game, Mia::default(), &state, &history, &plain, 5);
            assert_eq!(choice.value, expected, "plain alpha-beta, seed {seed}");
        }
    }
}

/// Small boards whose values are known: Connect Four 4x4 and 5x4 are draws, 4x5 is a draw
/// (Tromp's table of small boards), and three in a row on 5x4 wins for the first player at once.
#[test]
fn connect_four_values_of_small_boards() {
    for (columns, rows, k, value) in [
        (4, 4, 4, 0.0),
        (5, 4, 4, 0.0),
        (4, 5, 4, 0.0),
        (5, 4, 3, 1.0),
    ] {
        let game = Connect4::<u64>::new(columns, rows, k).unwrap();
        let config = preset("pvs").unwrap().configure("table=16M").unwrap();
        let choice = ask(&game, Threats, &game.start(), &[], &config, 200);
        assert_eq!(
            (choice.value, choice.solved),
            (Some(value), true),
            "{columns}x{rows}, k = {k}"
        );
    }
}

#[test]
fn tic_tac_toe_is_a_draw_for_every_preset() {
    let game = Mnk::<u64>::new(3, 3, 3).unwrap();
    for preset in PRESETS {
        let config = preset.configure("").unwrap();
        let choice = ask(&game, Uninformed, &game.start(), &[], &config, 9);
        // What multi-cut prunes was not followed to the end.
        let exact = preset.name != "mia";
        assert_eq!(
            (choice.value, choice.solved),
            (Some(0.0), exact),
            "{}",
            preset.name
        );
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let game = Mnk::<u64>::new(1, 1, 1).unwrap();
    let mut state = game.start();
    let mut moves = vec![];
    game.moves(&state, &mut moves);
    game.play(&mut state, moves[0]);
    let choice = ask(&game, Uninformed, &state, &[], &Config::default(), 3);
    assert_eq!((choice.best, choice.nodes), (None, 0));
}
