//! What a playout leaves behind beside means: the moves that came later, proofs, and the minimax
//! value of evaluations.

use std::sync::atomic::Ordering::Relaxed;

use tabia_game::Player;

use super::config::Amaf;
use super::playout::Values;
use super::search::{Step, Worker};
use super::select::slot;
use super::sums::{Later, View, fixed};

impl Worker<'_> {
    /// Credits the moves of a playout to the nodes of the descent before which they could have been
    /// played.
    pub fn learn_later<const V: usize>(&mut self, path: &[Step<'_, V>], values: &Values) {
        let (config, facts) = (self.config, self.facts);
        let line = &self.thread.line;
        let credit = |later: &Later, player| {
            let value = View::new(player, facts.hero, V).value(values);
            later.credit(fixed(value), self.crew.shares());
        };
        match config.amaf {
            Amaf::Off => {}
            Amaf::Rave => {
                let place = |player: Player, index| player.index() * facts.move_indices + index;
                for (ply, played) in (1..).zip(line) {
                    self.last[place(played.player, played.index as usize)] = ply;
                }
                for step in path {
                    let (Some(_), Some(children)) = (step.view, step.node.children.get()) else {
                        continue;
                    };
                    let Some(mover) = line.get(step.ply).map(|ply| ply.player) else {
                        continue;
                    };
                    let count = children.nodes.len();
                    let later = children.later.get_or_init(|| {
                        self.budget.add((count * size_of::<Later>()) as u64, 0);
                        Later::table(count)
                    });
                    for (child, later) in children.nodes.iter().zip(later) {
                        if self.last[place(mover, child.index as usize)] as usize > step.ply {
                            credit(later, mover);
                        }
                    }
                }
                for played in line {
                    self.last[place(played.player, played.index as usize)] = 0;
                }
            }
            Amaf::Grave => {
                for step in path {
                    let Some(children) = step.node.children.get() else {
                        continue;
                    };
                    if step.node.visits() < config.reference {
                        continue;
                    }
                    let slots = self.slots;
                    let table = children.later.get_or_init(|| {
                        self.budget.add((slots * size_of::<Later>()) as u64, 0);
                        Later::table(slots)
                    });
                    for played in &line[step.ply..] {
                        let slot = slot(played.index as usize, played.player, slots);
                        credit(&table[slot], played.player);
                    }
                }
            }
        }
    }

    /// What is proved, and what evaluations are worth by minimax, from the leaf to the root.
    pub fn hand_back<const V: usize>(&self, path: &[Step<'_, V>]) {
        let config = self.config;
        if config.solver && V == 1 {
            for step in path.iter().rev() {
                // The end of a game has no view, and was proved when it was met.
                let (Some(view), Some(children)) = (step.view, step.node.children.get()) else {
                    if step.node.proved().is_some() {
                        continue;
                    }
                    break;
                };
                if !step.node.prove_by(children, view) && step.node.proved().is_none() {
                    break;
                }
            }
        }
        if config.implicit != 0.0 {
            for step in path.iter().rev() {
                let (Some(view), Some(children)) = (step.view, step.node.children.get()) else {
                    continue;
                };
                let values = children.all().map(|child| child.implicit.load(Relaxed));
                let best = match view.maximises() {
                    true => values.max(),
                    false => values.min(),
                };
                if let Some(best) = best {
                    step.node.implicit.store(best, Relaxed);
                }
            }
        }
    }
}
