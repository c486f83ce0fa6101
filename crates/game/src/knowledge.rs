//! What a search may know about a game beyond its rules.
//!
//! Knowledge is a value of its own, never part of the rules, so that one game can be searched
//! with several evaluations and compared.

use crate::{Game, Key, Player, Turn, zobrist};

/// The evaluation of a position whose best payoff is certain. Estimates lie strictly between
/// `-CERTAIN` and `CERTAIN`, so that they read as millionths of a win.
pub const CERTAIN: i32 = 1_000_000;

/// Moves of this priority or more are tried before the moves that a search remembers to be good.
pub const URGENT: i32 = 50;

/// Heuristic knowledge of a game.
pub trait Knowledge<G: Game>: Send + Sync {
    /// What `player` may expect of an unfinished position, as a share of the best payoff, in
    /// units of one [`CERTAIN`]-th. In a two-player game the estimates of both players cancel out.
    fn evaluate(&self, game: &G, state: &G::State, player: Player) -> i32;

    /// What `player` may expect of where each of these moves leads; of a finished game what it
    /// pays. For games whose evaluation is faster for many positions together.
    fn evaluations(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        player: Player,
        out: &mut Vec<i32>,
    ) {
        let largest = i64::from(game.max_payoff().max(1));
        let mut state = state.clone();
        for &mv in moves {
            let token = game.play(&mut state, mv);
            out.push(match game.turn(&state) {
                Turn::Over => {
                    let payoff = i64::from(game.payoff(&state, player));
                    (payoff * i64::from(CERTAIN) / largest) as i32
                }
                _ => self.evaluate(game, &state, player),
            });
            game.undo(&mut state, token);
        }
    }

    /// The exact value to `player` as a share of the best payoff, where it is known without search,
    /// as from a table of endgames.
    fn exact(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let _ = (game, state, player);
        None
    }

    /// Static move ordering: classes of moves from -99 to 99, higher ones first. Those from
    /// [`URGENT`] on, such as moves that win at once, come before killer moves, too.
    fn priority(&self, game: &G, state: &G::State, mv: G::Move) -> i32 {
        let _ = (game, state, mv);
        0
    }

    /// [`Knowledge::priority`] of several moves of one position, for games that can tell them
    /// faster together.
    fn priorities(&self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<i32>) {
        out.extend(moves.iter().map(|&mv| self.priority(game, state, mv)));
    }

    /// Whether quiescence search looks at this move.
    fn is_tactical(&self, game: &G, state: &G::State, mv: G::Move) -> bool {
        let _ = (game, state, mv);
        false
    }

    /// Gives the turn away, for null-move pruning; `None` where that is not possible or where the
    /// right to move may be a burden.
    fn pass(&self, game: &G, state: &mut G::State) -> Option<G::Undo> {
        let _ = (game, state);
        None
    }

    /// Whether so little material is left that null moves must be trusted less.
    fn is_endgame(&self, game: &G, state: &G::State) -> bool {
        let _ = (game, state);
        false
    }
}

/// Knowledge with some noise in its evaluation: always the same in one position, so that a search
/// sees one value whenever it comes there, and another for every seed.
///
/// Deterministic programs would otherwise play the same game again and again (Schadd 2011, section
/// 6.4.1).
#[derive(Clone, Copy, Debug)]
pub struct Noisy<K> {
    knowledge: K,
    most: i32,
    seed: u64,
}

impl<K> Noisy<K> {
    /// From nothing up to `most` is added to each evaluation.
    pub fn new(knowledge: K, most: i32, seed: u64) -> Noisy<K> {
        Noisy {
            knowledge,
            most: most.clamp(0, CERTAIN - 1),
            seed,
        }
    }
}

impl<G: Key, K: Knowledge<G>> Knowledge<G> for Noisy<K> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State, player: Player) -> i32 {
        let value = self.knowledge.evaluate(game, state, player);
        if self.most == 0 {
            return value;
        }
        let drawn = |player: Player| {
            let number = zobrist::number(self.seed ^ game.key(state), u64::from(player.0));
            (number % (self.most.unsigned_abs() as u64 + 1)) as i32
        };
        let noise = match game.players() {
            // The estimates of two players cancel out, and so does their noise.
            2 => drawn(player) - drawn(player.other()),
            _ => drawn(player),
        };
        (value + noise).clamp(1 - CERTAIN, CERTAIN - 1)
    }

    fn exact(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        self.knowledge.exact(game, state, player)
    }

    fn priority(&self, game: &G, state: &G::State, mv: G::Move) -> i32 {
        self.knowledge.priority(game, state, mv)
    }

    fn priorities(&self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<i32>) {
        self.knowledge.priorities(game, state, moves, out);
    }

    fn is_tactical(&self, game: &G, state: &G::State, mv: G::Move) -> bool {
        self.knowledge.is_tactical(game, state, mv)
    }

    fn pass(&self, game: &G, state: &mut G::State) -> Option<G::Undo> {
        self.knowledge.pass(game, state)
    }

    fn is_endgame(&self, game: &G, state: &G::State) -> bool {
        self.knowledge.is_endgame(game, state)
    }
}

/// No knowledge at all: every unfinished position is even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uninformed;

impl<G: Game> Knowledge<G> for Uninformed {
    fn evaluate(&self, _: &G, _: &G::State, _: Player) -> i32 {
        0
    }
}
