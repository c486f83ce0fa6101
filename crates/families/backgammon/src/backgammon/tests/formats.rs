//! Positions in the notations of other programs. The identifiers and lines with a comment were
//! written by GNU Backgammon 1.07.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

const LINE_31: &str = "\
    board:White:Black:9999:0:0:\
    0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
    1:3:1:0:0:1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:0";

fn board(own: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
    let mut sides = [[0; 25]; 2];
    for (side, held) in sides.iter_mut().zip([own, other]) {
        for &(point, count) in held {
            side[point - 1] = count;
        }
    }
    Board::new(sides).unwrap()
}

/// GNU Backgammon: the opponent comes first.
#[test]
fn position_identifiers_of_gnu_backgammon() {
    for (id, own, other) in [
        ("/x8AADDg/w8AAA", &[(6, 15)][..], &[(24, 2), (1, 13)][..]),
        (
            "gB8AhIEHHAACAA",
            &[(25, 1), (6, 4), (13, 3)],
            &[(25, 2), (8, 6), (21, 1)],
        ),
    ] {
        assert_eq!(Board::from_position_id(id), Ok(board(own, other)));
        assert_eq!(board(own, other).position_id(), id);
    }
}

/// GNU Backgammon: dice, a cube that belongs to White, a score, a double on offer.
#[test]
fn match_identifiers_of_gnu_backgammon() {
    let (session, match_7) = (rules(0, true, true, true), rules(7, true, false, true));
    for (game, id, text) in [
        (&session, "MAEPAAAAAAAA", "w 63"),
        (&session, "MAEAAAAAAAAA", "w cube"),
        (&session, "QQkAAAAAAAAA", "b roll cube=2w"),
        (&session, "MBkAAAAAAAAA", "w doubled"),
        (&match_7, "cAngABAAEAAE", "b cube score=1-2"),
    ] {
        let expected = format!("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 {text}");
        let state = game
            .parse_position(&format!("4HPwATDgc/ABMA:{id}"))
            .unwrap();
        assert_eq!(game.position_text(&state), expected);
        assert_eq!(game.match_id(&state), id);
    }
    // The cube at 64 belongs to nobody: it cannot be turned any more.
    let state = session
        .parse_position("4HPwATDgc/ABMA:VgkAAAAAAAAA")
        .unwrap();
    assert_eq!((state.cube(), state.cube_owner()), (64, None));
}

/// GNU Backgammon, `set output rawboard on`, which calls its player 1 O.
#[test]
fn lines_of_fibs() {
    let session = rules(0, true, true, true);
    let match_7 = rules(7, true, false, true);
    for (game, id, line) in [
        (
            &session,
            "4HMAgAG4DQAAAA:MAEAAAAAAAAA",
            "board:root:gnubg:0:0:0:\
             0:0:0:0:0:0:5:0:3:0:0:0:0:0:-2:-2:-3:0:0:0:0:0:0:0:2:0:\
             -1:0:0:0:0:1:1:1:0:1:-1:0:25:5:8:0:0:0:0:0:1",
        ),
        (
            &match_7,
            "4HMAgAG4DQAAAA:cAnvABAAEAAE",
            "board:root:gnubg:7:2:1:\
             0:-2:0:0:0:0:0:0:0:3:2:2:0:0:0:0:0:-3:0:-5:0:0:0:0:0:0:\
             1:6:3:6:3:1:1:1:0:1:-1:0:25:8:5:0:0:0:0:0:1",
        ),
        (
            &session,
            "gB8AhIEHHAACAA:MAEAAAAAAAAA",
            "board:root:gnubg:0:0:0:\
             -1:0:0:0:0:0:0:0:6:0:0:0:-3:0:0:0:0:0:0:-4:0:1:0:0:0:2:\
             -1:0:0:0:0:1:1:1:0:1:-1:0:25:6:7:0:0:0:0:0:1",
        ),
        (
            &session,
            "gB8AhIEHHAACAA:QQkAAAAAAAAA",
            "board:root:gnubg:0:0:0:\
             -2:0:0:0:-1:0:4:0:0:0:0:0:0:3:0:0:0:-6:0:0:0:0:0:0:0:1:\
             1:0:0:0:0:2:0:1:0:1:-1:0:25:7:6:0:0:0:0:0:1",
        ),
    ] {
        let by_id = game.parse_position(id).unwrap();
        let by_line = game.parse_position(line).unwrap();
        assert_eq!(by_line.board(), by_id.board(), "{line}");
        assert_eq!(by_line.phase(), by_id.phase(), "{line}");
        assert_eq!(by_line.mover(), by_id.mover().other(), "{line}");
        assert_eq!(by_line.cube(), by_id.cube(), "{line}");
        let [white, black] = by_id.score();
        assert_eq!(by_line.score(), [black, white], "{line}");
        assert_eq!(by_line.cube_owner(), by_id.cube_owner().map(Player::other));
    }
}

