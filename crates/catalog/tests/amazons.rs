//! Amazons as it is played: endgames by rooms, and books.

use tabia_catalog::book::{Builder, Correction, Growth, GrowthMethod, Header, ROOT};
use tabia_catalog::open;
use tabia_game::{Cancel, Limits, Turn};

/// Who wins if both sides play on with these engines.
fn winner(game: &str, position: &str, engines: [&str; 2]) -> String {
    let game = open(game).unwrap();
    let mut engines = engines.map(|spec| game.engine(spec).unwrap());
    let mut session = game.session(Some(position)).unwrap();
    while let Turn::Player(player) = session.turn() {
        let engine = &mut engines[player.index()];
        let answer = session.ask(engine, &Limits::nodes(20_000)).unwrap();
        session.play(&answer.best.unwrap()).unwrap();
    }
    session.ending().unwrap().text
}

/// Boards that have fallen apart: rooms for both, for one, and for nobody. The value that search of
/// the sum gives must be that of a search to the end, which knows nothing of rooms.
#[test]
fn exact_endgames_agree_with_search_to_the_end() {
    let positions = [
        "w.#b.|..#..|#####|.b#w.|..#.. w",
        "w..#b|...#.|####.|b..#w|...#. b",
        "w.b#.|..##.|#####|..#w.|b.#.b w",
        "w.b#w|.#.#b|####.|wb.#.|...#. b",
        "w.b#w|..##b|####.|w.b#.|..### w",
        "b.w#w|..##b|####.|w.b#.|..### w",
        "w..b#|#####|.w#.b|..#..|#.#.# b",
    ];
    let game = open("amazons:5x5").unwrap();
    for position in positions {
        let session = game.session(Some(position)).unwrap();
        let ask = |spec: &str| {
            let mut engine = game.engine(spec).unwrap();
            session.ask(&mut engine, &Limits::default()).unwrap()
        };
        let (rooms, searched) = (ask("antiope:endgame=exact"), ask("pvs:table=4M"));
        assert!(
            rooms.counters.iter().any(|(name, _)| *name == "rooms"),
            "{position}"
        );
        assert!(rooms.solved && searched.solved, "{position}");
        assert_eq!(rooms.value, searched.value, "{position}");
        // A won position is won by following the moves.
        let mover = session.turn();
        let strong = "antiope:endgame=exact";
        let result = winner("amazons:5x5", position, [strong, strong]);
        let white = mover == Turn::Player(tabia_game::Player::FIRST);
        let expected = match white == (rooms.value == Some(1.0)) {
            true => "White has won",
            false => "Black has won",
        };
        assert_eq!(result, expected, "{position}");
    }
}

/// Hot rooms of different sizes: thermographic strategies take the hottest first.
#[test]
fn thermographic_strategies_take_the_hottest_room() {
    // Whoever moves first in the upper room gets much, in the lower one little.
    let position = "wb......|########|#wb#####|##.##### w";
    let game = open("amazons:8x4").unwrap();
    let session = game.session(Some(position)).unwrap();
    for strategy in ["sente", "thermo"] {
        let spec = format!("antiope:endgame={strategy},rooms=10");
        let mut engine = game.engine(&spec).unwrap();
        let answer = session.ask(&mut engine, &Limits::default()).unwrap();
        assert!(answer.counters.iter().any(|(name, _)| *name == "rooms"));
        assert!(answer.best.unwrap().starts_with("b2"), "{strategy}");
    }
}

/// An engine plays from its book, and searches where the book ends; a book of another board is
/// refused.
#[test]
fn engines_play_from_books() {
    let header = Header {
        game: "amazons:5x5".to_string(),
        position: None,
        engine: "antiope".to_string(),
        depth: 1,
        breadth: 8,
        correction: Correction::None,
    };
    let mut builder =
        Builder::new(open(&header.game).unwrap(), &header, 1, &Cancel::default()).unwrap();
    let mut book = builder.begin().unwrap();
    let growth = Growth {
        method: GrowthMethod::BestFirst,
        nodes: 12,
        from: ROOT,
    };
    builder.grow(&mut book, &growth, |_| true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.book");
    std::fs::write(&file, book.write()).unwrap();
    let spec = format!("antiope:depth=1,book={}", file.display());
    let game = open("amazons:5x5").unwrap();
    let mut engine = game.engine(&spec).unwrap();
    assert!(engine.spec().contains("book="));
    let mut session = game.session(None).unwrap();
    for (ply, &id) in book.principal_line(ROOT).iter().enumerate() {
        let answer = session.ask(&mut engine, &Limits::default()).unwrap();
        assert_eq!(
            answer.best.as_deref(),
            Some(book.nodes()[id].mv.as_str()),
            "ply {ply}"
        );
        assert!(answer.counters.iter().any(|(name, _)| *name == "book"));
        session.play(&book.nodes()[id].mv).unwrap();
    }
    let answer = session.ask(&mut engine, &Limits::default()).unwrap();
    assert!(answer.counters.iter().all(|(name, _)| *name != "book") && answer.best.is_some());
    for (other, reason) in [
        ("amazons:4x4", "not for this game"),
        ("connect4", "not for this game"),
    ] {
        let spec = format!("pvs:book={}", file.display());
        let error = open(other)
            .unwrap()
            .engine(&spec)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(reason), "{error}");
    }
    let missing = game.engine("antiope:book=nowhere.book").err().unwrap();
    assert!(missing.to_string().contains("nowhere.book"));
}
