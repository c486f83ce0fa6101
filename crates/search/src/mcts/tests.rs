//! Tests of the whole search.

mod players;
mod tictactoe;

use std::sync::atomic::{AtomicU32, Ordering};

use super::moves::Moves;
use super::sums::View;
use super::tree::{Children, Node};
use super::*;
use crate::chance::ChanceGame;
use tabia_alignment::dice::{Dice, FullLine, PairCount};
use tabia_alignment::mnk::Mnk;
use tabia_combinatorial::amazons::Amazons;
use tabia_game::{Path, Uninformed};
use tabia_kit::printed_tree::{Nothing, Printed, PrintedTree};

const PLAIN: Config = Config {
    seed: 1,
    ..Config::PLAIN
};
/// Wieczorek et al. (2013), section 3.2.1.
const BLITZ: Config = Config {
    exploration: 2.828,
    expand: 5,
    playouts: 10,
    final_move: FinalMove::Bound,
    ..PLAIN
};

fn ask<G: ChanceGame, K: Knowledge<G>>(game: &G, knowledge: K, nodes: u64) -> Choice<G::Move> {
    let engine = Mcts::<G, K, WithChance>::new(PLAIN, knowledge);
    asked(game, engine, nodes)
}

fn asked<G: Playable, E: Engine<G>>(game: &G, mut engine: E, nodes: u64) -> Choice<G::Move> {
    let path = Path::new();
    let state = game.start();
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    engine.choose(situation, &Limits::nodes(nodes))
}

/// The safe move is worth 2, the gamble 0.9 · 4 - 0.1 · 10 = 2.6, and the trap looks good to
/// whoever does not see the reply.
#[test]
fn the_best_move_of_a_small_tree_is_found() {
    let gamble = PrintedTree::Chance(vec![(9, PrintedTree::Leaf(4)), (1, PrintedTree::Leaf(-10))]);
    let trap = PrintedTree::Min(vec![PrintedTree::Leaf(10), PrintedTree::Leaf(-10)]);
    let game = Printed::new(
        &PrintedTree::Max(vec![PrintedTree::Leaf(2), trap, gamble]),
        10,
    );
    let found = ask(&game, Nothing, 200_000);
    assert_eq!(found.best, Some(2));
    assert!((found.value.unwrap() - 0.26).abs() < 0.02, "{found:?}");
}

/// Hauk (2004): Dice on 3x3 is worth 392411/1469664 to X.
#[test]
fn means_approach_the_exact_value() {
    let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    let found = ask(&game, PairCount, 3_000_000);
    let exact = 392_411.0 / 1_469_664.0;
    assert!(
        (found.value.unwrap() - exact).abs() < 0.03,
        "{:?}",
        found.value
    );
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    let game = Dice::<u64>::new(5, 4, FullLine::Pass).unwrap();
    let [one, other] = [0, 1].map(|_| ask(&game, PairCount, 20_000));
    assert_eq!((one.value, one.nodes), (other.value, other.nodes));
    assert!(one.nodes <= 20_000);
}

/// X takes the middle of tic-tac-toe, after which O loses unless it takes a corner (a game for
/// children, but a value that everybody can check): O is asked after X b2, and must not take an
/// edge.
#[test]
fn games_without_chance_are_searched_as_printed_in_2013() {
    let game = Mnk::<u64>::new(3, 3, 3).unwrap();
    let mut state = game.start();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    game.play(&mut state, moves[4]);
    for config in [PLAIN, BLITZ] {
        let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        let path = Path::new();
        let situation = Situation {
            game: &game,
            state: &state,
            path: &path,
        };
        let found = engine.choose(situation, &Limits::nodes(300_000));
        let corners = [0, 2, 6, 8].map(|cell| Some(moves[cell]));
        assert!(corners.contains(&found.best), "{found:?}");
        assert!(found.nodes <= 300_000);
    }
}

/// Each of the three moves of the first leaf is played out ten times at once.
#[test]
fn a_leaf_is_expanded_by_several_moves() {
    let leaves = vec![
        PrintedTree::Leaf(1),
        PrintedTree::Leaf(-1),
        PrintedTree::Leaf(0),
    ];
    let game = Printed::new(&PrintedTree::Max(leaves), 1);
    let engine = Mcts::<_, _, WithChance>::new(BLITZ, Nothing);
    let found = asked(&game, engine, 3);
    let counters = [("simulations", Counter::One(30)), ("tree", Counter::One(4))];
    assert_eq!(found.counters[..2], counters);
    assert_eq!(found.best, Some(0));
}

fn at<'a, G: Game>(game: &'a G, state: &'a G::State, path: &'a Path) -> Situation<'a, G> {
    Situation { game, state, path }
}

