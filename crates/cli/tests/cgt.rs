//! `tabia cgt` as people use it.
use assert_cmd::Command;
use serde_json::Value;

fn tabia(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.arg("cgt").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = tabia(&[&arguments[..1], &["--json"], &arguments[1..]].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Mueller and Li (2004), section 2: mean 0 and temperature 1.
#[test]
fn values_are_told_with_all_that_follows() {
    let value = json(&["value", "{10|0||-1}"]);
    assert_eq!(value["mean"], "0");
    assert_eq!(value["temperature"], "1");
    assert_eq!(value["outcome"], "R");
    assert_eq!(value["nimber"], Value::Null);
    assert_eq!(json(&["value", "nim:3,5"])["nimber"], 6);
    assert_eq!(json(&["value", "toads:TT.F"])["value"], "{1/2|0}");
    assert_eq!(json(&["value", "--", "-1", "1/2"])["value"], "-1/2");
}

/// The part is named by its number, the move as the game writes it; 4 pins of Kayles are worth 1.
#[test]
fn nimbers_are_told_part_by_part_with_the_moves_that_win() {
    let found = json(&["nimber", "octal.77:4 + *3", "nim:2", "--moves"]);
    let nimbers: Vec<u64> = found["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["nimber"].as_u64().unwrap())
        .collect();
    assert_eq!(nimbers, [1, 3, 2]);
    assert_eq!(
        (&found["nimber"], &found["wins"]),
        (&0.into(), &false.into())
    );
    assert_eq!(found["winning_moves"], serde_json::json!([]));
    let found = json(&["nimber", "octal.77:4", "*3", "--moves"]);
    let moves = serde_json::json!([
        { "part": 1, "move": "4to3" },
        { "part": 1, "move": "4to2+1" },
        { "part": 2, "move": "*1" },
    ]);
    assert_eq!(found["winning_moves"], moves);
    let found = json(&["nimber", "nim:5", "octal.77:4", "--moves"]);
    let moves = serde_json::json!([{ "part": 1, "move": "5to1" }]);
    assert_eq!(found["winning_moves"], moves);
    // Section 3.1 of Fleischer and Trippen (2004): the last irregular star of its class.
    let found = json(&["nimber", "nodekayles:star:310,1,1"]);
    assert_eq!(found["winning_moves"], Value::Null);
    let beyond = json(&["nimber", "nodekayles:star:344,1,1"]);
    assert_ne!(found["nimber"], beyond["nimber"]);
}

/// Whether the theory of a game or its moves tell the winning moves, they are the same.
#[test]
fn winning_moves_of_theory_are_those_of_the_rules() {
    for (theory, rules) in [
        ("nodekayles:star:3,2,1", "nodekayles:1-2-3-4,1-5-6,1-7"),
        ("pinkayles:star:3,2,1", "pinkayles:1-2-3-4,1-5-6,1-7"),
        ("pinkayles:path:8", "pinkayles:1-2-3-4-5-6-7-8"),
    ] {
        let moves = |spec: &str| {
            let found = json(&["nimber", spec, "nim:9", "--moves"]);
            let moves = found["winning_moves"].as_array().unwrap().clone();
            let mut moves: Vec<String> = moves.iter().map(Value::to_string).collect();
            moves.sort();
            (found["nimber"].clone(), moves)
        };
        assert_eq!(moves(theory), moves(rules), "{theory}");
    }
}

#[test]
fn periods_are_proved_or_refused() {
    let found = json(&["period", "octal.137:_", "--to", "9", "--verify"]);
    assert_eq!(
        found["nimbers"],
        serde_json::json!([1, 1, 2, 0, 3, 1, 1, 0, 3])
    );
    assert_eq!(
        (&found["period"], &found["last_irregular"]),
        (&34.into(), &51.into())
    );
    assert_eq!(found["verified"], true);
    let paths = json(&["period", "nodekayles:path:_", "--to", "9", "--verify"]);
    for field in ["nimbers", "period", "last_irregular", "proved_to", "cycle"] {
        assert_eq!(found[field], paths[field], "{field}");
    }
    let stars = ["period", "nodekayles:star:_,1,1", "--to", "4"];
    let found = json(&stars);
    assert_eq!(
        (&found["period"], &found["last_irregular"]),
        (&34.into(), &310.into())
    );
    let found = json(&[&stars[..], &["--within", "431"]].concat());
    assert_eq!(
        (&found["period"], &found["verified"]),
        (&Value::Null, &Value::Null)
    );
    for (bad, right) in [
        ("nodekayles:star:_,1", "'star:_,1,1'"),
        ("octal.137:7", "'_'"),
        ("toads:_", "nim, nodekayles, pinkayles and octal games"),
        ("octal.137", "a colon"),
    ] {
        let done = tabia(&["period", bad]);
        let told = String::from_utf8(done.stderr).unwrap();
        assert!(
            done.status.code() == Some(2) && told.contains(right),
            "{bad}: {told}"
        );
    }
}

/// What games know of themselves needs no search: Nim heaps are worth their size (Bouton 1901), and
/// Kayles has period 12 from 71 on (Guy and Smith 1956), with 1 at 4 and at 8: 10,000 pins are 833
/// periods and 4, and 5,000 are 416 periods and 8.
#[test]
fn large_heaps_are_valued_at_sight() {
    for (spec, nimber) in [
        ("nim:1023", 1023),
        ("nim:10000", 10_000),
        ("nim:10000,9999", 10_000 ^ 9_999),
        ("octal.77:5000", 1),
        ("octal.77:10000", 1),
        ("*65536", 65_536),
    ] {
        let value = json(&["value", spec, "--memory", "4M"]);
        assert_eq!(value["nimber"], nimber, "{spec}");
        let told = json(&["nimber", spec, "--memory", "4M"]);
        assert_eq!(told["nimber"], nimber, "{spec}");
        let other = format!("*{nimber}");
        assert_eq!(json(&["compare", spec, &other])["relation"], "equal");
        let solved = json(&["solve", spec, &other, "--memory", "4M"]);
        assert_eq!(solved["wins"], false, "{spec}");
    }
    let moves = json(&["solve", "nim:10000", "*9", "--moves", "--memory", "64M"]);
    assert_eq!(moves["winning_moves"], serde_json::json!([[1, "10000to9"]]));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.sums");
    std::fs::write(&file, "[kayles] 5000 {N 1, B win} 5000 4988 {N 0, W loss}").unwrap();
    let ran = json(&["run", file.to_str().unwrap(), "--memory", "4M"]);
    assert_eq!(ran["passed"], 4);
}

/// What has too large a value for the memory is refused with the limit, and tells what helps.
#[test]
fn values_keep_to_their_memory() {
    let strip = "toads:TTTTTTTTTT....FFFFFFFFFF";
    for command in ["value", "thermograph"] {
        let output = tabia(&[command, strip, "--memory", "8M"]);
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            error.contains("memory") && error.contains("--memory"),
            "{error}"
        );
    }
}

/// A device that never ends is no file of sums.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let output = tabia(&["run", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("/dev/zero") && error.contains("16 MB"),
        "{error}"
    );
}

