//! Games of many players as games of two: the one who searches, and the others.
//!
//! What the others do together is a [`Replies`]: all of them move in turn ([`Everybody`]: paranoid search, Sturtevant and Korf
//! 2000), one of them moves and the others pass ([`OneOfAll`]: Best-Reply Search, Schadd and Winands 2011), one of them moves and the others
//! play the first move of the static order ([`OneOfAllLegal`]: BRS+, Esser et al. 2013), or nobody moves
//! ([`Nobody`]: solo search). The game of two is searched by everything that can search such games: alpha-beta with all its enhancements, forward
//! pruning included, and Monte-Carlo tree search.
//!
//! # Against the printed algorithm
//!
//! Schadd (2011), algorithm 6.1: there is no test for a finished game; the evaluation lacks the sign of the side to move; `return v`
//! fails soft and `return alpha` hard. Where no opponent has a move, they pass. A player who moves several times in a row does
//! so here, too: it is a MIN node as long as it is not the turn of the one who searches.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::sync::Mutex;

use tabia_game::{
    AnyTurn, Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Repetition,
    Turn, TwoPlayer,
};

/// What somebody does in a game of two that stands for one of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reply<M> {
    /// Who moves.
    pub player: Player,
    /// What he does; nothing if nobody can.
    pub mv: Option<M>,
}

/// What the one who searches wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// His own result less those of all others.
    Margin,
    /// His own result; nobody else's counts.
    Own,
}

/// A game of many players as two see it.
pub struct Against<'a, G: Game, K, R> {
    /// The game.
    pub game: &'a G,
    /// What is known of it.
    pub knowledge: &'a K,
    /// The player who searches.
    pub root: Player,
    /// What he wants.
    pub leaf: Leaf,
    buffer: Mutex<Vec<G::Move>>,
    replies: PhantomData<fn() -> R>,
}

