//! Linear programs in exact fractions: the simplex method on dictionaries, by Bland's rule (Bland
//! 1977), so that it always ends; in two phases where the origin is not feasible (Dantzig, Orden
//! and Wolfe 1955). Meant for a dozen variables.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// The most of `objective * x` over all x >= 0 with `rows * x <= limits`.
#[derive(Clone, Debug)]
pub struct LinearProgram {
    /// What is to be as large as possible.
    pub objective: Vec<BigRational>,
    /// The left sides of the constraints.
    pub rows: Vec<Vec<BigRational>>,
    /// Their right sides.
    pub limits: Vec<BigRational>,
}

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramSolution {
    /// There is a most.
    Optimal(Optimum),
    /// No x satisfies the constraints.
    Infeasible,
    /// There is no most.
    Unbounded,
}

/// The most, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The most.
    pub value: BigRational,
    /// Where it is.
    pub point: Vec<BigRational>,
    /// What each constraint is worth: the optimum of the dual program.
    pub prices: Vec<BigRational>,
}

/// Basic variables in terms of the others: `basic[i] = constants[i] - rows[i] * others`, and the
/// objective `value + gains * others`. Variables have the numbers 0, 1, ... and slacks those after
/// them.
struct Dictionary {
    basic: Vec<usize>,
    others: Vec<usize>,
    rows: Vec<Vec<BigRational>>,
    constants: Vec<BigRational>,
    gains: Vec<BigRational>,
    value: BigRational,
}

impl Dictionary {
    /// Exchanges the basic variable of a row for the variable of a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let scale = self.rows[row][column].recip();
        for (place, entry) in self.rows[row].iter_mut().enumerate() {
            *entry = match place == column {
                true => scale.clone(),
                false => &*entry * &scale,
            };
        }
        self.constants[row] *= &scale;
        let (pivot, constant) = (self.rows[row].clone(), self.constants[row].clone());
        let eliminate = |entries: &mut Vec<BigRational>| {
            let factor = std::mem::take(&mut entries[column]);
            if !factor.is_zero() {
                for (entry, by) in entries.iter_mut().zip(&pivot) {
                    *entry -= &factor * by;
                }
            }
            factor
        };
        for other in (0..self.rows.len()).filter(|&other| other != row) {
            let factor = eliminate(&mut self.rows[other]);
            self.constants[other] -= factor * &constant;
        }
        let factor = eliminate(&mut self.gains);
        self.value += factor * &constant;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    /// Goes from vertex to vertex until nothing is gained any more; false if there is no end of it.
    fn optimise(&mut self) -> bool {
        loop {
            let gaining = (0..self.others.len()).filter(|&column| self.gains[column].is_positive());
            let Some(column) = gaining.min_by_key(|&column| self.others[column]) else {
                return true;
            };
            let binding = (0..self.rows.len()).filter(|&row| self.rows[row][column].is_positive());
            let step = |row: &usize| &self.constants[*row] / &self.rows[*row][column];
            let tightest = binding.min_by(|a, b| {
                let steps = step(a).cmp(&step(b));
                steps.then(self.basic[*a].cmp(&self.basic[*b]))
            });
            match tightest {
                Some(row) => self.pivot(row, column),
                None => return false,
            }
        }
    }
}

impl LinearProgram {
    /// Solves the program.
    pub fn solve(&self) -> ProgramSolution {
        let (variables, slacks) = (self.objective.len(), self.rows.len());
        let mut dictionary = Dictionary {
            basic: (variables..variables + slacks).collect(),
            others: (0..variables).collect(),
            rows: self.rows.clone(),
            constants: self.limits.clone(),
            gains: self.objective.clone(),
            value: BigRational::zero(),
        };
        let worst = (0..slacks).min_by_key(|&row| &self.limits[row]);
        if let Some(worst) = worst.filter(|&row| self.limits[row].is_negative())
            && !self.find_vertex(&mut dictionary, worst)
        {
            return ProgramSolution::Infeasible;
        }
        if !dictionary.optimise() {
            return ProgramSolution::Unbounded;
        }
        let mut all = vec![BigRational::zero(); variables + slacks];
        for (&variable, constant) in dictionary.basic.iter().zip(&dictionary.constants) {
            all[variable] = constant.clone();
        }
        let mut prices = vec![BigRational::zero(); slacks];
        for (&variable, gain) in dictionary.others.iter().zip(&dictionary.gains) {
            if let Some(slack) = variable.checked_sub(variables) {
                prices[slack] = -gain;
            }
        }
        all.truncate(variables);
        ProgramSolution::Optimal(Optimum {
            value: dictionary.value,
            point: all,
            prices,
        })
    }

