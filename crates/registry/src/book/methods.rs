//! Where a book grows next.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Book, BookValue, Flag, NodeId};

/// How the place is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthMethod {
    /// At the end of the line that both sides play best (Buro 1999).
    BestFirst,
    /// Where an opponent leaves the book soonest for the least loss (Lincke 2000), moves beside
    /// those in the book being added when they are wanted. A loss of a whole win weighs as much as
    /// this many plies.
    DropOut(f64),
    /// As best-first, but every ply on the way to a leaf costs so much (Karapetyan and Lorentz
    /// 2004).
    DepthPenalty(BookValue),
    /// Level by level, moves that are at most this much worse than the best of their position; the
    /// limit shrinks by a factor from level to level (Karapetyan and Lorentz 2004).
    Breadth(BookValue, f64),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextMove {
    /// Add the best move of a leaf.
    Expand(NodeId),
    /// Add the next best move of a node that has some.
    Deviate(NodeId),
}

impl GrowthMethod {
    /// Whether the next best move of the parent is added with that of a leaf.
    pub fn adds_deviations(self) -> bool {
        matches!(
            self,
            GrowthMethod::BestFirst | GrowthMethod::DepthPenalty(_)
        )
    }

    /// Where to grow at or below a node; nothing if all is known there.
    pub fn choose(self, book: &Book, from: NodeId) -> Option<NextMove> {
        Plan::new(self, book, from).target(book)
    }
}

/// The cheapest way out below a node: plies and losses, and where it leads.
type Exit = Option<(f64, NextMove)>;

/// What a method has worked out for the nodes of a book, kept up to date as the book grows.
pub(super) struct Plan {
    method: GrowthMethod,
    from: NodeId,
    notes: Notes,
}

enum Notes {
    /// Best-first: the values of the book are enough.
    None,
    /// For every node the value of the leaf that it expands to, and how far that is. The penalty
    /// must not be part of what is handed up, since at the next node it would change its sign.
    Distances(Vec<(BookValue, i64)>),
    /// For the books of both players.
    Exits([Vec<Exit>; 2]),
    /// The nodes that have a leaf to expand or another move within the limit, by level, and whether
    /// each node is one at which the book grows.
    Levels(BTreeSet<(usize, NodeId)>, Vec<bool>),
}

impl Plan {
    /// What a method makes of a book.
    pub(super) fn new(method: GrowthMethod, book: &Book, from: NodeId) -> Plan {
        let notes = match method {
            GrowthMethod::BestFirst => Notes::None,
            GrowthMethod::DepthPenalty(_) => Notes::Distances(Vec::new()),
            GrowthMethod::DropOut(_) => Notes::Exits([Vec::new(), Vec::new()]),
            GrowthMethod::Breadth(..) => Notes::Levels(BTreeSet::new(), Vec::new()),
        };
        let mut plan = Plan {
            method,
            from,
            notes,
        };
        plan.reach(book);
        for id in (0..book.nodes().len()).rev() {
            plan.note(book, id);
        }
        plan
    }

    /// Takes note of a node that has got moves.
    pub(super) fn update(&mut self, book: &Book, id: NodeId) {
        let new = self.reach(book);
        for id in new.rev() {
            self.note(book, id);
        }
        let mut next = Some(id);
        while let Some(id) = next {
            self.note(book, id);
            next = book.nodes()[id].parent;
        }
    }

    /// Makes room for all nodes; returns those that are new.
    fn reach(&mut self, book: &Book) -> Range<NodeId> {
        let nodes = book.nodes().len();
        let from = self.from;
        let before = match &mut self.notes {
            Notes::None => nodes,
            Notes::Distances(far) => grown(far, nodes, (0, 0)),
            Notes::Exits([one, other]) => {
                grown(one, nodes, None);
                grown(other, nodes, None)
            }
            Notes::Levels(_, below) => {
                let before = below.len();
                for id in before..nodes {
                    let grows = |parent: NodeId| below[parent] && follows(book, parent, id);
                    let is_below = id == from || book.nodes()[id].parent.is_some_and(grows);
                    below.push(is_below);
                }
                before
            }
        };
        before..nodes
    }

    /// Works out what is noted of a node from what is noted of its children.
    fn note(&mut self, book: &Book, id: NodeId) {
        match (&mut self.notes, self.method) {
            (Notes::Distances(far), GrowthMethod::DepthPenalty(penalty)) => {
                far[id] = distance(book, id, penalty, far);
            }
            (Notes::Exits(exits), GrowthMethod::DropOut(weight)) => {
                for (owner, exits) in (0..).zip(exits) {
                    exits[id] = drop_out(book, id, owner, weight, exits);
                }
            }
            (Notes::Levels(open, below), GrowthMethod::Breadth(width, shrink)) => {
                let place = (book.tree()[id].level, id);
                match below[id] && breadth(book, id, self.from, width, shrink).is_some() {
                    true => open.insert(place),
                    false => open.remove(&place),
                };
            }
            _ => {}
        }
    }

