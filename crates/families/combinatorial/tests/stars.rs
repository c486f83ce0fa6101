//! Kayles on stars: the tables of Fleischer and Trippen (2004), and the rules of graphs as the
//! judge.

#[path = "../../../papers/sums/src/kayles/printed.rs"]
mod printed;

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use tabia_cgt::impartial::NimberSearch;
use tabia_combinatorial::kayles::Kayles;
use tabia_combinatorial::kayles::stars::{Disproved, Paths, StarPeriod, Stars, Taken, Unsolved};
use tabia_game::{Combinatorial, Limits, Meter, Player};

const RULES: [Kayles; 2] = [Kayles::Node, Kayles::Pin];

fn meter() -> Meter {
    Limits::default().meter()
}

type Graph = <Kayles as Combinatorial>::Position;

fn graph(rays: &[u32]) -> Graph {
    // A ray of no length lets the lone centre be written as well.
    let rays = rays.iter().chain([&0]).map(u32::to_string);
    let text = format!("star:{}", rays.collect::<Vec<_>>().join(","));
    Kayles::Node.parse_position(&text).unwrap()
}

fn judged(judge: &mut NimberSearch<Kayles>, graph: &Graph) -> u32 {
    let graphs = std::slice::from_ref(graph);
    judge.nimber(graphs, &mut meter()).unwrap()
}

fn period(stars: &mut Stars, fixed: &[u32]) -> StarPeriod {
    stars.period(fixed, 6000, &mut meter()).unwrap().unwrap()
}

/// The period as tables 3 and 4 print it, from 1 on.
fn cycle_from_one(period: &StarPeriod) -> Vec<u32> {
    let mut cycle = period.cycle();
    cycle.rotate_left(1);
    cycle
}

#[test]
fn fleischer_and_trippen_smallest_stars() {
    let mut stars = Stars::new(Kayles::Node);
    assert_eq!(stars.nimber(&[1, 1, 1], &mut meter()), Ok(1));
    assert_eq!(stars.nimber(&[2, 1, 1], &mut meter()), Ok(3));
}

#[test]
fn fleischer_and_trippen_table_2() {
    let mut stars = Stars::new(Kayles::Node);
    let printed = printed::TABLE_2.concat();
    let nimbers = stars.class(&[1, 1], 374, &mut meter()).unwrap();
    assert_eq!(nimbers[1..], printed);
    let period = period(&mut stars, &[1, 1]);
    assert_eq!((period.period(), period.last_irregular()), (34, Some(310)));
    // Section 3.1: i1 + i2 + 2p + t.
    assert_eq!(period.proved_to(), 51 + 310 + 2 * 34 + 3);
    let cycle = [
        2, 9, 3, 15, 14, 1, 9, 4, 4, 14, 5, 13, 4, 0, 8, 1, 2, 4, 8, 5, 13, 2, 4, 8, 5, 9, 4, 12,
        8, 6, 9, 9, 0, 8,
    ];
    assert_eq!(period.cycle(), cycle);
    assert_eq!(period.verify(), Ok(()));
}

#[test]
fn fleischer_and_trippen_table_3() {
    let mut stars = Stars::new(Kayles::Node);
    let rows = printed::TABLE_3.iter();
    let rows = rows.chain(printed::TABLE_3.iter().rev().take(1).cycle());
    for (row, second) in rows.zip((1..=printed::TABLE_3_TO).step_by(34)) {
        let period = period(&mut stars, &[second, 1]);
        assert_eq!(period.period(), 34);
        assert_eq!(cycle_from_one(&period), row, "l2 = {second}");
    }
}

/// The last irregularities of three further steps, each by 34, beyond those where the last class
/// begins to move.
#[test]
fn fleischer_and_trippen_figure_2() {
    let mut stars = Stars::new(Kayles::Node);
    let mut last = |second: u32| period(&mut stars, &[second, 1]).last_irregular().unwrap();
    for class in 0..34 {
        let steps = [612, 646, 680].map(|start| last(start + class));
        let moves = [34, 68].map(|step| steps[0] + step);
        match printed::MOVING.contains(&class) {
            true => assert_eq!(steps[1..], moves, "class {class}"),
            false => assert_eq!(steps[1..], [steps[0]; 2], "class {class}"),
        }
    }
}

/// One of the six classes begins to move so late that over the shorter rays it looks settled.
#[test]
fn fleischer_and_trippen_figure_2_a_class_that_moves_late() {
    let mut stars = Stars::new(Kayles::Node);
    let mut last = |second: u32| period(&mut stars, &[second, 1]).last_irregular();
    let late = [460, 494, 528, 562].map(&mut last);
    assert_eq!(late, [427, 427, 437, 471].map(Some));
    for class in [7, 15, 27, 29, 32] {
        let [before, now] = [510 + class, 544 + class].map(|second| last(second).unwrap());
        assert_eq!(now, before + 34, "class {class}");
    }
}

