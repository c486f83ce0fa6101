//! A wrong name is answered with the nearest right one.
use tabia_catalog::{entry, full_spec, open, printed_spec};

#[test]
fn guesses_only_what_is_near() {
    let error = |name| entry(name).unwrap_err().to_string();
    let near = error("fanarona");
    // Whoever is told the right name need not read all others.
    assert_eq!(
        near,
        "there is no game 'fanarona'; did you mean 'fanorona'?"
    );
    assert!(error("TicTacToe").contains("did you mean 'tictactoe'?"));
    assert!(error("tic").contains("did you mean 'tictactoe'?"));
    assert!(error("monopoly").starts_with("there is no game 'monopoly'\nKnown are: amazons, "));
    assert!(error("").starts_with("there is no game ''\n"));
    let engine = open("loa")
        .unwrap()
        .engine("mai")
        .err()
        .unwrap()
        .to_string();
    assert!(engine.contains("did you mean 'mia'?"), "{engine}");
}

/// Tables and certificates are named by full specs: an option that came later does not change those
/// that there are.
#[test]
fn later_options_are_left_out_at_their_default() {
    let full = |spec: &str| full_spec(spec).unwrap();
    assert_eq!(full("fanorona"), "fanorona:5x9");
    assert_eq!(full("fanorona:3x7,exchanged=off"), "fanorona:3x7");
    assert_eq!(full("fanorona:3x7,exchanged=on"), "fanorona:3x7,on");
    assert_eq!(full(&full("fanorona:3x7,exchanged=on")), "fanorona:3x7,on");
    assert_eq!(full("backgammon"), "backgammon:0,off,off,on");
}

#[test]
fn specs_are_printed_with_their_keys() {
    let printed = |spec: &str| printed_spec(spec).unwrap();
    assert_eq!(
        printed("samegame:5x4,3,seed=2"),
        "samegame:5x4,colours=3,score=standard,bonus=1000,penalty=on,seed=2"
    );
    assert_eq!(printed("loa"), "loa:draw");
    assert_eq!(printed("tictactoe"), "tictactoe");
    for spec in ["samegame", "hearts", "fanorona:3x5,exchanged=on"] {
        assert_eq!(full_spec(&printed(spec)), full_spec(spec));
    }
}
