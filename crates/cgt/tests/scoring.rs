//! Sums played for points, against minimax on literal trees and against canonical values.

use proptest::prelude::*;
use tabia_cgt::scoring::{
    Control, LeafEvaluation, MAX_LEVELS, Options, Refused, Search, StrategyKind, Sum, Summand, loss,
};
use tabia_cgt::{Dyadic, Exceeded, Thermograph, Value, Values};
use tabia_game::{Limits, Player, Seed};

const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];

/// The score under best play, from the rules alone.
fn minimax(components: &[Summand], mover: Player) -> i64 {
    let mut best: Option<i64> = None;
    for (i, component) in components.iter().enumerate() {
        let Summand::Options(options) = component else {
            continue;
        };
        let mut next = components.to_vec();
        next[i] = options[mover.index()].clone();
        let score = minimax(&next, mover.other());
        best = Some(match (best, mover) {
            (None, _) => score,
            (Some(best), Player::FIRST) => best.max(score),
            (Some(best), _) => best.min(score),
        });
    }
    let leaf = |component: &Summand| match component {
        Summand::Integer(points) => i64::from(*points),
        Summand::Options(_) => unreachable!("there would be a move"),
    };
    best.unwrap_or_else(|| components.iter().map(leaf).sum())
}

fn read(texts: &[&str]) -> Vec<Summand> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn all_options() -> impl Iterator<Item = Options> {
    (0..64).map(|bits| Options {
        temperature: bits & 1 != 0,
        previous: bits & 2 != 0,
        incentives: bits & 4 != 0,
        table: bits & 8 != 0,
        bounds: bits & 16 != 0,
        simplify: bits & 32 != 0,
    })
}

const METHODS: [StrategyKind; 8] = [
    StrategyKind::Hotstrat,
    StrategyKind::HotstratPlus,
    StrategyKind::Sentestrat,
    StrategyKind::Thermostrat,
    StrategyKind::Bounded(Control::Depth(3), LeafEvaluation::Means),
    StrategyKind::Bounded(Control::Depth(3), LeafEvaluation::Rollout),
    StrategyKind::Bounded(Control::Tenths(8), LeafEvaluation::Means),
    StrategyKind::Bounded(Control::Tenths(8), LeafEvaluation::Rollout),
];

/// Trees of any shape with few different leaves; most have no zugzwang.
fn component() -> impl Strategy<Value = Summand> {
    let leaf = (-4..5).prop_map(Summand::Integer);
    leaf.prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), inner).prop_map(|(left, right)| Summand::new(left, right))
    })
}

