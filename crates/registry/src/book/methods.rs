//! Where a book grows next.

use serde::{Deserialize, Serialize};

use super::{Book, BookValue, NodeId};

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
        if book.tree()[from].closed {
            return None;
        }
        match self {
            GrowthMethod::BestFirst => {
                let worth: Vec<BookValue> =
                    book.tree().iter().map(|place| place.propagated).collect();
                descend(book, from, |parent, child| book.seen(parent, worth[child]))
            }
            GrowthMethod::DepthPenalty(penalty) => {
                let far = distances(book, penalty);
                descend(book, from, |parent, child| {
                    let (worth, distance) = far[child];
                    book.seen(parent, worth) - i64::from(penalty) * (distance + 1)
                })
            }
            GrowthMethod::DropOut(weight) => {
                let sides = [0, 1].map(|owner| drop_out(book, from, owner, weight));
                let [first, second] = sides;
                match (first, second) {
                    (Some(one), Some(other)) if other.0 < one.0 => Some(other.1),
                    (Some(one), _) => Some(one.1),
                    (None, other) => other.map(|(_, target)| target),
                }
            }
            GrowthMethod::Breadth(width, shrink) => breadth(book, from, width, shrink),
        }
    }
}

/// Follows the child that looks best to whoever moves, among those below which something can be
/// added.
fn descend(book: &Book, mut id: NodeId, worth: impl Fn(NodeId, NodeId) -> i64) -> Option<NextMove> {
    loop {
        let children = &book.tree()[id].children;
        if children.is_empty() {
            return Some(NextMove::Expand(id));
        }
        let open = children.iter().filter(|&&child| !book.tree()[child].closed);
        let mut best: Option<(i64, NodeId)> = None;
        for &child in open {
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

/// For every node the raw value of the leaf that it expands to, and how far that is. The penalty
/// must not be part of what is handed up, since at the next node it would change its sign.
fn distances(book: &Book, penalty: BookValue) -> Vec<(BookValue, i64)> {
    let mut far: Vec<(BookValue, i64)> = vec![(0, 0); book.nodes().len()];
    for id in (0..book.nodes().len()).rev() {
        let place = &book.tree()[id];
        let mut best: Option<(i64, (BookValue, i64))> = None;
        // Nothing can be added below a closed node.
        let open = place
            .children
            .iter()
            .filter(|&&child| !book.tree()[child].closed);
        for &child in open {
            let (worth, distance) = far[child];
            let looks = book.seen(id, worth) - i64::from(penalty) * (distance + 1);
            if best.is_none_or(|(most, _)| looks > most) {
                best = Some((looks, (worth, distance + 1)));
            }
        }
        far[id] = match (best, book.nodes()[id].given) {
            (Some((_, found)), None) => found,
            _ => (place.propagated, 0),
        };
    }
    far
}

/// The cheapest way out of the book while its owner plays best moves only: plies, and what the
/// opponent gives away.
fn drop_out(book: &Book, from: NodeId, owner: u8, weight: f64) -> Option<(f64, NextMove)> {
    let mut cost: Vec<Option<(f64, NextMove)>> = vec![None; book.nodes().len()];
    for id in (from..book.nodes().len()).rev() {
        let (node, place) = (&book.nodes()[id], &book.tree()[id]);
        if place.closed {
            continue;
        }
        if place.children.is_empty() {
            cost[id] = Some((0.0, NextMove::Expand(id)));
            continue;
        }
        let own = node.mover == Some(owner);
        let lost = |value: BookValue| {
            let loss = book.seen(id, place.propagated) - book.seen(id, value);
            loss.max(0) as f64 / 1e6
        };
        let mut ways: Vec<(f64, NextMove)> = Vec::new();
        for &child in &place.children {
            let loss = lost(book.tree()[child].propagated);
            match cost[child] {
                Some((beyond, target)) if own && loss == 0.0 => ways.push((1.0 + beyond, target)),
                Some((beyond, target)) if !own => ways.push((1.0 + beyond + weight * loss, target)),
                _ => {}
            }
        }
        let next = node.waiting.as_ref().and_then(|waiting| waiting.first());
        if let Some(next) = next.filter(|_| !own) {
            ways.push((1.0 + weight * lost(next.value), NextMove::Deviate(id)));
        }
        for way in ways {
            if cost[id].is_none_or(|(least, _)| way.0 < least) {
                cost[id] = Some(way);
            }
        }
    }
    cost[from]
}

/// The first node of the lowest level that has a leaf to expand or another move within the limit.
fn breadth(book: &Book, from: NodeId, width: BookValue, shrink: f64) -> Option<NextMove> {
    let base = book.tree()[from].level;
    let mut below = vec![false; book.nodes().len()];
    let mut best: Option<(usize, NextMove)> = None;
    for id in from..book.nodes().len() {
        let (node, place) = (&book.nodes()[id], &book.tree()[id]);
        below[id] = id == from || node.parent.is_some_and(|parent| below[parent]);
        let level = place.level;
        if !below[id] || node.mover.is_none() || best.is_some_and(|(least, _)| least <= level) {
            continue;
        }
        let limit = f64::from(width) * shrink.powi((level - base) as i32);
        let values = place
            .children
            .iter()
            .map(|&child| book.nodes()[child].value);
        let most = values.map(|value| book.seen(id, value)).max();
        let next = node.waiting.as_ref().and_then(|waiting| waiting.first());
        let target = match (most, next) {
            (None, _) if !place.closed => NextMove::Expand(id),
            (Some(most), Some(next)) if (most - book.seen(id, next.value)) as f64 <= limit => {
                NextMove::Deviate(id)
            }
            _ => continue,
        };
        best = Some((level, target));
    }
    best.map(|(_, target)| target)
}
