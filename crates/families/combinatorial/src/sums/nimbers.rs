//! Nimbers of sums part by part, by the theory of a game where it has one.

use tabia_game::text::shortened;
use tabia_game::{Combinatorial, Meter, Player, TextError};

use super::{SumError, SumEvaluator, Summands, rules};
use crate::mixed::{GameKind, NAMES};
use crate::theory::{Asked, Sequence, Theories, Theory};

/// Nimbers of sums, as far as they have been asked for.
pub struct Nimbers {
    evaluator: SumEvaluator,
    theories: Theories,
}

impl Nimbers {
    /// Nothing is known at first; what is found takes about this many bytes at most.
    pub fn new(memory: u64) -> Nimbers {
        Nimbers {
            evaluator: SumEvaluator::with_memory(memory),
            theories: Theories::default(),
        }
    }

    /// The nimbers of the summands, each with the summand as it was written.
    pub fn parts(&mut self, sum: &str, meter: &mut Meter) -> Result<Vec<(String, u32)>, SumError> {
        let words = sum.split(" + ").map(str::trim);
        words
            .map(|word| Ok((word.to_string(), self.part(word, meter)?)))
            .collect()
    }

    fn part(&mut self, word: &str, meter: &mut Meter) -> Result<u32, SumError> {
        if let Some((theory, position)) = self.theory(word)
            && let Some(nimber) = theory.nimber(position, meter)?
        {
            return Ok(nimber);
        }
        let part = Summands::read(word)?;
        self.evaluator.nimber_of(&part, meter)
    }

    /// The moves in a summand that lead to this nimber; in a nimber they are the smaller ones.
    pub fn moves_to(
        &mut self,
        word: &str,
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<Vec<String>, SumError> {
        if let Some((theory, position)) = self.theory(word)
            && theory.nimber(position, meter)?.is_some()
        {
            return theory.moves_to(position, nimber, meter);
        }
        let part = Summands::read(word)?;
        let Some(position) = part.positions.first() else {
            let now = self.evaluator.nimber_of(&part, meter)?;
            return Ok((nimber < now)
                .then(|| format!("*{nimber}"))
                .into_iter()
                .collect());
        };
        let mut moves = Vec::new();
        rules().moves(position, Player::FIRST, &mut moves);
        let mut found = Vec::new();
        for mv in moves {
            let mut next = position.clone();
            rules().play(&mut next, Player::FIRST, mv);
            if self.evaluator.position_is(&next, nimber, meter)? {
                found.push(rules().move_text(position, Player::FIRST, mv));
            }
        }
        Ok(found)
    }

    /// The theory of the game of a summand, and the position.
    fn theory<'a>(&mut self, word: &'a str) -> Option<(&mut dyn Theory, &'a str)> {
        let word = word.strip_prefix("impartial ").unwrap_or(word);
        let (name, position) = word.split_once(':')?;
        let kind = GameKind::named(name.trim()).ok()?;
        Some((self.theories.of(&kind)?, position.trim()))
    }
}

/// The nimbers of a sequence of positions: a game, a colon, and a position with `_` for the number
/// that grows.
pub fn sequence(text: &str, asked: Asked, meter: &mut Meter) -> Result<Sequence, SumError> {
    let (name, pattern) = text.split_once(':').ok_or_else(|| {
        TextError::new(format!(
            "'{}' is no sequence: it is a game, a colon and a position with '_' for the number \
             that grows",
            shortened(text)
        ))
    })?;
    let kind = GameKind::named(name.trim())?;
    let mut theory = kind.theory().ok_or_else(|| {
        let named = NAMES
            .iter()
            .filter(|name| GameKind::named(name).is_ok_and(|kind| kind.theory().is_some()));
        let named: Vec<&str> = named.copied().collect();
        TextError::new(format!(
            "no periods of {} are known; they are of {} and octal games such as octal.137",
            kind.name(),
            named.join(", ")
        ))
    })?;
    theory.sequence(pattern.trim(), asked, meter)
}
