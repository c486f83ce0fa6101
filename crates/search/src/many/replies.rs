//! What the others do: all of them move, one of them, or none.

use std::cmp::Reverse;

use tabia_game::{Game, Knowledge, Player, Turn};

use super::reduction::{Against, Replies, Reply};

/// What it takes to take a reply back.
pub enum Undo<G: Game> {
    /// A turn handed over, a move, and another turn handed over.
    Steps([Option<G::Undo>; 3]),
    /// Several moves may have been played at once, so the position itself was kept.
    Position(Box<G::State>),
}

impl<G: Game> Undo<G> {
    pub(super) fn undo(self, game: &G, state: &mut G::State) {
        match self {
            Undo::Steps(steps) => {
                for token in steps.into_iter().rev().flatten() {
                    game.undo(state, token);
                }
            }
            Undo::Position(before) => *state = *before,
        }
    }
}

/// All others move, one after the other, and all against the one who searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everybody;

impl<G: Game, K: Knowledge<G>> Replies<G, K> for Everybody {
    fn moves(&self, view: &Against<'_, G, K>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        view.list(state, out);
    }

    fn play(
        &self,
        view: &Against<'_, G, K>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Undo<G> {
        Undo::Steps([None, reply.mv.map(|mv| view.game.play(state, mv)), None])
    }
}

/// Makes it the turn of a player in a game that is not over, as if it had been that player's all
/// along, and changes nothing else. [`Game::undo`] takes it back.
///
/// Best-Reply Search (Schadd 2011, section 6.3) lets one opponent move while the others pass; the
/// moves of a player whose turn it is not are those after the turn was handed over, and there may
/// be none. Board games for several players have such a function, by which [`OneOfAll`] and
/// [`Nobody`] are made. In card games it makes no sense.
pub trait HandTurn<G: Game>: Fn(&G, &mut G::State, Player) -> G::Undo + Send + Sync {}

impl<G, H> HandTurn<G> for H
where
    G: Game,
    H: Fn(&G, &mut G::State, Player) -> G::Undo + Send + Sync,
{
}

/// One of the others moves, and the rest pass. Holds the game's [`HandTurn`].
#[derive(Clone, Copy, Debug)]
pub struct OneOfAll<H>(pub H);

/// Hands the turn to a player, if it is not theirs already and the game is not over.
fn hand<G: Game>(
    hand_turn: &impl HandTurn<G>,
    game: &G,
    state: &mut G::State,
    player: Player,
) -> Option<G::Undo> {
    let elsewhere = matches!(game.turn(state), Turn::Player(mover) if mover != player);
    elsewhere.then(|| hand_turn(game, state, player))
}

impl<G: Game, K: Knowledge<G>, H: HandTurn<G>> Replies<G, K> for OneOfAll<H> {
    fn moves(&self, view: &Against<'_, G, K>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let Turn::Player(mover) = view.game.turn(state) else {
            return;
        };
        let before = out.len();
        if mover == view.root || view.game.players() == 2 {
            view.list(state, out);
        } else {
            let mut state = state.clone();
            for player in view.opponents() {
                let token = hand(&self.0, view.game, &mut state, player);
                view.list(&state, out);
                if let Some(token) = token {
                    view.game.undo(&mut state, token);
                }
            }
        }
        if out.len() == before {
            let player = mover;
            out.push(Reply { player, mv: None });
        }
    }

    fn play(
        &self,
        view: &Against<'_, G, K>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Undo<G> {
        let game = view.game;
        let before = hand(&self.0, game, state, reply.player);
        let played = reply.mv.map(|mv| game.play(state, mv));
        let after = match game.turn(state) {
            // They go on.
            Turn::Player(player) if player == reply.player && played.is_some() => None,
            Turn::Player(_) if reply.player != view.root => hand(&self.0, game, state, view.root),
            Turn::Player(player) if player == view.root => {
                let next = Player((view.root.0 + 1) % game.players() as u8);
                hand(&self.0, game, state, next)
            }
            _ => None,
        };
        Undo::Steps([before, played, after])
    }

    fn before(
        &self,
        view: &Against<'_, G, K>,
        state: &G::State,
        player: Player,
        tell: &mut dyn FnMut(&G::State),
    ) {
        if view.game.turn(state) == Turn::Player(player) {
            tell(state);
            return;
        }
        let mut state = state.clone();
        let _ = hand(&self.0, view.game, &mut state, player);
        tell(&state);
    }

    fn pass(&self, view: &Against<'_, G, K>, state: &mut G::State) -> Option<Undo<G>> {
        let Turn::Player(player) = view.game.turn(state) else {
            return None;
        };
        Some(self.play(view, state, Reply { player, mv: None }))
    }
}

