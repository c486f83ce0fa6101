//! What engines report while they think: reports agree with the answer, do not change it, and the
//! lines after the best one are the next best moves.

use std::time::Duration;

use proptest::prelude::*;
use tabia_alignment::mnk::Mnk;
use tabia_game::{Game, Key, Knowledge, Limits, MoveIndex, Path, Player, Turn, Uninformed};
use tabia_kit::chance_tree::{self, ChanceTree};
use tabia_kit::many_tree::{HashedMany, ManyTree};
use tabia_kit::tree::{Hashed, Tree};
use tabia_search::alphabeta::{self, AlphaBeta};
use tabia_search::chance::{self, StarMinimax};
use tabia_search::many::reduction::{Everybody, OneOfAll};
use tabia_search::many::{MaxN, Reduced, ReducedMcts, ReductionObjective};
use tabia_search::mcts::{
    self, Flat, FlatConfig, HiddenMcts, Mcts, Parallelization, WithoutChance,
};
use tabia_search::{Choice, Engine, Listener, Past, Report, Situation, score};
use tabia_stratego::stratego::{Setup, Stratego};

use crate::support::safe::{cases, safe_config};

/// A report that is kept.
#[derive(Clone, Debug, PartialEq)]
struct Kept<M> {
    rank: usize,
    depth: u32,
    value: Option<f64>,
    solved: bool,
    line: Vec<M>,
    nodes: u64,
}

/// Asks an engine for this many lines, and as often as it can tell.
fn listen<G>(
    engine: &mut impl Engine<G>,
    game: &G,
    limits: &Limits,
    lines: usize,
) -> (Choice<G::Move>, Vec<Kept<G::Move>>)
where
    G: Key,
{
    let state = game.start();
    let path = Path::from_start(game, &state);
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    let mut kept = Vec::new();
    let mut tell = |report: &Report<'_, G::Move>| {
        kept.push(Kept {
            rank: report.rank,
            depth: report.depth,
            value: report.value,
            solved: report.solved,
            line: report.line.to_vec(),
            nodes: report.nodes,
        });
    };
    let mut listener = Listener::new(lines, &mut tell).every(Duration::ZERO);
    let past = Past::none(&state);
    let choice = engine.choose_reporting(past, situation, limits, &mut listener);
    (choice, kept)
}

fn ask<G>(engine: &mut impl Engine<G>, game: &G, limits: &Limits) -> Choice<G::Move>
where
    G: Key,
{
    let state = game.start();
    let path = Path::from_start(game, &state);
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    engine.choose(situation, limits)
}

/// Reports are consistent among themselves and with the choice.
fn check<G: Key>(game: &G, choice: &Choice<G::Move>, kept: &[Kept<G::Move>], lines: usize) {
    assert!(kept.iter().all(|r| (1..=lines).contains(&r.rank)));
    let best: Vec<_> = kept.iter().filter(|report| report.rank == 1).collect();
    let last = best.last().expect("something was reported");
    assert_eq!(last.line, choice.line);
    assert_eq!(last.value, choice.value);
    assert_eq!(last.solved, choice.solved);
    assert_eq!(last.depth, choice.depth);
    assert!(kept.is_sorted_by_key(|report| report.nodes));
    assert!(kept.iter().all(|report| report.nodes <= choice.nodes));
    assert!(best.is_sorted_by_key(|report| report.depth));
    // Lines of one round begin with different moves, and ranks follow each other.
    for round in kept.chunk_by(|one, other| other.rank == one.rank + 1) {
        assert_eq!(round[0].rank, 1);
        let firsts: Vec<_> = round.iter().map(|report| report.line[0]).collect();
        assert!((1..firsts.len()).all(|at| !firsts[..at].contains(&firsts[at])));
    }
    for Kept { line, .. } in kept {
        let (mut state, mut moves) = (game.start(), Vec::new());
        for &mv in line {
            moves.clear();
            game.moves(&state, &mut moves);
            assert!(moves.contains(&mv), "{mv:?} of {line:?}");
            game.play(&mut state, mv);
        }
    }
}

/// The choices of two engines that differ only by a listener agree, and so do the reports.
fn unchanged<G: Key, E: Engine<G>>(game: &G, make: impl Fn() -> E, limits: &Limits, lines: usize) {
    let alone = ask(&mut make(), game, limits);
    let (choice, kept) = listen(&mut make(), game, limits, lines);
    assert_eq!(choice, alone);
    check(game, &choice, &kept, lines);
    assert!(make().reports());
}

