mod formats;

use super::*;
use std::collections::HashSet;
use tabia_game::{Seed, Text};
use tabia_kit::Kit;

fn rules(length: u8, cube: bool, jacoby: bool, gammons: bool) -> Backgammon {
    Backgammon::new(Rules {
        length,
        cube,
        jacoby,
        gammons,
    })
    .unwrap()
}

fn conforms(game: &Backgammon, plays: u32, longest: usize) {
    let kit = Kit::new()
        .two_player()
        .key()
        .move_index()
        .text()
        .text_key()
        .chance()
        .draw();
    kit.effort(plays, longest).run(game).unwrap();
}

#[test]
fn single_games_conform() {
    conforms(&Backgammon::default(), 6, 120);
    conforms(&rules(0, false, false, false), 2, 60);
}

#[test]
fn games_with_the_cube_conform() {
    conforms(&rules(0, true, false, true), 4, 100);
    conforms(&rules(0, true, true, true), 2, 60);
}

#[test]
fn matches_conform() {
    conforms(&rules(3, true, false, true), 4, 100);
    conforms(&rules(2, false, false, true), 2, 60);
    conforms(&rules(1, true, false, true), 2, 60);
}

/// Hauk (2004); the counts agree with GNU Backgammon.
const STARTING_PLAYS: [(u8, u8, usize); 21] = [
    (1, 1, 42),
    (2, 1, 15),
    (2, 2, 75),
    (3, 1, 16),
    (3, 2, 17),
    (3, 3, 73),
    (4, 1, 14),
    (4, 2, 18),
    (4, 3, 17),
    (4, 4, 52),
    (5, 1, 8),
    (5, 2, 8),
    (5, 3, 9),
    (5, 4, 9),
    (5, 5, 4),
    (6, 1, 10),
    (6, 2, 14),
    (6, 3, 14),
    (6, 4, 14),
    (6, 5, 7),
    (6, 6, 11),
];

#[test]
fn plays_from_the_start() {
    let mut positions = HashSet::new();
    let (mut sum, mut weighted) = (0, 0);
    for ((roll, weight), (high, low, count)) in Roll::all().zip(STARTING_PLAYS) {
        assert_eq!(roll.dice(), [high, low]);
        let mut plays = Vec::new();
        Board::START.plays(roll, &mut plays);
        assert_eq!(plays.len(), count, "{high}{low}");
        positions.extend(plays.iter().map(|&play| Board::START.after(play)));
        sum += count;
        weighted += weight * count as u64;
    }
    assert_eq!((sum, positions.len(), weighted), (447, 406, 637));
}

#[test]
fn the_opening_is_decided_by_one_die_each() {
    let game = Backgammon::default();
    let mut outcomes = Vec::new();
    game.outcomes(&game.start(), &mut outcomes);
    assert_eq!(outcomes.len(), 30);
    assert!(outcomes.iter().all(|&(_, weight)| weight == 1));
    for (text, mover) in [("31", Player::FIRST), ("13", Player::SECOND)] {
        let mut state = game.start();
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
        assert_eq!(state.mover(), mover);
        assert_eq!(Some(state.phase()), Roll::new(3, 1).map(Phase::Play));
    }
    assert!(game.parse_move(&game.start(), "33").is_err());
}

#[test]
fn every_throw_is_as_likely_as_every_other() {
    let game = Backgammon::default();
    let state = game.position(Board::START, Player::FIRST).unwrap();
    let mut rng = Seed::new(5).rng();
    let mut counts = std::collections::HashMap::new();
    const THROWS: u64 = 36_000;
    for _ in 0..THROWS {
        *counts
            .entry(game.sample_outcome(&state, &mut rng))
            .or_insert(0u64) += 1;
    }
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    // Chi-square with 20 degrees of freedom: 45.3 is exceeded once in a thousand times.
    let chi: f64 = outcomes
        .iter()
        .map(|(mv, weight)| {
            let expected = (THROWS / 36 * weight) as f64;
            (counts[mv] as f64 - expected).powi(2) / expected
        })
        .sum();
    assert!(chi < 45.3, "{chi}");
}

