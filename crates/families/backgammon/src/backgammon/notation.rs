//! Moves as players write them: `8/5,6/5`, `bar/22*`, `24/18*/13`, `6/off(2)`.
//!
//! A play is written checker by checker, with the points it stops at only where it hits. Commas
//! stand where players leave a blank, since blanks stand between the moves of a game; both are
//! read. So are steps in any order, points passed on the way or left out, and missing stars, as
//! long as one legal play is meant.

use std::fmt::Write;

use tabia_game::TextError;
use tabia_game::text::shortened;

use super::board::{Board, POINTS};
use super::plays::{Play, Roll};

const BAR_POINT: u8 = POINTS as u8 + 1;
const OFF: u8 = 0;
/// The word for a player who cannot move.
pub(super) const PASS: &str = "pass";

/// One checker's way: where it starts, stops and ends, and on which of these it hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Way {
    stops: Vec<(u8, bool)>,
}

fn place_text(place: u8) -> String {
    match place {
        BAR_POINT => "bar".to_string(),
        OFF => "off".to_string(),
        point => point.to_string(),
    }
}

/// The ways of a play: steps joined where one goes on from where another ended.
fn ways(board: &Board, play: Play) -> Vec<Way> {
    let mut steps: Vec<(u8, u8, bool)> = Vec::new();
    let mut present = *board;
    for step in play.steps() {
        let bar = |board: &Board| board.sides()[1][POINTS];
        let next = present.after_step(step);
        steps.push((step.from, step.to, bar(&next) > bar(&present)));
        present = next;
    }
    let mut ways = Vec::new();
    while !steps.is_empty() {
        let (from, to, hit) = steps.remove(0);
        let mut stops = vec![(from, false), (to, hit)];
        let mut end = to;
        while let Some(next) = steps.iter().position(|step| step.0 == end && end != OFF) {
            let (_, to, hit) = steps.remove(next);
            stops.push((to, hit));
            end = to;
        }
        ways.push(Way { stops });
    }
    ways
}

/// Points on which a play hits, ascending.
fn hits(ways: &[Way]) -> Vec<u8> {
    let all = ways.iter().flat_map(|way| &way.stops);
    let mut hits: Vec<u8> = all.filter(|stop| stop.1).map(|stop| stop.0).collect();
    hits.sort_unstable();
    hits.dedup();
    hits
}

/// A play with a mark between its parts.
pub(super) fn play_text(board: &Board, play: Play, between: char) -> String {
    if play.is_none() {
        return PASS.to_string();
    }
    let mut written: Vec<(String, u32)> = Vec::new();
    for way in ways(board, play) {
        let mut text = String::new();
        let last = way.stops.len() - 1;
        for (i, &(place, hit)) in way.stops.iter().enumerate() {
            if i == 0 || i == last || hit {
                let star = if hit { "*" } else { "" };
                let slash = if i == 0 { "" } else { "/" };
                let _ = write!(text, "{slash}{}{star}", place_text(place));
            }
        }
        match written.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => written.push((text, 1)),
        }
    }
    let mut line = String::new();
    for (i, (text, count)) in written.iter().enumerate() {
        if i > 0 {
            line.push(between);
        }
        line += text;
        if *count > 1 {
            let _ = write!(line, "({count})");
        }
    }
    line
}

/// What a way changes: one checker fewer at its start, one more at its end.
fn net(ways: &[Way]) -> [i8; POINTS + 2] {
    let mut net = [0; POINTS + 2];
    for way in ways {
        if let (Some(first), Some(last)) = (way.stops.first(), way.stops.last()) {
            net[usize::from(first.0)] -= 1;
            net[usize::from(last.0)] += 1;
        }
    }
    net
}

