//! `tabia solve`: what is told, what is written, and with which status it leaves.

use crate::support::{json as json_of, refusal, run, text};
use serde_json::{Value, json};

/// A folder that goes away, and a file in it.
fn file(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name).to_str().unwrap().to_string();
    (folder, path)
}

/// What a run with `--json` told that did not solve the position, and why.
fn unsolved(args: &[&str]) -> (Value, String) {
    let run = run(&[args, &["--json"]].concat());
    assert_eq!(run.status, 1, "{args:?}: {}", run.err);
    (serde_json::from_str(&run.out).unwrap(), run.err)
}

#[test]
fn everything_is_told() {
    let (_folder, path) = file("a.cert");
    let mut told = json_of(&["solve", "tictactoe", "--certificate", &path]);
    let fields = told.as_object_mut().unwrap();
    assert!(fields.remove("seconds").unwrap().as_f64().unwrap() >= 0.0);
    let nodes = fields.remove("nodes").unwrap().as_u64().unwrap();
    let goals = fields.remove("goals").unwrap();
    let each = |at: usize, goal: &str| {
        let nodes = goals[at]["nodes"].as_u64().unwrap();
        let expected = json!({
            "goal": goal, "status": "disproved", "pn": u32::MAX, "dn": 0, "nodes": nodes,
        });
        assert_eq!(goals[at], expected);
        nodes
    };
    assert_eq!(each(0, "X wins") + each(1, "O wins"), nodes);
    let line = fields.remove("line").unwrap();
    let line: Vec<&str> = line
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(fields.remove("move").unwrap(), json!(line[0]));
    let end = text(&["show", "tictactoe", "--moves", &line.join(" ")]);
    assert!(line.len() == 9 && end.ends_with("drawn\n"), "{end}");
    let checked = json_of(&["verify", &path]);
    assert_eq!(
        told,
        json!({
            "game": "tictactoe",
            "position": "3/3/3 x",
            "method": "dfpn",
            "goal": null,
            "status": null,
            "player": "X",
            "value": "draw",
            "lower": "draw",
            "upper": "draw",
            "plies": null,
            "proof": null,
            "tables": [],
            "certificate": {
                "file": path,
                "entries": checked["entries"],
                "positions": checked["positions"],
            },
        })
    );
    assert_eq!(checked["value"], json!("draw"));
}

#[test]
fn goals_are_proved_and_disproved_with_certificates() {
    // X wins.
    let position = ["--position", "xx./oo./... x"];
    for (goal, status, player, at_least) in [
        ("win", "proved", "X", "win"),
        ("draw", "proved", "X", "draw"),
        ("X wins", "proved", "X", "win"),
        ("O draws", "disproved", "X", "win"),
        ("O wins", "disproved", "X", "draw"),
    ] {
        let (_folder, path) = file("a.cert");
        let asked = ["solve", "tictactoe", "--goal", goal, "--certificate", &path];
        let told = json_of(&[&asked[..], &position].concat());
        assert_eq!(told["goal"], json!(goal));
        assert_eq!(told["status"], json!(status), "{goal}");
        let claimed = json_of(&["verify", &path]);
        let expected = json!({ "player": player, "at_least": at_least });
        assert_eq!(claimed["goal"], expected, "{goal}");
    }
    let goal = refusal(&["solve", "tictactoe", "--goal", "White wins"]);
    assert!(goal.contains("'X wins'"));
}

