//! The worked examples of Hauk (2004), Hauk, Buro and Schaeffer (2004) and Schadd (2011, chapter
//! 5).
use num_rational::Ratio;
use tabia_game::{CERTAIN, Game, Limits};
use tabia_kit::printed_tree::{Nothing, Printed, PrintedTree};
use tabia_search::chance::bounds::{OutcomeBounds, ValueRange, total, window};
use tabia_search::chance::{Clamp, Config, Scalar, Searched, StarMinimax};

type Exact = Ratio<i128>;

fn exact(n: i64, d: u64) -> Exact {
    Exact::ratio(n, d)
}

fn range(lo: Exact, hi: Exact) -> ValueRange<Exact> {
    ValueRange { lo, hi }
}

fn whole(lo: i64, hi: i64) -> ValueRange<Exact> {
    range(exact(lo, 1), exact(hi, 1))
}

/// Outcomes with these probabilities in parts of `sum`, between minus and plus `largest`.
fn outcomes(weights: &[i64], sum: u64, largest: i64) -> Vec<OutcomeBounds<usize, Exact>> {
    let outcome =
        |(i, &w): (usize, &i64)| OutcomeBounds::unknown(i, exact(w, sum), whole(-largest, largest));
    weights.iter().enumerate().map(outcome).collect()
}

/// Searches a printed tree whose values lie between minus and plus `largest`, through a window in
/// its own units; the value comes back in its own units, too.
fn search(
    game: &Printed,
    config: Config,
    largest: i32,
    through: (i64, i64),
) -> (Exact, Searched<u8, Exact>) {
    let unit = exact(i64::from(CERTAIN), largest.unsigned_abs().into());
    let through = range(exact(through.0, 1) * unit, exact(through.1, 1) * unit);
    let mut engine = StarMinimax::<_, Exact>::new(config, Nothing);
    let found = engine
        .search_within(game, &game.start(), 9, through, &Limits::default())
        .unwrap();
    (found.value / unit, found)
}

fn star1() -> Config {
    Config {
        prune: true,
        ..Config::default()
    }
}

fn star2() -> Config {
    Config {
        probes: 1,
        ..star1()
    }
}

fn min(values: &[i32]) -> PrintedTree {
    PrintedTree::Min(values.iter().map(|&v| PrintedTree::Leaf(v)).collect())
}

fn uniform(children: Vec<PrintedTree>) -> PrintedTree {
    PrintedTree::Chance(children.into_iter().map(|child| (1, child)).collect())
}

/// Six equally likely outcomes, each a choice of Min between two leaves. The figures do not
/// survive; these leaves agree with every number of the text.
const FIGURE_5: [[i32; 2]; 6] = [[-5, 5], [-10, -8], [0, 4], [1, 2], [-10, -7], [3, 5]];

fn figure_5(best_first: bool) -> Printed {
    let child = |&[low, high]: &[i32; 2]| match best_first {
        true => min(&[low, high]),
        false => min(&[high, low]),
    };
    Printed::new(&uniform(FIGURE_5.iter().map(child).collect()), 10)
}

#[test]
fn hauk_figure_2_3_alpha_beta_looks_at_seven_of_twelve_leaves() {
    // A, B, C are worth 5, 3, 4; in B and C a leaf no better than 5 refutes.
    let tree = PrintedTree::Max(vec![
        min(&[5, 6, 5, 7]),
        min(&[6, 2, 9, 3]),
        min(&[4, 9, 8, 7]),
    ]);
    let game = Printed::new(&tree, 10);
    let (value, _) = search(&game, star1(), 10, (-10, 10));
    assert_eq!(value, exact(5, 1));
    assert_eq!(game.seen().0, [0, 1, 2, 3, 4, 5, 8]);
}

#[test]
fn hauk_figure_3_2_expectation() {
    let game = figure_5(true);
    let (value, found) = search(&game, Config::default(), 10, (-10, 10));
    assert_eq!(value, exact(-7, 2));
    assert_eq!(found.stats.leaves, 12);
}

#[test]
fn hauk_figure_3_3_windows_of_a_chance_node() {
    let node = whole(3, 4);
    let mut three = outcomes(&[1, 1, 1], 3, 10);
    assert_eq!(window(&three, 0, node), whole(-11, 32));
    three[0].settle(exact(2, 1));
    assert_eq!(total(&three), range(exact(-6, 1), exact(22, 3)));
    assert_eq!(window(&three, 1, node), whole(-3, 20));
    three[1].settle(exact(-8, 1));
    assert!(total(&three).hi <= node.lo, "E = -8 cuts");
}

#[test]
fn hauk_figure_3_5_star1_windows() {
    let node = whole(-2, 2);
    let mut six = outcomes(&[1; 6], 6, 10);
    let printed = [(-62, 62), (-47, 57), (-27, 57), (-17, 47), (-8, 36)];
    for (i, (lo, hi)) in printed.into_iter().enumerate() {
        assert_eq!(window(&six, i, node), whole(lo, hi), "outcome {i}");
        let worst = FIGURE_5[i].iter().min().unwrap();
        six[i].settle(exact((*worst).into(), 1));
    }
    assert!(total(&six).hi <= node.lo, "P = -10 cuts at F");
    assert_eq!(total(&six).hi, exact(-7, 3));
}

#[test]
fn hauk_figure_3_5_star1_leaves() {
    let game = figure_5(true);
    let unclamped = Config {
        clamp: Clamp::Nothing,
        ..star1()
    };
    let (value, _) = search(&game, unclamped, 10, (-2, 2));
    assert_eq!((value, game.seen().1), (exact(-7, 3), 9));
    // With windows that keep to values that exist J = -10 already cuts K.
    let game = figure_5(true);
    let (value, _) = search(&game, star1(), 10, (-2, 2));
    assert_eq!((value, game.seen().1), (exact(-7, 3), 8));
    assert!(!game.seen().0.contains(&3));
}