#[test]
fn fleischer_and_trippen_table_4() {
    let mut stars = Stars::on(Paths::regular(Kayles::Node));
    let rows = printed::TABLE_4.iter();
    let rows = rows.chain(printed::TABLE_4.iter().rev().take(1).cycle());
    for (row, second) in rows.zip((1..=273).step_by(34)) {
        let period = period(&mut stars, &[second, 1]);
        assert_eq!(cycle_from_one(&period), row, "l2 = {second}");
    }
}

#[test]
fn fleischer_and_trippen_table_5() {
    // That the table is copied well: the first long periods, the multipliers of section 5, and that
    // the end repeats.
    let printed = printed::TABLE_5.concat();
    let long = (1..)
        .zip(&printed)
        .filter(|&(_, &multiplier)| multiplier > 1);
    let long = long.map(|(second, &multiplier)| (second, multiplier));
    let first = [24, 37, 39, 43, 44, 46].map(|second| (second, 14));
    assert_eq!(long.take(6).collect::<Vec<(u32, u32)>>(), first);
    let multipliers: BTreeSet<u32> = printed.iter().copied().collect();
    assert_eq!(multipliers, BTreeSet::from([1, 5, 10, 14, 70]));
    assert!(
        printed::TABLE_5[25..]
            .iter()
            .all(|row| *row == printed::TABLE_5[25])
    );

    let mut stars = Stars::new(Kayles::Pin);
    for (multiplier, second) in printed::TABLE_5.concat().into_iter().zip(1..) {
        let period = period(&mut stars, &[second, 1]);
        assert_eq!(period.period(), 12 * multiplier, "l2 = {second}");
    }
}

/// Section 4, at table 4: with a third ray of 1 to 20 no irregularity moves, but with one of 21
/// there is a class whose last irregularity is the star with two equal rays.
#[test]
fn fleischer_and_trippen_table_4_an_irregularity_moves_in_the_regular_world() {
    let mut stars = Stars::on(Paths::regular(Kayles::Node));
    let certificate = period(&mut stars, &[464, 21]);
    let starts: HashMap<&[u32], u32> = certificate
        .claims
        .iter()
        .map(|claim| (&claim.fixed[..], claim.preperiod))
        .collect();
    for third in 1..=20 {
        for second in 397..=430 {
            let [now, later] = [second, second + 34].map(|second| starts[&[second, third][..]]);
            assert_eq!(now, later, "l2 = {second}, l3 = {third}");
        }
    }
    for second in [328, 362, 396, 430, 464] {
        assert_eq!(starts[&[second, 21][..]], second + 1, "l2 = {second}");
    }
}

#[test]
fn stars_are_graphs() {
    for rules in RULES {
        let mut stars = Stars::new(rules);
        let mut judge = NimberSearch::new(rules, 1 << 26);
        for total in 0..16 {
            for rays in partitions(total, total) {
                let expected = judged(&mut judge, &graph(&rays));
                let found = stars.nimber(&rays, &mut meter());
                assert_eq!(found, Ok(expected), "{rules:?} {rays:?}");
            }
        }
    }
}

/// All ways to write a number as a sum of parts that do not grow.
fn partitions(total: u32, largest: u32) -> Vec<Vec<u32>> {
    if total == 0 {
        return vec![vec![]];
    }
    let firsts = 1..=largest.min(total);
    let all = firsts.flat_map(|first| {
        let rest = partitions(total - first, first);
        rest.into_iter()
            .map(move |rest| [vec![first], rest].concat())
    });
    all.collect()
}

/// The vertices of a star as the rules of graphs count them, from one.
fn written(rays: &[u32], taken: Taken) -> String {
    let before: u32 = rays[..taken.ray].iter().sum();
    let vertex = |distance: u32| match distance {
        0 => 1,
        _ => before + distance + 1,
    };
    match taken.pair {
        false => vertex(taken.distance).to_string(),
        true => format!("{}+{}", vertex(taken.distance), vertex(taken.distance + 1)),
    }
}

#[test]
fn winning_moves_are_those_after_which_the_sum_is_zero() {
    for rules in RULES {
        let mut stars = Stars::new(rules);
        let mut judge = NimberSearch::new(rules, 1 << 26);
        for sum in [
            vec![vec![3, 2, 1]],
            vec![vec![4, 3, 2, 1], vec![5, 1, 1]],
            vec![vec![2, 2, 2, 2], vec![6], vec![0]],
            vec![vec![1, 5, 2], vec![3, 3, 3], vec![4, 2]],
            vec![vec![1, 1, 1], vec![1, 1, 1]],
        ] {
            let nimbers: Vec<_> = sum
                .iter()
                .map(|rays| judged(&mut judge, &graph(rays)))
                .collect();
            let mut expected = Vec::new();
            for (number, rays) in sum.iter().enumerate() {
                let others = (0..sum.len()).filter(|&other| other != number);
                let wanted = others.fold(0, |sum, other| sum ^ nimbers[other]);
                let position = graph(rays);
                let mut moves = Vec::new();
                rules.moves(&position, Player::FIRST, &mut moves);
                for mv in moves {
                    let mut after = position.clone();
                    rules.play(&mut after, Player::FIRST, mv);
                    if judged(&mut judge, &after) == wanted {
                        expected.push((number, rules.move_text(&position, Player::FIRST, mv)));
                    }
                }
            }
            let mut found = Vec::new();
            for (number, rays) in sum.iter().enumerate() {
                let others = (0..sum.len()).filter(|&other| other != number);
                let wanted = others.fold(0, |sum, other| sum ^ nimbers[other]);
                let moves = stars.moves_to(rays, wanted, &mut meter()).unwrap();
                found.extend(
                    moves
                        .into_iter()
                        .map(|taken| (number, written(rays, taken))),
                );
            }
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{rules:?} {sum:?}");
        }
    }
}

