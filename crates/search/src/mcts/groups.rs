//! The highest upper confidence bound among many siblings, without a look at each of them.
//!
//! The bound of a child is a line over the width of all bounds, which grows with the visits of the
//! parent: its mean, and a slope that falls with its own visits. Siblings are taken together in
//! groups. A group remembers which of its lines is the highest and the width from which another one
//! is (a kinetic tournament, Basch, Guibas and Hershberger 1999). A descent changes one child and
//! so makes one group out of date, whose lines are compared anew when the node is visited again;
//! the others need one comparison each.
//!
//! One thread alone finds exactly the child that a look at all of them would find. Of several
//! threads each has groups of its own, so that they do not wait for each other's memory, and learns
//! what others have done to a child when it would go there.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Siblings in a group.
pub(super) const GROUP: usize = 32;

/// So little before another line overtakes, lines are compared anew: roundings are far smaller.
const MARGIN: f64 = 1e-9;

/// The bound of a child by the width of bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoundLine {
    pub mean: f64,
    pub slope: f64,
}

impl BoundLine {
    /// Of a child that must not be visited.
    pub const NEVER: BoundLine = BoundLine {
        mean: f64::NEG_INFINITY,
        slope: 0.0,
    };
    /// Of a child that comes before all others.
    pub const AT_ONCE: BoundLine = BoundLine {
        mean: f64::INFINITY,
        slope: 0.0,
    };

    #[inline]
    pub fn at(self, width: f64) -> f64 {
        self.mean + width * self.slope
    }
}

/// What is remembered of a group. Floating-point numbers are kept as their bits.
#[derive(Debug)]
pub(super) struct Group {
    place: AtomicU32,
    mean: AtomicU64,
    slope: AtomicU64,
    /// The width up to which it holds.
    until: AtomicU64,
}

impl Group {
    /// The groups of this many siblings. A few are looked at one by one.
    pub fn count(siblings: usize) -> usize {
        match siblings > GROUP {
            true => siblings.div_ceil(GROUP),
            false => 0,
        }
    }

    pub fn new() -> Group {
        Group {
            place: AtomicU32::new(0),
            mean: AtomicU64::new(0),
            slope: AtomicU64::new(0),
            until: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
        }
    }

    /// The place of the highest line, the first of several, and what it is at this width; nothing
    /// if it is not known.
    #[inline]
    pub fn highest(&self, width: f64) -> Option<(usize, f64)> {
        let load = |number: &AtomicU64| f64::from_bits(number.load(Relaxed));
        let line = BoundLine {
            mean: load(&self.mean),
            slope: load(&self.slope),
        };
        let place = self.place.load(Relaxed) as usize;
        (width < load(&self.until)).then(|| (place, line.at(width)))
    }

    /// Compares all lines of the group.
    pub fn compare(&self, width: f64, lines: impl Iterator<Item = BoundLine>) -> (usize, f64) {
        let mut all = [BoundLine::NEVER; GROUP];
        let mut count = 0;
        let (mut place, mut merit) = (0, f64::NEG_INFINITY);
        for (line, slot) in lines.zip(&mut all) {
            *slot = line;
            let own = line.at(width);
            if own > merit {
                (place, merit) = (count, own);
            }
            count += 1;
        }
        let best = all[place];
        let mut until = f64::INFINITY;
        for line in &all[..count] {
            let steeper = line.slope - best.slope;
            if steeper > 0.0 {
                until = until.min((best.mean - line.mean) / steeper - MARGIN);
            }
        }
        let store = |number: &AtomicU64, value: f64| number.store(value.to_bits(), Relaxed);
        self.place.store(place as u32, Relaxed);
        store(&self.mean, best.mean);
        store(&self.slope, best.slope);
        store(&self.until, until);
        (place, merit)
    }

    /// Something in the group has changed.
    #[inline]
    pub fn forget(&self) {
        self.until.store(f64::NEG_INFINITY.to_bits(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line() -> impl Strategy<Value = BoundLine> {
        // Few different numbers, so that many lines are the same.
        (-4i32..=4, 1u32..6).prop_map(|(sum, visits)| BoundLine {
            mean: f64::from(sum) / f64::from(visits),
            slope: f64::from(visits).sqrt().recip(),
        })
    }

    fn by_looking(lines: &[BoundLine], width: f64) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (place, line) in lines.iter().enumerate() {
            if line.at(width) > best.1 {
                best = (place, line.at(width));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn what_is_remembered_is_what_all_lines_say(
            lines in prop::collection::vec(line(), 1..GROUP),
            steps in prop::collection::vec(0.001f64..0.5, 1..40),
        ) {
            let group = Group::new();
            let (mut width, mut remembered) = (0.0, 0);
            for step in &steps {
                width += step;
                let found = match group.highest(width) {
                    Some(found) => {
                        remembered += 1;
                        found
                    }
                    None => group.compare(width, lines.iter().copied()),
                };
                prop_assert_eq!(found, by_looking(&lines, width));
            }
            // Each line is the highest once at most, but for the margin.
            prop_assert!(steps.len() - remembered <= 2 * lines.len());
        }
    }

    #[test]
    fn a_child_that_comes_first_and_one_that_never_does() {
        let lines = [
            BoundLine::NEVER,
            BoundLine {
                mean: 0.5,
                slope: 1.0,
            },
            BoundLine::AT_ONCE,
        ];
        let group = Group::new();
        assert_eq!(group.compare(1.0, lines.into_iter()), (2, f64::INFINITY));
        assert_eq!(group.highest(2.0), Some((2, f64::INFINITY)));
        group.forget();
        assert_eq!(group.highest(2.0), None);
        let none = [BoundLine::NEVER; 3].into_iter();
        assert_eq!(group.compare(1.0, none).1, f64::NEG_INFINITY);
    }
}
