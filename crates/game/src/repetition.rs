//! The rule of repetition: what happens when a position occurs again.

use std::fmt;

use crate::{Game, Payoff, Player};

/// What a recurrence leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// Nothing happens, or positions cannot recur.
    Nothing,
    /// The game is drawn.
    Draw,
    /// The player whose move brings the position about loses. If chance brings it about, the game
    /// goes on.
    Loss,
    /// The move that would bring the position about is illegal. Outcomes of chance are always
    /// legal.
    Forbidden,
    /// The game judges the cycle: see [`Key::judge`](crate::Key::judge).
    Judged,
}

/// What the rule compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compared {
    /// Whole positions, player to move included, by [`Key::key`](crate::Key::key).
    Positions,
    /// What [`Key::history_key`](crate::Key::history_key) says: for example the board without the
    /// player to move, or only positions at the end of a turn.
    HistoryKeys,
    /// The moves of the path: [`Key::retain_allowed`](crate::Key::retain_allowed) reads their
    /// notes.
    Moves,
}

/// What the rules say when a position occurs again.
///
/// ```
/// use tabia_game::Repetition;
///
/// // Chess: the third occurrence draws.
/// let chess = Repetition::draw(3);
/// // Go with positional superko: no board may occur again, whoever is to move.
/// let superko = Repetition::forbidden(2).by_history_key();
/// assert!(chess.is_draw(3) && !superko.is_draw(3));
/// assert!(superko.forbids() && !chess.forbids());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// What happens.
    pub consequence: Consequence,
    /// The occurrence at which it happens, 2 or more.
    pub occurrences: u32,
    /// Which positions count as the same.
    pub compared: Compared,
}

impl Repetition {
    /// Positions recur freely, or cannot recur.
    pub const ALLOWED: Repetition = Repetition::new(Consequence::Nothing, u32::MAX);

    const fn new(consequence: Consequence, occurrences: u32) -> Repetition {
        Repetition {
            consequence,
            occurrences,
            compared: Compared::Positions,
        }
    }

    /// The game is drawn when a position occurs this many times.
    pub const fn draw(occurrences: u32) -> Repetition {
        Repetition::new(Consequence::Draw, occurrences)
    }

    /// The player whose move makes a position occur this many times loses.
    pub const fn loss(occurrences: u32) -> Repetition {
        Repetition::new(Consequence::Loss, occurrences)
    }

    /// A move that would make a position occur this many times is illegal.
    pub const fn forbidden(occurrences: u32) -> Repetition {
        Repetition::new(Consequence::Forbidden, occurrences)
    }

    /// The game judges every cycle that makes a position occur this many times or more.
    pub const fn judged(occurrences: u32) -> Repetition {
        Repetition::new(Consequence::Judged, occurrences)
    }

    /// The game forbids moves because of the moves before them, whatever positions they lead to.
    /// It must implement [`Key::note`](crate::Key::note) and
    /// [`Key::retain_allowed`](crate::Key::retain_allowed).
    pub const fn forbidden_by_moves() -> Repetition {
        Repetition {
            compared: Compared::Moves,
            ..Repetition::new(Consequence::Forbidden, u32::MAX)
        }
    }

    /// The same rule for positions with equal [history keys](crate::Key::history_key).
    #[must_use]
    pub const fn by_history_key(self) -> Repetition {
        Repetition {
            compared: Compared::HistoryKeys,
            ..self
        }
    }

    /// Whether the rule needs a [`Path`](crate::Path).
    #[inline]
    pub fn is_tracked(self) -> bool {
        self.consequence != Consequence::Nothing
    }

    /// Whether a position that now occurs for the `occurrences`-th time ends the game as a draw.
    #[inline]
    pub fn is_draw(self, occurrences: u32) -> bool {
        self.consequence == Consequence::Draw && occurrences >= self.occurrences
    }

    /// Whether the rule makes moves illegal.
    #[inline]
    pub fn forbids(self) -> bool {
        self.consequence == Consequence::Forbidden
    }

    /// Whether a path needs to know who moved and what the game noted.
    #[inline]
    pub fn reads_moves(self) -> bool {
        !matches!(self.consequence, Consequence::Nothing | Consequence::Draw)
    }

    /// Whether [`Key::key_on_path`](crate::Key::key_on_path) tells apart all paths after which the
    /// same position may have different values. Then a value found on a path may be stored under
    /// that key as a final one. A draw at the n-th occurrence is the exception: its keys only tell
    /// which positions have been repeated, so that paths may share what was found.
    #[inline]
    pub fn has_exact_keys(self) -> bool {
        self.reads_moves()
    }

