//! Opening books of any game for two players without chance, in the manner of Scribe (Karapetyan
//! and Lorentz 2004).
//!
//! A book is a tree of moves. Every node has a heuristic value, from a search of fixed depth, and a
//! propagated one: its own if it is a leaf, else the best of its children's for whoever moves.
//! Values are in millionths and those of the first player throughout, so that nothing depends on
//! who moves next. A [`GrowthMethod`] says where a book grows; people may overrule values and
//! moves. Nodes stand behind their parents, so that everything about the tree follows from one
//! sweep over the list and no line is too deep.

mod diagram;
mod file;
mod grow;
mod methods;
mod play;

use serde::{Deserialize, Serialize};

pub use diagram::{Exit, drop_outs, drop_outs_svg};
pub use file::BookError;
pub use grow::{Builder, Growth};
pub use methods::{GrowthMethod, NextMove};
pub(crate) use play::{Booked, Pages};

/// Millionths of a win for the first player.
pub type BookValue = i32;

/// The number of a node.
pub type NodeId = usize;

/// The root of every book.
pub const ROOT: NodeId = 0;

/// What a book is about, and how its positions are valued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game.
    pub game: String,
    /// Where the book begins, if not at the start of the game.
    pub position: Option<String>,
    /// The engine that values positions.
    pub engine: String,
    /// How many plies it looks ahead.
    pub depth: u32,
    /// How many moves of a position are searched at a time, the most promising at first sight.
    pub breadth: usize,
    /// What is done about values that favour whoever moved last.
    pub correction: Correction,
}

/// What is done about values that favour whoever moved last, where a search ends after a move of
/// the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Nothing.
    #[default]
    None,
    /// This many millionths are taken off at the first ply, a tenth less at every ply, nothing
    /// beyond the ninth (method b).
    Amount(BookValue),
    /// The value is that of one more ply from where the search ended (method c).
    Search,
}

/// A remark about a move that overrules its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Whatever its value, it is played.
    Best,
    /// It is not played if there is another.
    Worst,
}

/// A search whose value a node has had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// Plies looked ahead.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// What was found.
    pub value: BookValue,
}

/// A move that has been searched but is not in the book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The move.
    pub mv: String,
    /// Who is to move after it; nobody if the game is over.
    pub mover: Option<u8>,
    /// The search that valued it; none if the game is over.
    pub search: Option<Searched>,
    /// Its value.
    pub value: BookValue,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The node before it; none for the root.
    pub parent: Option<NodeId>,
    /// The move that leads here; empty for the root.
    pub mv: String,
    /// Who is to move; nobody if the game is over.
    pub mover: Option<u8>,
    /// The heuristic value.
    pub value: BookValue,
    /// The value that somebody gave it, which counts instead of its own and of what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<BookValue>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<Flag>,
    /// The searches of the position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<Searched>,
    /// Moves that are searched but not in the book, the best for whoever moves first; none if no
    /// move has been looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Vec<Waiting>>,
    /// Moves that have not even been searched.
    #[serde(default)]
    pub unseen: usize,
    /// Moves that somebody struck out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<String>,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    header: Header,
    nodes: Vec<Node>,
    tree: Vec<DerivedNode>,
}

/// What follows from the list of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DerivedNode {
    /// Plies from the root.
    pub level: usize,
    /// The children, in the order in which they came.
    pub children: Vec<NodeId>,
    /// The propagated value.
    pub propagated: BookValue,
    /// Whether nothing can be added here or below.
    pub closed: bool,
}

impl Book {
    /// A book of nothing but its root.
    pub fn new(header: Header, mover: Option<u8>, value: BookValue) -> Book {
        let root = Node {
            parent: None,
            mv: String::new(),
            mover,
            value,
            given: None,
            flag: None,
            log: Vec::new(),
            waiting: None,
            unseen: 0,
            struck: Vec::new(),
        };
        Book::of(header, vec![root])
    }

    fn of(header: Header, nodes: Vec<Node>) -> Book {
        let mut book = Book {
            header,
            nodes,
            tree: Vec::new(),
        };
        book.arrange();
        book
    }

    /// What it is about.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What follows from the nodes, for each of them.
    pub fn tree(&self) -> &[DerivedNode] {
        &self.tree
    }

    /// Works out levels, children and propagated values.
    fn arrange(&mut self) {
        self.tree.clear();
        self.tree.resize(self.nodes.len(), DerivedNode::default());
        for id in 0..self.nodes.len() {
            if let Some(parent) = self.nodes[id].parent {
                self.tree[id].level = self.tree[parent].level + 1;
                self.tree[parent].children.push(id);
            }
        }
        for id in (0..self.nodes.len()).rev() {
            self.tree[id] = self.settled(id);
        }
    }

    /// What follows for a node from its children.
    fn settled(&mut self, id: NodeId) -> DerivedNode {
        let node = &self.nodes[id];
        let best = self.best_child(id);
        let propagated = best.map_or(node.value, |child| self.tree[child].propagated);
        let ranked = node.waiting.as_ref().is_some_and(Vec::is_empty) && node.unseen == 0;
        let done = self.tree[id].children.iter().all(|&c| self.tree[c].closed);
        DerivedNode {
            level: self.tree[id].level,
            propagated: node.given.unwrap_or(propagated),
            closed: node.mover.is_none() || ranked && done,
            children: std::mem::take(&mut self.tree[id].children),
        }
    }

