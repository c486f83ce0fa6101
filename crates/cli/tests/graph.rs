//! `tabia graph`.

use crate::support::{json, refusal, text};
use serde_json::json;

/// Figures of Donkers et al. (2004, section 2).
#[test]
fn do_guti_is_told_in_full() {
    let all = [
        "degrees",
        "distances",
        "cycles",
        "steps",
        "classes",
        "random",
    ];
    let told = json(&[&["graph", "doguti"], &all[..], &["--games", "100"]].concat());
    let summary = &told["summary"];
    assert_eq!(summary["positions"], 30);
    assert_eq!(summary["classes"], 16);
    assert_eq!(summary["classes_with_exchange"], 9);
    assert_eq!(summary["reachable"], 15);
    assert_eq!(
        summary["terminal"],
        json!({ "wins": 0, "draws": 0, "losses": 1 })
    );
    assert_eq!(
        (&summary["value"], &summary["plies"]),
        (&json!("draw"), &json!(null))
    );
    assert_eq!(told["classes"].as_array().unwrap().len(), 16);
    let steps: Vec<_> = told["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (&s["wins"], &s["losses"]))
        .collect();
    assert_eq!(steps, [(&json!(0), &json!(1)), (&json!(2), &json!(0))]);
    let sum = |list: &serde_json::Value| {
        list.as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(sum(&told["distances"]["plain"]), 15);
    assert_eq!(sum(&told["degrees"]["incoming"]), 15);
    assert_eq!(sum(&told["random"]["lengths"]), 100);
    assert_eq!(
        told["cycles"]["none"], 1,
        "the class where somebody is blocked"
    );
}

#[test]
fn what_is_not_asked_for_is_null() {
    let told = json(&["graph", "doguti", "cycles"]);
    for word in ["degrees", "distances", "steps", "classes", "random"] {
        assert_eq!(told[word], json!(null));
    }
    assert!(told["cycles"].is_object());
}

/// Figures of Donkers et al. (2004, sections 4 and 6), and the deepest losses.
#[test]
fn dao_is_told_as_text() {
    let told = text(&["graph", "dao", "steps", "classes", "--step", "10"]);
    assert!(
        told.starts_with("dao: 900,900 positions in 113,028 classes, 56,757"),
        "{told}"
    );
    assert!(told.contains("110,867 classes can arise in play"), "{told}");
    assert!(told.contains("value of the start: draw"), "{told}");
    assert_eq!(told.matches("loss in 10 plies").count(), 2, "{told}");
}

#[test]
fn other_games_and_options_without_their_word_are_refused() {
    let error = refusal(&["graph", "loa"]);
    assert!(error.contains("dao, doguti, lgame"), "{error}");
    assert!(refusal(&["graph", "doa"]).contains("did you mean 'dao'?"));
    assert!(refusal(&["graph", "doguti", "--step", "1"]).contains("'classes'"));
    assert!(refusal(&["graph", "doguti", "classes", "--games", "1"]).contains("'random'"));
}
