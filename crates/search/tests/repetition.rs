//! Every search under every rule of repetition, against a walk that keeps whole paths.

use proptest::prelude::*;
use tabia_game::{
    CERTAIN, Consequence, Deterministic, Game, Limits, Luck, Payoff, Player, Repetition, Seed,
    Stochastic, Turn,
};
use tabia_kit::Kit;
use tabia_kit::cyclic::{Cyclic, Hashed, Walk, rules};
use tabia_search::alphabeta::{self, AlphaBeta};
use tabia_search::chance::{self, StarMinimax};
use tabia_search::many::reduction::Everybody;
use tabia_search::many::{self, MaxN, Prune, Reduced, ReducedMcts, ReductionObjective};
use tabia_search::mcts::{
    self, Flat, FlatConfig, Mcts, Parallelization, Policy, WithChance, WithoutChance,
};
use tabia_search::{Choice, Engine, Greedy, Random, Situation};

use crate::support::safe::{cases, safe_config};

pub fn rule() -> impl Strategy<Value = Repetition> {
    prop::sample::select(rules())
}

/// A walk along some moves; `None` if the game is over then or chance is to act.
pub fn walked<'a, const PLAYERS: usize, L: Luck>(
    game: &'a Cyclic<PLAYERS, L>,
    choices: &[usize],
) -> Option<(Walk<'a, PLAYERS, L>, Player)> {
    let mut walk = Walk::new(game);
    for choice in choices {
        if walk.is_over() {
            return None;
        }
        let moves = walk.moves();
        walk.play(moves[choice % moves.len()]);
    }
    match game.turn(&walk.spot()) {
        Turn::Player(player) if !walk.is_over() => Some((walk, player)),
        _ => None,
    }
}

pub fn choices() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..6, 0..9)
}

pub fn ask<const PLAYERS: usize, L: Luck>(
    game: &Cyclic<PLAYERS, L>,
    walk: &Walk<'_, PLAYERS, L>,
    engine: &mut impl Engine<Cyclic<PLAYERS, L>>,
    limits: &Limits,
) -> Choice<u8> {
    let (state, path) = (walk.spot(), walk.path());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    engine.choose(situation, limits)
}

pub fn same(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}

/// The line of a choice can be played, as far as it goes.
pub fn playable<const PLAYERS: usize, L: Luck>(
    walk: &mut Walk<'_, PLAYERS, L>,
    line: &[u8],
) -> Result<(), TestCaseError> {
    let mut played = 0;
    for &mv in line {
        prop_assert!(
            !walk.is_over(),
            "the line goes on after the game: {:?}",
            line
        );
        prop_assert!(
            walk.moves().contains(&mv),
            "{} in {:?} is illegal",
            mv,
            line
        );
        walk.play(mv);
        played += 1;
    }
    (0..played).for_each(|_| walk.undo());
    Ok(())
}