/// The root of a tree with one value a node.
fn one(root: Root) -> Node<1> {
    match root {
        Root::One(node) => node,
        Root::Each(_) => panic!("a value for each player"),
    }
}

/// Every node of a tree, from the root on.
fn told<const V: usize>(node: &Node<V>, out: &mut Vec<(u32, u64, u32)>) {
    let view = View::new(Player::FIRST, Player::FIRST, V);
    out.push((node.visits(), node.sum(view).to_bits(), node.losses()));
    if let Some(children) = node.children.get() {
        children.all().for_each(|child| told(child, out));
    }
}

fn tree<G: Key + MoveIndex>(game: &G, config: Config, limits: &Limits) -> Vec<(u32, u64, u32)>
where
    WithoutChance: Throw<G>,
{
    let mut engine = Mcts::<G, _, WithoutChance>::new(config, Uninformed);
    let (state, path) = (game.start(), Path::new());
    let (root, spent) = engine.grow(&at(game, &state, &path), limits);
    let root = one(root);
    let mut nodes = Vec::new();
    told(&root, &mut nodes);
    assert_eq!(root.size(), (spent.bytes, spent.tree - 1));
    nodes
}

/// Schadd (2011), section 2.7.3: with one thread every form of parallel search is the sequential
/// one.
#[test]
fn one_thread_grows_the_sequential_tree() {
    let game = Mnk::<u64>::new(4, 4, 4).unwrap();
    let limits = Limits::nodes(30_000);
    let trees = [
        Parallelization::Tree,
        Parallelization::Root,
        Parallelization::Leaf,
    ]
    .map(|parallel| tree(&game, Config { parallel, ..PLAIN }, &limits));
    assert!(trees[0].len() > 1000);
    assert!(trees[0] == trees[1] && trees[0] == trees[2]);
    let other = tree(&game, Config { seed: 2, ..PLAIN }, &limits);
    assert!(trees[0] != other);
}

/// With so many moves that their bounds are remembered in groups. Every choice is compared with a
/// look at all children, by an assertion in the selector.
#[test]
fn groups_of_children_choose_as_all_children_do() {
    let game = Amazons::new(6, 6).unwrap();
    for solver in [false, true] {
        let config = Config { solver, ..PLAIN };
        let nodes = tree(&game, config, &Limits::nodes(600_000));
        let moves = game.count_moves(&game.start(), Player::FIRST);
        assert!(
            moves > 300 && nodes[0].0 > 4 * moves as u32,
            "{moves}, {:?}",
            nodes[0]
        );
    }
    // Whatever threads see of each other, all of them come to an end.
    let config = Config {
        threads: 4,
        ..PLAIN
    };
    let nodes = tree(&game, config, &Limits::nodes(600_000));
    assert!(nodes.iter().all(|&(_, _, losses)| losses == 0));
}

/// Counts evaluations; playouts of one ply have one each.
struct Counting(std::sync::Arc<AtomicU32>);

impl<G: Game> Knowledge<G> for Counting {
    fn evaluate(&self, _: &G, _: &G::State, _: Player) -> i32 {
        self.0.fetch_add(1, Ordering::Relaxed);
        0
    }
}

#[test]
fn virtual_losses_vanish_and_every_playout_is_a_visit() {
    let game = Mnk::<u128>::new(10, 10, 5).unwrap();
    for parallel in [
        Parallelization::Tree,
        Parallelization::Root,
        Parallelization::Leaf,
    ] {
        for threads in [1, 4] {
            let config = Config {
                parallel,
                threads,
                plies: 1,
                memory: 64 << 20,
                ..PLAIN
            };
            let count = std::sync::Arc::new(AtomicU32::new(0));
            let knowledge = Counting(std::sync::Arc::clone(&count));
            let mut engine = Mcts::<_, _, WithoutChance>::new(config, knowledge);
            let (state, path) = (game.start(), Path::new());
            let (root, _) = engine.grow(&at(&game, &state, &path), &Limits::default());
            let root = one(root);
            let mut nodes = Vec::new();
            told(&root, &mut nodes);
            assert!(nodes.iter().all(|&(_, _, losses)| losses == 0));
            assert_eq!(root.visits(), count.load(Ordering::Relaxed), "{config:?}");
            assert!(root.visits() >= 10_000);
            let below: u32 = root.children.get().unwrap().all().map(Node::visits).sum();
            assert_eq!(root.visits(), below);
        }
    }
}

