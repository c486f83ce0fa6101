//! The positions met so far as one graph, solved as a whole.
//!
//! Where a game goes round and round, nearly every disproof relies on some path, and searching path
//! by path would never end. Now and then the search therefore looks at the positions below its
//! root, those first that it has expanded, as far as it may: those from which the attacker cannot
//! even force a position beyond are disproved for good, and those from which a win is forced are
//! proved. This is retrograde analysis of a part of the game, and at the latest of the whole.

use std::collections::VecDeque;
use std::ops::Range;

use tabia_game::Key;

use super::keys::{ByKey, Keys};
use super::search::Worker;
use super::{Entry, Known, NOTHING, Numbers};
use crate::Status;
use crate::best_first::Initial;

/// What is known of a position beforehand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    /// Its moves are looked at.
    None,
    Proved,
    Disproved,
    /// Never looked at: anything may come of it.
    New,
}

struct Vertex {
    key: u64,
    leaf: Leaf,
    attacking: bool,
    /// Where its successors are in the list of all.
    next: Range<usize>,
}

/// The vertex that stands for all positions beyond those looked at.
const BEYOND: u32 = 0;
const ROOT: u32 = 1;

#[derive(Default)]
struct Graph {
    vertices: Vec<Vertex>,
    successors: Vec<u32>,
}

impl Graph {
    fn successors(&self, vertex: usize) -> &[u32] {
        &self.successors[self.vertices[vertex].next.clone()]
    }

    /// What the graph takes while it is made and solved, if the states of all its positions wait
    /// for their turn. What grows may have room for twice as much as it holds.
    fn bytes<S>(&self) -> u64 {
        let number = size_of::<(u64, u32)>() + 1;
        let growing = size_of::<Vertex>() + number + size_of::<(S, u32)>();
        let solved = 2 * (size_of::<usize>() + size_of::<Option<u32>>() + size_of::<u32>());
        let vertices = self.vertices.len() * (2 * growing + solved);
        let edges = self.successors.len() * 3 * size_of::<u32>();
        (vertices + edges) as u64
    }

    /// Adds a vertex whose successors are not known.
    fn add(&mut self, key: u64, attacking: bool) -> u32 {
        self.vertices.push(Vertex {
            key,
            leaf: Leaf::New,
            attacking,
            next: 0..0,
        });
        self.vertices.len() as u32 - 1
    }

    /// The vertices from which the attacker can force one of these leaves, each with the successor
    /// that brings it nearest to one; a leaf with itself. `None` if it is told to stop.
    fn forced(
        &self,
        leaves: &[Leaf],
        mut is_stopped: impl FnMut() -> bool,
    ) -> Option<Vec<Option<u32>>> {
        let len = self.vertices.len();
        let mut starts = vec![0usize; len + 1];
        for &next in &self.successors {
            starts[next as usize + 1] += 1;
        }
        for vertex in 0..len {
            starts[vertex + 1] += starts[vertex];
        }
        let mut before = vec![0u32; self.successors.len()];
        let mut filled = starts.clone();
        for vertex in 0..len {
            if is_stopped() {
                return None;
            }
            for &next in self.successors(vertex) {
                before[filled[next as usize]] = vertex as u32;
                filled[next as usize] += 1;
            }
        }
        let mut forced = vec![None; len];
        let mut open = VecDeque::new();
        let mut ways: Vec<u32> = (0..len).map(|v| self.successors(v).len() as u32).collect();
        for (number, vertex) in self.vertices.iter().enumerate() {
            if leaves.contains(&vertex.leaf) {
                forced[number] = Some(number as u32);
                open.push_back(number as u32);
            }
        }
        while let Some(vertex) = open.pop_front() {
            if is_stopped() {
                return None;
            }
            let range = starts[vertex as usize]..starts[vertex as usize + 1];
            for &number in &before[range] {
                let number = number as usize;
                ways[number] -= 1;
                let all = self.vertices[number].attacking || ways[number] == 0;
                if forced[number].is_none() && all {
                    forced[number] = Some(vertex);
                    open.push_back(number as u32);
                }
            }
        }
        Some(forced)
    }
}

