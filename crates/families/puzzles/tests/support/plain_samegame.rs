//! SameGame on a plain array of cells, written from the rules: the standard score, whatever the
//! size.

#![allow(dead_code)]

use std::collections::HashMap;

/// The boards of a file of ours, without the lines that begin with `#`.
pub fn boards_of(text: &str) -> String {
    let rows = text.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| format!("{row}\n")).collect()
}

/// The best payoffs of the boards of a file of ours, from its lines `# best N`.
pub fn payoffs_of(text: &str) -> Vec<i32> {
    let told = text.lines().filter_map(|row| row.strip_prefix("# best "));
    told.map(|best| best.trim().parse().expect("a payoff"))
        .collect()
}

/// `cells[row][column]`, the top row first; `None` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plain {
    pub cells: Vec<Vec<Option<u8>>>,
    pub score: i32,
}

impl Plain {
    fn rows(&self) -> usize {
        self.cells.len()
    }

    fn columns(&self) -> usize {
        self.cells[0].len()
    }

    /// Appends the cells of the group of a cell, as row and column, and marks them in `seen`.
    fn flood(
        &self,
        row: usize,
        column: usize,
        seen: &mut [Vec<bool>],
        group: &mut Vec<(usize, usize)>,
    ) {
        let mut next = group.len();
        seen[row][column] = true;
        group.push((row, column));
        while next < group.len() {
            let (row, column) = group[next];
            next += 1;
            let mut visit = |r: usize, c: usize| {
                if !seen[r][c] && self.cells[r][c] == self.cells[row][column] {
                    seen[r][c] = true;
                    group.push((r, c));
                }
            };
            if row > 0 {
                visit(row - 1, column);
            }
            if row + 1 < self.rows() {
                visit(row + 1, column);
            }
            if column > 0 {
                visit(row, column - 1);
            }
            if column + 1 < self.columns() {
                visit(row, column + 1);
            }
        }
    }

    /// All groups of two blocks or more, each as its cells.
    pub fn groups(&self) -> Vec<Vec<(usize, usize)>> {
        let mut seen = vec![vec![false; self.columns()]; self.rows()];
        let mut groups = Vec::new();
        let mut group = Vec::new();
        for row in 0..self.rows() {
            for column in 0..self.columns() {
                if self.cells[row][column].is_some() && !seen[row][column] {
                    group.clear();
                    self.flood(row, column, &mut seen, &mut group);
                    if group.len() > 1 {
                        groups.push(group.clone());
                    }
                }
            }
        }
        groups
    }

    /// Takes a group away.
    pub fn take(&mut self, group: &[(usize, usize)]) {
        let n = group.len() as i32;
        self.score += (n - 2) * (n - 2);
        for &(row, column) in group {
            self.cells[row][column] = None;
        }
        // Blocks fall.
        for column in 0..self.columns() {
            let mut to = self.rows();
            for row in (0..self.rows()).rev() {
                if let Some(block) = self.cells[row][column].take() {
                    to -= 1;
                    self.cells[to][column] = Some(block);
                }
            }
        }
        // Columns close up to the left.
        let bottom = self.rows() - 1;
        let mut to = 0;
        for column in 0..self.columns() {
            if self.cells[bottom][column].is_some() {
                if to != column {
                    for row in 0..self.rows() {
                        self.cells[row][to] = self.cells[row][column].take();
                    }
                }
                to += 1;
            }
        }
    }

    /// What the game pays if it is over.
    pub fn payoff(&self) -> i32 {
        let mut left = [0i32; 10];
        for block in self.cells.iter().flatten().flatten() {
            left[usize::from(*block)] += 1;
        }
        if left == [0; 10] {
            return self.score + 1000;
        }
        let cost = |&n: &i32| if n > 0 { (n - 2) * (n - 2) } else { 0 };
        self.score - left.iter().map(cost).sum::<i32>()
    }

    /// The most that any game from here pays.
    pub fn best(&self) -> i32 {
        self.gain(&mut HashMap::new()) + self.score
    }

    /// What can still be earned. It follows from the cells alone.
    fn gain(&self, known: &mut HashMap<Vec<Vec<Option<u8>>>, i32>) -> i32 {
        if let Some(gain) = known.get(&self.cells) {
            return *gain;
        }
        let after = |group: &Vec<(usize, usize)>| {
            let mut next = self.clone();
            next.take(group);
            next
        };
        let ways: Vec<Plain> = self.groups().iter().map(after).collect();
        let gains = ways
            .iter()
            .map(|next| next.score - self.score + next.gain(known));
        let gain = gains.max().unwrap_or_else(|| self.payoff() - self.score);
        known.insert(self.cells.clone(), gain);
        gain
    }
}
