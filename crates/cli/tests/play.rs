//! Games played through standard input.

use crate::support::{json, refusal, run_with_input, text};
use serde_json::{Value, json};

/// Plays with these lines typed, successfully.
fn play(args: &[&str], input: &str) -> String {
    let run = run_with_input(&[&["play"], args].concat(), input);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{args:?}");
    run.out
}

fn play_json(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&play(&[args, &["--json"]].concat(), input)).unwrap()
}

const TWO_PEOPLE: [&str; 5] = ["tictactoe", "--seat", "1=human", "--seat", "2=human"];

#[test]
fn two_people_play_to_the_end() {
    let told = play(&TWO_PEOPLE, "b2\na1\nb3\na2\nb1\n");
    assert!(
        told.contains("O to move> a1\n") && told.ends_with("X has won\n"),
        "{told}"
    );
    let game = play_json(&TWO_PEOPLE, "b2\na1\nb3\na2\nb1\n");
    assert_eq!(game["moves"], json!(["b2", "a1", "b3", "a2", "b1"]));
    assert_eq!(game["payoffs"], json!([1, -1]));
    assert_eq!(
        (&game["over"], &game["result"]),
        (&json!(true), &json!("X has won"))
    );
}

#[test]
fn commands_at_the_prompt() {
    let told = play(
        &TWO_PEOPLE,
        "moves\nhelp\nboard\nhint\n\nz9\nsave\nb2\nundo\nundo\nquit\n",
    );
    for part in [
        "a3  b3  c3  a2  b2  c2  a1  b1  c1",
        "take back to your last move",
        "hint: ",
        "'z9' is not a legal move here",
        "save where?",
        "there is no move of yours to take back",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let game = play_json(&TWO_PEOPLE, "b2\na1\nundo\nc3\n");
    assert_eq!(game["moves"], json!(["b2", "c3"]));
}

#[test]
fn undo_takes_back_the_answer_of_the_engine_as_well() {
    let game = play_json(&["tictactoe", "--seat", "2=random"], "b2\nundo\n");
    assert_eq!(game["moves"], json!([]));
    let seats = ["tictactoe", "--seat", "1=random", "--seat", "2=human"];
    let game = play_json(&seats, "quit\n");
    assert_eq!(game["moves"].as_array().unwrap().len(), 1);
    let told = play(&seats, "undo\nquit\n");
    assert!(told.contains("no move of yours"));
}

#[test]
fn the_default_engine_never_loses_tic_tac_toe() {
    for line in [
        "b2\na1\nc1\nb1\na2\na3\nb3\nc2\nc3\n",
        "a1\na2\na3\nb1\nb2\nb3\nc1\nc2\nc3\n",
    ] {
        // Moves on squares that are taken are refused and the next one is read.
        let run = run_with_input(&["play", "tictactoe", "--json"], &line.repeat(3));
        let game: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((run.status, &game["over"]), (0, &json!(true)));
        assert!(game["payoffs"][1].as_i64().unwrap() >= 0, "{game}");
    }
}

#[test]
fn resigning_and_leaving() {
    let game = play_json(&TWO_PEOPLE, "b2\nresign\n");
    assert_eq!(game["result"], "O resigns, X has won");
    let game = play_json(&TWO_PEOPLE, "b2\n");
    assert_eq!(
        (&game["over"], &game["result"]),
        (&json!(false), &Value::Null)
    );
}

#[test]
fn engines_play_each_other_and_luck_replays() {
    let luck = |seed| {
        let args = [
            "loa", "--seat", "1=random", "--seat", "2=random", "--seed", seed,
        ];
        play_json(&args, "")["moves"].clone()
    };
    assert_eq!(luck("5"), luck("5"));
    assert_ne!(luck("5"), luck("6"));
    let told = play(
        &[
            "connect4:5x4",
            "--seat",
            "1=pvs:depth=3",
            "--seat",
            "2=random:seed=1",
            "--depth",
            "2",
        ],
        "",
    );
    assert!(told.contains("(pvs:depth=3)") && told.contains("(random:seed=1)"));
}

#[test]
fn records_are_saved_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let path = file.to_str().unwrap();
    let start = ["--position", ".../.x./... o", "--save", path];
    play(&[&TWO_PEOPLE[..], &start].concat(), "a1\nb3\n");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "game: tictactoe\nposition: .../.x./... o\nseat 1: human\nseat 2: human\nmoves: a1 b3\n"
    );
    let shown = json(&["show", "--record", path, "--moves", "b1"]);
    assert_eq!(shown["moves"], json!(["a1", "b3", "b1"]));
    assert!(text(&["moves", "tictactoe", "--record", path]).contains("O to move, 6 moves"));
    assert_eq!(json(&["best", "--record", path])["move"], "b1");
    assert_eq!(
        json(&["perft", "--record", path, "--depth", "1"])["counts"],
        json!([6])
    );
    let game = play_json(&["--record", path], &format!("b1\nsave {path}\n"));
    assert_eq!(game["seats"], json!(["human", "human"]));
    assert_eq!(
        json(&["show", "--record", path])["position"],
        "1x1/1x1/oo1 x"
    );
    assert!(refusal(&["show", "loa", "--record", path]).contains("a record of tictactoe"));
    std::fs::write(&file, "game: tictactoe\nmoves: b2 b2\n").unwrap();
    assert!(refusal(&["show", "--record", path]).contains("move 2"));
    std::fs::write(&file, [0xff, 0xfe]).unwrap();
    assert!(refusal(&["show", "--record", path]).contains("cannot be read"));
}

