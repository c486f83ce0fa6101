//! Figures that others computed, in exact fractions, and the rules as a second way to the plays.

use std::collections::{BTreeMap, BTreeSet};

use tabia_game::{Chance, Game, Indexed, Player, Text, Turn};
use tabia_tables::chances::Descending;

use super::home::{Steps, home_of, side_of};
use super::*;
use crate::backgammon::{Backgammon, Board, CHECKERS, Roll, Rules, Side, State};

fn side(points: &[usize]) -> Side {
    let mut home = Home::default();
    points.iter().for_each(|point| home[point - 1] += 1);
    side_of(&home)
}

fn board(own: &[usize], other: &[usize]) -> Board {
    Board::new([side(own), side(other)]).unwrap()
}

#[test]
fn sizes() {
    assert_eq!(homes(15), 54_264);
    assert_eq!(homes(6).pow(2), 853_776);
    assert_eq!(homes(0), 1);
}

#[test]
fn homes_are_numbered_without_gaps_the_fewest_checkers_first() {
    let mut checkers = 0;
    for number in 0..homes(CHECKERS) {
        let home = numbered_home(number);
        assert_eq!(home_number(&home), Some(number));
        let here = home.iter().sum::<u8>();
        assert!(here >= checkers);
        checkers = here;
    }
    assert_eq!(checkers, CHECKERS);
    assert_eq!(home_number(&[16, 0, 0, 0, 0, 0]), None);
    assert_eq!(home_number(&[255; 6]), None);
}

/// The opponent has a checker borne in, far from all others.
fn plays_by_the_rules(home: &Home, roll: Roll) -> BTreeSet<Home> {
    let board = Board::new([side_of(home), side(&[1])]).unwrap();
    let mut plays = Vec::new();
    board.plays(roll, &mut plays);
    let homes = plays
        .iter()
        .map(|&play| home_of(&board.after(play).sides()[0]).unwrap());
    homes.collect()
}

#[test]
fn plays_are_those_of_the_rules() {
    let steps = Steps::new(CHECKERS);
    let (mut out, mut spare) = (Vec::new(), Vec::new());
    let few = 1..homes(5);
    let many = (homes(5)..homes(CHECKERS)).step_by(97);
    for number in few.chain(many) {
        let home = numbered_home(number);
        for (roll, _) in Roll::all() {
            steps.plays(number as u16, roll, &mut out, &mut spare);
            assert!(out.iter().all(|&n| usize::from(n) < number));
            let found: BTreeSet<Home> = out.iter().map(|&n| numbered_home(n.into())).collect();
            assert_eq!(found.len(), out.len());
            assert_eq!(found, plays_by_the_rules(&home, roll), "{home:?} {roll:?}");
        }
    }
}

/// The chance of whoever is on roll, by looking at all rolls and all plays of the rules.
fn plain_chance(own: &Home, other: &Home, known: &mut BTreeMap<[Home; 2], f64>) -> f64 {
    if let Some(&chance) = known.get(&[*own, *other]) {
        return chance;
    }
    let rolls = Roll::all().map(|(roll, weight)| {
        let after = plays_by_the_rules(own, roll).into_iter().map(|left| {
            let gone = left.iter().all(|&checkers| checkers == 0);
            if gone {
                1.0
            } else {
                1.0 - plain_chance(other, &left, known)
            }
        });
        weight as f64 * after.fold(0.0, f64::max)
    });
    let chance = rolls.sum::<f64>() / 36.0;
    known.insert([*own, *other], chance);
    chance
}

