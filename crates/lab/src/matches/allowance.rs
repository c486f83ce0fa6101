//! What every player may spend on a move, in words, and whether that is a fair comparison.
//!
//! A node is a position for a search and a move of a simulated game for a Monte-Carlo engine, so
//! the same number of nodes is not the same work. Only time is the same for everybody.

use serde::Serialize;
use tabia_game::Limits;
use tabia_game::options::split_spec;
use tabia_registry::{AnyGame, grouped};

use crate::player::Entrant;
use crate::referee::Terms;

/// What a player counts as nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// Positions that a search visits.
    Positions,
    /// Moves of simulated games.
    Playouts,
    /// Nothing: no limit means anything to it.
    Nothing,
    /// Whatever a program counts.
    Unknown,
}

/// What a player may spend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Allowance {
    /// The name of the player.
    pub name: String,
    /// What it counts as nodes.
    pub counts: Counting,
    /// Its limits in words.
    pub limits: String,
    /// Whether nodes are all that limits it.
    #[serde(skip)]
    by_nodes: bool,
}

/// What each of some players may spend under these terms.
pub fn allowances(game: &dyn AnyGame, terms: &Terms, entrants: &[Entrant]) -> Vec<Allowance> {
    let allowance = |entrant: &Entrant| {
        let asked = Limits {
            depth: terms.depth,
            nodes: terms.nodes,
            playouts: terms.playouts,
            time: terms.ms.map(std::time::Duration::from_millis),
            ..Limits::default()
        };
        let (name, _) = split_spec(&entrant.spec);
        let heeds_limits = game
            .engines()
            .iter()
            .any(|info| info.name == name && info.parameters.iter().any(|p| p.key == "nodes"));
        let engine = game.engine(&entrant.spec).ok();
        let counts = match &engine {
            None => Counting::Unknown,
            Some(_) if !heeds_limits => Counting::Nothing,
            Some(engine) if engine.counts_playouts() => Counting::Playouts,
            Some(_) => Counting::Positions,
        };
        let mut limits = engine.map_or(asked.clone(), |engine| engine.limits(&asked));
        let of_game = terms.game_ms.is_some() || terms.game_nodes.is_some();
        let is_default = limits.is_unlimited() && !of_game;
        if is_default {
            limits.nodes = Some(Terms::DEFAULT_NODES);
        }
        Allowance {
            name: entrant.name.clone(),
            counts,
            by_nodes: limits.time.is_none()
                && terms.game_ms.is_none()
                && limits.playouts.is_none()
                && (limits.nodes.is_some() || terms.game_nodes.is_some()),
            limits: match counts {
                Counting::Nothing => "none, it does not search".to_string(),
                _ => in_words(&limits, terms, is_default),
            },
        }
    };
    entrants.iter().map(allowance).collect()
}

