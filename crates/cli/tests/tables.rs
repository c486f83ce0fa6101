//! `tabia table`: what was published comes out, and no kill leaves anything that is not right.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{command, json as json_of, refusal, run, text};
use rand::RngExt;
use serde_json::{Value, json};

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

/// Along a line, every move is worth what the position after it is worth to the opponent, one ply
/// later; wins come first, the soonest before the others, and losses last, the soonest at the end.
#[test]
fn moves_are_worth_what_they_lead_to() {
    let (_kept, folder) = folder();
    let game = "fanorona:3x3";
    text(&[
        "table", "build", game, "--values", "distance", "--tables", &folder,
    ]);
    let probe = |line: &str| {
        let probed = run(&[
            "table", "probe", game, "--moves", line, "--tables", &folder, "--json",
        ]);
        (probed.status == 0)
            .then(|| serde_json::from_str::<serde_json::Value>(&probed.out).unwrap())
    };
    let mut line = String::new();
    let (mut over, mut orders) = (0, 0);
    while let Some(probed) = probe(&line) {
        let moves = probed["moves"].as_array().unwrap();
        let rank = |mv: &serde_json::Value| {
            let plies = mv["plies"].as_i64().unwrap_or(0);
            match mv["value"].as_str().unwrap() {
                "win" => (0, plies),
                "draw" => (1, 0),
                _ => (2, -plies),
            }
        };
        assert!(moves.is_sorted_by_key(rank), "{line}: {moves:?}");
        orders += usize::from(rank(&moves[0]) != rank(&moves[moves.len() - 1]));
        for key in ["value", "plies"] {
            assert_eq!(probed[key], moves[0][key], "{line}");
        }
        for mv in moves {
            let after = format!("{line} {}", mv["move"].as_str().unwrap());
            let Some(after) = probe(&after) else {
                over += 1;
                assert_eq!((&mv["value"], &mv["plies"]), (&json!("win"), &json!(1)));
                continue;
            };
            let opposite = match after["value"].as_str().unwrap() {
                "win" => "loss",
                "draw" => "draw",
                _ => "win",
            };
            let later = after["plies"].as_u64().map(|plies| plies + 1);
            assert_eq!(
                (&mv["value"], &mv["plies"]),
                (&json!(opposite), &json!(later))
            );
        }
        line += &format!(" {}", moves[moves.len() - 1]["move"].as_str().unwrap());
    }
    assert!(
        over > 0 && orders > 1,
        "{over} moves end the game, {orders} positions differ"
    );
    let other = refusal(&["table", "probe", "fanorona:3x3/1-1", "--tables", &folder]);
    assert!(other.contains("slice 4-4, which was not named"), "{other}");
}

/// Dao has 113,028 classes of 900,900 positions (Donkers et al. 2004, section 4.1).
#[test]
fn one_entry_for_each_class() {
    let (_kept, folder) = folder();
    let build = |symmetry: &str| {
        json_of(&[
            "table",
            "build",
            "dao",
            "--symmetry",
            symmetry,
            "--tables",
            &folder,
        ])
    };
    let reduced = &build("orbits")["tables"][0];
    assert_eq!(reduced["symmetry"], json!("orbits"));
    assert_eq!(reduced["positions"], json!(113_028));
    assert_eq!(build("none")["tables"][0]["built"], json!(false));
    let verified = json_of(&["table", "verify", "dao", "--tables", &folder]);
    assert_eq!(verified["tables"][0]["symmetry"], json!("orbits"));
    let listed = json_of(&["table", "list", "--tables", &folder]);
    assert_eq!(listed[0]["symmetry"], json!("orbits"));
    let (_kept, nothing) = self::folder();
    for counted in ["none", "orbits"] {
        let stats = |tables: &str| {
            json_of(&[
                "table",
                "stats",
                "dao",
                "--symmetry",
                counted,
                "--tables",
                tables,
            ])
        };
        assert_eq!(stats(&folder), stats(&nothing), "{counted}");
    }
}

