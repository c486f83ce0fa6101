use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use proptest::prelude::*;
use rand::RngExt;
use tabia_game::picture::svg;
use tabia_game::{Draw, Seed, Text, perft};
use tabia_kit::Kit;

use super::*;

#[path = "../../tests/support/plain_morpion.rs"]
mod plain;

use plain::PlainMorpion;

/// Moves of the record that is kept with the tests.
const OWN_MOVES: usize = 153;

const VARIANTS: [Variant; 4] = [
    Variant::FiveTouching,
    Variant::FiveDisjoint,
    Variant::FourTouching,
    Variant::FourDisjoint,
];

fn list(game: &Morpion, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// A record of the literature, in the folder that `TABIA_DATA` names.
fn record(name: &str) -> String {
    let folder = std::env::var_os("TABIA_DATA").expect("TABIA_DATA names the folder of records");
    let file = PathBuf::from(folder).join("morpion").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn conforms() {
    for variant in VARIANTS {
        let kit = Kit::new().key().text().text_key().draw();
        let kit = kit.one_player().move_index().commutes();
        let game = Morpion::new(variant);
        kit.effort(4, 20).run(&game).unwrap();
        // Whole games, without the checks that take long.
        let kit = Kit::new()
            .key()
            .text_key()
            .one_player()
            .move_index()
            .commutes();
        kit.effort(8, 80).run(&game).unwrap();
    }
}

#[test]
fn crosses_and_first_moves() {
    for (variant, dots, moves) in [
        (Variant::FiveTouching, 36, 28),
        (Variant::FiveDisjoint, 36, 28),
        (Variant::FourTouching, 24, 40),
        (Variant::FourDisjoint, 24, 40),
    ] {
        let game = Morpion::new(variant);
        assert_eq!(game.cross().count(), dots);
        assert_eq!(game.start().dots().count(), dots);
        assert_eq!(list(&game, &game.start()).len(), moves, "{variant:?}");
    }
    // The inner corner at the top left is where three dots go to the left and three upwards.
    let cross: BTreeSet<_> = Morpion::default().cross().collect();
    let (x, y) = CORNER;
    assert!((0..4).all(|i| cross.contains(&(x - i, y)) && cross.contains(&(x, y - i))));
}

/// Distinct positions after this many moves: `plain_morpion.rs` counts the same; here as far as it
/// is fast.
#[test]
fn positions_by_depth() {
    let known: [&[usize]; 4] = [
        &[1, 28, 382, 3_368, 21_497, 105_596],
        &[1, 28, 374, 3_176, 19_281, 89_212],
        &[1, 40, 772, 9_696, 89_802],
        &[1, 40, 764, 9_392, 84_226],
    ];
    for (variant, known) in VARIANTS.into_iter().zip(known) {
        assert_eq!(start_of(variant).positions(3), known[..4], "{variant:?}");
        let game = Morpion::new(variant);
        let mut level = vec![game.start()];
        for (depth, &count) in known.iter().enumerate() {
            assert_eq!(level.len(), count, "{variant:?} at depth {depth}");
            if depth + 1 == known.len() {
                break;
            }
            // The last level is only counted: positions are large.
            let last = depth + 2 == known.len();
            let mut keys = HashSet::new();
            let mut next = Vec::new();
            for state in &mut level {
                for mv in list(&game, state) {
                    let token = game.play(state, mv);
                    if keys.insert(game.key(state)) && !last {
                        next.push(state.clone());
                    }
                    game.undo(state, token);
                }
            }
            if last {
                assert_eq!(
                    keys.len(),
                    known[depth + 1],
                    "{variant:?} at depth {}",
                    depth + 1
                );
                break;
            }
            level = next;
        }
    }
}

#[test]
fn sequences_of_moves_by_depth() {
    let game = Morpion::default();
    for (depth, count) in (1..).zip([28, 748, 18_992, 456_520]) {
        assert_eq!(perft(&game, &game.start(), depth), count);
    }
}

/// All positions of the first moves as the plain implementation counts them.
#[test]
#[ignore = "half a minute: tabia reproduce proofs morpion"]
fn plain_positions_by_depth() {
    for (variant, counts) in [
        (Variant::FiveTouching, [21_497, 105_596]),
        (Variant::FiveDisjoint, [19_281, 89_212]),
        (Variant::FourTouching, [89_802, 656_064]),
        (Variant::FourDisjoint, [84_226, 589_672]),
    ] {
        assert_eq!(start_of(variant).positions(5)[4..], counts, "{variant:?}");
    }
}

/// A record that nested rollout policy adaptation found; the plain implementation plays it, too.
#[test]
fn our_record_is_legal_and_round_trips() {
    const OWN: &str = include_str!("../../tests/data/morpion-5t.psol");
    check_record("morpion-5t.psol", OWN, Variant::FiveTouching, OWN_MOVES);
    let mut plain = start_of(Variant::FiveTouching);
    for line in plain::read_pentasol(OWN) {
        let moves = plain.moves();
        assert!(moves.iter().any(|(_, other)| *other == line), "{line:?}");
        plain.play(line);
    }
    assert_eq!(plain.moves().len(), 0);
}

/// The grid of 170 moves that Bruneau drew by hand, and those of Rosin's programs.
#[test]
#[ignore = "needs the collection of Morpion records: \
            TABIA_DATA=FOLDER cargo test -p tabia-puzzles -- --ignored records"]
fn records_of_the_literature_are_legal_and_round_trip() {
    for (name, variant, moves) in [
        ("bruneau.psol", Variant::FiveTouching, 170),
        ("178.psol", Variant::FiveTouching, 178),
        ("82.psol", Variant::FiveDisjoint, 82),
    ] {
        check_record(name, &record(name), variant, moves);
    }
}

/// A record of a finished game of this many moves.
fn check_record(name: &str, text: &str, variant: Variant, moves: usize) {
    let game = Morpion::new(variant);
    let (line, state) = pentasol::read(&game, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!((line.len(), state.played()), (moves, moves), "{name}");
    assert_eq!(game.turn(&state), Turn::Over, "{name}");
    assert_eq!(game.payoff(&state, Player::FIRST), moves as i32);
    assert!(plainly(&game, &state).moves().is_empty());
    let written = pentasol::write(&game, &line);
    assert_eq!(
        pentasol::read(&game, &written).unwrap(),
        (line, state.clone())
    );
    // With the cross elsewhere the moves do not fit.
    let moved = written.replace("(28,28)\n", "(28,27)\n");
    assert!(pentasol::read(&game, &moved).is_err(), "{name}");
    let again = game.parse_position(&game.position_text(&state)).unwrap();
    assert_eq!(again, state, "{name}");
    let drawn = game.picture(&state, None);
    assert_eq!((drawn.lines.len(), drawn.notes.len()), (moves, moves));
    let marks = svg::render(&drawn, "");
    assert_eq!(marks.matches("<line ").count(), moves);
}

#[test]
fn a_record_may_lie_anywhere() {
    let game = Morpion::default();
    let here = pentasol::read(&game, "(28,28)\n(28,29) | -2\n").unwrap();
    let there = pentasol::read(&game, "(-3,1000)\n\n  (-3,1001) |-2\n").unwrap();
    assert_eq!(here, there);
}

#[test]
fn wrong_records_are_refused_with_the_line() {
    let game = Morpion::default();
    for (text, reason) in [
        (
            "",
            "there is no line with the corner of the cross, such as (28,28)",
        ),
        ("28,28\n", "line 1: '28,28' is no corner such as (28,28)"),
        (
            "(28,28) |\n",
            "line 1: '(28,28) |' is no corner such as (28,28)",
        ),
        (
            "(28,28)\n\n(28,29) x 0\n",
            "line 3: '(28,29) x 0' is no move such as (28,29) | -2",
        ),
        (
            "(28,28)\n(28,29) | 3\n",
            "line 2: '(28,29) | 3' cannot be played here",
        ),
        (
            "(28,28)\n(28,29) | -2\n(28,29) | -2\n",
            "line 3: '(28,29) | -2' cannot be played here",
        ),
    ] {
        let error = pentasol::read(&game, text).unwrap_err().to_string();
        assert_eq!(error, reason, "{text:?}");
    }
}

/// The position by the rules of the plain implementation.
fn plainly(game: &Morpion, state: &State) -> PlainMorpion {
    let mut plain = start_of(game.variant());
    for mv in game.replay(state) {
        plain.play(line_of(game, mv));
    }
    plain
}

fn start_of(variant: Variant) -> PlainMorpion {
    let touching = matches!(variant, Variant::FiveTouching | Variant::FourTouching);
    PlainMorpion::new(variant.length() as i32, touching)
}

fn line_of(game: &Morpion, mv: Move) -> plain::Line {
    let mut points = mv.points(game.variant().length());
    let (x, y) = points.next().unwrap();
    (x as i32, y as i32, mv.direction_number())
}

#[test]
fn agrees_with_the_plain_move_generator() {
    for variant in VARIANTS {
        let game = Morpion::new(variant);
        for seed in 0..6 {
            let mut rng = Seed::new(seed).rng();
            let mut state = game.start();
            loop {
                let moves = list(&game, &state);
                let ours: BTreeSet<_> = moves
                    .iter()
                    .map(|&mv| {
                        let (x, y) = mv.dot();
                        ((x as i32, y as i32), line_of(&game, mv))
                    })
                    .collect();
                let theirs = plainly(&game, &state).moves();
                assert_eq!(ours, theirs, "{variant:?}, seed {seed}");
                assert_eq!(ours.len(), moves.len());
                if moves.is_empty() {
                    break;
                }
                game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}

/// Every dot has eight neighbours to go to. A move adds eight ways and uses eight: what is left is
/// always 288 in the touching game of five (Helmstetter and Cazenave 2004, section 4.2).
#[test]
fn potential_of_the_touching_game_is_constant() {
    let game = Morpion::default();
    for seed in 0..10 {
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        loop {
            let drawn = game.replay(&state);
            let mut used = HashSet::new();
            for &mv in &drawn {
                let points: Vec<_> = mv.points(5).collect();
                for pair in points.windows(2) {
                    assert!(used.insert((pair[0], pair[1])), "a step is used twice");
                }
            }
            assert_eq!(8 * state.dots().count() - 2 * used.len(), 288);
            let moves = list(&game, &state);
            if moves.is_empty() {
                break;
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let game = Morpion::default();
    let one = game.parse_position("28,29v-2 31,29v-2 28,30v+1").unwrap();
    let other = game.parse_position("31,29v-2 28,29v-2 28,30v+1").unwrap();
    assert_eq!(one, other);
    assert_eq!(game.key(&one), game.key(&other));
    assert_eq!(game.position_text(&one), game.position_text(&other));
    assert_eq!(list(&game, &one), list(&game, &other));
}

#[test]
fn options_name_the_variants() {
    for variant in VARIANTS {
        let values = OptionValues::parse("morpion", variant.name(), PARAMETERS).unwrap();
        assert_eq!(Morpion::from_values(&values).unwrap().variant(), variant);
    }
    assert!(OptionValues::parse("morpion", "6T", PARAMETERS).is_err());
}

#[test]
fn wrong_moves_are_refused() {
    let game = Morpion::default();
    let start = game.start();
    let read = |text| game.parse_move(&start, text);
    assert_eq!(read("28,29v-2"), read(" 28,29V-2 "));
    assert_eq!(read("28,29v-2"), read("(28,29) | -2"));
    for text in [
        "", "v", "28,29", "28,29v", "28,29v-3", "28,29x0", "1,1h0", "99,29v0", "é", "-1,2h0",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(game.parse_position("").is_err());
    let error = game
        .parse_position("28,29v-2 28,29v-2")
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "move 2, '28,29v-2', cannot be played after the moves before it"
    );
}

proptest! {
    #[test]
    fn no_text_upsets_the_parsers(text in "[-+0-9hvdu(),|/\\\\ \n]{0,40}") {
        let game = Morpion::default();
        let _ = game.parse_position(&text);
        let _ = game.parse_move(&game.start(), &text);
        let _ = pentasol::read(&game, &text);
        let _ = pentasol::read(&game, &format!("(28,28)\n{text}"));
    }

    /// A whole random game goes through its record and through its text, and back by undoing it.
    #[test]
    fn random_games_round_trip(seed in any::<u64>(), which in 0usize..4) {
        let game = Morpion::new(VARIANTS[which]);
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        let (mut line, mut tokens) = (Vec::new(), Vec::new());
        loop {
            let moves = list(&game, &state);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            tokens.push((list(&game, &state), game.key(&state), game.play(&mut state, mv)));
            line.push(mv);
        }
        let replayed: HashSet<Move> = game.replay(&state).into_iter().collect();
        prop_assert_eq!(&replayed, &line.iter().copied().collect());
        let read = pentasol::read(&game, &pentasol::write(&game, &line)).unwrap();
        prop_assert_eq!(read.0, line);
        prop_assert_eq!(&read.1, &state);
        prop_assert_eq!(&game.parse_position(&game.position_text(&state)).unwrap(), &state);
        while let Some((moves, key, token)) = tokens.pop() {
            game.undo(&mut state, token);
            prop_assert_eq!(list(&game, &state), moves);
            prop_assert_eq!(game.key(&state), key);
        }
        prop_assert_eq!(state, game.start());
    }
}
