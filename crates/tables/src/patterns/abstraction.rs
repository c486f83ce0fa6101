//! Simplifications of a game for one player, whose exact distances bound those of the game from
//! below.
//!
//! Pattern databases (Culberson and Schaeffer 1998) keep the distances of all positions of a
//! simplification. Where every move is counted by one simplification only, their distances may be
//! added (Korf and Felner 2002).

use tabia_game::{Game, OnePlayer, Payoff};

/// A game for one player in which every move costs the same: the shorter the way to the goal, the
/// more it pays.
pub trait ShortestPath: OnePlayer {
    /// No fewer moves lead to the goal from here, as far as the game can tell by itself.
    fn distance(&self, state: &Self::State) -> u32;

    /// [`OnePlayer::most`] of a position from which no fewer than `moves` moves lead to the goal.
    fn most_within(&self, state: &Self::State, moves: u32) -> Payoff;
}

/// A simplification of a game.
///
/// Its positions are *patterns*, which are numbered and kept in tables, together with a *rest*, one
/// of 32 at most: what moves depend on but tables do not keep, such as the place of a blank. Moves
/// either change the rest only and cost nothing, or they change the pattern and cost one. All can
/// be taken back at the same cost; where there is one rest only some may be without return, and
/// then [`Abstraction::expand`] goes backwards and [`Abstraction::neighbours`] forwards.
pub trait Abstraction<G: Game>: Send + Sync {
    /// A name without blanks or slashes, different for every abstraction of the game.
    fn text(&self) -> String;

    /// How many patterns there are; `None` if that is more than can be counted.
    fn patterns(&self) -> Option<u64>;

    /// How many rests there are, numbered from zero.
    fn rests(&self) -> u32;

    /// The pattern of a position of the game.
    fn pattern(&self, game: &G, state: &G::State) -> u64;

    /// The pattern of the goal, and its rests as a set of bits.
    fn goal(&self) -> (u64, u32);

    /// The rests that can be reached from those in the set without cost, these included; what one
    /// more move that costs leads to from any of them is appended, patterns with rests as sets of
    /// bits.
    fn expand(&self, pattern: u64, rests: u32, out: &mut Vec<(u64, u32)>) -> u32;

    /// Appends what single moves lead to from a pattern and one rest, with what they cost.
    ///
    /// For checking tables that were built with [`Abstraction::expand`], and so to be written
    /// independently of it.
    fn neighbours(&self, pattern: u64, rest: u32, out: &mut Vec<(u64, u32, u8)>);
}
