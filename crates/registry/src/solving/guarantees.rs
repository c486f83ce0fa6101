//! What each of many players gets if all others are against them, by proof-number search (Saito and
//! Winands 2010 on Rolit).
//!
//! For each player the game is one of two, the player and the rest, and a bisection over payoffs
//! asks depth-first proof-number search what the player can force.

use tabia_game::{Game, Limits, Payoff, Player, Uninformed};
use tabia_search::many::ManyPlayerGame;
use tabia_search::many::ReductionObjective;
use tabia_search::many::reduction::{Against, Everybody};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Goal, Prover, Status};

use super::{OnProgress, SolveError, mover};

/// What a player can force against all others together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The player.
    pub player: Player,
    /// The player can force this much.
    pub at_least: Payoff,
    /// The player cannot force more than this.
    pub at_most: Payoff,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl Guarantee {
    /// Whether it is known what they can force.
    pub fn is_solved(&self) -> bool {
        self.at_least == self.at_most
    }
}

/// How much work may be put into it.
pub struct Means<'a> {
    /// Bytes of memory.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// When to give up; a limit on nodes holds for every question.
    pub limits: &'a Limits,
}

/// How guarantees are found.
pub(crate) type GuaranteesFn<G> =
    fn(&G, &<G as Game>::State, &Means<'_>, OnProgress<'_>) -> Result<Vec<Guarantee>, SolveError>;

pub(crate) fn guarantees<G: ManyPlayerGame>(
    game: &G,
    state: &G::State,
    means: &Means<'_>,
    tell: OnProgress<'_>,
) -> Result<Vec<Guarantee>, SolveError> {
    mover(game, state)?;
    let mut all = Vec::new();
    for player in (0..game.players()).map(|p| Player(p as u8)) {
        let view = Against::new(
            game,
            &Uninformed,
            &Everybody,
            player,
            ReductionObjective::Own,
        );
        let mut search = Dfpn::new(means.memory, means.threads);
        let (at_least, at_most) = game.payoff_range(state, player);
        let mut found = Guarantee {
            player,
            at_least,
            at_most,
            nodes: 0,
        };
        while !found.is_solved() {
            // Above the middle, so that either answer narrows the range.
            let middle = found.at_least + (found.at_most - found.at_least + 1) / 2;
            let goal = Goal {
                player: Player::FIRST,
                at_least: middle,
            };
            let (attack, direct) = goal.attack();
            let proof = search.prove(&view, state, attack, &(), means.limits);
            found.nodes += proof.nodes;
            tell(&format!("player {}", player.0 + 1), found.nodes);
            match (proof.status, direct) {
                (Status::Proved, true) | (Status::Disproved, false) => found.at_least = middle,
                (Status::Disproved, true) | (Status::Proved, false) => found.at_most = middle - 1,
                (Status::Unknown, _) => break,
            }
        }
        all.push(found);
    }
    Ok(all)
}
