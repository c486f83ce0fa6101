//! The oracles of Schadd (2011), chapter 2, that concern alpha-beta and its enhancements.

use tabia_alignment::mnk::Mnk;
use tabia_game::{Limits, Path, Uninformed};
use tabia_kit::tree::Tree;
use tabia_search::alphabeta::{AlphaBeta, AlphaBetaGame, Config, Method};
use tabia_search::{Choice, Counter, Engine, Situation};

fn ask<G: AlphaBetaGame>(game: &G, config: &Config, depth: u32) -> Choice<G::Move> {
    let mut path = Path::new();
    path.push(game.key(&game.start()));
    let situation = Situation {
        game,
        state: &game.start(),
        path: &path,
    };
    AlphaBeta::new(config.clone(), Uninformed).choose(situation, &Limits::depth(depth))
}

fn count<M>(choice: &Choice<M>, name: &str) -> u64 {
    match choice.counters.iter().find(|(key, _)| *key == name) {
        Some((_, Counter::One(n))) => *n,
        other => panic!("{name}: {other:?}"),
    }
}

fn tic_tac_toe() -> Mnk<u64> {
    Mnk::new(3, 3, 3).expect("a possible board")
}

/// Algorithm 2.2 exactly as printed, from the empty board, squares in row-major order.
#[test]
fn algorithm_2_2_tic_tac_toe_takes_18297_calls() {
    let choice = ask(&tic_tac_toe(), &Config::default(), 9);
    assert_eq!(
        (count(&choice, "calls"), choice.nodes, choice.value),
        (18_297, 18_297, Some(0.0))
    );
}

/// Algorithm 2.1 visits the whole tree: 549,946 nodes, 255,168 of them finished games.
#[test]
fn algorithm_2_1_tic_tac_toe_visits_549946_nodes() {
    let config = Config {
        method: Method::Minimax,
        ..Config::default()
    };
    let choice = ask(&tic_tac_toe(), &config, 9);
    assert_eq!(
        (choice.nodes, count(&choice, "leaves"), choice.value),
        (549_946, 255_168, Some(0.0))
    );
}

/// Section 2.3: with all leaves equal every order is perfect, and alpha-beta visits
/// b^ceil(d/2) + b^floor(d/2) - 1 leaves (Knuth and Moore 1975).
#[test]
fn section_2_3_minimal_leaves_of_uniform_trees() {
    for (branching, depth) in [
        (3u64, 5u32),
        (10, 4),
        (2, 9),
        (7, 3),
        (40, 2),
        (5, 1),
        (1, 6),
    ] {
        let b = branching;
        let minimal = b.pow(depth.div_ceil(2)) + b.pow(depth / 2) - 1;
        for method in [Method::FailHard, Method::FailSoft, Method::Pvs] {
            let config = Config {
                method,
                ..Config::default()
            };
            let choice = ask(&Tree::uniform(b, depth), &config, depth);
            assert_eq!(
                count(&choice, "leaves"),
                minimal,
                "b={b} d={depth} {method:?}"
            );
        }
    }
    let leaves = |b, d| count(&ask(&Tree::uniform(b, d), &Config::default(), d), "leaves");
    assert_eq!((leaves(3, 5), leaves(10, 4)), (35, 199));
}

/// Section 2.5: iterative deepening with b = 10, d = 5 visits 6 + 50 + ... + 100,000 = 123,456
/// nodes where one search visits 111,111. The printed sum counts depth 0 as an iteration, which
/// visits the root alone.
#[test]
fn section_2_5_iterative_deepening_visits_123456_nodes() {
    let tree = Tree {
        depth: 20,
        ..Tree::uniform(10, 5)
    };
    let minimax = Config {
        method: Method::Minimax,
        ..Config::default()
    };
    let once = ask(&tree, &minimax, 5).nodes;
    let deepened = ask(
        &tree,
        &Config {
            deepening: true,
            ..minimax
        },
        5,
    )
    .nodes;
    assert_eq!((once, deepened + 1), (111_111, 123_456));
}

/// Section 2.3: in a perfectly ordered tree a PV node's first child is a PV node and the others are
/// CUT nodes, CUT nodes have one child and it is an ALL node, ALL nodes have CUT children only.
#[test]
fn section_2_3_node_types_of_the_minimal_tree() {
    // b = 3, d = 3, interior nodes by level: PV; then PV and two CUT; then PV and two CUT below
    // the PV node, and one ALL below each CUT.
    let config = Config {
        method: Method::FailSoft,
        ..Config::default()
    };
    let choice = ask(&Tree::uniform(3, 3), &config, 3);
    let types = ["pv_nodes", "cut_nodes", "all_nodes"].map(|name| count(&choice, name));
    assert_eq!(types, [3, 4, 2]);
    assert_eq!(count(&choice, "cutoffs"), 4, "every CUT node is cut");
}

/// The relation at the end of the chapter: iterative deepening with table, killers and history
/// needs fewer nodes than a search to fixed depth without them.
#[test]
fn enhancements_save_nodes() {
    let game = Mnk::<u64>::new(4, 4, 3).unwrap();
    let plain = ask(&game, &Config::default(), 9);
    let config = tabia_search::alphabeta::preset("pvs")
        .unwrap()
        .configure("distances=off")
        .unwrap();
    let enhanced = ask(&game, &config, 9);
    assert_eq!(plain.value, enhanced.value);
    assert!(
        enhanced.nodes < plain.nodes,
        "{} against {}",
        enhanced.nodes,
        plain.nodes
    );
}
