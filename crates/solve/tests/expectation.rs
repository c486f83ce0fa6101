//! Exact values of small games with chance, against figures that others computed and against plain
//! recursion.
use num_rational::{BigRational, Ratio};
use tabia_alignment::dice::{Dice, FullLine};
use tabia_breakthrough::chance_breakthrough::{ChanceBreakthrough, Move};
use tabia_game::{CERTAIN, Game, Limits, Text};
use tabia_kit::chance_tree::{ChanceTree, Hashed};
use tabia_search::chance::{Config, StarMinimax};
use tabia_small::pig::Pig;
use tabia_solve::expectation::{ExpectationError, expectation};

use crate::support::plain_chance_breakthrough::PlainChanceBreakthrough;
use crate::support::plain_dice::PlainDice;

const MANY: u64 = 50_000_000;

fn fraction(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// Hauk (2004), chapter 4: values of Dice for X before X's roll; [`PlainDice`] comes to the same.
#[test]
fn hauk_exact_values_of_dice() {
    let cases = [
        (2, 2, [fraction(1, 2), fraction(1, 1)]),
        (3, 2, [fraction(151, 243), fraction(53, 81)]),
        (
            3,
            3,
            [fraction(392_411, 1_469_664), fraction(6_079, 17_496)],
        ),
    ];
    for (m, k, wanted) in cases {
        for (full, wanted) in [FullLine::Pass, FullLine::Reroll].into_iter().zip(wanted) {
            let game = Dice::<u64>::new(m, k, full).unwrap();
            let found = expectation(&game, &game.start(), MANY, &Limits::default()).unwrap();
            let plain = PlainDice {
                m,
                k,
                reroll: full == FullLine::Reroll,
            };
            assert_eq!(plain.value(), wanted, "({m},{k}) {full:?}");
            assert_eq!(found.exact, Some(wanted), "({m},{k}) {full:?}");
        }
    }
}

/// After X's first stone, O to roll.
#[test]
fn hauk_dice_3_3_after_the_first_stone() {
    let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    for (text, wanted) in [
        ("x2/3/3 o", 0.196927716131034),
        ("3/1x1/3 o", 0.407166433960415),
    ] {
        let state = game.parse_position(text).unwrap();
        let found = expectation(&game, &state, MANY, &Limits::default()).unwrap();
        assert!(
            (found.value - wanted).abs() < 1e-15,
            "{text}: {}",
            found.value
        );
    }
}

/// Schadd (2011), section 5.4.1: small boards of ChanceBreakthrough, White to move, as
/// [`PlainChanceBreakthrough`] finds them; with Black to move the values are the opposite.
#[test]
fn schadd_exact_values_of_chance_breakthrough() {
    let cases = [
        (2, 4, 1, -0.024495442708333),
        (3, 4, 1, 0.613541225717664),
        (3, 5, 1, 0.433911579441032),
        (2, 5, 2, -0.043725407531982),
    ];
    for (width, height, filled, wanted) in cases {
        let game = ChanceBreakthrough::<u64>::new(width, height, filled).unwrap();
        let found = expectation(&game, &game.start(), MANY, &Limits::default()).unwrap();
        assert!(
            (found.value - wanted).abs() < 5e-15,
            "{width}x{height}: {}",
            found.value
        );
        let plain = PlainChanceBreakthrough { width, height }.value(filled);
        assert!((plain - wanted).abs() < 1e-13, "{width}x{height}: {plain}");
        assert!(found.cyclic > 0);
    }
}

#[test]
fn schadd_chance_breakthrough_is_the_same_for_both_sides() {
    let game = ChanceBreakthrough::<u64>::new(2, 4, 1).unwrap();
    let value = |text: &str| {
        let state = game.parse_position(text).unwrap();
        expectation(&game, &state, MANY, &Limits::default()).unwrap()
    };
    let (white, black) = (value("bb/2/2/ww w"), value("bb/2/2/ww b"));
    assert_eq!(white.exact.unwrap(), -black.exact.unwrap());
}

/// On 2x5 with two ranks filled rolling is the best first move: the roll is worth as much as the
/// position.
#[test]
fn schadd_2x5_rolling_is_best() {
    let game = ChanceBreakthrough::<u64>::new(2, 5, 2).unwrap();
    let value = |state: &_| {
        expectation(&game, state, MANY, &Limits::default())
            .unwrap()
            .value
    };
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    let best = moves.into_iter().max_by(|&a, &b| {
        let after = |mv| {
            let mut state = start;
            game.play(&mut state, mv);
            value(&state)
        };
        after(a).total_cmp(&after(b))
    });
    assert_eq!(best, Some(Move::Roll));
}

/// Neller and Presser (2004): who begins wins Pig to 100 points with a probability of 53.06 per
/// cent.
#[test]
#[ignore = "half a minute: tabia reproduce proofs pig"]
fn neller_presser_pig() {
    let pig = Pig::new(100);
    let found = expectation(&pig, &pig.start(), MANY, &Limits::default()).unwrap();
    let wins = (found.value + 1.0) / 2.0;
    assert!((wins - 0.5306).abs() < 5e-5, "{wins}");
}

/// Random trees against Expectimax.
#[test]
fn trees_agree_with_expectimax() {
    for seed in 0..300 {
        let tree = ChanceTree {
            seed,
            depth: 6,
            branching: [3, 3],
            weights: 4,
            irregular: seed % 2 == 0,
            width: [0, 5][seed as usize / 2 % 2],
            range: 7,
        };
        let found = expectation(&tree, &tree.start(), MANY, &Limits::default()).unwrap();
        let mut engine = StarMinimax::<_, Ratio<i128>>::new(Config::default(), Hashed);
        let searched = engine
            .search(&tree, &tree.start(), 9, &Limits::default())
            .unwrap();
        let value = searched.value / Ratio::from_integer(i128::from(CERTAIN));
        let wanted = BigRational::new((*value.numer()).into(), (*value.denom()).into());
        assert_eq!(found.exact, Some(wanted), "seed {seed}");
    }
}

#[test]
fn too_many_positions_are_refused() {
    let game = Dice::<u64>::new(4, 4, FullLine::Pass).unwrap();
    let refused = expectation(&game, &game.start(), 1000, &Limits::default());
    assert_eq!(refused, Err(ExpectationError::Memory(1000)));
    let stopped = expectation(&game, &game.start(), MANY, &Limits::nodes(100));
    assert!(matches!(stopped, Err(ExpectationError::Stopped(_))));
}
