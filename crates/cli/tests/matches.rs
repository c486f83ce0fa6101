//! Matches through the command line, killed and resumed, and with players that misbehave.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{command, json, refusal, run, text};
use rand::RngExt;
use serde_json::{Value, json};
use tabia_game::Seed;
use tabia_lab::matches::PlayedGame;
use tabia_lab::store::Store;

/// The first player is better by far, but not always.
const TWO: [&str; 6] = [
    "match",
    "tictactoe",
    "--player",
    "pvs:nodes=20",
    "--player",
    "random",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TWO[..], more].concat()
}

#[test]
fn tells_who_won_and_how_sure_that_is() {
    let told = json(&with(&[
        "--games",
        "40",
        "--paired",
        "--sprt",
        "elo0=0,elo1=100",
    ]));
    assert_eq!(told["game"], json!("tictactoe"));
    assert_eq!(told["complete"], json!(true));
    let players = told["players"].as_array().unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    for player in players {
        let games = number(&player["wins"]) + number(&player["draws"]) + number(&player["losses"]);
        assert_eq!(games, number(&told["games"]));
        let points = number(&player["wins"]) + number(&player["draws"]) / 2.0;
        assert_eq!(points, number(&player["points"]));
        assert!((number(&player["share"]) - points / games).abs() < 1e-12);
        let interval = &player["interval"];
        assert!(number(&interval["low"]) <= number(&player["share"]));
        assert!(number(&player["share"]) <= number(&interval["high"]));
    }
    assert!(number(&told["elo"]) > 0.0 && number(&told["los"]) > 0.9);
    assert_eq!(told["sprt"]["decision"], json!("accept-h1"));

    let told = text(&with(&["--games", "10"]));
    assert!(told.contains("pvs:nodes=20 over random") && told.contains("SHARE"));
    assert!(
        told.lines().all(|line| line.chars().count() <= 100),
        "{told}"
    );
}

#[test]
fn seed_and_threads() {
    let points = |more: &[&str]| json(&with(more))["players"][0]["points"].clone();
    let base = points(&["--games", "30", "--threads", "1"]);
    assert_eq!(base, points(&["--games", "30", "--threads", "3"]));
    let others: Vec<Value> = ["2", "3", "4"]
        .iter()
        .map(|seed| points(&["--games", "30", "--seed", seed]))
        .collect();
    assert!(others.iter().any(|other| *other != base));
}

#[test]
fn bad_requests_say_what_would_be_right() {
    assert!(refusal(&["match"]).contains("GAME"));
    assert!(refusal(&["match", "connect4"]).contains("at least two players"));
    assert!(refusal(&["match", "connect5", "--player", "pvs"]).contains("connect4"));
    let engine = refusal(&["match", "connect4", "--player", "pvs", "--player", "pws"]);
    assert!(engine.contains("did you mean 'pvs'"), "{engine}");
    assert!(refusal(&with(&["--games", "0"])).contains("from 1 to"));
    assert!(refusal(&with(&["--opening", "random:x"])).contains("random:PLIES"));
    assert!(refusal(&with(&["--opening", "file:/nowhere"])).contains("cannot be read"));
    assert!(refusal(&with(&["--sprt", "elo1=0,elo0=10"])).contains("elo0"));
    assert!(refusal(&with(&["--clock", "soon"])).contains("60+0.6"));
    assert!(refusal(&with(&["--resume"])).contains("--db"));
    let nobody = [&TWO[..5], &["program:/nowhere/engine"]].concat();
    assert!(refusal(&nobody).contains("cannot be started"));
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.db");
    let fresh = fresh.to_str().unwrap();
    for wrong in [
        [&nobody[..], &["--db", fresh]].concat(),
        vec!["match", "--resume", "--db", fresh],
        vec!["tournament", "--resume", "--db", fresh],
    ] {
        refusal(&wrong);
        assert!(!Path::new(fresh).exists(), "nothing is left of {wrong:?}");
    }
    let file = folder.path().join("notes.txt");
    std::fs::write(
        &file,
        "not a database, but long enough to be taken for one".repeat(20),
    )
    .unwrap();
    let foreign = run(&with(&["--db", file.to_str().unwrap()]));
    assert!(
        foreign.status != 0 && foreign.err.contains("notes.txt"),
        "{}",
        foreign.err
    );
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .starts_with("not a database")
    );
}