/// Positions of Hauk, Buro and Schaeffer (2004), as fractions, which plain recursion comes to as
/// well.
#[test]
fn hauk_two_sided_chances() {
    let bearoff = Bearoff::new();
    for (own, other, wanted) in [
        (&[6][..], &[6][..], 13.0 / 16.0),
        (&[6, 6], &[6, 6], 410_592_493.0 / 544_195_584.0),
        (&[6, 5], &[4, 3], 2_042_575.0 / 3_779_136.0),
        (&[3, 3, 3], &[2, 2, 1], 1_339.0 / 1_728.0),
        (&[5, 2], &[1], 19.0 / 36.0),
    ] {
        let found = bearoff.probability(&board(own, other)).unwrap().to_f64();
        assert!((found - wanted).abs() < 1e-9, "{own:?} {other:?}: {found}");
        let [own_home, other_home] = [own, other].map(|points| home_of(&side(points)).unwrap());
        let plain = plain_chance(&own_home, &other_home, &mut BTreeMap::new());
        assert!((plain - wanted).abs() < 1e-14, "{own:?} {other:?}: {plain}");
        let chances = bearoff.chances(&board(own, other)).unwrap();
        assert!((chances.equity() - (2.0 * wanted as f32 - 1.0)).abs() < 1e-6);
    }
}

#[test]
fn beyond_the_table_nothing_is_claimed() {
    let bearoff = Bearoff::new();
    assert_eq!(bearoff.chances(&board(&[1; 7], &[1])), None);
    assert_eq!(bearoff.chances(&board(&[1], &[1; 15])), None);
    assert_eq!(bearoff.chances(&Board::START), None);
    assert!(bearoff.chances(&board(&[6; 6], &[6; 6])).is_some());
    // Somebody has won already.
    assert_eq!(bearoff.chances(&board(&[], &[6])).unwrap().win, 1.0);
    assert_eq!(bearoff.chances(&board(&[6], &[])).unwrap().win, 0.0);
}

#[test]
fn hauk_one_roll_bear_off() {
    let one_sided = OneSided::new();
    for (points, wanted) in [
        (&[6][..], 3.0 / 4.0),
        (&[5, 2], 19.0 / 36.0),
        (&[6, 1], 5.0 / 12.0),
        (&[4, 3], 17.0 / 36.0),
        (&[6, 6], 1.0 / 9.0),
        (&[5, 5], 1.0 / 6.0),
    ] {
        let found = one_sided.distribution(&side(points)).unwrap()[1];
        assert!((found - wanted).abs() < 1e-15, "{points:?}: {found}");
    }
}

#[test]
fn hauk_mean_rolls() {
    let one_sided = OneSided::new();
    for (points, wanted) in [
        (&[6][..], 5.0 / 4.0),
        (&[6, 6], 49_213.0 / 23_328.0),
        (&[5, 5], 22_331.0 / 11_664.0),
        (&[1, 1, 1, 1], 11.0 / 6.0),
        (
            &[6, 6, 5, 5, 4, 4],
            9_390_411_415_031.0 / 2_115_832_430_592.0,
        ),
    ] {
        let found = one_sided.mean(&side(points)).unwrap();
        assert!((found - wanted).abs() < 1e-14, "{points:?}: {found}");
    }
}

#[test]
fn distributions_are_whole_and_have_their_means() {
    let one_sided = OneSided::new();
    for number in 0..homes(CHECKERS) {
        let side = side_of(&numbered_home(number));
        let row = one_sided.distribution(&side).unwrap();
        let whole: f64 = row.iter().sum();
        let rolls = row.iter().zip(0u8..);
        let mean: f64 = rolls.map(|(p, n)| p * f64::from(n)).sum();
        assert!((whole - 1.0).abs() < 1e-12, "{number}: {whole}");
        assert!((mean - one_sided.mean(&side).unwrap()).abs() < 1e-12);
        assert!(row.last().is_some_and(|&p| p > 0.0));
    }
    assert_eq!(one_sided.distribution(&Board::START.sides()[0]), None);
    assert_eq!(one_sided.race(&Board::START), None);
}