fn in_words(limits: &Limits, terms: &Terms, is_default: bool) -> String {
    let plural = |count: u64, one: &str, many: &str| {
        let what = if count == 1 { one } else { many };
        format!("{} {what}", grouped(count))
    };
    let default = if is_default { " (the default)" } else { "" };
    let parts = [
        limits
            .depth
            .map(|n| plural(n.into(), "ply deep", "plies deep")),
        (limits.nodes).map(|n| plural(n, "node a move", "nodes a move") + default),
        (limits.playouts).map(|n| plural(n, "playout a move", "playouts a move")),
        limits
            .time
            .map(|time| format!("{} s a move", time.as_secs_f64())),
        (terms.game_nodes).map(|n| plural(n, "node a game", "nodes a game")),
        terms.game_ms.map(|ms| {
            let seconds = |ms: u64| ms as f64 / 1000.0;
            match terms.increment_ms {
                0 => format!("{} s a game", seconds(ms)),
                more => format!("{} s a game and {} s a move", seconds(ms), seconds(more)),
            }
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The limits of all players on one line.
pub fn limits_line(allowances: &[Allowance]) -> String {
    let mut different: Vec<(&str, Vec<&str>)> = Vec::new();
    for Allowance { name, limits, .. } in allowances {
        match different.iter_mut().find(|(known, _)| known == limits) {
            Some((_, names)) => names.push(name),
            None => different.push((limits, vec![name])),
        }
    }
    match &different[..] {
        [(limits, _)] => format!("limits: {limits}"),
        _ => {
            let parts = different.iter();
            let parts = parts.map(|(limits, names)| format!("{} {limits}", names.join(" and ")));
            format!("limits: {}", parts.collect::<Vec<_>>().join("; "))
        }
    }
}

/// What is unfair about a comparison of these players, and what would be fair.
pub fn unfairness(allowances: &[Allowance]) -> Option<String> {
    let by_nodes = |counts: Counting| {
        let counted = allowances
            .iter()
            .filter(move |a| a.by_nodes && a.counts == counts);
        counted.map(|a| a.name.as_str()).collect::<Vec<_>>()
    };
    let (playouts, positions) = (by_nodes(Counting::Playouts), by_nodes(Counting::Positions));
    if playouts.is_empty() || positions.is_empty() {
        return None;
    }
    let verb = |names: &[&str], one: &'static str, many| if names.len() == 1 { one } else { many };
    Some(format!(
        "{} {} moves of simulated games as nodes, {} {} positions: the same number is not the \
         same work; --time 0.1 gives everybody the same time for a move",
        playouts.join(" and "),
        verb(&playouts, "counts", "count"),
        positions.join(" and "),
        verb(&positions, "counts", "count"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_registry::open;

    fn of(terms: &Terms, specs: &[&str]) -> Vec<Allowance> {
        let entrants: Vec<Entrant> = specs.iter().map(|spec| Entrant::parse(spec)).collect();
        allowances(&*open("connect4").unwrap(), terms, &entrants)
    }

    #[test]
    fn limits_are_named_also_where_nothing_was_said() {
        let line = |terms: &Terms, specs: &[&str]| limits_line(&of(terms, specs));
        let usual = Terms::default();
        assert_eq!(
            line(&usual, &["pvs", "mtdf"]),
            "limits: 10,000 nodes a move (the default)"
        );
        assert_eq!(
            line(&usual, &["pvs", "new=pvs:depth=1", "random"]),
            "limits: pvs 10,000 nodes a move (the default); new 1 ply deep; random none, it does \
             not search"
        );
        let timed = Terms {
            ms: Some(250),
            nodes: Some(1),
            ..Terms::default()
        };
        assert_eq!(
            line(&timed, &["pvs", "mcts"]),
            "limits: 1 node a move, 0.25 s a move"
        );
        let clock = Terms {
            game_ms: Some(60_000),
            increment_ms: 600,
            ..Terms::default()
        };
        assert_eq!(
            line(&clock, &["pvs", "mcts"]),
            "limits: 60 s a game and 0.6 s a move"
        );
    }

    #[test]
    fn engines_that_count_different_things_are_told_so() {
        let unfair = |terms: &Terms, specs: &[&str]| unfairness(&of(terms, specs));
        let (usual, nodes) = (
            Terms::default(),
            Terms {
                nodes: Some(9),
                ..Terms::default()
            },
        );
        let timed = Terms {
            ms: Some(9),
            ..Terms::default()
        };
        let told = unfair(&usual, &["mcts", "pvs"]).unwrap();
        assert!(
            told.starts_with("mcts counts moves") && told.contains("--time"),
            "{told}"
        );
        assert!(
            unfair(&nodes, &["pvs", "flat", "mcts"])
                .unwrap()
                .contains("flat and mcts count")
        );
        assert_eq!(unfair(&timed, &["mcts", "pvs"]), None);
        assert_eq!(unfair(&usual, &["mcts", "random"]), None);
        assert_eq!(unfair(&usual, &["mtdf", "pvs"]), None);
        assert_eq!(unfair(&usual, &["mcts", "pvs:depth=3"]), None);
        assert_eq!(unfair(&usual, &["mcts:ms=5", "pvs"]), None);
    }
}
