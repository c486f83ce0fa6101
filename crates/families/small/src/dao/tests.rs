use super::*;
use std::collections::BTreeSet;
use tabia_game::{Draw, Indexed, Knowledge, Path, Retro, Text, perft};
use tabia_kit::Kit;

fn position(text: &str) -> State {
    Dao.parse_position(text).unwrap()
}

fn play(state: &mut State, line: &str) {
    for mv in line.split(' ') {
        let mv = Dao.parse_move(state, mv).unwrap();
        Dao.play(state, mv);
    }
}

fn children(state: &State) -> Vec<State> {
    let mut moves = Vec::new();
    Dao.moves(state, &mut moves);
    let child = |mv| {
        let mut child = *state;
        Dao.play(&mut child, mv);
        child
    };
    moves.into_iter().map(child).collect()
}

/// Every place, the first player to move.
fn everywhere() -> impl Iterator<Item = State> {
    let len = Dao.slice_len(()).unwrap();
    (0..len).map(|index| Dao.position_at((), index))
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
        .run(&Dao)
        .unwrap();
}

/// Table 4 of Donkers et al. (2004): the leaves of minimax search, among them the games that end
/// before.
#[test]
fn donkers_table_4_leaves() {
    fn ended(state: &State, depth: u32) -> u64 {
        match (depth, Dao.turn(state)) {
            (0, _) => 0,
            (_, Turn::Over) => 1,
            _ => children(state).iter().map(|c| ended(c, depth - 1)).sum(),
        }
    }
    let leaves = [12, 140, 1_688, 19_888, 225_664, 2_520_140];
    for (depth, expected) in (1..).zip(leaves) {
        let counted = perft(&Dao, &Dao.start(), depth) + ended(&Dao.start(), depth);
        assert_eq!(counted, expected, "depth {depth}");
    }
}

/// A second implementation, on a picture of letters and by coordinates.
mod plain {
    use super::*;

    pub type Letters = [[char; 4]; 4];

    pub fn read(state: &State) -> Letters {
        let text = Dao.position_text(state);
        let mut letters = [['.'; 4]; 4];
        for (row, rank) in text.split([' ', '/']).zip((0..4).rev()) {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        letters[rank][file] = c;
                        file += 1;
                    }
                }
            }
        }
        letters
    }

    fn at(letters: &Letters, file: i32, rank: i32) -> Option<char> {
        let row = letters.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    /// The boards one move on.
    pub fn children(letters: &Letters, side: char) -> BTreeSet<Letters> {
        let mut out = BTreeSet::new();
        for i in 0..16i32 {
            let (file, rank) = (i % 4, i / 4);
            if at(letters, file, rank) != Some(side) {
                continue;
            }
            for (dx, dy) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
                let mut steps = 0;
                while (dx, dy) != (0, 0)
                    && at(letters, file + (steps + 1) * dx, rank + (steps + 1) * dy) == Some('.')
                {
                    steps += 1;
                }
                if steps > 0 {
                    let mut moved = *letters;
                    let (x, y) = (file + steps * dx, rank + steps * dy);
                    moved[rank as usize][file as usize] = '.';
                    moved[y as usize][x as usize] = side;
                    out.insert(moved);
                }
            }
        }
        out
    }

    /// Whether one of the five winning configurations stands.
    pub fn has_won(letters: &Letters, side: char) -> bool {
        let own: Vec<(i32, i32)> = (0..16)
            .map(|i| (i % 4, i / 4))
            .filter(|&(file, rank)| at(letters, file, rank) == Some(side))
            .collect();
        let files: BTreeSet<i32> = own.iter().map(|p| p.0).collect();
        let ranks: BTreeSet<i32> = own.iter().map(|p| p.1).collect();
        let spans = |lines: &BTreeSet<i32>, width| {
            lines.len() == 2 && lines.last().unwrap() - lines.first().unwrap() == width
        };
        let enclosed = own.iter().any(|&(file, rank)| {
            let corner = [0, 3].contains(&file) && [0, 3].contains(&rank);
            let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
            let mut others = around
                .filter(|&d| d != (0, 0))
                .filter_map(|(x, y)| at(letters, file + x, rank + y));
            corner && others.all(|c| c != '.' && c != side)
        });
        files.len() == 1
            || ranks.len() == 1
            || (spans(&files, 1) && spans(&ranks, 1))
            || (spans(&files, 3) && spans(&ranks, 3))
            || enclosed
    }
}

/// All rules against the second implementation, at every 37th place, and in all of them that
/// whoever is to move can move.
#[test]
fn rules_equal_those_of_a_plain_implementation() {
    for (i, state) in everywhere().enumerate() {
        let over = Dao.turn(&state) == Turn::Over;
        let next = children(&state);
        assert_eq!(next.is_empty(), over, "{}", Dao.position_text(&state));
        if i % 37 > 0 {
            continue;
        }
        let letters = plain::read(&state);
        let [white, black] = ['w', 'b'].map(|side| plain::has_won(&letters, side));
        assert_eq!(over, white || black);
        let expected = match (white, black) {
            (_, true) => Outcome::Won(Player::SECOND),
            (true, false) => Outcome::Won(Player::FIRST),
            (false, false) => Outcome::Open,
        };
        assert_eq!(state.outcome, expected);
        if !over {
            let found: BTreeSet<_> = next.iter().map(plain::read).collect();
            assert_eq!(found, plain::children(&letters, 'w'));
            assert_eq!(found.len(), next.len());
        }
    }
}

