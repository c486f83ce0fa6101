//! Every safe switch leaves the value unchanged: all methods, tables, orderings and threads against
//! plain minimax, on random trees and graphs and on real games.

mod support;

use proptest::prelude::*;
use support::trees::{Hashed, Ring, Tree, plain};
use tabia_game::{Game, Key, Knowledge, Limits, Path, Turn};
use tabia_search::alphabeta::{AlphaBeta, Config, History, Increment, Method, Searchable};
use tabia_search::table::Replacement;
use tabia_search::{Choice, Engine, Situation};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any combination of the switches that must not change the value.
fn safe_config() -> impl Strategy<Value = Config> {
    use History::{Butterfly, Gravity, None, Relative};
    use Increment::{Cube, Depth, Exponential, One, Square};
    let increments = prop::sample::select(vec![One, Depth, Square, Cube, Exponential]);
    let search = (
        prop::sample::select(vec![
            Method::Minimax,
            Method::FailHard,
            Method::FailSoft,
            Method::Pvs,
            Method::Mtdf,
        ]),
        any::<bool>(),
        prop::sample::select(vec![0, 1_000, 200_000]),
        prop::sample::select(vec![0u64, 64, 4096, 1 << 20]),
        prop::sample::select(vec![
            Replacement::Always,
            Replacement::Deep,
            Replacement::TwoDeep,
            Replacement::Buckets,
        ]),
        0..3i32,
        any::<bool>(),
        prop::sample::select(vec![1usize, 1, 1, 2]),
    );
    let ordering = (
        0..5usize,
        prop::sample::select(vec![None, History::History, Butterfly, Relative, Gravity]),
        increments.clone(),
        increments,
        any::<[bool; 5]>(),
    );
    (search, ordering).prop_map(|(search, ordering)| {
        let (method, deepening, aspiration, table, replacement, etc, distances, threads) = search;
        let (killers, history, best_increment, tried_increment, flags) = ordering;
        let [
            shared_history,
            optimistic,
            countermove,
            continuation,
            static_order,
        ] = flags;
        Config {
            method,
            deepening,
            aspiration,
            table,
            replacement,
            graft: false,
            etc,
            distances,
            threads,
            killers,
            history,
            best_increment,
            tried_increment,
            shared_history,
            optimistic,
            countermove,
            continuation,
            static_order,
            ..Config::default()
        }
    })
}

fn ask<G: Searchable, K: Knowledge<G>>(
    game: &G,
    knowledge: K,
    state: &G::State,
    history: &[u64],
    config: &Config,
    depth: u32,
) -> Choice<G::Move> {
    let mut path = Path::new();
    history.iter().for_each(|&key| {
        path.push(key);
    });
    path.push(game.key(state));
    let mut engine = AlphaBeta::new(config.clone(), knowledge);
    engine.choose(
        Situation {
            game,
            state,
            path: &path,
        },
        &Limits::depth(depth),
    )
}

/// The engine's value and its move's value are the plain one; its line can be played; what it
/// calls solved is what a search to the end says.
fn check<G: Searchable, K: Knowledge<G> + Clone>(
    game: &G,
    knowledge: &K,
    state: &G::State,
    history: &[u64],
    config: &Config,
    depth: u32,
) -> Result<(), TestCaseError> {
    let Turn::Player(mover) = game.turn(state) else {
        return Ok(());
    };
    let mut path = history.to_vec();
    let expected = plain(game, knowledge, state, &mut path, depth, mover);
    let choice = ask(game, knowledge.clone(), state, history, config, depth);
    prop_assert_eq!(choice.value, expected, "{:?}", choice);
    let best = choice.best.expect("the game is not over");
    let mut child = state.clone();
    game.play(&mut child, best);
    path.push(game.key(state));
    let reached = plain(game, knowledge, &child, &mut path, depth - 1, mover);
    prop_assert_eq!(
        reached,
        expected,
        "the move {:?} is not worth it: {:?}",
        best,
        choice
    );
    let mut replay = state.clone();
    for &mv in &choice.line {
        let mut moves = Vec::new();
        game.moves(&replay, &mut moves);
        prop_assert!(moves.contains(&mv), "{:?} cannot be played", choice.line);
        game.play(&mut replay, mv);
    }
    if choice.solved {
        let mut path = history.to_vec();
        let deeper = plain(game, knowledge, state, &mut path, depth + 2, mover);
        prop_assert_eq!(choice.value, deeper, "not solved after all");
    }
    Ok(())
}

fn tree() -> impl Strategy<Value = Tree> {
    let shape = (any::<u64>(), 1..7u32, 1..5u64, any::<[bool; 2]>());
    let rest = (
        prop::sample::select(vec![0u64, 3, 12, 60]),
        prop::sample::select(vec![1, 5, 1000]),
    );
    (shape, rest).prop_map(
        |((seed, depth, branching, [irregular, erratic]), (width, range))| Tree {
            seed,
            depth,
            branching,
            irregular,
            erratic,
            width,
            range,
        },
    )
}

