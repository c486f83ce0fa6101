//! Knowing it already: the value of every position of a game, or of all its endings.
//!
//! A game that is [`Indexed`](tabia_game::Indexed) has its positions divided into slices and
//! numbered without gaps. Retrograde analysis gives each of them its value, and files keep the
//! values so that a search can look them up. Small games are also laid out as explicit graphs.

mod value;

pub use value::Value;
