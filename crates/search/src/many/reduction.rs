//! Games of many players as games of two: the one who searches, and the others.
//!
//! What the others do together is a [`Replies`]: all of them move in turn ([`Everybody`]: paranoid
//! search, Sturtevant and Korf 2000), one of them moves and the others pass ([`OneOfAll`]:
//! Best-Reply Search, Schadd and Winands 2011), one of them moves and the others play the first
//! move of the static order ([`OneOfAllLegal`]: BRS+, Esser et al. 2013), or nobody moves
//! ([`Nobody`]: solo search). The game of two is searched by everything that can search such games:
//! alpha-beta with all its enhancements, forward pruning included, and Monte-Carlo tree search.
//!
//! # Against the printed algorithm
//!
//! Schadd (2011), algorithm 6.1: there is no test for a finished game; the evaluation lacks the
//! sign of the side to move; `return v` fails soft and `return alpha` hard. Where no opponent has a
//! move, they pass. A player who moves several times in a row does so here, too: it is a MIN node
//! as long as it is not the turn of the one who searches.

use std::sync::Mutex;

use tabia_game::{
    Compared, Deterministic, Game, Key, Knowledge, Made, MoveIndex, Path, Payoff, Perfect, Player,
    Repetition, Ruling, Turn, TwoPlayer,
};

pub use super::replies::{Everybody, HandTurn, Nobody, OneOfAll, OneOfAllLegal, Undo};

/// What somebody does in a game of two that stands for one of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reply<M> {
    /// Who moves.
    pub player: Player,
    /// What they do; nothing if nobody can.
    pub mv: Option<M>,
}

/// What the one who searches wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReductionObjective {
    /// Their own result less those of all others.
    Margin,
    /// Their own result; nobody else's counts.
    Own,
}

/// A game of many players as two see it.
pub struct Against<'a, G: Game, K> {
    /// The game.
    pub game: &'a G,
    /// What is known of it.
    pub knowledge: &'a K,
    /// The player who searches.
    pub root: Player,
    /// What they want.
    pub leaf: ReductionObjective,
    buffer: Mutex<Vec<G::Move>>,
    replies: &'a dyn Replies<G, K>,
}

/// What the others do while the one who searches waits.
pub trait Replies<G: Game, K>: Send + Sync {
    /// Appends what may be played by whoever is to move.
    fn moves(&self, view: &Against<'_, G, K>, state: &G::State, out: &mut Vec<Reply<G::Move>>);

    /// Plays it.
    fn play(
        &self,
        view: &Against<'_, G, K>,
        state: &mut G::State,
        reply: Reply<G::Move>,
    ) -> Undo<G>;

    /// Calls `tell` with the position in which it is the turn of `player`.
    fn before(
        &self,
        view: &Against<'_, G, K>,
        state: &G::State,
        player: Player,
        tell: &mut dyn FnMut(&G::State),
    ) {
        let _ = (view, player);
        tell(state);
    }

    /// Gives the turn to the other side, for null moves; `None` where that is not possible.
    fn pass(&self, view: &Against<'_, G, K>, state: &mut G::State) -> Option<Undo<G>> {
        let _ = (view, state);
        None
    }
}

impl<'a, G: Game, K> Against<'a, G, K> {
    /// The game as `root` sees it.
    pub fn new(
        game: &'a G,
        knowledge: &'a K,
        replies: &'a dyn Replies<G, K>,
        root: Player,
        leaf: ReductionObjective,
    ) -> Against<'a, G, K> {
        Against {
            game,
            knowledge,
            root,
            leaf,
            buffer: Mutex::new(Vec::new()),
            replies,
        }
    }

    fn players(&self) -> impl Iterator<Item = Player> + use<G, K> {
        (0..self.game.players()).map(|player| Player(player as u8))
    }

    pub(super) fn opponents(&self) -> impl Iterator<Item = Player> + use<G, K> {
        let root = self.root;
        self.players().filter(move |&player| player != root)
    }

    /// Calls `with` with an empty list. Lists are lent, so that nodes need not allocate any.
    pub(super) fn with_buffer<T>(&self, with: impl FnOnce(&mut Vec<G::Move>) -> T) -> T {
        match self.buffer.try_lock() {
            Ok(mut buffer) => {
                buffer.clear();
                with(&mut buffer)
            }
            // Another thread has it.
            Err(_) => with(&mut Vec::new()),
        }
    }

    /// Appends the moves of the player to move, in their name.
    pub(super) fn list(&self, state: &G::State, out: &mut Vec<Reply<G::Move>>) {
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
            ReductionObjective::Own => own,
            ReductionObjective::Margin => own - self.opponents().map(worth).sum::<i64>(),
        }
    }
}

impl<G, K> Game for Against<'_, G, K>
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Send + Sync,
{
    type State = G::State;
    type Move = Reply<G::Move>;
    type Undo = Undo<G>;
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
        self.replies.moves(self, state, out);
    }

    fn play(&self, state: &mut G::State, reply: Self::Move) -> Undo<G> {
        self.replies.play(self, state, reply)
    }

    fn undo(&self, state: &mut G::State, token: Undo<G>) {
        token.undo(self.game, state);
    }

    fn payoff(&self, state: &G::State, player: Player) -> Payoff {
        let balance = self.balance(|p| i64::from(self.game.payoff(state, p))) as Payoff;
        match player {
            Player::FIRST => balance,
            _ => -balance,
        }
    }

    fn max_payoff(&self) -> Payoff {
        let most = self.game.max_payoff();
        match (self.leaf, self.game.payoff_sum()) {
            (ReductionObjective::Own, _) => most,
            // What the others have is what is left of the sum.
            (ReductionObjective::Margin, Some(sum)) => 2 * most + sum.abs(),
            (ReductionObjective::Margin, None) => most * self.game.players() as Payoff,
        }
    }

    fn repetition(&self) -> Repetition {
        self.game.repetition()
    }

    fn ruled(&self, ruling: Ruling, player: Player) -> Payoff {
        let balance = self.balance(|p| i64::from(ruling.payoff(self.game, p))) as Payoff;
        match player {
            Player::FIRST => balance,
            _ => -balance,
        }
    }
}