/// Too little address space is an error and no abort.
#[cfg(target_os = "linux")]
#[test]
fn too_little_address_space_is_refused() {
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        "ulimit -v 300000 && exec \"$0\" cgt solve toads:TT..FF --memory 1G",
    ]);
    let output = shell.arg(env!("CARGO_BIN_EXE_tabia")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("no memory for a table of 512 MB"), "{error}");
}

/// The sums of Mueller and Li (2004), section 2.1, and what their moves come to by hand: Left gets
/// the sente in and then the switch, or Right takes the switch and leaves the sente.
#[test]
fn scores_are_told() {
    let told = json(&["score", "10|0||-1", "3|-3"]);
    assert_eq!(
        (&told["score"], &told["first"]),
        (&3.into(), &"left".into())
    );
    let sente = &told["components"][0];
    assert_eq!(
        (&sente["mean"], &sente["temperature"]),
        (&"0".into(), &"1".into())
    );
    assert_eq!(sente["pseudo_temperatures"], serde_json::json!(["5", "1"]));
    let line = told["line"].as_array().unwrap();
    assert_eq!(line.len(), 3);
    assert_eq!(line[0]["player"], "left");
    assert_eq!(told["losses"], Value::Null);
    let told = json(&["score", "10|0||-1", "3|-3", "--first", "right", "--losses"]);
    assert_eq!(told["score"], -3);
    assert_eq!(told["losses"][1]["strategy"], "hotstrat+");
    // Both threaten at no cost up to tax 1, and nobody gains at any tax.
    let told = json(&["score", "2|0||0|-2"]);
    let threats = &told["components"][0];
    assert_eq!(
        (&threats["mean"], &threats["temperature"]),
        (&"0".into(), &"0".into())
    );
    assert_eq!(
        threats["pseudo_temperatures"],
        serde_json::json!(["1", "1"])
    );
    for (bad, part) in [
        ("0|2", "both players would rather have the other move"),
        ("1|x", "no integer"),
        ("99999999|0", "16777216"),
    ] {
        let output = tabia(&["score", bad]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(part), "{bad}: {error}");
    }
}

