//! Games with simultaneous moves: backward induction, simultaneous-move alpha-beta and double oracle agree, in fractions.

#![allow(clippy::unwrap_used)]

use num_rational::BigRational;
use proptest::prelude::*;
use rand::Rng;
use tabia_cards::goofspiel::{Goofspiel, Objective, Order, Ties};
use tabia_equilibrium::{Method, Solved, Stacked, solve};
use tabia_game::{
    Chance, Game, Hidden, Imperfect, Limits, Payoff, Player, Simultaneous, Stochastic, Text, Turn,
    TwoPlayer, zobrist,
};
use tabia_solve::expectation::ExpectationError;

const METHODS: [Method; 3] = [Method::Backward, Method::Smab, Method::Oracle];

fn found<G: Stacked>(game: &G, state: &G::State, method: Method) -> Solved {
    solve(game, state, method, 1 << 24, &Limits::default()).unwrap()
}

fn share(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn game(cards: u8, order: Order) -> Goofspiel {
    Goofspiel::new(cards, order, Objective::Points, Ties::Discard).unwrap()
}

/// Goofspiel with {1, 2, 4} against {1, 2, 3}: 31/20 with prizes in the order 1, 2, 3, 8/5 in the order 3, 2, 1, and 83/60
/// in random order.
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

/// Saffidine, Finnsson and Buro (2012): alpha-beta does with fewer positions than backward induction, and with no more matrices.
#[test]
fn smab_looks_at_fewer_positions() {
    for cards in 4..=5 {
        let game = game(cards, Order::Descending);
        let all = found(&game, &game.start(), Method::Backward).work;
        let pruned = found(&game, &game.start(), Method::Smab).work;
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

/// A random game: so many joint choices, some of them one-sided, with throws between them.
#[derive(Clone, Debug)]
struct Stack {
    seed: u64,
    depth: u8,
    most: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Level {
    node: u64,
    left: u8,
    thrown: bool,
    /// One more than the first player's choice, 0 before.
    bid: u8,
}

impl Stack {
    fn number(&self, level: &Level, salt: u64, range: u64) -> u64 {
        zobrist::number(self.seed ^ salt, level.node ^ u64::from(level.left)) % range
    }

    fn moves_of(&self, level: &Level, player: u64) -> u8 {
        1 + self.number(level, 10 + player, u64::from(self.most)) as u8
    }
}

impl Game for Stack {
    type State = Level;
    type Move = u8;
    type Undo = Level;
    type Luck = Stochastic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Level {
        Level {
            node: 1,
            left: self.depth,
            thrown: false,
            bid: 0,
        }
    }

    fn turn(&self, level: &Level) -> Turn {
        match (level.left, level.thrown, level.bid) {
            (0, ..) => Turn::Over,
            (_, false, _) => Turn::Chance,
            (_, _, 0) => Turn::Player(Player::FIRST),
            _ => Turn::Player(Player::SECOND),
        }
    }

    fn moves(&self, level: &Level, out: &mut Vec<u8>) {
        out.extend(
            0..match self.turn(level) {
                Turn::Over => 0,
                Turn::Chance => 1 + self.number(level, 5, 2) as u8,
                Turn::Player(player) => self.moves_of(level, u64::from(player.0)),
            },
        );
    }

    fn play(&self, level: &mut Level, mv: u8) -> Level {
        let before = level.clone();
        let step =
            |node: u64, by: u8| zobrist::mix(node.wrapping_mul(31).wrapping_add(u64::from(by) + 1));
        match self.turn(level) {
            Turn::Chance => (level.node, level.thrown) = (step(level.node, mv), true),
            Turn::Player(Player::FIRST) => level.bid = mv + 1,
            _ => {
                let node = step(step(level.node, level.bid), mv);
                *level = Level {
                    node,
                    left: level.left - 1,
                    thrown: false,
                    bid: 0,
                };
            }
        }
        before
    }

    fn undo(&self, level: &mut Level, before: Level) {
        *level = before;
    }

    fn payoff(&self, level: &Level, player: Player) -> Payoff {
        let value = self.number(level, 3, 19) as Payoff - 9;
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }

    fn max_payoff(&self) -> Payoff {
        9
    }
}

impl TwoPlayer for Stack {}

impl Hidden for Stack {
    type Observation = (Level, bool);

    fn observe(&self, level: &Level, player: Player) -> (Level, bool) {
        let secret = player == Player::SECOND && level.bid > 0;
        let bid = if secret { 0 } else { level.bid };
        (
            Level {
                bid,
                ..level.clone()
            },
            secret,
        )
    }

    fn sample_state<R: Rng + ?Sized>(&self, (level, secret): &(Level, bool), _: &mut R) -> Level {
        Level {
            bid: level.bid.max(u8::from(*secret)),
            ..level.clone()
        }
    }
}

impl Simultaneous for Stack {
    fn is_joint(&self, level: &Level) -> bool {
        self.turn(level) == Turn::Player(Player::FIRST)
    }
}

impl Chance for Stack {
    fn outcomes(&self, level: &Level, out: &mut Vec<(u8, u64)>) {
        let mut moves = Vec::new();
        self.moves(level, &mut moves);
        out.extend(moves.into_iter().map(|mv| (mv, 1 + u64::from(mv))));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &Level, _: &mut R) -> u8 {
        0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn methods_agree_on_random_games(seed in any::<u64>(), depth in 1u8..4, most in 1u8..4) {
        let game = Stack { seed, depth, most };
        let [one, other, third] = METHODS.map(|method| found(&game, &game.start(), method).value);
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(&one, &third);
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
