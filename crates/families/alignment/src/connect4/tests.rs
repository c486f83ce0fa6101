use super::*;
use proptest::prelude::*;
use tabia_game::bits::Wide;
use tabia_game::{CERTAIN, Knowledge, perft};
use tabia_kit::Kit;

fn connect_four() -> Connect4<u64> {
    Connect4::new(7, 6, 4).unwrap()
}

fn conforms<B: Bits>(columns: usize, rows: usize, k: usize, plays: u32) {
    let game = Connect4::<B>::new(columns, rows, k).unwrap();
    let kit = Kit::new()
        .two_player()
        .key()
        .move_index()
        .text()
        .text_key()
        .symmetric()
        .draw();
    kit.effort(plays, 100).run(&game).unwrap();
}

#[test]
fn narrow_boards_conform() {
    for (columns, rows, k) in [
        (7, 6, 4),
        (1, 1, 1),
        (4, 4, 4),
        (1, 63, 5),
        (26, 1, 3),
        (5, 4, 3),
        (8, 7, 5),
        (3, 9, 2),
    ] {
        conforms::<u64>(columns, rows, k, 8);
    }
}

#[test]
fn wide_boards_conform() {
    for (columns, rows, k) in [
        (7, 6, 4),
        (11, 10, 5),
        (26, 3, 6),
        (1, 127, 127),
        (2, 26, 26),
    ] {
        conforms::<u128>(columns, rows, k, 2);
    }
    conforms::<Wide>(8, 8, 4, 2);
}

/// Seven drops in a row into one column are the first sequences that the rules forbid.
#[test]
fn perft_of_the_usual_board() {
    let game = connect_four();
    let counts: Vec<u64> = (1..=8).map(|d| perft(&game, &game.start(), d)).collect();
    assert_eq!(
        counts,
        [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]
    );
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    let game = connect_four();
    let error = |text| game.parse_position(text).unwrap_err().to_string();
    assert!(error("7/7/7/2x4/7/2o4 x").contains("disc on c3 floats: c2"));
    assert!(error("7/7/7/7/xxxx3/oooo3 x").contains("both sides have 4 in a row"));
    assert!(error("7/7/7/7/7/xx5").contains("side to move"));
    assert!(error("7/7/7/7/7/xo5 q").contains("'q'"));
    assert!(error("7/7/7/7/7").contains("5 rows where 6 belong"));
    assert!(
        game.parse_position("7/7/7/7/7/xx5 o").is_ok(),
        "unreachable but playable"
    );
}

#[test]
fn a_row_ends_the_game() {
    let game = connect_four();
    for (text, payoff) in [
        ("7/7/7/7/ooo4/xxxx3", 1),
        ("7/7/o6/ox5/ox5/oxx4", -1),
        ("7/7/3x3/2xo3/1xoo3/xoox3 o", 1),
        ("7/7/x6/ox5/oox4/xoox3 x", 1),
    ] {
        let state = game.parse_position(text).unwrap();
        assert_eq!(game.turn(&state), Turn::Over, "{text}");
        assert_eq!(game.payoff(&state, Player::FIRST), payoff, "{text}");
        let error = game.parse_move(&state, "7").unwrap_err().to_string();
        assert!(error.contains("the game is over"));
    }
}

#[test]
fn columns_are_read_as_numbers_and_letters() {
    let game = connect_four();
    let state = game.parse_position("x6/o6/x6/o6/x6/o6 x").unwrap();
    for (text, column) in [("2", 1), (" 7 ", 6), ("b", 1), ("G", 6)] {
        assert_eq!(game.parse_move(&state, text), Ok(Drop(column)), "{text}");
    }
    let error = |text| game.parse_move(&state, text).unwrap_err().to_string();
    assert!(error("1").contains("column 1 is full"));
    for text in ["0", "8", "h", "", "-1", "a1", "99999999999999999999", "é"] {
        assert!(error(text).contains("1 to 7, or a to g"), "{text}");
    }
}

