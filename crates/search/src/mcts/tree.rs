//! The tree: nodes that threads may read and write together without locks.
//!
//! A node holds counters that are atomic and grow by addition alone, so that it does not matter
//! which thread adds first: see [`sums`](super::sums). The children of a node are one block of
//! siblings, made in full before it is published by writing a pointer once; the thread that comes
//! too late drops its block. Moves that are visited one after the other need not all be there from
//! the beginning: further blocks are chained when they are needed, so that a game with two thousand
//! moves does not pay for two thousand nodes at every leaf. Outcomes of chance are chained one by
//! one as they occur. Since a parent owns its children, a subtree is given back by dropping it, and
//! what is left of a tree after a move is kept by moving it out: there is no arena to collect.
//!
//! The tree does not know the game: it is compiled once, not once per game. Moves are bytes
//! ([`Moves`]) that only the game's side of the search looks into.
//!
//! Virtual losses (Chaslot, Winands and van den Herik 2008) are counted beside visits, so that they
//! can be seen to vanish.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicI64, Ordering::Relaxed};

use super::entries::{Crew, Entries};
use super::groups::Group;
use super::moves::{Move, Moves, Short};
use super::sums::{Later, ONE, PlayoutSums, View, add};

/// A node of the tree, reached by a move or an outcome.
#[derive(Debug)]
pub(super) struct Node<const V: usize> {
    /// The index of the move that leads here, where moves that came later are counted.
    pub index: u32,
    /// What is known of the move, to the player who makes it: a prior probability for PUCT, else a
    /// value.
    pub known: f32,
    /// The move that leads here, if moves are short.
    short: Short,
    pub entries: Entries,
    /// What is proved to be the least and the most that the player whose tree it is gets, in
    /// payoffs.
    lower: AtomicI32,
    upper: AtomicI32,
    /// The minimax value of the evaluations below, in millionths.
    pub implicit: AtomicI32,
    sums: [AtomicI64; V],
    squares: [AtomicI64; V],
    pub children: Below<V>,
}

/// A child with the block that it is in, where its move is.
#[derive(Debug)]
pub(super) struct Child<'t, const V: usize> {
    block: &'t Children<V>,
    place: usize,
}

impl<const V: usize> Clone for Child<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const V: usize> Copy for Child<'_, V> {}

impl<'t, const V: usize> Child<'t, V> {
    #[inline]
    pub fn node(self) -> &'t Node<V> {
        &self.block.nodes[self.place]
    }

    /// The move that leads to it.
    #[inline]
    #[allow(unsafe_code)]
    pub fn mv(self) -> Move<'t> {
        // SAFETY: a block is made of its moves and of the short ones that they left, and nothing
        // moves a node to another block.
        unsafe { self.block.moves.at(self.place, self.node().short) }
    }
}

/// Children, as soon as there are any.
type Below<const V: usize> = OnceLock<Box<Children<V>>>;

/// The children of a node.
#[derive(Debug)]
pub(super) struct Children<const V: usize> {
    pub nodes: Box<[Node<V>]>,
    /// The moves, or the outcome of chance, that lead to them.
    moves: Moves,
    /// What each thread remembers of their bounds, if they are many.
    groups: Box<[Group]>,
    /// Whether no move is missing.
    complete: bool,
    /// The next moves, or outcomes of chance that came up later.
    more: OnceLock<Box<Children<V>>>,
    /// Moves that were played later: of each child for RAVE, of any move for GRAVE.
    pub later: OnceLock<Box<[Later]>>,
}

impl<const V: usize> Drop for Children<V> {
    /// A chain of many outcomes is not dropped by recursion.
    fn drop(&mut self) {
        let mut next = self.more.take();
        while let Some(mut block) = next {
            next = block.more.take();
        }
    }
}