    /// Whether the rule comes to the same as a draw by play without end, for a game that begins
    /// without a history.
    ///
    /// Who can force a win can force it without repeating a position. So if whole positions are
    /// compared and a repetition draws, the value of a position is that of the game without the
    /// rule. Algorithms that know no path are exact for these games and for no others.
    pub fn is_endless_draw(self) -> bool {
        match self.consequence {
            Consequence::Nothing => true,
            Consequence::Draw => self.compared == Compared::Positions,
            _ => false,
        }
    }

    /// Refuses a game for an algorithm that is exact only without any rule of repetition: one that
    /// weighs chance events, or adds up what a single player collects.
    pub fn check_allowed(self, algorithm: &'static str) -> Result<(), InexactUnderRule> {
        match self.is_tracked() {
            false => Ok(()),
            true => Err(InexactUnderRule {
                algorithm,
                rule: self,
            }),
        }
    }

    /// Refuses a game for an algorithm that is exact only where play without end is drawn.
    pub fn check_endless_draw(self, algorithm: &'static str) -> Result<(), InexactUnderRule> {
        match self.is_endless_draw() {
            true => Ok(()),
            false => Err(InexactUnderRule {
                algorithm,
                rule: self,
            }),
        }
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.occurrences;
        let same = match self.compared {
            Compared::Positions => "a position",
            Compared::HistoryKeys => "what the rule compares of a position",
            Compared::Moves => return write!(f, "moves are forbidden because of earlier moves"),
        };
        match self.consequence {
            Consequence::Nothing => write!(f, "positions recur freely"),
            Consequence::Draw => write!(f, "occurrence {n} of {same} is a draw"),
            Consequence::Loss => write!(f, "occurrence {n} of {same} loses for who causes it"),
            Consequence::Forbidden => write!(f, "occurrence {n} of {same} is forbidden"),
            Consequence::Judged => write!(f, "occurrence {n} of {same} is judged by the game"),
        }
    }
}

/// An algorithm was asked about a game under whose rule of repetition it would be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{algorithm} is not exact for this game, in which {rule}")]
pub struct InexactUnderRule {
    /// What was asked.
    pub algorithm: &'static str,
    /// The rule of the game.
    pub rule: Repetition,
}

/// How a rule of repetition leaves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruling {
    /// The game goes on.
    Open,
    /// The game is drawn: everybody gets 0.
    Draw,
    /// This player gets the least payoff there is, and the others share the rest.
    Loss(Player),
    /// This player gets this payoff, and the others share the rest.
    Payoff(Player, Payoff),
}

impl Ruling {
    /// Whether the game goes on.
    #[inline]
    pub fn is_open(self) -> bool {
        self == Ruling::Open
    }

    /// What `player` gets, as [`Game::ruled`] says. Unspecified while the game goes on.
    pub fn payoff<G: Game>(self, game: &G, player: Player) -> Payoff {
        game.ruled(self, player)
    }

    /// What `player` gets in a game without a say in it. The rest of the game's [constant
    /// sum](Game::payoff_sum), or of 0 if there is none, is shared in equal parts, rounded down.
    pub(crate) fn shared<G: Game + ?Sized>(self, game: &G, player: Player) -> Payoff {
        let (named, own) = match self {
            Ruling::Open | Ruling::Draw => return 0,
            Ruling::Loss(loser) => (loser, -game.max_payoff()),
            Ruling::Payoff(named, own) => (named, own),
        };
        if player == named {
            return own;
        }
        let others = Payoff::try_from(game.players().saturating_sub(1)).unwrap_or(Payoff::MAX);
        (game.payoff_sum().unwrap_or(0) - own).div_euclid(others.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let rule = Repetition::draw(3);
        assert_eq!(
            [1, 2, 3, 4].map(|n| rule.is_draw(n)),
            [false, false, true, true]
        );
        assert!(!Repetition::ALLOWED.is_draw(u32::MAX));
        assert!(!Repetition::loss(3).is_draw(3));
    }

    #[test]
    fn only_draws_of_whole_positions_come_to_the_same_as_endless_play() {
        let exact = |rule: Repetition| rule.check_endless_draw("retrograde analysis").is_ok();
        assert!(exact(Repetition::ALLOWED) && exact(Repetition::draw(2)));
        assert!(!exact(Repetition::draw(3).by_history_key()));
        for rule in [
            Repetition::loss(2),
            Repetition::forbidden(2),
            Repetition::judged(3),
        ] {
            assert!(!exact(rule), "{rule}");
        }
        let refused = Repetition::forbidden(2).check_endless_draw("retrograde analysis");
        assert_eq!(
            refused.unwrap_err().to_string(),
            "retrograde analysis is not exact for this game, in which occurrence 2 of a position \
             is forbidden"
        );
    }
}
