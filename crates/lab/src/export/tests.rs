//! What is written is read back by small readers of their own and played through the rules.

use serde_json::Value;
use tabia_game::Cancel;
use tabia_registry::{entries, open};

use super::*;
use crate::matches::{Match, MatchPlan, Opening};
use crate::player::Entrant;
use crate::referee::Terms;
use crate::store::Store;

/// Names that every format must escape.
const NAMES: [&str; 2] = ["a\"b\\c]d", "x, (;W[aa]) {y} <&>"];

fn plan(game: &str, opening: Opening, games: u64) -> MatchPlan {
    MatchPlan {
        game: game.to_string(),
        players: NAMES
            .map(|name| Entrant {
                name: name.to_string(),
                spec: "random".to_string(),
            })
            .to_vec(),
        games,
        paired: true,
        opening,
        terms: Terms::default(),
        sprt: None,
        seed: 7,
    }
}

fn played(plan: MatchPlan) -> StoredRun {
    let mut store = Store::in_memory().unwrap();
    let mut played = Match::new(plan).unwrap().stored(&mut store, false).unwrap();
    played.play(1, &Cancel::default(), &mut |_| {}).unwrap();
    StoredRun::read(&store, None).unwrap()
}

/// A run from a position in which the second seat moves first.
fn from_position(game: &str, position: &str) -> StoredRun {
    let lines =
        crate::matches::opening::read(&format!("{position} |"), "test", &*open(game).unwrap());
    played(plan(game, Opening::File(lines.unwrap()), 4))
}

/// The tags of a game and its moves.
type PgnGame = (Vec<(String, String)>, Vec<String>);

/// Tags and movetext of each game, by a reader that knows PGN and nothing of Tabia.
fn read_pgn(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut chars = text.chars().peekable();
    let (mut tags, mut moves) = (Vec::new(), Vec::new());
    while let Some(c) = chars.next() {
        match c {
            '[' => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| *c != ' ') {
                    name.push(c);
                }
                assert_eq!((chars.next(), chars.next()), (Some(' '), Some('"')));
                let mut value = String::new();
                loop {
                    match chars.next().unwrap() {
                        '"' => break,
                        '\\' => value.push(chars.next().unwrap()),
                        '\n' => panic!("a tag goes on over the end of its line"),
                        c => value.push(c),
                    }
                }
                assert_eq!(chars.next(), Some(']'));
                tags.push((name, value));
            }
            '{' => while chars.next().unwrap() != '}' {},
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
                    word.push(c);
                }
                if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word.as_str()) {
                    moves.push(word);
                    games.push((std::mem::take(&mut tags), std::mem::take(&mut moves)));
                } else {
                    moves.push(word);
                }
            }
        }
    }
    assert!(
        tags.is_empty() && moves.is_empty(),
        "the last game has no result"
    );
    games
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = tags.iter().find(|(tag, _)| tag == name);
    found.map(|(_, value)| value.as_str())
}

fn check_pgn(stored: &StoredRun) {
    let text = write(ExportFormat::Pgn, stored).unwrap();
    assert!(
        text.lines()
            .filter(|l| !l.starts_with('['))
            .all(|l| l.len() < 80)
    );
    let games = read_pgn(&text);
    assert_eq!(games.len(), stored.games.len());
    let rules = open(stored.game().unwrap()).unwrap();
    for ((tags, movetext), game) in games.iter().zip(&stored.games) {
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        assert!(
            tags.iter()
                .zip(roster)
                .all(|((name, _), expected)| name == expected)
        );
        let seats = ["White", "Black"].map(|name| tag(tags, name).unwrap());
        assert_eq!(seats, [NAMES[game.seats[0]], NAMES[game.seats[1]]]);
        assert_eq!(tag(tags, "SetUp").is_some(), game.position.is_some());
        let mut session = rules.session(tag(tags, "FEN")).unwrap();
        let (result, moves) = movetext.split_last().unwrap();
        assert_eq!(Some(result.as_str()), tag(tags, "Result"));
        let mut number = 1;
        for word in moves {
            if word.ends_with('.') {
                let white = !word.ends_with("...");
                assert_eq!(word.trim_end_matches('.'), number.to_string());
                let mover = if white { "first" } else { "second" };
                let expected = if session.turn() == Turn::Player(Player::FIRST) {
                    "first"
                } else {
                    "second"
                };
                assert_eq!(mover, expected, "{word}");
                continue;
            }
            number += usize::from(session.turn() != Turn::Player(Player::FIRST));
            session
                .play(if word == "--" { "pass" } else { word })
                .unwrap();
        }
        assert_eq!(session.history(), game.moves);
        let expected = match session.ending().unwrap().payoffs[..] {
            [1, -1] => "1-0",
            [-1, 1] => "0-1",
            _ => "1/2-1/2",
        };
        assert_eq!(result, expected);
    }
}

