//! Configurations that must not change the value, and the check that they do not.

use proptest::prelude::*;
use tabia_game::{Knowledge, Limits, Path, Turn};
use tabia_search::alphabeta::{AlphaBeta, AlphaBetaGame, Config, History, Increment, Method};
use tabia_search::table::Replacement;
use tabia_search::{Choice, Engine, Situation};

use super::trees::plain;

/// A number of cases, with nothing written to disk.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any combination of the switches that must not change the value.
pub fn safe_config() -> impl Strategy<Value = Config> {
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

/// Asks an engine with these switches.
pub fn ask<G: AlphaBetaGame, K: Knowledge<G>>(
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
pub fn check<G: AlphaBetaGame, K: Knowledge<G> + Clone>(
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
    prop_assert_eq!(choice.value, Some(expected), "{:?}", choice);
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
        prop_assert_eq!(choice.value, Some(deeper), "not solved after all");
    }
    Ok(())
}