/// Players that do everything wrong lose each game for the right reason, and the match goes on.
#[test]
fn faults_are_named_and_nothing_is_lost() {
    let script = |body: &str| {
        format!(
            "program:python3 -u -c \"import sys, time\n\
             for line in sys.stdin:\n    \
                 word = line.split()[0]\n    \
                 if word == 'tabia':\n        \
                     print('ready')\n    \
                 elif word == 'go':\n        \
                     {body}\""
        )
    };
    for (body, expected) in [
        (
            "print('hello world')",
            "answered with something else than a move: 'hello world'",
        ),
        ("time.sleep(60)", "did not answer"),
        ("sys.exit(3)", "crashed"),
        ("print('move 99')", "played '99', which is not a legal move"),
    ] {
        let player = script(body);
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("faults.db");
        let told = json(&[
            "match",
            "connect4",
            "--player",
            "random",
            "--player",
            &player,
            "--games",
            "2",
            "--patience",
            "3",
            "--db",
            db.to_str().unwrap(),
        ]);
        assert_eq!(told["games"], json!(2), "{expected}");
        assert_eq!(told["players"][0]["wins"], json!(2), "{expected}");
        assert_eq!(told["players"][1]["faults"], json!(2));
        for fault in told["faults"].as_array().unwrap() {
            let reason = fault["reason"].as_str().unwrap();
            assert!(reason.contains(expected), "{reason}");
        }
        let store = Store::open(&db).unwrap();
        assert_eq!(store.games(1).unwrap().len(), 2);
    }
}

/// Thirty lines of Python as a player.
#[test]
fn the_example_program_plays() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engines/greedy.py");
    let player = format!("program:python3 {}", example.display());
    let told = json(&[
        "match",
        "breakthrough:5x5",
        "--player",
        &player,
        "--player",
        "random",
        "--games",
        "6",
    ]);
    assert_eq!(told["players"][0]["name"], json!("greedy.py"));
    assert_eq!((&told["games"], &told["faults"]), (&json!(6), &json!([])));
}

fn timeless(store: &Path) -> Vec<PlayedGame> {
    let store = Store::open(store).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1);
    let mut games = store.games(runs[0].id).unwrap();
    for effort in games.iter_mut().flat_map(|game| &mut game.efforts) {
        (effort.seconds, effort.longest) = (0.0, 0.0);
    }
    games
}

/// Killed at twenty random moments during a match of 500 games and resumed each time.
#[test]
fn a_match_that_is_killed_and_resumed_equals_the_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.db");
    let parts = folder.path().join("parts.db");
    let arguments = |db: &'static str| {
        let players = [
            "match",
            "connect4",
            "--player=pvs:nodes=1500",
            "--player=random",
        ];
        let more = ["--games=500", "--paired", "--resume", "--db", db];
        [&players[..], &more[..]].concat()
    };
    let started = Instant::now();
    let mut first = command(&arguments("whole.db"));
    let done = first
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let time = started.elapsed();
    let mut rng = Seed::new(2026).split("kills").rng();
    let (mut kills, mut cut_short) = (0, 0);
    while kills < 20 {
        let mut child = command(&arguments("parts.db"))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs_f64(
            time.as_secs_f64() * rng.random_range(0.0..0.04),
        ));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        cut_short += usize::from(!status.success());
        kills += 1;
    }
    assert!(
        cut_short >= 15,
        "the match was over after {cut_short} kills"
    );
    let last = command(&arguments("parts.db"))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        last.status.success(),
        "{}",
        String::from_utf8_lossy(&last.stderr)
    );
    let (whole, parts) = (timeless(&whole), timeless(&parts));
    assert_eq!(whole.len(), 500);
    for (a, b) in whole.iter().zip(&parts) {
        assert_eq!(a, b, "game {}", a.number);
    }
    assert_eq!(parts.len(), 500);
}

/// Without a game the newest match of the file goes on; a finished one is told again.
#[test]
fn a_stored_match_needs_no_other_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("m.db");
    let db = db.to_str().unwrap();
    let first = json(&with(&["--games", "8", "--db", db]));
    let again = json(&["match", "--resume", "--db", db]);
    assert_eq!(first["players"][0]["points"], again["players"][0]["points"]);
    assert_eq!(first["games"], again["games"]);
    let told = refusal(&["tournament", "--resume", "--db", db]);
    assert!(told.contains("no tournament"), "{told}");
    let missing = folder.path().join("missing.db");
    let told = refusal(&["match", "--resume", "--db", missing.to_str().unwrap()]);
    assert!(told.contains("no file"), "{told}");
}

/// Options that a stored match would ignore are refused.
#[test]
fn a_stored_match_takes_no_other_options() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("m.db");
    let db = db.to_str().unwrap();
    json(&with(&["--games", "4", "--db", db]));
    for more in [
        &["--games", "40"][..],
        &["--seed", "9"],
        &["--nodes", "3"],
        &["--paired"],
        &["--opening", "start"],
        &["--sprt", "elo0=0,elo1=5"],
        &["--clock", "5"],
    ] {
        let told = refusal(&[&["match", "--resume", "--db", db], more].concat());
        assert!(told.contains("options without a game"), "{told}");
    }
}