    /// Works out values from a node that has changed up to the root.
    pub(crate) fn refresh(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next {
            self.tree[id] = self.settled(id);
            next = self.nodes[id].parent;
        }
    }

    /// A value as whoever moves at a node sees it: more is better.
    pub fn seen(&self, id: NodeId, value: BookValue) -> i64 {
        match self.nodes[id].mover {
            Some(1) => -i64::from(value),
            _ => i64::from(value),
        }
    }

    /// The child to play: one that is marked as best, else the best of those that are not marked as
    /// worst, else the best; of equals the first that came.
    pub fn best_child(&self, id: NodeId) -> Option<NodeId> {
        let children = self.tree[id].children.iter().copied();
        children.min_by_key(|&child| self.rank(id, child))
    }

    /// The children, the one to play first.
    pub fn ranked_children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = self.tree[id].children.clone();
        children.sort_by_key(|&child| self.rank(id, child));
        children
    }

    /// Marks come before values; less is better.
    fn rank(&self, id: NodeId, child: NodeId) -> (u8, i64) {
        (
            self.mark_rank(child),
            -self.seen(id, self.tree[child].propagated),
        )
    }

    /// Less is better.
    fn mark_rank(&self, id: NodeId) -> u8 {
        match self.nodes[id].flag {
            Some(Flag::Best) => 0,
            None => 1,
            Some(Flag::Worst) => 2,
        }
    }

    /// The children at and below which a book grows, in the order in which they came: of those
    /// where something can be added the ones that are marked as best, else those without a mark,
    /// else those that are marked as worst.
    fn growing(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let open = move || {
            let children = self.tree[id].children.iter().copied();
            children.filter(|&child| !self.tree[child].closed)
        };
        let least = open().map(|child| self.mark_rank(child)).min();
        open().filter(move |&child| Some(self.mark_rank(child)) == least)
    }

    /// The moves that lead to a node.
    pub fn line(&self, id: NodeId) -> Vec<&str> {
        let mut line = Vec::new();
        let mut node = &self.nodes[id];
        while let Some(parent) = node.parent {
            line.push(node.mv.as_str());
            node = &self.nodes[parent];
        }
        line.reverse();
        line
    }

    /// The node that moves lead to; an error names the move that is not there and those that are.
    pub fn find(&self, moves: &[&str]) -> Result<NodeId, BookError> {
        moves.iter().try_fold(ROOT, |id, &mv| {
            let children = &self.tree[id].children;
            let same = |child: &&NodeId| self.nodes[**child].mv.eq_ignore_ascii_case(mv);
            children.iter().find(same).copied().ok_or_else(|| {
                let known: Vec<&str> = children
                    .iter()
                    .map(|&c| self.nodes[c].mv.as_str())
                    .collect();
                BookError::Request(format!(
                    "the book has no move '{mv}' after '{}'; it has: {}",
                    self.line(id).join(" "),
                    if known.is_empty() {
                        "none".to_string()
                    } else {
                        known.join(" ")
                    }
                ))
            })
        })
    }

    /// The line that the book expects from a node on.
    pub fn principal_line(&self, mut id: NodeId) -> Vec<NodeId> {
        let mut line = Vec::new();
        while let Some(child) = self.best_child(id) {
            line.push(child);
            id = child;
        }
        line
    }

    /// Adds a move that was waiting.
    pub(crate) fn add(&mut self, parent: NodeId, found: Waiting) -> NodeId {
        let id = self.nodes.len();
        self.tree.push(DerivedNode {
            level: self.tree[parent].level + 1,
            children: Vec::new(),
            propagated: found.value,
            closed: found.mover.is_none(),
        });
        self.tree[parent].children.push(id);
        self.nodes.push(Node {
            parent: Some(parent),
            mv: found.mv,
            mover: found.mover,
            value: found.value,
            given: None,
            flag: None,
            log: found.search.into_iter().collect(),
            waiting: None,
            unseen: 0,
            struck: Vec::new(),
        });
        self.refresh(parent);
        id
    }

    /// Gives a node a value, or its own again.
    pub fn give_value(&mut self, id: NodeId, value: Option<BookValue>) {
        self.nodes[id].given = value;
        self.refresh(id);
    }

    /// Marks a move, or takes the mark away.
    pub fn mark(&mut self, id: NodeId, flag: Option<Flag>) -> Result<(), BookError> {
        if id == ROOT {
            return Err(BookError::Request(
                "the root is no move that could be marked".into(),
            ));
        }
        self.nodes[id].flag = flag;
        self.refresh(id);
        Ok(())
    }

    /// Takes a node and all that follows it out of the book; it will not come back by itself. How
    /// many nodes went.
    pub fn strike(&mut self, id: NodeId) -> Result<usize, BookError> {
        let Some(parent) = self.nodes[id].parent else {
            return Err(BookError::Request(
                "the root cannot be taken out of its book".into(),
            ));
        };
        let mv = self.nodes[id].mv.clone();
        self.nodes[parent].struck.push(mv);
        let mut kept: Vec<Option<NodeId>> = Vec::with_capacity(self.nodes.len());
        let (mut left, mut count) = (Vec::new(), 0);
        for (number, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            let parent = node.parent.map(|parent| kept[parent]);
            if number == id || parent == Some(None) {
                kept.push(None);
                count += 1;
                continue;
            }
            node.parent = parent.flatten();
            kept.push(Some(left.len()));
            left.push(node);
        }
        self.nodes = left;
        self.arrange();
        Ok(count)
    }
}