    /// Where to grow; nothing if all is known.
    pub(super) fn target(&self, book: &Book) -> Option<NextMove> {
        if book.tree()[self.from].closed {
            return None;
        }
        match (&self.notes, self.method) {
            (Notes::Distances(far), GrowthMethod::DepthPenalty(penalty)) => {
                descend(book, self.from, |parent, child| {
                    let (worth, distance) = far[child];
                    book.seen(parent, worth) - i64::from(penalty) * (distance + 1)
                })
            }
            (Notes::Exits(exits), _) => {
                let [first, second] = exits.each_ref().map(|exits| exits[self.from]);
                match (first, second) {
                    (Some(one), Some(other)) if other.0 < one.0 => Some(other.1),
                    (Some(one), _) => Some(one.1),
                    (None, other) => other.map(|(_, target)| target),
                }
            }
            (Notes::Levels(open, _), GrowthMethod::Breadth(width, shrink)) => {
                let &(_, id) = open.first()?;
                breadth(book, id, self.from, width, shrink)
            }
            _ => descend(book, self.from, |parent, child| {
                book.seen(parent, book.tree()[child].propagated)
            }),
        }
    }
}

/// Lengthens a list; returns how long it was.
fn grown<T: Clone>(list: &mut Vec<T>, length: usize, with: T) -> usize {
    let before = list.len();
    list.resize(length, with);
    before
}

/// Follows the child that looks best to whoever moves, among those at which the book grows.
fn descend(book: &Book, mut id: NodeId, worth: impl Fn(NodeId, NodeId) -> i64) -> Option<NextMove> {
    loop {
        if book.tree()[id].children.is_empty() {
            return Some(NextMove::Expand(id));
        }
        let mut best: Option<(i64, NodeId)> = None;
        for child in book.growing(id) {
            let looks = worth(id, child);
            if best.is_none_or(|(most, _)| looks > most) {
                best = Some((looks, child));
            }
        }
        match best {
            Some((_, child)) => id = child,
            None => return Some(NextMove::Deviate(id)),
        }
    }
}

/// The value of the leaf that a node expands to, and how far that is.
fn distance(
    book: &Book,
    id: NodeId,
    penalty: BookValue,
    far: &[(BookValue, i64)],
) -> (BookValue, i64) {
    let mut best: Option<(i64, (BookValue, i64))> = None;
    for child in book.growing(id) {
        let (worth, distance) = far[child];
        let looks = book.seen(id, worth) - i64::from(penalty) * (distance + 1);
        if best.is_none_or(|(most, _)| looks > most) {
            best = Some((looks, (worth, distance + 1)));
        }
    }
    match (best, book.nodes()[id].given) {
        (Some((_, found)), None) => found,
        _ => (book.tree()[id].propagated, 0),
    }
}

/// The cheapest way out of the book below a node while its owner plays best moves only: plies, and
/// what the opponent gives away.
fn drop_out(book: &Book, id: NodeId, owner: u8, weight: f64, exits: &[Exit]) -> Exit {
    let (node, place) = (&book.nodes()[id], &book.tree()[id]);
    if place.closed {
        return None;
    }
    if place.children.is_empty() {
        return Some((0.0, NextMove::Expand(id)));
    }
    let own = node.mover == Some(owner);
    let lost = |value: BookValue| {
        let loss = book.seen(id, place.propagated) - book.seen(id, value);
        loss.max(0) as f64 / 1e6
    };
    let mark = place
        .children
        .iter()
        .map(|&child| book.mark_rank(child))
        .min();
    let mut ways: Vec<(f64, NextMove)> = Vec::new();
    for &child in &place.children {
        let loss = lost(book.tree()[child].propagated);
        let is_played = loss == 0.0 && Some(book.mark_rank(child)) == mark;
        match exits[child] {
            Some((beyond, target)) if own && is_played => ways.push((1.0 + beyond, target)),
            Some((beyond, target)) if !own => ways.push((1.0 + beyond + weight * loss, target)),
            _ => {}
        }
    }
    let next = node.waiting.as_ref().and_then(|waiting| waiting.first());
    if let Some(next) = next.filter(|_| !own) {
        ways.push((1.0 + weight * lost(next.value), NextMove::Deviate(id)));
    }
    let mut cheapest: Exit = None;
    for way in ways {
        if cheapest.is_none_or(|(least, _)| way.0 < least) {
            cheapest = Some(way);
        }
    }
    cheapest
}

/// Whether a book that grows in breadth goes on at a child: where a move is marked as best, at no
/// other.
fn follows(book: &Book, parent: NodeId, child: NodeId) -> bool {
    let is_best = |id: NodeId| book.nodes()[id].flag == Some(Flag::Best);
    is_best(child) || !book.tree()[parent].children.iter().any(|&id| is_best(id))
}

/// What to do at a node that is a leaf to expand, or has another move within the limit.
fn breadth(
    book: &Book,
    id: NodeId,
    from: NodeId,
    width: BookValue,
    shrink: f64,
) -> Option<NextMove> {
    let (node, place) = (&book.nodes()[id], &book.tree()[id]);
    node.mover?;
    let base = book.tree()[from].level;
    let levels = place.level.saturating_sub(base);
    let limit = f64::from(width) * shrink.powi(i32::try_from(levels).unwrap_or(i32::MAX));
    let marked = |&child: &NodeId| book.nodes()[child].flag == Some(Flag::Best);
    if place.children.iter().any(marked) {
        return None;
    }
    let values = place.children.iter();
    let values = values.map(|&child| book.seen(id, book.nodes()[child].value));
    let next = node.waiting.as_ref().and_then(|waiting| waiting.first());
    match (values.max(), next) {
        (None, _) if !place.closed => Some(NextMove::Expand(id)),
        (Some(most), Some(next)) if (most - book.seen(id, next.value)) as f64 <= limit => {
            Some(NextMove::Deviate(id))
        }
        _ => None,
    }
}
