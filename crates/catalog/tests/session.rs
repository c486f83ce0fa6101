//! Sessions and errors, as a front end sees them.

use tabia_catalog::{CatalogError, Session, open};
use tabia_game::{Limits, Player, Turn};

fn session(spec: &str) -> Box<dyn Session> {
    open(spec).unwrap().session(None).unwrap()
}

fn refusal(spec: &str) -> String {
    let error = open(spec).err().unwrap();
    assert!(error.is_bad_request());
    error.to_string()
}

#[test]
fn a_game_is_played_and_taken_back() {
    let mut session = session("tictactoe");
    let start = (session.position(), session.key());
    session.play_line("b2 a1 b3 a2 b1").unwrap();
    assert_eq!(session.turn(), Turn::Over);
    let ending = session.ending().unwrap();
    assert_eq!(
        (ending.payoffs, ending.text.as_str()),
        (vec![1, -1], "X has won")
    );
    assert!(session.moves().is_empty());
    assert_eq!(
        session.play("c3"),
        Err(CatalogError::Over("X has won".to_string()))
    );
    while session.undo() {}
    assert_eq!((session.position(), session.key()), start);
    assert_eq!(session.turn(), Turn::Player(Player::FIRST));
    assert!(session.history().is_empty());
}

#[test]
fn a_bad_move_of_a_line_is_named() {
    let error = session("tictactoe").play_line("b2 a1 b2").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("move 3: 'b2' is not a legal move"),
        "{error}"
    );
}

#[test]
fn bad_requests_list_what_would_be_right() {
    assert!(refusal("").contains("Known are: "));
    assert!(!refusal("fanarona").contains("Known are: "));
    assert!(refusal("tictactoe:3").contains("takes no options"));
    assert!(refusal("mnk:k=0").contains("1..192"));
    assert!(refusal("mnk:26,192,5").contains("too large"));
    assert!(refusal("mnk:2,2").contains("k is 3"));
    assert!(refusal("mnk:99999999999999999999").contains("1..26"));
    assert!(refusal("mnk:l=3").contains("it takes m=1..26"));
    let game = open("mnk").unwrap();
    let error = game.session(Some("xyz")).err().unwrap();
    assert!(error.to_string().contains("A position is rows"), "{error}");
    let error = game.engine("rendom").err().unwrap().to_string();
    assert!(error.contains("did you mean 'random'?"), "{error}");
    let error = game.engine("random:sead=1").err().unwrap().to_string();
    assert!(error.contains("did you mean 'seed'?"), "{error}");
}

#[test]
fn an_engine_serves_its_own_game_alone() {
    let (small, large) = (open("mnk:3,3,3").unwrap(), open("mnk:4,4,3").unwrap());
    let mut engine = small.engine("random").unwrap();
    let session = large.session(None).unwrap();
    let error = session.ask(&mut engine, &Limits::default()).unwrap_err();
    assert!(matches!(error, CatalogError::ForeignEngine(_)) && !error.is_bad_request());
}

#[test]
fn threads_count_the_same_leaves() {
    let mut session = session("mnk:4,3,3");
    session.play("b2").unwrap();
    for depth in 1..=6 {
        let count = |threads| session.perft(depth, threads, &Limits::default()).unwrap();
        assert_eq!(count(1), count(3), "depth {depth}");
    }
}

#[test]
fn perft_stops_when_it_is_told_to() {
    let limits = Limits::default();
    limits.cancel.cancel();
    for threads in [1, 2] {
        assert!(session("mnk:9,9,5").perft(12, threads, &limits).is_err());
    }
}

/// `time` is told in seconds and `ms` in milliseconds; the shorter of the two holds.
#[test]
fn engines_are_limited_in_seconds_and_in_milliseconds() {
    let game = open("tictactoe").unwrap();
    let time = |spec| game.engine(spec).unwrap().limits(&Limits::default()).time;
    let ms = |ms| Some(std::time::Duration::from_millis(ms));
    assert_eq!(time("pvs"), None);
    assert_eq!(time("pvs:time=0.25"), ms(250));
    assert_eq!(time("pvs:time=2,ms=300"), ms(300));
    assert_eq!(time("pvs:time=0.2,ms=300"), ms(200));
    assert_eq!(time("uct:time=1"), ms(1000));
}
