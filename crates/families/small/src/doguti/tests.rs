use super::*;
use std::collections::BTreeSet;
use tabia_game::{Draw, Indexed, Text, perft};
use tabia_kit::Kit;

fn position(text: &str) -> State {
    DoGuti.parse_position(text).unwrap()
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
        .indexed()
        .retro()
        .run(&DoGuti)
        .unwrap();
}

/// The lines of the board as drawn, each named once.
#[test]
fn moves_go_along_the_seven_lines_between_neighbours() {
    let lines: BTreeSet<&str> = "a1-c1 a1-a3 c1-c3 a1-b2 c1-b2 a3-b2 c3-b2"
        .split(' ')
        .collect();
    let mut seen = BTreeSet::new();
    for index in 0..30 {
        let state = DoGuti.position_at((), index);
        let mut moves = Vec::new();
        DoGuti.moves(&state, &mut moves);
        seen.extend(moves.iter().map(|&mv| DoGuti.move_text(&state, mv)));
    }
    let reversed = |mv: &str| format!("{}-{}", &mv[3..], &mv[..2]);
    assert_eq!(seen.len(), 2 * lines.len());
    for line in lines {
        assert!(seen.contains(line) && seen.contains(&reversed(line)));
    }
}

/// By hand: either stone to the middle, and the stone above it takes its place; the stone in the
/// middle goes where that came from, and both black stones can go to the middle.
#[test]
fn perft_by_hand() {
    let counts = [1, 2, 3, 4].map(|depth| perft(&DoGuti, &DoGuti.start(), depth));
    assert_eq!(counts, [2, 2, 2, 4]);
}

#[test]
fn donkers_section_2_thirty_configurations() {
    assert_eq!(DoGuti.slice_len(()), Some(30));
    for index in 0..30 {
        let state = DoGuti.position_at((), index);
        assert_eq!(DoGuti.locate(&state), Some(((), index)));
    }
}

#[test]
fn a_blocked_player_has_lost() {
    let blocked = position("w2/1b1/w1b w");
    assert_eq!(DoGuti.turn(&blocked), Turn::Over);
    assert_eq!(DoGuti.payoff(&blocked, Player::SECOND), 1);
    let other = position("w2/1b1/w1b b");
    assert_eq!(DoGuti.turn(&other), Turn::Player(Player::SECOND));
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("b1b/3 w", "2 rows where 3 belong"),
        ("b1b/3/ww1 w", "there is no point b1"),
        ("b1b/1b1/w1w w", "Black has 3 stone(s)"),
        ("b1b/3/w2 w", "White has 1 stone(s)"),
    ] {
        let error = DoGuti.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_picture_has_five_points() {
    let picture = DoGuti.picture(&DoGuti.start(), None);
    assert_eq!((picture.cells.len(), picture.pieces.len()), (5, 4));
    assert_eq!(DoGuti.position_text(&DoGuti.start()), "b1b/3/w1w w");
}
