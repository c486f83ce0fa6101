//! The one mechanism of all searches at chance nodes: a lower and an upper bound for each outcome.
//!
//! With probabilities P_j and bounds lo_j ≤ V_j ≤ hi_j the node is worth between Σ P_j lo_j and
//! Σ P_j hi_j. Against a window (alpha, beta) outcome i need only be known between
//!
//! A_i = (alpha − Σ_{j≠i} P_j hi_j) / P_i and B_i = (beta − Σ_{j≠i} P_j lo_j) / P_i:
//!
//! a value of at most A_i makes the node fail low, one of at least B_i makes it fail high (Ballard
//! 1983; Hauk, Buro and Schaeffer 2004, section 2). An outcome that was searched has lo = hi, so
//! that the same formula serves before, between and after the searches. Expectimax never looks at
//! the bounds; Star1 begins with those of the evaluation; probing, table look-ups and estimates
//! only tighten them.

use super::Scalar;

/// Between which values something lies, or a window through which a search looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange<V> {
    /// The lower end: L, alpha, or A.
    pub lo: V,
    /// The upper end: U, beta, or B.
    pub hi: V,
}

impl<V: Scalar> ValueRange<V> {
    /// What both ranges have in common. Where they have nothing in common, an empty range at the
    /// nearest end of `self`.
    pub fn clamp(self, other: ValueRange<V>) -> ValueRange<V> {
        ValueRange {
            lo: self.lo.most(other.lo).least(self.hi),
            hi: self.hi.least(other.hi).most(self.lo),
        }
    }

    /// The same range as the other player sees it.
    #[inline]
    pub fn flipped(self) -> ValueRange<V> {
        ValueRange {
            lo: -self.hi,
            hi: -self.lo,
        }
    }

    /// Whether both ends are the same.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }
}

/// What is known of one outcome.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeBounds<M, V> {
    /// The outcome.
    pub mv: M,
    /// Its probability.
    pub probability: V,
    /// Proven bounds.
    pub proven: ValueRange<V>,
    /// Bounds that are estimated where that is tighter; never wider than the proven ones, unless
    /// the estimate was refuted.
    pub estimated: ValueRange<V>,
    /// Whether no static evaluation went into the bounds.
    pub complete: bool,
}

impl<M, V: Scalar> OutcomeBounds<M, V> {
    /// An outcome of which only the bounds of all values are known.
    pub fn unknown(mv: M, probability: V, all: ValueRange<V>) -> OutcomeBounds<M, V> {
        OutcomeBounds {
            mv,
            probability,
            proven: all,
            estimated: all,
            complete: true,
        }
    }

    /// Its value was found.
    pub fn settle(&mut self, value: V) {
        self.proven = ValueRange {
            lo: value,
            hi: value,
        };
        self.estimated = self.proven;
    }

    /// Its value is at least this.
    pub fn raise(&mut self, bound: V) {
        self.proven.lo = self.proven.lo.most(bound).least(self.proven.hi);
        self.follow();
    }

    /// Its value is at most this.
    pub fn lower(&mut self, bound: V) {
        self.proven.hi = self.proven.hi.least(bound).most(self.proven.lo);
        self.follow();
    }

    /// Its value is probably in this range.
    pub fn estimate(&mut self, range: ValueRange<V>) {
        self.estimated = self.proven.clamp(range);
    }

    /// Estimates follow what is proven; one that is refuted is given up.
    fn follow(&mut self) {
        let ValueRange { lo, hi } = self.proven;
        if lo > self.estimated.hi || hi < self.estimated.lo {
            self.estimated = self.proven;
        } else {
            self.estimated = self.estimated.clamp(self.proven);
        }
    }
}

/// Between which values the node lies, estimates believed.
pub fn total<M, V: Scalar>(outcomes: &[OutcomeBounds<M, V>]) -> ValueRange<V> {
    let mut sum = ValueRange {
        lo: V::ratio(0, 1),
        hi: V::ratio(0, 1),
    };
    for outcome in outcomes {
        sum.lo = sum.lo + outcome.probability * outcome.estimated.lo;
        sum.hi = sum.hi + outcome.probability * outcome.estimated.hi;
    }
    sum
}

/// The window (A_i, B_i) through which outcome `i` must be searched, for a node searched through
/// `window`. It may reach beyond all values there are.
pub fn window<M, V: Scalar>(
    outcomes: &[OutcomeBounds<M, V>],
    i: usize,
    window: ValueRange<V>,
) -> ValueRange<V> {
    let mut others = ValueRange {
        lo: V::ratio(0, 1),
        hi: V::ratio(0, 1),
    };
    for (j, outcome) in outcomes.iter().enumerate() {
        if j != i {
            others.lo = others.lo + outcome.probability * outcome.estimated.lo;
            others.hi = others.hi + outcome.probability * outcome.estimated.hi;
        }
    }
    let probability = outcomes[i].probability;
    ValueRange {
        lo: (window.lo - others.hi) / probability,
        hi: (window.hi - others.lo) / probability,
    }
}
