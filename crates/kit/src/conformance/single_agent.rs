//! Checks of games for one player.

use super::{Kit, list};
use tabia_game::{Game, OnePlayer, Player, Turn};

/// Moves of a position whose order is looked into at most.
const MOVES: usize = 12;

impl<G: Game + 'static> Kit<G> {
    /// One player, whose payoff is bounded from above.
    pub fn one_player(self) -> Self
    where
        G: OnePlayer,
    {
        self.check("one player", |game, state| {
            ensure!(game.players() == 1, "{} players", game.players());
            let (earned, most) = (game.earned(state), game.most(state));
            ensure!(earned <= most, "{earned} earned, {most} at most");
            if game.turn(state) == Turn::Over {
                let payoff = game.payoff(state, Player::FIRST);
                ensure!(
                    (earned, most) == (payoff, payoff),
                    "pays {payoff}, with {earned} earned and {most} at most"
                );
            }
            let mut copy = state.clone();
            let mut promises = Vec::new();
            game.promises(&mut copy, &mut Vec::new(), &mut promises);
            let moves = list(game, state);
            ensure!(copy == *state, "promises change the position");
            ensure!(
                promises.len() == moves.len() && promises.iter().all(|(_, mv)| moves.contains(mv)),
                "{} promises of {} moves",
                promises.len(),
                moves.len()
            );
            for (promise, mv) in promises {
                let token = game.play(&mut copy, mv);
                let then = game.most(&copy);
                ensure!(then <= most, "{mv:?} raises the most from {most} to {then}");
                ensure!(
                    then <= promise,
                    "{mv:?} promises {promise}, and pays up to {then}"
                );
                game.undo(&mut copy, token);
            }
            Ok(())
        })
    }

    /// Moves change places where they are said to.
    pub fn commutes(self) -> Self
    where
        G: OnePlayer,
    {
        self.check("commuting moves", |game, state| {
            let moves = list(game, state);
            let moves = &moves[..moves.len().min(MOVES)];
            for (i, &one) in moves.iter().enumerate() {
                for &other in &moves[..i] {
                    let truth = played_either_way(game, state, one, other);
                    let told = [(one, other), (other, one)]
                        .map(|(one, other)| game.commute(state, one, other));
                    ensure!(
                        told == [truth; 2],
                        "{one:?} and {other:?}: {told:?}, but {truth}"
                    );
                }
            }
            Ok(())
        })
    }
}

/// Whether both orders of two moves are legal and lead to the same position.
fn played_either_way<G: Game>(game: &G, state: &G::State, one: G::Move, other: G::Move) -> bool {
    let after = |first, second| {
        let mut state = state.clone();
        game.play(&mut state, first);
        list(game, &state).contains(&second).then(|| {
            game.play(&mut state, second);
            state
        })
    };
    let reached = after(one, other);
    reached.is_some() && reached == after(other, one)
}
