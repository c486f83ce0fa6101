//! `tabia verify`, on certificates written by hand and on damaged ones.

use std::fs;

use crate::support::{json as json_of, refusal, run, text};
use serde_json::{Value, json};

/// The example of the page on certificates.
const CORNER: &str = include_str!("../../../examples/certificates/corner.cert");

/// A file in a folder that goes away.
struct Kept {
    _folder: tempfile::TempDir,
    path: String,
}

fn keep(text: &[u8]) -> Kept {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.cert");
    fs::write(&path, text).unwrap();
    Kept {
        path: path.to_str().unwrap().to_string(),
        _folder: folder,
    }
}

/// The certificate with these lines and the right checksum.
fn sealed(lines: &[&str]) -> Kept {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let checksum = blake3::hash(text.as_bytes()).to_hex();
    keep(format!("{text}end {checksum}\n").as_bytes())
}

/// What is said of a file that is refused.
fn reason(kept: &Kept) -> String {
    let plain = run(&["verify", &kept.path]);
    assert_eq!((plain.status, plain.out.as_str()), (1, ""), "{}", plain.err);
    let told = run(&["verify", &kept.path, "--json"]);
    assert_eq!(told.status, 1);
    let value: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(value["valid"], json!(false));
    let reason = value["reason"].as_str().unwrap().to_string();
    assert!(plain.err.contains(&reason), "{}", plain.err);
    reason
}

const WIN: [&str; 6] = [
    "tabia certificate 1",
    "game tictactoe",
    "position xx./oo./... x",
    "value win",
    "strategy X win",
    "c3",
];

#[test]
fn a_valid_certificate() {
    let kept = sealed(&WIN);
    assert!(text(&["verify", &kept.path]).contains("proved: a win for the player to move"));
    let told = json_of(&["verify", &kept.path]);
    assert_eq!(
        told,
        json!({
            "file": kept.path,
            "kind": "certificate",
            "game": "tictactoe",
            "position": "xx./oo./... x",
            "value": "win",
            "goal": null,
            "entries": 1,
            "positions": 1,
            "tables": [],
            "valid": true,
            "reason": null,
        })
    );
}

#[test]
fn a_goal() {
    let lines = [&WIN[..3], &["goal X draw", "strategy X draw", "c3"]].concat();
    let told = json_of(&["verify", &sealed(&lines).path]);
    assert_eq!(told["value"], Value::Null);
    assert_eq!(told["goal"], json!({ "player": "X", "at_least": "draw" }));
}

#[test]
fn the_example_lists_a_move_for_each_of_its_positions() {
    let told = json_of(&["verify", &keep(CORNER.as_bytes()).path]);
    let moves = CORNER.lines().filter(|line| line.len() == 2).count();
    assert_eq!(told["entries"], json!(moves));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let with = |at: usize, line: &'static str| {
        let mut lines = WIN;
        lines[at] = line;
        reason(&sealed(&lines))
    };
    assert!(with(0, "tabia certificate 9").contains("version '9'"));
    assert!(with(0, "tabia certificate 1\r").contains("the lines end with CR LF"));
    let unknown = with(1, "game tiktaktoe");
    assert!(unknown.starts_with("line 2: there is no game"), "{unknown}");
    assert!(unknown.contains("did you mean 'tictactoe'?"));
    assert!(with(1, "game pig").starts_with("line 2: values of this game cannot be certified"));
    assert!(with(1, "game connect4").starts_with("line 3: the position is refused"));
    assert!(with(2, "position xxx/oo./... o").starts_with("line 3: the game is over"));
    assert!(with(3, "goal Z win").starts_with("line 4: the game has no player called 'Z'"));
    assert!(with(3, "value draw").contains("'strategy X draw' should be"));
    assert!(with(4, "strategy O win").contains("'strategy X win' should be"));
    assert!(with(5, "a3").starts_with("line 6: 'a3' is no legal move of xx1/oo1/3 x"));
    assert!(with(5, "a1").contains("the strategy has no move for"));
    let named = ["table tictactoe/all 00", "table tictactoe/none 00"];
    let tables = [&WIN[..4], &named, &WIN[4..]].concat();
    let missing = "line 5: the certificate relies on the table tictactoe/all, which is not at hand";
    assert!(reason(&sealed(&tables)).starts_with(missing));
    let surplus = [&WIN[..], &["a1"]].concat();
    assert!(reason(&sealed(&surplus)).starts_with("line 7: 'a1' is left over"));
    let damaged = CORNER.replacen("a2", "b2", 1);
    assert!(reason(&keep(damaged.as_bytes())).contains("checksum does not fit"));
    let cut = &CORNER.as_bytes()[..CORNER.len() - 20];
    assert!(reason(&keep(cut)).contains("breaks off"));
    assert!(reason(&keep(b"tabia certificate 1\n\xff\n")).contains("not a line of text"));
}

