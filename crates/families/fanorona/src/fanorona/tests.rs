use super::*;
use std::collections::BTreeSet;
use tabia_game::{Indexed, Text, perft};
use tabia_kit::Kit;

#[path = "../../tests/support/plain_fanorona.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod plain_fanorona;

use plain_fanorona::PlainFanorona;

fn board(rows: usize, columns: usize) -> Fanorona<u64> {
    Fanorona::new(rows, columns).unwrap()
}

fn moves_of(game: &Fanorona<u64>, position: &str) -> BTreeSet<String> {
    let state = game.parse_position(position).unwrap();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    moves.iter().map(|&mv| game.move_text(&state, mv)).collect()
}

fn kit<B: Bits>() -> Kit<Fanorona<B>> {
    Kit::new()
        .two_player()
        .move_index()
        .key()
        .text()
        .text_key()
        .symmetric()
        .draw()
        .indexed()
        .retro()
}

#[test]
fn conforms_on_boards_of_all_widths() {
    for (rows, columns) in [(3, 3), (5, 3), (3, 9), (5, 5), (5, 9)] {
        kit().effort(6, 60).run(&board(rows, columns)).unwrap();
    }
    let wide = Fanorona::<u128>::new(9, 11).unwrap();
    kit().effort(2, 30).run(&wide).unwrap();
}

/// Chains counted as moves, every stop a move of its own; [`PlainFanorona`] counts the same.
#[test]
fn perft_of_three_boards() {
    for (rows, columns, counts) in [
        (5, 9, [5, 39, 724, 18_026, 431_852]),
        (5, 5, [5, 21, 202, 3_469, 34_608]),
        (3, 3, [4, 7, 14, 67, 137]),
    ] {
        let game = board(rows, columns);
        let found: Vec<u64> = (1..=5).map(|d| perft(&game, &game.start(), d)).collect();
        assert_eq!(found, counts, "{rows}x{columns}");
        let plain = PlainFanorona::read(&game.position_text(&game.start()));
        let plain: Vec<u64> = (1..=4).map(|d| plain.sequences(d)).collect();
        assert_eq!(plain, counts[..4], "{rows}x{columns}");
    }
    for (rows, columns, count) in [(3, 3, 280), (5, 5, 306_837), (5, 9, 9_205_774)] {
        let game = board(rows, columns);
        assert_eq!(perft(&game, &game.start(), 6), count, "{rows}x{columns}");
    }
}

#[test]
fn schadd_4_6_1_the_first_moves() {
    let game = board(5, 9);
    let start = game.position_text(&game.start());
    let expected = ["f2-e3A", "d3-e3A", "e2-e3A", "d3-e3W", "d2-e3A"];
    assert_eq!(
        moves_of(&game, &start),
        expected.map(String::from).into_iter().collect()
    );
}

/// The pieces that the text of section 4.2.2 names.
#[test]
fn schadd_figure_4_3_captures() {
    let game = board(5, 9);
    let moves = moves_of(&game, "9/2b2wbwb/9/1w1bb1b2/9 w");
    for legal in ["b2-c2A", "b2-c2A-c3A", "f4-e4W", "f4-e4W-e3A"] {
        assert!(moves.contains(legal), "{legal}: {moves:?}");
    }
    for illegal in ["f4-e4W-d4A", "f4-e4W-e3A-f4W", "b2-b1", "b2-c3A"] {
        assert!(!moves.contains(illegal), "{illegal}");
    }
}