/// Whether a search to this depth may use a table: draws are exact without one.
fn may_use_table(rule: Repetition) -> bool {
    rule.consequence != Consequence::Draw
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn alphabeta_agrees_with_the_walk(
        seed: u64, places in 1u8..9, rule in rule(), config in safe_config(), depth in 1u32..7,
        choices in choices(),
    ) {
        let game = Cyclic::<2>::new(seed, places, rule);
        let Some((mut walk, mover)) = walked(&game, &choices) else { return Ok(()) };
        let mut config = config;
        if !may_use_table(rule) {
            config.table = 0;
        }
        let expected = walk.value(depth).shares[mover.index()];
        let choice = ask(&game, &walk, &mut AlphaBeta::new(config, Hashed), &Limits::depth(depth));
        let found = choice.value.unwrap();
        prop_assert!(same(found, expected), "{} for {}: {:?}", found, expected, choice);
        playable(&mut walk, &choice.line)?;
        let best = choice.best.unwrap();
        prop_assert!(walk.moves().contains(&best));
        walk.play(best);
        let reached = walk.value(depth - 1).shares[mover.index()];
        prop_assert!(same(reached, expected), "{} is not worth it: {:?}", best, choice);
        walk.undo();
        if choice.solved {
            let deeper = walk.value(depth + 3).shares[mover.index()];
            prop_assert!(same(deeper, expected), "{} solved as {}", deeper, expected);
        }
    }

    /// Where table keys are exact, an engine may be asked again on another path.
    #[test]
    fn tables_keep_paths_apart(
        seed: u64, places in 2u8..6, rule in rule(), config in safe_config(), depth in 2u32..6,
        games in prop::collection::vec(choices(), 2..6),
    ) {
        if !may_use_table(rule) {
            return Ok(());
        }
        let game = Cyclic::<2>::new(seed, places, rule);
        let config = alphabeta::Config { table: 1 << 20, ..config };
        let mut engine = AlphaBeta::new(config, Hashed);
        for choices in games {
            let Some((mut walk, mover)) = walked(&game, &choices) else { continue };
            let expected = walk.value(depth).shares[mover.index()];
            let choice = ask(&game, &walk, &mut engine, &Limits::depth(depth));
            prop_assert!(same(choice.value.unwrap(), expected), "{} for {:?}", expected, choice);
        }
    }

    #[test]
    fn star_minimax_agrees_with_the_walk(
        seed: u64, places in 2u8..8, rule in rule(), depth in 1u32..6, choices in choices(),
        [prune, etc, table] in any::<[bool; 3]>(), probes in 0u32..3,
    ) {
        let game = Cyclic::<2, Stochastic>::new(seed, places, rule);
        let Some((mut walk, mover)) = walked(&game, &choices) else { return Ok(()) };
        let config = chance::Config {
            prune,
            etc,
            probes,
            table: if table && may_use_table(rule) { 1 << 20 } else { 0 },
            count_chance: true,
            deepening: false,
            ..chance::Config::default()
        };
        let expected = walk.expected(depth).shares[mover.index()];
        let mut engine = StarMinimax::<_, f64>::new(config, Hashed);
        let choice = ask(&game, &walk, &mut engine, &Limits::depth(depth));
        let found = choice.value.unwrap();
        prop_assert!(same(found, expected), "{} for {}: {:?}", found, expected, choice);
        prop_assert!(walk.moves().contains(&choice.best.unwrap()));
        if choice.solved {
            let deeper = walk.expected(depth + 2).shares[mover.index()];
            prop_assert!(same(deeper, expected), "{} solved as {}", deeper, expected);
        }
    }

    #[test]
    fn max_n_agrees_with_the_walk(
        seed: u64, places in 2u8..8, rule in rule(), depth in 1u32..6, choices in choices(),
        table: bool,
        prune in prop::sample::select(vec![
            Prune::Nothing, Prune::Nothing, Prune::Immediate, Prune::Shallow, Prune::LastBranch,
            Prune::Speculative,
        ]),
    ) {
        let game = Cyclic::<3>::new(seed, places, rule);
        let Some((mut walk, _)) = walked(&game, &choices) else { return Ok(()) };
        let expected = walk.value(depth);
        // Prunings cut estimates down to what is there.
        if prune != Prune::Nothing && !expected.complete {
            return Ok(());
        }
        let config = many::Config {
            prune,
            table: if table && may_use_table(rule) { 1 << 20 } else { 0 },
            ..many::Config::default()
        };
        let (state, path) = (walk.spot(), walk.path());
        let situation = Situation { game: &game, state: &state, path: &path };
        let mut engine = MaxN::new(config, Hashed);
        let found = engine.search(&situation, depth, &Limits::default()).unwrap();
        let shares: Vec<f64> = found.values[..3]
            .iter()
            .map(|&value| f64::from(value) / f64::from(CERTAIN))
            .collect();
        let agree = shares.iter().zip(&expected.shares).all(|(&a, &b)| same(a, b));
        prop_assert!(agree, "{:?} for {:?}", shares, expected);
        playable(&mut walk, &found.line)?;
        if found.complete {
            let deeper = walk.value(depth + 2);
            prop_assert_eq!(deeper.shares, expected.shares);
        }
    }

    /// The first of the moves whose position is worth most at sight.
    #[test]
    fn the_greedy_player_agrees_with_the_walk(
        seed: u64, places in 1u8..9, rule in rule(), choices in choices(),
    ) {
        let game = Cyclic::<2>::new(seed, places, rule);
        let Some((mut walk, mover)) = walked(&game, &choices) else { return Ok(()) };
        let mut values = Vec::new();
        for mv in walk.moves() {
            walk.play(mv);
            values.push((mv, walk.value(0).shares[mover.index()]));
            walk.undo();
        }
        let best = values.iter().map(|&(_, value)| value).fold(f64::MIN, f64::max);
        let first = values.iter().find(|&&(_, value)| same(value, best)).unwrap().0;
        let choice = ask(&game, &walk, &mut Greedy::new(Hashed), &Limits::default());
        prop_assert!(same(choice.value.unwrap(), best), "{} for {:?}", best, choice);
        prop_assert_eq!((choice.best, &choice.line[..]), (Some(first), &[first][..]));
        prop_assert_eq!((choice.depth, choice.nodes), (1, values.len() as u64));
    }

    /// A game of two as one of the player who searches against the other.
    #[test]
    fn paranoid_search_agrees_with_the_walk(
        seed: u64, places in 1u8..8, rule in rule(), depth in 1u32..6, choices in choices(),
    ) {
        let game = Cyclic::<2>::new(seed, places, rule);
        let Some((mut walk, mover)) = walked(&game, &choices) else { return Ok(()) };
        let config = alphabeta::Config {
            table: if may_use_table(rule) { 1 << 20 } else { 0 },
            graft: false,
            ..alphabeta::Config::default()
        };
        let expected = walk.value(depth).shares[mover.index()];
        let mut engine = Reduced::new(Everybody, config, ReductionObjective::Own, Hashed);
        let choice = ask(&game, &walk, &mut engine, &Limits::depth(depth));
        prop_assert!(same(choice.value.unwrap(), expected), "{} for {:?}", expected, choice);
        playable(&mut walk, &choice.line)?;
    }
}

