use super::*;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use tabia_game::{Draw, Text, perft};
use tabia_kit::Kit;

/// A position with four cards a suit, as in figure 2 of Helmstetter and Cazenave (2004).
const EXAMPLE: &str = "3S 3D -- 3C / 3H 2H 4S -- / 4H 4D 4C 2S / -- 2C 2D --";

fn gaps(variant: Variant, ranks: usize, suits: usize, seed: u64) -> Gaps {
    Gaps::new(variant, ranks, suits, seed).unwrap()
}

fn moves(game: &Gaps, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// All positions that can be reached.
fn reachable(game: &Gaps, state: &State) -> HashSet<State> {
    let mut seen = HashSet::from([*state]);
    let mut open = vec![*state];
    while let Some(state) = open.pop() {
        for mv in moves(game, &state) {
            let mut next = state;
            game.play(&mut next, mv);
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn conforms() {
    for variant in [Variant::Basic, Variant::Common] {
        for (ranks, suits, seed) in [
            (13, 4, 0),
            (13, 4, 1),
            (4, 4, 2),
            (2, 1, 3),
            (5, 2, 4),
            (6, 3, 5),
        ] {
            Kit::new()
                .effort(6, 80)
                .one_player()
                .commutes()
                .key()
                .move_index()
                .text()
                .text_key()
                .draw()
                .run(&gaps(variant, ranks, suits, seed))
                .unwrap();
        }
    }
}

/// The 160 positions and the 33,217 nodes of a search without a table: `tests/alone/puzzles.rs` of
/// `tabia-solve` has the rules a second time and counts the same.
#[test]
fn positions_and_nodes_of_a_small_deal() {
    let game = gaps(Variant::Basic, 4, 4, 0);
    let state = game.parse_position(EXAMPLE).unwrap();
    let seen = reachable(&game, &state);
    assert_eq!(seen.len(), 160);
    let nodes: u64 = (0..)
        .map(|depth| perft(&game, &state, depth))
        .take_while(|&n| n > 0)
        .sum();
    assert_eq!(nodes, 33_217);
}

/// Rows of words, and moves found by looking at every card and every gap.
mod plain {
    use super::*;

    pub type Rows = Vec<Vec<String>>;
    const ORDER: &str = "A23456789TJQK";
    const SUITS: [&str; 4] = ["S", "H", "D", "C"];

    pub fn rows(text: &str) -> Rows {
        let row = |row: &str| row.split_whitespace().map(str::to_string).collect();
        text.split('/').map(row).collect()
    }

    fn successor(card: &str) -> Option<String> {
        let rank = ORDER.find(card.get(..1)?)?;
        Some(format!(
            "{}{}",
            ORDER.get(rank + 1..rank + 2)?,
            card.get(1..)?
        ))
    }

    /// What follows each legal move, by the move's text.
    pub fn children(variant: Variant, rows: &Rows) -> HashMap<String, Rows> {
        let mut children = HashMap::new();
        let places = || (0..rows.len()).flat_map(|r| (0..rows[r].len()).map(move |c| (r, c)));
        for (row, column) in places().filter(|&(r, c)| rows[r][c] == "--") {
            for (r, c) in places().filter(|&(r, c)| rows[r][c] != "--") {
                let card = &rows[r][c];
                let left = match (column.checked_sub(1), variant) {
                    (Some(left), _) => Some(rows[row][left].clone()),
                    (None, Variant::Basic) => Some(format!("A{}", SUITS[row])),
                    (None, Variant::Common) => None,
                };
                let fits = match left {
                    Some(left) => successor(&left).as_ref() == Some(card),
                    None => card.starts_with('2'),
                };
                if fits {
                    let mut next = rows.clone();
                    next[row][column] = card.clone();
                    next[r][c] = "--".to_string();
                    let letter = char::from(b'a' + column as u8);
                    children.insert(format!("{card}-{letter}{}", row + 1), next);
                }
            }
        }
        children
    }

    pub fn in_place(variant: Variant, rows: &Rows) -> i32 {
        let mut count = 0;
        for (row, cards) in rows.iter().enumerate() {
            let mut wanted = match variant {
                Variant::Basic => Some(format!("2{}", SUITS[row])),
                Variant::Common => Some(cards[0].clone()).filter(|card| card.starts_with('2')),
            };
            for card in cards {
                if wanted.as_ref() != Some(card) {
                    break;
                }
                count += 1;
                wanted = successor(card);
            }
        }
        count
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_second_generator_agrees(
        common: bool, ranks in 2usize..=13, suits in 1usize..=4, seed: u64,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60)
    ) {
        let variant = if common { Variant::Common } else { Variant::Basic };
        let game = gaps(variant, ranks, suits, seed);
        let mut state = game.start();
        for choice in choices {
            let rows = plain::rows(&game.position_text(&state));
            prop_assert_eq!(game.earned(&state), plain::in_place(variant, &rows));
            let expected = plain::children(variant, &rows);
            let moves = moves(&game, &state);
            prop_assert_eq!(moves.len(), expected.len());
            prop_assert_eq!(game.turn(&state) == Turn::Over, expected.is_empty());
            for &mv in &moves {
                let mut next = state;
                game.play(&mut next, mv);
                let found = plain::rows(&game.position_text(&next));
                prop_assert_eq!(Some(&found), expected.get(&game.move_text(&state, mv)));
            }
            if moves.is_empty() {
                break;
            }
            game.play(&mut state, *choice.get(&moves));
        }
    }

    #[test]
    fn any_separators_are_read(
        ranks in 2usize..=13, suits in 1usize..=4, seed: u64,
        rows in "[/|;\n]", cards in prop::sample::select(vec![" ", ",", "", "  ", " , "]),
        gap in prop::sample::select(vec!["--", "__", ".."]), lower: bool
    ) {
        let game = gaps(Variant::Common, ranks, suits, seed);
        let text = game.position_text(&game.start());
        let mut other = text.replace(" / ", &rows).replace(' ', cards).replace("--", gap);
        if lower {
            other = other.to_lowercase();
        }
        prop_assert_eq!(game.parse_position(&other), Ok(game.start()), "{}", other);
    }

    #[test]
    fn nothing_brings_the_parser_down(text in ".{0,80}", likely in "[2345SHDC/ é-]{0,60}") {
        let game = gaps(Variant::Basic, 4, 4, 0);
        for text in [text, likely] {
            if let Ok(state) = game.parse_position(&text) {
                prop_assert_eq!(game.parse_position(&game.position_text(&state)), Ok(state));
            }
        }
    }

    /// In the basic variant cards in place stay there, and no position comes back.
    #[test]
    fn cards_in_place_stay(
        seed: u64,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let game = gaps(Variant::Basic, 13, 4, seed);
        let mut state = game.start();
        let mut seen = HashSet::from([state]);
        for choice in choices {
            let moves = moves(&game, &state);
            if moves.is_empty() {
                break;
            }
            let before = game.earned(&state);
            game.play(&mut state, *choice.get(&moves));
            prop_assert!(game.earned(&state) >= before);
            prop_assert!(seen.insert(state));
        }
    }
}

#[test]
fn positions_recur_in_the_common_variant() {
    let game = gaps(Variant::Common, 3, 3, 0);
    let start = game
        .parse_position("2S 3D -- / -- 3S 2D / -- 3H 2H")
        .unwrap();
    let mut state = start;
    for text in ["2S-a2", "2S-a1"] {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    assert_eq!(state, start);
    assert_eq!(game.key(&state), game.key(&start));
}

/// A deal that one move solves pays for all cards.
#[test]
fn a_solved_deal_pays_the_most() {
    for (variant, text) in [
        (Variant::Basic, "2S -- 3S / 2H 3H --"),
        (Variant::Common, "2H 3H -- / 2S -- 3S"),
    ] {
        let game = gaps(variant, 3, 2, 0);
        let mut state = game.parse_position(text).unwrap();
        assert_eq!((game.earned(&state), game.most(&state)), (3, 4));
        let [mv] = moves(&game, &state)[..] else {
            panic!("one move only");
        };
        game.play(&mut state, mv);
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.payoff(&state, Player::FIRST), game.max_payoff());
    }
}

/// Keys tell all positions apart that a small deal leads to.
#[test]
fn keys_identify_positions() {
    let game = gaps(Variant::Common, 4, 4, 0);
    let seen = reachable(&game, &game.start());
    let keys: HashSet<u64> = seen.iter().map(|state| game.key(state)).collect();
    assert!(seen.len() > 100 && keys.len() == seen.len());
}

#[test]
fn wrong_positions_are_refused_with_the_place() {
    let game = gaps(Variant::Basic, 4, 4, 0);
    let refused = |from: &str, to: &str| {
        let text = EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, EXAMPLE);
        game.parse_position(&text).unwrap_err().to_string()
    };
    assert_eq!(refused("4D", "4C"), "4C lies at b3 and at c3");
    assert_eq!(
        refused("2H", "--"),
        "missing: 2H; there are 5 gaps where 4 belong"
    );
    assert!(refused("2H ", "").contains("row 2 has 3 places where 4 belong"));
    assert!(refused("4S", "5S").contains("row 2, c2: 5S is not in a deck of 4 ranks"));
    assert!(refused("3C", "AC").contains("row 1, d1: AC lies to the left"));
    assert!(refused("3C", "zz").contains("row 1: 'zz' at d1 is no card"));
    assert!(refused(" / 3H", " 3H").contains("3 rows where 4 belong"));
    let small = gaps(Variant::Common, 3, 2, 0);
    let error = small.parse_position("2S 3S -- / 2D 3H --").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("row 2, a2: 2D is not in a deck of 2 suits")
    );
}

#[test]
fn sizes_are_checked() {
    for (ranks, suits) in [(1, 4), (14, 4), (13, 0), (13, 5)] {
        assert!(Gaps::new(Variant::Basic, ranks, suits, 0).is_err());
    }
    assert_eq!(Variant::named("basic"), Some(Variant::Basic));
    assert_eq!(Variant::named("common"), Some(Variant::Common));
    assert_eq!(Variant::named("rare"), None);
}

/// A deal is the same whenever it is asked for, and different seeds give different ones.
#[test]
fn deals_follow_the_seed() {
    let deal = |seed| gaps(Variant::Basic, 13, 4, seed).start();
    assert_eq!(deal(7), deal(7));
    assert_ne!(deal(7), deal(8));
}

#[test]
fn cards_look_like_cards() {
    use tabia_game::picture::{svg, terminal};
    let game = gaps(Variant::Basic, 4, 4, 0);
    let state = game.parse_position(EXAMPLE).unwrap();
    let picture = game.picture(&state, None);
    let text = terminal::render(&picture, terminal::Style::Plain);
    let first = text.lines().next().unwrap();
    // Four columns a cell, the labels in the first, the Aces in the second.
    assert_eq!(first, " 1   A♠  3♠  3♦  ·   3♣");
    assert!(svg::render(&picture, "").contains("3♦"));
}
