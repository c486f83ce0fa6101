//! Dyadic rationals against plain integer arithmetic, and sums of number, ups and star against
//! their definition.

use std::ops::Bound;

use proptest::prelude::*;
use tabia_cgt::{Dyadic, NumberUpStar, TooLarge, Value, Values};
use tabia_game::Player;

/// In 64ths, so that all below has at most six binary places.
fn sixty_fourths(n: i64) -> Dyadic {
    Dyadic::new(n, 6).unwrap()
}

#[test]
fn texts() {
    for text in [
        "0",
        "-3/4",
        "7",
        "-12",
        "1/4611686018427387904",
        "4611686018427387904",
    ] {
        assert_eq!(text.parse::<Dyadic>().unwrap().to_string(), text);
    }
    assert_eq!("6/8".parse::<Dyadic>().unwrap().to_string(), "3/4");
    for text in [
        "",
        "-",
        "1/",
        "/2",
        "1/3",
        "1/-2",
        "--1",
        "+1",
        "4611686018427387905",
        "1e3",
        "١",
    ] {
        assert!(text.parse::<Dyadic>().is_err(), "{text}");
    }
}

#[test]
fn what_passes_the_bounds_is_refused() {
    let (large, small) = (
        Dyadic::new(1 << 62, 0).unwrap(),
        Dyadic::new(1, 62).unwrap(),
    );
    assert_eq!(large.plus(Dyadic::ONE), Err(TooLarge));
    assert_eq!(large.double(), Err(TooLarge));
    assert_eq!(small.half(), Err(TooLarge));
    assert_eq!(large.plus(small), Err(TooLarge));
    assert_eq!(large.times(i64::MIN), Err(TooLarge));
    assert_eq!(Dyadic::new(i64::MIN, 0), Err(TooLarge));
    assert_eq!(Dyadic::new(1, u32::MAX), Err(TooLarge));
    assert_eq!(Dyadic::new(i64::MIN, 1), Ok(-large));
    assert_eq!(small.double(), Dyadic::new(1, 61));
    assert!(small > Dyadic::ZERO && small < large && -large < -small);
}

/// Conway (1976), chapter 2: the first number between, from the days on which numbers are born.
fn first_born(inside: impl Fn(Dyadic) -> bool) -> Option<Dyadic> {
    let candidates = (-640..=640).map(sixty_fourths).filter(|&x| inside(x));
    candidates.min_by_key(|x| x.birthday())
}

/// The depth of the canonical form of a number, by its options.
fn depth(values: &mut Values, g: Value) -> u64 {
    let options = [Player::FIRST, Player::SECOND].map(|p| values.options(g, p).unwrap().to_vec());
    let depths = options.concat().into_iter().map(|x| 1 + depth(values, x));
    depths.max().unwrap_or(0)
}

fn simple() -> impl Strategy<Value = NumberUpStar> {
    (-3i64..=3, -2i32..=2, 0u32..3).prop_map(|(number, up, nimber)| NumberUpStar {
        number: Dyadic::new(number, 1).unwrap(),
        up,
        nimber,
    })
}

/// A number-up-star from nothing but options: ups are added one by one as {0|*}, the star by its
/// heap.
fn by_definition(values: &mut Values, simple: NumberUpStar) -> Value {
    let mut heaps: Vec<Value> = Vec::new();
    for _ in 0..=simple.nimber {
        let next = values.from_options(&heaps, &heaps).unwrap();
        heaps.push(next);
    }
    let star = values.from_options(&heaps[..1], &heaps[..1]).unwrap();
    let arrow = match simple.up > 0 {
        true => values.from_options(&[Value::ZERO], &[star]).unwrap(),
        false => values.from_options(&[star], &[Value::ZERO]).unwrap(),
    };
    let mut total = heaps[simple.nimber as usize];
    for _ in 0..simple.up.abs() {
        total = written_out(values, total, arrow);
    }
    let number = values.number(simple.number).unwrap();
    written_out(values, total, number)
}