fn trees(policy: Policy, expand: usize, solver: bool, threads: usize) -> mcts::Config {
    mcts::Config {
        policy,
        expand,
        solver,
        threads,
        parallel: Parallelization::Tree,
        reuse: true,
        plies: 400,
        ..mcts::Config::PLAIN
    }
}

fn policy() -> impl Strategy<Value = Policy> {
    prop::sample::select(vec![
        Policy::Game,
        Policy::Uniform,
        Policy::Greedy,
        Policy::LastGoodReply,
        Policy::NGrams,
    ])
}

proptest! {
    #![proptest_config(cases(600))]

    /// Where everybody has but one move, every playout is the game, and its value is exact.
    #[test]
    fn forced_games_have_their_value_in_every_playout(
        seed: u64, places in 1u8..9, rule in rule(), policy in policy(), expand in 0usize..2,
        choices in choices(), flat: bool, leaf: bool,
    ) {
        let mut game = Cyclic::<2>::new(seed, places, rule);
        game.branching = 1;
        let Some((mut walk, mover)) = walked(&game, &choices) else { return Ok(()) };
        let expected = walk.value(200);
        if !expected.complete {
            return Ok(());
        }
        let limits = Limits::nodes(2000);
        let choice = if flat {
            let config = FlatConfig { plies: 400, ..FlatConfig::default() };
            ask(&game, &walk, &mut Flat::<_, WithoutChance>::new(config, Hashed), &limits)
        } else {
            let mut config = trees(policy, expand, false, 1);
            if leaf {
                config = mcts::Config { threads: 2, parallel: Parallelization::Leaf, ..config };
            }
            let mut engine = Mcts::<Cyclic<2>, _, WithoutChance>::new(config, Hashed);
            ask(&game, &walk, &mut engine, &limits)
        };
        let expected = expected.shares[mover.index()];
        // A flat search plays no games where there is nothing to choose.
        if !flat {
            prop_assert!(choice.value.is_some());
        }
        let found = choice.value.unwrap_or(expected);
        prop_assert!(same(found, expected), "{} for {:?}", expected, choice);
    }

    /// What is proved is true, and every move is legal, with trees that are kept along a game.
    #[test]
    fn trees_prove_the_value_of_the_walk(
        seed: u64, places in 1u8..6, rule in rule(), policy in policy(), expand in 0usize..3,
        choices in choices(), threads in 1usize..3,
    ) {
        let game = Cyclic::<2>::new(seed, places, rule);
        let Some((mut walk, _)) = walked(&game, &choices) else { return Ok(()) };
        let config = trees(policy, expand, true, threads);
        let mut engine = Mcts::<Cyclic<2>, _, WithoutChance>::new(config, Hashed);
        for _ in 0..6 {
            let Turn::Player(mover) = game.turn(&walk.spot()) else { break };
            if walk.is_over() {
                break;
            }
            let choice = ask(&game, &walk, &mut engine, &Limits::nodes(1500));
            playable(&mut walk, &choice.line)?;
            if choice.solved {
                let expected = walk.value(11);
                if expected.complete {
                    let expected = expected.shares[mover.index()];
                    let found = choice.value.unwrap();
                    prop_assert!(same(found, expected), "{} for {}", found, expected);
                }
            }
            walk.play(choice.best.unwrap());
        }
    }

    /// All players keep to what is legal on the path, with chance and with more than two players.
    #[test]
    fn everybody_plays_legal_moves(
        seed: u64, places in 2u8..9, rule in rule(), expand in 0usize..2, policy in policy(),
    ) {
        let limits = Limits::nodes(200);
        let game = Cyclic::<2, Stochastic>::new(seed, places, rule);
        let config = trees(policy, expand, false, 1);
        legal(&game, &mut Mcts::<_, _, WithChance>::new(config, Hashed), &limits)?;
        legal(&game, &mut Random::new(Seed::new(seed)), &limits)?;
        legal(&game, &mut Flat::<_, WithChance>::new(FlatConfig::default(), Hashed), &limits)?;
        let game = Cyclic::<3>::new(seed, places, rule);
        let mut mcts = Mcts::<_, _, WithoutChance>::for_each_player(config, Hashed, 3);
        legal(&game, &mut mcts, &limits)?;
        let own = ReductionObjective::Own;
        legal(&game, &mut ReducedMcts::new(Everybody, config, own, Hashed), &limits)?;
        let model = many::Model::Prob(0.5);
        let config = many::Config { model, ..many::Config::default() };
        legal(&game, &mut MaxN::new(config, Hashed), &limits)?;
        // Stopped at once a search has a legal move, too.
        legal(&game, &mut MaxN::new(many::Config::default(), Hashed), &Limits::nodes(1))?;
        let game = Cyclic::<2>::new(seed, places, rule);
        let config = alphabeta::Config { quiescence: true, ..alphabeta::Config::default() };
        legal(&game, &mut AlphaBeta::new(config.clone(), Hashed), &limits)?;
        legal(&game, &mut AlphaBeta::new(config, Hashed), &Limits::nodes(1))?;
    }

    /// The synthetic games keep the contract, their rules of repetition included.
    #[test]
    fn graphs_conform(seed: u64, places in 1u8..9, rule in rule()) {
        let kit = || Kit::new().effort(1, 20);
        let game = Cyclic::<2>::new(seed, places, rule);
        if random_games_end(&game) {
            kit().two_player().move_index().run(&game).unwrap();
        }
        history_conforms(&game);
        history_conforms(&Cyclic::<3>::new(seed, places, rule));
        history_conforms(&Cyclic::<2, Stochastic>::new(seed, places, rule));
    }
}