/// Sums with eight plies at most, in which nobody is ever in zugzwang.
fn components() -> impl Strategy<Value = Vec<Summand>> {
    let random = (1u32..4, 1u32..60, any::<u64>())
        .prop_map(|(levels, size, seed)| Summand::random(levels, size, &mut Seed::new(seed).rng()));
    let any = prop_oneof![2 => random, 3 => component()];
    let any = any.prop_filter("zugzwang", |component| {
        Sum::new(std::slice::from_ref(component)).is_ok()
    });
    prop::collection::vec(any, 0..5).prop_map(|mut components| {
        while components.iter().map(Summand::levels).sum::<u32>() > 8 {
            components.pop();
        }
        components
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Tables 2 to 5 compare the times of searches that all find the same score.
    #[test]
    fn mueller_and_li_tables_2_to_5_all_searches_find_the_score_of_minimax(
        components in components(),
    ) {
        let sum = Sum::new(&components).unwrap();
        for mover in PLAYERS {
            let score = minimax(&components, mover);
            for options in all_options() {
                let mut search = Search::new(&sum, options).unwrap();
                let found = search.solve(&sum.start(), mover).unwrap();
                prop_assert_eq!(found.score, score, "{:?}", options);
                if let Some(best) = found.best {
                    let mut after = components.clone();
                    let Summand::Options(options) = &components[best] else {
                        return Err(TestCaseError::fail("a move in an integer"));
                    };
                    after[best] = options[mover.index()].clone();
                    prop_assert_eq!(minimax(&after, mover.other()), score);
                }
                let asked_again = search.solve(&sum.start(), mover).unwrap();
                prop_assert_eq!(asked_again.score, score);
            }
        }
    }

    /// With every option.
    #[test]
    fn positions_looked_at_do_not_depend_on_the_order_of_components(
        components in components(),
        turn in 0usize..6,
    ) {
        let mut turned = components.clone();
        turned.reverse();
        if !turned.is_empty() {
            let places = turn % turned.len();
            turned.rotate_left(places);
        }
        let sums = [components, turned].map(|components| Sum::new(&components).unwrap());
        for options in all_options() {
            for mover in PLAYERS {
                let [one, other] = sums.each_ref().map(|sum| {
                    let found = Search::new(sum, options).unwrap().solve(&sum.start(), mover);
                    let found = found.unwrap();
                    (found.score, found.nodes)
                });
                prop_assert_eq!(one, other, "{:?}", options);
            }
        }
    }

    #[test]
    fn scores_are_the_stops_of_the_canonical_sum(components in components()) {
        let sum = Sum::new(&components).unwrap();
        let mut values = Values::new();
        let mut total = Value::ZERO;
        for component in &components {
            let value = component.tree().value(&mut values).unwrap();
            total = values.sum(total, value).unwrap();
        }
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        for (mover, stop) in [
            (Player::FIRST, values.left_stop(total)),
            (Player::SECOND, values.right_stop(total)),
        ] {
            let score = search.solve(&sum.start(), mover).unwrap().score;
            prop_assert_eq!(Dyadic::new(score, 0).unwrap(), stop);
        }
    }

    #[test]
    fn thermographic_bounds_hold(components in components()) {
        let sum = Sum::new(&components).unwrap();
        let search = Search::new(&sum, Options::NONE).unwrap();
        for mover in PLAYERS {
            let score = Dyadic::new(minimax(&components, mover), 0).unwrap();
            let [low, high] = search.thermographic_bounds(&sum.start(), mover).unwrap();
            prop_assert!(low <= score && score <= high, "{} in {}..{}", score, low, high);
        }
    }

    #[test]
    fn literal_thermographs_are_those_of_canonical_forms(
        levels in 1u32..5,
        size in 1u32..60,
        seed: u64,
    ) {
        let component = Summand::random(levels, size, &mut Seed::new(seed).rng());
        let literal = component.tree().thermograph().unwrap();
        let mut values = Values::new();
        let value = component.tree().value(&mut values).unwrap();
        let canonical = values.thermograph(value).unwrap();
        let shape = |graph: &Thermograph| {
            (graph.left().clone(), graph.right().clone(), graph.mean(), graph.temperature())
        };
        prop_assert_eq!(shape(&literal), shape(&canonical));
    }

    /// No strategy gains, and Sentestrat and Thermostrat lose at most the highest temperature
    /// (Yedwab 1985).
    #[test]
    fn mueller_and_li_tables_6_and_7_losses_have_bounds(components in components()) {
        let sum = Sum::new(&components).unwrap();
        let hottest = sum.temperature(&sum.start()).unwrap_or(Dyadic::ZERO).max(Dyadic::ZERO);
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        for method in METHODS {
            for player in PLAYERS {
                let mut strategy = method.player(&sum).unwrap();
                let points = loss(&sum, &mut *strategy, player, &mut search).unwrap();
                prop_assert!(points >= 0, "{:?} gains {}", method, -points);
                if matches!(method, StrategyKind::Sentestrat | StrategyKind::Thermostrat) {
                    let points = Dyadic::new(points, 0).unwrap();
                    prop_assert!(points <= hottest, "{:?} loses {} > {}", method, points, hottest);
                }
            }
        }
    }

    #[test]
    fn a_search_whose_bound_is_never_met_is_exact(components in components()) {
        let sum = Sum::new(&components).unwrap();
        let start = sum.start();
        let mut search = Search::new(&sum, Options::PAPER).unwrap();
        for mover in PLAYERS {
            let score = Dyadic::new(minimax(&components, mover), 0).unwrap();
            for control in [Control::Full, Control::Depth(sum.plies(&start)), Control::Tenths(0)] {
                let means = LeafEvaluation::Means;
                let (found, ..) = search.estimate(&start, mover, control, means).unwrap();
                prop_assert_eq!(found, score, "{:?}", control);
            }
        }
    }

    #[test]
    fn what_is_written_is_read(component in component()) {
        prop_assert_eq!(component.to_string().parse::<Summand>().unwrap(), component);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-0-9| ]{0,40}") {
        let _ = text.parse::<Summand>();
    }
}

/// Temperatures and pseudo-temperatures of the sente position of Müller and Li (2004), section 2.1.
#[test]
fn left_can_play_sente_at_five() {
    let graph = read(&["10|0||-1"])[0].tree().thermograph().unwrap();
    assert_eq!((graph.mean(), graph.temperature()), (0.into(), 1.into()));
    assert_eq!(graph.pseudo_temperature(Player::FIRST), Some(5.into()));
    assert_eq!(graph.pseudo_temperature(Player::SECOND), Some(1.into()));
}

/// The examples of section 4.1; means and temperatures were found by hand.
#[test]
fn examples_have_their_means_and_temperatures() {
    for (text, mean, temperature) in [
        ("114|66||49|0", "229/4", "131/4"),
        ("237|191||145|124|||97|57||32|0", "883/8", "511/8"),
    ] {
        let graph = read(&[text])[0].tree().thermograph().unwrap();
        assert_eq!(graph.mean(), mean.parse().unwrap());
        assert_eq!(graph.temperature(), temperature.parse().unwrap());
        for player in PLAYERS {
            let pseudo = graph.pseudo_temperature(player);
            assert_eq!(pseudo, Some(graph.temperature()), "{text}");
        }
    }
}

/// In `2|0||0|-2` nobody gains by moving at any tax from 0 on, and both can threaten up to tax 1:
/// Hotstrat+ plays there rather than in a switch of temperature 1/2, Hotstrat does not.
#[test]
fn threats_on_both_sides_have_temperature_0_and_pseudo_temperature_1() {
    let sum = Sum::new(&read(&["2|0||0|-2", "1|0"])).unwrap();
    let start = sum.start();
    assert_eq!(sum.temperature_of(&start, 0), Some(Dyadic::ZERO));
    for player in PLAYERS {
        let pseudo = sum.pseudo_temperature(&start, 0, player);
        assert_eq!(pseudo, Some(Dyadic::ONE));
        let choice = |method: StrategyKind| {
            let mut strategy = method.player(&sum).unwrap();
            strategy.choose(&start, player, None).unwrap()
        };
        assert_eq!(choice(StrategyKind::Hotstrat), Some(1));
        assert_eq!(choice(StrategyKind::HotstratPlus), Some(0));
    }
}

/// What does not fit is not remembered, and the score is the same.
#[test]
fn searches_keep_to_their_memory() {
    let sum = Sum::random(9, 3, 50, Seed::new(5)).unwrap();
    let found = |bytes| {
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        search.remember(bytes);
        search.solve(&sum.start(), Player::FIRST).unwrap()
    };
    let (much, little) = (found(1 << 26), found(1 << 10));
    assert_eq!(much.score, little.score);
    assert!(much.nodes < little.nodes);
}

/// With a gote of temperature 3 beside it, Hotstrat leaves the sente move, and Hotstrat+ does not.
#[test]
fn hotstrat_plus_cashes_in_sente() {
    let sum = Sum::new(&read(&["10|0||-1", "3|-3"])).unwrap();
    let choice = |method: StrategyKind, mover| {
        let mut player = method.player(&sum).unwrap();
        player.choose(&sum.start(), mover, None).unwrap()
    };
    assert_eq!(choice(StrategyKind::Hotstrat, Player::FIRST), Some(1));
    assert_eq!(choice(StrategyKind::HotstratPlus, Player::FIRST), Some(0));
    assert_eq!(choice(StrategyKind::Hotstrat, Player::SECOND), Some(1));
    assert_eq!(choice(StrategyKind::HotstratPlus, Player::SECOND), Some(1));
}

/// Right's own threat of temperature 20 stands, but Left's new one of 15 is above the ambient 10:
/// Hotstrat would go on with its own.
#[test]
fn sentestrat_answers_what_is_hotter_than_the_ambient_temperature() {
    let sum = Sum::new(&read(&["30|0||-1", "10||0|-40"])).unwrap();
    let mut player = StrategyKind::Sentestrat.player(&sum).unwrap();
    let mut position = sum.start();
    let first = player.choose(&position, Player::SECOND, None).unwrap();
    assert_eq!(first, Some(1));
    sum.play(&mut position, Player::SECOND, 1);
    sum.play(&mut position, Player::FIRST, 0);
    let answer = player.choose(&position, Player::SECOND, Some(0)).unwrap();
    assert_eq!(answer, Some(0));
    let mut hotstrat = StrategyKind::Hotstrat.player(&sum).unwrap();
    let elsewhere = hotstrat.choose(&position, Player::SECOND, Some(0)).unwrap();
    assert_eq!(elsewhere, Some(1));
}

/// The zeros in the first column of table 6. Four plies are left at first and three after one move,
/// so that three plies see the end but for the first move of all; there a rollout of one ply is
/// exact.
#[test]
fn mueller_and_li_table_6_zeros_of_two_components() {
    for instance in 0..200 {
        let sum = Sum::random(2, 2, 50, Seed::new(instance)).unwrap();
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        for (leaf, player) in [
            (LeafEvaluation::Means, Player::SECOND),
            (LeafEvaluation::Rollout, Player::SECOND),
            (LeafEvaluation::Rollout, Player::FIRST),
        ] {
            let method = StrategyKind::Bounded(Control::Depth(3), leaf);
            let mut strategy = method.player(&sum).unwrap();
            let points = loss(&sum, &mut *strategy, player, &mut search).unwrap();
            assert_eq!(points, 0, "{leaf:?} as {player:?} in instance {instance}");
        }
    }
}

/// The ends of the lines of figure 1: twelve components of two levels last 24 plies, and a bound of
/// zero leaves to the estimate only sums in which nothing is hot.
#[test]
fn mueller_and_li_figure_1_whole_searches_lose_nothing() {
    for instance in 0..3 {
        let sum = Sum::random(12, 2, 50, Seed::new(instance)).unwrap();
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        for control in [Control::Depth(24), Control::Tenths(0)] {
            for leaf in [LeafEvaluation::Means, LeafEvaluation::Rollout] {
                for player in PLAYERS {
                    let mut strategy = StrategyKind::Bounded(control, leaf).player(&sum).unwrap();
                    let points = loss(&sum, &mut *strategy, player, &mut search).unwrap();
                    assert_eq!(points, 0, "{control:?}, {leaf:?} as {player:?}");
                }
            }
        }
    }
}

/// Sums that are too large for plain minimax: the same scores with everything as with TEMP and INC
/// alone, and at most a fiftieth of the positions. A position counts when a search comes to it,
/// whatever it then knows of it.
#[test]
fn large_sums_take_a_fiftieth_of_the_positions() {
    for (levels, components) in [(2, 13), (3, 9)] {
        let (mut many, mut few) = (0, 0);
        for instance in 0..100 {
            let sum = Sum::random(components, levels, 50, Seed::new(instance)).unwrap();
            let solve = |options| {
                let mut search = Search::new(&sum, options).unwrap();
                search.solve(&sum.start(), Player::FIRST).unwrap()
            };
            let (plain, best) = (solve(Options::PAPER), solve(Options::BEST));
            assert_eq!(plain.score, best.score, "instance {instance}");
            many += plain.nodes;
            few += best.nodes;
        }
        assert!(50 * few <= many, "{levels} levels: {few} of {many}");
    }
}

/// With two switches Hotstrat is right, and with a threat beside them it is not; both scores can be
/// counted by hand. Left's sente 10|0||-1 is worth 0 if Left gets it in and -1 if not.
#[test]
fn scores_counted_by_hand() {
    for (components, left, right) in [
        (vec!["3|-3", "1|-1"], 2, -2),
        (vec!["10|0||-1", "3|-3"], 3, -3),
        (vec!["10|0||-1"], 0, -1),
        (vec![], 0, 0),
    ] {
        let sum = Sum::new(&read(&components)).unwrap();
        let mut search = Search::new(&sum, Options::BEST).unwrap();
        for (mover, score) in [(Player::FIRST, left), (Player::SECOND, right)] {
            let found = search.solve(&sum.start(), mover).unwrap();
            assert_eq!(found.score, score, "{components:?}");
        }
    }
}

#[test]
fn random_components_are_as_defined() {
    fn leaves(component: &Summand, found: &mut Vec<i32>) {
        match component {
            Summand::Integer(points) => found.push(*points),
            Summand::Options(options) => {
                leaves(&options[1], found);
                leaves(&options[0], found);
            }
        }
    }
    let mut rng = Seed::new(4).rng();
    let mut gaps = [0u32; 10];
    for _ in 0..1000 {
        let mut found = Vec::new();
        leaves(&Summand::random(3, 10, &mut rng), &mut found);
        assert_eq!((found.len(), found[0]), (8, 0));
        for pair in found.windows(2) {
            gaps[usize::try_from(pair[1] - pair[0]).unwrap()] += 1;
        }
    }
    // Of 7000 draws each of ten gaps is expected 700 times, with a standard deviation of 25.
    assert!(gaps.iter().all(|&n| (600..800).contains(&n)), "{gaps:?}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refused = |texts: &[&str]| Sum::new(&read(texts)).unwrap_err();
    assert!(matches!(refused(&["0|1"]), Refused::Zugzwang(_)));
    assert!(matches!(refused(&["5|4||0|1"]), Refused::Zugzwang(_)));
    assert_eq!(refused(&["20000000|0"]), Refused::Leaf(20_000_000));
    assert_eq!(refused(&["1|0"; 65]), Refused::Components(65));
    let mut deep = Summand::Integer(0);
    for _ in 0..=MAX_LEVELS {
        deep = Summand::new(Summand::Integer(0), deep);
    }
    assert_eq!(
        Sum::new(&[deep]).unwrap_err(),
        Refused::Levels(MAX_LEVELS + 1)
    );
    let mut rng = Seed::new(1).rng();
    let wide: Vec<Summand> = (0..2).map(|_| Summand::random(12, 50, &mut rng)).collect();
    assert_eq!(Sum::new(&wide).unwrap_err(), Refused::States);
    for text in ["", "1|", "|", "1|2|3|", "1||2||", "x|0", "99999999999|0"] {
        assert!(text.parse::<Summand>().is_err(), "{text}");
    }
}

#[test]
fn a_search_stops_at_its_limits() {
    let sum = Sum::random(8, 2, 50, Seed::new(1)).unwrap();
    let mut search = Search::new(&sum, Options::NONE).unwrap();
    search.watch(&Limits::nodes(100));
    let stopped = search.solve(&sum.start(), Player::FIRST);
    assert_eq!(stopped, Err(Exceeded::Stopped));
}
