//! `tabia table` in games with chance: tables of probabilities.

use crate::support::{json as json_of, refusal, text};
use serde_json::json;

#[test]
fn bear_off_tables_are_built_counted_looked_up_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let tables = |words: &[&str]| json_of(&[&["table"], words, &["--tables", folder]].concat());
    let built = tables(&["build", "backgammon/2..4"]);
    assert_eq!(built["values"], json!("chance"));
    assert_eq!(built["tables"].as_array().unwrap().len(), 6);

    let counted = tables(&["stats", "backgammon/1-1"]);
    // A roll is three pips at least, so from the points 1, 2 and 3 the checker goes off. From the
    // others it may, so nobody is certain to lose.
    assert_eq!(counted["positions"], json!(36));
    assert_eq!(counted["win"], json!(18));
    assert_eq!(counted["open"], json!(18));
    assert_eq!(counted["loss"], json!(0));

    let position = ["--position", "6/6 w roll"];
    let probed = tables(&[&["probe", "backgammon"], &position[..]].concat());
    assert!((probed["chance"].as_f64().unwrap() - 13.0 / 16.0).abs() < 1e-9);
    assert_eq!(probed["slice"], json!("1-1"));
    assert_eq!(probed["moves"].as_array().unwrap().len(), 21);
    // All rolls but 11, 21, 31, 32 and 41 bear off.
    let sure = probed["moves"].as_array().unwrap().iter();
    assert_eq!(sure.filter(|roll| roll["chance"] == json!(1.0)).count(), 16);
    let words = ["table", "probe", "backgammon", "--tables", folder];
    let shown = text(&[&words[..], &position].concat());
    assert!(shown.contains("wins 81.2500 %"), "{shown}");

    let verified = tables(&["verify", "backgammon/2..4"]);
    assert_eq!(verified["valid"], json!(true));
    assert_eq!(verified["tables"][0]["values"], json!("chance"));
    text(&["table", "list", "--tables", folder]);
    assert!(text(&["table", "stats", "backgammon/1-1", "--tables", folder]).contains("OPEN"));
}

#[test]
fn what_tables_of_probabilities_cannot_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let refused = |words: &[&str]| refusal(&[&["table"], words, &["--tables", folder]].concat());
    let other = refused(&["build", "backgammon/1-1", "--values", "distance"]);
    assert!(other.contains("cannot keep 'distance'"), "{other}");
    let other = refused(&["build", "dao", "--values", "chance"]);
    assert!(other.contains("cannot keep 'chance'"), "{other}");
    let orbits = refused(&["build", "backgammon/1-1", "--symmetry", "orbits"]);
    assert!(orbits.contains("no use of symmetry"), "{orbits}");
    let contact = refused(&["probe", "backgammon"]);
    assert!(contact.contains("in no slice"), "{contact}");
    let cube = refused(&["build", "backgammon:cube=on/1-1"]);
    assert!(cube.contains("this game has no tables"), "{cube}");
    let missing = refused(&["stats", "backgammon/2-2"]);
    assert!(missing.contains("tabia table build"), "{missing}");
}