impl<const V: usize> Children<V> {
    /// Children made by one of some threads, with the moves that lead to them.
    pub fn new(
        mut nodes: Box<[Node<V>]>,
        (moves, shorts): (Moves, &[Short]),
        complete: bool,
        crew: Crew,
    ) -> Box<Children<V>> {
        assert_eq!(nodes.len(), shorts.len(), "every child has a move");
        for (node, &short) in nodes.iter_mut().zip(shorts) {
            node.short = short;
        }
        Box::new(Children {
            moves,
            groups: (0..Group::count(nodes.len()) * crew.threads)
                .map(|_| Group::new())
                .collect(),
            nodes,
            complete,
            more: OnceLock::new(),
            later: OnceLock::new(),
        })
    }

    /// Bytes of a block of `siblings` whose moves take `move_bytes` each beside their nodes, with
    /// what the allocator needs for itself.
    pub fn bytes(siblings: usize, move_bytes: usize, threads: usize) -> u64 {
        let header = size_of::<Children<V>>() + 32;
        let groups = threads * Group::count(siblings) * size_of::<Group>();
        (siblings * (size_of::<Node<V>>() + move_bytes) + groups + header) as u64
    }

    /// What a thread remembers of their bounds; nothing if they are few.
    #[inline]
    pub fn groups(&self, crew: Crew) -> &[Group] {
        let count = self.groups.len() / crew.threads;
        &self.groups[crew.number * count..][..count]
    }

    /// The blocks, one after the other.
    #[inline]
    pub fn blocks(&self) -> impl Iterator<Item = &Children<V>> {
        std::iter::successors(Some(self), |block| block.more.get().map(|b| &**b))
    }

    /// All children, those of chained blocks too.
    pub fn all(&self) -> impl Iterator<Item = &Node<V>> {
        self.blocks().flat_map(|block| block.nodes.iter())
    }

