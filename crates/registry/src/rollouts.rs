//! Rollouts of listed games: a position before a chance event, or the most promising moves of a
//! player.

use tabia_game::{CERTAIN, Cancel, Game, Knowledge, Player, Text, Turn};
use tabia_search::chance::ChanceGame;
use tabia_search::{RolledOut, Rollout};

/// What a rollout is asked for.
#[derive(Clone, Debug)]
pub struct RolloutJob<'a> {
    /// How to roll out.
    pub rollout: Rollout,
    /// This many moves at most, the best by static evaluation.
    pub moves: usize,
    /// Stops it.
    pub cancel: &'a Cancel,
}

/// What was found of a position or of one of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// The move; none if the position itself was rolled out.
    pub mv: Option<String>,
    /// The value by static evaluation, for the player to move (the first player before a chance
    /// event), as a share of the largest payoff.
    pub estimate: f64,
    /// What the rollout found for the same player.
    pub found: RolledOut,
}

/// How a game is rolled out.
pub(crate) type RolloutFn<G> =
    Box<dyn Fn(&G, &<G as Game>::State, &RolloutJob<'_>) -> Vec<Rolled> + Send + Sync>;

/// How the luck of an outcome of chance is told, for the first player and as a share of the largest
/// payoff.
pub(crate) type LuckFn<G> =
    Box<dyn Fn(&G, &<G as Game>::State, <G as Game>::Move) -> f64 + Send + Sync>;

/// Rolls out with this knowledge. The best comes first.
pub(crate) fn roll_out<G, K>(
    game: &G,
    state: &G::State,
    knowledge: &K,
    job: &RolloutJob<'_>,
) -> Vec<Rolled>
where
    G: ChanceGame + Text,
    K: Knowledge<G>,
{
    let one = |mv: Option<String>, state: &G::State, player: Player| {
        let estimate = f64::from(knowledge.evaluate(game, state, player)) / f64::from(CERTAIN);
        let mut found = job.rollout.run(game, state, knowledge, job.cancel);
        if player == Player::SECOND {
            found.mean = -found.mean;
        }
        Rolled {
            mv,
            estimate,
            found,
        }
    };
    let Turn::Player(player) = game.turn(state) else {
        return vec![one(None, state, Player::FIRST)];
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut candidates: Vec<(f64, G::Move, G::State)> = moves
        .into_iter()
        .map(|mv| {
            let mut after = state.clone();
            game.play(&mut after, mv);
            let value = match game.turn(&after) {
                Turn::Over => f64::from(game.payoff(&after, player)) / f64::from(game.max_payoff()),
                _ => f64::from(knowledge.evaluate(game, &after, player)) / f64::from(CERTAIN),
            };
            (value, mv, after)
        })
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    candidates.truncate(job.moves.max(1));
    let mut rolled: Vec<Rolled> = candidates
        .into_iter()
        .map(|(estimate, mv, after)| Rolled {
            estimate,
            ..one(Some(game.move_text(state, mv)), &after, player)
        })
        .collect();
    rolled.sort_by(|a, b| b.found.mean.total_cmp(&a.found.mean));
    rolled
}
