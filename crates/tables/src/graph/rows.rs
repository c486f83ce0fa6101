//! Edges of a graph as compressed sparse rows.

use super::Class;

/// Lists of classes, one for each class, stored one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseRows {
    /// Where each row begins, and at last where the last one ends.
    starts: Vec<usize>,
    items: Vec<Class>,
}

impl Default for SparseRows {
    fn default() -> SparseRows {
        SparseRows {
            starts: vec![0],
            items: Vec::new(),
        }
    }
}

impl SparseRows {
    /// Adds the row of the next class.
    pub(super) fn push(&mut self, row: &[Class]) {
        self.items.extend_from_slice(row);
        self.starts.push(self.items.len());
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The row of a class.
    #[inline]
    pub fn row(&self, class: Class) -> &[Class] {
        let class = class as usize;
        &self.items[self.starts[class]..self.starts[class + 1]]
    }

    /// The edges turned round; rows are in ascending order.
    pub(super) fn transposed(&self) -> SparseRows {
        let mut starts = vec![0usize; self.starts.len()];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut items = vec![0; self.items.len()];
        let mut free = starts.clone();
        for class in 0..self.len() as Class {
            for &item in self.row(class) {
                let slot = &mut free[item as usize];
                items[*slot] = class;
                *slot += 1;
            }
        }
        SparseRows { starts, items }
    }
}
