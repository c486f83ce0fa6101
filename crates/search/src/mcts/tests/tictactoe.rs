//! Every switch on a game of which everything is known.

use std::collections::HashMap;

use rand::RngExt;
use tabia_alignment::mnk::OpenRows;

use super::*;

type Board = <Mnk<u64> as Game>::State;

/// What every position of tic-tac-toe is worth to X.
fn solved(game: &Mnk<u64>, state: &Board, values: &mut HashMap<u64, (Board, i32)>) -> i32 {
    if let Some(&(_, value)) = values.get(&game.key(state)) {
        return value;
    }
    let value = match game.turn(state) {
        Turn::Player(player) => {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            let children = moves.into_iter().map(|mv| {
                let mut next = *state;
                game.play(&mut next, mv);
                solved(game, &next, values)
            });
            let best = match player {
                Player::FIRST => children.max(),
                _ => children.min(),
            };
            best.unwrap()
        }
        _ => game.payoff(state, Player::FIRST),
    };
    values.insert(game.key(state), (*state, value));
    value
}

fn tic_tac_toe() -> (Mnk<u64>, HashMap<u64, (Board, i32)>) {
    let game = Mnk::<u64>::new(3, 3, 3).unwrap();
    let mut values = HashMap::new();
    let start = game.start();
    assert_eq!(solved(&game, &start, &mut values), 0);
    (game, values)
}

#[test]
fn proofs_never_contradict_the_values_of_tic_tac_toe() {
    let (game, values) = tic_tac_toe();
    assert_eq!(values.len(), 5478);
    let config = Config {
        solver: true,
        ..PLAIN
    };
    let mut proved = 0;
    for (state, value) in values.values() {
        let path = Path::new();
        let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        let (root, _) = engine.grow(&at(&game, state, &path), &Limits::nodes(2_000));
        let (lower, upper) = one(root).bounds();
        if game.turn(state) == Turn::Over {
            continue;
        }
        assert!((lower..=upper).contains(value), "{state:?}");
        proved += u32::from(lower == upper);
        let found = engine.choose(at(&game, state, &path), &Limits::nodes(2_000));
        assert_eq!(found.solved, lower == upper);
        if found.solved {
            let mut next = *state;
            game.play(&mut next, found.best.unwrap());
            assert_eq!(values[&game.key(&next)].1, *value, "{state:?}");
            let sign = if game.turn(state) == Turn::Player(Player::FIRST) {
                1
            } else {
                -1
            };
            assert_eq!(found.value, Some(f64::from(sign * value)));
        }
    }
    assert!(proved > 2000, "{proved}");
}

/// All switches, one after the other, and some together.
fn switches() -> Vec<Config> {
    let base = Config {
        seed: 3,
        ..Config::PLAIN
    };
    vec![
        base,
        Config::default(),
        Config {
            selection: Selection::Tuned,
            ..base
        },
        Config {
            selection: Selection::Puct,
            exploration: 2.0,
            ..base
        },
        Config {
            amaf: Amaf::Rave,
            equivalence: 50.0,
            ..base
        },
        Config {
            amaf: Amaf::Grave,
            ..base
        },
        Config { bias: 0.5, ..base },
        Config {
            bias: 0.5,
            heuristic: Heuristic::Priority,
            ..base
        },
        Config {
            widening: 2,
            growth: 1.2,
            ..base
        },
        Config {
            implicit: 0.2,
            ..base
        },
        Config {
            policy: Policy::Uniform,
            ..base
        },
        Config {
            policy: Policy::Greedy,
            ..base
        },
        Config {
            policy: Policy::LastGoodReply,
            ..base
        },
        Config {
            policy: Policy::NGrams,
            ..base
        },
        Config { plies: 2, ..base },
        Config {
            final_move: FinalMove::Value,
            ..base
        },
        Config {
            threads: 2,
            solver: true,
            ..base
        },
        Config {
            threads: 2,
            parallel: Parallelization::Root,
            ..base
        },
        Config {
            threads: 2,
            parallel: Parallelization::Leaf,
            ..base
        },
        Config {
            reuse: true,
            ..base
        },
        Config {
            memory: 1 << 16,
            ..base
        },
        Config {
            expand: 3,
            playouts: 2,
            solver: true,
            reuse: true,
            amaf: Amaf::Rave,
            ..base
        },
        Config {
            selection: Selection::Puct,
            solver: true,
            implicit: 0.5,
            widening: 3,
            ..base
        },
    ]
}

/// No switch loses tic-tac-toe, from the start, to a player who never errs or to one who plays at
/// random.
#[test]
fn every_switch_holds_tic_tac_toe() {
    let (game, values) = tic_tac_toe();
    for (number, config) in switches().into_iter().enumerate() {
        for (own, perfect) in [(0, true), (1, true), (0, false), (1, false)] {
            let mut engine = Mcts::<_, _, WithoutChance>::new(config, OpenRows);
            Engine::<Mnk<u64>>::new_game(&mut engine, Seed::new(7));
            let mut rng = Seed::new(number as u64).rng();
            let (mut state, mut path) = (game.start(), Path::new());
            path.push(game.key(&state));
            while let Turn::Player(player) = game.turn(&state) {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                let mv = if player.index() == own {
                    let found = engine.choose(at(&game, &state, &path), &Limits::nodes(100_000));
                    assert!(found.nodes <= 100_000);
                    found.best.unwrap()
                } else {
                    let worth = |mv: &_| {
                        let mut next = state;
                        game.play(&mut next, *mv);
                        values[&game.key(&next)].1 * if player == Player::FIRST { 1 } else { -1 }
                    };
                    let best = moves.iter().map(worth).max().filter(|_| perfect);
                    moves.retain(|mv| best.is_none_or(|best| worth(mv) == best));
                    moves[rng.random_range(0..moves.len())]
                };
                game.play(&mut state, mv);
                path.push(game.key(&state));
            }
            assert!(
                game.payoff(&state, Player(own as u8)) >= 0,
                "{number} {config:?}"
            );
        }
    }
}

/// Trees that were kept and recycled prove nothing that their moves do not show: what is called
/// solved is played so.
#[test]
fn kept_and_recycled_proofs_are_right() {
    let (game, values) = tic_tac_toe();
    let config = Config {
        solver: true,
        reuse: true,
        memory: 1 << 16,
        ..PLAIN
    };
    let mut proved = 0;
    for seed in 0..60 {
        let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        Engine::<Mnk<u64>>::new_game(&mut engine, Seed::new(seed));
        let mut rng = Seed::new(seed).rng();
        let (mut state, mut path) = (game.start(), Path::new());
        path.push(game.key(&state));
        while let Turn::Player(player) = game.turn(&state) {
            let found = engine.choose(at(&game, &state, &path), &Limits::nodes(20_000));
            if found.solved {
                proved += 1;
                let sign = if player == Player::FIRST { 1 } else { -1 };
                let value = values[&game.key(&state)].1;
                assert_eq!(found.value, Some(f64::from(sign * value)));
                let mut next = state;
                game.play(&mut next, found.best.unwrap());
                assert_eq!(values[&game.key(&next)].1, value);
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            path.push(game.key(&state));
        }
    }
    assert!(proved > 100, "{proved}");
}
