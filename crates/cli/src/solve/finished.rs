//! `tabia solve` of a finished game: its result, without a search.

use serde_json::{Value, json};
use tabia_catalog::{CatalogError, GameEnd};
use tabia_game::{Payoff, Player, Wdl};

use super::{Arguments, INDENT};
use crate::arguments::OpenedGame;
use crate::console::Console;

/// What the method is called.
const NAME: &str = "over";

pub fn run(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    spec: &str,
    ending: GameEnd,
) -> anyhow::Result<()> {
    // There is no line to write, nothing to certify, and nobody to move who might want something.
    let asked = [
        arguments.goal.is_some(),
        arguments.certificate.is_some(),
        arguments.solution.is_some(),
    ];
    if asked.contains(&true) {
        return Err(CatalogError::Over(ending.text).into());
    }
    if console.json {
        console.print_json(&as_json(opened, spec, &ending))?;
    } else {
        let mut text = console.board(&opened.session.picture()) + "\n";
        for (key, value) in [
            ("position", opened.session.position()),
            ("method", format!("{NAME}, nothing is left to solve")),
            ("value", ending.text),
        ] {
            text += &format!("{key:<INDENT$}{value}\n");
        }
        console.print(&text)?;
    }
    Ok(())
}

/// The fields that games of this kind have; values are those of the first player.
fn as_json(opened: &OpenedGame, spec: &str, ending: &GameEnd) -> Value {
    let name = |player: usize| opened.game.player_name(Player(player as u8));
    let first = ending.payoffs.first().copied().unwrap_or_default();
    let mut told = json!({
        "game": spec,
        "position": opened.session.position(),
        "nodes": 0,
        "seconds": 0.0,
    });
    let own = if opened.game.lines().is_some() {
        json!({
            "engine": null,
            "value": first,
            "proved": true,
            "most": first,
            "line": [],
            "finished": true,
            "stats": {},
            "solution": null,
        })
    } else if opened.game.exact_values().is_some() {
        let most = opened.game.traits().max_payoff;
        json!({
            "method": NAME,
            "player": name(0),
            "value": f64::from(first) / f64::from(most),
            "exact": fraction(first, most),
            "points": f64::from(first),
            "positions": 1,
            "cyclic": 0,
        })
    } else if opened.game.guarantees().is_some() {
        let players = ending.payoffs.iter().enumerate().map(|(player, payoff)| {
            json!({
                "player": name(player),
                "at_least": payoff,
                "at_most": payoff,
                "nodes": 0,
            })
        });
        json!({ "method": NAME, "players": players.collect::<Vec<Value>>() })
    } else {
        let value = Wdl::of_payoff(first).word();
        json!({
            "method": NAME,
            "goal": null,
            "status": null,
            "player": name(0),
            "value": value,
            "lower": value,
            "upper": value,
            "plies": 0,
            "move": null,
            "line": [],
            "proof": null,
            "goals": [],
            "tables": [],
            "certificate": null,
        })
    };
    if let (Value::Object(told), Value::Object(own)) = (&mut told, own) {
        told.extend(own);
    }
    told
}

/// A share of the largest payoff as a fraction in lowest terms.
fn fraction(payoff: Payoff, most: Payoff) -> String {
    let (mut a, mut b) = (payoff.unsigned_abs(), most.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = i64::from(a.max(1));
    let (over, under) = (i64::from(payoff) / divisor, i64::from(most) / divisor);
    match under {
        1 => over.to_string(),
        _ => format!("{over}/{under}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(fraction(-1, 1), "-1");
        assert_eq!(fraction(0, 3), "0");
        assert_eq!(fraction(2, 6), "1/3");
        assert_eq!(fraction(-4, 6), "-2/3");
    }
}
