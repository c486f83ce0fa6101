use super::*;
use std::collections::{BTreeMap, BTreeSet};
use tabia_game::{Draw, Path, Text, perft};
use tabia_kit::Kit;

fn position(text: &str) -> State {
    LGame.parse_position(text).unwrap()
}

fn children(state: &State) -> Vec<State> {
    let mut moves = Vec::new();
    LGame.moves(state, &mut moves);
    let child = |mv| {
        let mut child = *state;
        LGame.play(&mut child, mv);
        child
    };
    moves.into_iter().map(child).collect()
}

#[test]
fn conforms() {
    Kit::new()
        .two_player()
        .key()
        .move_index()
        .text()
        .text_key()
        .symmetric()
        .draw()
        .effort(4, 60)
        .run(&LGame)
        .unwrap();
}

/// A second implementation, on sixteen letters row by row from the top and the side to move.
mod plain {
    use super::*;

    pub type Squares = BTreeSet<usize>;
    pub type Position = ([char; 16], char);

    pub fn read(state: &State) -> Position {
        let letter = |i: usize| {
            let square = 4 * (3 - i / 4) + i % 4;
            let on = |board: Board| board & 1 << square != 0;
            match (on(state.ls[0]), on(state.ls[1]), on(state.neutrals)) {
                (true, false, false) => 'x',
                (false, true, false) => 'o',
                (false, false, true) => 'n',
                (false, false, false) => '.',
                _ => panic!("two pieces on one square: {state:?}"),
            }
        };
        let side = ['x', 'o'][state.mover.index()];
        (std::array::from_fn(letter), side)
    }

    /// Four of a 2x3 rectangle: one long side of it and a corner of the other.
    fn is_l(set: &Squares) -> bool {
        let lines = |across: fn(usize) -> usize, along: fn(usize) -> usize| {
            let mut lines: BTreeMap<usize, Squares> = BTreeMap::new();
            for &square in set {
                let line = lines.entry(across(square)).or_default();
                line.insert(along(square));
            }
            let lines: Vec<(usize, Squares)> = lines.into_iter().collect();
            let [(first, one), (second, other)] = &lines[..] else {
                return false;
            };
            let (long, short) = if one.len() == 3 {
                (one, other)
            } else {
                (other, one)
            };
            let (low, high) = (long.first().unwrap(), long.last().unwrap());
            first + 1 == *second
                && long.len() == 3
                && low + 2 == *high
                && (short.contains(low) || short.contains(high))
        };
        lines(|s| s / 4, |s| s % 4) || lines(|s| s % 4, |s| s / 4)
    }

    pub fn all_ls() -> Vec<Squares> {
        let mut all = Vec::new();
        for a in 0..16 {
            for b in 0..a {
                for c in 0..b {
                    all.extend((0..c).map(|d| Squares::from([a, b, c, d])).filter(is_l));
                }
            }
        }
        all
    }

    pub fn squares_of((letters, _): &Position, letter: char) -> Squares {
        (0..16).filter(|&s| letters[s] == letter).collect()
    }

    /// The positions one move on.
    pub fn children(position: &Position, ls: &[Squares]) -> Vec<Position> {
        let (letters, side) = *position;
        let next = if side == 'x' { 'o' } else { 'x' };
        let old = squares_of(position, side);
        let mut lifted = letters;
        old.iter().for_each(|&s| lifted[s] = '.');
        let mut out = Vec::new();
        for l in ls.iter().filter(|&l| *l != old) {
            if l.iter().any(|&s| lifted[s] != '.') {
                continue;
            }
            let mut placed = lifted;
            l.iter().for_each(|&s| placed[s] = side);
            out.push((placed, next));
            for from in (0..16).filter(|&s| placed[s] == 'n') {
                for to in (0..16).filter(|&s| placed[s] == '.') {
                    let mut moved = placed;
                    moved.swap(from, to);
                    out.push((moved, next));
                }
            }
        }
        out
    }

    pub fn perft(position: &Position, ls: &[Squares], depth: u32) -> u64 {
        let children = children(position, ls);
        match depth {
            1 => children.len() as u64,
            _ => children.iter().map(|c| perft(c, ls, depth - 1)).sum(),
        }
    }
}

#[test]
fn placements_are_the_ls_of_a_plain_enumeration() {
    let plain: BTreeSet<Board> = plain::all_ls()
        .iter()
        .map(|l| l.iter().fold(0, |board, square| board | 1 << square))
        .collect();
    assert_eq!(plain.len(), 48);
    assert_eq!(BTreeSet::from(PLACEMENTS), plain);
}

