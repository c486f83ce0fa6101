//! The walk over all positions that [`backward`](super::backward) and [`oracle`](super::oracle)
//! share: values are kept, chance is averaged, and the matrix of a position is left to the method.

use std::collections::HashMap;

use num_rational::BigRational;

use super::{Ledger, Solved, Stacked, Stage, after, fraction, mean, stage};
use tabia_solve::expectation::ExpectationError;

/// The value of a matrix of positions, rows for the first player.
pub(super) type MatrixValue<'a, G> = fn(
    &mut Walk<'a, G>,
    Vec<Vec<<G as tabia_game::Game>::State>>,
) -> Result<BigRational, ExpectationError>;

/// The values found so far.
pub(super) struct Walk<'a, G: Stacked> {
    pub game: &'a G,
    pub ledger: Ledger,
    known: HashMap<G::State, BigRational>,
    matrix: MatrixValue<'a, G>,
}

impl<'a, G: Stacked> Walk<'a, G> {
    pub fn new(game: &'a G, ledger: Ledger, matrix: MatrixValue<'a, G>) -> Self {
        Walk {
            game,
            ledger,
            known: HashMap::new(),
            matrix,
        }
    }

    pub fn solve(mut self, state: &G::State) -> Result<Solved, ExpectationError> {
        let value = self.value(state)?;
        Ok(Solved {
            value,
            work: self.ledger.work,
        })
    }

    pub fn value(&mut self, state: &G::State) -> Result<BigRational, ExpectationError> {
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
                    let next = after(game, &rest, [Some(outcome), None]);
                    values.push((self.value(&next)?, weight));
                }
                mean(values.into_iter())
            }
            Stage::Choice(rows, columns) => {
                let row = |&row| {
                    let entry = |&column| after(game, &rest, [row, column]);
                    columns.iter().map(entry).collect()
                };
                let next = rows.iter().map(row).collect();
                (self.matrix)(self, next)?
            }
        };
        self.known.insert(rest, value.clone());
        Ok(settled + value)
    }
}