    /// All children, each with its block.
    pub fn each(&self) -> impl Iterator<Item = Child<'_, V>> {
        self.blocks()
            .flat_map(|block| (0..block.nodes.len()).map(|place| block.child(place)))
    }

    /// The child at this place among all of them.
    pub fn nth(&self, mut place: usize) -> Option<Child<'_, V>> {
        for block in self.blocks() {
            if place < block.nodes.len() {
                return Some(block.child(place));
            }
            place -= block.nodes.len();
        }
        None
    }

    /// How many children there are, if some moves are missing.
    #[inline]
    pub fn missing(&self) -> Option<usize> {
        if self.complete {
            return None;
        }
        let blocks = self.blocks();
        let (count, complete) = blocks.fold((0, false), |(count, _), block| {
            (count + block.nodes.len(), block.complete)
        });
        (!complete).then_some(count)
    }

    /// Adds a block at the end, unless another thread has done so.
    pub fn append(&self, block: Box<Children<V>>) -> bool {
        let last = self.blocks().last().unwrap_or(self);
        last.more.set(block).is_ok()
    }

    /// The child with the outcome that `is_outcome` tells, and otherwise a new one, made by `new`
    /// unless another thread is faster; and whether it was added just now.
    pub fn outcome(
        &self,
        is_outcome: &mut dyn FnMut(&Move<'_>) -> bool,
        new: &dyn Fn() -> Box<Children<V>>,
    ) -> (Child<'_, V>, bool) {
        let mut block = self;
        loop {
            if let Some(known) = block.find(is_outcome) {
                return (known, false);
            }
            let mut added = false;
            let next = block.more.get_or_init(|| {
                added = true;
                new()
            });
            if added {
                return (next.child(0), true);
            }
            block = next;
        }
    }

    /// The child in this block whose move is the wanted one.
    pub fn find(&self, is_wanted: &mut dyn FnMut(&Move<'_>) -> bool) -> Option<Child<'_, V>> {
        let mut children = (0..self.nodes.len()).map(|place| self.child(place));
        children.find(|child| is_wanted(&child.mv()))
    }

    /// A child by its place in the block.
    #[inline]
    pub fn child(&self, place: usize) -> Child<'_, V> {
        Child { block: self, place }
    }

    /// Calls `visit` with every child, which it may change.
    fn every(&mut self, visit: &mut impl FnMut(&mut Node<V>)) {
        let mut block = Some(self);
        while let Some(siblings) = block {
            siblings.nodes.iter_mut().for_each(&mut *visit);
            siblings.groups.iter().for_each(|group| group.forget());
            block = siblings.more.get_mut().map(|block| &mut **block);
        }
    }
}

impl<const V: usize> Node<V> {
    /// A node without visits in a game that pays no more than `payoff`.
    pub fn new(index: u32, known: f32, payoff: i32) -> Node<V> {
        Node {
            index,
            known,
            short: Short::NONE,
            entries: Entries::default(),
            lower: AtomicI32::new(-payoff),
            upper: AtomicI32::new(payoff),
            implicit: AtomicI32::new(0),
            sums: std::array::from_fn(|_| AtomicI64::new(0)),
            squares: std::array::from_fn(|_| AtomicI64::new(0)),
            children: OnceLock::new(),
        }
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.entries.now().visits()
    }

    #[inline]
    pub fn losses(&self) -> u32 {
        self.entries.now().losses()
    }

    /// Visits, those under way included.
    #[inline]
    pub fn entries(&self) -> u32 {
        self.entries.now().all()
    }

    /// The sum of the values to a player.
    #[inline]
    pub fn sum(&self, view: View) -> f64 {
        let sum = view.of(&self.sums);
        let sum = if view.maximises() { sum } else { -sum };
        sum as f64 / ONE as f64
    }

    #[inline]
    pub fn mean(&self, view: View) -> f64 {
        self.sum(view) / f64::from(self.visits().max(1))
    }

    /// The variance of the values to a player.
    pub fn variance(&self, view: View) -> f64 {
        let squares = view.of(&self.squares) as f64 / ONE as f64;
        let mean = self.mean(view);
        (squares / f64::from(self.visits().max(1)) - mean * mean).max(0.0)
    }

    /// Adds what playouts were worth and takes virtual losses back. Squares, which one selection
    /// needs alone, are left out if they are zero.
    #[inline]
    pub fn credit(&self, worth: &PlayoutSums<V>, losses: u32, shared: bool) {
        self.entries.add(worth.visits, losses, shared);
        for i in 0..V {
            add!(self.sums[i], worth.sums[i], shared);
            if worth.squares[i] != 0 {
                add!(self.squares[i], worth.squares[i], shared);
            }
        }
    }

    /// What is proved: the least and the most.
    #[inline]
    pub fn bounds(&self) -> (i32, i32) {
        (self.lower.load(Relaxed), self.upper.load(Relaxed))
    }

    /// What is proved for a player, in a tree of two parties.
    #[inline]
    pub fn bounds_for(&self, view: View) -> (i32, i32) {
        let (lower, upper) = self.bounds();
        match view.maximises() {
            true => (lower, upper),
            false => (-upper, -lower),
        }
    }

    /// The most that is proved for a player.
    #[inline]
    pub fn upper_for(&self, view: View) -> i32 {
        match view.maximises() {
            true => self.upper.load(Relaxed),
            false => -self.lower.load(Relaxed),
        }
    }

    /// The value, if it is proved.
    #[inline]
    pub fn proved(&self) -> Option<i32> {
        let (lower, upper) = self.bounds();
        (lower >= upper).then_some(lower)
    }

    /// Proves that the value lies between these; whether that is news.
    pub fn prove(&self, lower: i32, upper: i32) -> bool {
        let before = self.lower.fetch_max(lower, Relaxed);
        let above = self.upper.fetch_min(upper, Relaxed);
        before < lower || above > upper
    }

    /// Proves what follows from the children (Cazenave and Saffidine 2010); whether that is news.
    /// As long as moves are missing, there may be a better one.
    pub fn prove_by(&self, children: &Children<V>, view: View) -> bool {
        let bounds = children.all().map(Node::bounds);
        let best = match view.maximises() {
            true => bounds.reduce(|one, other| (one.0.max(other.0), one.1.max(other.1))),
            false => bounds.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1))),
        };
        let missing = children.missing().is_some();
        best.is_some_and(|(lower, upper)| match (missing, view.maximises()) {
            (false, _) => self.prove(lower, upper),
            (true, true) => self.prove(lower, i32::MAX),
            (true, false) => self.prove(i32::MIN, upper),
        })
    }

    /// Forgets what is proved but for what the children prove: those that proved it may have been
    /// given back.
    pub fn prove_anew(&mut self, payoff: i32, view: Option<View>) {
        *self.lower.get_mut() = -payoff;
        *self.upper.get_mut() = payoff;
        if let (Some(view), Some(children)) = (view, self.children.get()) {
            self.prove_by(children, view);
        }
    }

    /// Adds what another tree found of the same node and of its children.
    pub fn absorb(&mut self, other: &mut Node<V>) {
        let plain = |own: &mut Node<V>, other: &Node<V>| {
            own.entries.add(other.visits(), 0, false);
            for i in 0..V {
                *own.sums[i].get_mut() += other.sums[i].load(Relaxed);
                *own.squares[i].get_mut() += other.squares[i].load(Relaxed);
            }
            own.prove(other.bounds().0, other.bounds().1);
        };
        plain(self, other);
        let count = |node: &Node<V>| node.children.get().map_or(0, |c| c.all().count());
        // The moves that are there are the same, as far as the shorter chain goes.
        if count(other) > count(self) {
            std::mem::swap(&mut self.children, &mut other.children);
        }
        if let (Some(own), Some(others)) = (self.children.get_mut(), other.children.get()) {
            let mut others = others.all();
            own.every(&mut |own| {
                if let Some(other) = others.next() {
                    plain(own, other);
                }
            });
        }
    }

    /// Drops the children of all nodes below with fewer visits; the bytes and nodes that are given
    /// back.
    pub fn recycle(&mut self, least: u32) -> (u64, u64) {
        let mut given = (0, 0);
        let Some(children) = self.children.get_mut() else {
            return given;
        };
        children.every(&mut |child| {
            let (bytes, nodes) = match child.visits() < least {
                true => {
                    let size = child.size();
                    child.children.take();
                    size
                }
                false => child.recycle(least),
            };
            given.0 += bytes;
            given.1 += nodes;
        });
        given
    }

    /// The bytes and the number of all nodes below.
    pub fn size(&self) -> (u64, u64) {
        let mut size = (0, 0);
        let mut block = self.children.get();
        while let Some(siblings) = block {
            size.0 += Children::<V>::bytes(siblings.nodes.len(), 0, 0);
            size.0 += siblings.moves.bytes();
            size.0 += size_of_val(&*siblings.groups) as u64;
            size.0 += siblings
                .later
                .get()
                .map_or(0, |later| size_of_val(&**later) as u64);
            size.1 += siblings.nodes.len() as u64;
            for child in &siblings.nodes {
                let (bytes, nodes) = child.size();
                size.0 += bytes;
                size.1 += nodes;
            }
            block = siblings.more.get();
        }
        size
    }

    /// Takes out what lies below nodes that a thread had for itself, by the number of the thread.
    pub fn scatter(&mut self, parts: &mut [Vec<Below<V>>]) {
        let Some(children) = self.children.get_mut() else {
            return;
        };
        let count = parts.len();
        children.every(&mut |child| {
            if child.entries.now().is_open() {
                child.scatter(parts);
            } else {
                let below = std::mem::take(&mut child.children);
                parts[child.entries.now().last().unwrap_or(0) % count].push(below);
            }
        });
    }

    /// Takes a node below out of the tree, by the places of the moves that lead to it. What lies
    /// beside the way is left in `beside`.
    #[expect(
        clippy::vec_box,
        reason = "the blocks are moved out of the tree as they are, not copied"
    )]
    pub fn take(mut self, places: &[usize], beside: &mut Vec<Box<Children<V>>>) -> Option<Node<V>> {
        let Some((&place, rest)) = places.split_first() else {
            return Some(self);
        };
        let mut place = place;
        let mut children = self.children.take()?;
        while place >= children.nodes.len() {
            place -= children.nodes.len();
            let more = children.more.take();
            beside.push(children);
            children = more?;
        }
        let node = std::mem::replace(&mut children.nodes[place], Node::new(0, 0.0, 0));
        beside.push(children);
        node.take(rest, beside)
    }
}
