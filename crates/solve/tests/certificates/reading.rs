//! A second reading of certificates of graphs: recursive, and with the strategies judged afterwards.

use std::collections::HashMap;

use tabia_game::{Game, Player};

use super::graph::Graph;

/// Whether the lines of a certificate without tables are one by a second reading: recursive, and with
/// the strategies followed to all that they reach afterwards.
pub fn is_proof(graph: &Graph, lines: &[String]) -> bool {
    let mut rest = lines[4..].iter().peekable();
    let mover = graph.owner(0).unwrap();
    let value = lines[3].strip_prefix("value ").unwrap();
    let tasks: Vec<(Player, i32)> = match value {
        "win" => vec![(mover, 1)],
        "loss" => vec![(mover.other(), 1)],
        _ => vec![(Player::FIRST, 0), (Player::SECOND, 0)],
    };
    tasks.into_iter().all(|(player, needed)| {
        rest.next().unwrap();
        let mut chosen = HashMap::new();
        read_strategy(graph, player, 0, &mut rest, &mut chosen)
            && holds(graph, player, needed, &chosen)
    }) && rest.next().is_none()
}

/// For every vertex that was met, where it leads: one place or all.
fn read_strategy<'a>(
    graph: &Graph,
    player: Player,
    at: usize,
    rest: &mut impl Iterator<Item = &'a String>,
    chosen: &mut HashMap<usize, Vec<usize>>,
) -> bool {
    let Some(owner) = graph.owner(at) else {
        return true;
    };
    if chosen.contains_key(&at) {
        return true;
    }
    let mut next = graph.successors(at).to_vec();
    if owner == player {
        let number = rest.next().and_then(|line| line.strip_prefix('m'));
        let Some(number) = number.and_then(|n| n.parse::<usize>().ok()) else {
            return false;
        };
        next = next.get(number).copied().into_iter().collect();
    }
    chosen.insert(at, next.clone());
    !next.is_empty()
        && next
            .into_iter()
            .all(|to| read_strategy(graph, player, to, rest, chosen))
}

/// All ends suffice; and if they must come, stripping vertices from the ends leaves nothing.
fn holds(graph: &Graph, player: Player, needed: i32, chosen: &HashMap<usize, Vec<usize>>) -> bool {
    let suffices = |at: usize| graph.owner(at).is_some() || graph.payoff(&at, player) >= needed;
    let mut left = chosen.clone();
    loop {
        let before = left.len();
        let inner = left.clone();
        left.retain(|_, next| next.iter().any(|to| inner.contains_key(to)));
        if left.len() == before {
            break;
        }
    }
    chosen.values().flatten().all(|&to| suffices(to)) && (needed <= 0 || left.is_empty())
}
