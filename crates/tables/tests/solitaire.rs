//! One player alone in Chinese Checkers: the table that Schadd (2011, section 6.4.1) evaluates by.

use std::collections::BTreeSet;

use tabia_game::zobrist::mix;
use tabia_game::{Cancel, Game, Player};
use tabia_multiplayer::chinese_checkers::{ChineseCheckers, Foreign, Rules, Solitaire};
use tabia_tables::patterns::{Abstraction, UNREACHED, distances};

fn computed(solitaire: &Solitaire) -> Vec<u8> {
    distances::<ChineseCheckers>(solitaire, &Cancel::default(), &|_| {}).unwrap()
}

fn layers(distances: &[u8]) -> Vec<u64> {
    let mut layers = vec![0u64; 256];
    distances.iter().for_each(|&d| layers[usize::from(d)] += 1);
    let deepest = layers.iter().rposition(|&n| n > 0).unwrap();
    layers.truncate(deepest + 1);
    layers
}

/// How far the player is at the start.
fn at_the_start(solitaire: &Solitaire, rules: Rules, distances: &[u8]) -> u8 {
    let game = ChineseCheckers::new(6, rules).unwrap();
    let numbers: BTreeSet<u64> = (0..6)
        .map(|player| solitaire.number(&game, &game.start(), Player(player)))
        .collect();
    assert_eq!(numbers.len(), 1, "everybody begins alike");
    distances[*numbers.first().unwrap() as usize]
}

/// Distances of some positions by drawn lot against those of where the plainest moves lead.
fn assert_consistent(solitaire: &Solitaire, distances: &[u8], samples: u64) {
    let goal = Abstraction::<ChineseCheckers>::goal(solitaire).0;
    let mut after = Vec::new();
    for sample in 0..samples {
        let pattern = mix(sample + 1) % solitaire.positions();
        after.clear();
        Abstraction::<ChineseCheckers>::neighbours(solitaire, pattern, 0, &mut after);
        let least = after.iter().map(|&(to, ..)| distances[to as usize]).min();
        let expected = if pattern == goal {
            0
        } else {
            1 + least.unwrap()
        };
        assert_eq!(distances[pattern as usize], expected, "position {pattern}");
    }
}

/// The first layers around the target.
fn first_layers(solitaire: &Solitaire, count: usize) -> Vec<usize> {
    let goal = Abstraction::<ChineseCheckers>::goal(solitaire).0;
    let mut seen = BTreeSet::from([goal]);
    let mut layer = vec![goal];
    let mut sizes = vec![1];
    let mut steps = Vec::new();
    while sizes.len() < count {
        steps.clear();
        for &pattern in &layer {
            Abstraction::<ChineseCheckers>::expand(solitaire, pattern, 1, &mut steps);
        }
        layer = steps
            .iter()
            .map(|&(to, _)| to)
            .filter(|&to| seen.insert(to))
            .collect();
        sizes.push(layer.len());
    }
    sizes
}

/// 49 cells and no leaving: 13,983,816 positions, all of which get there; 17 moves from start to
/// target, 21 at most, from 38 positions. The first six layers are those that the plain rules in
/// the tests of `tabia-multiplayer` give; beyond them distances agree with those of the positions
/// around.
#[test]
fn solitary_play_on_49_cells() {
    let rules = Rules::default();
    let solitaire = Solitaire::new(rules);
    let distances = computed(&solitaire);
    assert_eq!(distances.len(), 13_983_816);
    assert!(!distances.contains(&UNREACHED));
    let layers = layers(&distances);
    assert_eq!((layers.len() - 1, layers[21]), (21, 38));
    assert_eq!(layers[5], 9_351);
    assert_eq!(at_the_start(&solitaire, rules, &distances), 17);
    assert_consistent(&solitaire, &distances, 20_000);
}

/// Whether pieces may leave the target makes a difference from the fifth layer on.
#[test]
fn leaving_the_target_matters_from_the_fifth_layer_on() {
    let sizes = |leave| {
        let rules = Rules {
            leave,
            ..Rules::default()
        };
        first_layers(&Solitaire::new(rules), 6)
    };
    let (stay, leave) = (sizes(false), sizes(true));
    assert_eq!(stay[..5], leave[..5]);
    assert_eq!((stay[1], stay[5], leave[5]), (10, 9_351, 9_353));
}

/// With pieces that may leave the target: the same 17 and 21.
#[test]
#[ignore = "a minute: tabia reproduce proofs solitary-play"]
fn solitary_play_on_49_cells_with_leaving() {
    let rules = Rules {
        leave: true,
        ..Rules::default()
    };
    let solitaire = Solitaire::new(rules);
    let distances = computed(&solitaire);
    let layers = layers(&distances);
    assert_eq!((layers.len() - 1, layers[21], layers[5]), (21, 38, 9_353));
    assert_eq!(at_the_start(&solitaire, rules, &distances), 17);
}

/// All 73 cells.
#[test]
#[ignore = "half an hour: tabia reproduce proofs solitary-play --scale full"]
fn solitary_play_on_73_cells() {
    let rules = Rules {
        foreign: Foreign::Open,
        ..Rules::default()
    };
    let solitaire = Solitaire::new(rules);
    let distances = computed(&solitaire);
    assert_eq!(distances.len(), 170_230_452);
    // More cells never make the way longer.
    assert!(at_the_start(&solitaire, rules, &distances) <= 17);
    assert_consistent(&solitaire, &distances, 200_000);
}
