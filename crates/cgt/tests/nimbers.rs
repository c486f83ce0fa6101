//! Nimbers by search against their definition.

use std::collections::{BTreeSet, HashMap};

use rand::RngExt;
use tabia_cgt::impartial::{NimberSearch, Unfound};
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::clobber::Clobber;
use tabia_combinatorial::domineering::Domineering;
use tabia_combinatorial::elephants::Elephants;
use tabia_combinatorial::fission::Fission;
use tabia_combinatorial::nim::Nim;
use tabia_combinatorial::nogo::NoGo;
use tabia_combinatorial::octal::Octal;
use tabia_combinatorial::toads::Toads;
use tabia_combinatorial::toppling_dominoes::TopplingDominoes;
use tabia_game::{Combinatorial, Impartial, Limits, Player, Seed};

/// The nimber by its definition, of whole positions and without parts.
fn nimber<R: Combinatorial>(
    rules: &R,
    position: &R::Position,
    known: &mut HashMap<R::Position, u32>,
) -> u32 {
    if let Some(&found) = known.get(position) {
        return found;
    }
    let mut moves = Vec::new();
    rules.moves(position, Player::FIRST, &mut moves);
    let reached: BTreeSet<u32> = moves
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            rules.play(&mut next, Player::FIRST, mv);
            nimber(rules, &next, known)
        })
        .collect();
    let least = (0..).find(|n| !reached.contains(n)).unwrap();
    known.insert(position.clone(), least);
    least
}

fn boards(width: usize, height: usize, letters: &str, count: u64) -> Vec<String> {
    let letters: Vec<char> = letters.chars().collect();
    (0..count)
        .map(|seed| {
            let mut rng = Seed::new(seed).rng();
            let mut row = || {
                let cell = |_| letters[rng.random_range(0..letters.len())];
                (0..width).map(cell).collect::<String>()
            };
            (0..height).map(|_| row()).collect::<Vec<_>>().join("|")
        })
        .collect()
}

/// Positions one by one, and added to the one before, the latter by a search that forgets much as
/// well.
fn agrees<R: Combinatorial + Clone>(rules: R, texts: Vec<String>) {
    let mut known = HashMap::new();
    let mut search = NimberSearch::new(rules.clone(), 1 << 22);
    let meter = &mut Limits::default().meter();
    let (mut before, mut count) = (None, 0);
    for text in texts {
        let Ok(position) = rules.parse_position(&text) else {
            continue;
        };
        count += 1;
        let expected = nimber(&rules, &position, &mut known);
        for other in 0..expected + 3 {
            let is = search.is(std::slice::from_ref(&position), other, meter);
            assert_eq!(is, Ok(other == expected), "{text} {other}");
        }
        let found = search.nimber(std::slice::from_ref(&position), meter);
        assert_eq!(found, Ok(expected), "{text}");
        if let Some((last, nimber)) = before.replace((position.clone(), expected)) {
            let sum = [last, position];
            // There is room for a line of play, but next to none to remember anything.
            let mut forgetful = NimberSearch::new(rules.clone(), 1 << 16);
            for search in [&mut search, &mut forgetful] {
                let total: u32 = expected ^ nimber;
                assert_eq!(search.is(&sum, total, meter), Ok(true), "{text} and before");
                assert_eq!(search.is(&sum, total ^ 1, meter), Ok(false));
                assert_eq!(search.nimber(&sum, meter), Ok(total));
            }
        }
    }
    assert!(count > 20, "{count} positions");
}

#[test]
fn nimbers_are_those_of_the_definition() {
    agrees(Impartial(Amazons), boards(3, 2, "X.O.#.", 60));
    agrees(Impartial(Clobber), boards(4, 2, "XO.", 80));
    agrees(Impartial(Domineering), boards(4, 3, "..#", 80));
    agrees(Impartial(Elephants), boards(9, 1, "X.O.", 80));
    agrees(Impartial(Fission), boards(4, 3, "..X#", 80));
    agrees(Impartial(NoGo), boards(7, 1, "...XO", 120));
    agrees(Impartial(NoGo), boards(3, 2, "...XO", 120));
    agrees(Impartial(Toads), boards(9, 1, "T.F.", 80));
    agrees(Impartial(TopplingDominoes), boards(6, 1, "XO#", 80));
    agrees(Nim, (0..30).map(|n| format!("{},{}", n % 7, n)).collect());
    agrees(
        Octal::new(".77").unwrap(),
        (0..30).map(|n| format!("{},{}", n % 5, n)).collect(),
    );
}

/// A search needs no recursion: a heap from which one is taken at a time has one line of play, and
/// its nimber is whether the heap is odd.
#[test]
fn lines_of_play_may_be_long() {
    let rules = Octal::new(".3").unwrap();
    let mut search = NimberSearch::new(rules.clone(), 1 << 24);
    let meter = &mut Limits::default().meter();
    for (heap, expected) in [("9999", 1), ("10000", 0)] {
        let heap = [rules.parse_position(heap).unwrap()];
        assert_eq!(search.nimber(&heap, meter), Ok(expected));
    }
}

#[test]
fn limits_are_kept() {
    let board = [Domineering.parse_position("....|....|....|....").unwrap()];
    let mut search = NimberSearch::new(Impartial(Domineering), 1 << 20);
    let stopped = search.nimber(&board, &mut Limits::nodes(10).meter());
    assert!(matches!(stopped, Err(Unfound::Stopped(_))));
    assert_eq!(search.looked_at(), 10);
    let meter = &mut Limits::default().meter();
    let found = search.nimber(&board, meter);
    let fresh = NimberSearch::new(Impartial(Domineering), 1 << 20).nimber(&board, meter);
    assert_eq!(found, fresh, "what has been found so far is good");
    let refused = NimberSearch::new(Impartial(Domineering), 1 << 10).nimber(&board, meter);
    assert_eq!(refused, Err(Unfound::Room(1 << 9)));
    // Every heap below another may be the result of a move, and the least come first.
    let heap = [Nim.parse_position("2000").unwrap()];
    let found = NimberSearch::new(Nim, 1 << 20).nimber(&heap, meter);
    assert_eq!(found, Ok(2000));
}
