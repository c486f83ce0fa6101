//! Records of backgammon, among them matches that GNU Backgammon 1.07 played against itself and
//! wrote: every play must be legal for us, and the points those that it counted.

use proptest::prelude::*;
use rand::RngExt;
use tabia_backgammon::backgammon::records::{GameRecord, MatchRecord};
use tabia_backgammon::backgammon::{Backgammon, Move, Phase};
use tabia_game::{Game, Player, Seed};

const FIVE: &str = include_str!("data/gnubg-5-points.mat");
const SEVEN: &str = include_str!("data/gnubg-7-points.mat");
const SESSION: &str = include_str!("data/gnubg-session.mat");

#[test]
fn matches_of_gnu_backgammon_are_replayed() {
    for (text, length, results) in [
        (FIVE, 5, &[(0, 8)][..]),
        (SEVEN, 7, &[(0, 2), (0, 8)]),
        (
            SESSION,
            0,
            &[(0, 4), (0, 4), (1, 8), (1, 2), (0, 1), (1, 2), (0, 4)],
        ),
    ] {
        let record: MatchRecord = text.parse().unwrap();
        assert_eq!(record.length, length);
        assert_eq!(record.names, ["gnubg", "mirror"]);
        let found: Vec<_> = record.games.iter().map(|game| game.result).collect();
        let expected = results.iter().copied();
        let expected: Vec<_> = expected
            .map(|(winner, points)| Some((Player(winner), points)))
            .collect();
        assert_eq!(found, expected);
        // Written and read again it is the same, although plays are written shorter.
        assert_eq!(record.to_string().parse(), Ok(record));
    }
}

/// One by one, the games lead through legal moves from their start to their end.
#[test]
fn games_of_a_match_are_one_game() {
    let record: MatchRecord = SEVEN.parse().unwrap();
    let game = Backgammon::new(record.rules()).unwrap();
    let mut state = game.start();
    for one in &record.games {
        assert_eq!(state, record.start(one));
        for &mv in &one.moves {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            assert!(moves.contains(&mv));
            game.play(&mut state, mv);
        }
    }
    assert_eq!(state.phase(), Phase::Over);
    assert_eq!(game.payoff(&state, Player::FIRST), 1);
}

#[test]
fn what_is_wrong_is_told_by_its_line() {
    let error = |text: &str| text.parse::<MatchRecord>().unwrap_err().to_string();
    let head = " 3 point match\n\n Game 1\n A : 0            B : 0\n";
    let game = |lines: &str| error(&format!("{head}{lines}"));
    for (found, expected) in [
        (
            error(""),
            "line 1: there is no line such as ' 7 point match'",
        ),
        (error("; x\n\nhello"), "line 3: a record begins"),
        (
            error(" 26 point match"),
            "line 1: a match has 25 points at most",
        ),
        (
            error(" 3 point match\n  1) 31: 8/5 6/5"),
            "line 2: a game begins",
        ),
        (
            error(" 3 point match\n Game 1\n A : 1   B : 0"),
            "line 3: the score is told as 1",
        ),
        (
            game("  1) 31: 8/5 6/6"),
            "line 5: '8/5 6/6' is not a legal play of 31",
        ),
        (game("  1) 33: 8/5 6/3"), "line 5: '33' is no opening roll"),
        (game("  1) 31: "), "line 5: 31 can be played"),
        (
            game("  1) 31: 8/5 6/5      Takes"),
            "line 5: Black was not doubled",
        ),
        (
            game("  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5"),
            "line 6: it is not White's turn",
        ),
        (
            game("  1) 31: 8/5 6/5      Doubles => 2\n  2)  Drops\n   Wins 1 point"),
            "line 7: Black has won",
        ),
        (
            game("  1) 31: 8/5 6/5      Doubles => 2\n  2)  Drops\n  3) 31: 8/5"),
            "line 7: the game is over",
        ),
        (
            game("  1) 31: 8/5 6/5      Wins 5 points"),
            "line 5: a game with the cube at 1 is not worth 5",
        ),
        (
            game("  1) 31: 8/5 6/5      gives up"),
            "line 5: 'gives' is neither",
        ),
        (
            game("  1) 31: 8/5 6/5 65: 24/13 42: 8/4 6/4"),
            "line 5: there are more than two columns",
        ),
        (
            game("  1) 31: 8/5 6/5\n Game 2"),
            "line 6: the game before this one has no end",
        ),
        (
            game("  Wins 3 points\n Game 2"),
            "line 6: the match is over",
        ),
        (
            game("  Wins 2 points\n Game 2\n A : 2  B : 0\n 1) 31: 8/5 6/5 Doubles => 2"),
            "line 8: Black may not double",
        ),
    ] {
        assert!(found.starts_with(expected), "{found}");
    }
}

/// The one who gives up loses what the winner is said to have won.
#[test]
fn a_player_may_give_up() {
    let text = " 3 point match\n Game 1\n A : 0   B : 0\n  1)                              31: 8/5 \
                6/5\n                         Wins 2 points\n";
    let record: MatchRecord = text.parse().unwrap();
    assert_eq!(record.games[0].result, Some((Player::SECOND, 2)));
    assert_eq!(record.to_string().parse(), Ok(record));
}

/// Random games with the cube, in a match or a session.
fn random_record(seed: u64, length: u8) -> MatchRecord {
    let mut rng = Seed::new(seed).rng();
    let mut record = MatchRecord {
        length,
        names: ["Alice B.", "Bob"].map(str::to_string),
        games: vec![],
    };
    let game = Backgammon::new(record.rules()).expect("rules");
    let mut state = game.start();
    for _ in 0..3 {
        let score = state.score().map(u32::from);
        let mut one = GameRecord {
            score,
            crawford: state.is_crawford(),
            moves: vec![],
            result: None,
        };
        let last = record.games.last().map(|last| (last.score, last.result));
        if let (0, Some((score, Some((winner, points))))) = (length, last) {
            one.score = score;
            one.score[winner.index()] += points;
        }
        loop {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            let before = state;
            game.play(&mut state, mv);
            one.moves.push(mv);
            let left = match mv {
                Move::Play(play) => before.board().after(play).left(0),
                _ => 1,
            };
            if mv == Move::Drop || left == 0 {
                let stakes = match mv {
                    Move::Play(play) => before.board().after(play).stakes(0),
                    _ => 1,
                };
                one.result = Some((before.mover(), u32::from(before.cube() * stakes)));
                break;
            }
        }
        record.games.push(one);
        match (state.phase(), length) {
            (Phase::Over, 0) => state = game.start(),
            (Phase::Over, _) => break,
            _ => {}
        }
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_is_read_back(
        seed in any::<u64>(),
        length in prop_oneof![Just(0u8), Just(7)],
    ) {
        let record = random_record(seed, length);
        prop_assert_eq!(record.to_string().parse(), Ok(record));
    }

    #[test]
    fn any_text_is_read_or_refused(at in 0..SEVEN.len(), text in "[0-9A-Za-z/:)*=> \n]{0,8}") {
        let garbled = format!("{}{text}{}", &SEVEN[..at], SEVEN.get(at + 3..).unwrap_or(""));
        if let Ok(record) = garbled.parse::<MatchRecord>() {
            prop_assert_eq!(record.to_string().parse(), Ok(record));
        }
    }
}
