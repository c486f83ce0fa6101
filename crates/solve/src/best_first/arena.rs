//! The tree of a best-first search, in one piece of memory with a bound.
//!
//! A node is a number. The children of a node lie side by side, so that what a parent combines is
//! read in one sweep; what the nodes carry lies in columns, so that nothing is padded. Nodes are
//! created at the end and dropped from the end: a second-level tree grows on top of the first.

use std::ops::Range;

/// The root of the tree.
pub(super) const ROOT: u32 = 0;

/// A node cannot be created: memory is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// The children of a node: the first, and how many.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    first: u32,
    count: u32,
}

/// A tree whose nodes carry an information and the move that leads to them.
pub struct Arena<I, M> {
    informations: Vec<I>,
    children: Vec<Children>,
    /// The root has no move, so that the move of a node is one place before it.
    moves: Vec<M>,
    max_nodes: usize,
    held: usize,
}

impl<I: Copy, M: Copy> Arena<I, M> {
    /// What a node takes.
    const NODE_BYTES: usize = size_of::<I>() + size_of::<Children>() + size_of::<M>();

    /// A tree of a root alone. It has room for that even if `bytes` are too few.
    pub(super) fn new(root: I, bytes: u64) -> Arena<I, M> {
        let max_nodes = bytes / Self::NODE_BYTES as u64;
        Arena {
            informations: vec![root],
            children: vec![Children::default()],
            moves: Vec::new(),
            max_nodes: max_nodes.clamp(1, u64::from(u32::MAX)) as usize,
            held: 1,
        }
    }

    /// How many nodes there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.informations.len()
    }

    /// How many nodes there were at most.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    #[inline]
    pub(super) fn information(&self, node: u32) -> I {
        self.informations[node as usize]
    }

    #[inline]
    pub(super) fn set_information(&mut self, node: u32, information: I) {
        self.informations[node as usize] = information;
    }

    /// The move that leads to a node other than the root.
    #[inline]
    pub(super) fn last_move(&self, node: u32) -> M {
        self.moves[node as usize - 1]
    }

    #[inline]
    pub(super) fn is_leaf(&self, node: u32) -> bool {
        self.children[node as usize].count == 0
    }

    #[inline]
    pub(super) fn first_child(&self, node: u32) -> u32 {
        self.children[node as usize].first
    }

    #[inline]
    fn child_range(&self, node: u32) -> Range<usize> {
        let Children { first, count } = self.children[node as usize];
        first as usize..first as usize + count as usize
    }

    /// What the children of a node carry, in the order of the moves.
    #[inline]
    pub(super) fn child_informations(&self, node: u32) -> &[I] {
        &self.informations[self.child_range(node)]
    }

    /// Creates a node, which belongs to nobody until it is [adopted](Arena::adopt).
    #[inline]
    pub(super) fn push(&mut self, information: I, last_move: M) -> Result<(), Full> {
        if self.len() == self.informations.capacity() || self.len() >= self.max_nodes {
            self.grow()?;
        }
        self.informations.push(information);
        self.children.push(Children::default());
        self.moves.push(last_move);
        self.held = self.held.max(self.len());
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        let len = self.len();
        let room = (2 * len).max(1024).min(self.max_nodes).saturating_sub(len);
        if room == 0 {
            return Err(Full);
        }
        let reserved = self.informations.try_reserve_exact(room).is_ok()
            && self.children.try_reserve_exact(room).is_ok()
            && self.moves.try_reserve_exact(room + 1).is_ok();
        if !reserved {
            // The columns may have grown apart; none of them grows again.
            self.max_nodes = len;
            return Err(Full);
        }
        Ok(())
    }

    /// Makes all nodes from this one on children of `parent`.
    #[inline]
    pub(super) fn adopt(&mut self, parent: u32, first: usize) {
        self.children[parent as usize] = Children {
            first: first as u32,
            count: (self.len() - first) as u32,
        };
    }

    /// Drops all nodes from this one on, to which no other node may be linked.
    pub(super) fn truncate(&mut self, len: usize) {
        self.informations.truncate(len);
        self.children.truncate(len);
        self.moves.truncate(len.saturating_sub(1));
    }

    /// Makes a node a leaf; its subtree must be dropped.
    pub(super) fn make_leaf(&mut self, node: u32) {
        self.children[node as usize] = Children::default();
    }

    /// Drops all below the children of a node, where they were created before everything else below
    /// it.
    pub(super) fn keep_children(&mut self, node: u32) {
        let kept = self.child_range(node);
        self.truncate(kept.end);
        self.children[kept].fill(Children::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_never_outgrows_its_bytes() {
        let bytes = 18 * 5000;
        let mut arena = Arena::<u64, u16>::new(0, bytes);
        let created = (0..).take_while(|&i| arena.push(i, 0).is_ok()).count();
        assert_eq!((created, arena.len(), arena.held()), (4999, 5000, 5000));
        let columns = [
            8 * arena.informations.capacity(),
            8 * arena.children.capacity(),
            2 * arena.moves.capacity(),
        ];
        assert!(columns.iter().sum::<usize>() as u64 <= bytes);
        arena.truncate(10);
        assert_eq!((arena.len(), arena.held()), (10, 5000));
        assert_eq!(arena.push(0, 0), Ok(()));
    }

    #[test]
    fn a_subtree_is_cut_back_to_its_children() {
        let mut arena = Arena::<char, u8>::new('r', 10_000);
        let mut family = |parent, names: &str| {
            let first = arena.len();
            names.chars().for_each(|name| arena.push(name, 0).unwrap());
            arena.adopt(parent, first);
        };
        family(0, "ab");
        family(2, "cde");
        family(4, "fg");
        arena.keep_children(2);
        assert_eq!(arena.child_informations(2), ['c', 'd', 'e']);
        assert!(arena.is_leaf(4) && arena.len() == 6);
    }
}
