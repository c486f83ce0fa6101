//! Backward induction: the matrix of every position is solved.

use num_rational::BigRational;

use super::Stacked;
use super::walk::Walk;
use tabia_solve::expectation::ExpectationError;

/// Values every entry.
pub(super) fn value<G: Stacked>(
    walk: &mut Walk<'_, G>,
    next: Vec<Vec<G::State>>,
) -> Result<BigRational, ExpectationError> {
    let mut matrix = Vec::with_capacity(next.len());
    for row in &next {
        let entries: Result<Vec<BigRational>, _> =
            row.iter().map(|state| walk.value(state)).collect();
        matrix.push(entries?);
    }
    let found = walk.ledger.matrix(&matrix);
    Ok(found.map(|found| found.value).unwrap_or_default())
}
