//! Bearing off in backgammon, in exact fractions: figures that others computed, and what is kept in
//! fixed point against what the solver finds.
use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use tabia_backgammon::backgammon::{
    Backgammon, Bearoff, Board, OneSided, POINTS, Roll, Rules, Side, homes, numbered_home,
};
use tabia_game::{Limits, Text};
use tabia_solve::expectation::expectation;

const MANY: u64 = 5_000_000;

fn fraction(n: u64, d: u64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// Every win counts as one point, so that a value is twice the probability less one.
fn game() -> Backgammon {
    let rules = Rules {
        gammons: false,
        ..Rules::default()
    };
    Backgammon::new(rules).unwrap()
}

/// The probability that White wins on roll.
fn win(position: &str) -> BigRational {
    let game = game();
    let state = game.parse_position(position).unwrap();
    let found = expectation(&game, &state, MANY, &Limits::default()).unwrap();
    (found.exact.unwrap() + BigRational::one()) / fraction(2, 1)
}

/// Positions of Hauk, Buro and Schaeffer (2004). The tests of bear-off in `tabia-backgammon` come
/// to the same by plain recursion.
#[test]
fn hauk_bear_off() {
    for (position, wanted) in [
        ("6/6 w roll", fraction(13, 16)),
        ("6:2/6:2 w roll", fraction(410_592_493, 544_195_584)),
        ("6,5/4,3 w roll", fraction(2_042_575, 3_779_136)),
        ("3:3/2:2,1 w roll", fraction(1_339, 1_728)),
        ("5,2/1 w roll", fraction(19, 36)),
    ] {
        assert_eq!(win(position), wanted, "{position}");
    }
}

/// Against a single checker on the ace point, which goes off next, one roll must do.
#[test]
fn hauk_one_roll_bear_off() {
    for (checkers, wanted) in [
        ("6", fraction(3, 4)),
        ("5,2", fraction(19, 36)),
        ("6,1", fraction(5, 12)),
        ("4,3", fraction(17, 36)),
        ("6:2", fraction(1, 9)),
        ("5:2", fraction(1, 6)),
    ] {
        assert_eq!(win(&format!("{checkers}/1 w roll")), wanted, "{checkers}");
    }
}

#[test]
fn chances_in_fixed_point_are_the_fractions_rounded() {
    let (game, bearoff) = (game(), Bearoff::new());
    for position in [
        "6:2/6:2 w roll",
        "6,5,1/4,3,1 w roll",
        "6:3/5:3 w roll",
        "2:2,1:3/3:2,2 w roll",
        "1:5/1:4 w roll",
    ] {
        let state = game.parse_position(position).unwrap();
        let found = bearoff.probability(state.board()).unwrap().to_f64();
        let exact = win(position).to_f64().unwrap();
        // Half a unit for each turn, of which there are fewer than ten.
        assert!(
            (found - exact).abs() < 5.0 / f64::from(u32::MAX),
            "{position}"
        );
    }
}

/// The least mean number of rolls, by the rules of the game and in fractions.
fn mean(side: Side, known: &mut HashMap<Side, BigRational>) -> BigRational {
    if side.iter().all(|&n| n == 0) {
        return BigRational::zero();
    }
    if let Some(mean) = known.get(&side) {
        return mean.clone();
    }
    let mut alone = [0; POINTS + 1];
    alone[0] = 1;
    let board = Board::new([side, alone]).unwrap();
    let mut sum = BigRational::zero();
    for (roll, weight) in Roll::all() {
        let mut plays = Vec::new();
        board.plays(roll, &mut plays);
        let after = plays.into_iter().map(|play| board.after(play).sides()[0]);
        let least = after.map(|after| mean(after, known)).min().unwrap();
        sum += least * fraction(weight, 36);
    }
    let mean = sum + BigRational::one();
    known.insert(side, mean.clone());
    mean
}

fn side(points: &[usize]) -> Side {
    let mut side = [0; POINTS + 1];
    points.iter().for_each(|point| side[point - 1] += 1);
    side
}

#[test]
fn hauk_mean_rolls() {
    let mut known = HashMap::new();
    for (points, wanted) in [
        (&[6][..], fraction(5, 4)),
        (&[6, 6], fraction(49_213, 23_328)),
        (&[5, 5], fraction(22_331, 11_664)),
        (&[1, 1, 1, 1], fraction(11, 6)),
        (
            &[6, 6, 5, 5, 4, 4],
            fraction(9_390_411_415_031, 2_115_832_430_592),
        ),
    ] {
        assert_eq!(mean(side(points), &mut known), wanted, "{points:?}");
    }
    // And all homes of up to five checkers in floating point.
    let one_sided = OneSided::new();
    for number in 0..homes(5) {
        let mut side = [0; POINTS + 1];
        side[..6].copy_from_slice(&numbered_home(number));
        let exact = mean(side, &mut known).to_f64().unwrap();
        let found = one_sided.mean(&side).unwrap();
        assert!((found - exact).abs() < 1e-13, "{number}: {found} {exact}");
    }
}