/// With a single checker, or with all on the ace point, there is nothing to choose: then the race
/// is the game.
#[test]
fn races_without_a_choice_are_exact() {
    let (one_sided, bearoff) = (OneSided::new(), Bearoff::new());
    let single = (2..=6).map(|point| vec![point]);
    let stacked = (1..=6).map(|checkers| vec![1; checkers]);
    let forced: Vec<Vec<usize>> = single.chain(stacked).collect();
    for own in &forced {
        for other in &forced {
            let board = board(own, other);
            let race = one_sided.race(&board).unwrap();
            let exact = bearoff.probability(&board).unwrap().to_f64();
            assert!((race - exact).abs() < 1e-8, "{own:?} {other:?}: {race}");
        }
    }
    assert_eq!(one_sided.race(&board(&[6], &[6])), Some(13.0 / 16.0));
}

fn small_slices(game: &Backgammon) -> Vec<(u8, u8)> {
    let slices = game.slices().into_iter();
    slices
        .filter(|&slice| game.slice_size(slice) <= 5)
        .collect()
}

#[test]
fn positions_of_slices_are_numbered_without_gaps() {
    let game = Backgammon::default();
    assert_eq!(game.slices().len(), 225);
    // One checker against one: six points each; with fewer than six each, all pairs of homes.
    assert_eq!(game.slice_len((1, 1)), Some(36));
    let upto = |most: u8| {
        let slices = game.slices().into_iter();
        let few = slices.filter(|&(own, other)| own <= most && other <= most);
        few.map(|slice| game.slice_len(slice).unwrap()).sum::<u64>()
    };
    assert_eq!(upto(6), 923 * 923);
    assert_eq!(upto(15), 54_263 * 54_263);
    for slice in small_slices(&game) {
        for index in 0..game.slice_len(slice).unwrap() {
            let state = game.position_at(slice, index);
            assert_eq!(game.locate(&state), Some((slice, index)));
            assert_eq!(state.mover(), Player::FIRST);
            let exchanged = State {
                mover: Player::SECOND,
                ..state
            };
            assert_eq!(game.locate(&exchanged), Some((slice, index)));
        }
    }
}

/// After a roll and a play the game is over, or the opponent is on roll in a slice that was
/// announced.
#[test]
fn turns_lead_down() {
    let game = Backgammon::default();
    let (mut outcomes, mut moves) = (Vec::new(), Vec::new());
    for slice in small_slices(&game) {
        let mut met = BTreeSet::new();
        for index in 0..game.slice_len(slice).unwrap() {
            let before = game.position_at(slice, index);
            assert_eq!(game.turn(&before), Turn::Chance);
            outcomes.clear();
            game.outcomes(&before, &mut outcomes);
            for &(roll, _) in &outcomes {
                let mut rolled = before;
                game.play(&mut rolled, roll);
                assert_eq!(game.turn(&rolled), Turn::Player(Player::FIRST));
                assert_eq!(game.locate(&rolled), None);
                moves.clear();
                game.moves(&rolled, &mut moves);
                for &mv in &moves {
                    let mut after = rolled;
                    game.play(&mut after, mv);
                    if game.turn(&after) != Turn::Over {
                        assert_eq!(after.mover(), Player::SECOND);
                        assert!(game.height(&after) < game.height(&before));
                        met.insert(game.locate(&after).unwrap().0);
                    }
                }
            }
        }
        let announced: BTreeSet<_> = game.next_slices(slice).into_iter().collect();
        assert_eq!(met, announced, "{slice:?}");
    }
}

#[test]
fn there_are_no_slices_where_a_roll_does_not_follow() {
    for rules in [
        Rules {
            cube: true,
            ..Rules::default()
        },
        Rules {
            length: 3,
            ..Rules::default()
        },
    ] {
        let game = Backgammon::new(rules).unwrap();
        assert!(game.slices().is_empty());
        let score = if rules.length > 0 { " score=0-0" } else { "" };
        let state = game.parse_position(&format!("6/6 w roll{score}")).unwrap();
        assert_eq!(game.locate(&state), None);
    }
    let game = Backgammon::default();
    for text in ["6/6 w 31", "7/6 w roll", "bar/6 w roll", "-/6 w won"] {
        let state = game.parse_position(text).unwrap();
        assert_eq!(game.locate(&state), None, "{text}");
    }
}