    /// The first phase: how little the constraints have to be loosened. False if they have to be.
    fn find_vertex(&self, dictionary: &mut Dictionary, worst: usize) -> bool {
        let (variables, slacks) = (self.objective.len(), self.rows.len());
        let loosening = variables + slacks;
        for row in &mut dictionary.rows {
            row.push(-BigRational::one());
        }
        dictionary.others.push(loosening);
        dictionary.gains = vec![BigRational::zero(); variables];
        dictionary.gains.push(-BigRational::one());
        dictionary.pivot(worst, variables);
        // What is to be made as large as possible is never more than zero.
        dictionary.optimise();
        if dictionary.value.is_negative() {
            return false;
        }
        if let Some(row) = dictionary.basic.iter().position(|&v| v == loosening) {
            // Its value is zero, so any exchange leaves the vertex where it is.
            if let Some(column) = dictionary.rows[row]
                .iter()
                .position(|entry| !entry.is_zero())
            {
                dictionary.pivot(row, column);
            }
        }
        let Some(column) = dictionary.others.iter().position(|&v| v == loosening) else {
            return false;
        };
        dictionary.others.remove(column);
        for row in &mut dictionary.rows {
            row.remove(column);
        }
        let gain = |variable: usize| self.objective.get(variable);
        let mut gains: Vec<BigRational> = dictionary
            .others
            .iter()
            .map(|&variable| gain(variable).cloned().unwrap_or_default())
            .collect();
        dictionary.value = BigRational::zero();
        for (row, &variable) in dictionary.basic.iter().enumerate() {
            if let Some(factor) = gain(variable).filter(|factor| !factor.is_zero()) {
                dictionary.value += factor * &dictionary.constants[row];
                for (gain, entry) in gains.iter_mut().zip(&dictionary.rows[row]) {
                    *gain -= factor * entry;
                }
            }
        }
        dictionary.gains = gains;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fraction(number: i64) -> BigRational {
        BigRational::from_integer(number.into())
    }

    fn program(objective: &[i64], rows: &[&[i64]], limits: &[i64]) -> LinearProgram {
        let all = |numbers: &[i64]| numbers.iter().map(|&n| fraction(n)).collect::<Vec<_>>();
        LinearProgram {
            objective: all(objective),
            rows: rows.iter().map(|row| all(row)).collect(),
            limits: all(limits),
        }
    }

    /// The example of Cormen et al. (Introduction to Algorithms, section 29.3): 28 at (8, 4, 0).
    #[test]
    fn cormen_29_3() {
        let rows: [&[i64]; 3] = [&[1, 1, 3], &[2, 2, 5], &[4, 1, 2]];
        let ProgramSolution::Optimal(found) = program(&[3, 1, 2], &rows, &[30, 24, 36]).solve()
        else {
            panic!("it has an optimum");
        };
        assert_eq!(found.value, fraction(28));
        assert_eq!(found.point, [8, 4, 0].map(fraction));
    }

    /// The example of section 29.5, whose origin is not feasible: 14/9 at (14/9, 10/9).
    #[test]
    fn cormen_29_5() {
        let rows: [&[i64]; 2] = [&[2, -1], &[1, -5]];
        let ProgramSolution::Optimal(found) = program(&[2, -1], &rows, &[2, -4]).solve() else {
            panic!("it has an optimum");
        };
        assert_eq!(found.value, fraction(2));
        assert_eq!(
            found.point,
            [fraction(14) / fraction(9), fraction(10) / fraction(9)]
        );
    }

    #[test]
    fn impossible_and_endless_programs_are_told() {
        assert_eq!(
            program(&[1], &[&[1], &[-1]], &[1, -2]).solve(),
            ProgramSolution::Infeasible
        );
        assert_eq!(
            program(&[1, 0], &[&[-1, 1]], &[1]).solve(),
            ProgramSolution::Unbounded
        );
    }

    proptest! {
        /// The point is allowed, the prices are, and both come to the same: a proof of the optimum
        /// (strong duality).
        #[test]
        fn optima_are_proved_by_their_prices(
            objective in prop::collection::vec(-5i64..6, 3),
            entries in prop::collection::vec(-4i64..7, 12),
            limits in prop::collection::vec(-6i64..9, 4),
        ) {
            let rows: Vec<&[i64]> = entries.chunks(3).collect();
            let program = program(&objective, &rows, &limits);
            if let ProgramSolution::Optimal(found) = program.solve() {
                let sum = |a: &[BigRational], b: &[BigRational]| -> BigRational {
                    a.iter().zip(b).map(|(a, b)| a * b).sum()
                };
                prop_assert!(found.point.iter().chain(&found.prices).all(|x| !x.is_negative()));
                for (row, limit) in program.rows.iter().zip(&program.limits) {
                    prop_assert!(sum(row, &found.point) <= *limit);
                }
                for (place, gain) in program.objective.iter().enumerate() {
                    let column = program.rows.iter().map(|row| row[place].clone());
                    let column: Vec<_> = column.collect();
                    prop_assert!(sum(&column, &found.prices) >= *gain);
                }
                prop_assert_eq!(&sum(&program.objective, &found.point), &found.value);
                prop_assert_eq!(&sum(&program.limits, &found.prices), &found.value);
            }
        }
    }
}