/// Every position that can arise, in ascending order.
fn all_positions() -> Vec<State> {
    let mut seen = BTreeSet::from([LGame.start()]);
    let mut open = vec![LGame.start()];
    while let Some(state) = open.pop() {
        open.extend(children(&state).into_iter().filter(|&s| seen.insert(s)));
    }
    seen.into_iter().collect()
}

#[test]
fn moves_equal_those_of_a_plain_enumeration_everywhere() {
    let ls = plain::all_ls();
    for state in all_positions() {
        let read = plain::read(&state);
        let fast = children(&state);
        let mut expected = plain::children(&read, &ls);
        expected.sort();
        let mut found: Vec<_> = fast.iter().map(plain::read).collect();
        found.sort();
        assert_eq!(found, expected, "{read:?}");
        assert_eq!(LGame.turn(&state) == Turn::Over, expected.is_empty());
    }
}

#[test]
fn perft_equals_that_of_a_plain_enumeration() {
    let (start, ls) = (LGame.start(), plain::all_ls());
    for depth in 1..=3 {
        let expected = plain::perft(&plain::read(&start), &ls, depth);
        assert_eq!(perft(&LGame, &start, depth), expected, "depth {depth}");
    }
}

/// How many plies each lost or won position lasts with best play; the others are drawn. Plain
/// retrograde analysis: sweeps over all positions until nothing changes.
struct Solved {
    lost: BTreeMap<State, usize>,
    won: BTreeMap<State, usize>,
}

fn solve(positions: &[State]) -> Solved {
    let index = |state: &State| positions.binary_search(state).unwrap();
    let successors: Vec<Vec<usize>> = positions
        .iter()
        .map(|state| children(state).iter().map(index).collect())
        .collect();
    // Even lengths are losses, odd ones wins.
    let mut lengths: Vec<Option<usize>> = vec![None; positions.len()];
    for sweep in 0.. {
        let decided: Vec<usize> = (0..positions.len())
            .filter(|&i| lengths[i].is_none())
            .filter(|&i| {
                let mut below = successors[i].iter().map(|&child| lengths[child]);
                if sweep % 2 == 0 {
                    below.all(|length| length.is_some_and(|n| n % 2 == 1))
                } else {
                    below.any(|length| length.is_some_and(|n| n % 2 == 0))
                }
            })
            .collect();
        if decided.is_empty() {
            break;
        }
        decided.into_iter().for_each(|i| lengths[i] = Some(sweep));
    }
    let of_parity = |parity| {
        let decided = positions.iter().zip(&lengths);
        decided
            .filter_map(|(&state, length)| length.map(|n| (state, n)))
            .filter(|(_, n)| n % 2 == parity)
            .collect()
    };
    Solved {
        lost: of_parity(0),
        won: of_parity(1),
    }
}

/// The game of Schadd (2011, section 1.1), with figures that are common knowledge about it: 18,368
/// arrangements, 2,296 up to symmetry, all of which can arise with either side to move. The side to
/// move is blocked in 15 of the 2,296 and loses 14 more to best play; from the start it draws. The
/// Ls are told apart in these figures, the neutral pieces are not.
#[test]
fn schadd_1_1_size_and_value_of_the_l_game() {
    let positions = all_positions();
    let solved = solve(&positions);
    for mover in [Player::FIRST, Player::SECOND] {
        let classes = |wanted: &dyn Fn(&State) -> bool| {
            let members = positions.iter().filter(|s| s.mover == mover && wanted(s));
            let classes: BTreeSet<State> = members.clone().map(|s| LGame.canonical(s)).collect();
            assert_eq!(members.count(), 8 * classes.len());
            classes.len()
        };
        assert_eq!(classes(&|_| true), 2_296);
        assert_eq!(classes(&|s| LGame.turn(s) == Turn::Over), 15);
        assert_eq!(classes(&|s| solved.lost.get(s) == Some(&0)), 15);
        assert_eq!(classes(&|s| solved.lost.get(s) > Some(&0)), 14);
        assert_eq!(classes(&|s| !solved.lost.contains_key(s)), 2_267);
    }
    let start = LGame.start();
    assert!(!solved.lost.contains_key(&start) && !solved.won.contains_key(&start));
}

