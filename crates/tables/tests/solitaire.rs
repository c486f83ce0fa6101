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

/// How many positions are 0, 1, 2 and so on moves from the target, and how many moves the start is
/// from there, by rules of their own: hexagon, home and target are a rhombus of seven by seven
/// cells, whose neighbours are those beside, above and below and on one of the diagonals. Moves are
/// taken back from the target, layer by layer. Positions are sets of bits, one for each cell.
fn plain_layers(leave: bool) -> (Vec<u64>, u8) {
    const WAYS: [(i32, i32); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
    let next: Vec<[Option<usize>; 6]> = (0..49)
        .map(|from: i32| {
            WAYS.map(|(up, across)| {
                let (row, column) = (from / 7 + up, from % 7 + across);
                let inside = (0..7).contains(&row) && (0..7).contains(&column);
                inside.then_some((7 * row + column) as usize)
            })
        })
        .collect();
    let is_home = |cell: usize| cell / 7 + cell % 7 <= 2;
    let is_target = |cell: usize| is_home(48 - cell);
    let cells = |mut set: u64| {
        std::iter::from_fn(move || {
            let first = (set != 0).then(|| set.trailing_zeros() as usize);
            set &= set.wrapping_sub(1);
            first
        })
    };
    // Six cells as a number in the system of binomials.
    let choose = |n: usize, k: usize| (0..k).fold(1, |all, i| all * (n - i) / (i + 1));
    let choices: Vec<[usize; 7]> = (0..49)
        .map(|n| std::array::from_fn(|k| if k > n { 0 } else { choose(n, k) }))
        .collect();
    let number =
        |set: u64| -> usize { cells(set).zip(1..).map(|(cell, k)| choices[cell][k]).sum() };
    let all = |of: &dyn Fn(usize) -> bool| (0..49).filter(|&c| of(c)).fold(0u64, |s, c| s | 1 << c);
    let (start, target) = (all(&is_home), all(&is_target));
    let mut distances = vec![u8::MAX; choose(49, 6)];
    distances[number(target)] = 0;
    let mut layer = vec![target];
    let mut sizes = Vec::new();
    while !layer.is_empty() {
        sizes.push(layer.len() as u64);
        let mut further = Vec::new();
        for pieces in layer {
            for to in cells(pieces) {
                let others = pieces & !(1 << to);
                let is_piece = |cell: &usize| others >> cell & 1 == 1;
                let (mut reached, mut landed) = (1u64 << to, vec![to]);
                while let Some(from) = landed.pop() {
                    for (way, over) in next[from].into_iter().enumerate() {
                        let over = over.filter(is_piece);
                        let land = over.and_then(|over| next[over][way]);
                        let land = land.filter(|land| (others | reached) >> land & 1 == 0);
                        if let Some(land) = land {
                            reached |= 1 << land;
                            landed.push(land);
                        }
                    }
                }
                for step in next[to].into_iter().flatten() {
                    reached |= 1 << step;
                }
                for from in cells(reached & !pieces) {
                    if !leave && is_target(from) && !is_target(to) {
                        continue;
                    }
                    let before = others | 1 << from;
                    let place = &mut distances[number(before)];
                    if *place == u8::MAX {
                        *place = sizes.len() as u8;
                        further.push(before);
                    }
                }
            }
        }
        layer = further;
    }
    (sizes, distances[number(start)])
}

/// 49 cells and no leaving: 13,983,816 positions, all of which get there; 17 moves from start to
/// target, 21 at most, from 38 positions. All layers are those of [`plain_layers`].
#[test]
fn solitary_play_on_49_cells() {
    let rules = Rules::default();
    let solitaire = Solitaire::new(rules);
    let distances = computed(&solitaire);
    assert_eq!(distances.len(), 13_983_816);
    assert!(!distances.contains(&UNREACHED));
    let layers = layers(&distances);
    let start = at_the_start(&solitaire, rules, &distances);
    assert_eq!((layers.len() - 1, layers[21]), (21, 38));
    assert_eq!((layers[5], start), (9_351, 17));
    assert_eq!((layers, start), plain_layers(false));
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
    let start = at_the_start(&solitaire, rules, &distances);
    assert_eq!((layers.len() - 1, layers[21], layers[5]), (21, 38, 9_353));
    assert_eq!(start, 17);
    assert_eq!((layers, start), plain_layers(true));
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
