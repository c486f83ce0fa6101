use super::*;
use proptest::prelude::*;
use std::collections::HashMap;
use tabia_game::Text;
use tabia_kit::Kit;
use tabia_tables::patterns::Abstraction;

fn sliding(width: usize, height: usize, blank: Blank, seed: u64) -> Sliding {
    Sliding::new(width, height, blank, seed).unwrap()
}

fn moves(game: &Sliding, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

#[test]
fn conforms() {
    for blank in [Blank::First, Blank::Last] {
        for (width, height, seed) in [
            (4, 4, 0),
            (2, 2, 1),
            (3, 3, 2),
            (5, 5, 3),
            (3, 2, 4),
            (2, 5, 5),
        ] {
            Kit::new()
                .effort(8, 100)
                .one_player()
                .commutes()
                .key()
                .move_index()
                .text()
                .text_key()
                .symmetric()
                .draw()
                .run(&sliding(width, height, blank, seed))
                .unwrap();
        }
    }
}

/// Distances from the goal of all positions, on arrays of numbers and with moves found by
/// coordinates.
fn distances(width: usize, height: usize, goal: Vec<u8>) -> HashMap<Vec<u8>, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![goal];
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &layer {
            let blank = board.iter().position(|&tile| tile == 0).unwrap();
            let (x, y) = ((blank % width) as isize, (blank / width) as isize);
            for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let (x, y) = (x + dx, y + dy);
                if (0..width as isize).contains(&x) && (0..height as isize).contains(&y) {
                    let mut board = board.clone();
                    board.swap(blank, y as usize * width + x as usize);
                    if !distances.contains_key(&board) {
                        distances.insert(board.clone(), distance);
                        next.push(board);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

fn in_order(squares: u8, blank: Blank) -> Vec<u8> {
    let mut goal: Vec<u8> = (0..squares).collect();
    if blank == Blank::Last {
        goal.rotate_left(1);
    }
    goal
}

fn board_text(board: &[u8]) -> String {
    let words: Vec<String> = board.iter().map(u8::to_string).collect();
    words.join(" ")
}

/// All 181,440 positions of the 8-puzzle: 31 moves at most, which two positions need (Reinefeld
/// 1993). The bound is never too large, moves are those of coordinates, and the other half of all
/// arrangements is refused.
#[test]
fn the_eight_puzzle_position_by_position() {
    for blank in [Blank::First, Blank::Last] {
        let game = sliding(3, 3, blank, 0);
        let all = distances(3, 3, in_order(9, blank));
        assert_eq!(all.len(), 181_440);
        assert_eq!(all.values().max(), Some(&31));
        assert_eq!(all.values().filter(|&&d| d == 31).count(), 2);
        for (board, &distance) in all.iter().step_by(7) {
            let state = game.parse_position(&board_text(board)).unwrap();
            assert!(game.distance(&state) <= distance);
            assert_eq!(game.distance(&state) % 2, distance % 2);
            assert_eq!(game.turn(&state) == Turn::Over, distance == 0);
            if distance > 0 {
                let children = moves(&game, &state).into_iter().map(|mv| {
                    let mut next = state;
                    game.play(&mut next, mv);
                    all[&next.tiles[..9]]
                });
                assert_eq!(children.min(), Some(distance - 1));
            }
            let mut other = board.clone();
            let tile = |n: u8| board.iter().position(|&t| t == n).unwrap();
            other.swap(tile(1), tile(2));
            assert!(game.parse_position(&board_text(&other)).is_err());
        }
    }
}

/// The other sizes that can be looked at whole: half of all arrangements are positions.
#[test]
fn small_puzzles_have_half_of_all_arrangements() {
    for (width, height, positions, deepest) in [
        (2, 2, 12, 6),
        (3, 2, 360, 21),
        (2, 3, 360, 21),
        (4, 2, 20_160, 36),
    ] {
        let squares = (width * height) as u8;
        let all = distances(width, height, in_order(squares, Blank::Last));
        assert_eq!(all.len(), positions);
        assert_eq!(all.values().max(), Some(&deepest));
        let game = sliding(width, height, Blank::Last, 0);
        for (board, &distance) in &all {
            let state = game.parse_position(&board_text(board)).unwrap();
            assert!(game.distance(&state) <= distance);
        }
    }
}

/// Two tiles of a row that must pass each other take two moves more than their distance, three that
/// are turned around four.
#[test]
fn linear_conflicts() {
    let game = sliding(4, 4, Blank::First, 0);
    let bound = |text: &str| {
        let state = game.parse_position(text).unwrap();
        let away = (0..16).map(|place| {
            let tile = usize::from(state.tiles[place]);
            u32::from(game.manhattan[tile][place])
        });
        (away.sum::<u32>(), game.distance(&state))
    };
    assert_eq!(bound("0 2 1 3 4 5 6 7 8 9 10 11 12 13 15 14"), (4, 8));
    // 1, 2 and 3 turned around, and 14 and 15.
    assert_eq!(bound("0 3 2 1 4 5 6 7 8 9 10 11 12 13 15 14"), (6, 12));
    // 4 and 8 in the first column.
    assert_eq!(bound("0 2 1 3 8 5 6 7 4 9 10 11 12 13 14 15"), (4, 8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is kept up move by move is what it would be afresh.
    #[test]
    fn the_bound_is_kept_up(
        width in 2usize..=5, height in 2usize..=5, first: bool, seed: u64,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..200)
    ) {
        let blank = if first { Blank::First } else { Blank::Last };
        let game = sliding(width, height, blank, seed);
        let mut state = game.start();
        prop_assert!(game.is_solvable(&state.tiles));
        for choice in choices {
            let moves = moves(&game, &state);
            if moves.is_empty() {
                break;
            }
            let before = state.bound;
            game.play(&mut state, *choice.get(&moves));
            prop_assert_eq!(state.bound, game.bound(&state.tiles));
            prop_assert_eq!(state.bound.abs_diff(before), 1);
        }
    }

    #[test]
    fn nothing_brings_the_parser_down(text in ".{0,60}", likely in "[0-9 /a-]{0,40}") {
        for (width, height) in [(2, 2), (3, 2)] {
            let game = sliding(width, height, Blank::Last, 0);
            for text in [&text, &likely] {
                if let Ok(state) = game.parse_position(text) {
                    prop_assert_eq!(game.parse_position(&game.position_text(&state)), Ok(state));
                }
            }
        }
    }

    /// Patterns are numbered without gaps, and the number leads back to the places; single moves
    /// and moves of many places of the blank at once are the same.
    #[test]
    fn patterns_are_numbered(seed: u64, count in 1usize..=5, wanted: prop::sample::Index) {
        let game = sliding(3, 3, Blank::First, seed);
        let tiles: Vec<u8> = (1..=8).collect();
        let tiles = &tiles[..count];
        let pattern = TilePattern::new(&game, tiles).unwrap();
        let patterns = pattern.patterns().unwrap();
        prop_assert_eq!(patterns, (0..count as u64).map(|i| 9 - i).product::<u64>());
        let number = wanted.index(patterns as usize) as u64;
        let (places, taken) = pattern.unrank(number);
        prop_assert_eq!(pattern.rank(places[..count].iter().copied()), number);
        for rest in (0..9).filter(|rest| taken & 1 << rest == 0) {
            let (mut plain, mut fast) = (Vec::new(), Vec::new());
            pattern.neighbours(number, rest, &mut plain);
            let reached = pattern.expand(number, 1 << rest, &mut fast);
            for (next, blank, cost) in plain {
                match cost {
                    0 => prop_assert!(next == number && reached & 1 << blank != 0),
                    _ => prop_assert!(fast.contains(&(next, 1 << blank))),
                }
            }
        }
    }

    /// The mirrored pattern of a position is the pattern of the mirrored position.
    #[test]
    fn mirrored_patterns(first: bool, seed: u64) {
        let blank = if first { Blank::First } else { Blank::Last };
        let game = sliding(4, 4, blank, seed);
        let state = game.start();
        let image = game.map_state(&state, 1);
        for largest in [5, 6, 8, 3] {
            let groups = TilePattern::partition(&game, largest).unwrap();
            let mut tiles: Vec<u8> = groups.iter().flat_map(|g| g.tiles().to_vec()).collect();
            tiles.sort_unstable();
            prop_assert_eq!(tiles, (1..16).collect::<Vec<u8>>());
            for pattern in groups {
                let mirrored = pattern.mirrored(&game).unwrap();
                prop_assert_eq!(mirrored.pattern(&game, &state), pattern.pattern(&game, &image));
            }
        }
    }
}

#[test]
fn texts_of_all_kinds_are_read() {
    let game = sliding(3, 2, Blank::Last, 0);
    let state = game.parse_position("1 2 3 / 4 0 5 after 7").unwrap();
    assert_eq!(state.moves_made(), 7);
    assert_eq!(game.most(&state), -8);
    for text in [
        "1 2 3 4 - 5 after 7",
        "1,2,3|4,_,5 after 7",
        "1 2 3;4 . 5 after 7",
    ] {
        assert_eq!(game.parse_position(text), Ok(state), "{text}");
    }
    let refused = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(refused("2 1 3 / 4 5 0").contains("1 exchanges would do it, which is odd"));
    assert!(refused("1 2 3 / 4 5").contains("row 2 has 2 numbers where 3 belong"));
    assert!(refused("1 2 3 / 4 5 6").contains("'6' in row 2, column 3 is no tile"));
    assert!(
        refused("1 2 3 / 4 4 0")
            .contains("tile 4 is there twice, the second time in row 2, column 2")
    );
    assert!(refused("1 2 3 / 4 0 0").contains("the blank is there twice"));
    assert!(refused("1 2 3 4 5").contains("5 numbers where 6 belong"));
    assert!(refused("1 2/3 4/5 0").contains("3 rows where 2 belong"));
    assert!(refused("1 2 3 / 4 5 0 after x").contains("no number of moves"));
    assert!(refused("1 2 3 / 4 5 0 after 10001").contains("no number of moves"));
}

#[test]
fn a_game_is_given_up_in_the_end() {
    let game = sliding(2, 2, Blank::Last, 0);
    let mut state = game.parse_position("1 2 / 0 3 after 9999").unwrap();
    let mv = game.parse_move(&state, "1").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.payoff(&state, Player::FIRST), -10_000 - UNSOLVED);
}

#[test]
fn sizes_and_patterns_are_checked() {
    for (width, height) in [(1, 4), (6, 4), (4, 1), (4, 6)] {
        assert!(Sliding::new(width, height, Blank::Last, 0).is_err());
    }
    assert_eq!(Blank::named("first"), Some(Blank::First));
    assert_eq!(Blank::named("middle"), None);
    let game = sliding(3, 2, Blank::Last, 0);
    let error = |tiles: &[u8]| TilePattern::new(&game, tiles).unwrap_err();
    assert_eq!(error(&[]), PatternError::Empty);
    assert_eq!(error(&[1, 0]), PatternError::NoTile { tile: 0, last: 5 });
    assert_eq!(error(&[6]), PatternError::NoTile { tile: 6, last: 5 });
    assert_eq!(error(&[2, 1, 2]), PatternError::Twice(2));
    let pattern = TilePattern::new(&game, &[3, 1]).unwrap();
    assert_eq!(pattern.text(), "pattern-1-3");
    assert_eq!(
        pattern.mirrored(&game).unwrap_err(),
        PatternError::NotSquare
    );
}
