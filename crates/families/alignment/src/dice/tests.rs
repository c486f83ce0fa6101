use super::*;
use tabia_game::Knowledge;
use tabia_game::bits::Wide;
use tabia_kit::Kit;

fn kit<B: Bits>() -> Kit<Dice<B>> {
    Kit::new()
        .two_player()
        .chance()
        .key()
        .move_index()
        .text()
        .text_key()
        .draw()
}

#[test]
fn conforms() {
    for full in [FullLine::Pass, FullLine::Reroll] {
        for (m, k) in [(2, 2), (3, 3), (3, 2), (7, 4)] {
            kit().run(&Dice::<u64>::new(m, k, full).unwrap()).unwrap();
        }
        let game = Dice::<Wide>::new(17, 4, full).unwrap();
        kit().effort(2, 60).run(&game).unwrap();
    }
}

/// Hauk (2004): rows in which a game can be won. A row is counted by the square it begins on.
#[test]
fn hauk_win_lines() {
    for (m, k, lines) in [(7, 4, 88), (5, 4, 28), (3, 3, 8)] {
        let game = Dice::<u64>::new(m, k, FullLine::Pass).unwrap();
        let rows = game.board.steps.iter();
        let count: usize = rows
            .map(|&step| crate::rows::runs(game.board.full, step, k).count())
            .sum();
        assert_eq!(count, lines, "({m},{k})");
    }
}

/// Boards without a row and with a free square, {empty, X, O} on nine squares: 11,093 with k = 3
/// and 695 with k = 2.
#[test]
fn hauk_positions_of_the_exact_solver() {
    for (k, wanted) in [(3, 11_093), (2, 695)] {
        let game = Dice::<u64>::new(3, k, FullLine::Pass).unwrap();
        let mut count = 0;
        for number in 0..3usize.pow(9) {
            let mut stones = [0u64; 2];
            let mut rest = number;
            for square in 0..9 {
                if rest % 3 > 0 {
                    stones[rest % 3 - 1] |= 1 << game.board.bit(square % 3, square / 3);
                }
                rest /= 3;
            }
            let full = stones[0] | stones[1] == game.board.full;
            let won = stones.iter().any(|&own| game.board.has_line(own));
            count += usize::from(!full && !won);
        }
        assert_eq!(count, wanted);
    }
}

/// Pairs counted by looking at every two stones of a side.
#[test]
fn pairs_equal_a_plain_count() {
    let game = Dice::<u64>::new(5, 4, FullLine::Pass).unwrap();
    for seed in 0..500 {
        let cell = |f: i32, r: i32| -> Option<usize> {
            let inside = (0..5).contains(&f) && (0..5).contains(&r);
            match zobrist::number(seed, (r * 5 + f) as u64) % 3 {
                _ if !inside => None,
                0 => Some(2),
                n => Some(n as usize - 1),
            }
        };
        let mut stones = [0u64; 2];
        let mut plain = [0i32; 2];
        for f in 0..5 {
            for r in 0..5 {
                let Some(side @ (0 | 1)) = cell(f, r) else {
                    continue;
                };
                stones[side] |= 1 << game.board.bit(f as usize, r as usize);
                for (df, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let near = cell(f + df, r + dr);
                    let far = cell(f + 2 * df, r + 2 * dr);
                    plain[side] += i32::from(near == Some(side));
                    plain[side] += i32::from(near == Some(2) && far == Some(side));
                }
            }
        }
        assert_eq!(game.difference(stones, Player::FIRST), plain[0] - plain[1]);
        assert!(plain[0].max(plain[1]) <= game.most_pairs);
    }
}

#[test]
fn a_stone_that_wins_comes_first() {
    let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    let state = game.parse_position("oo./.../xx. x 1").unwrap();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    assert_eq!(moves.len(), 1);
    assert_eq!(game.move_text(&state, moves[0]), "c1");
    assert!(PairCount.priority(&game, &state, moves[0]) > tabia_game::URGENT);
}

#[test]
fn a_full_line_passes_or_is_cast_again() {
    let text = "xox/.../... x";
    let pass = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    let mut state = pass.parse_position(text).unwrap();
    pass.play(&mut state, Move::Roll(2));
    assert_eq!(pass.position_text(&state), "xox/3/3 o");
    let again = Dice::<u64>::new(3, 3, FullLine::Reroll).unwrap();
    let mut rolls = Vec::new();
    again.outcomes(&again.parse_position(text).unwrap(), &mut rolls);
    assert_eq!(rolls, [(Move::Roll(0), 1), (Move::Roll(1), 1)]);
}

#[test]
fn impossible_casts_are_refused_with_a_reason() {
    let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
    let error = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(error("3/3/3 x 4").contains("a rank, 1 to 3"));
    assert!(error("3/3/3 o 1").contains("a file, a to c"));
    assert!(error("xox/3/3 x 3").contains("no room"));
    assert!(error("xxx/3/oo1 o a").contains("over"));
    assert!(game.parse_position("3/3/3 o c").is_ok());
}

/// On a board of 15 files or more a file is called as O is.
#[test]
fn the_file_o_is_told_from_the_side_o() {
    let game = Dice::<tabia_game::bits::Wide>::new(17, 4, FullLine::Pass).unwrap();
    let empty = ["17"; 17].join("/");
    let state = game.parse_position(&format!("{empty} o o")).unwrap();
    assert_eq!(game.position_text(&state), format!("{empty} o o"));
    assert!(game.parse_position(&format!("{empty} o")).is_ok());
}
