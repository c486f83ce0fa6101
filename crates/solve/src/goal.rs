//! What is to be proved, and what is known without search.

use tabia_game::{Game, Payoff, Player, Turn, Wdl};

/// That a player can force at least this payoff. Play without end is worth nothing to anybody, so
/// that it satisfies a goal of zero or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// Who wants to reach it.
    pub player: Player,
    /// What it is: 1 for a win, 0 for at least a draw, in games that are only won, drawn or lost.
    pub at_least: Payoff,
}

/// A goal from the side that must make progress: the attacker has to bring the game to an end with
/// a payoff of at least this much, and whatever goes on for ever fails.
///
/// Every goal is an attack or the failure of one: that White at least draws means that Black cannot
/// force a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attack {
    /// Who must make progress.
    pub attacker: Player,
    /// The payoff that the attacker needs, more than zero.
    pub at_least: Payoff,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It holds.
    Proved,
    /// It does not hold.
    Disproved,
    /// Not known.
    Unknown,
}

impl Status {
    /// The status of the opposite claim.
    pub fn opposite(self) -> Status {
        match self {
            Status::Proved => Status::Disproved,
            Status::Disproved => Status::Proved,
            Status::Unknown => Status::Unknown,
        }
    }

    /// The status of a claim that is known to hold or not.
    #[inline]
    pub fn of(holds: bool) -> Status {
        if holds {
            Status::Proved
        } else {
            Status::Disproved
        }
    }
}

impl Goal {
    /// The attack that decides the goal, and whether the goal holds if the attack does.
    pub fn attack(self) -> (Attack, bool) {
        if self.at_least > 0 {
            let attack = Attack {
                attacker: self.player,
                at_least: self.at_least,
            };
            (attack, true)
        } else {
            let attack = Attack {
                attacker: self.player.other(),
                at_least: 1 - self.at_least,
            };
            (attack, false)
        }
    }
}

impl Attack {
    /// Whether the attack has succeeded in a position without search: the game is over, or the
    /// value is known.
    #[inline]
    pub fn status<G: Game>(self, game: &G, state: &G::State, settled: &dyn Settled<G>) -> Status {
        match game.turn(state) {
            Turn::Over => Status::of(game.payoff(state, self.attacker) >= self.at_least),
            Turn::Player(mover) => match settled.value(game, state) {
                Some(value) if mover == self.attacker => self.given(value, game.max_payoff()),
                Some(value) => self.given(value.flipped(), game.max_payoff()),
                None => Status::Unknown,
            },
            Turn::Chance => Status::Unknown,
        }
    }

    /// What follows from the value for the attacker, in a game with payoffs up to `most`: that
    /// something is won does not tell how much.
    #[inline]
    pub(crate) fn given(self, value: Wdl, most: Payoff) -> Status {
        let [low, high] = payoffs(value, most).map(|payoff| payoff >= self.at_least);
        if low == high {
            Status::of(low)
        } else {
            Status::Unknown
        }
    }
}

/// The least and the greatest payoff that a value may stand for, where there are none beyond
/// `most`.
#[inline]
pub(crate) fn payoffs(value: Wdl, most: Payoff) -> [Payoff; 2] {
    match value {
        Wdl::Win => [1, most],
        Wdl::Draw => [0, 0],
        Wdl::Loss => [most.saturating_neg(), -1],
    }
}

/// Positions whose value is known without search.
pub trait Settled<G: Game>: Sync {
    /// The value for the player to move of a game that is not over.
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl>;
}

/// Nothing is known.
impl<G: Game> Settled<G> for () {
    #[inline]
    fn value(&self, _: &G, _: &G::State) -> Option<Wdl> {
        None
    }
}

impl<G: Game, S: Settled<G>> Settled<G> for &S {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl> {
        (*self).value(game, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_of_a_draw_is_that_the_opponent_cannot_win() {
        let wins = Goal {
            player: Player::FIRST,
            at_least: 1,
        };
        let draws = Goal {
            player: Player::SECOND,
            at_least: 0,
        };
        let attack = Attack {
            attacker: Player::FIRST,
            at_least: 1,
        };
        assert_eq!(wins.attack(), (attack, true));
        assert_eq!(draws.attack(), (attack, false));
    }

    #[test]
    fn a_win_does_not_tell_how_much_is_won() {
        let given = |at_least, value, most| {
            let attacker = Player::FIRST;
            Attack { attacker, at_least }.given(value, most)
        };
        assert_eq!(given(1, Wdl::Win, 1), Status::Proved);
        assert_eq!(given(2, Wdl::Win, 1), Status::Disproved);
        assert_eq!(given(1, Wdl::Win, 2), Status::Proved);
        assert_eq!(given(2, Wdl::Win, 2), Status::Unknown);
        for at_least in [1, 2] {
            assert_eq!(given(at_least, Wdl::Draw, 2), Status::Disproved);
            assert_eq!(given(at_least, Wdl::Loss, 2), Status::Disproved);
        }
    }
}