fn tree() -> impl Strategy<Value = Tree> {
    let shape = (any::<u64>(), 1..6u32, 1..6u64, any::<[bool; 2]>());
    let rest = (prop::sample::select(vec![0u64, 12, 60]), 1..200i32);
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

/// The score of a position for the first player by plain minimax.
fn minimax<G: Game, K: Knowledge<G>>(game: &G, known: &K, state: &G::State, depth: u32) -> i32 {
    let Turn::Player(mover) = game.turn(state) else {
        let payoff = game.payoff(state, Player::FIRST);
        return score::of_payoff(payoff, game.max_payoff(), false, 0);
    };
    if depth == 0 {
        return score::of_estimate(known.evaluate(game, state, Player::FIRST));
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let values = moves.iter().map(|&mv| {
        let mut state = state.clone();
        game.play(&mut state, mv);
        minimax(game, known, &state, depth - 1)
    });
    match mover {
        Player::FIRST => values.max().unwrap(),
        _ => values.min().unwrap(),
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// The lines of alpha-beta, with any safe switches, are the best moves of plain minimax with
    /// their values; and the best line is that of the search that nobody listens to.
    #[test]
    fn lines_of_alpha_beta_are_the_best_moves_of_minimax(
        tree in tree(), config in safe_config(), depth in 1..6u32, lines in 1..5usize,
    ) {
        let Turn::Player(mover) = tree.turn(&tree.start()) else { return Ok(()) };
        let config = alphabeta::Config { deepening: false, distances: false, threads: 1, ..config };
        let make = || AlphaBeta::new(config.clone(), Hashed);
        let limits = Limits::depth(depth);
        let alone = ask(&mut make(), &tree, &limits);
        let (choice, kept) = listen(&mut make(), &tree, &limits, lines);
        check(&tree, &choice, &kept, lines);
        prop_assert_eq!(
            (choice.best, choice.value, &choice.line, choice.depth, choice.solved),
            (alone.best, alone.value, &alone.line, alone.depth, alone.solved)
        );
        let mut moves = Vec::new();
        tree.moves(&tree.start(), &mut moves);
        let value = |mv: u8| {
            let mut state = tree.start();
            tree.play(&mut state, mv);
            let value = minimax(&tree, &Hashed, &state, depth - 1);
            score::to_value(if mover == Player::FIRST { value } else { -value })
        };
        let mut values: Vec<f64> = moves.iter().map(|&mv| value(mv)).collect();
        values.sort_by(|one, other| other.total_cmp(one));
        values.truncate(lines);
        let told: Vec<f64> = kept.iter().filter_map(|report| report.value).collect();
        prop_assert_eq!(&told, &values);
        for report in &kept {
            prop_assert_eq!(report.value, Some(value(report.line[0])));
        }
    }

    /// The same with iterative deepening: every iteration is reported, and nothing changes.
    #[test]
    fn deepening_reports_every_iteration(
        tree in tree(), config in safe_config(), lines in 1..4usize, nodes in 1..3_000u64,
    ) {
        if tree.turn(&tree.start()) == Turn::Over { return Ok(()) }
        let config = alphabeta::Config { deepening: true, threads: 1, ..config };
        let make = || AlphaBeta::new(config.clone(), Hashed);
        unchanged(&tree, make, &Limits::depth(6), 1);
        unchanged(&tree, make, &Limits::nodes(nodes), 1);
        let alone = ask(&mut make(), &tree, &Limits::depth(6));
        let (choice, kept) = listen(&mut make(), &tree, &Limits::depth(6), lines);
        check(&tree, &choice, &kept, lines);
        prop_assert_eq!((&choice.line, choice.value), (&alone.line, alone.value));
        let limited = Limits::nodes(nodes);
        let (choice, kept) = listen(&mut make(), &tree, &limited, lines);
        check(&tree, &choice, &kept, lines);
        prop_assert!(choice.nodes <= nodes.max(1));
    }
}

fn chance_tree(seed: u64) -> ChanceTree {
    ChanceTree::regular(seed, 3, 3, 6)
}

#[test]
fn searches_with_chance_report_their_iterations_and_lines() {
    for seed in 0..40 {
        let tree = chance_tree(seed);
        let config = chance::Config {
            deepening: true,
            table: 1 << 16,
            ..chance::Config::default()
        };
        let make = || StarMinimax::<_, f64>::new(config.clone(), chance_tree::Hashed);
        unchanged(&tree, make, &Limits::depth(3), 1);
        let alone = ask(&mut make(), &tree, &Limits::depth(3));
        let (choice, kept) = listen(&mut make(), &tree, &Limits::depth(3), 3);
        check(&tree, &choice, &kept, 3);
        assert_eq!((choice.best, choice.value), (alone.best, alone.value));
        // Each move is worth what the position after it is worth to a search that is one shallower.
        let lines = kept.iter().rev().take(3);
        for report in lines {
            let mut after = tree.start();
            let Turn::Player(mover) = tree.turn(&after) else {
                continue;
            };
            tree.play(&mut after, report.line[0]);
            let depth = report.depth - 1;
            let limits = Limits::default();
            let searched = make().search(&tree, &after, depth, &limits).unwrap();
            let value = searched.value / f64::from(tabia_game::CERTAIN);
            let value = if mover == Player::FIRST {
                value
            } else {
                -value
            };
            assert!((report.value.unwrap() - value).abs() < 1e-9);
        }
        let values: Vec<_> = kept.iter().rev().take(3).filter_map(|r| r.value).collect();
        assert!(values.len() == 3 && values.is_sorted(), "{values:?}");
    }
}

fn many_tree(seed: u64) -> ManyTree {
    ManyTree {
        seed,
        irregular: true,
        total: 20,
        ..ManyTree::uniform(3, 4, 6)
    }
}

#[test]
fn searches_for_many_players_report_their_iterations_and_lines() {
    for seed in 0..40 {
        let tree = many_tree(seed);
        let config = tabia_search::many::Config {
            deepening: true,
            table: 1 << 16,
            ..Default::default()
        };
        let max_n = || MaxN::new(config.clone(), HashedMany);
        unchanged(&tree, max_n, &Limits::depth(4), 1);
        unchanged(&tree, max_n, &Limits::nodes(300), 1);
        let alone = ask(&mut max_n(), &tree, &Limits::depth(4));
        let (choice, kept) = listen(&mut max_n(), &tree, &Limits::depth(4), 3);
        check(&tree, &choice, &kept, 3);
        assert_eq!((&choice.line, choice.value), (&alone.line, alone.value));
        let deepest: Vec<_> = kept.last_round();
        assert!(
            deepest.is_sorted_by(|one, other| one >= other),
            "{deepest:?}"
        );

        let config = alphabeta::Config {
            deepening: true,
            ..Default::default()
        };
        let paranoid = || {
            Reduced::new(
                Everybody,
                config.clone(),
                ReductionObjective::Margin,
                HashedMany,
            )
        };
        unchanged(&tree, paranoid, &Limits::depth(4), 1);
        let (choice, kept) = listen(&mut paranoid(), &tree, &Limits::depth(4), 3);
        check(&tree, &choice, &kept, 3);
        let replies = || {
            Reduced::new(
                OneOfAll(ManyTree::hand_turn),
                config.clone(),
                ReductionObjective::Margin,
                HashedMany,
            )
        };
        unchanged(&tree, replies, &Limits::depth(4), 1);
        let sampled = || {
            let config = mcts::Config::PLAIN;
            ReducedMcts::new(Everybody, config, ReductionObjective::Margin, HashedMany)
        };
        unchanged(&tree, sampled, &Limits::nodes(500), 3);
    }
}

/// The values of the last round of reports.
trait LastRound {
    fn last_round(&self) -> Vec<Option<f64>>;
}

impl<M> LastRound for Vec<Kept<M>> {
    fn last_round(&self) -> Vec<Option<f64>> {
        let round = self.chunk_by(|one, other| other.rank == one.rank + 1);
        round
            .last()
            .into_iter()
            .flatten()
            .map(|report| report.value)
            .collect()
    }
}

type Plain<G> = Mcts<G, Uninformed, WithoutChance>;

fn plain<G: Game + MoveIndex>(config: mcts::Config) -> Plain<G> {
    Mcts::new(config, Uninformed)
}

#[test]
fn monte_carlo_searches_report_while_they_grow() {
    let game = Mnk::<u64>::new(5, 5, 4).unwrap();
    let one_thread = mcts::Config::PLAIN;
    let solving = mcts::Config {
        solver: true,
        expand: 3,
        playouts: 2,
        ..one_thread
    };
    let roots = mcts::Config {
        parallel: Parallelization::Root,
        threads: 2,
        ..one_thread
    };
    let leaves = mcts::Config {
        parallel: Parallelization::Leaf,
        threads: 2,
        ..one_thread
    };
    let narrow = mcts::Config {
        memory: 1 << 16,
        ..one_thread
    };
    for config in [one_thread, solving, roots, leaves, narrow] {
        let make = || plain(config);
        for limits in [Limits::nodes(10_000), Limits::playouts(700)] {
            unchanged(&game, make, &limits, 1);
            unchanged(&game, make, &limits, 4);
            let (_, kept) = listen(&mut make(), &game, &limits, 4);
            assert!(kept.len() > 12, "{} reports", kept.len());
            assert_eq!(kept[kept.len() - 1].rank, 4);
        }
    }
    let flat = || Flat::<_, WithoutChance>::new(FlatConfig::default(), Uninformed);
    unchanged(&game, flat, &Limits::nodes(20_000), 4);
}

#[test]
fn a_won_position_is_reported_as_won() {
    let game = Mnk::<u64>::new(3, 3, 2).unwrap();
    let config = mcts::Config {
        solver: true,
        ..mcts::Config::PLAIN
    };
    let (choice, kept) = listen(&mut plain(config), &game, &Limits::nodes(20_000), 2);
    assert_eq!((choice.value, choice.solved), (Some(1.0), true));
    check(&game, &choice, &kept, 2);
}

#[test]
fn playouts_are_counted() {
    let game = Mnk::<u64>::new(5, 5, 4).unwrap();
    let simulations = |choice: &Choice<_>| match choice.counters[0] {
        ("simulations", tabia_search::Counter::One(n)) => n,
        _ => panic!("{:?}", choice.counters),
    };
    let config = mcts::Config::PLAIN;
    let choice = ask(&mut plain(config), &game, &Limits::playouts(321));
    assert_eq!(simulations(&choice), 321);
    let several = mcts::Config {
        parallel: Parallelization::Root,
        threads: 3,
        ..config
    };
    let choice = ask(&mut plain(several), &game, &Limits::playouts(100));
    assert_eq!(simulations(&choice), 100);
    // What a kept tree holds comes on top.
    let mut keeping = plain(mcts::Config {
        reuse: true,
        ..config
    });
    let (mut state, mut path) = (game.start(), Path::from_start(&game, &game.start()));
    for (playouts, kept) in [(2_000, false), (50, true)] {
        let situation = Situation {
            game: &game,
            state: &state,
            path: &path,
        };
        let choice = keeping.choose(situation, &Limits::playouts(playouts));
        assert_eq!(simulations(&choice) > playouts, kept);
        assert!(simulations(&choice) >= playouts);
        for &mv in &choice.line[..2] {
            game.play(&mut state, mv);
            path.push(game.key(&state));
        }
    }
    // Both limits hold.
    let both = Limits {
        nodes: Some(10),
        ..Limits::playouts(1_000)
    };
    assert!(ask(&mut plain(config), &game, &both).nodes <= 10);
    let mut flat = Flat::<_, WithoutChance>::new(FlatConfig::default(), Uninformed);
    let choice = ask(&mut flat, &game, &Limits::playouts(777));
    assert_eq!(
        choice.counters[1],
        ("games", tabia_search::Counter::One(777))
    );
}

#[test]
fn searches_of_hidden_games_report_moves() {
    let game = Stratego::new(Setup::Figure, 200);
    let config = mcts::Config {
        plies: 20,
        ..mcts::Config::PLAIN
    };
    for samples in [0, 4] {
        let make = || HiddenMcts::<Stratego, _, WithoutChance>::new(config, samples, Uninformed);
        unchanged(&game, make, &Limits::nodes(3_000), 1);
        unchanged(&game, make, &Limits::nodes(3_000), 5);
        let (choice, kept) = listen(&mut make(), &game, &Limits::playouts(400), 5);
        assert_eq!(choice.counters[0].1, tabia_search::Counter::One(400));
        assert!(kept.len() > 10 && kept.iter().all(|report| report.line.len() == 1));
    }
}