/// The arrangements again, counted from the pieces and not by play.
#[test]
fn arrangements_by_plain_counting() {
    let ls = plain::all_ls();
    let apart = |l: &plain::Squares| ls.iter().filter(|other| l.is_disjoint(other)).count();
    let pairs: usize = ls.iter().map(apart).sum();
    let neutrals_on_eight_squares = 8 * 7 / 2;
    assert_eq!(pairs * neutrals_on_eight_squares, 18_368);
}

#[test]
fn no_two_positions_share_a_key() {
    let positions = all_positions();
    let keys: BTreeSet<u64> = positions.iter().map(|s| LGame.key(s)).collect();
    assert_eq!(keys.len(), positions.len());
}

#[test]
fn a_blocked_player_has_lost() {
    let state = position("..o./ooo./x.n./xxxn x");
    assert_eq!(LGame.turn(&state), Turn::Over);
    let payoffs = [Player::FIRST, Player::SECOND].map(|p| LGame.payoff(&state, p));
    assert_eq!(payoffs, [-1, 1]);
    let other = position("..o./ooo./x.n./xxxn o");
    assert_eq!(LGame.turn(&other), Turn::Player(Player::SECOND));
}

/// Both sides move their Ls away and back, twice.
#[test]
fn the_third_occurrence_is_a_draw() {
    let mut state = LGame.start();
    let mut path = Path::new();
    let mut occurrences = vec![path.push(LGame.key(&state))];
    for mv in ["d2d3c4d4", "a1b1a2a3", "c2c3b4c4", "b1c1b2b3"].repeat(2) {
        let mv = LGame.parse_move(&state, mv).unwrap();
        LGame.play(&mut state, mv);
        occurrences.push(path.push(LGame.key(&state)));
    }
    assert_eq!(state, LGame.start());
    let draws = occurrences.iter().map(|&n| LGame.repetition().is_draw(n));
    assert_eq!(draws.filter(|&draw| draw).count(), 1);
    assert_eq!(occurrences.last(), Some(&3));
}

#[test]
fn the_start_is_de_bonos() {
    for text in [
        "nxx./.ox./.ox./.oon x",
        "NXX1|1OX1|1OX1|1OON",
        "nxx- _ox- -ox_ 1oon X",
    ] {
        assert_eq!(position(text), LGame.start(), "{text}");
    }
    let text = LGame.position_text(&LGame.start());
    assert_eq!(text, "nxx1/1ox1/1ox1/1oon x");
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "0 row(s) where 4 belong"),
        ("nxx./.ox./.ox. x", "3 row(s) where 4 belong"),
        ("nxx../.ox./.ox./.oon x", "row 4 ('nxx..') has 5 square(s)"),
        ("nxx./.ox./.o./.oon x", "row 2 ('.o.') has 3 square(s)"),
        ("nxx./.qx./.ox./.oon x", "row 3 ('.qx.') has 'q'"),
        ("nxx./.o.x/.ox./.oon x", "'x' has the squares 'c2d3b4c4'"),
        ("nxx./.ox./..x./.oon x", "'o' has the squares 'b1c1b3'"),
        ("xxx./.x.n/n.o./.ooo x", "are no L"),
        (".xx./.ox./.ox./.oon x", "1 neutral piece(s)"),
        ("nxx./.oxn/.ox./.oon x", "3 neutral piece(s)"),
        ("nxx./.ox./.ox./.oon n", "'n' is no side to move"),
        ("nxx./.ox./.ox./.oon x 1", "'1' is too much"),
    ] {
        let error = LGame.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn moves_are_read_with_and_without_marks() {
    let start = LGame.start();
    let read = |text| LGame.parse_move(&start, text);
    let mv = read("d2d3c4d4,d1-c2").unwrap();
    assert_eq!(LGame.move_text(&start, mv), "d2d3c4d4,d1-c2");
    assert_eq!(read("D2D3C4D4,D1:C2"), Ok(mv));
    assert_ne!(read("d2d3c4d4"), Ok(mv));
    for illegal in ["c2c3b4c4", "c2c3b4c4,d1-c2", "d1-c2", "d2d3c4d4,d1-d1"] {
        assert!(read(illegal).is_err(), "{illegal}");
    }
}

#[test]
fn the_picture_marks_the_l_and_the_neutral_piece() {
    let mut state = LGame.start();
    let mv = LGame.parse_move(&state, "d2d3c4d4,d1-c2").unwrap();
    LGame.play(&mut state, mv);
    let picture = LGame.picture(&state, Some(mv));
    assert_eq!((picture.pieces.len(), picture.marks.len()), (10, 6));
}
