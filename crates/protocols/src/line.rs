//! The line protocol, version 1: what is said to a program, and how its answers are read.
//!
//! It is made for programs that have no rules of their own: every question carries the position,
//! the moves that led to it and the legal moves. In games with hidden information these are what
//! the player has observed, never the state. The words are told in `docs/protocol.md`.
//!
//! Questions and answers have no numbers, so an answer must not be there before its question: a
//! program that speaks unasked is at fault. A late answer cannot be taken for the next one either,
//! because a program that was given up is killed.

use std::time::Duration;

use tabia_game::text::shortened;
use tabia_game::{Cancel, Seed, Turn};
use tabia_registry::Session;
use tabia_registry::player::{Fault, ParticipantReply, Request};

use crate::process::{Process, Wait};

/// How long a program may take to begin.
pub const PATIENCE_AT_START: Duration = Duration::from_secs(10);
/// Remarks that may come with one answer.
const REMARKS: usize = 10_000;

/// Tells the program what will be played, waits until it is ready, and returns what it says of its
/// name and version.
pub fn greet(
    process: &mut Process,
    game_spec: &str,
    patience: Duration,
) -> Result<Option<String>, Fault> {
    process.send(&format!("tabia 1 {game_spec}"))?;
    let wait = Wait::new(patience, Cancel::default());
    let mut remarks = 0;
    loop {
        let line = process.receive(&wait)?;
        match understand(&line)? {
            Said::Remark => count(&mut remarks)?,
            Said::Ready(version) => return Ok(version),
            Said::Move(_) => return Err(unasked(&line)),
        }
    }
}

/// Begins a game.
pub fn begin(process: &Process, luck: Seed) -> Result<(), Fault> {
    process.send(&format!("new {}", luck.value()))
}

/// Asks for a move.
pub fn ask(
    process: &mut Process,
    session: &dyn Session,
    request: &Request,
) -> Result<ParticipantReply, Fault> {
    let wait = Wait::new(request.patience, request.limits.cancel.clone());
    let Turn::Player(player) = session.turn() else {
        return Err(Fault::NoMove);
    };
    let mut remarks = 0;
    while let Some(line) = process.overhear()? {
        match understand(&line)? {
            Said::Remark => count(&mut remarks)?,
            Said::Ready(_) | Said::Move(_) => return Err(unasked(&line)),
        }
    }
    // Nothing but what this player has observed, which is everything where nothing is hidden.
    let observed = session.observed(player);
    process.send(&format!("position {}", observed.position))?;
    process.send(&with_words("history", &observed.history))?;
    process.send(&with_words("legal", &session.moves()))?;
    process.send(&go(player.index() + 1, request))?;
    loop {
        let line = process.receive(&wait)?;
        match understand(&line)? {
            Said::Remark => count(&mut remarks)?,
            Said::Move(reply) => return Ok(reply),
            Said::Ready(_) => return Err(unasked(&line)),
        }
    }
}

/// Says goodbye.
pub fn part(process: Process) {
    // Whether it hears or not, it is about to end.
    let _ = process.send("quit");
    process.part();
}

fn with_words(key: &str, words: &[String]) -> String {
    let mut line = key.to_string();
    for word in words {
        line.push(' ');
        line.push_str(word);
    }
    line
}

fn go(seat: usize, request: &Request) -> String {
    let limits = &request.limits;
    let mut line = format!("go seat={seat}");
    let mut add = |key: &str, number: Option<u128>| {
        if let Some(number) = number {
            line.push_str(&format!(" {key}={number}"));
        }
    };
    add("depth", limits.depth.map(u128::from));
    add("nodes", limits.nodes.map(u128::from));
    add("playouts", limits.playouts.map(u128::from));
    // Less than a millisecond is not no time at all.
    add("ms", limits.time.map(|time| time.as_millis().max(1)));
    add("left", request.clock.map(|clock| clock.time.as_millis()));
    add(
        "increment",
        request.clock.map(|clock| clock.increment.as_millis()),
    );
    line
}

/// What a line of the program means.
#[derive(Debug, PartialEq)]
pub enum Said {
    /// Nothing that concerns the game.
    Remark,
    /// With the name and version of the program, if it tells them.
    Ready(Option<String>),
    /// Its choice.
    Move(ParticipantReply),
}

/// Reads a line of the program.
pub fn understand(line: &str) -> Result<Said, Fault> {
    let mut words = line.split_whitespace();
    match words.next() {
        None | Some("info") => Ok(Said::Remark),
        Some(word) if word.starts_with('#') => Ok(Said::Remark),
        Some("ready") => Ok(Said::Ready(
            Some(rest(words)).filter(|text| !text.is_empty()),
        )),
        Some("error") => Err(Fault::Refused(rest(words))),
        Some("move") => {
            let mv = words.next().ok_or(Fault::NoMove)?.to_string();
            let remarks = remarks_on_move(words);
            let (nodes, value) = remarks.ok_or_else(|| garbage(line))?;
            Ok(Said::Move(ParticipantReply { mv, nodes, value }))
        }
        Some(_) => Err(garbage(line)),
    }
}