#[test]
fn impossible_sizes_are_refused() {
    for (columns, rows, k) in [
        (0, 6, 4),
        (7, 0, 4),
        (7, 6, 0),
        (7, 6, 8),
        (27, 1, 1),
        (8, 8, 4),
        (1, 64, 4),
        (3, usize::MAX, 3),
    ] {
        let size = Connect4::<u64>::new(columns, rows, k);
        assert!(size.is_err(), "{columns}x{rows},{k}");
    }
    let error = Connect4::<u128>::new(26, 26, 4).unwrap_err().to_string();
    assert!(error.contains("128 at most"), "{error}");
}

#[test]
fn the_defaults_are_the_usual_board() {
    let values = tabia_game::options::OptionValues::parse("connect4", "", PARAMETERS).unwrap();
    assert_eq!((values.size("size"), values.integer("k")), ((7, 6), 4));
}

/// Plays these choices, each modulo the number of moves, and stops before the game ends.
fn position<B: Bits>(game: &Connect4<B>, choices: &[usize]) -> State<B> {
    let mut state = game.start();
    for choice in choices {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let old = game.play(&mut state, moves[choice % moves.len()]);
        if state.outcome != Outcome::Open {
            return old;
        }
    }
    state
}

/// The estimate of [`Threats`] by looking at every line of the board one by one.
fn plain_estimate<B: Bits>(game: &Connect4<B>, state: &State<B>) -> i64 {
    let (width, height) = (game.grid.width as i32, game.grid.height as i32);
    let inside = |f: i32, r: i32| (0..width).contains(&f) && (0..height).contains(&r);
    let at = |(f, r): (i32, i32)| game.owner(state, f as usize, r as usize);
    let mut total = [0; 2];
    let mut at_once = [0; 2];
    for side in [Player::FIRST, Player::SECOND] {
        let mut threats = std::collections::BTreeSet::new();
        for (f, r) in (0..width).flat_map(|f| (0..height).map(move |r| (f, r))) {
            for (df, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let line: Vec<_> = (0..game.k as i32)
                    .map(|i| (f + i * df, r + i * dr))
                    .collect();
                if !line.iter().all(|&(f, r)| inside(f, r))
                    || line.iter().any(|&s| at(s) == Some(side.other()))
                {
                    continue;
                }
                let lacks: Vec<_> = line.into_iter().filter(|&s| at(s).is_none()).collect();
                match lacks.len() {
                    1 => {
                        threats.insert(lacks[0]);
                    }
                    2 => total[side.index()] += 4,
                    3 => total[side.index()] += 1,
                    _ => {}
                }
            }
        }
        for &(f, r) in &threats {
            // The first row is odd, and it is number zero here.
            let favoured = height % 2 == 0 && (r % 2 == 0) == (side == Player::FIRST);
            total[side.index()] += if favoured { 32 } else { 16 };
            at_once[side.index()] += i32::from(r == 0 || at((f, r - 1)).is_some());
        }
    }
    let sign = if state.mover == Player::FIRST { 1 } else { -1 };
    if at_once[state.mover.index()] > 0 {
        sign * 980_000
    } else if at_once[state.mover.other().index()] > 1 {
        sign * -960_000
    } else {
        let ahead: i64 = total[0] - total[1];
        800_000 * ahead / (ahead.abs() + 64)
    }
}

fn sizes() -> impl Strategy<Value = (usize, usize, usize)> {
    (1usize..8, 1usize..8)
        .prop_flat_map(|(columns, rows)| (Just(columns), Just(rows), 1..=columns.max(rows).min(6)))
}

