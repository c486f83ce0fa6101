//! Commands for games with chance: rollouts, training, matches for points, GNU Backgammon as a player.

use crate::support::{json, refusal, run, text};

#[test]
fn a_rollout_finds_the_exact_value() {
    // Six against six: 13/16 of the games are won (Hauk, Buro and Schaeffer 2004), which is 5/8 of a point.
    let told = json(&[
        "rollout",
        "backgammon",
        "--position",
        "6/6 w roll",
        "--games",
        "2000",
    ]);
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    let (points, error) = (
        moves[0]["points"].as_f64().unwrap(),
        moves[0]["points_error"].as_f64().unwrap(),
    );
    assert!((points - 0.625).abs() <= 4.0 * error + 1e-9, "{told}");
    assert!(moves[0]["move"].is_null());
}

#[test]
fn a_rollout_lists_moves_best_first_and_repeats_itself() {
    let asked = ["rollout", "einstein", "--games", "50", "--candidates", "2"];
    let told = json(&asked);
    assert_eq!(told, json(&[&asked[..], &["--threads", "1"]].concat()));
    let shown = text(&[
        "rollout",
        "backgammon",
        "--moves",
        "61",
        "--games",
        "2",
        "--plies",
        "2",
    ]);
    assert!(shown.contains("13/7,8/7"), "{shown}");
    assert!(refusal(&["rollout", "connect4"]).contains("cannot be rolled out"));
    assert!(refusal(&["rollout", "dice", "--precision", "2"]).contains("from 0 to 1"));
}

#[test]
fn networks_are_learnt_written_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.net").to_str().unwrap().to_string();
    let train = |more: &[&str]| {
        let few = ["--games", "4", "--generations", "2", "--output", &file];
        json(&[&["train", "backgammon"], &few[..], more].concat())
    };
    let told = train(&[]);
    assert_eq!(told["games"], 8);
    let first = std::fs::read(&file).unwrap();
    train(&["--threads", "1"]);
    assert_eq!(
        std::fs::read(&file).unwrap(),
        first,
        "the seed alone decides"
    );
    train(&["--from", &file, "--luckless", "--lambda", "1,1"]);
    assert_ne!(std::fs::read(&file).unwrap(), first);
    // Networks of the first stage have fewer features and units.
    let stage = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../families/backgammon/src/backgammon/first.net"
    );
    train(&["--from", stage, "--average", "0.5"]);
    let refused = refusal(&[
        "best",
        "backgammon",
        "--engine",
        &format!("star2:network={stage}"),
    ]);
    assert!(refused.contains("are wanted"), "{refused}");
    let player = format!("star2:depth=1,network={file}");
    let told = json(&[
        "match",
        "backgammon",
        "--player",
        "star2:depth=1",
        "--player",
        &player,
        "--games",
        "2",
        "--paired",
    ]);
    assert!(told["players"][0]["payoff"]["mean"].is_number(), "{told}");
    assert!(told["players"][0]["payoff_without_luck"].is_null());
    let two = ["--player", "random", "--player", "random"];
    let refused = refusal(&[&["match", "connect4", "--luck"], &two[..]].concat());
    assert!(refused.contains("luck"), "{refused}");
    std::fs::write(&file, &first[..first.len() - 1]).unwrap();
    for refused in [
        refusal(&["best", "backgammon", "--moves", "31", "--engine", &player]),
        refusal(&["train", "backgammon", "--output", "x", "--from", &file]),
    ] {
        assert!(refused.contains("holds no networks"), "{refused}");
    }
    assert!(refusal(&["train", "chess", "--output", "x"]).contains("cannot be learnt"));
    let rate = refusal(&["train", "backgammon", "--output", "x", "--rate", "2"]);
    assert!(rate.contains("two numbers"), "{rate}");
    let share = refusal(&["train", "backgammon", "--output", "x", "--average", "1"]);
    assert!(share.contains("less than 1"), "{share}");
}

#[test]
fn chance_prob_cut_needs_its_lines() {
    let refused = refusal(&[
        "best",
        "dice:3,k=3",
        "--moves",
        "1",
        "--engine",
        "star2:probcut=1",
    ]);
    assert!(refused.contains("nothing is known"), "{refused}");
}

/// A game of another kind is refused before the program is looked for.
#[test]
fn gnubg_plays_backgammon_only() {
    let wrong = refusal(&[
        "match", "dice", "--player", "star2", "--player", "gnubg", "--games", "2",
    ]);
    assert!(wrong.contains("it plays backgammon, not dice"), "{wrong}");
    let wrong = refusal(&[
        "match",
        "backgammon",
        "--player",
        "star2",
        "--player",
        "gnubg:plies=9",
        "--games",
        "2",
    ]);
    assert!(wrong.contains("plies"), "{wrong}");
}

#[test]
#[ignore = "needs gnubg: cargo test -p tabia -- --ignored gnubg"]
fn gnubg_plays() {
    let asked = [
        "match",
        "backgammon",
        "--player",
        "star2:depth=1",
        "--player",
        "gnubg",
        "--games",
        "2",
        "--json",
    ];
    let played = run(&asked);
    assert_eq!(played.status, 0, "{}", played.err);
    let told: serde_json::Value = serde_json::from_str(&played.out).unwrap();
    assert_eq!(told["games"], 2);
    assert_eq!(told["players"][1]["faults"], 0, "{told}");
}