#[test]
fn values_are_compared() {
    for (one, other, relation) in [
        ("^", "*", "confused"),
        ("^^", "*", "greater"),
        ("toads:TT..FF", "*", "equal"),
        ("0", "+_2", "less"),
    ] {
        assert_eq!(
            json(&["compare", one, other])["relation"],
            relation,
            "{one} {other}"
        );
    }
}

#[test]
fn a_thermograph_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.svg");
    let output = tabia(&["thermograph", "{10|0||-1}", "--svg", file.to_str().unwrap()]);
    assert!(output.status.success());
    let picture = std::fs::read_to_string(file).unwrap();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
}

#[test]
fn sums_are_solved() {
    let sum = [
        "solve",
        "domineering:..|..",
        "nim:3",
        "--first",
        "right",
        "--moves",
    ];
    let right = json(&sum);
    assert_eq!(right["wins"], true);
    assert_eq!(right["winner"], "right");
    // Whoever lays a domino has room for one more of their own, which settles it; nothing in the
    // heap does.
    let moves = right["winning_moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    assert!(moves.iter().all(|mv| mv[0] == 1));
    assert_eq!(json(&["solve", "clobber:XOXOXO"])["wins"], false);
    let rows = ["XOXOXO", "OXOXOX"].repeat(3).join("|");
    let output = tabia(&["solve", &format!("clobber:{rows}"), "--timeout", "0.2"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("not solved after "), "{error}");
}

#[test]
fn files_are_run_and_differences_told() {
    let ran = json(&["run", "examples/sums/small.sums"]);
    assert_eq!(ran["failed"], 0);
    assert_eq!(ran["passed"], ran["cases"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.sums");
    std::fs::write(&file, "[nimber] 3 3 {N 1, B loss}").unwrap();
    let output = tabia(&["run", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("EXPECTED 1"));
}

#[test]
fn bad_requests_say_what_would_be_right() {
    for (arguments, part) in [
        (&["value", "clober:XO"][..], "clobber"),
        (&["value", "{1|"], "'{1|' is no value"),
        (&["value", "toads:TXZ"], "'Z'"),
        (&["solve", "nim:3", "--first", "both"], "left, right"),
        (&["run", "/nowhere/at/all"], "/nowhere/at/all"),
        (&["value", "*4294967295"], "1048575"),
        (&["value", "*", "--memory", "1K"], "from 1M to 1T"),
    ] {
        let output = tabia(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
}

fn play(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command
        .args(["cgt", "play"])
        .args(arguments)
        .write_stdin(input);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Black's one move leaves White none.
#[test]
fn a_person_plays_a_sum() {
    let told = play(
        &["clobber:XO", "nim:2"],
        "moves\nhint\nxyz\n3 a1\n2 b9\n2 2\n",
    );
    for part in [
        "  1  clobber:XO\n  2  nim:2\n",
        "Left to move> moves",
        "in 1:",
        "in 2:",
        "clobber:XO = *, mean 0, temperature 0",
        "wins: ",
        "'xyz' is no move; there are 1 a1-b1",
        "there is no move in 3; there are moves in 1, 2",
        "'b9' is no move in 2; there are ",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let told = play(&["clobber:XO", "--seat", "right=human"], "");
    assert!(
        told.contains("Left (exact): 1 a1-b1") && told.ends_with("Right has no move\nLeft wins\n"),
        "{told}"
    );
    let told = play(&["clobber:XO", "clobber:XO"], "a1-b1\nresign\n");
    assert!(
        told.contains("a move in several components; write '1 a1-b1'"),
        "{told}"
    );
    assert!(told.ends_with("Right wins\n"), "{told}");
}

#[test]
fn strategies_play_each_other_and_what_is_no_seat_is_refused() {
    let told = json(&[
        "play",
        "domineering:...|...",
        "{3|-3}",
        "--seat",
        "left=thermostrat",
        "--seat",
        "right=random",
        "--seed",
        "5",
    ]);
    assert_eq!(told["over"], true);
    assert_eq!(told["sum"][1], "{3|-3}");
    assert!(!told["moves"].as_array().unwrap().is_empty());
    for (seat, part) in [
        ("north=human", "left=WHO or right=WHO"),
        ("left=fritz", "exact, hotstrat"),
        ("left", "is no seat"),
    ] {
        let output = tabia(&["play", "*", "--seat", seat]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(part), "{told}");
    }
}