#[test]
fn hauk_figure_3_10_star2_with_good_probes() {
    let game = figure_5(true);
    let (value, found) = search(&game, star2(), 10, (-2, 2));
    assert_eq!(game.seen(), (vec![0, 2, 4, 6, 8], 5));
    assert_eq!(value, exact(-7, 3));
    assert_eq!(found.stats.probe_cutoffs, 1);
}

#[test]
fn hauk_figure_3_11_star2_with_bad_probes() {
    // Probes: 5, -8, 4, 2, -7, 5.
    let node = whole(-2, 2);
    let mut six = outcomes(&[1; 6], 6, 10);
    for (outcome, [_, high]) in six.iter_mut().zip(FIGURE_5) {
        outcome.lower(exact(high.into(), 1));
    }
    assert_eq!(window(&six, 0, node), whole(-8, 62));
    six[0].settle(exact(-5, 1));
    assert_eq!(window(&six, 1, node).hi, exact(57, 1));
    six[1].settle(exact(-10, 1));
    assert_eq!(window(&six, 2, node), whole(3, 57));
    let game = figure_5(false);
    let (value, found) = search(&game, star2(), 10, (-2, 2));
    assert_eq!(value, exact(-5, 2));
    assert_eq!(game.seen().0.len(), 9, "six probed leaves and three more");
    assert_eq!(found.stats.probe_cutoffs, 0);
}

#[test]
fn hauk_leaves_of_expectimax() {
    // b (n b)^((d - 1) / 2) with b = 20 and n = 21: 20 and 8,400 by search, more by the formula.
    let leaves = |b: u64, n: u64, d: u32| b * (n * b).pow((d - 1) / 2);
    assert_eq!(
        [1, 3, 5, 7].map(|d| leaves(20, 21, d)),
        [20, 8_400, 3_528_000, 1_481_760_000]
    );
    for depth in [1, 3] {
        let tree = tabia_kit::chance_tree::ChanceTree::regular(1, 20, 21, depth);
        let mut engine =
            StarMinimax::<_, f64>::new(Config::default(), tabia_kit::chance_tree::Hashed);
        let found = engine
            .search(&tree, &tree.start(), depth, &Limits::default())
            .unwrap();
        assert_eq!(found.stats.leaves, leaves(20, 21, depth));
    }
}

#[test]
fn schadd_figure_5_1_expectation() {
    let tree = PrintedTree::Chance(vec![
        (9, PrintedTree::Leaf(-250)),
        (1, PrintedTree::Leaf(250)),
    ]);
    let (value, _) = search(
        &Printed::new(&tree, 1000),
        Config::default(),
        1000,
        (-1000, 1000),
    );
    assert_eq!(value, exact(-200, 1));
}

#[test]
fn schadd_figure_5_2_windows_are_derived_not_passed_on() {
    // 0.6 of 2 and 0.4 of 10 inside (4, 6).
    let tree = PrintedTree::Chance(vec![
        (
            6,
            PrintedTree::Max(vec![PrintedTree::Leaf(2), PrintedTree::Leaf(1)]),
        ),
        (
            4,
            PrintedTree::Max(vec![PrintedTree::Leaf(10), PrintedTree::Leaf(7)]),
        ),
    ]);
    for config in [Config::default(), star1(), star2()] {
        let (value, _) = search(&Printed::new(&tree, 10), config, 10, (4, 6));
        assert_eq!(value, exact(26, 5));
    }
}

#[test]
fn schadd_figure_5_3_star1() {
    // Four outcomes; the fourth is never looked at.
    let node = whole(5, 10);
    let mut four = outcomes(&[1; 4], 4, 10);
    for (i, value) in [2, 4, -8].into_iter().enumerate() {
        assert!(total(&four).hi > node.lo, "nothing cuts before outcome {i}");
        four[i].settle(exact(value, 1));
    }
    assert_eq!(total(&four).hi, exact(2, 1));
}

#[test]
fn schadd_figure_5_4_star2() {
    let node = whole(-150, 150);
    let mut two = outcomes(&[9, 1], 10, 1000);
    two[0].lower(exact(-250, 1));
    assert_eq!(total(&two).hi, exact(-125, 1));
    assert!(total(&two).hi > node.lo);
    two[1].lower(exact(500, 1));
    assert_eq!(total(&two), whole(-1000, -175));
    assert!(total(&two).hi <= node.lo);
}

#[test]
fn schadd_figure_5_5_estimates_cut() {
    let node = whole(-150, 150);
    let mut three = outcomes(&[4, 4, 2], 10, 1000);
    three[0].estimate(whole(300, 400));
    assert_eq!(total(&three), whole(-480, 760));
    three[1].estimate(whole(700, 800));
    assert_eq!(total(&three), whole(200, 680));
    assert!(total(&three).lo >= node.hi);
}

#[test]
fn schadd_figure_5_6_estimates_and_a_search_cut() {
    let mut three = outcomes(&[4, 4, 2], 10, 1000);
    three[0].estimate(whole(300, 400));
    three[1].estimate(whole(0, 100));
    assert_eq!(total(&three), whole(-80, 400));
    three[2].estimate(whole(50, 150));
    assert_eq!(total(&three), whole(130, 230));
    three[0].settle(exact(400, 1));
    assert_eq!(total(&three), whole(170, 230));
}
