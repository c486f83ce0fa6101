//! Best-first search for a proof: one frame, and the searches that share it.
//!
//! | search | after | what a node carries |
//! | --- | --- | --- |
//! | [`Pn`] | Allis et al. (1994) | proof and disproof number |
//! | [`Pn2`] | Breuker et al. (2001), Schadd (2011, section 4.5.2) | the same, in two levels |
//! | [`Pn`], [`Pn2`] with [`Guided`] leaves: EF-PN, EF-PN2 | Winands and Schadd (2011) | the same |
//! | [`Pp`] | Saffidine and Cazenave (2013) | a probability |
//! | [`Mopns`] | Saffidine (2013) | proof and disproof numbers of several thresholds |
//!
//! All grow a tree in memory and know no transpositions, so a position has the value that belongs
//! to its path: a position that recurs since the root fails the attack. Nothing more is needed to
//! be right with cycles. Running out of nodes, time or memory ends a search with what it knows of
//! the root; a limit on depth is not heeded. The bound on memory is that of the tree.

mod arena;
mod dichotomic;
mod frame;
mod initial;
mod mopns;
mod pn;
mod pn2;
mod pp;

pub use frame::{BestFirst, BestFirstResult, BestFirstSearch, Solvable};
pub use initial::{Guided, Initial, Mobility, Steep, Unit};
pub use mopns::{Bounds, Mopns, Stakes};
pub use pn::{Pn, ProofPair};
pub use pn2::{Pn2, SecondLevel};
pub use pp::{Pp, SuccessProbability};

/// The memory that a search may take if nothing else is said: one gigabyte.
pub const DEFAULT_BYTES: u64 = 1 << 30;

/// Looks on while a search goes its way.
pub struct Trace<'a, I> {
    /// After how many expansions it looks again; those of the first level in a two-level search.
    pub every: u64,
    /// Is told the nodes created so far and what is known of the root. The first call tells of the
    /// root alone, the last of the end.
    pub call: &'a mut dyn FnMut(u64, I),
}