/// A limit that ends the simulations of a thread at a node loses none of them, with chance or
/// without, whatever is remembered.
#[test]
fn threads_that_are_stopped_have_handed_everything_back() {
    fn consistent(node: &Node<1>, root: bool) {
        let Some(children) = node.children.get() else {
            return;
        };
        let below: u32 = children.all().map(Node::visits).sum();
        assert_eq!(node.visits(), below + u32::from(!root));
        assert_eq!(node.losses(), 0);
        children.all().for_each(|child| consistent(child, false));
    }
    let limits = Limits::nodes(300_000);
    let path = Path::new();
    for amaf in [Amaf::Off, Amaf::Rave, Amaf::Grave] {
        let config = Config {
            threads: 3,
            amaf,
            ..PLAIN
        };
        let game = Mnk::<u64>::new(5, 5, 4).unwrap();
        let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        let (root, _) = engine.grow(&at(&game, &game.start(), &path), &limits);
        consistent(&one(root), true);
        let game = Dice::<u64>::new(5, 4, FullLine::Pass).unwrap();
        let mut engine = Mcts::<_, _, WithChance>::new(config, Uninformed);
        let (root, _) = engine.grow(&at(&game, &game.start(), &path), &limits);
        let root = one(root);
        assert!(root.visits() > 1000);
        let mut nodes = Vec::new();
        told(&root, &mut nodes);
        assert!(nodes.iter().all(|&(_, _, losses)| losses == 0));
    }
}

#[test]
fn schadd_2011_rave_weights_and_progressive_bias() {
    assert_eq!(rave_weight(0.0, 1000.0), 1.0);
    assert!((rave_weight(1000.0, 1000.0) - 0.5).abs() < 1e-12);
    assert_eq!(progressive_bias(0.8, 0.0), 2.0 * progressive_bias(0.8, 1.0));
    assert_eq!(grave_weight(0.0, 7.0, 0.001), 1.0);
    assert_eq!(grave_weight(7.0, 0.0, 0.001), 0.0);
    // One more move each time that visits double.
    assert_eq!(
        [1, 2, 4, 8, 15].map(|n| widened(3, 2.0, n)),
        [3, 4, 5, 6, 6]
    );
}

#[test]
fn ten_million_nodes_need_no_gigabyte() {
    assert!(size_of::<Node<1>>() <= 64);
    for siblings in 3..100 {
        let bytes = Children::<1>::bytes(siblings, Moves::bytes_for_each::<u32>(), 1);
        assert!(10_000_000 * bytes / siblings as u64 <= 1 << 30);
    }
}

#[test]
fn memory_is_kept_to_and_recycled() {
    let game = Mnk::<u64>::new(6, 6, 5).unwrap();
    for threads in [1, 2] {
        let config = Config {
            memory: 1 << 20,
            threads,
            ..PLAIN
        };
        let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        let (state, path) = (game.start(), Path::new());
        let (root, spent) = engine.grow(&at(&game, &state, &path), &Limits::nodes(1_000_000));
        let root = one(root);
        assert_eq!(root.size(), (spent.bytes, spent.tree - 1));
        // Threads that ask at the same time may each get a last block.
        assert!(spent.bytes <= (1 << 20) + 4096, "{spent:?}");
        assert!(spent.recycled > 0 && root.visits() > 10_000);
    }
}

/// A tree too small for anything but its root still answers.
#[test]
fn a_tree_without_memory_answers() {
    let game = Mnk::<u64>::new(5, 5, 4).unwrap();
    let config = Config { memory: 0, ..PLAIN };
    let engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
    let found = asked(&game, engine, 100_000);
    assert!(found.best.is_some() && found.nodes > 90_000);
}

/// What was found under the moves that were played is there for the next question.
#[test]
fn trees_are_kept() {
    let game = Mnk::<u64>::new(4, 4, 4).unwrap();
    let config = Config {
        reuse: true,
        ..PLAIN
    };
    let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
    let (mut state, mut path) = (game.start(), Path::new());
    path.push(game.key(&state));
    let limits = Limits::nodes(50_000);
    let first = engine.choose(at(&game, &state, &path), &limits);
    let again = engine.choose(at(&game, &state, &path), &limits);
    assert_eq!(first, again);
    for mv in &first.line[..2] {
        game.play(&mut state, *mv);
        path.push(game.key(&state));
    }
    let next = engine.choose(at(&game, &state, &path), &limits);
    let mut other = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
    let fresh = other.choose(at(&game, &state, &path), &limits);
    assert!(next.counters[0].1 != fresh.counters[0].1);
    assert!(next.nodes == fresh.nodes);
}

/// As in the test of exact values, with more and more outcomes instead of all of them.
#[test]
fn widened_chance_nodes_approach_the_exact_value() {
    let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    let config = Config {
        outcomes: ChanceNodes::Widening,
        ..PLAIN
    };
    let found = asked(
        &game,
        Mcts::<_, _, WithChance>::new(config, PairCount),
        3_000_000,
    );
    let exact = 392_411.0 / 1_469_664.0;
    assert!((found.value.unwrap() - exact).abs() < 0.05, "{found:?}");
}
