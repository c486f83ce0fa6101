//! Maximum matchings in general graphs, by augmenting paths through shrunken blossoms.
//!
//! Edmonds (1965), "Paths, Trees, and Flowers". What is particular: vertices can be taken out one
//! pair after the other while the matching of the rest is kept at its maximum, which takes one
//! search for each vertex without a mate. So a pairing can be fixed from the top down, and each
//! step knows whether the rest can still be paired.

use std::collections::VecDeque;

/// A maximum matching of those vertices that are left.
#[derive(Clone)]
pub(super) struct Matching {
    mate: Vec<Option<usize>>,
    left: Vec<bool>,
}

impl Matching {
    /// A maximum matching of all vertices from 0 to `size` but those that are `out`.
    pub(super) fn new(
        size: usize,
        out: Option<usize>,
        edge: &impl Fn(usize, usize) -> bool,
    ) -> Matching {
        let mut matching = Matching {
            mate: vec![None; size],
            left: (0..size).map(|v| Some(v) != out).collect(),
        };
        for vertex in 0..size {
            matching.augment(vertex, edge);
        }
        matching
    }

    /// How many vertices are left without a mate.
    pub(super) fn exposed(&self) -> usize {
        let all = self.left.iter().zip(&self.mate);
        all.filter(|(left, mate)| **left && mate.is_none()).count()
    }

    /// Takes two vertices out; the matching of the rest is a maximum again.
    pub(super) fn without(
        &self,
        pair: [usize; 2],
        edge: &impl Fn(usize, usize) -> bool,
    ) -> Matching {
        let mut rest = self.clone();
        for vertex in pair {
            rest.left[vertex] = false;
            if let Some(mate) = rest.mate[vertex].take() {
                rest.mate[mate] = None;
            }
        }
        // The two mates may find each other and so open a path between others, so all are tried.
        for vertex in 0..rest.mate.len() {
            rest.augment(vertex, edge);
        }
        rest
    }

    /// Finds a mate for an exposed vertex along an augmenting path, if there is one.
    fn augment(&mut self, root: usize, edge: &impl Fn(usize, usize) -> bool) {
        if !self.left[root] || self.mate[root].is_some() {
            return;
        }
        let mut tree = Tree::new(self.mate.len(), root);
        while let Some(vertex) = tree.queue.pop_front() {
            for next in 0..self.mate.len() {
                let follows = self.left[next]
                    && next != vertex
                    && tree.base[vertex] != tree.base[next]
                    && self.mate[vertex] != Some(next)
                    && edge(vertex, next);
                if !follows {
                    continue;
                }
                match self.mate[next] {
                    _ if tree.is_outer(next, root, &self.mate) => {
                        tree.shrink(vertex, next, &self.mate);
                    }
                    _ if tree.parent[next].is_some() => {}
                    None => {
                        tree.parent[next] = Some(vertex);
                        return self.flip(next, &tree);
                    }
                    Some(mate) => {
                        tree.parent[next] = Some(vertex);
                        tree.reach(mate);
                    }
                }
            }
        }
    }

    /// Swaps matched and unmatched edges on the path from the root to `end`.
    fn flip(&mut self, end: usize, tree: &Tree) {
        let mut at = Some(end);
        while let Some(vertex) = at {
            let Some(parent) = tree.parent[vertex] else {
                return;
            };
            at = self.mate[parent];
            self.mate[vertex] = Some(parent);
            self.mate[parent] = Some(vertex);
        }
    }
}

