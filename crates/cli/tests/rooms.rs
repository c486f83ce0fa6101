//! Tables of rooms of Amazons, from outside.

use crate::support::{json as json_of, refusal, run, text};
use serde_json::json;

#[test]
fn tables_of_rooms_are_built_counted_probed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for table in [
        "amazons/rooms:3x4",
        "amazons/territory:3x4,queens=2",
        "amazons/active:3x4",
        "amazons/active:4x3,values=canonical,size=7",
        "amazons/active:3x4,values=thermograph,size=6",
    ] {
        let built = json_of(&["table", "build", table, "--tables", folder]);
        assert_eq!(
            built["tables"].as_array().unwrap().last().unwrap()["built"],
            true
        );
        let verified = json_of(&["table", "verify", table, "--tables", folder]);
        assert_eq!(verified["valid"], true);
    }
    let again = json_of(&["table", "build", "amazons/active:3x4", "--tables", folder]);
    assert_eq!(again["tables"][1]["built"], false);
    assert_eq!(
        again["tables"][1]["table"],
        "active:3x4,values=minimax,size=12"
    );

    // Tegos (2002), tables 3.1, 5.1 and A.2: what fits into 4x5 with so few squares fits into 3x4.
    let rooms = json_of(&["table", "stats", "amazons/rooms:3x4", "--tables", folder]);
    assert_eq!(
        rooms["rows"][2],
        json!({ "size": 3, "rooms": 5, "alike": 3 })
    );
    let territories = json_of(&[
        "table",
        "stats",
        "amazons/territory:3x4,queens=2",
        "--tables",
        folder,
    ]);
    let first = &territories["rows"][0];
    assert_eq!(
        (&first["queens"], &first["size"], &first["defective"]),
        (&json!(1), &json!(3), &json!(2))
    );
    let active = json_of(&[
        "table",
        "stats",
        "amazons/active:3x4,values=canonical,size=7",
        "--tables",
        folder,
    ]);
    // The smallest *2 is in 3x4 with five empty squares (figure 7.1 of the thesis).
    let twos = active["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["star2"].as_u64().unwrap());
    assert_eq!(
        twos.map(|n| u64::from(n > 0)).collect::<Vec<_>>(),
        [0, 0, 0, 0, 0, 1]
    );

    let probe = [
        "table",
        "probe",
        "amazons/rooms:3x4",
        "--tables",
        folder,
        "--position",
        "X.O#.X#|######.",
    ];
    let found = json_of(&probe);
    let parts = found["parts"].as_array().unwrap();
    let of = |name: &str, value: serde_json::Value| {
        parts.iter().find(|part| part[name] == value).unwrap()
    };
    assert_eq!(of("value", json!("*"))["scores"], json!([1, -1]));
    assert_eq!(of("territory", json!(1))["value"], "1");
    assert!(text(&probe).contains("temperature  0"));

    // A file is verified by its name, too, and one that is damaged is told.
    let file = format!("{folder}/amazons/rooms-3x4.tbl");
    assert_eq!(json_of(&["table", "verify", &file])["valid"], true);
    assert!(text(&["table", "list", "--tables", folder]).contains("amazons/rooms:3x4"));
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let output = run(&["table", "verify", "amazons/rooms:3x4", "--tables", folder]);
    assert_eq!(output.status, 1);
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for (arguments, said) in [
        (&["build", "amazons/rooms:5x5"][..], "1 to 24 squares"),
        (
            &["build", "amazons/halls:4x4"],
            "rooms, territory and active",
        ),
        (&["build", "amazons/territory:4x5,queens=9"], "queens"),
        (
            &["build", "amazons/active:4x6,values=canonical"],
            "of memory",
        ),
        (
            &["stats", "amazons/active:3x3"],
            "'tabia table build amazons/active:3x3",
        ),
        (
            &["verify", "amazons/territory:3x3"],
            "'tabia table build amazons/territory:3x3",
        ),
        (&["probe", "amazons/rooms:3x3"], "--position"),
        (&["probe", "amazons/rooms:3x3", "--position", "X.Y"], "Y"),
        (
            &["probe", "amazons/rooms:3x3", "--position", "X.O"],
            "territory:3x3",
        ),
    ] {
        let arguments = [&["table"], arguments, &["--tables", folder]].concat();
        let message = refusal(&arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}