/// Two answers to one question are a fault every time, also against the quickest opponent.
#[test]
fn an_answer_too_many_is_never_taken_for_the_next() {
    let player = "program:python3 -u -c \"import os, sys\n\
                  legal = ['1']\n\
                  for line in sys.stdin:\n    \
                      word, _, rest = line.strip().partition(' ')\n    \
                      if word == 'tabia':\n        \
                          os.write(1, b'ready\\n')\n    \
                      elif word == 'legal':\n        \
                          legal = rest.split()\n    \
                      elif word == 'go':\n        \
                          answer = 'move %s\\n' % legal[0]\n        \
                          os.write(1, (answer + answer).encode())\"";
    let told = json(&[
        "match", "connect4", "--player", player, "--player", "random", "--games", "20",
    ]);
    assert_eq!(
        told["players"][0]["faults"],
        json!(20),
        "{}",
        told["faults"]
    );
}

/// A folder is no file of results, and a name that is neither a file nor a game is said to be
/// neither.
#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for args in [
        with(&["--db", path]),
        vec!["match", "--resume", "--db", path],
        vec!["results", "list", path],
    ] {
        let told = refusal(&args);
        assert!(told.contains("it is a folder"), "{told}");
    }
    let told = refusal(&["tournament", "nofile"]);
    assert!(
        told.contains("no file 'nofile'") && told.contains("no game"),
        "{told}"
    );
}

/// Nobody wins a game that is played alone: scores on the same boards are compared.
#[test]
fn players_of_a_game_for_one_are_compared_by_their_scores() {
    let args = [
        "match",
        "samegame:6x6,colours=3",
        "--player",
        "random",
        "--player",
        "nrpa:nodes=200",
        "--games",
        "12",
    ];
    let told = json(&args);
    for nothing in ["elo", "los", "counts", "ratings", "sprt"] {
        assert_eq!(told[nothing], Value::Null, "{nothing}");
    }
    let compared = &told["comparisons"][0];
    assert_eq!(
        (&compared["first"], &compared["second"]),
        (&json!("random"), &json!("nrpa:nodes=200"))
    );
    let number = |value: &Value| value.as_f64().unwrap();
    let means = [0, 1].map(|player| number(&told["players"][player]["payoff"]["mean"]));
    let difference = number(&compared["difference"]["mean"]);
    assert!((means[0] - means[1] - difference).abs() < 1e-9, "{told}");
    assert!(difference < 0.0, "a search does better than chance: {told}");
    let boards: Vec<f64> = ["better", "equal", "worse"]
        .iter()
        .map(|key| number(&compared[*key]))
        .collect();
    assert_eq!(
        (boards.iter().sum::<f64>(), &compared["boards"]),
        (6.0, &json!(6))
    );
    let shown = text(&args);
    assert!(shown.contains("every player on the same boards"), "{shown}");
    assert!(
        shown.contains("points a board") && !shown.contains("Elo"),
        "{shown}"
    );
    let test = refusal(&[&args[..], &["--sprt", "elo0=0,elo1=5"]].concat());
    assert!(test.contains("a game for two"), "{test}");
}

/// The header tells what everybody may spend, and when that is no fair comparison.
#[test]
fn limits_are_told_and_unfair_ones_noted() {
    let two = |more: &[&str]| {
        let players = ["match", "connect4", "--player", "mcts", "--player", "pvs"];
        let args = [&players[..], &["--games", "2", "--paired"], more].concat();
        (text(&args), json(&args))
    };
    let (told, value) = two(&[]);
    assert!(
        told.contains("limits: 10,000 nodes a move (the default)\n"),
        "{told}"
    );
    assert!(
        told.contains("note: mcts counts moves of simulated games"),
        "{told}"
    );
    assert_eq!(value["limits"][0]["counts"], json!("playouts"));
    assert!(value["unfair"].as_str().unwrap().contains("--time"));
    let (told, value) = two(&["--time", "0.02", "--margin", "5000"]);
    assert!(
        told.contains("limits: 0.02 s a move\n") && !told.contains("note:"),
        "{told}"
    );
    assert_eq!(value["unfair"], Value::Null);
}

/// Deals are luck: another one in every round, the same for all seatings of it.
#[test]
fn every_round_has_a_deal_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("deals.db");
    let file = db.to_str().unwrap();
    let deals = |spec: &str, seed: &str| {
        let _ = std::fs::remove_file(&db);
        let players = [
            "match", spec, "--player", "a=random", "--player", "b=random",
        ];
        let more = ["--games", "18", "--paired", "--seed", seed, "--db", file];
        json(&[&players[..], &more[..]].concat());
        let games = Store::open(&db).unwrap().games(1).unwrap();
        games
            .into_iter()
            .map(|game| (game.round, game.position))
            .collect::<Vec<_>>()
    };
    let one = deals("hearts:players=3,cards=5", "1");
    for (round, position) in &one {
        let same = one.iter().filter(|(_, other)| other == position);
        assert!(
            same.clone().all(|(other, _)| other == round),
            "one round, one deal"
        );
        assert_eq!(same.count(), 6, "all seatings have it");
    }
    assert_ne!(one, deals("hearts:players=3,cards=5", "2"));
    let fixed = deals("hearts:players=3,cards=5,seed=4", "1");
    assert!(fixed.iter().all(|(_, position)| position.is_none()));
}
