//! Simultaneous-move alpha-beta (Saffidine, Finnsson and Buro 2012).
//!
//! A position is searched with a window: what lies beyond it need not be known exactly. Every entry
//! of its matrix has a least and a most. A row is left out if a mixture of the other rows, taken at
//! their least, and of the lower end of the window is as good as it at its most in every column;
//! columns likewise. Before an entry is searched a linear program tells below which value its row
//! would be left out, and another above which value its column would: that is the entry's window.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::One;
use tabia_game::Player;

use super::program::{LinearProgram, ProgramSolution};
use super::{Ledger, Solved, Stacked, Stage, after, fraction, stage};
use tabia_solve::expectation::ExpectationError;

type Bounds = [BigRational; 2];

/// The bounds found so far.
pub(super) struct Smab<'a, G: Stacked> {
    game: &'a G,
    ledger: Ledger,
    known: HashMap<G::State, Bounds>,
}

impl<'a, G: Stacked> Smab<'a, G> {
    pub fn new(game: &'a G, ledger: Ledger) -> Self {
        Smab {
            game,
            ledger,
            known: HashMap::new(),
        }
    }

    pub fn solve(mut self, state: &G::State) -> Result<Solved, ExpectationError> {
        let (least, most) = self.game.payoff_range(state, Player::FIRST);
        let [low, high] = [fraction(least), fraction(most)];
        let value = self.value(state, &low, &high)?;
        Ok(Solved {
            value,
            work: self.ledger.work,
        })
    }

    /// What is known of a position without search.
    fn bounds(&self, state: &G::State) -> Bounds {
        let mut rest = state.clone();
        let settled = fraction(self.game.settle(&mut rest));
        match self.known.get(&rest) {
            Some([low, high]) => [&settled + low, &settled + high],
            None => {
                let (least, most) = self.game.payoff_range(state, Player::FIRST);
                [fraction(least), fraction(most)]
            }
        }
    }

    /// The value of a position, or the end of the window that it lies beyond or on.
    fn value(
        &mut self,
        state: &G::State,
        alpha: &BigRational,
        beta: &BigRational,
    ) -> Result<BigRational, ExpectationError> {
        let game = self.game;
        let mut rest = state.clone();
        let settled = fraction(game.settle(&mut rest));
        let (alpha, beta) = (alpha - &settled, beta - &settled);
        let [low, high] = self.bounds(&rest);
        if low >= beta {
            return Ok(settled + beta);
        }
        if high <= alpha {
            return Ok(settled + alpha);
        }
        if low == high {
            return Ok(settled + low);
        }
        if !self.known.contains_key(&rest) {
            self.ledger.enter()?;
        }
        let (alpha, beta) = (alpha.max(low.clone()), beta.min(high.clone()));
        let value = match stage(game, &rest)? {
            Stage::Over(value) => value,
            Stage::Event(outcomes) => {
                let next = outcomes.into_iter();
                let next = next
                    .map(|(outcome, weight)| (after(game, &rest, [Some(outcome), None]), weight));
                self.event(next.collect(), &alpha, &beta)?
            }
            Stage::Choice(rows, columns) => {
                let line = |&row: &Option<G::Move>| {
                    let next = columns
                        .iter()
                        .map(|&column| after(game, &rest, [row, column]));
                    next.collect::<Vec<_>>()
                };
                let next = rows.iter().map(line).collect();
                self.choice(next, &alpha, &beta)?
            }
        };
        let value = value.clamp(alpha.clone(), beta.clone());
        // At an end of the window the value may lie beyond, but not beyond what was known before.
        let bounds = [
            if value > alpha { value.clone() } else { low },
            if value < beta { value.clone() } else { high },
        ];
        self.known.insert(rest, bounds);
        Ok(settled + value)
    }

    /// The mean of what follows an event, with windows for its outcomes as in Star1 (Ballard 1983).
    fn event(
        &mut self,
        next: Vec<(G::State, u64)>,
        alpha: &BigRational,
        beta: &BigRational,
    ) -> Result<BigRational, ExpectationError> {
        let weight = |number: u64| BigRational::from_integer(number.into());
        let whole = weight(next.iter().map(|(_, weight)| weight).sum::<u64>().max(1));
        let mut bounds: Vec<Bounds> = next.iter().map(|(state, _)| self.bounds(state)).collect();
        let total = |bounds: &[Bounds], end: usize| -> BigRational {
            let parts = bounds.iter().zip(&next);
            parts
                .map(|(bounds, (_, own))| &bounds[end] * weight(*own))
                .sum()
        };
        for (place, (state, own)) in next.iter().enumerate() {
            let own = weight(*own);
            let others = |end: usize| total(&bounds, end) - &bounds[place][end] * &own;
            let low = (alpha * &whole - others(1)) / &own;
            let high = (beta * &whole - others(0)) / &own;
            let [least, most] = bounds[place].clone();
            if most <= low {
                return Ok(alpha.clone());
            }
            if least >= high {
                return Ok(beta.clone());
            }
            let (from, to) = (
                low.clone().max(least.clone()),
                high.clone().min(most.clone()),
            );
            let value = self.value(state, &from, &to)?;
            if value <= low && low > least {
                return Ok(alpha.clone());
            }
            if value >= high && high < most {
                return Ok(beta.clone());
            }
            bounds[place] = [value.clone(), value];
        }
        Ok(total(&bounds, 0) / whole)
    }