/// Nobody but the one who searches moves. Holds the game's [`HandTurn`].
#[derive(Clone, Copy, Debug)]
pub struct Nobody<H>(pub H);

impl<G: Game, K: Knowledge<G>, H: HandTurn<G>> Replies<G, K> for Nobody<H> {
    fn moves(&self, view: &Against<'_, G, K>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let before = out.len();
        view.list(state, out);
        if let (Turn::Player(player), true) = (view.game.turn(state), out.len() == before) {
            out.push(Reply { player, mv: None });
        }
    }

    fn play(
        &self,
        view: &Against<'_, G, K>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Undo<G> {
        let played = reply.mv.map(|mv| view.game.play(state, mv));
        let after = hand(&self.0, view.game, state, view.root);
        Undo::Steps([None, played, after])
    }
}

/// One of the others plays what they like, and the rest the first move of the static order, each in
/// their turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneOfAllLegal;

impl OneOfAllLegal {
    /// Plays the first move of the static order: one of the highest class, of several the first;
    /// false if there is none.
    fn play_first<G, K>(view: &Against<'_, G, K>, state: &mut G::State) -> bool
    where
        G: Game,
        K: Knowledge<G>,
    {
        let mut priorities = Vec::new();
        let first = view.with_buffer(|moves| {
            view.game.moves(state, moves);
            view.knowledge
                .priorities(view.game, state, moves, &mut priorities);
            let best = (0..moves.len()).min_by_key(|&i| Reverse(priorities.get(i)));
            best.map(|i| moves[i])
        });
        first.map(|mv| view.game.play(state, mv)).is_some()
    }

    /// Goes on by first moves until it is the turn of somebody whom `stop` wants, for one round at
    /// most; whether it is.
    fn advance<G, K>(
        view: &Against<'_, G, K>,
        state: &mut G::State,
        stop: impl Fn(Player) -> bool,
    ) -> bool
    where
        G: Game,
        K: Knowledge<G>,
    {
        for _ in 0..view.game.players() {
            match view.game.turn(state) {
                Turn::Player(player) if stop(player) => return true,
                Turn::Player(player) if player == view.root => return false,
                Turn::Player(_) if Self::play_first(view, state) => {}
                _ => return false,
            }
        }
        false
    }
}

impl<G: Game, K: Knowledge<G>> Replies<G, K> for OneOfAllLegal {
    fn moves(&self, view: &Against<'_, G, K>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let Turn::Player(mover) = view.game.turn(state) else {
            return;
        };
        view.list(state, out);
        if mover == view.root {
            return;
        }
        for player in view.opponents().filter(|&player| player != mover) {
            let mut state = state.clone();
            if Self::advance(view, &mut state, |turn| turn == player) {
                view.list(&state, out);
            }
        }
    }

    fn play(
        &self,
        view: &Against<'_, G, K>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Undo<G> {
        let before = Box::new(state.clone());
        if reply.player != view.root {
            Self::advance(view, state, |turn| turn == reply.player);
        }
        if let Some(mv) = reply.mv {
            view.game.play(state, mv);
        }
        // Whoever moves again goes on alone.
        let goes_on = view.game.turn(state) == Turn::Player(reply.player);
        if reply.player != view.root && !goes_on {
            Self::advance(view, state, |turn| turn == view.root);
        }
        Undo::Position(before)
    }

    fn before(
        &self,
        view: &Against<'_, G, K>,
        state: &G::State,
        player: Player,
        tell: &mut dyn FnMut(&G::State),
    ) {
        if view.game.turn(state) == Turn::Player(player) {
            tell(state);
            return;
        }
        let mut state = state.clone();
        Self::advance(view, &mut state, |turn| turn == player);
        tell(&state);
    }
}
