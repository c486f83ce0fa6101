//! The game's side of the search: what a descent asks of a game, behind an object.
//!
//! Everything else in the search, the tree above all, is compiled once and serves all games. What
//! has to know positions and moves is here: a [`Walker`] stands at a position below the root, plays
//! the moves that the tree has chosen, lists the moves of a leaf and plays it out.

use std::marker::PhantomData;

use tabia_game::threads;
use tabia_game::{
    Game, Key, Knowledge, Luck, Made, MoveIndex, Path, Payoff, Player, Repetition, Ruling, Stopped,
    Turn,
};

use super::Throw;
use super::moves::{Move, Moves, Short};
use super::playout::{Roller, Task, Thread, Values};

/// What a search needs to know of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The player against all others, where values are those of one player.
    pub hero: Player,
    pub players: usize,
    pub move_indices: usize,
    /// The bytes of a move in a block of siblings, beside its node.
    pub move_bytes: usize,
    pub max_payoff: Payoff,
    pub rule: Repetition,
    /// Whether there are chance events.
    pub chance: bool,
}

impl Facts {
    pub fn of<G: MoveIndex>(game: &G, hero: Player) -> Facts {
        Facts {
            hero,
            players: game.players(),
            move_indices: game.move_indices(),
            move_bytes: Moves::bytes_for_each::<G::Move>(),
            max_payoff: game.max_payoff(),
            rule: game.repetition(),
            chance: <G::Luck as Luck>::CHANCE,
        }
    }
}

/// A position from which threads can start.
pub(super) trait Field: Sync {
    fn facts(&self) -> Facts;

    /// What a thread walks with. It begins at the root.
    fn walker(&self) -> Box<dyn Walk + '_>;
}

/// A position that a move has led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub turn: Turn,
    /// What the rule of repetition makes of it.
    pub ruling: Ruling,
    /// Whether it has been entered on the path.
    pub entered: bool,
}

impl Arrival {
    /// A position with no part in a path.
    fn at(turn: Turn) -> Arrival {
        Arrival {
            turn,
            ruling: Ruling::Open,
            entered: false,
        }
    }
}

/// How many moves were listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub count: usize,
    /// Whether no move is missing.
    pub complete: bool,
}

/// One thread's way through a game.
pub(super) trait Walk: Send {
    /// Goes back to the root.
    fn restart(&mut self);

    /// Remembers the present position.
    fn mark(&mut self);

    /// Goes back to the position that was remembered last.
    fn go_back(&mut self);

    /// Forgets the position that was remembered last.
    fn unmark(&mut self);

    /// Who is to move.
    fn turn(&self) -> Turn;

    /// The payoff of a finished game.
    fn payoff(&self, player: Player) -> Payoff;

    /// The payoff of a game that the rule of repetition has ended.
    fn judged(&self, ruling: Ruling, player: Player) -> Payoff;

    /// What the rule of repetition makes of a position without legal moves, where it forbids moves.
    fn stuck(&self) -> Ruling;