/// The sum from the options of both, without any shortcut.
fn written_out(values: &mut Values, g: Value, h: Value) -> Value {
    let mut sides = [Vec::new(), Vec::new()];
    for (side, player) in sides.iter_mut().zip([Player::FIRST, Player::SECOND]) {
        for (a, b) in [(g, h), (h, g)] {
            for option in values.options(a, player).unwrap().to_vec() {
                side.push(written_out(values, option, b));
            }
        }
    }
    values.from_options(&sides[0], &sides[1]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn arithmetic_is_that_of_64ths(a in -5000i64..5000, b in -5000i64..5000, n in -50i64..50) {
        let (x, y) = (sixty_fourths(a), sixty_fourths(b));
        prop_assert_eq!(x.plus(y).unwrap(), sixty_fourths(a + b));
        prop_assert_eq!(x.minus(y).unwrap(), sixty_fourths(a - b));
        prop_assert_eq!(x.times(n).unwrap(), sixty_fourths(a * n));
        prop_assert_eq!(x.half().unwrap().double().unwrap(), x);
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(-x, sixty_fourths(-a));
        prop_assert_eq!(x.floor(), a.div_euclid(64));
        prop_assert_eq!(x.ceil(), -(-a).div_euclid(64));
        prop_assert_eq!(x.to_string().parse::<Dyadic>().unwrap(), x);
    }

    #[test]
    fn the_simplest_number_is_the_first_born(
        a in -300i64..300,
        b in -300i64..300,
        kinds in (0..3, 0..3),
    ) {
        let bound = |kind: i32, x: Dyadic| match kind {
            0 => Bound::Included(x),
            1 => Bound::Excluded(x),
            _ => Bound::Unbounded,
        };
        // Multiples of 1/32, so that a number between two neighbours is a multiple of 1/64.
        let (x, y) = (sixty_fourths(2 * a), sixty_fourths(2 * b));
        let (lower, upper) = (bound(kinds.0, x), bound(kinds.1, y));
        let inside = |n: Dyadic| {
            (match kinds.0 { 0 => x <= n, 1 => x < n, _ => true })
                && match kinds.1 { 0 => n <= y, 1 => n < y, _ => true }
        };
        prop_assert_eq!(Dyadic::simplest_between(lower, upper).unwrap(), first_born(inside));
    }

    #[test]
    fn birthdays_of_numbers_are_depths(a in -300i64..300) {
        let values = &mut Values::new();
        let g = values.number(sixty_fourths(a)).unwrap();
        prop_assert_eq!(sixty_fourths(a).birthday(), depth(values, g));
    }

    #[test]
    fn the_options_of_a_number_up_star_make_it(x in simple()) {
        let values = &mut Values::new();
        let g = values.number_up_star(x).unwrap();
        prop_assert_eq!(by_definition(values, x), g);
        let left = values.options(g, Player::FIRST).unwrap().to_vec();
        let right = values.options(g, Player::SECOND).unwrap().to_vec();
        prop_assert_eq!(values.from_options(&left, &right).unwrap(), g);
    }

    #[test]
    fn closed_sums_and_comparisons_are_those_of_options(x in simple(), y in simple()) {
        let values = &mut Values::new();
        let (g, h) = (values.number_up_star(x).unwrap(), values.number_up_star(y).unwrap());
        prop_assert_eq!(values.sum(g, h).unwrap(), written_out(values, g, h));
        let at_most = le_by_options(values, g, h);
        prop_assert_eq!(values.le(g, h).unwrap(), at_most);
    }
}

/// Conway's definition of the order.
fn le_by_options(values: &mut Values, g: Value, h: Value) -> bool {
    let left = values.options(g, Player::FIRST).unwrap().to_vec();
    let right = values.options(h, Player::SECOND).unwrap().to_vec();
    !left.into_iter().any(|x| le_by_options(values, h, x))
        && !right.into_iter().any(|y| le_by_options(values, y, g))
}
