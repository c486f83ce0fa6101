//! A strategy to win: positions are explored forwards and won backwards.
//!
//! A position of the strategist is won as soon as one move leads to a won position, one of the
//! opponent as soon as all do. The strategist's move is the one that led to a position won before,
//! so following it never comes back to where it was.

use super::StrategyError;
use super::explorer::{Answer, EFFORTS, Explorer, Mark, ROOT, Target};
use crate::certificate::Certifiable;

impl<G: Certifiable> Explorer<'_, G> {
    /// Explores until the first position is won.
    pub(super) fn explore_win(&mut self) -> Result<(), StrategyError> {
        self.expand_pending()?;
        // Moves that were good but went in circles: more of them are needed.
        for effort in EFFORTS {
            loop {
                let mut grown = false;
                for number in 0..self.nodes.len() as u32 {
                    if self.node(ROOT).mark == Mark::Won {
                        return Ok(());
                    }
                    let node = self.node(number);
                    if node.strategist && node.mark == Mark::Open {
                        grown |= self.widen(number, effort)?;
                        self.expand_pending()?;
                    }
                }
                if !grown {
                    break;
                }
            }
        }
        Err(self.contradiction(ROOT))
    }

    fn expand_pending(&mut self) -> Result<(), StrategyError> {
        while let Some(number) = self.pending.pop() {
            if self.node(ROOT).mark == Mark::Won {
                break;
            }
            self.node(number).expanded = true;
            if self.node(number).strategist {
                if let Some((mv, target)) = self.choose(number, |node| node.mark == Mark::Won)? {
                    self.lead(number, mv, target)?;
                }
            } else {
                self.expand_opponent(number)?;
            }
        }
        Ok(())
    }

    /// Adds a move of the strategist, unless the position is won without it: it might lead to one
    /// that was won because of this, and must not take the place of the move chosen before.
    fn lead(&mut self, number: u32, mv: G::Move, target: Target) -> Result<(), StrategyError> {
        if self.node(number).mark == Mark::Won {
            return Ok(());
        }
        let won = match target {
            Target::Leaf => true,
            Target::Position(child) => {
                self.link(number, mv, child)?;
                self.node(child).mark == Mark::Won
            }
        };
        if won {
            self.node(number).choice = Some(mv);
            self.win(number);
        }
        Ok(())
    }

    fn expand_opponent(&mut self, number: u32) -> Result<(), StrategyError> {
        for (mv, child) in self.successors(number) {
            match self.known(&child) {
                Some(true) => (),
                Some(false) => return Err(self.contradiction(number)),
                None => {
                    let child = self.enter(child)?;
                    self.link(number, mv, child)?;
                    if self.node(child).mark != Mark::Won {
                        self.node(number).missing += 1;
                    }
                }
            }
        }
        if self.node(number).missing == 0 {
            self.win(number);
        }
        Ok(())
    }

    /// Marks a position as won, and all that follow from it.
    fn win(&mut self, number: u32) {
        self.node(number).mark = Mark::Won;
        let mut fresh = vec![number];
        while let Some(won) = fresh.pop() {
            let parents: Vec<_> = self.parents(won).collect();
            for edge in parents {
                let parent = self.node(edge.parent);
                if parent.mark == Mark::Won {
                    continue;
                }
                if parent.strategist {
                    parent.choice = Some(edge.mv);
                } else {
                    parent.missing -= 1;
                    if parent.missing > 0 {
                        continue;
                    }
                }
                parent.mark = Mark::Won;
                fresh.push(edge.parent);
            }
        }
    }

    /// Adds moves of the strategist: all to positions that were entered, since they were said to
    /// be good, and the next one that the search proves good. False if there was none.
    fn widen(&mut self, number: u32, effort: u64) -> Result<bool, StrategyError> {
        let mut grown = false;
        let mut new = Vec::new();
        for (mv, child) in self.successors(number) {
            if self.known(&child).is_some() {
                // Had it been good it would have been chosen at once.
                continue;
            }
            let Some(known) = self.positions.find(self.game, &child) else {
                new.push((mv, child));
                continue;
            };
            let mut parents = self.parents(known);
            if !parents.any(|edge| edge.parent == number && edge.mv == mv) {
                drop(parents);
                self.lead(number, mv, Target::Position(known))?;
                grown = true;
            }
        }
        for (mv, child) in new {
            if self.node(number).mark == Mark::Won {
                break;
            }
            if self.ask(&child, effort)? == Answer::Good {
                let child = self.enter(child)?;
                self.lead(number, mv, Target::Position(child))?;
                return Ok(true);
            }
        }
        Ok(grown)
    }
}