/// Plays a line of moves.
fn line(game: &Backgammon, position: &str, moves: &[&str]) -> State {
    let mut state = game.parse_position(position).unwrap();
    for text in moves {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn plays_are_read_however_they_are_written() {
    let game = Backgammon::default();
    let read = |position: &str, text: &str| {
        let state = game.parse_position(position).unwrap();
        let mv = game.parse_move(&state, text);
        mv.map(|mv| game.move_text(&state, mv))
            .map_err(|error| error.to_string())
    };
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w";
    for (dice, text, written) in [
        ("31", "6/5 8/5", "8/5,6/5"),
        ("31", "24/23/20", "24/20"),
        ("65", "24/18,18/13", "24/13"),
        ("22", "6/4(2) 13/11(2)", "13/11(2),6/4(2)"),
        ("22", "13/11 6/4 6/4 13/11", "13/11(2),6/4(2)"),
        ("22", "13/9 6/4(2)", "13/9,6/4(2)"),
    ] {
        let position = format!("{start} {dice}");
        assert_eq!(read(&position, text), Ok(written.to_string()), "{text}");
    }
    // There is a blot on 18, Black's 7, and no other way, since 19 is closed.
    let blots = "24:2,13:5,8:3,6:5/24:2,13:5,8:2,7,6:5 w 65";
    for text in ["24/18*/13", "24/13", "24/18 18/13"] {
        assert_eq!(read(blots, text), Ok("24/18*/13".to_string()));
    }
    assert!(read(blots, "24/18/13*").is_err(), "nothing is hit on 13");
    // Both ways are open, and only one hits.
    let two_ways = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,7,5:4 w 65";
    for text in ["24/18*/13", "24/13"] {
        assert_eq!(read(two_ways, text), Ok(text.to_string()));
    }
    for (position, text, written) in [
        ("bar:2,6:2/6:2,1 w 31", "25/24 bar/22", "bar/22,bar/24*"),
        ("6:2,1/18:2 w 66", "6/off(2) 1/off", "6/off(2),1/off"),
        ("6:2/18:2 w 61", "6/0 6/5", "6/off,6/5"),
        ("bar,6/6:2,5:2,4:2,3:2,2:2,1:2 w 31", "Cannot Move", "pass"),
    ] {
        assert_eq!(read(position, text), Ok(written.to_string()), "{position}");
    }
    for (position, text, reason) in [
        (format!("{start} 31"), "8/5", "not a legal play"),
        (format!("{start} 31"), "pass", "must be"),
        (format!("{start} 31"), "8/5 6/", "no point"),
        (format!("{start} 31"), "8/5(5)", "one to four"),
        (format!("{start} 31"), "26/5", "no point"),
        (format!("{start} 31"), "", "it is empty"),
    ] {
        let error = read(&position, text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_win_counts_once_twice_or_three_times() {
    let payoffs = |game: &Backgammon, position: &str| {
        let state = line(game, position, &["21", "1/off"]);
        assert_eq!(game.turn(&state), Turn::Over);
        [Player::FIRST, Player::SECOND].map(|player| game.payoff(&state, player))
    };
    let (plain, all_alike) = (Backgammon::default(), rules(0, false, false, false));
    for (position, stakes) in [
        ("1/6:14 w roll", 1),
        ("1/18:15 w roll", 2),
        ("1/19,18:14 w roll", 3),
        ("1/bar,18:14 w roll", 3),
    ] {
        assert_eq!(payoffs(&plain, position), [stakes, -stakes]);
        assert_eq!(payoffs(&all_alike, position), [1, -1]);
    }
    assert_eq!(payoffs(&plain, "18:15/1 b roll"), [-2, 2]);
    assert_eq!((plain.max_payoff(), all_alike.max_payoff()), (3, 1));
}

#[test]
fn the_cube_goes_to_whoever_takes() {
    let game = rules(0, true, false, true);
    assert_eq!(game.max_payoff(), 192);
    let state = line(
        &game,
        "1:3/18:15 w cube",
        &["double", "take", "21", "1/off(2)"],
    );
    assert_eq!(game.position_text(&state), "1/18:15 b cube cube=2b");
    let dropped = line(&game, "1:3/18:15 b cube cube=2b", &["double", "drop"]);
    assert_eq!(
        game.payoff(&dropped, Player::SECOND),
        2,
        "a drop is no gammon"
    );
    // White does not own the cube, so that White's turn begins with the dice.
    let played = line(&game, "1:3/18:15 b cube cube=2b", &["roll", "21", "18/15"]);
    assert_eq!(played.phase(), Phase::Roll);
    let highest = line(
        &game,
        "1:5/18:15 w cube cube=32w",
        &["double", "take", "21", "1/off(2)"],
    );
    assert_eq!(highest.phase(), Phase::Roll, "64 is the end");
    // The opening roll is played before anybody can double.
    let first = line(&game, "4HPwATDgc/ABMA:MAAAAAAAAAAA", &["31"]);
    assert!(matches!(first.phase(), Phase::Play(_)));
}

#[test]
fn by_jacoby_gammons_count_after_a_double_only() {
    let game = rules(0, true, true, true);
    let won =
        |position: &str, moves: &[&str]| game.payoff(&line(&game, position, moves), Player::FIRST);
    assert_eq!(won("1/18:15 w cube", &["roll", "21", "1/off"]), 1);
    assert_eq!(won("1/18:15 w cube", &["double", "take", "21", "1/off"]), 4);
    assert!(
        Backgammon::new(Rules {
            jacoby: true,
            ..Rules::default()
        })
        .is_err()
    );
}

#[test]
fn one_game_without_the_cube_when_a_player_is_a_point_away() {
    let game = rules(3, true, false, true);
    let end = ["21", "1/off"];
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w opening";
    // A gammon brings White to two of three points: the next game is the Crawford game.
    let state = line(&game, "1/18:15 w roll", &end);
    assert_eq!(
        game.position_text(&state),
        format!("{start} score=2-0 crawford")
    );
    assert!(
        game.parse_position("1/6 b cube score=2-0 crawford")
            .is_err()
    );
    // Black wins it: now both may double again.
    let state = line(&game, "6/1 b roll score=2-0 crawford", &end);
    assert_eq!(game.position_text(&state), format!("{start} score=2-1"));
    assert!(game.parse_position("1/6 b cube score=2-1").is_ok());
    // Points beyond the length do not count.
    let state = line(
        &game,
        "6/1 b cube score=2-1",
        &["double", "take", "21", "1/off"],
    );
    assert_eq!(game.position_text(&state), "6/- b won cube=2w score=2-3");
    assert_eq!(game.payoff(&state, Player::SECOND), 1);
    assert_eq!(game.max_payoff(), 1);
}
