//! Retrograde analysis of an explicit graph (Donkers et al. 2004, section 6.2).
//!
//! A step labels what follows from the labels of the steps before it, and from nothing else: so the
//! number of the step is the distance in plies to the end of the game.

use tabia_game::Wdl;

use super::{Class, GameGraph};
use crate::TableValue;

/// What a step has labelled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Classes that the player to move wins.
    pub wins: Vec<Class>,
    /// Classes that the player to move loses.
    pub losses: Vec<Class>,
}

/// The solution of a game, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The value of each class; a draw is what was never labelled.
    pub values: Vec<TableValue>,
    /// The steps; the first are the games that are over.
    pub steps: Vec<Step>,
}

impl GameGraph {
    /// Solves the game strongly.
    pub fn steps(&self) -> Steps {
        let mut values = vec![TableValue::DRAW; self.classes()];
        let mut first = Step::default();
        for class in self.all() {
            match self.outcome(class) {
                Some(Wdl::Win) => first.wins.push(class),
                Some(Wdl::Loss) => first.losses.push(class),
                Some(Wdl::Draw) | None => {}
            }
        }
        label(&mut values, &first, 0);
        let successors = |c: Class| self.successors().row(c).len();
        let mut left: Vec<usize> = self.all().map(successors).collect();
        let mut steps = Vec::new();
        let mut last = first;
        while !(last.wins.is_empty() && last.losses.is_empty()) {
            let mut step = Step::default();
            for &class in &last.losses {
                for &before in self.predecessors().row(class) {
                    // Labelled at once, so that it is found only once; as a win it can serve no
                    // other label of this step.
                    if values[before as usize] == TableValue::DRAW {
                        step.wins.push(before);
                        values[before as usize] = TableValue::win(plies(steps.len() + 1));
                    }
                }
            }
            for &class in &last.wins {
                for &before in self.predecessors().row(class) {
                    left[before as usize] -= 1;
                    if left[before as usize] == 0 && values[before as usize] == TableValue::DRAW {
                        step.losses.push(before);
                    }
                }
            }
            label(&mut values, &step, steps.len() + 1);
            steps.push(std::mem::replace(&mut last, step));
        }
        Steps { values, steps }
    }
}

fn plies(step: usize) -> u16 {
    u16::try_from(step).unwrap_or(u16::MAX)
}

fn label(values: &mut [TableValue], step: &Step, number: usize) {
    let plies = plies(number);
    for (classes, value) in [
        (&step.wins, TableValue::win(plies)),
        (&step.losses, TableValue::loss(plies)),
    ] {
        classes.iter().for_each(|&c| values[c as usize] = value);
    }
}
