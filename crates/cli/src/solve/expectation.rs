//! `tabia solve` of a game with chance: what a position is worth on average, as a fraction where
//! that can be had.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabia_catalog::{Expectation, ExpectationError, Facet, Images, SolveError, SolveMethod};
use tabia_game::{Cancel, Limits, Player};

use super::{Arguments, INDENT, effort};
use crate::arguments::OpenedGame;
use crate::console::{Console, grouped};
use crate::failure::{Interrupted, bad_request};

/// The bytes that a position takes about, with its moves.
const BYTES_PER_POSITION: u64 = 256;
/// What the method is called.
const NAME: &str = "expectation";

/// A size as options take it.
fn bytes(size: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let unit = units
        .iter()
        .find(|(unit, _)| size.is_multiple_of(*unit) && size >= *unit);
    match unit {
        Some((unit, letter)) => format!("{}{letter}", size / unit),
        None => size.to_string(),
    }
}

struct Found {
    player: Player,
    value: Expectation,
    time: Duration,
}

pub fn run(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    spec: &str,
    cancel: Cancel,
) -> anyhow::Result<()> {
    let limits = arguments.budget.limits(cancel.clone());
    if let Some(option) = not_for_chance(arguments, &limits) {
        return Err(bad_request(format!(
            "{option} is for games without chance; the value of {spec} is an average"
        )));
    }
    let most = arguments.memory / BYTES_PER_POSITION;
    let started = Instant::now();
    let spinner = console.spinner(format!("solving {spec}"));
    let found = Facet::ExactValues
        .require(opened.game.exact_values())?
        .expectation(&opened.session.position(), most, &limits);
    spinner.finish_and_clear();
    let (player, value) = match found {
        Err(_) if cancel.is_cancelled() => return Err(Interrupted.into()),
        Err(SolveError::Expectation(ExpectationError::Memory(most))) => {
            let (memory, more) = (arguments.memory, arguments.memory.saturating_mul(2));
            anyhow::bail!(
                "more than {} positions can arise, which is what --memory {} has room for, {} \
                 bytes each; --memory {} has room for twice as many",
                grouped(most),
                bytes(memory),
                BYTES_PER_POSITION,
                bytes(more),
            );
        }
        found => found?,
    };
    let found = Found {
        player,
        value,
        time: started.elapsed(),
    };
    if console.json {
        Ok(console.print_json(&as_json(opened, spec, &found))?)
    } else {
        Ok(console.print(&as_text(console, opened, &found))?)
    }
}

/// The first option that means nothing where values are averages.
fn not_for_chance(arguments: &Arguments, limits: &Limits) -> Option<&'static str> {
    [
        ("--method", arguments.method != SolveMethod::Auto.word()),
        ("--goal", arguments.goal.is_some()),
        ("--tables", arguments.tables.is_some()),
        ("--certificate", arguments.certificate.is_some()),
        ("--symmetry", arguments.symmetry != Images::Auto.word()),
        ("--depth", limits.depth.is_some()),
    ]
    .into_iter()
    .find_map(|(option, given)| given.then_some(option))
}

fn as_json(opened: &OpenedGame, spec: &str, found: &Found) -> Value {
    let value = &found.value;
    json!({
        "game": spec,
        "position": opened.session.position(),
        "method": NAME,
        "player": opened.game.player_name(found.player),
        "value": value.value,
        "exact": value.exact.as_ref().map(ToString::to_string),
        "points": value.value * f64::from(opened.game.traits().max_payoff),
        "positions": value.positions,
        "cyclic": value.cyclic,
        "nodes": value.positions,
        "seconds": found.time.as_secs_f64(),
    })
}

fn as_text(console: &Console, opened: &OpenedGame, found: &Found) -> String {
    let value = &found.value;
    let name = opened.game.player_name(found.player);
    let mut lines = vec![
        ("position", opened.session.position()),
        ("value", format!("{:.9} for {name}", value.value)),
    ];
    if let Some(exact) = &value.exact {
        let text = exact.to_string();
        let fits = text.len() + INDENT <= console.width;
        let digits = format!("a fraction of {} digits; --json tells it", text.len());
        lines.push(("exactly", if fits { text } else { digits }));
    }
    let most = opened.game.traits().max_payoff;
    if most > 1 {
        let points = value.value * f64::from(most);
        lines.push(("points", format!("{points:.9} of {most}")));
    }
    let cycles = match value.cyclic {
        0 => "none of them can come again".to_string(),
        n => format!("{} can come again", grouped(n)),
    };
    let positions = format!("{}, {cycles}", grouped(value.positions));
    lines.push(("positions", positions));
    lines.push(("effort", effort(value.positions, found.time)));
    let mut text = console.board(&opened.session.picture()) + "\n";
    for (key, value) in lines {
        text += &format!("{key:<INDENT$}{value}\n");
    }
    text
}