/// Reads a legal play.
pub(super) fn parse_play(board: &Board, roll: Roll, text: &str) -> Result<Play, TextError> {
    let mut plays = Vec::new();
    board.plays(roll, &mut plays);
    let lower = text.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c == ',' || c == '-' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect();
    if matches!(words[..], [PASS] | ["cannot", "move"] | ["no", "play"]) {
        let [high, low] = roll.dice();
        return match plays[..] {
            [none] if none.is_none() => Ok(none),
            _ => Err(TextError::new(format!(
                "{high}{low} can be played, so it must be"
            ))),
        };
    }
    let written = parse_ways(&words).map_err(|reason| {
        TextError::new(format!(
            "'{}' is not a play such as '8/5,6/5', 'bar/22*', '6/off(2)' or 'pass': {reason}",
            shortened(text)
        ))
    })?;
    let (wanted, marked) = (net(&written), hits(&written));
    let mut possible: Vec<(Play, Vec<u8>)> = Vec::new();
    for &play in &plays {
        let ways = ways(board, play);
        let hits = hits(&ways);
        if net(&ways) == wanted && marked.iter().all(|point| hits.contains(point)) {
            possible.push((play, hits));
        }
    }
    // Several differ in what is hit on the way: then exactly what is marked counts.
    if possible.len() > 1 && possible.iter().any(|(_, hits)| *hits == marked) {
        possible.retain(|(_, hits)| *hits == marked);
    }
    match &possible[..] {
        [(play, _)] => Ok(*play),
        [] => Err(refusal(board, roll, text, &plays)),
        [(one, _), (other, _), ..] => Err(TextError::new(format!(
            "'{}' may be {} or {}",
            shortened(text),
            play_text(board, *one, ','),
            play_text(board, *other, ',')
        ))),
    }
}

fn refusal(board: &Board, roll: Roll, text: &str, plays: &[Play]) -> TextError {
    const SHOWN: usize = 40;
    let texts = plays.iter().take(SHOWN);
    let mut legal: Vec<String> = texts.map(|&play| play_text(board, play, ',')).collect();
    if plays.len() > SHOWN {
        legal.push(format!("and {} more", plays.len() - SHOWN));
    }
    let [high, low] = roll.dice();
    TextError::new(format!(
        "'{}' is not a legal play of {high}{low} here; legal are: {}",
        shortened(text),
        legal.join(" ")
    ))
}

fn parse_ways(words: &[&str]) -> Result<Vec<Way>, String> {
    const MAX_PLAYS: usize = 4;
    let mut ways = Vec::new();
    for word in words {
        let (stops, count) = match word.strip_suffix(')') {
            Some(counted) => {
                let (stops, count) = counted.split_once('(').ok_or("a lonely ')'")?;
                let count = count.parse().ok().filter(|n| (1..=MAX_PLAYS).contains(n));
                (stops, count.ok_or("from one to four checkers move")?)
            }
            None => (*word, 1),
        };
        let mut way = Way::default();
        for stop in stops.split('/') {
            let (name, hit) = match stop.strip_suffix('*') {
                Some(name) => (name, true),
                None => (stop, false),
            };
            way.stops.push((parse_place(name)?, hit));
        }
        if way.stops.len() < 2 || way.stops.len() > MAX_PLAYS + 1 {
            return Err(format!("'{}' is no way of a checker", shortened(word)));
        }
        ways.extend(std::iter::repeat_n(way, count));
        if ways.len() > MAX_PLAYS {
            return Err("more than four checkers move".to_string());
        }
    }
    if ways.is_empty() {
        return Err("it is empty".to_string());
    }
    Ok(ways)
}

fn parse_place(name: &str) -> Result<u8, String> {
    match name {
        "bar" => return Ok(BAR_POINT),
        "off" => return Ok(OFF),
        _ => {}
    }
    let digits = name.bytes().all(|b| b.is_ascii_digit());
    name.parse()
        .ok()
        .filter(|point| digits && (OFF..=BAR_POINT).contains(point))
        .ok_or_else(|| format!("'{}' is no point from 1 to 24, bar or off", shortened(name)))
}

/// Reads two dice such as `31`.
pub(super) fn parse_roll(text: &str) -> Option<Roll> {
    match *text.trim().as_bytes() {
        [first @ b'1'..=b'6', second @ b'1'..=b'6'] => Roll::thrown(first - b'0', second - b'0'),
        _ => None,
    }
}

pub(super) fn roll_text(roll: Roll) -> String {
    let [first, second] = roll.dice();
    format!("{first}{second}")
}
