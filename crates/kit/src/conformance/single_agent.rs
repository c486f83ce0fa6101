//! Checks of games for one player.

use super::{Kit, list};
use tabia_game::{Commutes, Game, OnePlayer, Player, Turn};

/// Moves of a position whose order is looked into at most.
const MOVES: usize = 12;

impl<G: Game> Kit<G> {
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
        G: Commutes,
    {
        self.check("commuting moves", |game, state| {
            let moves = list(game, state);
            let moves = &moves[..moves.len().min(MOVES)];
            for (i, &one) in moves.iter().enumerate() {
                for &other in &moves[..i] {
                    let truth = Plain(game).commute(state, one, other);
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

/// A game without what it says of the order of its moves.
struct Plain<'a, G>(&'a G);

impl<G: Game> Game for Plain<'_, G> {
    type State = G::State;
    type Move = G::Move;
    type Undo = G::Undo;
    type Luck = G::Luck;
    type Information = G::Information;

    fn players(&self) -> usize {
        self.0.players()
    }
    fn start(&self) -> G::State {
        self.0.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.0.turn(state)
    }
    fn moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.0.moves(state, out);
    }
    fn play(&self, state: &mut G::State, mv: G::Move) -> G::Undo {
        self.0.play(state, mv)
    }
    fn undo(&self, state: &mut G::State, token: G::Undo) {
        self.0.undo(state, token);
    }
    fn payoff(&self, state: &G::State, player: Player) -> tabia_game::Payoff {
        self.0.payoff(state, player)
    }
}

impl<G: Game> Commutes for Plain<'_, G> {}