/// What the others do while the one who searches waits.
pub trait Replies<G: Game, K>: Send + Sync + Sized + 'static {
    /// What it takes to take it back.
    type Undo;

    /// Appends what may be played by whoever is to move.
    fn moves(view: &Against<'_, G, K, Self>, state: &G::State, out: &mut Vec<Reply<G::Move>>);

    /// Plays it.
    fn play(
        view: &Against<'_, G, K, Self>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Self::Undo;

    /// Takes it back.
    fn undo(view: &Against<'_, G, K, Self>, state: &mut G::State, token: Self::Undo);

    /// Calls `tell` with the position in which it is the turn of `player`.
    fn before(
        view: &Against<'_, G, K, Self>,
        state: &G::State,
        player: Player,
        tell: &mut dyn FnMut(&G::State),
    ) {
        let _ = (view, player);
        tell(state);
    }

    /// Gives the turn to the other side, for null moves; `None` where that is not possible.
    fn pass(view: &Against<'_, G, K, Self>, state: &mut G::State) -> Option<Self::Undo> {
        let _ = (view, state);
        None
    }
}

impl<'a, G: Game, K, R> Against<'a, G, K, R> {
    /// The game as `root` sees it.
    pub fn new(game: &'a G, knowledge: &'a K, root: Player, leaf: Leaf) -> Against<'a, G, K, R> {
        Against {
            game,
            knowledge,
            root,
            leaf,
            buffer: Mutex::new(Vec::new()),
            replies: PhantomData,
        }
    }

    fn players(&self) -> impl Iterator<Item = Player> + use<G, K, R> {
        (0..self.game.players()).map(|player| Player(player as u8))
    }

    fn opponents(&self) -> impl Iterator<Item = Player> + use<G, K, R> {
        let root = self.root;
        self.players().filter(move |&player| player != root)
    }

    /// Calls `with` with an empty list. Lists are lent, so that nodes need not allocate any.
    fn with_buffer<T>(&self, with: impl FnOnce(&mut Vec<G::Move>) -> T) -> T {
        match self.buffer.try_lock() {
            Ok(mut buffer) => {
                buffer.clear();
                with(&mut buffer)
            }
            // Another thread has it.
            Err(_) => with(&mut Vec::new()),
        }
    }

    /// Appends the moves of the player to move, in his name.
    fn list(&self, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let Turn::Player(player) = self.game.turn(state) else {
            return;
        };
        self.with_buffer(|moves| {
            self.game.moves(state, moves);
            let replies = moves.iter().map(|&mv| Reply {
                player,
                mv: Some(mv),
            });
            out.extend(replies);
        });
    }

    /// What the one who searches makes of what everybody gets.
    fn balance(&self, worth: impl Fn(Player) -> i64) -> i64 {
        let own = worth(self.root);
        match self.leaf {
            Leaf::Own => own,
            Leaf::Margin => own - self.opponents().map(worth).sum::<i64>(),
        }
    }
}

impl<G, K, R> Game for Against<'_, G, K, R>
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Send + Sync,
    R: Replies<G, K>,
{
    type State = G::State;
    type Move = Reply<G::Move>;
    type Undo = R::Undo;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> G::State {
        self.game.start()
    }

    fn turn(&self, state: &G::State) -> Turn {
        match self.game.turn(state) {
            Turn::Player(player) if player == self.root => Turn::Player(Player::FIRST),
            Turn::Player(_) => Turn::Player(Player::SECOND),
            other => other,
        }
    }

    fn moves(&self, state: &G::State, out: &mut Vec<Self::Move>) {
        R::moves(self, state, out);
    }

    fn play(&self, state: &mut G::State, reply: Self::Move) -> R::Undo {
        R::play(self, state, reply)
    }

    fn undo(&self, state: &mut G::State, token: R::Undo) {
        R::undo(self, state, token);
    }

    fn payoff(&self, state: &G::State, player: Player) -> Payoff {
        let balance = self.balance(|p| i64::from(self.game.payoff(state, p))) as Payoff;
        match player {
            Player::FIRST => balance,
            _ => -balance,
        }
    }

    fn max_payoff(&self) -> Payoff {
        match self.leaf {
            Leaf::Own => self.game.max_payoff(),
            Leaf::Margin => self.game.max_payoff() * self.game.players() as Payoff,
        }
    }

    fn repetition(&self) -> Repetition {
        self.game.repetition()
    }
}

impl<G, K, R> TwoPlayer for Against<'_, G, K, R>
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Send + Sync,
    R: Replies<G, K>,
{
}

impl<G, K, R> Key for Against<'_, G, K, R>
where
    G: Game<Luck = Deterministic, Information = Perfect> + Key,
    K: Send + Sync,
    R: Replies<G, K>,
{
    fn key(&self, state: &G::State) -> u64 {
        self.game.key(state)
    }
}

/// The most numbers that moves may have.
const MOST_INDICES: usize = 1 << 24;

impl<G, K, R> MoveIndex for Against<'_, G, K, R>
where
    G: Game<Luck = Deterministic, Information = Perfect> + MoveIndex,
    K: Send + Sync,
    R: Replies<G, K>,
{
    /// Everybody has moves of his own, and with them history and killers; unless there are too many.
    fn move_indices(&self) -> usize {
        let own = self.game.move_indices();
        match self.game.players() * own + 1 {
            all if all <= MOST_INDICES => all,
            _ => own + 1,
        }
    }

    fn move_index(&self, reply: Self::Move) -> usize {
        let own = self.game.move_indices();
        match reply.mv {
            None => self.move_indices() - 1,
            Some(mv) if self.game.players() * own < MOST_INDICES => {
                reply.player.index() * own + self.game.move_index(mv)
            }
            Some(mv) => self.game.move_index(mv),
        }
    }
}

/// What is known of the game of many, about the game of two.
#[derive(Clone, Copy, Debug)]
pub struct Through;

impl<G, K, R> Knowledge<Against<'_, G, K, R>> for Through
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Knowledge<G>,
    R: Replies<G, K>,
{
    fn evaluate(&self, view: &Against<'_, G, K, R>, state: &G::State, player: Player) -> i32 {
        let worth = |p| i64::from(view.knowledge.evaluate(view.game, state, p));
        let shares = match view.leaf {
            Leaf::Own => 1,
            Leaf::Margin => view.game.players() as i64,
        };
        let balance = (view.balance(worth) / shares) as i32;
        match player {
            Player::FIRST => balance,
            _ => -balance,
        }
    }

    fn priority(
        &self,
        view: &Against<'_, G, K, R>,
        state: &G::State,
        reply: Reply<G::Move>,
    ) -> i32 {
        let mut priority = 0;
        if let Some(mv) = reply.mv {
            R::before(view, state, reply.player, &mut |state| {
                priority = view.knowledge.priority(view.game, state, mv);
            });
        }
        priority
    }

    fn priorities(
        &self,
        view: &Against<'_, G, K, R>,
        state: &G::State,
        replies: &[Reply<G::Move>],
        out: &mut Vec<i32>,
    ) {
        for of_one in replies.chunk_by(|a, b| a.player == b.player) {
            view.with_buffer(|moves| {
                moves.extend(of_one.iter().filter_map(|reply| reply.mv));
                if moves.len() < of_one.len() {
                    out.extend(of_one.iter().map(|_| 0));
                    return;
                }
                R::before(view, state, of_one[0].player, &mut |state| {
                    view.knowledge.priorities(view.game, state, moves, out);
                });
            });
        }
    }

    fn is_tactical(
        &self,
        view: &Against<'_, G, K, R>,
        state: &G::State,
        reply: Reply<G::Move>,
    ) -> bool {
        let mut tactical = false;
        if let Some(mv) = reply.mv {
            R::before(view, state, reply.player, &mut |state| {
                tactical = view.knowledge.is_tactical(view.game, state, mv);
            });
        }
        tactical
    }

    fn pass(&self, view: &Against<'_, G, K, R>, state: &mut G::State) -> Option<R::Undo> {
        R::pass(view, state)
    }

    fn is_endgame(&self, view: &Against<'_, G, K, R>, state: &G::State) -> bool {
        view.knowledge.is_endgame(view.game, state)
    }
}

/// All others move, one after the other, and all against the one who searches.
#[derive(Clone, Copy, Debug)]
pub enum Everybody {}

impl<G: Game, K: Knowledge<G>> Replies<G, K> for Everybody {
    type Undo = Option<G::Undo>;

    fn moves(view: &Against<'_, G, K, Self>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        view.list(state, out);
    }

    fn play(
        view: &Against<'_, G, K, Self>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Self::Undo {
        reply.mv.map(|mv| view.game.play(state, mv))
    }

    fn undo(view: &Against<'_, G, K, Self>, state: &mut G::State, token: Self::Undo) {
        if let Some(token) = token {
            view.game.undo(state, token);
        }
    }
}

/// One of the others moves, and the rest pass.
#[derive(Clone, Copy, Debug)]
pub enum OneOfAll {}

/// A turn handed over, a move, and another turn handed over.
pub struct Handed<U> {
    before: Option<U>,
    played: Option<U>,
    after: Option<U>,
}

impl<U> Handed<U> {
    fn undo<G: Game<Undo = U>>(self, game: &G, state: &mut G::State) {
        for token in [self.after, self.played, self.before].into_iter().flatten() {
            game.undo(state, token);
        }
    }
}

/// Hands the turn to a player, if it is not his already and the game is not over.
fn hand<G: AnyTurn>(game: &G, state: &mut G::State, player: Player) -> Option<G::Undo> {
    let elsewhere = matches!(game.turn(state), Turn::Player(mover) if mover != player);
    elsewhere.then(|| game.hand_turn(state, player))
}

impl<G: AnyTurn, K: Knowledge<G>> Replies<G, K> for OneOfAll {
    type Undo = Handed<G::Undo>;

    fn moves(view: &Against<'_, G, K, Self>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let Turn::Player(mover) = view.game.turn(state) else {
            return;
        };
        let before = out.len();
        if mover == view.root || view.game.players() == 2 {
            view.list(state, out);
        } else {
            let mut state = state.clone();
            for player in view.opponents() {
                let token = hand(view.game, &mut state, player);
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
        view: &Against<'_, G, K, Self>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Self::Undo {
        let game = view.game;
        let before = hand(game, state, reply.player);
        let played = reply.mv.map(|mv| game.play(state, mv));
        let after = match game.turn(state) {
            // He goes on.
            Turn::Player(player) if player == reply.player && played.is_some() => None,
            Turn::Player(_) if reply.player != view.root => hand(game, state, view.root),
            Turn::Player(player) if player == view.root => {
                let next = Player((view.root.0 + 1) % game.players() as u8);
                hand(game, state, next)
            }
            _ => None,
        };
        Handed {
            before,
            played,
            after,
        }
    }

    fn undo(view: &Against<'_, G, K, Self>, state: &mut G::State, token: Self::Undo) {
        token.undo(view.game, state);
    }

    fn before(
        view: &Against<'_, G, K, Self>,
        state: &G::State,
        player: Player,
        tell: &mut dyn FnMut(&G::State),
    ) {
        if view.game.turn(state) == Turn::Player(player) {
            tell(state);
            return;
        }
        let mut state = state.clone();
        let _ = hand(view.game, &mut state, player);
        tell(&state);
    }

    fn pass(view: &Against<'_, G, K, Self>, state: &mut G::State) -> Option<Self::Undo> {
        let Turn::Player(player) = view.game.turn(state) else {
            return None;
        };
        Some(Self::play(view, state, Reply { player, mv: None }))
    }
}

/// Nobody but the one who searches moves.
#[derive(Clone, Copy, Debug)]
pub enum Nobody {}

impl<G: AnyTurn, K: Knowledge<G>> Replies<G, K> for Nobody {
    type Undo = Handed<G::Undo>;

    fn moves(view: &Against<'_, G, K, Self>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
        let before = out.len();
        view.list(state, out);
        if let (Turn::Player(player), true) = (view.game.turn(state), out.len() == before) {
            out.push(Reply { player, mv: None });
        }
    }

    fn play(
        view: &Against<'_, G, K, Self>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Self::Undo {
        Handed {
            before: None,
            played: reply.mv.map(|mv| view.game.play(state, mv)),
            after: hand(view.game, state, view.root),
        }
    }

    fn undo(view: &Against<'_, G, K, Self>, state: &mut G::State, token: Self::Undo) {
        token.undo(view.game, state);
    }
}

/// One of the others plays what he likes, and the rest the first move of the static order, each in his turn.
#[derive(Clone, Copy, Debug)]
pub enum OneOfAllLegal {}

impl OneOfAllLegal {
    /// Plays the first move of the static order: one of the highest class, of several the first; false if there is none.
    fn play_first<G, K>(view: &Against<'_, G, K, Self>, state: &mut G::State) -> bool
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

    /// Goes on by first moves until it is the turn of somebody whom `stop` wants, for one round at most; whether it is.
    fn advance<G, K>(
        view: &Against<'_, G, K, Self>,
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
    /// Several moves may be played at once, so the position itself is kept.
    type Undo = G::State;

    fn moves(view: &Against<'_, G, K, Self>, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
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
        view: &Against<'_, G, K, Self>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Self::Undo {
        let before = state.clone();
        if reply.player != view.root {
            Self::advance(view, state, |turn| turn == reply.player);
        }
        if let Some(mv) = reply.mv {
            view.game.play(state, mv);
        }
        // Whoever moves again goes on himself.
        let goes_on = view.game.turn(state) == Turn::Player(reply.player);
        if reply.player != view.root && !goes_on {
            Self::advance(view, state, |turn| turn == view.root);
        }
        before
    }

    fn undo(_: &Against<'_, G, K, Self>, state: &mut G::State, before: Self::Undo) {
        *state = before;
    }

    fn before(
        view: &Against<'_, G, K, Self>,
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
