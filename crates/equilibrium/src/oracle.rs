//! The double oracle method at every position: the matrix begins with one move of each player, and
//! moves are added as long as one of them answers the equilibrium of the others better than these
//! do. Moves that cannot, by bounds of what follows, are not searched.

use num_rational::BigRational;
use num_traits::Zero;
use tabia_game::Player;

use super::walk::Walk;
use super::{Stacked, fraction};
use tabia_solve::expectation::ExpectationError;

/// The matrix of a position, as far as it is known.
struct Matrix<S> {
    next: Vec<Vec<S>>,
    values: Vec<Vec<Option<BigRational>>>,
    /// The least and the most that each entry can be.
    bounds: Vec<Vec<[BigRational; 2]>>,
}

/// Values the entries that matter.
pub(super) fn value<G: Stacked>(
    walk: &mut Walk<'_, G>,
    next: Vec<Vec<G::State>>,
) -> Result<BigRational, ExpectationError> {
    DoubleOracle { walk }.value(next)
}

struct DoubleOracle<'w, 'a, G: Stacked> {
    walk: &'w mut Walk<'a, G>,
}

impl<G: Stacked> DoubleOracle<'_, '_, G> {
    fn value(&mut self, next: Vec<Vec<G::State>>) -> Result<BigRational, ExpectationError> {
        let game = self.walk.game;
        let range = |state: &G::State| {
            let (least, most) = game.payoff_range(state, Player::FIRST);
            [fraction(least), fraction(most)]
        };
        let mut matrix = Matrix {
            bounds: next
                .iter()
                .map(|row| row.iter().map(range).collect())
                .collect(),
            values: next.iter().map(|row| vec![None; row.len()]).collect(),
            next,
        };
        let (mut rows, mut columns) = (vec![0], vec![0]);
        loop {
            let mut entries = Vec::with_capacity(rows.len());
            for &row in &rows {
                let mut line = Vec::with_capacity(columns.len());
                for &column in &columns {
                    line.push(self.entry(&mut matrix, row, column)?);
                }
                entries.push(line);
            }
            let Some(found) = self.walk.ledger.matrix(&entries) else {
                return Ok(BigRational::zero());
            };
            let better_row = self.response(
                &mut matrix,
                &rows,
                &columns,
                &found.columns,
                &found.value,
                true,
            )?;
            let better_column = self.response(
                &mut matrix,
                &columns,
                &rows,
                &found.rows,
                &found.value,
                false,
            )?;
            if better_row.is_none() && better_column.is_none() {
                return Ok(found.value);
            }
            rows.extend(better_row);
            columns.extend(better_column);
        }
    }

    fn entry(
        &mut self,
        matrix: &mut Matrix<G::State>,
        row: usize,
        column: usize,
    ) -> Result<BigRational, ExpectationError> {
        if let Some(known) = &matrix.values[row][column] {
            return Ok(known.clone());
        }
        let value = self.walk.value(&matrix.next[row][column])?;
        matrix.values[row][column] = Some(value.clone());
        matrix.bounds[row][column] = [value.clone(), value.clone()];
        Ok(value)
    }

    /// A move beside `own` that is the best answer to a mixture of the other player's moves, if it
    /// is better than `value`.
    fn response(
        &mut self,
        matrix: &mut Matrix<G::State>,
        own: &[usize],
        other: &[usize],
        mixture: &[BigRational],
        value: &BigRational,
        rows: bool,
    ) -> Result<Option<usize>, ExpectationError> {
        let all = if rows {
            matrix.next.len()
        } else {
            matrix.next[0].len()
        };
        let place = |mine: usize, theirs: usize| if rows { (mine, theirs) } else { (theirs, mine) };
        let better =
            |one: &BigRational, than: &BigRational| if rows { one > than } else { one < than };
        let mut best: Option<(usize, BigRational)> = None;
        for mine in (0..all).filter(|mine| !own.contains(mine)) {
            let goal = best.as_ref().map_or(value, |(_, best)| best).clone();
            let mut hope = BigRational::zero();
            for (&theirs, share) in other.iter().zip(mixture) {
                let (row, column) = place(mine, theirs);
                hope += share * &matrix.bounds[row][column][usize::from(rows)];
            }
            // What is hoped for falls as entries become known.
            for (&theirs, share) in other
                .iter()
                .zip(mixture)
                .filter(|(_, share)| !share.is_zero())
            {
                if !better(&hope, &goal) {
                    break;
                }
                let (row, column) = place(mine, theirs);
                hope -= share * &matrix.bounds[row][column][usize::from(rows)];
                hope += share * self.entry(matrix, row, column)?;
            }
            if better(&hope, &goal) {
                best = Some((mine, hope));
            }
        }
        Ok(best.map(|(mine, _)| mine))
    }
}