#[test]
fn tables_are_relied_on_and_named() {
    let (folder, path) = file("a.cert");
    let tables = folder.path().to_str().unwrap();
    let build = ["table", "build", "fanorona:3x3/2..4", "--tables", tables];
    text(&build);
    let solve = ["solve", "fanorona:3x3", "--certificate", &path];
    let told = json_of(&[&solve[..], &["--tables", tables]].concat());
    assert_eq!(
        (&told["value"], &told["method"]),
        (&json!("win"), &json!("dfpn"))
    );
    assert!(!told["tables"].as_array().unwrap().is_empty());
    let checked = json_of(&["verify", &path, "--tables", tables]);
    let named = checked["tables"].as_array().unwrap().iter();
    let named: Vec<&Value> = named.map(|table| &table["name"]).collect();
    let relied: Vec<&Value> = told["tables"].as_array().unwrap().iter().collect();
    assert_eq!(named, relied);
    let elsewhere = folder.path().join("none");
    std::fs::create_dir(&elsewhere).unwrap();
    let without = run(&["verify", &path, "--tables", elsewhere.to_str().unwrap()]);
    assert_eq!(without.status, 1);
    assert!(
        without.err.contains("which is not at hand"),
        "{}",
        without.err
    );
    // Two against one, near each other: the tables hold the position itself.
    let held = ["--position", "2b/1w1/w2 w", "--tables", tables];
    let told = json_of(&[&["solve", "fanorona:3x3"], &held[..]].concat());
    assert_eq!(
        (&told["method"], &told["nodes"]),
        (&json!("tables"), &json!(0))
    );
    assert!(told["value"].is_string());
    let none = refusal(&["solve", "fanorona:3x3", "--tables", "/no/such/folder"]);
    assert!(none.contains("no folder of tables"));
}

