//! Laws of values on random games, and plain minimax on literal trees as the judge of the canonical
//! forms.

use std::cmp::Ordering;

use crate::common::{Plain, all_small_trees, mover_wins, outcome, trees};
use proptest::prelude::*;
use tabia_cgt::{Dyadic, Tree, Value, Values};
use tabia_game::Player;

fn value(values: &mut Values, tree: &Tree) -> Value {
    tree.value(values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_outcome_is_that_of_minimax(tree in trees(4, 3)) {
        let values = &mut Values::new();
        let g = value(values, &tree);
        prop_assert_eq!(values.outcome(g).unwrap(), outcome(&[&Plain::of_tree(&tree)]));
    }

    #[test]
    fn comparison_is_that_of_minimax(a in trees(2, 2), b in trees(2, 2)) {
        let values = &mut Values::new();
        let (g, h) = (value(values, &a), value(values, &b));
        let (x, y) = (Plain::of_tree(&a), Plain::of_tree(&b));
        let difference = [&y, &x.negative()];
        let le = !mover_wins(&difference, Player::SECOND);
        let ge = !mover_wins(&difference, Player::FIRST);
        prop_assert_eq!(values.le(g, h).unwrap(), le);
        prop_assert_eq!(values.le(h, g).unwrap(), ge);
        prop_assert_eq!(g == h, le && ge, "equal values have equal names");
    }

    #[test]
    fn sums_are_those_written_out(a in trees(2, 2), b in trees(2, 2)) {
        let values = &mut Values::new();
        let (g, h) = (value(values, &a), value(values, &b));
        let written_out = Plain::of_tree(&a).plus(&Plain::of_tree(&b)).value(values);
        prop_assert_eq!(values.sum(g, h).unwrap(), written_out);
    }

    #[test]
    fn negatives_are_those_written_out(a in trees(4, 3)) {
        let values = &mut Values::new();
        let g = value(values, &a);
        let written_out = Plain::of_tree(&a).negative().value(values);
        prop_assert_eq!(values.negative(g).unwrap(), written_out);
    }

    #[test]
    fn values_are_an_abelian_group(a in trees(3, 2), b in trees(3, 2), c in trees(3, 2)) {
        let v = &mut Values::new();
        let (a, b, c) = (value(v, &a), value(v, &b), value(v, &c));
        let ab = v.sum(a, b).unwrap();
        let bc = v.sum(b, c).unwrap();
        prop_assert_eq!(v.sum(ab, c).unwrap(), v.sum(a, bc).unwrap());
        prop_assert_eq!(ab, v.sum(b, a).unwrap());
        prop_assert_eq!(v.sum(a, Value::ZERO).unwrap(), a);
        prop_assert_eq!(v.difference(ab, ab).unwrap(), Value::ZERO);
        prop_assert_eq!(v.difference(ab, b).unwrap(), a);
        let (minus_a, minus_b) = (v.negative(a).unwrap(), v.negative(b).unwrap());
        prop_assert_eq!(v.negative(ab).unwrap(), v.sum(minus_a, minus_b).unwrap());
        prop_assert_eq!(v.negative(minus_a).unwrap(), a);
        let (once, twice) = (v.sum(a, a).unwrap(), v.multiple(a, 3).unwrap());
        prop_assert_eq!(v.sum(once, a).unwrap(), twice);
    }

    #[test]
    fn values_are_partly_ordered(a in trees(3, 2), b in trees(3, 2), c in trees(2, 2)) {
        let v = &mut Values::new();
        let (a, b, c) = (value(v, &a), value(v, &b), value(v, &c));
        let (ab, ba) = (v.le(a, b).unwrap(), v.le(b, a).unwrap());
        prop_assert_eq!(ab && ba, a == b);
        if ab && v.le(b, c).unwrap() {
            prop_assert!(v.le(a, c).unwrap());
        }
        let (ac, bc) = (v.sum(a, c).unwrap(), v.sum(b, c).unwrap());
        prop_assert_eq!(v.le(ac, bc).unwrap(), ab, "order does not change by adding");
        let difference = v.difference(a, b).unwrap();
        prop_assert_eq!(v.compare(a, b).unwrap(), v.compare(difference, Value::ZERO).unwrap());
    }

    #[test]
    fn superfluous_options_change_nothing(
        left in prop::collection::vec(trees(2, 2), 1..4),
        right in prop::collection::vec(trees(2, 2), 1..4),
        other in trees(2, 2),
        seed in any::<prop::sample::Index>(),
    ) {
        let v = &mut Values::new();
        let mut lefts: Vec<Value> = left.iter().map(|t| value(v, t)).collect();
        let mut rights: Vec<Value> = right.iter().map(|t| value(v, t)).collect();
        let g = v.from_options(&lefts, &rights).unwrap();
        let extra = value(v, &other);
        // Gift horses, which a player would not take in a good position, may be added without harm.
        if !v.le(g, extra).unwrap() {
            lefts.push(extra);
        }
        if !v.le(extra, g).unwrap() {
            rights.push(extra);
        }
        let shift = seed.index(lefts.len());
        lefts.rotate_left(shift);
        rights.reverse();
        prop_assert_eq!(v.from_options(&lefts, &rights).unwrap(), g);
    }

    #[test]
    fn a_reversible_option_can_be_put_back(tree in trees(3, 2), other in trees(2, 2)) {
        let v = &mut Values::new();
        let g = value(v, &tree);
        let lefts = v.options(g, Player::FIRST).unwrap().to_vec();
        let rights = v.options(g, Player::SECOND).unwrap().to_vec();
        prop_assert_eq!(v.from_options(&lefts, &rights).unwrap(), g, "its own options make it");
        // A left option that threatens something, to which Right answers with g itself.
        let threat = value(v, &other);
        let detour = v.from_options(&[threat], &[g]).unwrap();
        let with_detour = [&lefts[..], &[detour]].concat();
        prop_assert_eq!(v.from_options(&with_detour, &rights).unwrap(), g);
    }

    #[test]
    fn canonical_forms_have_no_superfluous_options(tree in trees(4, 3)) {
        let v = &mut Values::new();
        let g = value(v, &tree);
        let sides = [Player::FIRST, Player::SECOND].map(|p| (p, v.options(g, p).unwrap().to_vec()));
        for (player, options) in &sides {
            for &a in options {
                for &b in options {
                    prop_assert!(a == b || !v.le(a, b).unwrap(), "dominated");
                }
                let answers = v.options(a, player.other()).unwrap().to_vec();
                for answer in answers {
                    let reversible = match *player {
                        Player::FIRST => v.le(answer, g).unwrap(),
                        _ => v.le(g, answer).unwrap(),
                    };
                    prop_assert!(!reversible, "reversible");
                }
            }
        }
    }

    #[test]
    fn stops_are_where_play_stops(tree in trees(4, 3)) {
        let v = &mut Values::new();
        let g = value(v, &tree);
        let (left, right) = (v.left_stop(g), v.right_stop(g));
        prop_assert!(left >= right);
        if let Some(number) = v.as_number(g) {
            prop_assert_eq!((left, right), (number, number));
        }
        // Left, moving first, reaches the left stop but no more.
        let step = Dyadic::new(1, 20).unwrap();
        let (above, below) = (left.plus(step).unwrap(), left.minus(step).unwrap());
        for (number, at_most) in [(above, true), (below, false)] {
            let x = v.number(number).unwrap();
            prop_assert_eq!(v.le(g, x).unwrap(), at_most);
        }
    }

    #[test]
    fn texts_give_the_value_back(tree in trees(4, 3)) {
        let v = &mut Values::new();
        let g = value(v, &tree);
        let text = v.write(g).unwrap();
        prop_assert_eq!(v.read(&text).unwrap(), g, "{}", text);
        let fresh = &mut Values::new();
        let again = fresh.read(&text).unwrap();
        prop_assert_eq!(fresh.write(again).unwrap(), text, "the text does not depend on the store");
    }

    #[test]
    fn birthdays_are_depths(tree in trees(4, 3)) {
        fn depth(v: &mut Values, g: Value) -> u64 {
            let all: Vec<Value> = [Player::FIRST, Player::SECOND]
                .iter()
                .flat_map(|&p| v.options(g, p).unwrap().to_vec())
                .collect();
            all.into_iter().map(|x| 1 + depth(v, x)).max().unwrap_or(0)
        }
        let v = &mut Values::new();
        let g = value(v, &tree);
        prop_assert_eq!(v.birthday(g).unwrap(), depth(v, g));
    }

    #[test]
    fn incentives_are_what_moves_gain(tree in trees(3, 3)) {
        let v = &mut Values::new();
        let g = value(v, &tree);
        for (player, sign) in [(Player::FIRST, 1), (Player::SECOND, -1)] {
            let options = v.options(g, player).unwrap().to_vec();
            let incentives = v.incentives(g, player).unwrap();
            prop_assert_eq!(options.len(), incentives.len());
            for (option, incentive) in options.into_iter().zip(incentives) {
                let gained = v.multiple(incentive, sign).unwrap();
                prop_assert_eq!(v.sum(g, gained).unwrap(), option);
                let gains = v.le(Value::ZERO, incentive).unwrap();
                prop_assert!(!gains, "the other player can undo a move");
            }
        }
    }

    /// By definition a value of integer weight n lies with n ups taken away between down and up
    /// plus a remote star.
    #[test]
    fn atomic_weights_count_ups(tree in all_small_trees(), other in all_small_trees()) {
        let v = &mut Values::new();
        let (g, h) = (value(v, &tree), value(v, &other));
        let weight = v.atomic_weight(g).unwrap().unwrap();
        let other_weight = v.atomic_weight(h).unwrap().unwrap();
        let both = v.sum(g, h).unwrap();
        let weight_of_both = v.atomic_weight(both).unwrap().unwrap();
        prop_assert_eq!(weight_of_both, v.sum(weight, other_weight).unwrap(), "weights add");
        let Some(number) = v.as_number(weight).filter(|n| n.is_integer()) else { return Ok(()) };
        let ups = v.ups(number.numerator() as i32).unwrap();
        let rest = v.difference(g, ups).unwrap();
        let remote = v.nimber(64).unwrap();
        let (up, down) = (v.ups(1).unwrap(), v.ups(-1).unwrap());
        let (above, below) = (v.sum(up, remote).unwrap(), v.sum(down, remote).unwrap());
        prop_assert!(v.le(below, rest).unwrap() && v.le(rest, above).unwrap());
        if number >= Dyadic::from(2) {
            let order = v.compare(g, Value::ZERO).unwrap();
            prop_assert_eq!(order, Some(Ordering::Greater), "two ahead");
        }
    }
}
