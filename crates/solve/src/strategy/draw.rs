//! A strategy to draw: a set of positions that the opponent cannot leave.
//!
//! Each position of the strategist has one move into the set, each of the opponent has all its
//! moves in it. Cycles are welcome, since play without end is a draw. A position may turn out to be
//! lost after it was chosen; those who chose it then choose again.

use super::StrategyError;
use super::explorer::{Explorer, Mark, ROOT, Target};
use crate::certificate::Certifiable;

impl<G: Certifiable> Explorer<'_, G> {
    /// Explores until the set is closed.
    pub(super) fn explore_draw(&mut self) -> Result<(), StrategyError> {
        while let Some(number) = self.pending.pop() {
            let node = self.node(number);
            if node.mark == Mark::Lost {
                continue;
            }
            node.expanded = true;
            if node.strategist {
                match self.choose(number, |node| node.mark == Mark::Open)? {
                    Some((mv, target)) => {
                        if let Target::Position(child) = target {
                            self.link(number, mv, child)?;
                        }
                        self.node(number).choice = Some(mv);
                    }
                    None => self.lose(number),
                }
            } else if !self.hold_all(number)? {
                self.lose(number);
            }
            if self.node(ROOT).mark == Mark::Lost {
                return Err(self.contradiction(ROOT));
            }
        }
        Ok(())
    }

    /// Adds all moves of the opponent; false if one of them leads out of what can be held.
    fn hold_all(&mut self, number: u32) -> Result<bool, StrategyError> {
        let successors = self.successors(number);
        if successors
            .iter()
            .any(|(_, child)| self.known(child) == Some(false))
        {
            return Ok(false);
        }
        for (mv, child) in successors {
            if self.known(&child).is_some() {
                continue;
            }
            let child = self.enter(child)?;
            if self.node(child).mark == Mark::Lost {
                return Ok(false);
            }
            self.link(number, mv, child)?;
        }
        Ok(true)
    }

    /// Marks a position as lost, and those of the opponent before it; those of the strategist that
    /// chose it wait to choose again.
    fn lose(&mut self, number: u32) {
        self.node(number).mark = Mark::Lost;
        let mut fresh = vec![number];
        while let Some(lost) = fresh.pop() {
            let parents: Vec<_> = self.parents(lost).collect();
            for edge in parents {
                let parent = self.node(edge.parent);
                if parent.mark == Mark::Lost {
                    continue;
                }
                if !parent.strategist {
                    parent.mark = Mark::Lost;
                    fresh.push(edge.parent);
                } else if parent.choice == Some(edge.mv) {
                    parent.choice = None;
                    self.pending.push(edge.parent);
                }
            }
        }
    }
}
