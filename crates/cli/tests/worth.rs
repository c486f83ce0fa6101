//! Values in the units of the games.

use crate::support::{json, text};
use serde_json::Value;

fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap();
    list.iter().map(|n| n.as_f64().unwrap()).collect()
}

/// Every trick goes to somebody: what the players get adds up to the tricks there are.
#[test]
fn everybody_is_told_their_tricks() {
    let spec = "spades:players=3,cards=4,open=on,count=tricks";
    let engine = ["--engine", "maxn", "--depth", "12"];
    let best = json(&[&["best", spec], &engine[..]].concat());
    assert_eq!(
        (&best["solved"], &best["unit"]),
        (&true.into(), &"tricks".into())
    );
    assert!(best["outcome"].is_null(), "nobody wins: {best}");
    let payoffs = numbers(&best["payoffs"]);
    assert_eq!(payoffs.len(), 3);
    assert_eq!(payoffs.iter().sum::<f64>(), 4.0);
    assert!(
        payoffs.iter().all(|tricks| tricks.fract() == 0.0),
        "{payoffs:?}"
    );
    assert_eq!(best["payoff"], payoffs[0]);
    let told = text(&[&["best", spec], &engine[..]].concat());
    let value = told.lines().find(|line| line.starts_with("value")).unwrap();
    assert!(
        value.contains(" trick") && !value.contains("draw"),
        "{told}"
    );
    let each = told.lines().find(|line| line.starts_with("each")).unwrap();
    assert_eq!(each.matches("trick").count(), 3, "{told}");
}

/// The other player of two has lost what the one has won.
#[test]
fn two_players_get_what_the_other_does_not() {
    let best = json(&["best", "othello:4,score=pieces", "--engine", "pvs"]);
    let payoffs = numbers(&best["payoffs"]);
    assert_eq!(payoffs[0], -payoffs[1]);
    // The second player wins on 4x4 by 11 to 3, with two squares empty (Wikipedia, "Computer
    // Othello").
    assert_eq!((payoffs[0], &best["unit"]), (-8.0, &"discs".into()));
    assert_eq!(best["outcome"], "loss");
    let told = text(&["best", "othello:4,score=pieces", "--engine", "pvs"]);
    assert!(told.contains("value     -8 discs for Black\n"), "{told}");
}

#[test]
fn backgammon_speaks_of_equity() {
    let position = ["--position", "6/5 w roll"];
    let best = ["best", "backgammon", "--moves", "61", "--depth", "1"];
    let told = text(&[&best[..], &position[..]].concat());
    assert!(told.contains("equity +"), "{told}");
}

/// A margin over all others is no payoff.
#[test]
fn margins_are_told_as_such() {
    let best = ["best", "rolit:3,side=4,score=pieces", "--depth", "2"];
    let paranoid = json(&[&best[..], &["--engine", "paranoid"]].concat());
    assert!(paranoid["payoff"].is_null() && paranoid["payoffs"].is_null());
    assert!(!paranoid["value"].is_null());
    let told = text(&[&best[..], &["--engine", "paranoid"]].concat());
    assert!(told.contains("of the largest margin for Red"), "{told}");
    let own = json(&[&best[..], &["--engine", "paranoid:leaf=own"]].concat());
    assert_eq!(own["unit"], "balls");
    assert!(own["payoff"].as_f64().unwrap() >= 0.0);
}

#[test]
fn monte_carlo_tells_visits_and_no_depth() {
    let best = ["best", "connect4", "--engine", "uct", "--playouts", "500"];
    let told = text(&best);
    let visits = told
        .lines()
        .find(|line| line.starts_with("visits"))
        .unwrap();
    assert!(visits.ends_with(" of 500"), "{told}");
    assert!(!told.contains("\ndepth"), "{told}");
    let lines = json(&[&best[..], &["--lines", "7"]].concat());
    assert!(lines["engine"].as_str().unwrap().starts_with("mcts:"));
    let lines = lines["lines"].as_array().unwrap();
    let visits: Vec<u64> = lines
        .iter()
        .map(|l| l["visits"].as_u64().unwrap())
        .collect();
    assert!(visits.is_sorted_by(|a, b| a >= b), "{visits:?}");
    // The root itself is visited before it has children.
    assert!(
        (480..=500).contains(&visits.iter().sum::<u64>()),
        "{visits:?}"
    );
    let searched = json(&["best", "connect4", "--depth", "3"]);
    assert!(searched["visits"].is_null());
}