/// Every move taken back is a move that can be played, and as many can be taken back as played.
#[test]
fn as_many_moves_are_taken_back_as_played() {
    let (mut played, mut undone) = (0, 0);
    let mut before = Vec::new();
    for state in everywhere() {
        played += children(&state).len();
        before.clear();
        Dao.predecessors(&state, &mut before);
        undone += before.len();
    }
    // Donkers et al. (2004, section 4.3): 10.83 moves on average, the finished games included.
    assert_eq!((played * 100 + 450_450) / 900_900, 1083);
    assert_eq!(played, undone);
}

#[test]
fn every_place_has_a_position_of_its_own() {
    assert_eq!(Dao.slice_len(()), Some(900_900));
    for (index, state) in (0..).zip(everywhere()) {
        assert_eq!(Dao.locate(&state), Some(((), index)));
    }
}

#[test]
fn donkers_section_4_the_shortest_game() {
    let mut state = Dao.start();
    play(&mut state, "b3-a3 b2-b4 c2-a2 a1-b2");
    assert_eq!(Dao.turn(&state), Turn::Player(Player::FIRST));
    play(&mut state, "d1-a1");
    assert_eq!(Dao.turn(&state), Turn::Over);
    assert_eq!(Dao.payoff(&state, Player::FIRST), 1);
}

/// The line of section 6.2 from position B of figure 8.
#[test]
fn donkers_section_6_2_the_longest_win() {
    let mut state = position("1ww1/3b/2wb/1wbb w");
    play(
        &mut state,
        "c4-c3 d3-c4 b4-a4 c4-a2 b1-b4 a2-a3 a4-b3 a3-a1 c2-d3 c1-b1 d3-c4",
    );
    assert_eq!(Dao.position_text(&state), "1ww1/1ww1/3b/bb1b b");
    assert_eq!(Dao.payoff(&state, Player::FIRST), 1);
}

#[test]
fn whoever_encloses_a_piece_in_a_corner_has_lost() {
    let mut state = position("ww1b/b1b1/4/wb1w b");
    play(&mut state, "a3-a2");
    assert_eq!(Dao.turn(&state), Turn::Player(Player::FIRST), "b2 is free");
    let mut state = position("ww1b/b3/1b2/wb1w b");
    play(&mut state, "a3-a2");
    assert_eq!(Dao.turn(&state), Turn::Over);
    assert_eq!(Dao.payoff(&state, Player::FIRST), 1);
}

#[test]
fn a_composed_win_of_both_sides_belongs_to_who_moved_last() {
    for (text, winner) in [
        ("wb2/wb2/wb2/wb2 w", Player::SECOND),
        ("wb2/wb2/wb2/wb2 b", Player::FIRST),
        ("2wb/2ww/bb2/wb2 b", Player::FIRST),
    ] {
        let state = position(text);
        assert_eq!(Dao.payoff(&state, winner), 1, "{text}");
        assert_eq!(Dao.payoff(&state, winner.other()), -1, "{text}");
    }
}

/// Two pieces go to and fro.
#[test]
fn the_third_occurrence_is_a_draw() {
    let mut state = Dao.start();
    let mut path = Path::new();
    path.push(Dao.key(&state));
    let mut draws = Vec::new();
    for mv in ["b3-b4", "c3-d3", "b4-b3", "d3-c3"].repeat(2) {
        play(&mut state, mv);
        draws.push(Dao.repetition().is_draw(path.push(Dao.key(&state))));
    }
    assert_eq!(state, Dao.start());
    assert_eq!(draws.iter().filter(|&&draw| draw).count(), 1);
    assert_eq!(draws.last(), Some(&true));
}

#[test]
fn configurations_with_three_pieces_are_counted() {
    // Three of the a-file, and of the square a1 to b2; Black has none.
    let state = position("b2b/w2b/w3/ww1b w");
    let value = |player| ThreeOfFour.evaluate(&Dao, &state, player);
    assert_eq!(ThreeOfFour.count(&state, Player::FIRST), 2);
    // The corners, and the d-file.
    assert_eq!(ThreeOfFour.count(&state, Player::SECOND), 2);
    assert_eq!(value(Player::FIRST), 0);
    let state = position("b3/w1b1/w2b/ww1b w");
    assert_eq!(ThreeOfFour.count(&state, Player::SECOND), 0);
    assert!(ThreeOfFour.evaluate(&Dao, &state, Player::FIRST) > 0);
}

/// Estimates stay below certainty everywhere.
#[test]
fn estimates_are_no_certainties() {
    let most = everywhere()
        .map(|s| ThreeOfFour.count(&s, Player::FIRST))
        .max();
    assert!(most < Some(10), "{most:?}");
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "0 rows where 4 belong"),
        ("w2b/1wb1/1bw1/b2. w", "White has 3 piece(s)"),
        ("w2b/1wb1/1bw1/bb1w w", "Black has 5 piece(s)"),
        ("w2b/1wq1/1bw1/b2w w", "has 'q'"),
        ("w2b/1wb1/1bw1/b2w q", "'q' is no side to move"),
    ] {
        let error = Dao.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_start_is_the_papers() {
    let start = Dao.start();
    assert_eq!(Dao.position_text(&start), "w2b/1wb1/1bw1/b2w w");
    assert_eq!(position("w..b|.wb.|.bw.|b..w"), start);
    let picture = Dao.picture(&start, None);
    assert_eq!((picture.pieces.len(), picture.cells.len()), (8, 16));
}