/// Black and White shuffle to and fro: the third occurrence of a position draws the game.
#[test]
fn the_repetition_rule_ends_a_game() {
    let cycle = "b1-b3 a2-c2 b3-b1 c2-a2 ";
    let moves = cycle.repeat(2);
    let shown = json(&["show", "loa", "--moves", &moves]);
    assert_eq!(shown["result"], "the game is drawn by repetition");
    assert_eq!(
        (&shown["payoffs"], &shown["turn"]),
        (&json!([0, 0]), &json!("over"))
    );
    assert!(refusal(&["best", "loa", "--moves", &moves]).contains("drawn by repetition"));
}

#[test]
fn players_are_told_who_they_are_and_how_to_get_help() {
    let told = play(&["tictactoe", "--seat", "2=human"], "quit\n");
    let first = told.lines().next().unwrap();
    assert_eq!(first, "You are O, X is pvs. Type a move, or 'help'.");
    let told = play(&TWO_PEOPLE, "quit\n");
    assert!(told.starts_with("Everybody is at this terminal."), "{told}");
    let told = play(&["samegame:4x4"], "quit\n");
    assert!(told.starts_with("You play alone."), "{told}");
    // Nobody is there to be told.
    let told = play(
        &["tictactoe", "--seat", "1=random", "--seat", "2=random"],
        "",
    );
    assert!(!told.contains("You"), "{told}");
}

/// A program has a seat, and is asked for the best move, as in a match.
#[test]
fn programs_play_and_are_asked() {
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = example.join("../../examples/engines/greedy.py");
    let program = format!("program:python3 {}", example.display());
    let seat = format!("2={program}");
    let game = play_json(
        &["tictactoe", "--seat", "1=human", "--seat", &seat],
        "b2\nquit\n",
    );
    assert_eq!(game["moves"].as_array().unwrap().len(), 2, "{game}");
    assert_eq!(game["seats"][1], json!(program));
    let asked = json(&["best", "tictactoe", "--moves", "b2", "--engine", &program]);
    let moves = json(&["moves", "tictactoe", "--moves", "b2"])["moves"].clone();
    assert!(
        moves.as_array().unwrap().contains(&asked["move"]),
        "{asked}"
    );
    assert_eq!(asked["engine"], json!(program));
    let told = refusal(&["best", "tictactoe", "--engine", &program, "--lines", "2"]);
    assert!(told.contains("tells no lines"), "{told}");
    let told = refusal(&["best", "tictactoe", "--engine", "program:/nowhere/engine"]);
    assert!(told.contains("cannot be started"), "{told}");
    // An answer that is no move ends the game with its name.
    let wrong = "program:python3 -u -c \"import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    if word == 'tabia': print('ready')\n    elif word == 'go': print('move z9')\"";
    let run = run_with_input(&["best", "tictactoe", "--engine", wrong], "");
    assert!(run.status == 1 && run.err.contains("'z9'"), "{}", run.err);
}

/// Nobody plays a game that cannot be kept.
#[test]
fn a_record_that_cannot_be_written_is_noticed_before_the_game() {
    for file in ["/proc/game.txt", "/nowhere/game.txt", "/"] {
        let told = refusal(&["play", "tictactoe", "--save", file]);
        assert!(told.contains(file.trim_end_matches("/game.txt")), "{told}");
    }
}