fn rest<'a>(words: impl Iterator<Item = &'a str>) -> String {
    shortened(&words.collect::<Vec<_>>().join(" "))
}

/// Reads `nodes=N` and `value=X`, each at most once.
fn remarks_on_move<'a>(words: impl Iterator<Item = &'a str>) -> Option<(Option<u64>, Option<f64>)> {
    let (mut nodes, mut value) = (None, None);
    for word in words {
        match word.split_once('=')? {
            ("nodes", number) if nodes.is_none() => nodes = Some(number.parse().ok()?),
            ("value", number) if value.is_none() => {
                let number = number.parse().ok();
                value = Some(number.filter(|x| (-1.0..=1.0).contains(x))?);
            }
            _ => return None,
        }
    }
    Some((nodes, value))
}

fn count(remarks: &mut usize) -> Result<(), Fault> {
    *remarks += 1;
    if *remarks > REMARKS {
        return Err(Fault::Garbage(format!(
            "more than {REMARKS} lines without a move"
        )));
    }
    Ok(())
}

fn garbage(line: &str) -> Fault {
    Fault::Garbage(format!("'{}'", shortened(line)))
}

fn unasked(line: &str) -> Fault {
    Fault::Garbage(format!("'{}' without being asked", shortened(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia_game::Limits;
    use tabia_registry::player::Remaining;

    fn moved(mv: &str, nodes: Option<u64>, value: Option<f64>) -> Result<Said, Fault> {
        let mv = mv.to_string();
        Ok(Said::Move(ParticipantReply { mv, nodes, value }))
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(understand("move b2"), moved("b2", None, None));
        assert_eq!(
            understand("move  b2xc3\tvalue=-0.25 nodes=12"),
            moved("b2xc3", Some(12), Some(-0.25))
        );
        for remark in ["", "info depth 3", "# thinking", "#", "info"] {
            assert_eq!(understand(remark), Ok(Said::Remark), "{remark}");
        }
        assert_eq!(understand("ready"), Ok(Said::Ready(None)));
        let version = Some("Bot 1.0".to_string());
        assert_eq!(understand("ready Bot 1.0"), Ok(Said::Ready(version)));
        assert_eq!(understand("move"), Err(Fault::NoMove));
        assert_eq!(
            understand("error I only know chess"),
            Err(Fault::Refused("I only know chess".to_string()))
        );
    }

    #[test]
    fn anything_else_is_garbage() {
        for line in [
            "b2",
            "Move b2",
            "moves b2",
            "bestmove b2",
            "information",
            "move b2 c3",
            "move b2 nodes=-1",
            "move b2 nodes=1 nodes=1",
            "move b2 nodes=99999999999999999999",
            "move b2 value=1.01",
            "move b2 value=NaN",
            "move b2 depth=3",
        ] {
            assert_eq!(understand(line), Err(Fault::Garbage(format!("'{line}'"))));
        }
    }

    #[test]
    fn limits_and_clocks_are_told() {
        let mut request = Request {
            limits: Limits::default(),
            clock: None,
            patience: Duration::from_secs(1),
        };
        assert_eq!(go(2, &request), "go seat=2");
        request.limits.depth = Some(3);
        request.limits.nodes = Some(u64::MAX);
        request.limits.playouts = Some(7);
        request.limits.time = Some(Duration::from_micros(10));
        request.clock = Some(Remaining {
            time: Duration::from_secs(60),
            increment: Duration::ZERO,
        });
        assert_eq!(
            go(1, &request),
            "go seat=1 depth=3 nodes=18446744073709551615 playouts=7 ms=1 left=60000 increment=0"
        );
    }

    #[test]
    fn a_program_that_never_begins_is_given_up() {
        let script = "import time; time.sleep(600)";
        let arguments = ["-c".to_string(), script.to_string()];
        let mut process = Process::start("python3", &arguments).expect("python3 is needed");
        let fault = greet(&mut process, "tictactoe", Duration::from_millis(100));
        assert_eq!(fault, Err(Fault::Hung("nothing within 100 ms".to_string())));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(
            line in "(move|ready|error|info)( ?[a-z0-9.]{0,8}){0,2}\
                     ( (nodes|value)=[0-9.-]{0,4})?|.{0,90}",
        ) {
            if let Ok(Said::Move(reply)) = understand(&line) {
                prop_assert!(line.trim_start().starts_with("move ") && line.contains(&reply.mv));
                prop_assert!(!reply.mv.contains(char::is_whitespace));
            }
        }
    }
}
