//! Games with simultaneous moves: backward induction, simultaneous-move alpha-beta and double
//! oracle agree, in fractions.

#![allow(clippy::unwrap_used)]

use num_rational::BigRational;
use proptest::prelude::*;
use tabia_cards::goofspiel::{Goofspiel, Objective, Order, Ties};
use tabia_equilibrium::{EquilibriumMethod, Solved, Stacked, solve};
use tabia_game::{Deterministic, Game, Limits, Player, Stochastic, Text, Turn};
use tabia_kit::joint_tree::JointTree;
use tabia_small::oshizumo::OshiZumo;
use tabia_solve::expectation::ExpectationError;

const METHODS: [EquilibriumMethod; 3] = [
    EquilibriumMethod::Backward,
    EquilibriumMethod::Smab,
    EquilibriumMethod::Oracle,
];

fn found<G: Stacked>(game: &G, state: &G::State, method: EquilibriumMethod) -> Solved {
    solve(game, state, method, 1 << 24, &Limits::default()).unwrap()
}

fn share(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn game(cards: u8, order: Order) -> Goofspiel {
    Goofspiel::new(cards, order, Objective::Points, Ties::Discard).unwrap()
}

/// Goofspiel with {1, 2, 4} against {1, 2, 3}: 31/20 with prizes in the order 1, 2, 3, 8/5 in the
/// order 3, 2, 1, and 83/60 in random order.
#[test]
fn goofspiel_rationals() {
    for (order, value) in [
        (Order::Ascending, share(31, 20)),
        (Order::Descending, share(8, 5)),
        (Order::Random, share(83, 60)),
    ] {
        let game = game(3, order);
        let state = game.parse_position("1,2,4/1,2,3 1,2,3").unwrap();
        for method in METHODS {
            assert_eq!(
                found(&game, &state, method).value,
                value,
                "{order:?} {method:?}"
            );
        }
        // The other way round the sign changes.
        let state = game.parse_position("1,2,3/1,2,4 1,2,3").unwrap();
        for method in METHODS {
            assert_eq!(
                found(&game, &state, method).value,
                -&value,
                "{order:?} {method:?}"
            );
        }
    }
}

/// With equal hands neither player is better off, whatever is played for.
#[test]
fn goofspiel_symmetric_hands_are_worth_nothing() {
    for cards in 1..=4 {
        for order in [Order::Ascending, Order::Descending, Order::Random] {
            for objective in [Objective::Points, Objective::Win] {
                for ties in [Ties::Discard, Ties::Carry] {
                    let game = Goofspiel::new(cards, order, objective, ties).unwrap();
                    for method in METHODS {
                        let found = found(&game, &game.start(), method);
                        assert_eq!(found.value, share(0, 1), "{game:?} {method:?}");
                    }
                }
            }
        }
    }
}

/// Points that lie with the players are added to the value of the rest.
#[test]
fn what_is_settled_is_added() {
    let game = game(4, Order::Descending);
    let plain = game.parse_position("1,2,4/1,2,3 1,2,3").unwrap();
    let ahead = game.parse_position("1,2,4/1,2,3 1,2,3 lead=-4").unwrap();
    for method in METHODS {
        let (one, other) = (found(&game, &plain, method), found(&game, &ahead, method));
        assert_eq!(one.value - share(4, 1), other.value);
    }
}

/// Saffidine, Finnsson and Buro (2012): alpha-beta does with fewer positions than backward
/// induction, and with no more matrices.
#[test]
fn smab_looks_at_fewer_positions() {
    for cards in 4..=5 {
        let game = game(cards, Order::Descending);
        let all = found(&game, &game.start(), EquilibriumMethod::Backward).work;
        let pruned = found(&game, &game.start(), EquilibriumMethod::Smab).work;
        assert!(pruned.matrices <= all.matrices, "{pruned:?} {all:?}");
        assert!(pruned.positions < all.positions, "{pruned:?} {all:?}");
    }
}

#[test]
fn limits_are_heeded() {
    let game = game(6, Order::Random);
    for method in METHODS {
        let few = solve(&game, &game.start(), method, 10, &Limits::default());
        assert_eq!(few.unwrap_err(), ExpectationError::Memory(10));
        let short = solve(&game, &game.start(), method, 1 << 20, &Limits::nodes(10));
        assert!(matches!(short, Err(ExpectationError::Stopped(_))));
    }
}

/// The value as a single matrix game over pure strategies, which tells nothing of stacks of
/// matrices: a pure strategy is a choice at each information set of a player, found by walking the
/// game with the observations of both players.
mod normal_form {
    use super::*;
    use std::collections::HashMap;
    use tabia_equilibrium::{Events, matrix};
    use tabia_game::ObservationOf;

    type Known<G> = HashMap<ObservationOf<G>, usize>;

    /// The information sets of each player, numbered, and how many moves there are at each.
    struct Sets<G: Stacked> {
        numbers: [Known<G>; 2],
        widths: [Vec<usize>; 2],
    }

    fn list<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves
    }

    fn collect<G: Stacked>(
        game: &G,
        start: &G::State,
        line: &mut Vec<G::Move>,
        sets: &mut Sets<G>,
    ) {
        let mut state = start.clone();
        for &mv in line.iter() {
            game.play(&mut state, mv);
        }
        let moves = list(game, &state);
        if let Turn::Player(player) = game.turn(&state) {
            let place = player.index();
            let set = game.observe(start, line, player);
            let new = sets.widths[place].len();
            if *sets.numbers[place].entry(set).or_insert(new) == new {
                sets.widths[place].push(moves.len());
            }
        }
        for mv in moves {
            line.push(mv);
            collect(game, start, line, sets);
            line.pop();
        }
    }

    /// What the first player gets on average if both play these strategies.
    fn play<G: Stacked>(
        game: &G,
        start: &G::State,
        line: &mut Vec<G::Move>,
        sets: &Sets<G>,
        plans: [&[usize]; 2],
    ) -> BigRational {
        let mut state = start.clone();
        for &mv in line.iter() {
            game.play(&mut state, mv);
        }
        match game.turn(&state) {
            Turn::Over => share(game.payoff(&state, Player::FIRST).into(), 1),
            Turn::Player(player) => {
                let place = player.index();
                let set = game.observe(start, line, player);
                let choice = plans[place][sets.numbers[place][&set]];
                follow(game, start, line, list(game, &state)[choice], sets, plans)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                <G::Luck as Events<G>>::outcomes(game, &state, &mut outcomes);
                let whole: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
                let parts = outcomes.into_iter().map(|(mv, weight)| {
                    let value = follow(game, start, line, mv, sets, plans);
                    value * BigRational::new(weight.into(), whole.into())
                });
                parts.sum()
            }
        }
    }

    fn follow<G: Stacked>(
        game: &G,
        start: &G::State,
        line: &mut Vec<G::Move>,
        mv: G::Move,
        sets: &Sets<G>,
        plans: [&[usize]; 2],
    ) -> BigRational {
        line.push(mv);
        let value = play(game, start, line, sets, plans);
        line.pop();
        value
    }

    /// All pure strategies, if there are no more than these.
    fn strategies(widths: &[usize], most: usize) -> Option<Vec<Vec<usize>>> {
        let mut all = vec![Vec::new()];
        for &width in widths {
            let longer = |plan: &Vec<usize>| {
                let plan = plan.clone();
                (0..width).map(move |choice| [&plan[..], &[choice]].concat())
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }

    /// The value; nothing if there are too many strategies.
    pub fn value<G: Stacked>(game: &G, start: &G::State, most: usize) -> Option<BigRational> {
        let mut sets = Sets {
            numbers: Default::default(),
            widths: Default::default(),
        };
        collect(game, start, &mut Vec::new(), &mut sets);
        let rows = strategies(&sets.widths[0], most)?;
        let columns = strategies(&sets.widths[1], most)?;
        let line = |row: &Vec<usize>| {
            let entry =
                |column: &Vec<usize>| play(game, start, &mut Vec::new(), &sets, [row, column]);
            columns.iter().map(entry).collect::<Vec<_>>()
        };
        let matrix: Vec<_> = rows.iter().map(line).collect();
        Some(matrix::solve(&matrix)?.value)
    }
}

fn check_methods<G: Stacked>(game: &G) -> Result<BigRational, TestCaseError> {
    let [one, other, third] = METHODS.map(|method| found(game, &game.start(), method).value);
    prop_assert_eq!(&one, &other);
    prop_assert_eq!(&one, &third);
    Ok(one)
}

/// Oshi-Zumo has no chance. Equal coins are worth nothing; other positions are compared with their
/// normal forms.
#[test]
fn oshi_zumo_is_solved_without_chance() {
    let game = OshiZumo::new(6, 2, 1);
    for method in METHODS {
        assert_eq!(found(&game, &game.start(), method).value, share(0, 1));
    }
    let (mut solved, mut mixed) = (0, 0);
    let game = OshiZumo::new(5, 1, 1);
    for (first, second, place) in (0..75).map(|n| (n / 15, n / 3 % 5, n % 3 - 1)) {
        let text = format!("{first}/{second} {place}");
        let state = game.parse_position(&text).unwrap();
        let Some(expected) = normal_form::value(&game, &state, 400) else {
            continue;
        };
        for method in METHODS {
            let value = found(&game, &state, method).value;
            assert_eq!(value, expected, "{text} {method:?}");
        }
        solved += 1;
        mixed += u32::from(!expected.is_integer());
    }
    assert!(solved > 40 && mixed > 1, "{solved} {mixed}");
}

/// The three methods find the value of the matrix of all pure strategies, with chance and without,
/// whoever of the two chooses first.
#[test]
fn methods_find_the_value_of_the_normal_form() {
    let (mut solved, mut mixed) = (0, 0);
    for seed in 0..150 {
        let plain = JointTree::<2, Deterministic>::new(seed, 1 + seed as u8 % 3, 3);
        let lucky = JointTree::<2, Stochastic>::new(seed, 1 + seed as u8 % 2, 3);
        let expected = [
            normal_form::value(&plain, &plain.start(), 80),
            normal_form::value(&lucky, &lucky.start(), 80),
        ];
        let known = [check_methods(&plain), check_methods(&lucky)];
        for (expected, known) in expected.into_iter().zip(known) {
            let Some(expected) = expected else { continue };
            assert_eq!(known.unwrap(), expected, "{seed}");
            solved += 1;
            mixed += u32::from(!expected.is_integer());
        }
    }
    assert!(solved > 100 && mixed > 20, "{solved} {mixed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn methods_agree_on_random_games(seed in any::<u64>(), depth in 1u8..4, most in 1u8..4) {
        check_methods(&JointTree::<2, Stochastic>::new(seed, depth, most))?;
        check_methods(&JointTree::<2, Deterministic>::new(seed, depth, most))?;
    }

    /// Hands of any cards, for any prizes.
    #[test]
    fn methods_agree_on_random_deals(
        hands in prop::array::uniform2(prop::sample::subsequence((1..=9u8).collect::<Vec<_>>(), 3)),
        prizes in prop::sample::subsequence((1..=9u8).collect::<Vec<_>>(), 3),
        order in prop::sample::select(vec![Order::Ascending, Order::Descending, Order::Random]),
        win in any::<bool>(),
    ) {
        let objective = if win { Objective::Win } else { Objective::Points };
        let game = Goofspiel::new(9, order, objective, Ties::Discard).unwrap();
        let joined = |cards: &[u8]| cards.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let text = format!("{}/{} {}", joined(&hands[0]), joined(&hands[1]), joined(&prizes));
        let state = game.parse_position(&text).unwrap();
        let [one, other, third] = METHODS.map(|method| found(&game, &state, method).value);
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(&one, &third);
    }
}
