//! The experiments through the command line.

use crate::support::{json, refusal, text};
use serde_json::json;

#[test]
fn lists_papers_and_experiments() {
    let list = json(&["reproduce"]);
    let told = text(&["reproduce"]);
    assert!(told.lines().all(|line| line.chars().count() <= 80));
    for experiment in list.as_array().unwrap() {
        for key in ["paper", "experiment", "title"] {
            assert!(told.contains(experiment[key].as_str().unwrap()));
        }
    }
}

/// Schadd (2011), sections 2.2, 2.3 and 2.5: every exact figure, through the command line.
#[test]
fn schadd_exact_figures_match() {
    for name in ["2.2", "2.3", "2.5"] {
        let reports = json(&["reproduce", "search-methods", name]);
        let report = &reports[0];
        assert_eq!(report["holds"], json!(true));
        for row in report["rows"].as_array().unwrap() {
            assert_eq!(row["matches"], json!(true), "{row}");
            assert_eq!(row["expected"], row["measured"], "{row}");
            let printed = row["origin"] == json!("printed");
            assert_eq!(row["printed"] == row["expected"], printed, "{row}");
        }
        let told = text(&["reproduce", "search-methods", name]);
        assert!(told.contains("equal") && !told.contains("DIFFERENT"));
    }
}

#[test]
fn a_seed_replays_an_experiment() {
    let rows =
        |seed| json(&["reproduce", "search-methods", "2.6", "--seed", seed])[0]["rows"].clone();
    assert_eq!(rows("7"), rows("7"));
    assert_ne!(rows("7"), rows("8"));
}

#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    assert!(refusal(&["reproduce", "--db", "x.db"]).contains("name a paper"));
    assert!(refusal(&["reproduce", "nobody"]).contains("relative-history"));
    assert!(refusal(&["reproduce", "relative-history", "99"]).contains("fig2"));
    assert!(refusal(&["reproduce", "search-methods", "--scale", "huge"]).contains("quick"));
}

/// Cells that were kept are not measured again, and the report is the same.
#[test]
fn an_experiment_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("cells.db");
    let db = db.to_str().unwrap();
    let reports = |more: &[&str]| {
        let args = [&["reproduce", "search-methods", "2.6", "--db", db], more].concat();
        json(&args)[0]["rows"].clone()
    };
    let first = reports(&[]);
    assert_eq!(first, reports(&["--resume"]));
    let store = tabia_lab::store::Store::open(db.as_ref()).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1, "the same run");
    assert_eq!((runs[0].cells, runs[0].finished.is_some()), (1, true));
    // Another seed is another run.
    assert_ne!(first, reports(&["--resume", "--seed", "9"]));
    assert_eq!(store.runs().unwrap().len(), 2);
}
