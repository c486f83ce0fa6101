//! Which nodes need not be searched any further; see the notes on pruning of [`node`](super::node).

use tabia_game::{Key, Knowledge, MoveIndex};

use super::Ties;
use super::aims::{Aims, Vector};
use super::config::Prune;
use super::node::{Found, Worker};
use super::ties::Offer;

impl<G, K, A> Worker<'_, G, K, A>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    A: Aims<G>,
{
    /// What a node comes to that need not be searched any further.
    pub(super) fn cut(&mut self, ply: usize) -> Option<Found> {
        match self.prune {
            Prune::Nothing | Prune::Immediate => None,
            Prune::Shallow | Prune::LastBranch | Prune::Speculative => self.rejected(ply),
            Prune::Deep => self.deep(ply),
        }
    }

    /// Whether the player of a level would not take this instead of what they have.
    pub(super) fn rejects(&self, level: usize, values: &Vector) -> bool {
        let frame = &self.frames[level];
        let offer = Offer {
            values: *values,
            number: frame.number,
        };
        frame.best.is_some_and(|best| {
            !self
                .config
                .ties
                .prefers(frame.player, self.root, &offer, &best)
        })
    }

    /// The node is worth its best move, if that gives its player the most there is and no other can
    /// be preferred.
    pub(super) fn all_there_is(&self, ply: usize, waiting: usize) -> Option<Found> {
        let frame = &self.frames[ply];
        let best = frame.best?;
        if best.values[frame.player] < frame.most[frame.player] {
            return None;
        }
        let others = (0..self.players).filter(|&p| p != frame.player);
        let left: i32 = others.map(|p| frame.least[p]).sum();
        let determined = frame.total - frame.most[frame.player] <= left;
        let settled = match self.config.ties {
            Ties::First => true,
            Ties::Worst => {
                frame.player == self.root || best.values[self.root] <= frame.least[self.root]
            }
            Ties::Total => false,
        };
        // Moves that were rejected before may be as good.
        let settled = settled && self.waiting.len() == waiting;
        (determined || settled).then_some(Found::Values {
            values: best.values,
            complete: frame.best_complete,
        })
    }

    /// Rejects a node that cannot give the player above it what they have, by the most that they
    /// can get.
    pub(super) fn out_of_reach(&self, ply: usize) -> Option<Found> {
        let level = ply.checked_sub(1)?;
        let above = &self.frames[level];
        let most = self.frames[ply].most[above.player];
        let best = above.best?.values[above.player];
        (most < best).then_some(Found::Rejected {
            level,
            complete: above.best_complete,
        })
    }

    /// Who on the path does not want what comes of this node, if anybody.
    pub(super) fn rejected(&mut self, ply: usize) -> Option<Found> {
        let node = &self.frames[ply];
        let mut share = node.least;
        let own = node
            .best
            .map(|offer| (offer.values[node.player], node.best_complete));
        let (own, mut complete) = own.max(node.known)?;
        share[node.player] = own.max(share[node.player]);
        let mut seen = 1u32 << node.player;
        for level in (0..ply).rev() {
            let frame = &self.frames[level];
            let player = frame.player;
            if seen & 1 << player != 0 {
                break;
            }
            seen |= 1 << player;
            if let Some(best) = frame.best {
                let mut left = share;
                let others = (0..self.players).filter(|&p| p != player);
                left[player] = node.total - others.map(|p| share[p]).sum::<i32>();
                let between = level + 1..ply;
                let spurned = between.clone().all(|y| {
                    self.frames[y]
                        .best
                        .is_none_or(|best| self.rejects(level, &best.values))
                });
                if spurned && self.rejects(level, &left) {
                    self.stats.rejected += 1;
                    let complete = complete && frame.best_complete;
                    return Some(Found::Rejected { level, complete });
                }
                share[player] = share[player].max(best.values[player]);
                complete &= frame.best_complete;
            }
            match self.prune {
                Prune::Speculative => {}
                Prune::LastBranch if frame.last => {}
                _ => break,
            }
        }
        None
    }

    /// Cuts where the latest bounds of all players on the path leave nothing, right or wrong.
    fn deep(&mut self, ply: usize) -> Option<Found> {
        let node = &self.frames[ply];
        let best = node.best?;
        let mut share = node.least;
        let mut seen = 0u32;
        let mut bounds = 0;
        for frame in self.frames[..=ply].iter().rev() {
            if let Some(best) = frame.best
                && seen & 1 << frame.player == 0
            {
                seen |= 1 << frame.player;
                bounds += 1;
                share[frame.player] = share[frame.player].max(best.values[frame.player]);
            }
        }
        let sum: i32 = share[..self.players].iter().sum();
        (ply > 0 && bounds > 1 && sum >= node.total).then(|| {
            self.stats.rejected += 1;
            Found::Values {
                values: best.values,
                complete: false,
            }
        })
    }
}
