//! How the tree grows: the moves of a leaf, and the outcomes of a chance node.

use std::sync::atomic::Ordering::Relaxed;

use rand::RngExt;
use tabia_game::{CERTAIN, Player};

use super::Worker;
use crate::mcts::config::{Amaf, ChanceNodes, Selection};
use crate::mcts::moves::{Move, Moves};
use crate::mcts::tree::{Child, Children, Node};
use crate::mcts::walk::Listed;

/// Children of a node that are added at once.
const FIRST_CHILDREN: usize = 32;

impl Worker<'_> {
    /// The children of a node, to which the next ones are added if need be.
    pub(super) fn grown<'t, const V: usize>(
        &mut self,
        node: &'t Node<V>,
        player: Player,
    ) -> Option<&'t Children<V>> {
        let present = match node.children.get() {
            None => 0,
            Some(children) => match children.missing() {
                // Those that are there have not all been visited.
                Some(count) if (node.entries() as usize) < count => return Some(children),
                None => return Some(children),
                Some(count) => count,
            },
        };
        let config = self.config;
        let present_children = || node.children.get().map(|children| &**children);
        // Only where children are visited in order, and nothing is to be known of them, some can be
        // left for later.
        let all = config.knows()
            || config.amaf != Amaf::Off
            || config.expand > 0
            || self.facts.rule.forbids();
        let most = match all {
            true => usize::MAX,
            false => FIRST_CHILDREN.max(4 * present),
        };
        let Listed { count, complete } = self.walk.list(most);
        let added = count.saturating_sub(present);
        let move_bytes = self.facts.move_bytes;
        let bytes = Children::<V>::bytes(added, move_bytes, self.crew.threads);
        if !self.budget.admits(bytes) {
            return present_children();
        }
        let (nodes, moves) = match config.knows() || config.amaf != Amaf::Off {
            false => {
                let payoff = self.facts.max_payoff;
                let nodes = (0..added).map(|_| Node::new(0, 0.0, payoff)).collect();
                let order = &mut (present.min(count)..count);
                (nodes, self.walk.listed(order, &mut self.shorts))
            }
            true => self.informed(player, count),
        };
        let block = Children::new(nodes, (moves, &self.shorts), complete, self.crew);
        let is_added = match node.children.get() {
            None => node.children.set(block).is_ok(),
            Some(children) => children.append(block),
        };
        if is_added {
            self.add(bytes, added as u64);
        }
        present_children()
    }

    /// Children with what is known of them and the indices of their moves, the best first if not
    /// all are tried at once.
    fn informed<const V: usize>(
        &mut self,
        player: Player,
        count: usize,
    ) -> (Box<[Node<V>]>, Moves) {
        let (config, payoff) = (self.config, self.facts.max_payoff);
        self.indices.clear();
        match config.amaf {
            Amaf::Off => self.indices.resize(count, 0),
            _ => self.walk.indices(&mut self.indices),
        }
        let order = &mut self.order;
        order.clear();
        order.extend(0..count as u32);
        let indices = &self.indices;
        if !config.knows() {
            let nodes = indices.iter().map(|&index| Node::new(index, 0.0, payoff));
            let moves = self.walk.listed(&mut (0..count), &mut self.shorts);
            return (nodes.collect(), moves);
        }
        let (scores, unit) = self.walk.known(player);
        if config.widening > 0 {
            order.sort_by_key(|&place| -scores[place as usize]);
        }
        let known = |place: u32| scores[place as usize] as f32 * unit;
        let most = scores.iter().max().map_or(0.0, |&most| most as f32 * unit);
        let weight = |place| ((known(place) - most) / config.temperature as f32).exp();
        let weights: f32 = (0..count as u32).map(weight).sum();
        let sign = if player == self.facts.hero { 1.0 } else { -1.0 };
        let node = |&place: &u32| {
            let own = match config.selection {
                Selection::Puct => weight(place) / weights,
                _ => known(place),
            };
            let node = Node::new(indices[place as usize], own, payoff);
            let implicit = sign * known(place) * CERTAIN as f32;
            node.implicit.store(implicit as i32, Relaxed);
            node
        };
        let nodes = order.iter().map(node).collect();
        let mut order = order.iter().map(|&place| place as usize);
        (nodes, self.walk.listed(&mut order, &mut self.shorts))
    }

    /// The outcome that chance brings.
    pub(super) fn throw<'t, const V: usize>(&mut self, node: &'t Node<V>) -> Option<Child<'t, V>> {
        let children = node.children.get_or_init(|| {
            self.budget.add(Children::<V>::bytes(0, 0, 0), 0);
            Children::new(Box::new([]), (Moves::none(), &[]), false, self.crew)
        });
        if self.config.outcomes == ChanceNodes::Widening {
            let known = children.all().count() as f64;
            if known > 0.0 && known >= f64::from(node.visits()).sqrt() {
                // Outcomes were drawn as often as they are likely, so visits stand for
                // probabilities.
                let visits: u64 = children.all().map(|child| u64::from(child.visits())).sum();
                let mut drawn = self.thread.rng.random_range(0..visits.max(1));
                let place = children.all().position(|child| {
                    let own = u64::from(child.visits());
                    let found = drawn < own.max(u64::from(visits == 0));
                    drawn = drawn.saturating_sub(own);
                    found
                });
                return children.nth(place?);
            }
        }
        if !self.walk.throw(&mut self.thread) {
            return None;
        }
        let is_drawn = &mut |mv: &Move<'_>| self.walk.is_drawn(mv);
        let bytes = Children::<V>::bytes(1, self.facts.move_bytes, 0);
        let mut blocks = children.blocks();
        let known = blocks.find_map(|block| block.find(is_drawn));
        if known.is_some() || !self.budget.admits(bytes) {
            return known;
        }
        let new = || {
            let node = Node::new(0, 0.0, self.facts.max_payoff);
            let mut shorts = Vec::with_capacity(1);
            let moves = self.walk.drawn(&mut shorts);
            Children::new(Box::new([node]), (moves, &shorts), false, self.crew)
        };
        let (child, added) = children.outcome(is_drawn, &new);
        if added {
            self.add(bytes, 1);
        }
        Some(child)
    }
}