#[test]
fn what_is_not_solved_is_told_with_its_bounds() {
    let few = [
        "solve",
        "connect4:5x5",
        "--method",
        "dfpn",
        "--nodes",
        "1000",
    ];
    let (told, error) = unsolved(&few);
    assert!(error.contains("not solved within the limits"), "{error}");
    assert_eq!(told["value"], Value::Null);
    assert_eq!(
        (&told["lower"], &told["upper"]),
        (&json!("loss"), &json!("win"))
    );
    assert!(told["proof"]["pn"].as_u64().unwrap() > 0);
    assert!(told["proof"]["dn"].as_u64().unwrap() > 0);
    let short = ["solve", "connect4:5x5", "--time", "0.01"];
    assert!(unsolved(&short).1.contains("not solved within the limits"));
    let small = ["solve", "connect4:5x5", "--method", "pn", "--memory", "10K"];
    assert!(
        unsolved(&small)
            .1
            .contains("memory of the search is used up")
    );
    // No file is left of a certificate that was not written.
    let (folder, path) = file("a.cert");
    unsolved(&[&few[..], &["--certificate", &path]].concat());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn limits_that_would_be_ignored_are_refused() {
    let deep = ["solve", "tictactoe", "--depth", "5"];
    assert!(refusal(&deep).contains("only --method alphabeta heeds a depth"));
    let whole = ["solve", "tictactoe", "--method", "retrograde"];
    assert!(refusal(&whole).contains("tables"));
    text(&[
        "solve",
        "tictactoe",
        "--method",
        "alphabeta",
        "--depth",
        "9",
    ]);
    let sums = refusal(&["solve", "domineering:4x4", "--depth", "5"]);
    assert!(sums.contains("without a depth"), "{sums}");
    let whole = ["solve", "dao", "--method", "retrograde", "--depth", "5"];
    assert!(refusal(&whole).contains("--memory"));
}

/// The limit that ended a search is the one to raise.
#[test]
fn a_search_that_ran_out_names_its_limit() {
    let alphabeta = ["solve", "connect4:5x5", "--method", "alphabeta"];
    let shallow = unsolved(&[&alphabeta[..], &["--depth", "3"]].concat()).1;
    assert!(shallow.ends_with("raise --depth\n"), "{shallow}");
    let few = unsolved(&[&alphabeta[..], &["--nodes", "99", "--time", "60"]].concat()).1;
    assert!(few.ends_with("raise --nodes and --time\n"), "{few}");
}

/// What stands in the way is told, and nothing that does not.
#[test]
fn games_that_are_not_solved_are_told_why() {
    for (spec, reason) in [
        ("dice:17", "more positions can arise"),
        ("mnk:15,15,5", "more than 64 squares"),
        ("stratego", "hidden"),
    ] {
        let refused = refusal(&["solve", spec]);
        assert!(refused.contains(reason), "{spec}: {refused}");
        assert!(
            !refused.contains("not for two players"),
            "{spec}: {refused}"
        );
    }
    let method = refusal(&["solve", "mnk:15,15,5", "--method", "pn"]);
    assert!(method.contains("more than 64 squares"), "{method}");
}

/// A finished game has its value, and there is no move.
#[test]
fn finished_games_are_answered() {
    let over = ["solve", "tictactoe", "--position", "xxx/oo./... o"];
    let told = json_of(&over);
    let found = ["method", "player", "value", "plies", "move"].map(|field| &told[field]);
    let expected = [
        json!("over"),
        json!("X"),
        json!("win"),
        json!(0),
        Value::Null,
    ];
    assert_eq!(found, expected.each_ref());
    assert!(text(&over).contains("X has won"));
    let lost = ["solve", "tictactoe", "--position", "ooo/xx./x.. x"];
    assert_eq!(json_of(&lost)["value"], "loss");
    let open = json_of(&["solve", "tictactoe"]);
    let fields = |told: &Value| {
        let mut names: Vec<String> = told.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(fields(&told), fields(&open));
    for option in [["--goal", "win"], ["--certificate", "never-written.cert"]] {
        let refused = refusal(&[&over[..], &option].concat());
        assert!(refused.contains("the game is over: X has won"), "{refused}");
    }

    let dice = ["solve", "dice:3,k=3"];
    let won = json_of(&[&dice[..], &["--position", "xxx/oo1/3 o"]].concat());
    assert_eq!((&won["value"], &won["exact"]), (&json!(1.0), &json!("1")));
    assert_eq!(fields(&won), fields(&json_of(&dice)));

    let puzzle = [
        "solve",
        "sliding:3x3",
        "--position",
        "1 2 3 / 4 5 6 / 7 8 0",
    ];
    let done = json_of(&puzzle);
    assert_eq!((&done["value"], &done["proved"]), (&json!(0), &json!(true)));
    let one_off = [
        "solve",
        "sliding:3x3",
        "--position",
        "1 2 3 / 4 5 6 / 7 0 8",
    ];
    assert_eq!(fields(&done), fields(&json_of(&one_off)));
}

/// The move and the line are those of the value: with the line played the game ends as it says.
#[test]
fn winning_moves_are_told() {
    // X wins in two ways.
    let position = ["--position", "xx./oo./... x"];
    for method in ["auto", "dfpn", "alphabeta"] {
        let asked = [&["solve", "tictactoe", "--method", method], &position[..]].concat();
        let told = json_of(&asked);
        assert_eq!(told["move"], "c3", "{method}");
        assert_eq!(told["line"], json!(["c3"]), "{method}");
        assert!(text(&asked).contains("line         c3\n"), "{method}");
    }
    let told = json_of(&["solve", "fanorona:3x3", "--method", "retrograde"]);
    let line: Vec<&str> = told["line"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(json!(line.len()), told["plies"]);
    let end = text(&["show", "fanorona:3x3", "--moves", &line.join(" ")]);
    assert!(end.ends_with("White has won\n"), "{end}");
    let told = json_of(&["solve", "domineering:4x4"]);
    let mv = told["move"].as_str().unwrap();
    let reply = json_of(&["solve", "domineering:4x4", "--moves", mv]);
    assert_eq!(
        (&told["value"], &reply["value"]),
        (&json!("win"), &json!("loss"))
    );
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use std::fs;
    use std::os::unix::fs::FileTypeExt;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use crate::support::command;

    #[test]
    fn a_pipe_is_written_to_and_stays() {
        let (folder, pipe) = file("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        text(&["solve", "tictactoe", "--certificate", &pipe]);
        let read = reader.join().unwrap();
        let kind = fs::symlink_metadata(&pipe).unwrap().file_type();
        assert!(kind.is_fifo());
        let copy = folder.path().join("copy");
        fs::write(&copy, read).unwrap();
        text(&["verify", copy.to_str().unwrap()]);
    }

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let (folder, link) = file("link");
        let real = folder.path().join("real");
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        text(&["solve", "tictactoe", "--certificate", &link]);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        text(&["verify", real.to_str().unwrap()]);
    }

    #[test]
    fn a_value_is_told_even_if_its_certificate_cannot_be_written() {
        let full = run(&["solve", "tictactoe", "--certificate", "/dev/full", "--json"]);
        assert_eq!(full.status, 1);
        assert!(full.err.contains("cannot be written"), "{}", full.err);
        let told: Value = serde_json::from_str(&full.out).unwrap();
        assert_eq!(told["value"], json!("draw"));
        assert_eq!(told["certificate"], Value::Null);
        text(&["solve", "tictactoe", "--certificate", "/dev/null"]);
    }

    #[test]
    fn an_interruption_tells_how_far_it_came() {
        let (folder, path) = file("a.cert");
        let child = command(&["solve", "connect4:7x6", "--certificate", &path, "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The certificate is begun when an interruption is provided for.
        while fs::read_dir(folder.path()).unwrap().count() == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["value"], Value::Null);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// The stack of the search does not fit into so little address space.
    #[test]
    fn a_search_without_a_thread_ends_and_says_so() {
        let shell = format!(
            "ulimit -v 900000; exec {} solve tictactoe --method dfpn --memory 1M",
            command(&[]).get_program().to_str().unwrap()
        );
        let output = Command::new("sh").args(["-c", &shell]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("starts no thread"), "{error}");
    }
}

/// Hauk (2004): exact values of Dice; Schadd (2011): ChanceBreakthrough on small boards.
#[test]
fn games_with_chance_are_solved_to_fractions() {
    for (spec, value, exact) in [
        ("dice:3,k=3", 0.267007288740828, Some("392411/1469664")),
        (
            "dice:3,k=3,full=reroll",
            6079.0 / 17496.0,
            Some("6079/17496"),
        ),
        ("dice:3,k=2", 151.0 / 243.0, Some("151/243")),
        ("chancebreakthrough:2x4,filled=1", -0.024495442708333, None),
    ] {
        let told = json_of(&["solve", spec]);
        let found = told["value"].as_f64().unwrap();
        assert!((found - value).abs() < 1e-14, "{spec}: {found}");
        if let Some(exact) = exact {
            assert_eq!(told["exact"], exact, "{spec}");
        }
        assert_eq!(told["method"], "expectation");
    }
    let shown = text(&["solve", "dice:3,k=3"]);
    assert!(shown.contains("392411/1469664"), "{shown}");
    for option in [
        ["--method", "dfpn"],
        ["--goal", "win"],
        ["--depth", "3"],
        ["--certificate", "never-written.cert"],
    ] {
        let refused = refusal(&[&["solve", "dice:3,k=3"], &option[..]].concat());
        assert!(refused.contains("games without chance"), "{refused}");
    }
    let few = run(&["solve", "dice:3,k=3", "--memory", "10K"]);
    assert_eq!(few.status, 1);
    // 256 bytes each.
    for said in ["more than 40 positions", "--memory 10K", "--memory 20K"] {
        assert!(few.err.contains(said), "{said}: {}", few.err);
    }
}

/// Black wins Amazons on 4x4 (Müller 2001). The certificate names what it relies on, which no file
/// is needed for.
#[test]
fn amazons_is_certified_at_sight() {
    let (_folder, path) = file("amazons.cert");
    let told = json_of(&["solve", "amazons:4x4", "--certificate", &path]);
    assert_eq!(told["value"], "loss");
    let checked = json_of(&["verify", &path]);
    assert_eq!(
        (&checked["valid"], &checked["value"]),
        (&json!(true), &json!("loss"))
    );
    let sight = checked["tables"][0]["name"].as_str().unwrap();
    assert!(sight.starts_with("amazons:4x4") && sight.ends_with("/sight"));
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.contains(&format!("\ntable {sight} 1\n")));
}

/// Images of one another are searched once, and the certificate does not rely on it.
#[test]
fn symmetry_is_a_switch() {
    let (_folder, path) = file("a.cert");
    for spec in ["tictactoe", "breakthrough:3x5"] {
        let solve = |symmetry: &str| {
            let asked = ["solve", spec, "--method", "dfpn", "--threads", "1"];
            let told = ["--symmetry", symmetry, "--certificate", &path];
            let told = json_of(&[&asked[..], &told].concat());
            assert_eq!(json_of(&["verify", &path])["valid"], true, "{spec}");
            (told["value"].clone(), told["nodes"].as_u64().unwrap())
        };
        let ((once, fewer), (each, more)) = (solve("on"), solve("off"));
        assert_eq!(once, each);
        assert!(fewer < more, "{spec}: {fewer} {more}");
    }
    // A game without symmetries, and one without such a search.
    for spec in ["nim", "dice:3,k=3"] {
        refusal(&["solve", spec, "--symmetry", "on"]);
    }
}
