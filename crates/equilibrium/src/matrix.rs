//! Matrix games in exact fractions: what the player of the rows can make sure of, and how.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::program::{LinearProgram, ProgramSolution};

/// The solution of a matrix game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibrium {
    /// What the player of the rows wins.
    pub value: BigRational,
    /// With which probability the player of the rows plays each of them.
    pub rows: Vec<BigRational>,
    /// The same for the columns.
    pub columns: Vec<BigRational>,
    /// Whether both need a single move each, so that no linear program was solved.
    pub pure: bool,
}

fn certain(length: usize, place: usize) -> Vec<BigRational> {
    let mut all = vec![BigRational::zero(); length];
    all[place] = BigRational::one();
    all
}

/// Solves a matrix of what the player of the rows wins; nothing of one without rows or columns, or
/// with rows of different lengths.
pub fn solve(matrix: &[Vec<BigRational>]) -> Option<Equilibrium> {
    let width = matrix.first()?.len();
    if width == 0 || matrix.iter().any(|row| row.len() != width) {
        return None;
    }
    let lows = matrix.iter().map(|row| row.iter().min());
    let (best, low) = lows.enumerate().max_by(|a, b| a.1.cmp(&b.1))?;
    let highs = (0..width).map(|column| matrix.iter().map(|row| &row[column]).max());
    let (answer, high) = highs.enumerate().min_by(|a, b| a.1.cmp(&b.1))?;
    if low == high {
        return Some(Equilibrium {
            value: low?.clone(),
            rows: certain(matrix.len(), best),
            columns: certain(width, answer),
            pure: true,
        });
    }
    // With all entries above zero the columns' shares of a loss of one are a program that begins at
    // a vertex.
    let least = matrix.iter().flatten().min()?;
    let shift = BigRational::one() - least;
    let program = LinearProgram {
        objective: vec![BigRational::one(); width],
        rows: matrix
            .iter()
            .map(|row| row.iter().map(|entry| entry + &shift).collect())
            .collect(),
        limits: vec![BigRational::one(); matrix.len()],
    };
    let ProgramSolution::Optimal(found) = program.solve() else {
        return None;
    };
    let shares = |all: Vec<BigRational>| all.into_iter().map(|x| x / &found.value).collect();
    Some(Equilibrium {
        value: found.value.recip() - shift,
        rows: shares(found.prices),
        columns: shares(found.point),
        pure: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(rows: &[&[i64]]) -> Vec<Vec<BigRational>> {
        let number = |&n: &i64| BigRational::from_integer(n.into());
        rows.iter()
            .map(|row| row.iter().map(number).collect())
            .collect()
    }

    fn share(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn textbook_games() {
        // Rock, paper, scissors.
        let found = solve(&matrix(&[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]])).unwrap();
        assert_eq!(found.value, share(0, 1));
        assert_eq!(found.rows, vec![share(1, 3); 3]);
        // A two by two game without a saddle: (ad - bc) / (a + d - b - c).
        let found = solve(&matrix(&[&[3, -1], &[-2, 4]])).unwrap();
        assert_eq!(found.value, share(3 * 4 - 2, 3 + 4 + 1 + 2));
        // A saddle.
        let found = solve(&matrix(&[&[4, 2], &[1, 0]])).unwrap();
        assert!(found.pure && found.value == share(2, 1));
        assert_eq!(solve(&[]), None);
        assert_eq!(solve(&[vec![]]), None);
    }

    proptest! {
        /// Each strategy makes sure of the value, which proves both.
        #[test]
        fn strategies_prove_the_value(
            height in 1usize..6,
            width in 1usize..6,
            entries in prop::collection::vec(-9i64..10, 25),
        ) {
            let rows = entries.chunks(5).take(height);
            let rows: Vec<&[i64]> = rows.map(|row| &row[..width]).collect();
            let matrix = matrix(&rows);
            let found = solve(&matrix).unwrap();
            prop_assert_eq!(found.rows.iter().sum::<BigRational>(), BigRational::one());
            prop_assert_eq!(found.columns.iter().sum::<BigRational>(), BigRational::one());
            let zero = BigRational::zero();
            prop_assert!(found.rows.iter().chain(&found.columns).all(|x| *x >= zero));
            for column in 0..width {
                let entries = matrix.iter().map(|row| &row[column]);
                let won: BigRational = entries.zip(&found.rows).map(|(a, x)| a * x).sum();
                prop_assert!(won >= found.value);
            }
            for row in &matrix {
                let lost: BigRational = row.iter().zip(&found.columns).map(|(a, y)| a * y).sum();
                prop_assert!(lost <= found.value);
            }
        }
    }
}
