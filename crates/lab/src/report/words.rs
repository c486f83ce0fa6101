//! Plans in words, and the commands that play them again.

use serde_json::Value;
use tabia_registry::grouped;

use crate::export::StoredRun;
use crate::matches::{MatchPlan, Opening};
use crate::player::Entrant;
use crate::referee::Terms;
use crate::store::RunKind;
use crate::tournament;

/// A setting: what it is, and its value in words.
pub type SettingText = (String, String);

/// Everything a run was told, in words.
pub fn settings(stored: &StoredRun, plan: Option<&MatchPlan>) -> Vec<SettingText> {
    match (plan, stored.run.kind) {
        (Some(plan), _) => of_match(plan),
        (None, RunKind::Tournament) => tournament::TournamentPlan::from_json(&stored.run.plan)
            .map_or_else(|_| of_value(&stored.run.plan), |plan| of_tournament(&plan)),
        (None, _) => of_value(&stored.run.plan),
    }
}

fn of_tournament(plan: &tournament::TournamentPlan) -> Vec<SettingText> {
    let word = |value: serde_json::Result<Value>| match value {
        Ok(Value::String(word)) => word.replace('-', " "),
        other => other.unwrap_or_default().to_string(),
    };
    let rules = &plan.rules;
    let tie_breaks: Vec<&str> = rules.tie_breaks.iter().map(|t| t.name()).collect();
    let tie_breaks = match tie_breaks.is_empty() {
        true => "none".to_string(),
        false => tie_breaks.join(", "),
    };
    let mut all = vec![
        ("game", plan.game.clone()),
        ("format", word(serde_json::to_value(plan.format))),
        ("scoring", rules.scoring.to_string()),
        ("tie-breaks", tie_breaks),
        (
            "a place is shared by equal",
            word(serde_json::to_value(rules.places)),
        ),
        ("a bye is worth", tournament::show_points(rules.bye)),
        (
            "a bye counts as an opponent as",
            word(serde_json::to_value(rules.bye_opponent)),
        ),
        ("games of a pair", plan.rules.games.to_string()),
    ];
    all.extend(
        plan.final_games
            .map(|games| ("games of the final", games.to_string())),
    );
    all.extend(plan.rounds.map(|rounds| ("rounds", rounds.to_string())));
    all.push(("games begin with", plan.opening.describe()));
    let mut all: Vec<SettingText> = all
        .into_iter()
        .map(|(name, value)| (name.to_string(), value))
        .collect();
    all.extend(of_terms(&plan.terms));
    all.push(("seed".to_string(), plan.seed.to_string()));
    all
}

fn of_match(plan: &MatchPlan) -> Vec<SettingText> {
    let mut all = vec![
        ("game".to_string(), plan.game.clone()),
        ("games at most".to_string(), grouped(plan.games)),
        (
            "pairing".to_string(),
            match plan.paired {
                true => "every opening with the same luck in all seatings",
                false => "every game has an opening and luck of its own",
            }
            .to_string(),
        ),
        ("games begin with".to_string(), plan.opening.describe()),
    ];
    all.extend(of_terms(&plan.terms));
    let test = plan.sprt.map(|test| test.to_string());
    all.push((
        "sequential test".to_string(),
        test.unwrap_or_else(|| "none".to_string()),
    ));
    all.push(("seed".to_string(), plan.seed.to_string()));
    all
}

