//! Tables of rooms in the player of Amazons.

use rand::RngExt;
use tabia_cgt::Evaluator;
use tabia_combinatorial::amazons::combinatorial as rooms;
use tabia_combinatorial::amazons::endgame::RoomValues;
use tabia_combinatorial::amazons::entry::ENTRY;
use tabia_combinatorial::amazons::room_tables::{self, Leaves, LookedUp};
use tabia_combinatorial::amazons::rooms::kind::RoomKind;
use tabia_combinatorial::amazons::rooms::spec::GAME;
use tabia_combinatorial::amazons::{Amazons, Judge, SQUARE};
use tabia_game::{Cancel, Combinatorial, Game, Knowledge, Limits, Player, Seed, Text, Turn};
use tabia_tables::{Kept, Kind, Symmetry, TableForm, TableJob, build, plan};

/// Tables of rooms in 3x3, in a folder of their own.
fn built(specs: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let form = TableForm {
        values: Kept::Bytes,
        symmetry: Symmetry::None,
    };
    let job = TableJob {
        spec: GAME,
        folder: folder.path(),
        form,
        memory: 1 << 30,
    };
    for spec in specs {
        let plan = plan(&RoomKind, &RoomKind.named(spec).unwrap(), job).unwrap();
        build(&RoomKind, &plan, job, &Cancel::default(), &|_, _, _| {}).unwrap();
    }
    folder
}

const ALL: &[&str] = &[
    "rooms:3x3",
    "territory:3x3,queens=2",
    "active:3x3",
    "active:3x3,values=canonical",
];

/// Values that are looked up are those that are computed.
#[test]
fn looked_up_values_are_the_computed_ones() {
    let folder = built(ALL);
    let mut looked_up = LookedUp::new(room_tables::open(folder.path().to_str().unwrap()).unwrap());
    let mut evaluator = Evaluator::new(rooms::Amazons);
    let mut rng = Seed::new(5).rng();
    for _ in 0..400 {
        let cell = |_| ['.', '.', '.', '#', '#', 'X', 'O'][rng.random_range(0..7)];
        let cells: Vec<char> = (0..12).map(cell).collect();
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let room = rooms::Amazons.parse_position(&rows.join("|")).unwrap();
        let mut meter = Limits::default().meter();
        let computed = evaluator.value(&room, &mut meter).unwrap();
        let found = looked_up.value(&room, &mut meter).unwrap();
        assert_eq!(
            looked_up.values().write(found).unwrap(),
            evaluator.values_mut().write(computed).unwrap(),
            "{rows:?}"
        );
    }
    assert!(looked_up.looked_up() > 20, "{}", looked_up.looked_up());
}

/// Five squares for White, two for Black, and an area in which whoever begins has the only move.
#[test]
fn leaves_count_rooms() {
    let folder = built(ALL);
    let tables = room_tables::open(folder.path().to_str().unwrap()).unwrap();
    let leaves = Leaves::new(Judge::default(), Some(std::sync::Arc::new(tables)));
    let game = Amazons::new(4, 5).unwrap();
    let state = game.parse_position("..#.|w.#b|..#.|####|w.b# w").unwrap();
    assert_eq!(leaves.evaluate(&game, &state, Player::FIRST), 3 * SQUARE);
    assert_eq!(leaves.evaluate(&game, &state, Player::SECOND), -3 * SQUARE);
    // The whole board is not in the tables.
    let start = game.start();
    let plain = Judge::default().evaluate(&game, &start, Player::FIRST);
    assert_eq!(leaves.evaluate(&game, &start, Player::FIRST), plain);
}

/// The player with tables plays whole games by the rules, ends by rooms included.
#[test]
fn games_with_tables_end() {
    let folder = built(ALL);
    let spec = format!(
        "antiope:table=1M,depth=2,tables={}",
        folder.path().to_str().unwrap()
    );
    let game = ENTRY.open("5x4").unwrap();
    let mut engine = game.engine(&spec).unwrap();
    let mut session = game.session(None).unwrap();
    let mut by_rooms = 0;
    while matches!(session.turn(), Turn::Player(_)) {
        let answer = session.ask(&mut engine, &Limits::nodes(2000)).unwrap();
        let counted = |name: &str| answer.counters.iter().any(|(counter, _)| *counter == name);
        by_rooms += u32::from(counted("rooms"));
        session.play(&answer.best.unwrap()).unwrap();
    }
    assert!(by_rooms > 0, "no endgame");
}

#[test]
fn folders_without_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let error = room_tables::open(name).unwrap_err().to_string();
    assert!(
        error.contains("no territories") && error.contains(name),
        "{error}"
    );
    let game = ENTRY.open("5x4").unwrap();
    assert!(game.engine(&format!("antiope:tables={name}")).is_err());
}