impl<G, I, S> Worker<'_, G, I, S>
where
    G: Key,
    I: Initial<G>,
    S: Keys<G>,
{
    /// Solves up to this many positions below a position as one graph; what that says of the
    /// position. Nothing, if the time is up.
    pub fn sweep(&mut self, root: &G::State, most: usize) -> Option<Numbers> {
        let graph = self.gather(root, most)?;
        let won = graph.forced(&[Leaf::Proved], || self.is_stopped())?;
        let hoped = graph.forced(&[Leaf::Proved, Leaf::New], || self.is_stopped())?;
        for (number, vertex) in graph.vertices.iter().enumerate() {
            if vertex.leaf != Leaf::None {
                continue;
            }
            // The move that decides; the other side's moves are all alike.
            let mut next = graph.successors(number).iter();
            let (known, best) = match (won[number], hoped[number]) {
                (Some(nearest), _) => (Known::Proved, next.position(|&n| n == nearest)),
                (_, None) => {
                    let safe = next.position(|&n| hoped[n as usize].is_none());
                    (Known::Disproved, safe)
                }
                _ => continue,
            };
            let work = self.table.get(vertex.key).map_or(1, |entry| entry.work);
            let entry = Entry {
                known,
                best: best.and_then(|best| u16::try_from(best).ok()),
                work,
            };
            self.table.put(vertex.key, entry);
        }
        match (won[ROOT as usize], hoped[ROOT as usize]) {
            (Some(_), _) => Some(Numbers::PROVED),
            (_, None) => Some(Numbers::disproved(NOTHING)),
            _ => None,
        }
    }

    /// Up to this many positions below the root, and no more than there is memory for; those first
    /// that were expanded.
    fn gather(&mut self, root: &G::State, most: usize) -> Option<Graph> {
        let mut graph = Graph::default();
        let mut numbers: ByKey<u32> = ByKey::default();
        graph.add(0, true);
        let key = self.key_of(root);
        numbers.insert(key, graph.add(key, self.attacking(root)));
        let mut expanded = VecDeque::from([(root.clone(), ROOT)]);
        let mut new = VecDeque::new();
        let mut moves = Vec::new();
        while let Some((state, number)) = expanded.pop_front().or_else(|| new.pop_front()) {
            if self.is_stopped() {
                return None;
            }
            // Those that are left over stay what they are, never looked at.
            if graph.bytes::<G::State>() > self.terms.room.sweep {
                break;
            }
            let start = graph.successors.len();
            moves.clear();
            self.game.moves(&state, &mut moves);
            for &mv in &moves {
                let mut next = state.clone();
                self.game.play(&mut next, mv);
                let key = self.key_of(&next);
                if let Some(&known) = numbers.get(&key) {
                    graph.successors.push(known);
                    continue;
                }
                if numbers.len() >= most {
                    graph.successors.push(BEYOND);
                    continue;
                }
                let added = graph.add(key, self.attacking(&next));
                numbers.insert(key, added);
                graph.successors.push(added);
                let leaf = &mut graph.vertices[added as usize].leaf;
                match self.attack.status(self.game, &next, self.settled) {
                    Status::Proved => *leaf = Leaf::Proved,
                    Status::Disproved => *leaf = Leaf::Disproved,
                    Status::Unknown => match self.table.get(key).map(|entry| entry.known) {
                        Some(Known::Proved) => *leaf = Leaf::Proved,
                        Some(Known::Disproved) => *leaf = Leaf::Disproved,
                        Some(_) => expanded.push_back((next, added)),
                        None => new.push_back((next, added)),
                    },
                }
            }
            let vertex = &mut graph.vertices[number as usize];
            vertex.leaf = Leaf::None;
            vertex.next = start..graph.successors.len();
        }
        Some(graph)
    }
}