#[test]
fn pgn_is_read_back() {
    check_pgn(&played(plan("loa", Opening::Random(3), 6)));
    check_pgn(&played(plan("breakthrough:5x6", Opening::Start, 6)));
    let position = "1bbbbbb1/w6w/w6w/w6w/w6w/wb5w/w6w/2bbbbb1 w";
    check_pgn(&from_position("loa", position));
}

/// The nodes of each game, each a list of properties with their values.
type Node = Vec<(String, Vec<String>)>;

fn read_sgf(text: &str) -> Vec<Vec<Node>> {
    let mut games: Vec<Vec<Node>> = Vec::new();
    let mut chars = text.chars().peekable();
    let mut depth = 0;
    let mut name = String::new();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                depth += 1;
                assert_eq!(depth, 1);
                games.push(Vec::new());
            }
            ')' => depth -= 1,
            ';' => games.last_mut().unwrap().push(Vec::new()),
            '[' => {
                let mut value = String::new();
                loop {
                    match chars.next().unwrap() {
                        ']' => break,
                        '\\' => value.push(chars.next().unwrap()),
                        c => value.push(c),
                    }
                }
                let node = games.last_mut().unwrap().last_mut().unwrap();
                if !name.is_empty() {
                    node.push((std::mem::take(&mut name), Vec::new()));
                }
                node.last_mut().unwrap().1.push(value);
            }
            c if c.is_ascii_uppercase() => name.push(c),
            c => assert!(c.is_whitespace(), "{c:?} between properties"),
        }
    }
    assert_eq!(depth, 0);
    games
}

fn values<'a>(node: &'a Node, name: &str) -> &'a [String] {
    let found = node.iter().find(|(property, _)| property == name);
    found.map_or(&[], |(_, values)| values)
}

/// `to_square` turns a point of the format into a square, and `to_move` a move.
fn check_sgf(
    stored: &StoredRun,
    number: &str,
    size: &str,
    to_square: impl Fn(&str) -> String,
    to_move: impl Fn(&str) -> String,
) {
    let games = read_sgf(&write(ExportFormat::Sgf, stored).unwrap());
    assert_eq!(games.len(), stored.games.len());
    let rules = open(stored.game().unwrap()).unwrap();
    for (nodes, game) in games.iter().zip(&stored.games) {
        let (root, rest) = nodes.split_first().unwrap();
        assert_eq!(root[0], ("FF".to_string(), vec!["4".to_string()]));
        assert_eq!(
            (&values(root, "GM")[0], &values(root, "SZ")[0]),
            (&number.to_string(), &size.to_string())
        );
        let seats = ["PB", "PW"].map(|name| values(root, name)[0].as_str());
        assert_eq!(seats, [NAMES[game.seats[0]], NAMES[game.seats[1]]]);
        let mut session = rules.session(game.position.as_deref()).unwrap();
        let pieces = |name: &str| {
            values(root, name)
                .iter()
                .map(|p| to_square(p))
                .collect::<Vec<_>>()
        };
        if game.position.is_some() {
            // The picture is drawn from the board and not from the notation.
            let board = tabia_game::picture::terminal::render(
                &session.picture(),
                tabia_game::picture::terminal::Style::Plain,
            );
            let letters: String = board
                .lines()
                .filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                .collect();
            let count =
                |letters_of: [char; 2]| letters.chars().filter(|c| letters_of.contains(c)).count();
            assert_eq!(pieces("AB").len(), count(['B', 'X']));
            assert_eq!(pieces("AW").len(), count(['W', 'O']));
            for square in pieces("AB").iter().chain(&pieces("AW")) {
                assert!(!pieces("AE").contains(square));
            }
            assert_eq!(values(root, "PL"), ["W"]);
        }
        for node in rest {
            let [(colour, mv)] = &node[..] else {
                panic!("{node:?}")
            };
            let expected = if session.turn() == Turn::Player(Player::FIRST) {
                "B"
            } else {
                "W"
            };
            assert_eq!(colour, expected);
            session.play(&to_move(&mv[0])).unwrap();
        }
        assert_eq!(session.history(), game.moves);
        let expected = match session.ending().unwrap().payoffs[..] {
            [1, -1] => "B+",
            [-1, 1] => "W+",
            _ => "0",
        };
        assert_eq!(values(root, "RE"), [expected]);
    }
}

#[test]
fn sgf_is_read_back() {
    let same = |text: &str| text.to_string();
    let loa = |text: &str| text.replace(':', "x");
    check_sgf(
        &played(plan("loa", Opening::Random(3), 4)),
        "9",
        "8",
        same,
        loa,
    );
    let position = "1bbbbbb1/w6w/w6w/w6w/w6w/wb5w/w6w/2bbbbb1 w";
    check_sgf(&from_position("loa", position), "9", "8", same, loa);
    // Letters from the upper left corner, as in Go.
    let from_top = |ranks: u8| {
        move |text: &str| {
            let [file, row] = text.as_bytes()[..] else {
                panic!("{text}")
            };
            format!("{}{}", char::from(file), ranks - (row - b'a'))
        }
    };
    check_sgf(
        &played(plan("mnk:5,4,k=4", Opening::Start, 4)),
        "4",
        "5:4",
        from_top(4),
        from_top(4),
    );
    check_sgf(
        &played(plan("mnk:15,15,5", Opening::Start, 2)),
        "4",
        "15",
        from_top(15),
        from_top(15),
    );
    check_sgf(
        &from_position("tictactoe", "x2/3/3 o"),
        "4",
        "3",
        from_top(3),
        from_top(3),
    );
}