    /// Plays a move.
    fn play(&mut self, mv: &Move<'_>) -> Arrival;

    /// Adds a move that a player has just made to the line of the thread.
    fn remember(&mut self, thread: &mut Thread, player: Player, mv: &Move<'_>);

    /// Leaves this many positions of the path.
    fn leave(&mut self, entered: usize);

    /// Lists the legal moves, or some of the first if there are more than `most`.
    fn list(&mut self, most: usize) -> Listed;

    /// The indices of the listed moves.
    fn indices(&self, indices: &mut Vec<u32>);

    /// What is known of the listed moves, to the player who makes them, and its unit as a share of
    /// a win.
    fn known(&mut self, player: Player) -> (&[i32], f32);

    /// Some listed moves in this order; short ones are left in `shorts`.
    fn listed(&self, order: &mut dyn Iterator<Item = usize>, shorts: &mut Vec<Short>) -> Moves;

    /// Draws an outcome of chance; whether there is one.
    fn throw(&mut self, thread: &mut Thread) -> bool;

    /// Whether this is the outcome that was drawn.
    fn is_drawn(&self, mv: &Move<'_>) -> bool;

    /// The outcome that was drawn; a short one is left in `shorts`.
    fn drawn(&self, shorts: &mut Vec<Short>) -> Moves;

    /// The values of playing on from here.
    fn play_out(&mut self, thread: &mut Thread) -> Result<Values, Stopped>;

    /// The values of a playout by a thread and by each of some others.
    fn all_play_out(
        &mut self,
        own: &mut Thread,
        others: &mut [Thread],
    ) -> Vec<Result<Values, Stopped>>;
}

/// A position of a game from which threads can start.
pub(super) struct Ground<'a, G: Game, K, T> {
    pub task: Task<'a, G, K>,
    pub state: &'a G::State,
    pub path: &'a Path,
    /// The threads that play out the same leaf.
    pub pool: Option<&'a rayon::ThreadPool>,
    pub throw: PhantomData<fn() -> T>,
}

impl<G, K, T> Field for Ground<'_, G, K, T>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn facts(&self) -> Facts {
        Facts::of(self.task.game, self.task.hero)
    }

    fn walker(&self) -> Box<dyn Walk + '_> {
        let Task { game, config, .. } = self.task;
        let rule = game.repetition();
        Box::new(Walker {
            ground: self,
            state: self.state.clone(),
            marks: Vec::new(),
            marked: 0,
            history: rule.is_tracked().then(|| self.path.clone()),
            rule,
            roller: Roller::new(game, config),
            others: Vec::new(),
            outcome: None,
        })
    }
}

struct Walker<'a, G: Game, K, T> {
    ground: &'a Ground<'a, G, K, T>,
    state: G::State,
    /// The positions that are remembered, and memory for further ones.
    marks: Vec<G::State>,
    marked: usize,
    /// The game so far and the present descent, where repetition matters.
    history: Option<Path>,
    rule: Repetition,
    roller: Roller<G>,
    /// For those that play out the same leaf.
    others: Vec<Roller<G>>,
    outcome: Option<G::Move>,
}

impl<G: Key, K, T> Walker<'_, G, K, T> {
    /// Plays a move where there is a rule of repetition.
    #[inline(never)]
    fn play_on_path(&mut self, mv: G::Move) -> Arrival {
        let game = self.ground.task.game;
        let made = Made::of(game, self.rule, &self.state, mv);
        game.play(&mut self.state, mv);
        match (game.turn(&self.state), &mut self.history) {
            (Turn::Over, _) | (_, None) => Arrival::at(game.turn(&self.state)),
            (turn, Some(history)) => Arrival {
                turn,
                ruling: history.enter(game, self.rule, &self.state, made),
                entered: true,
            },
        }
    }
}