/// The alternating tree of one search. Outer vertices are an even number of edges from the root.
struct Tree {
    /// For inner vertices, and for outer ones within a blossom, the vertex before them.
    parent: Vec<Option<usize>>,
    /// The base of the blossom that a vertex is part of, or itself.
    base: Vec<usize>,
    reached: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Tree {
    fn new(size: usize, root: usize) -> Tree {
        let mut tree = Tree {
            parent: vec![None; size],
            base: (0..size).collect(),
            reached: vec![false; size],
            queue: VecDeque::new(),
        };
        tree.reach(root);
        tree
    }

    fn reach(&mut self, outer: usize) {
        if !self.reached[outer] {
            self.reached[outer] = true;
            self.queue.push_back(outer);
        }
    }

    fn is_outer(&self, vertex: usize, root: usize, mate: &[Option<usize>]) -> bool {
        vertex == root || mate[vertex].is_some_and(|m| self.parent[m].is_some())
    }

    /// The bases of all blossoms from a vertex to the root.
    fn bases(&self, mut vertex: usize, mate: &[Option<usize>]) -> Vec<usize> {
        let mut bases = Vec::new();
        loop {
            vertex = self.base[vertex];
            bases.push(vertex);
            match mate[vertex].and_then(|inner| self.parent[inner]) {
                Some(outer) => vertex = outer,
                None => return bases,
            }
        }
    }

    /// Two outer vertices are joined by an edge: the cycle that it closes becomes one outer vertex.
    fn shrink(&mut self, a: usize, b: usize, mate: &[Option<usize>]) {
        let others = self.bases(b, mate);
        let common = self.bases(a, mate).into_iter().find(|v| others.contains(v));
        let Some(common) = common else {
            return;
        };
        let mut inside = vec![false; self.base.len()];
        for (mut vertex, mut child) in [(a, b), (b, a)] {
            while self.base[vertex] != common {
                let Some(inner) = mate[vertex] else {
                    break;
                };
                inside[self.base[vertex]] = true;
                inside[self.base[inner]] = true;
                self.parent[vertex] = Some(child);
                child = inner;
                match self.parent[inner] {
                    Some(outer) => vertex = outer,
                    None => break,
                }
            }
        }
        for vertex in 0..self.base.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = common;
                self.reach(vertex);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The size of a maximum matching by trying everything.
    fn exhaustive(left: &[usize], edge: &impl Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = left.split_first() else {
            return 0;
        };
        let mut best = exhaustive(rest, edge);
        for (i, &other) in rest.iter().enumerate() {
            if edge(first, other) {
                let mut rest = rest.to_vec();
                rest.remove(i);
                best = best.max(1 + exhaustive(&rest, edge));
            }
        }
        best
    }

    fn check(matching: &Matching, left: &[usize], edge: &impl Fn(usize, usize) -> bool) {
        for &vertex in left {
            if let Some(mate) = matching.mate[vertex] {
                assert!(edge(vertex, mate) && left.contains(&mate));
                assert_eq!(matching.mate[mate], Some(vertex));
            }
        }
        assert_eq!(
            left.iter().filter(|&&v| matching.mate[v].is_some()).count(),
            2 * exhaustive(left, edge),
            "{left:?}"
        );
    }

    /// Without 0 and 3 their mates 1 and 7 find each other, and only then 6 and 8 get one.
    #[test]
    fn a_new_pair_opens_a_path_for_others() {
        let edges = [[0, 1], [3, 7], [1, 7], [6, 7], [1, 8]];
        let edge = |a: usize, b: usize| edges.contains(&[a, b]) || edges.contains(&[b, a]);
        let matching = Matching::new(9, None, &edge);
        assert_eq!((matching.mate[0], matching.mate[3]), (Some(1), Some(7)));
        check(&matching.without([3, 0], &edge), &[1, 6, 7, 8], &edge);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Maximal at first and after each pair that is taken out.
        #[test]
        fn matchings_are_maximal(size in 0_usize..10, bits: u64, pairs: u64, out in 0_usize..12) {
            let number = |a: usize, b: usize| a.max(b) * (a.max(b) + 1) / 2 + a.min(b);
            let edge = |a: usize, b: usize| a != b && bits >> number(a, b) & 1 == 1;
            let mut left: Vec<usize> = (0..size).filter(|v| *v != out).collect();
            let mut matching = Matching::new(size, Some(out), &edge);
            check(&matching, &left, &edge);
            let mut choices = pairs;
            while left.len() >= 2 {
                let a = left.remove(choices as usize % left.len());
                let b = left.remove((choices >> 8) as usize % left.len());
                choices = choices.rotate_right(16);
                matching = matching.without([a, b], &edge);
                check(&matching, &left, &edge);
            }
        }
    }
}