proptest! {
    #![proptest_config(cases(10_000))]

    /// Schadd (2011), chapter 2: all variants return the minimax value on ten thousand random
    /// trees, searched to the end or to a horizon.
    #[test]
    fn schadd_2_all_variants_return_the_minimax_value(tree in tree(), config in safe_config(), depth in 1..8u32) {
        check(&tree, &Hashed, &tree.start(), &[], &config, depth)?;
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Quiescence changes what leaves are worth, but the same for every method and ordering.
    #[test]
    fn quiescence_gives_the_same_value_to_every_method(tree in tree(), config in safe_config(), depth in 1..6u32) {
        let Turn::Player(_) = tree.turn(&tree.start()) else { return Ok(()) };
        let plain = Config { method: Method::Minimax, quiescence: true, ..Config::default() };
        let config = Config { quiescence: true, ..config };
        let expected = ask(&tree, Hashed, &tree.start(), &[], &plain, depth);
        let choice = ask(&tree, Hashed, &tree.start(), &[], &config, depth);
        prop_assert_eq!(choice.value, expected.value);
    }

    /// Distances are those of plain minimax, too.
    #[test]
    fn distances_agree(tree in tree(), config in safe_config(), depth in 1..7u32) {
        let tree = Tree { range: 1, ..tree };
        let plain = Config { method: Method::Minimax, distances: true, ..Config::default() };
        let config = Config { distances: true, ..config };
        let expected = ask(&tree, Hashed, &tree.start(), &[], &plain, depth);
        let choice = ask(&tree, Hashed, &tree.start(), &[], &config, depth);
        prop_assert_eq!((choice.value, choice.plies), (expected.value, expected.plies));
    }

    /// Repetition with a history, up to the depth at which a table may be exact: fewer than eight plies
    /// where a cycle takes four.
    #[test]
    fn repetitions_are_seen_through_the_table(
        size in 4u8..8, seed: u64, config in safe_config(), depth in 1..8u32,
        walk in prop::collection::vec(0usize..4, 0..14),
    ) {
        let ring = Ring { size, seed };
        let mut state = ring.start();
        let mut history = vec![];
        for choice in walk {
            let mut moves = vec![];
            ring.moves(&state, &mut moves);
            let Some(&mv) = moves.get(choice % moves.len().max(1)) else { break };
            history.push(ring.key(&state));
            ring.play(&mut state, mv);
        }
        let occurred = history.iter().filter(|&&key| key == ring.key(&state)).count();
        if occurred < 2 {
            check(&ring, &Hashed, &state, &history, &config, depth)?;
        }
    }
}

mod games {
    use super::*;
    use tabia_game::Uninformed;
    use tabia_games::mnk::Mnk;

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn tic_tac_toe(config in safe_config(), opening in prop::collection::vec(0usize..9, 2..7)) {
            let game = Mnk::<u64>::new(3, 3, 3).unwrap();
            let mut state = game.start();
            for choice in opening {
                let mut moves = vec![];
                game.moves(&state, &mut moves);
                if let Some(&mv) = moves.get(choice % moves.len().max(1)) {
                    game.play(&mut state, mv);
                }
            }
            check(&game, &Uninformed, &state, &[], &config, 9)?;
        }
    }

    #[test]
    fn tic_tac_toe_is_a_draw_for_every_method() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        for preset in tabia_search::alphabeta::PRESETS {
            let config = preset.configure("").unwrap();
            let choice = ask(&game, Uninformed, &game.start(), &[], &config, 9);
            // What multi-cut prunes was not followed to the end.
            let exact = preset.name != "mia";
            assert_eq!(
                (choice.value, choice.solved),
                (0.0, exact),
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
}

/// Limits are honoured to the node, and a stopped search still has a legal move.
#[test]
fn node_limits_are_exact_and_always_give_a_move() {
    let tree = Tree {
        range: 50,
        ..Tree::uniform(4, 12)
    };
    let mut path = Path::new();
    path.push(tree.key(&tree.start()));
    for nodes in [1, 2, 10, 1000] {
        for deepening in [false, true] {
            let config = Config {
                deepening,
                ..Config::default()
            };
            let situation = Situation {
                game: &tree,
                state: &tree.start(),
                path: &path,
            };
            let choice = AlphaBeta::new(config, Hashed).choose(situation, &Limits::nodes(nodes));
            assert_eq!(choice.nodes, nodes);
            assert!(choice.best.is_some() && !choice.solved);
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let tree = Tree {
        seed: 5,
        depth: 9,
        branching: 3,
        irregular: true,
        erratic: true,
        width: 50,
        range: 50,
    };
    let config = tabia_search::alphabeta::preset("mia")
        .unwrap()
        .configure("table=64K")
        .unwrap();
    let run = || ask(&tree, Hashed, &tree.start(), &[], &config, 9);
    assert_eq!(run(), run());
}
