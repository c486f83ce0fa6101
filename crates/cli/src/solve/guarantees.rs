//! `tabia solve` of a game for many players: what each of them can force against all others
//! together.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabia_catalog::{Facet, Guarantee, Images, Means, SolveMethod};
use tabia_game::{Cancel, Limits};

use super::{Arguments, INDENT, beyond, effort};
use crate::arguments::OpenedGame;
use crate::console::{Console, grouped};
use crate::failure::{Interrupted, bad_request};

/// What the method is called.
const NAME: &str = "paranoid";

pub fn run(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    spec: &str,
    cancel: Cancel,
) -> anyhow::Result<()> {
    let limits = arguments.budget.limits(cancel.clone());
    if let Some(option) = not_for_many(arguments, &limits) {
        return Err(bad_request(format!(
            "{option} is for games of two; what is found of {spec} is what each player can force \
             against all others"
        )));
    }
    let means = Means {
        memory: arguments.memory,
        threads: arguments.threads.number(),
        limits: &limits,
    };
    let started = Instant::now();
    let spinner = console.spinner(format!("solving {spec}"));
    let found = Facet::Guarantees
        .require(opened.game.guarantees())?
        .guarantees(&opened.session.position(), &means, &mut |what, count| {
            spinner.set_message(format!("{what}: {}", grouped(count)));
        });
    spinner.finish_and_clear();
    let found = found?;
    let time = started.elapsed();
    if console.json {
        console.print_json(&as_json(opened, spec, &found, time))?;
    } else {
        console.print(&as_text(console, opened, &found, time))?;
    }
    if found.iter().all(Guarantee::is_solved) {
        return Ok(());
    }
    if cancel.is_cancelled() {
        return Err(Interrupted.into());
    }
    anyhow::bail!("{}", beyond(&limits))
}

/// The first option that means nothing here.
fn not_for_many(arguments: &Arguments, limits: &Limits) -> Option<&'static str> {
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

fn nodes(found: &[Guarantee]) -> u64 {
    found.iter().map(|guarantee| guarantee.nodes).sum()
}

fn as_json(opened: &OpenedGame, spec: &str, found: &[Guarantee], time: Duration) -> Value {
    let players: Vec<Value> = found
        .iter()
        .map(|guarantee| {
            json!({
                "player": opened.game.player_name(guarantee.player),
                "at_least": guarantee.at_least,
                "at_most": guarantee.at_most,
                "nodes": guarantee.nodes,
            })
        })
        .collect();
    json!({
        "game": spec,
        "position": opened.session.position(),
        "method": NAME,
        "players": players,
        "nodes": nodes(found),
        "seconds": time.as_secs_f64(),
    })
}

fn as_text(console: &Console, opened: &OpenedGame, found: &[Guarantee], time: Duration) -> String {
    let mut text = console.board(&opened.session.picture()) + "\n";
    text += &format!("{:<INDENT$}{}\n", "position", opened.session.position());
    text += "what everybody can force against all others together:\n";
    for guarantee in found {
        let name = opened.game.player_name(guarantee.player);
        let value = match guarantee.is_solved() {
            true => guarantee.at_least.to_string(),
            false => format!("from {} to {}", guarantee.at_least, guarantee.at_most),
        };
        text += &format!("{name:<INDENT$}{value}\n");
    }
    text + &format!("{:<INDENT$}{}\n", "effort", effort(nodes(found), time))
}
