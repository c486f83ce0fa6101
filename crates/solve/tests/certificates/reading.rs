//! A second reading of certificates of graphs: recursive, and with the strategies judged
//! afterwards.

use std::collections::HashMap;

use tabia_game::{Game, Player, Text, Wdl};

use super::graph::Graph;

/// What the tables that a certificate names say, for the player to move.
pub type Known = HashMap<usize, Wdl>;

/// Whether the lines of a certificate are one by a second reading: recursive, and with the
/// strategies followed to all that they reach afterwards.
pub fn is_proof(graph: &Graph, lines: &[String], known: &Known) -> bool {
    let mut rest = lines[4..]
        .iter()
        .skip_while(|line| line.starts_with("table "));
    tasks(graph, &lines[3]).into_iter().all(|(player, needed)| {
        rest.next().unwrap();
        let reading = Reading {
            graph,
            known,
            player,
        };
        let mut chosen = HashMap::new();
        reading.read(0, &mut rest, &mut chosen) && reading.holds(needed, &chosen)
    }) && rest.next().is_none()
}

/// Whose strategies a claim needs, and what each must come to at least.
fn tasks(graph: &Graph, claim: &str) -> Vec<(Player, i32)> {
    let mover = graph.owner(0).unwrap();
    let both = [Player::FIRST, Player::SECOND];
    match claim.split_once(' ').unwrap() {
        ("value", "win") => vec![(mover, 1)],
        ("value", "loss") => vec![(mover.other(), 1)],
        ("value", _) => both.map(|player| (player, 0)).to_vec(),
        (_, goal) => {
            let (name, word) = goal.rsplit_once(' ').unwrap();
            let player = both.into_iter().find(|&p| graph.player_name(p) == name);
            vec![(player.unwrap(), i32::from(word == "win"))]
        }
    }
}

struct Reading<'a> {
    graph: &'a Graph,
    known: &'a Known,
    player: Player,
}

impl Reading<'_> {
    /// For every vertex that was met, where it leads: one place or all.
    fn read<'a>(
        &self,
        at: usize,
        rest: &mut impl Iterator<Item = &'a String>,
        chosen: &mut HashMap<usize, Vec<usize>>,
    ) -> bool {
        if self.worth(at).is_some() || chosen.contains_key(&at) {
            return true;
        }
        let mut next = self.graph.successors(at).to_vec();
        if self.graph.owner(at) == Some(self.player) {
            let number = rest.next().and_then(|line| line.strip_prefix('m'));
            let Some(number) = number.and_then(|n| n.parse::<usize>().ok()) else {
                return false;
            };
            next = next.get(number).copied().into_iter().collect();
        }
        chosen.insert(at, next.clone());
        !next.is_empty() && next.into_iter().all(|to| self.read(to, rest, chosen))
    }

    /// What an end, or a vertex that a table knows, is worth to the player.
    fn worth(&self, at: usize) -> Option<i32> {
        let Some(owner) = self.graph.owner(at) else {
            return Some(self.graph.payoff(&at, self.player));
        };
        let for_owner = match self.known.get(&at)? {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        };
        Some(match owner == self.player {
            true => for_owner,
            false => -for_owner,
        })
    }

    /// All ends suffice; and if they must come, stripping vertices from the ends leaves nothing.
    fn holds(&self, needed: i32, chosen: &HashMap<usize, Vec<usize>>) -> bool {
        let suffices = |at: usize| self.worth(at).is_none_or(|worth| worth >= needed);
        let mut left = chosen.clone();
        loop {
            let before = left.len();
            let inner = left.clone();
            left.retain(|_, next| next.iter().any(|to| inner.contains_key(to)));
            if left.len() == before {
                break;
            }
        }
        suffices(0)
            && chosen.values().flatten().all(|&to| suffices(to))
            && (needed <= 0 || left.is_empty())
    }
}