/// Whether the kit can play random games of it to their end.
fn random_games_end<const PLAYERS: usize>(game: &Cyclic<PLAYERS, Deterministic>) -> bool {
    // Every place has a way to an end.
    let mut ends: Vec<bool> = Vec::new();
    let places = 0..game.places;
    let spots =
        |place| (0..PLAYERS as u8).map(move |mover| tabia_kit::cyclic::Spot { place, mover });
    for _ in 0..=game.places {
        ends = places
            .clone()
            .map(|place| {
                spots(place).all(|spot| {
                    let mut moves = Vec::new();
                    game.moves(&spot, &mut moves);
                    game.turn(&spot) == Turn::Over
                        || moves
                            .iter()
                            .any(|&to| ends.get(usize::from(to)).copied().unwrap_or(false))
                })
            })
            .collect();
    }
    ends.into_iter().all(|end| end)
}

fn history_conforms<const PLAYERS: usize, L: Luck>(game: &Cyclic<PLAYERS, L>) {
    tabia_kit::check_history(game).unwrap();
}

/// Plays a game with one engine for everybody; chance takes its first outcome.
fn legal<const PLAYERS: usize, L: Luck>(
    game: &Cyclic<PLAYERS, L>,
    engine: &mut impl Engine<Cyclic<PLAYERS, L>>,
    limits: &Limits,
) -> Result<(), TestCaseError> {
    let mut walk = Walk::new(game);
    engine.new_game(Seed::new(1));
    for _ in 0..12 {
        if walk.is_over() {
            break;
        }
        let moves = walk.moves();
        let mv = match game.turn(&walk.spot()) {
            Turn::Player(_) => {
                let choice = ask(game, &walk, engine, limits);
                playable(&mut walk, &choice.line)?;
                choice.best.unwrap()
            }
            _ => moves[0],
        };
        prop_assert!(moves.contains(&mv), "{} is not one of {:?}", mv, moves);
        walk.play(mv);
    }
    Ok(())
}