/// Formula 4.1 and table 4.2: all positions of this many pieces, both sides having at least one.
#[test]
fn schadd_table_4_2_database_sizes() {
    let positions = |game: &Fanorona<u64>, pieces: u32| -> u64 {
        let slices = game.slices().into_iter();
        let of_size = slices.filter(|&slice| game.slice_size(slice) == pieces);
        of_size.map(|slice| game.slice_len(slice).unwrap()).sum()
    };
    let printed = [
        1_980,
        85_140,
        2_085_930,
        36_652_770,
        504_993_720,
        5_717_832_120,
        54_750_511_530,
        451_943_198_850,
        3_260_371_406_292,
        20_768_119_231_860,
        117_743_529_024_030,
        597_920_852_078_550,
        2_733_686_209_314_720,
        // Printed rounded to 11,299,926,066,685,300.
        11_299_926_066_685_344,
    ];
    let found: Vec<u64> = (2..=15).map(|m| positions(&board(5, 9), m)).collect();
    assert_eq!(found, printed);
    assert_eq!(found[..6].iter().sum::<u64>(), 6_261_651_660);
    // Tables 4.5 to 4.7, with the misprints of 4 pieces on 5x5 and 7 pieces on 3x9 mended.
    let of = |rows, columns, most| -> Vec<u64> {
        (2..=most)
            .map(|pieces| positions(&board(rows, columns), pieces))
            .collect()
    };
    assert_eq!(
        of(5, 5, 9),
        [
            600,
            13_800,
            177_100,
            1_593_900,
            10_980_200,
            60_568_200,
            274_720_050,
            1_041_917_250
        ]
    );
    assert_eq!(
        of(7, 5, 7),
        [1_190, 39_270, 733_040, 9_738_960, 100_635_920, 847_289_520]
    );
    assert_eq!(
        of(3, 9, 8),
        [
            702,
            17_550,
            245_700,
            2_421_900,
            18_352_620,
            111_891_780,
            563_899_050
        ]
    );
}

/// Every place of small slices, not only those that random games come by.
#[test]
fn places_and_positions_are_one_to_one() {
    let game = board(3, 5);
    for slice in game.slices().into_iter().filter(|s| s.own + s.enemy <= 5) {
        for index in 0..game.slice_len(slice).unwrap() {
            let state = game.position_at(slice, index);
            assert_eq!(game.locate(&state), Some((slice, index)));
            let exchanged = State {
                pieces: [state.pieces[1], state.pieces[0]],
                mover: Player::SECOND,
                ..state
            };
            assert_eq!(game.locate(&exchanged), Some((slice, index)));
        }
    }
}

#[test]
fn a_player_without_a_move_has_lost() {
    let game = board(3, 3);
    let blocked = game.parse_position("wb1/bbb/3 w").unwrap();
    assert_eq!(game.turn(&blocked), Turn::Over);
    assert_eq!(game.payoff(&blocked, Player::FIRST), -1);
    let bare = game.parse_position("3/1b1/3 w").unwrap();
    assert_eq!(game.turn(&bare), Turn::Over);
    assert_eq!(game.payoff(&bare, Player::SECOND), 1);
}

#[test]
fn impossible_boards_and_positions_are_refused_with_a_reason() {
    for (rows, columns) in [(4, 9), (5, 8), (1, 9), (27, 3), (9, 9)] {
        assert!(Fanorona::<u64>::new(rows, columns).is_err());
    }
    let game = board(3, 3);
    for (text, reason) in [
        ("www/ww1/3 w", "White has 5 pieces, more than the 4"),
        ("3/3/3 w", "the board is empty"),
        ("3/3/w2 q", "'q' is no side to move"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// With strong and weak points exchanged corners have no diagonals; moves are those of the plain
/// rules, and tables keep their names on the usual board.
#[test]
fn strong_and_weak_points_can_change_places() {
    for (rows, columns) in [(3, 3), (3, 5), (5, 5)] {
        let game = Fanorona::<u64>::with_lines(rows, columns, true).unwrap();
        let start = PlainFanorona::read(&game.position_text(&game.start())).exchanged();
        let usual = PlainFanorona::read(&game.position_text(&game.start()));
        let counts: Vec<u64> = (1..=4).map(|d| perft(&game, &game.start(), d)).collect();
        let plain: Vec<u64> = (1..=4).map(|d| start.sequences(d)).collect();
        assert_eq!(counts, plain, "{rows}x{columns}");
        let usual: Vec<u64> = (1..=4).map(|d| usual.sequences(d)).collect();
        assert_ne!(counts, usual, "{rows}x{columns}");
    }
}
