//! Every safe switch leaves the value unchanged: all methods, tables, orderings and threads against
//! plain minimax, on random trees and graphs and on real games.

use crate::support::safe::{ask, cases, check, safe_config};
use crate::support::trees::{Hashed, Maze, Ring};
use proptest::prelude::*;
use tabia_game::{Game, Key, Limits, Path, Turn};
use tabia_kit::tree::Tree;
use tabia_search::alphabeta::{AlphaBeta, Config, Method};
use tabia_search::{Engine, Situation};

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
    fn schadd_2_all_variants_return_the_minimax_value(
        tree in tree(),
        config in safe_config(),
        depth in 1..8u32,
    ) {
        check(&tree, &Hashed, &tree.start(), &[], &config, depth)?;
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Quiescence changes what leaves are worth, but the same for every method and ordering.
    #[test]
    fn quiescence_gives_the_same_value_to_every_method(
        tree in tree(),
        config in safe_config(),
        depth in 1..6u32,
    ) {
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

    /// Positions met at several depths: without grafting an entry only stands in for a search of
    /// the same depth.
    #[test]
    fn entries_of_other_depths_are_not_grafted(
        size in 2u64..20,
        seed: u64,
        config in safe_config(),
        depth in 1..8u32,
    ) {
        let maze = Maze { size, seed };
        check(&maze, &Hashed, &maze.start(), &[], &config, depth)?;
    }

    /// Repetition with a history, up to the depth at which a table may be exact: fewer than eight
    /// plies where a cycle takes four.
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
