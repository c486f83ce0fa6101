//! Sums of hot games played for points: exact search, and strategies that look at one component at
//! a time.
//!
//! Components are binary trees with integers at the ends; a move goes to a child of one component,
//! play ends when all components are integers, and the score is their sum (Müller and Li 2004).
//! Nobody passes. No component may have a position in which both players would rather have the
//! other move: then the sum has none either (Milnor 1953), scores are the stops of the sum as a
//! combinatorial game, and thermographs and incentives tell the truth about literal play.
//! [`Sum::new`] refuses all others.
//!
//! [`Search`] finds the score under best play, by alpha-beta informed by temperatures and
//! incentives. A [`SumStrategy`] plays without it; [`loss`] is what that costs against a perfect
//! opponent. Left is the first of two players and wants many points.
//!
//! ```
//! use tabia_cgt::scoring::{Options, Search, Sum};
//! use tabia_game::Player;
//!
//! let components = ["114|66||49|0", "10|0||-1"].map(|text| text.parse().unwrap());
//! let sum = Sum::new(&components).unwrap();
//! let mut search = Search::new(&sum, Options::BEST).unwrap();
//! assert_eq!(search.solve(&sum.start(), Player::FIRST).unwrap().score, 66);
//! ```

mod component;
mod estimates;
mod incentives;
mod multisets;
mod search;
mod strategies;
mod sum;

pub use component::{MAX_LEVELS, Summand};
pub use search::{Control, Found, LeafEvaluation, Options, Ranked, Search};
pub use strategies::{StrategyKind, SumStrategy, loss};
pub use sum::{MAX_COMPONENTS, MAX_LEAF, Position, Refused, Sum};
