//! What is hidden from a person stays hidden: on the screen, in records and in JSON.

use crate::support::{refusal, run_with_input};
use serde_json::{Value, json};

/// Plays with these lines typed, successfully.
fn play(args: &[&str], input: &str) -> String {
    let run = run_with_input(&[&["play"], args].concat(), input);
    assert_eq!(run.status, 0, "{args:?}: {}", run.err);
    run.out
}

fn play_json(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&play(&[args, &["--json"]].concat(), input)).unwrap()
}

/// Three players of whom the first is a person.
const SPADES: [&str; 7] = [
    "spades:players=3,cards=5,seed=3",
    "--seat",
    "1=human",
    "--seat",
    "2=random",
    "--seat",
    "3=random",
];

/// The hands of that deal, each as it is written in a position.
fn hands() -> Vec<String> {
    let shown = crate::support::json(&["show", SPADES[0]]);
    let position = shown["position"].as_str().unwrap();
    let hands = position.split(' ').next().unwrap();
    hands.split('/').map(str::to_string).collect()
}

/// Neither hands of others nor the seed from which they follow.
fn assert_tells_nothing(told: &str) {
    let hands = hands();
    assert!(told.contains(&hands[0]), "the own hand is there: {told}");
    for hand in &hands[1..] {
        assert!(!told.contains(hand), "{hand} is told: {told}");
    }
    assert!(!told.contains("seed=3"), "{told}");
}

#[test]
fn json_of_a_game_that_was_left_shows_what_the_person_has_seen() {
    let told = play(&[&SPADES[..], &["--json"]].concat(), "quit\n");
    assert_tells_nothing(&told);
    let game: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&game["seen_by"], &game["over"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(
        (&game["position"], &game["seed"]),
        (&Value::Null, &Value::Null)
    );
    // A game that is given up is over, and the cards lie on the table.
    let game = play_json(&SPADES, "resign\n");
    assert_eq!(
        (&game["seen_by"], &game["over"]),
        (&Value::Null, &json!(true))
    );
    let last = game["final"].as_str().unwrap();
    assert!(hands().iter().all(|hand| last.contains(hand)), "{last}");
}

#[test]
fn a_record_of_a_game_that_goes_on_belongs_to_a_seat() {
    let folder = tempfile::tempdir().unwrap();
    let [typed, left] = ["typed.txt", "left.txt"].map(|name| folder.path().join(name));
    let [typed, left] = [&typed, &left].map(|file| file.to_str().unwrap());
    let told = play(
        &[&SPADES[..], &["--save", left]].concat(),
        &format!("save {typed}\nquit\n"),
    );
    assert!(told.contains("not to be played on"), "{told}");
    for file in [typed, left] {
        let record = std::fs::read_to_string(file).unwrap();
        assert_tells_nothing(&record);
        assert!(record.contains("seen by: 1\n"), "{record}");
        let refused = refusal(&["play", "--record", file]);
        assert!(refused.contains("cannot be taken up again"), "{refused}");
    }
    // Once it is over it is a record like any other.
    play(&[&SPADES[..], &["--save", left]].concat(), "resign\n");
    let record = std::fs::read_to_string(left).unwrap();
    assert!(
        !record.contains("seen by") && record.contains("seed=3"),
        "{record}"
    );
}

/// The first player has bid in secret; neither a record nor JSON of the second shows the bid.
#[test]
fn a_secret_bid_is_kept_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bid.txt");
    let path = file.to_str().unwrap();
    let args = [
        "goofspiel:4,order=descending",
        "--seat",
        "1=human",
        "--seat",
        "2=human",
    ];
    // The prize is turned up, the first bids 3, the second saves and leaves.
    let told = play_json(&args, &format!("3\nsave {path}\nquit\n"));
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(
        record.contains("seen by: 2\n") && record.contains("moves: 4 ?\n"),
        "{record}"
    );
    assert!(
        record.contains("bid=?") && !record.contains("bid=3"),
        "{record}"
    );
    assert_eq!(told["moves"], json!(["4", "?"]));
    assert_eq!(told["seen_by"], json!(2));
    assert!(!told.to_string().contains("bid=3"), "{told}");
}

#[test]
fn nothing_that_was_seen_is_taken_back() {
    // A Scout attacks and both ranks are told.
    let args = ["stratego:figure", "--seat", "1=human", "--seat", "2=random"];
    let told = play(&args, "e4-e6\nundo\nquit\n");
    assert!(told.contains("nothing is taken back"), "{told}");
    let game = play_json(&args, "e4-e6\nundo\nquit\n");
    assert_eq!(game["moves"].as_array().unwrap().len(), 2, "{game}");
    // Where nothing is hidden, it is.
    let open = play_json(&["connect4", "--seat", "2=random"], "4\nundo\nquit\n");
    assert_eq!(open["moves"], json!([]));
}

/// What the opponent expects of its hand is not told, nor which seed it drew from.
#[test]
fn opponents_tell_their_moves_and_nothing_else() {
    let args = [
        "hearts:players=3,cards=4",
        "--seat",
        "1=pimc:samples=2",
        "--seat",
        "2=human",
        "--seat",
        "3=random",
        "--nodes",
        "200",
        "--seed",
        "987654321",
    ];
    let told = play(&args, "quit\n");
    let line = told
        .lines()
        .find(|line| line.contains("(pimc:samples=2"))
        .unwrap();
    let said = line.rsplit("): ").next().unwrap();
    assert_eq!(said.split_whitespace().count(), 1, "a card alone: {line}");
    assert!(!told.contains("987654321"), "{told}");
}

/// Without a seed every game has a deal of its own, with one it is always the same.
#[test]
fn deals_follow_from_the_seed() {
    let hand = |more: &[&str]| {
        let args = [&["hearts", "--seat", "1=human"], more].concat();
        play_json(&args, "quit\n")["final"].clone()
    };
    assert_eq!(hand(&["--seed", "5"]), hand(&["--seed", "5"]));
    assert_ne!(hand(&["--seed", "5"]), hand(&["--seed", "6"]));
    assert_ne!(hand(&[]), hand(&[]));
    let fixed = |more: &[&str]| {
        let args = [&["hearts:seed=2", "--seat", "1=human"], more].concat();
        play_json(&args, "quit\n")["final"].clone()
    };
    assert_eq!(fixed(&["--seed", "5"]), fixed(&["--seed", "6"]));
}