/// A certificate that names two tables, of which one is missing, another, or damaged.
#[test]
fn tables_are_told_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    text(&["table", "build", "fanorona:3x3/2..3", "--tables", tables]);
    let position = "position 1b1/3/ww1 w";
    let probed = json_of(&[
        "table",
        "probe",
        "fanorona:3x3",
        "--position",
        "1b1/3/ww1 w",
        "--tables",
        tables,
    ]);
    assert_eq!(probed["slice"], json!("2-1"));
    let head = [
        "tabia certificate 1",
        "game fanorona:3x3",
        position,
        "value win",
    ];
    let listed = json_of(&["table", "list", "--tables", tables]);
    let checksum = |slice: &str| {
        let all = listed.as_array().unwrap().iter();
        let table = all.clone().find(|table| table["slice"] == json!(slice));
        table.unwrap()["checksum"].as_str().unwrap().to_string()
    };
    let named = |slice: &str, checksum: &str| format!("table fanorona:3x3/{slice} {checksum}");
    let told = |lines: [String; 2]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let kept = sealed(&[&head[..], &lines[..], &["strategy White win"]].concat());
        let told = run(&["verify", &kept.path, "--tables", tables, "--json"]);
        let value: Value = serde_json::from_str(&told.out).unwrap();
        let reason = value["reason"].as_str().map(String::from);
        (told.status, reason.unwrap_or_default())
    };
    let right = || {
        [
            named("1-2", &checksum("1-2")),
            named("2-1", &checksum("2-1")),
        ]
    };
    // The position itself is in a table, so that no move is listed.
    assert_eq!(told(right()), (0, String::new()));
    let (status, missing) = told([named("1-2", &checksum("1-2")), named("2-2", "00")]);
    assert_eq!(status, 1);
    assert!(
        missing.starts_with(
            "line 6: the certificate relies on the table fanorona:3x3/2-2, which is not at hand"
        ),
        "{missing}"
    );
    let (_, other) = told([
        named("1-2", &checksum("2-1")),
        named("2-1", &checksum("2-1")),
    ]);
    assert!(
        other.starts_with("line 5: the table fanorona:3x3/1-2 is not the one"),
        "{other}"
    );
    let file = folder.path().join("fanorona-3x3/2-1.tbl");
    let mut bytes = fs::read(&file).unwrap();
    // Within the only block, which is looked into only when the position is.
    let middle = bytes.len() - 40 - 40 - 4;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (_, damaged) = told(right());
    assert!(
        damaged.starts_with(
            "line 6: the certificate relies on the table fanorona:3x3/2-1, which cannot be used: "
        ),
        "{damaged}"
    );
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (_, damaged) = told(right());
    assert!(damaged.starts_with("line 6: "), "{damaged}");
}

#[test]
fn what_is_neither_is_refused_with_an_object() {
    for bytes in [
        &b""[..],
        b"\x89PNG\r\n\x1a\n",
        b"players: loa\n",
        b"uabia certificate 1\n",
    ] {
        let reason = reason(&keep(bytes));
        assert!(reason.contains("neither a certificate"), "{reason}");
    }
    // A table with its header damaged, as the other command tells it.
    for command in [&["verify"][..], &["table", "verify"]] {
        let kept = keep(b"TABIATBL damaged");
        let told = run(&[command, &[&kept.path, "--json"]].concat());
        assert_eq!(told.status, 1);
        let value: Value = serde_json::from_str(&told.out).unwrap();
        assert_eq!(
            [&value["valid"], &value["game"]],
            [&json!(false), &json!(null)]
        );
        let reason = value["reason"].as_str().unwrap();
        assert!(reason.contains("is no sound table"), "{reason}");
    }
}

#[test]
fn what_cannot_be_read_is_a_bad_request() {
    assert!(refusal(&["verify", "/no/such/file"]).contains("cannot be read"));
    assert!(refusal(&["verify", "/"]).contains("cannot be read"));
    assert!(refusal(&["verify"]).contains("FILE"));
}

/// `certificates` holds what version 0.1.0 wrote before searches and tables took their present
/// form. The values are known elsewhere: Connect Four on 4x4 is drawn (Tromp), White wins Fanorona
/// on 3x3 (Schadd 2011, table 4.4), and the position of Dao is one of the deepest wins (Donkers et
/// al. 2004, figure 8).
#[test]
fn what_the_last_version_wrote_is_still_valid() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let verified = |name: &str| {
        let file = format!("{tests}/certificates/{name}");
        let told = json_of(&[
            "verify",
            &file,
            "--tables",
            &format!("{tests}/kinds/tables"),
        ]);
        assert_eq!(told["valid"], json!(true), "{told}");
        told
    };
    for (name, value, positions) in [
        ("connect4-drawn.cert", "draw", 4314),
        ("dao-won.cert", "win", 74),
        ("fanorona-by-tables.cert", "win", 7),
    ] {
        let told = verified(name);
        assert_eq!(told["value"], json!(value), "{name}");
        assert_eq!(told["positions"], json!(positions), "{name}");
    }
    let by_tables = verified("fanorona-by-tables.cert");
    let names = by_tables["tables"].as_array().unwrap().iter();
    let names: Vec<&Value> = names.map(|table| &table["name"]).collect();
    assert_eq!(names, ["fanorona:3x3/1-1", "fanorona:3x3/2-1"]);
    let goal = &verified("tictactoe-not-won.cert")["goal"];
    assert_eq!(goal, &json!({"player": "O", "at_least": "draw"}));
    let record = verified("sliding-solved.game");
    assert_eq!(
        (&record["kind"], &record["moves"]),
        (&json!("record"), &json!(22))
    );
}