/// The corners of the standard: `aa` is the upper left one, in Lines of Action `a1` the lower left.
#[test]
fn points_of_sgf() {
    let point =
        |game: &str, square: &str, ranks| (entry(game).unwrap().sgf.unwrap().point)(square, ranks);
    assert_eq!(point("mnk", "a15", 15).as_deref(), Some("aa"));
    assert_eq!(point("mnk", "o1", 15).as_deref(), Some("oo"));
    assert_eq!(point("mnk", "z1", 26).as_deref(), Some("zz"));
    assert_eq!(point("mnk", "a1", 27), None);
    assert_eq!(point("mnk", "", 3), None);
    assert_eq!(point("mnk", "é9", 3), None);
    assert_eq!(point("loa", "a1", 8).as_deref(), Some("a1"));
}

#[test]
fn csv_and_json_lines_hold_every_game() {
    let of_two = |name: &&str| open(name).is_ok_and(|game| game.traits().players == 2);
    for example in entries().iter().map(|entry| entry.name).filter(of_two) {
        let stored = played(plan(example, Opening::Random(1), 2));
        let text = write(ExportFormat::Csv, &stored).unwrap();
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let lines = write(ExportFormat::JsonLines, &stored).unwrap();
        let lines: Vec<Value> = lines
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(
            (rows.len(), lines.len()),
            (stored.games.len(), stored.games.len())
        );
        for ((row, line), game) in rows.iter().zip(&lines).zip(&stored.games) {
            let cell = |name: &str| &row[header.iter().position(|h| h == name).unwrap()];
            assert_eq!(cell("line"), game.moves.join(" "));
            assert_eq!(cell("seat2"), NAMES[game.seats[1]]);
            assert_eq!(cell("nodes1"), game.efforts[0].nodes.to_string());
            assert_eq!(cell("seed"), game.seed.to_string());
            assert_eq!(line["seed"].as_u64(), Some(game.seed));
            assert_eq!(line["seats"][1], NAMES[game.seats[1]]);
            assert_eq!(line["moves"].as_array().unwrap().len(), game.moves.len());
            assert_eq!(
                line["efforts"][0]["nodes"].as_u64(),
                Some(game.efforts[0].nodes)
            );
        }
    }
}

#[test]
fn faults_are_told() {
    let mut stored = played(plan("loa", Opening::Start, 2));
    stored.games[0].payoffs = None;
    stored.games[0].ending = Ending::Fault {
        seat: 0,
        reason: Fault::Time("3 s".to_string()),
    };
    let line: Value = serde_json::from_str(
        write(ExportFormat::JsonLines, &stored)
            .unwrap()
            .lines()
            .next()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(line["fault"]["seat"], 1);
    assert_eq!(
        (&line["ending"], &line["fault"]["fault"]),
        (&"fault".into(), &"time".into())
    );
    let pgn = write(ExportFormat::Pgn, &stored).unwrap();
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("[Termination \"time forfeit\"]"));
    assert!(
        write(ExportFormat::Sgf, &stored)
            .unwrap()
            .contains("RE[W+T]")
    );
}

#[test]
fn other_games_are_refused_with_those_that_can_be_written() {
    let stored = played(plan("connect4", Opening::Start, 2));
    let error = write(ExportFormat::Pgn, &stored).unwrap_err().to_string();
    assert!(
        error.contains("connect4") && error.contains("breakthrough, loa"),
        "{error}"
    );
    let error = write(ExportFormat::Sgf, &stored).unwrap_err().to_string();
    assert!(error.contains("loa, mnk, tictactoe"), "{error}");
    // 30 ranks are more than there are letters.
    let tall = played(plan("mnk:3,30,3", Opening::Start, 2));
    assert!(
        write(ExportFormat::Sgf, &tall)
            .unwrap_err()
            .to_string()
            .contains("30 ranks")
    );
}

#[test]
fn a_stored_game_is_found_and_replayed() {
    let stored = played(plan("connect4", Opening::Random(2), 4));
    let game = stored.find(3).unwrap();
    let again = stored.replay(game, &Cancel::default()).unwrap().unwrap();
    assert_eq!((&again.moves, &again.payoffs), (&game.moves, &game.payoffs));
    let error = stored.find(4).unwrap_err().to_string();
    assert!(error.contains("from 0 to 3"), "{error}");
    let mut damaged = stored.clone();
    damaged.games[0].seats = vec![0, 9];
    assert!(
        damaged
            .replay(&damaged.games[0], &Cancel::default())
            .is_err()
    );
    assert!(write(ExportFormat::Csv, &damaged).unwrap().contains("?"));
}
