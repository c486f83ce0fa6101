//! Bad requests: status 2, and a message that says what would be right.

use crate::support::refusal;

#[test]
fn unknown_games_and_options() {
    assert!(refusal(&["show", "loaa"]).contains("did you mean 'loa'?"));
    for args in [["moves", "chess"], ["games", "chess"], ["play", ""]] {
        assert!(refusal(&args).contains("backgammon, breakthrough, "));
    }
    assert!(refusal(&["show", "loa:9x9"]).contains("draw|mover"));
    assert!(refusal(&["show", "mnk:q=3"]).contains("m=1..26"));
    assert!(refusal(&["show", "mnk:m=x"]).contains("1..26"));
    assert!(refusal(&["show", "mnk:m=3,m=4"]).contains("twice"));
    assert!(refusal(&["show", "tictactoe:5"]).contains("no options"));
}

#[test]
fn impossible_sizes() {
    assert!(refusal(&["show", "mnk:26,26,5"]).contains("too large"));
    assert!(refusal(&["show", "mnk:99999999999999999999,3,3"]).contains("1..26"));
    assert!(refusal(&["show", "connect4:26x26"]).contains("128"));
    assert!(refusal(&["show", "connect4:0x6"]).contains("1..26"));
    assert!(refusal(&["show", "connect4:7x6,k=20"]).contains("k is 20"));
    assert!(refusal(&["show", "breakthrough:8x3"]).contains("at least 4 ranks"));
    assert!(refusal(&["show", "breakthrough:-1x8"]).contains("2..26"));
}

#[test]
fn positions_and_moves() {
    assert!(refusal(&["show", "tictactoe", "--position", "zz"]).contains("x.o/.x./..o x"));
    assert!(refusal(&["show", "tictactoe", "--position", ""]).contains("row"));
    assert!(refusal(&["show", "loa", "--position", "é/∞"]).contains("A position is"));
    let dice = refusal(&["show", "backgammon", "--position", "6/5 w"]);
    let expected = "after the side on roll belongs what comes next: dice such as 31, or one of";
    assert!(dice.contains(expected) && dice.contains("'roll'"), "{dice}");
    let illegal = refusal(&["moves", "tictactoe", "--moves", "b2 b2"]);
    assert!(illegal.contains("move 2") && illegal.contains("legal are: a3"));
    let late = refusal(&["show", "tictactoe", "--moves", "a1 a2 b1 b2 c1 c2"]);
    assert!(late.contains("move 6: the game is over: X has won"));
}

#[test]
fn engines() {
    assert!(refusal(&["best", "loa", "--engine", "pvz"]).contains("did you mean 'pvs'?"));
    assert!(refusal(&["best", "loa", "--engine", "pvs:table=x"]).contains("'table'"));
    assert!(
        refusal(&["best", "loa", "--engine", "pvs:foo=1"])
            .contains("it takes depth, nodes, ms, time, method")
    );
    let near = refusal(&["best", "loa", "--engine", "pvs:histroy=on"]);
    assert!(near.contains("did you mean 'history'?"), "{near}");
    assert!(
        !near.contains("aspiration"),
        "the others are of no use: {near}"
    );
    let threads = ["best", "loa", "--engine", "random", "--threads", "2"];
    assert!(refusal(&threads).contains("does not use threads"));
    let over = ["best", "tictactoe", "--position", "xxx/oo./... o"];
    assert!(refusal(&over).contains("the game is over: X has won"));
}

#[test]
fn numbers() {
    for depth in ["0", "65", "-1", "x", "99999999999999999999"] {
        assert!(refusal(&["perft", "loa", &format!("--depth={depth}")]).contains("--depth"));
    }
    assert!(refusal(&["perft", "loa"]).contains("--depth"));
    assert!(refusal(&["perft", "loa", "--depth", "1", "--threads", "0"]).contains("--threads"));
    for time in ["0", "-1", "nan", "inf", "1e300", "soon"] {
        assert!(refusal(&["best", "loa", &format!("--time={time}")]).contains("seconds are"));
    }
    assert!(refusal(&["best", "loa", "--depth", "0"]).contains("--depth"));
    assert!(refusal(&["best", "loa", "--nodes", "0"]).contains("--nodes"));
}

#[test]
fn files() {
    assert!(refusal(&["show", "--record", "/no/such/file"]).contains("cannot be read"));
    assert!(refusal(&["show", "loa", "--svg", "/no/such/folder/a.svg"]).contains("no folder"));
    assert!(refusal(&["show", "loa", "--svg", "/"]).contains("is a folder"));
    assert!(refusal(&["show", "loa", "--svg", "-", "--json"]).contains("--svg"));
    assert!(refusal(&["play", "loa", "--save", "/no/such/folder/a"]).contains("no folder"));
    assert!(refusal(&["show"]).contains("GAME"));
    let folder = ["verify", "Cargo.toml", "--tables", "/no/such/folder"];
    assert!(refusal(&folder).contains("there is no folder of tables '/no/such/folder'"));
}

#[test]
fn seats() {
    for seat in ["3=human", "0=human", "x", "human", "=", "1"] {
        assert!(refusal(&["play", "loa", "--seat", seat]).contains("N from 1 to 2"));
    }
    let twice = ["play", "loa", "--seat", "1=human", "--seat", "1=human"];
    assert!(refusal(&twice).contains("given twice"));
    let unknown = refusal(&["play", "loa", "--seat", "2=deepblue"]);
    assert!(unknown.contains("seat 2") && unknown.contains("random"));
}

#[test]
fn commands() {
    assert!(refusal(&["shwo"]).contains("show"));
    assert!(refusal(&["show", "loa", "--positoin", "x"]).contains("--position"));
}

/// A device without an end is read up to a bound, which is told.
#[cfg(unix)]
#[test]
fn files_without_an_end() {
    let boards = ["solve", "samegame:2x2,colours=2", "--boards", "/dev/zero"];
    assert!(refusal(&boards).contains("longer than 256M"));
}
