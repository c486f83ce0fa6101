//! What is known of the nimbers of a game beyond what a list of its moves tells: positions too
//! large to be searched, and sequences of positions that are proved to become periodic.

use std::collections::HashMap;

use tabia_game::{Combinatorial, Meter, TextError};

use crate::mixed::{GameKind, Mixed, Position};
use crate::sums::SumError;

/// Positions and sequences above this size are refused.
pub const MAX_SIZE: u32 = 1_000_000;

/// What stands in a sequence for the number that grows.
pub const GROWING: &str = "_";

/// The theory of an impartial game. Positions are texts, since they can be larger than those that
/// the rules can hold.
pub trait Theory {
    /// The nimber of a position, or `None` if this is not one that the theory is about.
    fn nimber(&mut self, position: &str, meter: &mut Meter) -> Result<Option<u32>, SumError>;

    /// The moves from such a position to positions with this nimber, as the game writes moves.
    fn moves_to(
        &mut self,
        position: &str,
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<Vec<String>, SumError>;

    /// The nimbers of all positions that differ in one number, which is written as [`GROWING`].
    fn sequence(
        &mut self,
        pattern: &str,
        asked: Asked,
        meter: &mut Meter,
    ) -> Result<Sequence, SumError>;

    /// How sequences are written, such as `a heap: '_'`.
    fn sequence_help(&self) -> &'static str;
}

/// The theories of games, with what they have found.
#[derive(Default)]
pub(crate) struct Theories(HashMap<GameKind, Option<Box<dyn Theory>>>);

impl Theories {
    /// The theory of a game.
    pub(crate) fn of(&mut self, kind: &GameKind) -> Option<&mut dyn Theory> {
        let theory = self.0.entry(kind.clone());
        let theory = theory.or_insert_with(|| kind.theory()).as_mut()?;
        Some(theory.as_mut())
    }

    /// The nimber of a position, if there is a theory of it.
    pub(crate) fn nimber(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<u32>, SumError> {
        let kind = position.kind();
        match self.of(&kind) {
            None => Ok(None),
            Some(theory) => {
                let text = Mixed::new(kind, false).position_text(position);
                theory.nimber(&text, meter)
            }
        }
    }
}

/// What is asked about a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The nimbers are listed up to this number.
    pub to: u32,
    /// A proof is looked for with numbers up to this one.
    pub within: u32,
    /// Whether the proof is checked once more from the rules.
    pub verify: bool,
}

/// The nimbers of a sequence of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// From 1 on.
    pub nimbers: Vec<u32>,
    /// The period, if one is proved.
    pub period: Option<Periodic>,
}

/// A proved period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// Its length.
    pub period: u32,
    /// The last number whose nimber differs from that of one a period later.
    pub last_irregular: Option<u32>,
    /// The number up to which the proof looks.
    pub proved_to: u32,
    /// How many sequences the proof is about.
    pub claims: usize,
    /// The nimbers of the period, that of a multiple of its length first.
    pub cycle: Vec<u32>,
    /// Whether the proof was checked from the rules.
    pub verified: bool,
}

/// A text that is no sequence, with what would be right.
pub(crate) fn no_sequence(theory: &dyn Theory, pattern: &str) -> SumError {
    SumError::Text(TextError::new(format!(
        "'{}' is no sequence: it is {}, with '{GROWING}' for the number that grows",
        tabia_game::text::shortened(pattern),
        theory.sequence_help()
    )))
}