impl<G, K, T> Walk for Walker<'_, G, K, T>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn restart(&mut self) {
        self.state.clone_from(self.ground.state);
    }

    fn mark(&mut self) {
        match self.marks.get_mut(self.marked) {
            Some(mark) => mark.clone_from(&self.state),
            None => self.marks.push(self.state.clone()),
        }
        self.marked += 1;
    }

    fn go_back(&mut self) {
        if let Some(mark) = self.marked.checked_sub(1) {
            self.state.clone_from(&self.marks[mark]);
        }
    }

    fn unmark(&mut self) {
        self.marked = self.marked.saturating_sub(1);
    }

    fn turn(&self) -> Turn {
        self.ground.task.game.turn(&self.state)
    }

    fn payoff(&self, player: Player) -> Payoff {
        self.ground.task.game.payoff(&self.state, player)
    }

    fn judged(&self, ruling: Ruling, player: Player) -> Payoff {
        ruling.payoff(self.ground.task.game, player)
    }

    fn stuck(&self) -> Ruling {
        match &self.history {
            Some(history) if self.rule.forbids() => {
                history.ruling(self.ground.task.game, &self.state)
            }
            _ => Ruling::Open,
        }
    }

    fn play(&mut self, mv: &Move<'_>) -> Arrival {
        let game = self.ground.task.game;
        // The tree only has moves of this game.
        let Some(mv) = mv.get::<G::Move>() else {
            debug_assert!(false, "a move of another game");
            return Arrival::at(game.turn(&self.state));
        };
        if self.history.is_some() {
            return self.play_on_path(mv);
        }
        game.play(&mut self.state, mv);
        Arrival::at(game.turn(&self.state))
    }

    fn remember(&mut self, thread: &mut Thread, player: Player, mv: &Move<'_>) {
        if let Some(mv) = mv.get() {
            self.roller.remember(self.ground.task, thread, player, mv);
        }
    }

    fn leave(&mut self, entered: usize) {
        if let Some(history) = &mut self.history {
            (0..entered).for_each(|_| history.pop());
        }
    }

    fn list(&mut self, most: usize) -> Listed {
        let game = self.ground.task.game;
        let moves = &mut self.roller.moves;
        moves.clear();
        let complete = game.first_moves(&self.state, most, moves);
        if self.rule.forbids()
            && let Some(history) = &self.history
        {
            // The moves are played to see where they lead, and taken back.
            history.retain_legal(game, self.rule, &mut self.state, moves, 0);
        }
        let count = moves.len().min(most);
        Listed {
            count,
            complete: complete && count == moves.len(),
        }
    }

    fn indices(&self, indices: &mut Vec<u32>) {
        indices.clear();
        let game = self.ground.task.game;
        let moves = self.roller.moves.iter();
        indices.extend(moves.map(|&mv| game.move_index(mv) as u32));
    }

    fn known(&mut self, player: Player) -> (&[i32], f32) {
        let Roller { moves, scores, .. } = &mut self.roller;
        let unit = self.ground.task.known(&self.state, moves, player, scores);
        (scores, unit)
    }

    fn listed(&self, order: &mut dyn Iterator<Item = usize>, shorts: &mut Vec<Short>) -> Moves {
        let moves = &self.roller.moves;
        Moves::of(order.map(|place| moves[place]), shorts)
    }

    fn throw(&mut self, thread: &mut Thread) -> bool {
        self.outcome = T::throw(self.ground.task.game, &self.state, &mut thread.rng);
        self.outcome.is_some()
    }

    fn is_drawn(&self, mv: &Move<'_>) -> bool {
        self.outcome.is_some() && mv.get() == self.outcome
    }

    fn drawn(&self, shorts: &mut Vec<Short>) -> Moves {
        Moves::of(self.outcome.into_iter(), shorts)
    }

    fn play_out(&mut self, thread: &mut Thread) -> Result<Values, Stopped> {
        let (task, history) = (self.ground.task, self.history.as_mut());
        self.roller
            .play_out::<K, T>(task, thread, &self.state, history)
    }

    fn all_play_out(
        &mut self,
        own: &mut Thread,
        others: &mut [Thread],
    ) -> Vec<Result<Values, Stopped>> {
        let task = self.ground.task;
        while self.others.len() < others.len() {
            self.others.push(Roller::new(task.game, task.config));
        }
        for other in &mut self.others {
            other.begin_like(&self.roller);
        }
        for other in &mut *others {
            other.line.clone_from(&own.line);
        }
        let (state, history) = (&self.state, self.history.as_ref());
        let first = std::iter::once((&mut self.roller, own));
        let rollers = first.chain(self.others.iter_mut().zip(others));
        let mut jobs: Vec<Job<'_, G>> = rollers
            .map(|(roller, thread)| (roller, thread, Err(Stopped)))
            .collect();
        let play = |_, (roller, thread, values): &mut Job<'_, G>| {
            *values = roller.play_out_after::<K, T>(task, thread, state, history);
        };
        match self.ground.pool {
            Some(pool) => threads::within(pool, || threads::each_mut(&mut jobs, &play)),
            None => jobs.iter_mut().for_each(|job| play(0, job)),
        }
        jobs.into_iter().map(|(.., values)| values).collect()
    }
}

/// A playout by a thread.
type Job<'a, G> = (&'a mut Roller<G>, &'a mut Thread, Result<Values, Stopped>);