/// A referee's path and the walk agree about rulings and legal moves all along.
#[test]
fn the_path_of_a_referee_agrees_with_the_walk() {
    let mut judged = [0; 4];
    for seed in 0..6000u64 {
        let rules = rules();
        let rule = rules[seed as usize % rules.len()];
        let game = Cyclic::<3>::new(seed, 2 + (seed / 7 % 7) as u8, rule);
        let mut walk = Walk::new(&game);
        for ply in 0..24usize {
            let (path, spot) = (walk.path(), walk.spot());
            assert_eq!(path.ruling(&game, &spot), walk.ruling(), "{game:?}");
            if walk.is_over() {
                let place = match walk.ruling() {
                    tabia_game::Ruling::Open => 0,
                    tabia_game::Ruling::Draw => 1,
                    tabia_game::Ruling::Loss(_) => 2,
                    tabia_game::Ruling::Payoff(..) => 3,
                };
                judged[place] += 1;
                break;
            }
            let mut legal = Vec::new();
            path.legal_moves(&game, &spot, &mut legal);
            assert_eq!(legal, walk.moves(), "{game:?}");
            walk.play(legal[(seed as usize / 3 + ply * 7) % legal.len()]);
        }
    }
    assert!(judged.iter().all(|&n| n > 50), "{judged:?}");
}

/// Payoffs of rulings are shared out.
#[test]
fn a_loss_is_paid_to_the_others() {
    let game = Cyclic::<3>::new(0, 4, Repetition::loss(2));
    let ruling = tabia_game::Ruling::Loss(Player(1));
    let payoffs: Vec<Payoff> = (0..3).map(|p| ruling.payoff(&game, Player(p))).collect();
    assert_eq!(payoffs, [1, -2, 1]);
}