/// The same position as the other player sees it, with the numbers of the points the other way
/// round.
#[test]
fn a_line_of_fibs_in_the_other_direction() {
    let game = Backgammon::default();
    let expected = game.parse_position("6:3,4:2/24:1,5:2 w 31").unwrap();
    let mut fields: Vec<String> = LINE_31.split(':').map(str::to_string).collect();
    for (point, n) in [
        (1, "0"),
        (6, "0"),
        (8, "0"),
        (12, "0"),
        (13, "0"),
        (17, "0"),
        (19, "3"),
        (24, "-1"),
        (21, "2"),
        (5, "-2"),
    ] {
        fields[6 + point] = n.to_string();
    }
    // White moves up from 1 to 24, so that 19 is its point 6; and Black's 24 is on place 24.
    fields[6 + 24] = "-1".to_string();
    let home = 6 + 26 + 5 + 3 + 1;
    fields[home + 1] = "1".to_string();
    assert_eq!(game.parse_position(&fields.join(":")), Ok(expected));
}

#[test]
fn malformed_identifiers_are_refused_with_a_reason() {
    let game = rules(7, true, false, true);
    let start = "4HPwATDgc/ABMA";
    for (text, reason) in [
        (
            "4HPwATDgc/ABM".to_string(),
            "has 14 characters, and this one 13",
        ),
        ("4HPwATDgc/ABM!".to_string(), "'!' does not occur"),
        ("4HPwATDgc/ABMB".to_string(), "bits that belong to nothing"),
        // 16 checkers of the opponent on one point.
        ("//8AAAAAAAAAAA".to_string(), "16 checkers, more than 15"),
        ("AAAAAAAAAAAAAA".to_string(), "neither player has a checker"),
        // One checker, and a bit after the last place.
        ("AQAAAAAAAAAAgA".to_string(), "goes on after the last place"),
        (
            format!("{start}:cAngABAAEAA"),
            "has 12 characters, and this one 11",
        ),
        (
            format!("{start}:MAEAAAAAAAAA"),
            "a match to 0 points, and this game is to 7",
        ),
        (format!("{start}:YAngABAAEAAE"), "to a third player"),
        (format!("{start}:cInrABAAEAAE"), "impossible dice, 7 and 2"),
        (format!("{start}:cIniABAAEAAE"), "impossible dice, 5 and 0"),
        (
            format!("{start}:cAngABAAEAAM"),
            "goes on after the last field",
        ),
        (format!("{start}:cCngABAAEAAE"), "resignation"),
        (format!("{start}:SQngABAAEAAE"), "2, 4, ... 64"),
        (format!("{start}:cJnlABAAEAAE"), "dice where none can be"),
        (format!("{start}:cA7gABAAEAAE"), "resigned or never was"),
        (format!("{start}:cAngAJAAEAAE"), "the match is to 7 points"),
        (format!("{start}:8AngABAAEAAE"), "one point from winning"),
        (format!("{start}:"), "has 12 characters, and this one 0"),
    ] {
        let error = game.parse_position(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let line = |index: usize, value: &str| {
        let mut fields: Vec<&str> = LINE_31.split(':').collect();
        fields[index] = value;
        Backgammon::default().parse_position(&fields.join(":"))
    };
    assert!(line(52, "0").is_ok());
    for (index, value, reason) in [
        (3, "5", "match to 5 points"),
        (7, "15", "30 checkers"),
        (7, "99999", "no number"),
        (8, "x", "no number"),
        (32, "0", "neither whose turn"),
        (33, "7", "impossible dice"),
        (37, "3", "3 on its cube"),
        (37, "2", "no doubling cube"),
        (41, "2", "colour or a direction"),
    ] {
        let error = line(index, value).unwrap_err().to_string();
        assert!(error.contains(reason), "{index}: {error}");
    }
    let short = LINE_31.rsplit_once(':').unwrap().0;
    let error = Backgammon::default().parse_position(short).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("52 more fields, and this one has 51"),
        "{error}"
    );
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    let game = rules(5, true, false, true);
    for (text, reason) in [
        ("6/4 w", "after the side on roll belongs what comes next"),
        ("6,4 w 31", "a slash between"),
        ("6/4 x 31", "must be w or b"),
        ("6/4 w 37", "must be dice"),
        ("6:16/4 w 31", "not a point with its checkers"),
        ("6:15,5/4 w 31", "16 checkers"),
        ("6,6/4 w 31", "told twice"),
        ("6/19 w 31", "both players have checkers on one point"),
        ("-/19 w 31", "has won, and nothing else"),
        ("6/4 w 31 cube=3w", "neither a cube"),
        ("6/4 w 31 cube=1w", "1 in the middle"),
        ("6/4 w cube cube=2b", "may not double"),
        ("6/4 w cube score=4-0 crawford", "may not double"),
        ("6/4 w 31 score=5-0", "a match is over"),
        ("6/4 w 31 score=9-0", "to 5 points"),
        ("6/4 w won score=2-0", "a match is over"),
        ("6/4 w 31 score=3-0 crawford", "one point from winning"),
        ("6/4 b opening", "White counts as on roll"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let plain = Backgammon::default();
    for (text, reason) in [
        ("6/4 w 31 cube=2w", "no doubling cube"),
        ("6/4 w 31 score=1-0", "no score without a match"),
        ("6/4 w won", "nobody gives up"),
    ] {
        let error = plain.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// Positions of random games with the cube.
fn positions(length: u8) -> impl Strategy<Value = (Backgammon, State)> {
    vec(any::<u32>(), 0..150).prop_map(move |choices| {
        let game = rules(length, true, false, true);
        let mut state = game.start();
        for choice in choices {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            // Few games are dropped, or most would be short.
            let last = moves.len() - usize::from(state.phase() == Phase::Doubled && choice % 8 > 0);
            match moves.get(choice as usize % last.max(1)) {
                Some(&mv) => game.play(&mut state, mv),
                None => break,
            };
        }
        (game, state)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn identifiers_and_lines_round_trip((game, state) in prop_oneof![positions(0), positions(3)]) {
        // Whether a player has just decided to roll is told by neither.
        let mut told = state;
        if state.phase() == Phase::Roll {
            told.phase = game.turn_begins(&state);
        }
        prop_assert_eq!(game.parse_position(&game.id(&state)), Ok(told));
        match game.fibs_board(&state) {
            Some(line) => prop_assert_eq!(game.parse_position(&line), Ok(told), "{}", line),
            None => prop_assert!(matches!(state.phase(), Phase::Opening | Phase::Over)),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in "[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?|board(:[0-9-]{1,3}){52}\
                 |[0-9:,/a-z -]{0,40}",
    ) {
        let (money, match_play) = (rules(0, true, true, true), rules(7, true, false, true));
        for game in [Backgammon::default(), money, match_play] {
            if let Ok(state) = game.parse_position(&text) {
                let printed = game.position_text(&state);
                prop_assert_eq!(game.parse_position(&printed), Ok(state));
            }
        }
    }
}