impl<G, K> TwoPlayer for Against<'_, G, K>
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Send + Sync,
{
}

impl<G, K> Key for Against<'_, G, K>
where
    G: Game<Luck = Deterministic, Information = Perfect> + Key,
    K: Send + Sync,
{
    fn key(&self, state: &G::State) -> u64 {
        self.game.key(state)
    }

    fn history_key(&self, state: &G::State) -> Option<u64> {
        self.game.history_key(state)
    }

    /// The note of the move, made in its player's turn. What others reply beside it has none.
    fn note(&self, state: &G::State, reply: Self::Move) -> u64 {
        let mut note = 0;
        if let Some(mv) = reply.mv {
            self.replies
                .before(self, state, reply.player, &mut |state| {
                    note = self.game.note(state, mv);
                });
        }
        note
    }

    /// Moves are made by the players of the game, not by the sides that are seen here.
    fn maker(&self, _: &G::State, reply: Self::Move) -> Option<Player> {
        Some(reply.player)
    }

    fn judge(&self, state: &G::State, cycle: &[Made]) -> Ruling {
        self.game.judge(state, cycle)
    }

    fn stuck(&self, state: &G::State, path: &Path) -> Ruling {
        self.game.stuck(state, path)
    }

    /// Where the game looks at positions, replies that lead to a forbidden one are left out; where
    /// it looks at moves, those that it forbids to the player whose turn it is.
    fn retain_allowed(
        &self,
        state: &mut G::State,
        path: &Path,
        replies: &mut Vec<Self::Move>,
        first: usize,
    ) {
        if self.game.repetition().compared != Compared::Moves {
            path.retain_unrepeated(self, state, replies, first);
            return;
        }
        let Turn::Player(mover) = self.game.turn(state) else {
            return;
        };
        let mut allowed = Vec::new();
        self.game.moves(state, &mut allowed);
        self.game.retain_allowed(state, path, &mut allowed, 0);
        let is_allowed = |reply: &Self::Move| {
            reply.player != mover || reply.mv.is_none_or(|mv| allowed.contains(&mv))
        };
        let mut place = 0;
        replies.retain(|reply| {
            place += 1;
            place <= first || is_allowed(reply)
        });
    }
}

/// The most numbers that moves may have.
const MAX_INDICES: usize = 1 << 24;

impl<G, K> MoveIndex for Against<'_, G, K>
where
    G: Game<Luck = Deterministic, Information = Perfect> + MoveIndex,
    K: Send + Sync,
{
    /// Everybody has moves of their own, and with them history and killers; unless there are too
    /// many.
    fn move_indices(&self) -> usize {
        let own = self.game.move_indices();
        match self.game.players() * own + 1 {
            all if all <= MAX_INDICES => all,
            _ => own + 1,
        }
    }

    fn move_index(&self, reply: Self::Move) -> usize {
        let own = self.game.move_indices();
        match reply.mv {
            None => self.move_indices() - 1,
            Some(mv) if self.game.players() * own < MAX_INDICES => {
                reply.player.index() * own + self.game.move_index(mv)
            }
            Some(mv) => self.game.move_index(mv),
        }
    }
}

/// What is known of the game of many, about the game of two.
#[derive(Clone, Copy, Debug)]
pub struct Through;

impl<G, K> Knowledge<Against<'_, G, K>> for Through
where
    G: Game<Luck = Deterministic, Information = Perfect>,
    K: Knowledge<G>,
{
    fn evaluate(&self, view: &Against<'_, G, K>, state: &G::State, player: Player) -> i32 {
        let worth = |p| i64::from(view.knowledge.evaluate(view.game, state, p));
        let [own, both] = [view.game.max_payoff(), view.max_payoff()].map(i64::from);
        let balance = (view.balance(worth) * own / both.max(1)) as i32;
        match player {
            Player::FIRST => balance,
            _ => -balance,
        }
    }

    fn priority(&self, view: &Against<'_, G, K>, state: &G::State, reply: Reply<G::Move>) -> i32 {
        let mut priority = 0;
        if let Some(mv) = reply.mv {
            view.replies
                .before(view, state, reply.player, &mut |state| {
                    priority = view.knowledge.priority(view.game, state, mv);
                });
        }
        priority
    }

    fn priorities(
        &self,
        view: &Against<'_, G, K>,
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
                view.replies
                    .before(view, state, of_one[0].player, &mut |state| {
                        view.knowledge.priorities(view.game, state, moves, out);
                    });
            });
        }
    }

    fn is_tactical(
        &self,
        view: &Against<'_, G, K>,
        state: &G::State,
        reply: Reply<G::Move>,
    ) -> bool {
        let mut tactical = false;
        if let Some(mv) = reply.mv {
            view.replies
                .before(view, state, reply.player, &mut |state| {
                    tactical = view.knowledge.is_tactical(view.game, state, mv);
                });
        }
        tactical
    }

    fn pass(&self, view: &Against<'_, G, K>, state: &mut G::State) -> Option<Undo<G>> {
        view.replies.pass(view, state)
    }

    fn is_endgame(&self, view: &Against<'_, G, K>, state: &G::State) -> bool {
        view.knowledge.is_endgame(view.game, state)
    }
}
