//! The plainest search that solves a game: depth first, the moves in the order of the game, and
//! every position that was decided kept for good.
//!
//! Provers are held against it. It knows nothing of a game but the rules, and what positions it
//! visits depends on nothing else.

use std::collections::HashMap;

use tabia_game::{Game, Key, Payoff, Player, Turn};

/// Why the plain search came to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GaveUp {
    /// More positions than it may visit.
    #[error("more positions than the search may visit")]
    Limit,
    /// A position recurs on its path, where a plain search is not exact.
    #[error("positions recur")]
    Cycle,
}

/// Whether a player can force a payoff, for every position that was asked about.
///
/// ```
/// use tabia_game::{Game, Player};
/// use tabia_kit::memo::Memo;
/// use tabia_kit::tree::Tree;
///
/// // All leaves pay nothing.
/// let tree = Tree::uniform(2, 3);
/// let mut memo = Memo::new(Player::FIRST, 1, 1_000);
/// assert_eq!(memo.forces(&tree, &tree.start()), Ok(false));
/// // The root, both positions after it, and after each of them the first reply alone.
/// assert_eq!(memo.visited(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Memo {
    player: Player,
    at_least: Payoff,
    /// What was decided; `None` on the path.
    known: HashMap<u64, Option<bool>>,
    visited: u64,
    most: u64,
}

impl Memo {
    /// A search for a payoff of at least this much that visits so many positions at most.
    pub fn new(player: Player, at_least: Payoff, most: u64) -> Memo {
        Memo {
            player,
            at_least,
            known: HashMap::new(),
            visited: 0,
            most,
        }
    }

    /// Positions visited so far: those that were not over and not known.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether the player can force the payoff from here.
    pub fn forces<G: Game + Key>(&mut self, game: &G, state: &G::State) -> Result<bool, GaveUp> {
        let Turn::Player(mover) = game.turn(state) else {
            return Ok(game.payoff(state, self.player) >= self.at_least);
        };
        let key = game.key(state);
        match self.known.get(&key) {
            Some(Some(forces)) => return Ok(*forces),
            Some(None) => return Err(GaveUp::Cycle),
            None => {}
        }
        if self.visited >= self.most {
            return Err(GaveUp::Limit);
        }
        self.visited += 1;
        self.known.insert(key, None);
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let own = mover == self.player;
        let mut forces = !own;
        for mv in moves {
            let mut next = state.clone();
            game.play(&mut next, mv);
            if self.forces(game, &next)? == own {
                forces = own;
                break;
            }
        }
        self.known.insert(key, Some(forces));
        Ok(forces)
    }
}