/// Search and certificate rely on classes as they do on positions.
#[test]
fn solving_with_one_entry_for_each_class() {
    let (_kept, folder) = folder();
    let target = "fanorona:3x5/2..6";
    text(&[
        "table",
        "build",
        target,
        "--symmetry",
        "orbits",
        "--tables",
        &folder,
    ]);
    let certificate = format!("{folder}/proof.cert");
    let game = "fanorona:3x5";
    let solved = json_of(&[
        "solve",
        game,
        "--method",
        "dfpn",
        "--tables",
        &folder,
        "--certificate",
        &certificate,
    ]);
    let known = json_of(&["solve", game, "--method", "retrograde"]);
    assert_eq!(solved["value"], known["value"]);
    assert!(!solved["tables"].as_array().unwrap().is_empty());
    let checked = json_of(&["verify", &certificate, "--tables", &folder]);
    assert_eq!(checked["valid"], json!(true));
}

#[test]
fn bad_requests_are_refused() {
    let (_kept, folder) = folder();
    let refused = |args: &[&str]| refusal(&[args, &["--tables", &folder]].concat());
    let none = refused(&["table", "build", "connect4"]);
    let others = "this game has no tables; these have, on boards of 64 points at most: ";
    assert!(none.contains(others) && none.contains(" dao, "), "{none}");
    assert!(refused(&["table", "build", "fanorona:9x9/1-1"]).contains("boards of 64 points"));
    assert!(
        refused(&["table", "build", "fanorona:5"]).contains("which is ROWSxCOLUMNS, each 3..25")
    );
    assert!(
        refused(&["table", "build", "fanorona:5x9/0-7"])
            .contains("'0-7' names no slice; there are 1-1")
    );
    assert!(
        refused(&["table", "stats", "fanorona:5x9/4-4"]).contains(&format!(
            "'tabia table build fanorona:5x9/4-4 --tables {folder}' builds it"
        ))
    );
    assert!(
        refused(&["table", "verify", "fanorona:5x9/1-1"]).contains("the table of 1-1 is not there")
    );
    assert!(
        refused(&["table", "probe", "fanorona:5x9"]).contains("the table of 22-22 is not there")
    );
    let much = refused(&["table", "build", "fanorona:5x9/2..6", "--memory", "1M"]);
    assert!(
        much.contains("of memory, and 1.0 MiB may be used; those of 2..3 would fit"),
        "{much}"
    );
    let all = refused(&["table", "build", "fanorona:5x9"]);
    assert!(all.contains("take more than 16 EiB of memory"), "{all}");
    for memory in ["10T", "1.5G", "0"] {
        let units = refused(&["table", "build", "dao", "--memory", memory]);
        assert!(units.contains("of K, M or G"), "{units}");
    }
    let over = refused(&["table", "probe", "fanorona:3x3", "--position", "3/3/w2 b"]);
    assert!(
        over.contains("the game is over: there is nothing to look up"),
        "{over}"
    );
    let gone = refused(&["table", "verify", "nothere.tbl"]);
    assert!(gone.contains("there is no file 'nothere.tbl'"), "{gone}");
    let into_file = "/dev/null";
    let not_a_folder = run(&["table", "build", "lgame", "--tables", into_file]).err;
    assert_eq!(
        not_a_folder.matches("Not a directory").count(),
        1,
        "{not_a_folder}"
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
    let rebuilt = json_of(&build);
    let table = |slice: &str| {
        let all = rebuilt["tables"].as_array().unwrap();
        all.iter()
            .find(|table| table["slice"] == json!(slice))
            .unwrap()
    };
    assert_eq!(table("1-1")["reason"], json!(null));
    let reason = table("2-1")["reason"].as_str().unwrap();
    assert!(reason.contains("2-1.tbl' is no sound table: "), "{reason}");
    assert_eq!(table("2-1")["built"], json!(true));
    assert_eq!(rebuilt["positions"], json!(2 * 15 * 14 * 13 / 2));
    assert_eq!(files(&folder, "fanorona-3x5"), sound);

    // A block that cannot be read is found although the plan does not look at it.
    let mut bytes = std::fs::read(&file).unwrap();
    let block = bytes.len() - 40 - 40 - 4;
    bytes[block] ^= 4;
    std::fs::write(&file, &bytes).unwrap();
    let told = text(&build);
    assert!(told.contains("everything is there"), "{told}");
    let told = told.replace("\n  ", " ");
    assert!(told.contains("1-2,2-1 was built again: "), "{told}");
    assert_eq!(files(&folder, "fanorona-3x5"), sound);
}

/// A table under the name of another is named, and gives way.
#[test]
fn strays_are_named_and_replaced() {
    let (_kept, folder) = folder();
    let build = ["table", "build", "fanorona:3x5/2..3", "--tables", &folder];
    text(&build);
    let sound = files(&folder, "fanorona-3x5");
    let at = |name: &str| Path::new(&folder).join("fanorona-3x5").join(name);
    std::fs::copy(at("2-1.tbl"), at("1-2.tbl")).unwrap();
    std::fs::copy(at("2-1.tbl"), at("copy of 2-1.tbl")).unwrap();
    let listed = text(&["table", "list", "--tables", &folder]).replace("\n  ", " ");
    for name in ["1-2.tbl", "copy of 2-1.tbl"] {
        let named = format!("{name}' is the table fanorona:3x5/2-1, but does not lie");
        assert!(listed.contains(&named), "{listed}");
    }
    assert_eq!(listed.matches("distance").count(), 2, "{listed}");
    let told = text(&build).replace("\n  ", " ");
    assert!(
        told.contains("1-2.tbl' does not fit: it is the table of 2-1, not of 1-2"),
        "{told}"
    );
    std::fs::remove_file(at("copy of 2-1.tbl")).unwrap();
    assert_eq!(files(&folder, "fanorona-3x5"), sound);
}

#[test]
fn a_verification_takes_its_memory_or_is_refused() {
    let (_kept, folder) = folder();
    text(&["table", "build", "fanorona:3x5/2..3", "--tables", &folder]);
    let verify = |memory: &str| {
        run(&[
            "table",
            "verify",
            "fanorona:3x5/2..3",
            "--tables",
            &folder,
            "--memory",
            memory,
        ])
    };
    // 1-1, 1-2 and 2-1 have 15 * 14 + 2 * 15 * 14 * 13 / 2 entries of two bytes.
    assert_eq!(verify("5880").status, 0);
    let refused = verify("5879");
    assert_eq!(refused.status, 2);
    let told = "the tables of 1-2,2-1 take 5.7 KiB of memory, and 5.7 KiB may be used";
    assert!(refused.err.contains(told), "{}", refused.err);
}

/// A table is verified where it lies; another folder is not believed to be its own.
#[test]
fn the_folder_named_is_that_of_the_file() {
    let (_kept, folder) = folder();
    let (_other, other) = self::folder();
    text(&["table", "build", "fanorona:3x5/1-1", "--tables", &folder]);
    let file = format!("{folder}/fanorona-3x5/1-1.tbl");
    for command in [&["verify"][..], &["table", "verify"]] {
        text(&[command, &[&file, "--tables", &folder]].concat());
        text(&[command, &[&file]].concat());
        let refused = refusal(&[command, &[&file, "--tables", &other]].concat());
        assert!(refused.contains("does not lie in the folder"), "{refused}");
    }
    std::fs::create_dir(format!("{folder}/fanorona-3x5/1-2.tbl")).unwrap();
    let listed = text(&["table", "list", "--tables", &folder]);
    assert!(
        listed.contains("1-2.tbl' cannot be opened: is a directory"),
        "{listed}"
    );
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