    fn choice(
        &mut self,
        next: Vec<Vec<G::State>>,
        alpha: &BigRational,
        beta: &BigRational,
    ) -> Result<BigRational, ExpectationError> {
        let line = |row: &Vec<G::State>| row.iter().map(|state| self.bounds(state)).collect();
        let mut bounds: Vec<Vec<Bounds>> = next.iter().map(line).collect();
        let mut rows: Vec<usize> = (0..next.len()).collect();
        let mut columns: Vec<usize> = (0..next[0].len()).collect();
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for row in 0..next.len() {
            cells.extend((0..next[0].len()).map(|column| (row, column)));
        }
        // First what both players' first moves meet.
        cells.sort_by_key(|&(row, column)| (row.max(column), row + column));
        for (row, column) in cells {
            if !rows.contains(&row) || !columns.contains(&column) {
                continue;
            }
            let own = self.below(&bounds, &rows, &columns, row, column, alpha);
            if own
                .as_ref()
                .is_some_and(|own| bounds[row][column][1] <= *own)
            {
                rows.retain(|&other| other != row);
                continue;
            }
            let mirrored = mirror(&bounds);
            let theirs = self
                .below(&mirrored, &columns, &rows, column, row, &-beta)
                .map(|theirs| -theirs);
            if theirs
                .as_ref()
                .is_some_and(|theirs| bounds[row][column][0] >= *theirs)
            {
                columns.retain(|&other| other != column);
                continue;
            }
            let [least, most] = bounds[row][column].clone();
            if least == most {
                continue;
            }
            let low = own.clone().unwrap_or_else(|| least.clone());
            let high = theirs.clone().unwrap_or_else(|| most.clone());
            let (mut from, mut to) = (low.clone().min(high.clone()), low.max(high));
            (from, to) = (from.max(least.clone()), to.min(most.clone()));
            if from >= to {
                (from, to) = (least.clone(), most.clone());
            }
            let value = self.value(&next[row][column], &from, &to)?;
            let cell = &mut bounds[row][column];
            if value > from || from == least {
                cell[0] = value.clone();
            }
            if value < to || to == most {
                cell[1] = value;
            }
            if own.is_some_and(|own| cell[1] <= own) {
                rows.retain(|&other| other != row);
            } else if theirs.is_some_and(|theirs| cell[0] >= theirs) {
                columns.retain(|&other| other != column);
            }
        }
        if rows.is_empty() {
            return Ok(alpha.clone());
        }
        if columns.is_empty() {
            return Ok(beta.clone());
        }
        let line = |&row: &usize| {
            columns
                .iter()
                .map(|&column| bounds[row][column][0].clone())
                .collect()
        };
        let entries: Vec<Vec<BigRational>> = rows.iter().map(line).collect();
        let found = self.ledger.matrix(&entries);
        Ok(found.map_or_else(|| alpha.clone(), |found| found.value))
    }

    /// If the entry is at most this, a mixture of the other rows at their least and of `floor`
    /// dominates its row at its most. `None` if none does, however small the entry is.
    fn below(
        &mut self,
        bounds: &[Vec<Bounds>],
        rows: &[usize],
        columns: &[usize],
        row: usize,
        column: usize,
        floor: &BigRational,
    ) -> Option<BigRational> {
        let others: Vec<usize> = rows.iter().copied().filter(|&other| other != row).collect();
        let least = |column: usize| {
            let entries = others.iter().map(|&other| bounds[other][column][0].clone());
            entries.chain([floor.clone()]).collect::<Vec<_>>()
        };
        let mut program = LinearProgram {
            objective: least(column),
            rows: vec![
                vec![BigRational::one(); others.len() + 1],
                vec![-BigRational::one(); others.len() + 1],
            ],
            limits: vec![BigRational::one(), -BigRational::one()],
        };
        for &other in columns.iter().filter(|&&other| other != column) {
            let most = &bounds[row][other][1];
            // No mixture is more than the best of its parts.
            if least(other).iter().max()? < most {
                return None;
            }
            program
                .rows
                .push(least(other).into_iter().map(|entry| -entry).collect());
            program.limits.push(-most);
        }
        self.ledger.work.programs += 1;
        match program.solve() {
            ProgramSolution::Optimal(found) => Some(found.value),
            _ => None,
        }
    }
}

/// The game as the other player sees it.
fn mirror(bounds: &[Vec<Bounds>]) -> Vec<Vec<Bounds>> {
    let flipped = |row: &Vec<Bounds>, column: usize| [-&row[column][1], -&row[column][0]];
    (0..bounds[0].len())
        .map(|column| bounds.iter().map(|row| flipped(row, column)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    #[test]
    fn mirrors_change_sides() {
        let bounds = vec![vec![[BigRational::zero(), BigRational::one()]]];
        assert_eq!(
            mirror(&bounds),
            [[[-BigRational::one(), BigRational::zero()]]]
        );
    }
}
