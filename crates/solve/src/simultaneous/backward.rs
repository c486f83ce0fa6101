//! Backward induction: the matrix of every position is solved.

use std::collections::HashMap;

use num_rational::BigRational;

use super::{Ledger, Solved, Stacked, Stage, after, fraction, mean, stage};
use crate::expectation::ExpectationError;

/// The values found so far.
pub(super) struct Backward<'a, G: Stacked> {
    game: &'a G,
    ledger: Ledger,
    known: HashMap<G::State, BigRational>,
}

impl<'a, G: Stacked> Backward<'a, G> {
    pub fn new(game: &'a G, ledger: Ledger) -> Self {
        Backward {
            game,
            ledger,
            known: HashMap::new(),
        }
    }

    pub fn solve(mut self, state: &G::State) -> Result<Solved, ExpectationError> {
        let value = self.value(state)?;
        Ok(Solved {
            value,
            work: self.ledger.work,
        })
    }

    fn value(&mut self, state: &G::State) -> Result<BigRational, ExpectationError> {
        let game = self.game;
        let mut rest = state.clone();
        let settled = fraction(game.settle(&mut rest));
        if let Some(known) = self.known.get(&rest) {
            return Ok(settled + known);
        }
        self.ledger.enter()?;
        let value = match stage(game, &rest)? {
            Stage::Over(value) => value,
            Stage::Event(outcomes) => {
                let mut values = Vec::new();
                for (outcome, weight) in outcomes {
                    values.push((
                        self.value(&after(game, &rest, [Some(outcome), None]))?,
                        weight,
                    ));
                }
                mean(values.into_iter())
            }
            Stage::Choice(rows, columns) => {
                let mut matrix = Vec::with_capacity(rows.len());
                for &row in &rows {
                    let mut entries = Vec::with_capacity(columns.len());
                    for &column in &columns {
                        entries.push(self.value(&after(game, &rest, [row, column]))?);
                    }
                    matrix.push(entries);
                }
                let found = self.ledger.matrix(&matrix);
                found.map(|found| found.value).unwrap_or_default()
            }
        };
        self.known.insert(rest, value.clone());
        Ok(settled + value)
    }
}
