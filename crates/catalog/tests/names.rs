//! A wrong name is answered with the nearest right one.
use tabia_catalog::{entry, open};

#[test]
fn guesses_only_what_is_near() {
    let error = |name| entry(name).unwrap_err().to_string();
    let near = error("fanarona");
    assert!(
        near.starts_with("there is no game 'fanarona'; did you mean 'fanorona'?\nKnown are: "),
        "{near}"
    );
    assert!(error("TicTacToe").contains("did you mean 'tictactoe'?"));
    assert!(error("tic").contains("did you mean 'tictactoe'?"));
    assert!(error("monopoly").starts_with("there is no game 'monopoly'\n"));
    assert!(error("").starts_with("there is no game ''\n"));
    let engine = open("loa")
        .unwrap()
        .engine("mai")
        .err()
        .unwrap()
        .to_string();
    assert!(engine.contains("did you mean 'mia'?"), "{engine}");
}