/// With proofs, far nimbers come from periods; without them, from the definition.
#[test]
fn periods_continue_as_computation_does() {
    for paths in [
        Paths::new(Kayles::Node),
        Paths::regular(Kayles::Node),
        Paths::new(Kayles::Pin),
    ] {
        let (mut plain, mut proved) = (Stars::on(paths.clone()), Stars::on(paths));
        for fixed in [vec![24, 1], vec![7, 5], vec![3, 2, 2]] {
            let certificate = period(&mut proved, &fixed);
            let computed = plain.class(&fixed, 3000, &mut meter()).unwrap();
            assert_eq!(proved.class(&fixed, 3000, &mut meter()).unwrap(), computed);
            for (ray, &nimber) in (0..).zip(computed) {
                assert_eq!(certificate.nimber(ray), Some(nimber), "{fixed:?} {ray}");
            }
            let far = 3_000_000_000;
            let rays = [&fixed[..], &[far]].concat();
            let reduced = certificate.nimber(far.into()).unwrap();
            assert_eq!(proved.nimber(&rays, &mut meter()), Ok(reduced));
            let near = 2000 + (far - 2000) % certificate.period();
            assert_eq!(computed[near as usize], reduced);
        }
    }
}

#[test]
fn certificates_verify() {
    for (paths, fixed) in [
        (Paths::new(Kayles::Node), vec![9, 1]),
        (Paths::regular(Kayles::Node), vec![5, 4]),
        (Paths::new(Kayles::Node), vec![2, 1, 1]),
        (Paths::new(Kayles::Pin), vec![3, 2]),
    ] {
        let certificate = period(&mut Stars::on(paths), &fixed);
        assert_eq!(certificate.verify(), Ok(()), "{fixed:?}");
    }
}

#[test]
fn a_certificate_with_a_fault_is_refuted() {
    let good = period(&mut Stars::new(Kayles::Node), &[2, 1]);
    let last = good.claims.len() - 1;
    let refuted = |fault: &dyn Fn(&mut StarPeriod)| {
        let mut bad = good.clone();
        fault(&mut bad);
        bad.verify().unwrap_err()
    };
    assert_eq!(
        refuted(&|bad| bad.nimbers[100] ^= 1),
        Disproved::WrongNimber(100)
    );
    let ray = good.last_irregular().unwrap();
    assert_eq!(
        refuted(&|bad| bad.claims[last].preperiod -= 1),
        Disproved::NotPeriodic {
            fixed: vec![2, 1],
            ray
        }
    );
    assert_eq!(
        refuted(&|bad| bad.claims[0].preperiod -= 1),
        Disproved::NotPeriodic {
            fixed: vec![1, 1],
            ray: 310
        }
    );
    assert!(matches!(
        refuted(&|bad| bad.nimbers.truncate(1)),
        Disproved::TooShort { given: 1, .. }
    ));
    assert_eq!(
        refuted(&|bad| drop(bad.claims.remove(0))),
        Disproved::Malformed
    );
    assert_eq!(refuted(&|bad| bad.claims.clear()), Disproved::Malformed);
    assert_eq!(
        refuted(&|bad| bad.claims[0].period = 0),
        Disproved::Malformed
    );
    refuted(&|bad| bad.rule = Kayles::Pin);
}

#[test]
fn what_is_too_much_is_refused() {
    let mut stars = Stars::new(Kayles::Node);
    let error = stars.nimber(&[1_000_000_000, 1, 1], &mut meter());
    assert_eq!(error, Err(Unsolved::TooMany));
    assert_eq!(stars.class(&[0, 5], 10, &mut meter()), Err(Unsolved::Path));
    let error = stars.nimber(&[500, 1, 1], &mut Limits::nodes(100).meter());
    assert!(matches!(error, Err(Unsolved::Stopped(_))));
    assert_eq!(stars.period(&[1, 1], 431, &mut meter()), Ok(None));
    assert!(stars.period(&[1, 1], 432, &mut meter()).unwrap().is_some());
}

proptest! {
    /// Rays of no length do not count, and the order of rays does not either.
    #[test]
    fn rays_have_no_order(mut rays in prop::collection::vec(0u32..6, 0..6)) {
        let mut stars = Stars::new(Kayles::Pin);
        let nimber = stars.nimber(&rays, &mut meter()).unwrap();
        rays.sort_unstable();
        prop_assert_eq!(stars.nimber(&rays, &mut meter()), Ok(nimber));
        rays.retain(|&ray| ray > 0);
        prop_assert_eq!(Stars::new(Kayles::Pin).nimber(&rays, &mut meter()), Ok(nimber));
    }
}