proptest! {
    #[test]
    fn estimates_equal_a_plain_scan_and_cancel_out(
        (columns, rows, k) in sizes(),
        choices in prop::collection::vec(0usize..1000, 0..40),
    ) {
        let game = Connect4::<u64>::new(columns, rows, k).unwrap();
        let state = position(&game, &choices);
        let first = Threats.evaluate(&game, &state, Player::FIRST);
        prop_assert_eq!(i64::from(first), plain_estimate(&game, &state));
        prop_assert_eq!(first, -Threats.evaluate(&game, &state, Player::SECOND));
        prop_assert!(first.abs() < CERTAIN);
        let wide = Connect4::<u128>::new(columns, rows, k).unwrap();
        prop_assert_eq!(first, Threats.evaluate(&wide, &position(&wide, &choices), Player::FIRST));
    }

    /// A win or a loss is foretold only where it can be forced by the next two drops.
    #[test]
    fn foretold_wins_are_won(
        (columns, rows, k) in sizes(),
        choices in prop::collection::vec(0usize..1000, 0..40),
    ) {
        let game = Connect4::<u64>::new(columns, rows, k).unwrap();
        let children = |state: &State<u64>| {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            moves.into_iter().map(|mv| {
                let mut child = *state;
                game.play(&mut child, mv);
                child
            }).collect::<Vec<_>>()
        };
        let wins = |state: &State<u64>| {
            children(state).iter().any(|child| child.outcome == Outcome::Won(state.mover))
        };
        let state = position(&game, &choices);
        match Threats.evaluate(&game, &state, state.mover) {
            900_000.. => prop_assert!(wins(&state)),
            ..=-900_000 => prop_assert!(!wins(&state) && children(&state).iter().all(wins)),
            _ => prop_assert!(!wins(&state)),
        }
    }

    #[test]
    fn estimates_and_priorities_do_not_change_in_the_mirror(
        (columns, rows, k) in sizes(),
        choices in prop::collection::vec(0usize..1000, 0..40),
    ) {
        let game = Connect4::<u64>::new(columns, rows, k).unwrap();
        let state = position(&game, &choices);
        let image = game.map_state(&state, 1);
        let value = |s| Threats.evaluate(&game, s, Player::FIRST);
        prop_assert_eq!(value(&state), value(&image));
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        for mv in moves {
            let mapped = game.map_move(mv, 1);
            prop_assert_eq!(
                Threats.priority(&game, &state, mv),
                Threats.priority(&game, &image, mapped)
            );
        }
    }
}

#[test]
fn winning_and_saving_drops_come_first() {
    let game = connect_four();
    let order = |text| {
        let state = game.parse_position(text).unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        moves.sort_by_key(|&mv| -Threats.priority(&game, &state, mv));
        moves
            .iter()
            .map(|&mv| game.move_text(&state, mv))
            .collect::<Vec<_>>()
            .join("")
    };
    assert_eq!(order("7/7/7/7/7/7"), "4352617");
    assert_eq!(
        order("7/7/7/o6/o5x/o5x x"),
        "1435267",
        "only the first column saves"
    );
    assert_eq!(
        order("7/7/7/o5x/o5x/o5x x"),
        "7143526",
        "winning is better than saving"
    );
}

/// Every legal drop is drawn as often as any other, and nothing else; games played so end as the
/// rules say.
#[test]
fn random_drops_are_uniform() {
    use std::collections::HashMap;
    for (columns, rows, plies) in [(7, 6, 0), (7, 6, 17), (4, 3, 8), (1, 9, 2)] {
        let game = Connect4::<u64>::new(columns, rows, 4).unwrap();
        let mut rng = tabia_game::Seed::new(plies).rng();
        let mut state = game.start();
        while game.turn(&state) == Turn::Over || state.occupied().count() as u64 != plies {
            state = game.start();
            game.play_at_random(&mut state, plies as u32, &mut Vec::new(), &mut rng);
        }
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut seen: HashMap<State<u64>, u32> = HashMap::new();
        for _ in 0..1000 * moves.len() {
            let mut next = state;
            assert_eq!(
                game.play_at_random(&mut next, 1, &mut Vec::new(), &mut rng),
                1
            );
            *seen.entry(next).or_default() += 1;
        }
        for &mv in &moves {
            let mut next = state;
            game.play(&mut next, mv);
            let times = seen.remove(&next).unwrap_or(0);
            assert!((850..1150).contains(&times), "{mv:?} {times}");
        }
        assert!(seen.is_empty());
        let played = game.play_at_random(&mut state, u32::MAX, &mut Vec::new(), &mut rng);
        assert!(game.turn(&state) == Turn::Over && played > 0);
        assert_eq!(
            state,
            game.parse_position(&game.position_text(&state)).unwrap()
        );
    }
}
