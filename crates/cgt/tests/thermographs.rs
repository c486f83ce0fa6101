//! Laws of thermographs on random games.

use crate::common::trees;
use proptest::prelude::*;
use tabia_cgt::{Dyadic, Thermograph, Tree, Value, Values};
use tabia_game::Player;

fn eighths(n: i64) -> Dyadic {
    Dyadic::new(n, 3).unwrap()
}

fn sample_taxes() -> impl Iterator<Item = Dyadic> {
    (-8..40).map(eighths)
}

/// Both scaffolds at a tax, from the definition: the best option after paying the tax.
fn scaffold(tree: &Tree, tax: Dyadic) -> [Option<Dyadic>; 2] {
    let Tree::Options(left, right) = tree else {
        return [None, None];
    };
    let left = left.iter().map(|t| wall(t, tax)[1].minus(tax).unwrap());
    let right = right.iter().map(|t| wall(t, tax)[0].plus(tax).unwrap());
    [left.max(), right.min()]
}

/// Both walls at a tax, by bisection for the temperature and without any polyline.
fn wall(tree: &Tree, tax: Dyadic) -> [Dyadic; 2] {
    if let Tree::Integer(n) = tree {
        return [Dyadic::from(*n); 2];
    }
    let meets = |tax: Dyadic| match scaffold(tree, tax) {
        [Some(left), Some(right)] => left <= right,
        _ => true,
    };
    let bottom = Dyadic::from(-1);
    if meets(bottom) {
        let end = |x: Option<Dyadic>| match x {
            Some(x) => std::ops::Bound::Included(x),
            None => std::ops::Bound::Unbounded,
        };
        let [left, right] = scaffold(tree, bottom);
        let integer = Dyadic::simplest_between(end(left), end(right)).unwrap();
        return [integer.unwrap(); 2];
    }
    if !meets(tax) || tax == bottom {
        return scaffold(tree, tax).map(Option::unwrap);
    }
    // The temperature of a tree of this depth is a multiple of 1/16.
    let (mut low, mut high) = (
        bottom,
        Dyadic::new(tax.times(16).unwrap().ceil(), 4).unwrap(),
    );
    let least = Dyadic::new(1, 4).unwrap();
    while high.minus(low).unwrap() > least {
        let middle = low.plus(high).unwrap().half().unwrap();
        let middle = Dyadic::new(middle.times(16).unwrap().floor(), 4).unwrap();
        if meets(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    scaffold(tree, high).map(Option::unwrap)
}

fn walls_agree(a: &Thermograph, b: &Thermograph) -> bool {
    a.left() == b.left()
        && a.right() == b.right()
        && a.mean() == b.mean()
        && a.temperature() == b.temperature()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn literal_trees_and_canonical_values_agree(tree in trees(4, 3)) {
        let v = &mut Values::new();
        let g = tree.value(v).unwrap();
        let literal = tree.thermograph().unwrap();
        let canonical = v.thermograph(g).unwrap();
        prop_assert!(walls_agree(&literal, &canonical), "{:?} {:?}", literal, canonical);
        prop_assert_eq!(v.mean(g).unwrap(), literal.mean());
        prop_assert_eq!(v.temperature(g).unwrap(), literal.temperature());
    }

    #[test]
    fn walls_are_what_the_definition_says(tree in trees(3, 2)) {
        let graph = tree.thermograph().unwrap();
        for tax in sample_taxes() {
            let walls = [graph.left().at(tax).unwrap(), graph.right().at(tax).unwrap()];
            prop_assert_eq!(walls, wall(&tree, tax), "at {}", tax);
        }
    }

    #[test]
    fn walls_meet_in_the_mast(tree in trees(4, 3)) {
        let graph = tree.thermograph().unwrap();
        for tax in sample_taxes() {
            let (left, right) = (graph.left().at(tax).unwrap(), graph.right().at(tax).unwrap());
            prop_assert!(left >= right);
            prop_assert_eq!(left == right, tax >= graph.temperature());
            if tax >= graph.temperature() {
                prop_assert_eq!(left, graph.mean());
            }
        }
        for wall in [graph.left(), graph.right()] {
            prop_assert!(wall.points().is_sorted_by(|a, b| a.0 < b.0));
            prop_assert_eq!(wall.points()[0].0, Dyadic::from(-1));
        }
    }

    #[test]
    fn means_add_and_sums_are_not_hotter(a in trees(3, 2), b in trees(3, 2)) {
        let v = &mut Values::new();
        let (g, h) = (a.value(v).unwrap(), b.value(v).unwrap());
        let sum = v.sum(g, h).unwrap();
        let means = v.mean(g).unwrap().plus(v.mean(h).unwrap()).unwrap();
        prop_assert_eq!(v.mean(sum).unwrap(), means);
        let hottest = v.temperature(g).unwrap().max(v.temperature(h).unwrap());
        prop_assert!(v.temperature(sum).unwrap() <= hottest);
        if v.temperature(g).unwrap() != v.temperature(h).unwrap() {
            prop_assert_eq!(v.temperature(sum).unwrap(), hottest);
        }
    }

    #[test]
    fn stops_of_the_cooled_value_are_the_walls(
        tree in trees(3, 3),
        tax in (0..30i64).prop_map(eighths),
    ) {
        let v = &mut Values::new();
        let g = tree.value(v).unwrap();
        let graph = v.thermograph(g).unwrap();
        let cooled = v.cool(g, tax).unwrap().unwrap();
        prop_assert_eq!(v.left_stop(cooled), graph.left().at(tax).unwrap());
        prop_assert_eq!(v.right_stop(cooled), graph.right().at(tax).unwrap());
        prop_assert_eq!(v.cool(g, Dyadic::ZERO).unwrap(), Some(g));
        let further = v.cool(cooled, eighths(3)).unwrap();
        prop_assert_eq!(v.cool(g, tax.plus(eighths(3)).unwrap()).unwrap(), further, "taxes add");
    }

    #[test]
    fn cooling_respects_sums(
        a in trees(2, 2),
        b in trees(2, 2),
        tax in (0..30i64).prop_map(eighths),
    ) {
        let v = &mut Values::new();
        let (g, h) = (a.value(v).unwrap(), b.value(v).unwrap());
        let sum = v.sum(g, h).unwrap();
        let (cool_g, cool_h) = (v.cool(g, tax).unwrap().unwrap(), v.cool(h, tax).unwrap().unwrap());
        prop_assert_eq!(v.cool(sum, tax).unwrap().unwrap(), v.sum(cool_g, cool_h).unwrap());
    }

    #[test]
    fn pseudo_temperatures_are_the_last_taxes_at_no_cost(tree in trees(3, 2)) {
        let graph = tree.thermograph().unwrap();
        for (player, sign) in [(Player::FIRST, 0), (Player::SECOND, 1)] {
            let wall_at = |tax| [graph.left(), graph.right()][sign].at(tax).unwrap();
            let Some(last) = graph.pseudo_temperature(player) else {
                prop_assert_eq!(graph.temperature(), Dyadic::from(-1));
                for tax in sample_taxes().skip(1) {
                    prop_assert_ne!(scaffold(&tree, tax)[sign], Some(wall_at(tax)), "at {}", tax);
                }
                continue;
            };
            prop_assert!(last >= graph.temperature());
            prop_assert_eq!(scaffold(&tree, last)[sign], Some(wall_at(last)));
            let later = last.plus(Dyadic::new(1, 6).unwrap()).unwrap();
            prop_assert_ne!(scaffold(&tree, later)[sign], Some(wall_at(later)));
        }
    }
}

/// Both scaffolds of `2|0||0|-2` are 0 at all taxes up to 1: Left's threat is worth 0 when Right
/// answers it, which saves as much as Left's move cost. So it is worth 0 and has the temperature of
/// that integer, while either player can move at no cost up to tax 1.
#[test]
fn threats_on_both_sides_are_worth_nothing_and_cost_nothing() {
    let tree = Tree::read("2|0||0|-2").unwrap();
    let graph = tree.thermograph().unwrap();
    assert_eq!((graph.mean(), graph.temperature()), (0.into(), (-1).into()));
    for player in [Player::FIRST, Player::SECOND] {
        assert_eq!(graph.pseudo_temperature(player), Some(1.into()));
    }
    assert_eq!(tree.value(&mut Values::new()), Ok(Value::ZERO));
}

#[test]
fn overheating_by_hand() {
    let v = &mut Values::new();
    let mut read = |text: &str| v.read(text).unwrap();
    let (unit, bonus) = (read("1*"), read("5/2"));
    // 1/2 = {0|1} becomes {bonus | unit - bonus}; 3 becomes three units.
    for (text, overheated) in [
        ("1/2", "{5/2|-3/2*}"),
        ("3", "3*"),
        ("*", "+-5/2"),
        ("0", "0"),
    ] {
        let (g, expected) = (v.read(text).unwrap(), v.read(overheated).unwrap());
        assert_eq!(v.overheat(g, unit, bonus), Ok(expected), "{text}");
    }
    assert_eq!(v.cool(Value::ZERO, Dyadic::from(-1)), Ok(None));
}
