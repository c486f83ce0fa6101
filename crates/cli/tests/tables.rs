//! `tabia table`: what was published comes out, and no kill leaves anything that is not right.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rand::RngExt;
use serde_json::{Value, json};
use support::{command, json as json_of, refusal, run, text};

fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_string();
    (folder, path)
}

/// The table files of a game, by name.
fn files(folder: &str, game: &str) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(Path::new(folder).join(game)) else {
        return BTreeMap::new();
    };
    entries
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            (name, std::fs::read(path).unwrap())
        })
        .filter(|(name, _)| name != ".lock")
        .collect()
}

/// Schadd (2011, table 4.3): classes of positions, mover first; won, drawn and lost.
#[test]
fn schadd_table_4_3_up_to_three_pieces() {
    let (_kept, folder) = folder();
    text(&[
        "table",
        "build",
        "fanorona:5x9/2..3",
        "--values",
        "wdl",
        "--tables",
        &folder,
    ]);
    for (slice, win, draw, loss) in [
        ("1-1", 158, 334, 26),
        ("2-1", 10_366, 398, 6),
        ("1-2", 717, 3_231, 6_822),
    ] {
        let target = format!("fanorona:5x9/{slice}");
        let counted = json_of(&[
            "table",
            "stats",
            &target,
            "--symmetry",
            "thesis",
            "--tables",
            &folder,
        ]);
        let expected = json!({
            "game": "fanorona:5x9",
            "slice": slice,
            "symmetry": "thesis",
            "positions": win + draw + loss,
            "win": win,
            "draw": draw,
            "loss": loss,
            "max_plies": null,
        });
        assert_eq!(counted, expected);
    }
    // With the classes that the thesis leaves out, and all 45 * 44 placements of two pieces.
    let orbits = |slice: &str| {
        let target = format!("fanorona/{slice}");
        json_of(&[
            "table",
            "stats",
            &target,
            "--symmetry",
            "orbits",
            "--tables",
            &folder,
        ])
    };
    let [win, draw, loss] = ["win", "draw", "loss"].map(|key| orbits("1-2")[key].clone());
    assert_eq!([win, draw, loss], [json!(717), json!(3_237), json!(6_830)]);
    let all = json_of(&["table", "stats", "fanorona/1-1", "--tables", &folder]);
    let [win, draw, loss] = ["win", "draw", "loss"].map(|key| all[key].clone());
    assert_eq!([win, draw, loss], [json!(592), json!(1_288), json!(100)]);

    let verified = json_of(&["table", "verify", "fanorona:5x9/2..3", "--tables", &folder]);
    assert_eq!(verified["valid"], json!(true));
    assert_eq!(verified["tables"].as_array().unwrap().len(), 3);
    let listed = json_of(&["table", "list", "--tables", &folder]);
    let slices: Vec<&Value> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|t| &t["slice"])
        .collect();
    assert_eq!(slices, ["1-1", "1-2", "2-1"]);
}

#[test]
fn small_slices_need_no_table() {
    let (_kept, folder) = folder();
    let target = "fanorona:3x5/2..3";
    let solved = json_of(&["table", "stats", target, "--tables", &folder]);
    let built = [
        "table", "build", target, "--values", "distance", "--tables", &folder,
    ];
    text(&built);
    assert_eq!(
        json_of(&["table", "stats", target, "--tables", &folder]),
        solved
    );
    assert!(solved["slices"][2]["max_plies"].as_u64().unwrap() > 2);
}

/// A position has the value of its best move, by the same table and by the rules.
#[test]
fn positions_are_looked_up() {
    let (_kept, folder) = folder();
    let game = "fanorona:3x3";
    text(&[
        "table", "build", game, "--values", "distance", "--tables", &folder,
    ]);
    let probed = json_of(&["table", "probe", game, "--tables", &folder]);
    // White wins in 11 plies (Schadd 2011, table 4.4, for the winner).
    assert_eq!(probed["value"], json!("win"));
    assert_eq!(probed["plies"], json!(11));
    assert_eq!(probed["slice"], json!("4-4"));
    let best = &probed["moves"][0];
    assert_eq!(
        [&best["value"], &best["plies"]],
        [&json!("win"), &json!(11)]
    );
    assert_eq!(probed["moves"].as_array().unwrap().len(), 4);

    let shown = text(&["table", "probe", game, "--tables", &folder]);
    assert!(shown.contains("White to move: win in 11 plies"), "{shown}");
}

#[test]
fn bad_requests_are_refused() {
    let (_kept, folder) = folder();
    let refused = |args: &[&str]| refusal(&[args, &["--tables", &folder]].concat());
    assert!(
        refused(&["table", "build", "connect4"])
            .contains("this game has no tables; these have: dao")
    );
    assert!(
        refused(&["table", "build", "fanorona:5x9/0-7"])
            .contains("'0-7' names no slice; there are 1-1")
    );
    assert!(
        refused(&["table", "stats", "fanorona:5x9/4-4"])
            .contains("'tabia table build fanorona:5x9/4-4' builds it")
    );
    assert!(
        refused(&["table", "verify", "fanorona:5x9/1-1"]).contains("the table of 1-1 is not there")
    );
    assert!(
        refused(&["table", "probe", "fanorona:5x9"]).contains("the table of 22-22 is not there")
    );
    let much = refused(&["table", "build", "fanorona:5x9/2..6", "--memory", "1M"]);
    assert!(
        much.contains("of memory, and 1048576 bytes may be used"),
        "{much}"
    );
    let none = refusal(&["table", "list", "--tables", "/nowhere"]);
    assert!(none.contains("there are no tables in '/nowhere'"), "{none}");
}

#[test]
fn damage_is_told_and_mended() {
    let (_kept, folder) = folder();
    let target = "fanorona:3x5/2..3";
    let build = ["table", "build", target, "--tables", &folder];
    text(&build);
    let sound = files(&folder, "fanorona-3x5");
    let file = Path::new(&folder).join("fanorona-3x5/2-1.tbl");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&file, bytes).unwrap();
    let told = run(&["table", "verify", file.to_str().unwrap()]);
    assert_eq!(told.status, 1, "{}", told.err);
    assert!(
        told.err.contains("2-1.tbl' is no sound table: "),
        "{}",
        told.err
    );
    text(&build);
    assert_eq!(files(&folder, "fanorona-3x5"), sound);
}

/// Twenty kills at moments of chance, then the same command once more.
#[test]
fn a_build_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    let target = "fanorona:3x7/2..5";
    let (_whole, whole) = folder();
    let begun = std::time::Instant::now();
    text(&["table", "build", target, "--tables", &whole]);
    let once = begun.elapsed();
    let whole = files(&whole, "fanorona-3x7");
    assert_eq!(whole.len(), 10);

    let (_kept, folder) = folder();
    let args = ["table", "build", target, "--tables", &folder];
    let mut rng = tabia_game::Seed::new(2011).rng();
    for _ in 0..20 {
        let mut child = command(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(
            once.mul_f64(rng.random_range(0.0..0.6))
                .max(Duration::from_millis(1)),
        );
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in files(&folder, "fanorona-3x7") {
            let is_temporary = name.starts_with('.') && name.ends_with(".part");
            assert!(is_temporary || whole.get(&name) == Some(&bytes), "{name}");
        }
    }
    text(&args);
    assert_eq!(files(&folder, "fanorona-3x7"), whole);
}