fn of_terms(terms: &Terms) -> Vec<SettingText> {
    let Terms {
        depth,
        nodes,
        playouts,
        ms,
        game_nodes,
        game_ms,
        increment_ms,
        margin_ms,
        patience_ms,
        plies,
        luck: _,
    } = *terms;
    let limits = [
        depth.map(|n| format!("{n} plies deep")),
        nodes.map(|n| format!("{} nodes", grouped(n))),
        playouts.map(|n| format!("{} playouts", grouped(n))),
        ms.map(|n| format!("{} s", seconds(n))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let whole = [
        game_nodes.map(|n| format!("{} nodes", grouped(n))),
        game_ms.map(|n| {
            format!(
                "{} s and {} s more for each move",
                seconds(n),
                seconds(increment_ms)
            )
        }),
    ];
    let whole: Vec<String> = whole.into_iter().flatten().collect();
    let or = |limits: Vec<String>, none: String| match limits.is_empty() {
        true => none,
        false => limits.join(", "),
    };
    let default = format!(
        "none but those of the players; {} nodes for a player without any",
        grouped(Terms::DEFAULT_NODES)
    );
    vec![
        ("limits of a move".to_string(), or(limits, default)),
        (
            "limits of a game".to_string(),
            or(whole, "none".to_string()),
        ),
        (
            "a draw after".to_string(),
            format!("{} plies", grouped(plies.into())),
        ),
        (
            "time may be overstepped by".to_string(),
            format!("{} s", seconds(margin_ms)),
        ),
        (
            "without a limit on time an answer is awaited for".to_string(),
            format!("{} s", seconds(patience_ms)),
        ),
    ]
}

/// Milliseconds as seconds, exactly.
fn seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A plan of another kind, field by field.
fn of_value(plan: &Value) -> Vec<SettingText> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match plan {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| (key.replace('_', " "), text(value));
            fields.iter().map(field).collect()
        }
        other => vec![("plan".to_string(), text(other))],
    }
}

/// The command that plays a match anew. Openings from a file are named `FILE`: the plan holds the
/// openings themselves, not where they came from.
pub fn command(plan: &MatchPlan) -> String {
    let mut words = vec!["tabia".to_string(), "match".to_string(), plan.game.clone()];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    for entrant in &plan.players {
        option("player", entrant_text(entrant));
    }
    option("games", plan.games.to_string());
    option(
        "opening",
        match &plan.opening {
            Opening::Start => "start".to_string(),
            Opening::Random(plies) => format!("random:{plies}"),
            Opening::File(_) => "file:FILE".to_string(),
            Opening::Book(_) => "book:FILE".to_string(),
        },
    );
    let (terms, usual) = (&plan.terms, Terms::default());
    let clock = terms.game_ms.map(|base| match terms.increment_ms {
        0 => seconds(base),
        more => format!("{}+{}", seconds(base), seconds(more)),
    });
    let changed = |value: u64, usual: u64| (value != usual).then_some(value);
    let options = [
        ("depth", terms.depth.map(|n| n.to_string())),
        ("nodes", terms.nodes.map(|n| n.to_string())),
        ("playouts", terms.playouts.map(|n| n.to_string())),
        ("time", terms.ms.map(seconds)),
        ("clock", clock),
        ("game-nodes", terms.game_nodes.map(|n| n.to_string())),
        (
            "plies",
            changed(terms.plies.into(), usual.plies.into()).map(|n| n.to_string()),
        ),
        (
            "margin",
            changed(terms.margin_ms, usual.margin_ms).map(|n| n.to_string()),
        ),
        (
            "patience",
            changed(terms.patience_ms, usual.patience_ms).map(seconds),
        ),
        ("sprt", plan.sprt.map(|test| test.to_string())),
        ("seed", Some(plan.seed.to_string())),
    ];
    for (name, value) in options {
        if let Some(value) = value {
            option(name, value);
        }
    }
    if plan.paired {
        words.push("--paired".to_string());
    }
    quoted(&words)
}

/// As it is read by [`Entrant::parse`], which gives a player without a name its spec as one.
fn entrant_text(entrant: &Entrant) -> String {
    let named = format!("{}={}", entrant.name, entrant.spec);
    match Entrant::parse(&named) == *entrant {
        true if entrant.name != entrant.spec => named,
        _ => entrant.spec.clone(),
    }
}

/// Words as a shell reads them.
pub fn quoted<S: AsRef<str>>(words: &[S]) -> String {
    let word = |word: &S| {
        let quoted = shlex::try_quote(word.as_ref());
        // What no shell can read holds a zero byte.
        quoted.map_or_else(|_| "?".to_string(), |word| word.into_owned())
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}
