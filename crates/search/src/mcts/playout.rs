//! Playouts: from a leaf of the tree to the end of the game, or to an evaluation before it.
//!
//! A thread has its own luck ([`Thread`]) and its own [`Roller`] with a memory of good replies and
//! N-grams, so that playouts share nothing and a search by one thread is always the same.

use rand::RngExt;
use tabia_game::{
    CERTAIN, Game, GameRng, Key, Knowledge, Limits, Made, Meter, MoveIndex, Path, Player,
    Repetition, Ruling, Stopped, Turn,
};

use super::Throw;
use super::config::{Config, Heuristic, Policy};
use super::sums::View;
use crate::many::MAX_PLAYERS;

/// No playout is longer.
const MAX_PLAYOUT_PLIES: u32 = 10_000;
/// Pairs of moves that are remembered apart.
const PAIRS: usize = 1 << 16;

/// The values of a playout: that of the player against all others, or those of all players. What
/// is left is zero.
pub(super) type Values = [f64; MAX_PLAYERS];

/// What the search is about.
pub(super) struct Task<'a, G, K> {
    pub game: &'a G,
    pub knowledge: &'a K,
    pub config: &'a Config,
    /// The player against all others, where values are those of one player.
    pub hero: Player,
    /// The number of values: 1, or one for each player.
    pub values: usize,
}

impl<G, K> Clone for Task<'_, G, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, K> Copy for Task<'_, G, K> {}

impl<G: Game, K: Knowledge<G>> Task<'_, G, K> {
    fn each(&self, value: impl Fn(Player) -> f64) -> Values {
        let mut values = [0.0; MAX_PLAYERS];
        match self.values {
            1 => values[0] = value(self.hero),
            count => {
                for (place, own) in values.iter_mut().enumerate().take(count) {
                    *own = value(Player(place as u8));
                }
            }
        }
        values
    }

    /// The values of a finished game.
    pub fn payoffs(&self, state: &G::State) -> Values {
        let largest = f64::from(self.game.max_payoff().max(1));
        self.each(|player| f64::from(self.game.payoff(state, player)) / largest)
    }

    /// The values of a game that the rule of repetition has ended.
    pub fn judged(&self, ruling: Ruling) -> Values {
        let largest = f64::from(self.game.max_payoff().max(1));
        self.each(|player| f64::from(ruling.payoff(self.game, player)) / largest)
    }

    /// The values of a position as it looks.
    pub fn estimates(&self, state: &G::State) -> Values {
        let evaluate = |player| self.knowledge.evaluate(self.game, state, player);
        self.each(|player| f64::from(evaluate(player)) / f64::from(CERTAIN))
    }

    /// How a player reads values.
    pub fn view(&self, player: Player) -> View {
        View::new(player, self.hero, self.values)
    }

    /// What is known of moves, to the player who makes them, as shares of a win.
    pub fn known(
        &self,
        state: &G::State,
        moves: &[G::Move],
        player: Player,
        scores: &mut Vec<i32>,
    ) -> f32 {
        scores.clear();
        match self.config.heuristic {
            Heuristic::Evaluation => {
                let (game, knowledge) = (self.game, self.knowledge);
                knowledge.evaluations(game, state, moves, player, scores);
                1.0 / CERTAIN as f32
            }
            Heuristic::Priority => {
                self.knowledge.priorities(self.game, state, moves, scores);
                0.01
            }
        }
    }
}

/// The mean of some values.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f32,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += value;
        self.count += 1;
    }
}

/// A move since the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub player: Player,
    pub index: u32,
}

/// What a thread has for itself, whatever the game.
pub(super) struct Thread {
    pub rng: GameRng,
    pub meter: Meter,
    /// The moves since the root, where they are remembered.
    pub line: Vec<Ply>,
}

impl Thread {
    pub fn new(rng: GameRng, limits: &Limits) -> Thread {
        Thread {
            rng,
            meter: limits.meter(),
            line: Vec::new(),
        }
    }
}

/// Plays out positions.
pub(super) struct Roller<G: Game> {
    pub moves: Vec<G::Move>,
    pub scores: Vec<i32>,
    /// The moves of a thread's line, where good replies are remembered.
    line: Vec<G::Move>,
    state: Option<G::State>,
    rule: Repetition,
    /// A path of its own, for playouts after one that others read.
    path: Option<Path>,
    replies: Vec<Option<G::Move>>,
    singles: Vec<Mean>,
    pairs: Vec<Mean>,
}

impl<G: Key + MoveIndex> Roller<G> {
    pub fn new(game: &G, config: &Config) -> Roller<G> {
        let numbers = game.players() * game.move_indices();
        let sized = |policy, size| if config.policy == policy { size } else { 0 };
        Roller {
            moves: Vec::new(),
            scores: Vec::new(),
            line: Vec::new(),
            state: None,
            rule: game.repetition(),
            path: None,
            replies: vec![None; sized(Policy::LastGoodReply, numbers)],
            singles: vec![Mean::default(); sized(Policy::NGrams, numbers)],
            pairs: vec![Mean::default(); sized(Policy::NGrams, PAIRS)],
        }
    }

    /// Begins with the line of another one.
    pub fn begin_like(&mut self, other: &Roller<G>) {
        self.line.clone_from(&other.line);
    }

    /// The values of playing on from here, after a path that is left as it is.
    pub fn play_out_after<K, T>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        start: &G::State,
        history: Option<&Path>,
    ) -> Result<Values, Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let Some(history) = history else {
            return self.play_out::<K, T>(task, thread, start, None);
        };
        let mut path = self.path.take().unwrap_or_default();
        path.clone_from(history);
        let values = self.play_out::<K, T>(task, thread, start, Some(&mut path));
        self.path = Some(path);
        values
    }

    /// The values of playing on from here. The path ends here, too; it is extended and then left as
    /// it was.
    pub fn play_out<K, T>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        start: &G::State,
        mut path: Option<&mut Path>,
    ) -> Result<Values, Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let mut state = match self.state.take() {
            Some(mut state) => {
                state.clone_from(start);
                state
            }
            None => start.clone(),
        };
        let len = path.as_ref().map_or(0, |path| path.len());
        let values = self.play_on::<K, T>(task, thread, &mut state, path.as_deref_mut());
        if let Some(path) = path {
            path.truncate(len);
        }
        self.state = Some(state);
        let values = values?;
        match task.config.policy {
            Policy::LastGoodReply => self.learn_replies(task, thread, &values),
            Policy::NGrams => self.learn_grams(task, thread, &values),
            _ => {}
        }
        Ok(values)
    }

    fn play_on<K, T>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        state: &mut G::State,
        path: Option<&mut Path>,
    ) -> Result<Values, Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let Task { game, config, .. } = task;
        let mut left = match config.plies {
            0 => MAX_PLAYOUT_PLIES,
            plies => plies,
        };
        let by_game = config.policy == Policy::Game && !config.remembers();
        if let Some(path) = path {
            return self.play_on_path::<K, T>(task, thread, state, path, left);
        }
        while left > 0 {
            let played = match game.turn(state) {
                Turn::Over => return Ok(task.payoffs(state)),
                Turn::Chance => match T::throw(game, state, &mut thread.rng) {
                    Some(outcome) => {
                        game.play(state, outcome);
                        1
                    }
                    None => 0,
                },
                Turn::Player(_) if by_game => {
                    game.play_at_random(state, left, &mut self.moves, &mut thread.rng)
                }
                Turn::Player(player) => self.play_one(task, thread, state, player, None).0,
            };
            if played == 0 {
                break;
            }
            thread.meter.spend(u64::from(played))?;
            left -= played;
        }
        Ok(match game.turn(state) {
            Turn::Over => task.payoffs(state),
            _ => task.estimates(state),
        })
    }

    /// The same under a rule of repetition.
    fn play_on_path<K, T>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        state: &mut G::State,
        path: &mut Path,
        plies: u32,
    ) -> Result<Values, Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let (game, rule) = (task.game, self.rule);
        let config = task.config;
        let by_game = config.policy == Policy::Game && !config.remembers();
        // Any move may be drawn, and nobody asks which.
        let blind = by_game && !rule.forbids() && !rule.reads_moves();
        for _ in 0..plies {
            let (played, ruling) = match game.turn(state) {
                Turn::Over => return Ok(task.payoffs(state)),
                Turn::Chance => match T::throw(game, state, &mut thread.rng) {
                    Some(outcome) => {
                        let made = Made::of(game, rule, state, outcome);
                        game.play(state, outcome);
                        (1, entered(game, rule, state, path, made))
                    }
                    None => (0, Ruling::Open),
                },
                Turn::Player(_) if blind => {
                    match game.play_at_random(state, 1, &mut self.moves, &mut thread.rng) {
                        0 => (0, Ruling::Open),
                        played => (played, entered(game, rule, state, path, Made::NOTHING)),
                    }
                }
                Turn::Player(player) => self.play_one(task, thread, state, player, Some(path)),
            };
            if !ruling.is_open() {
                return Ok(task.judged(ruling));
            }
            if played == 0 {
                break;
            }
            thread.meter.spend(u64::from(played))?;
        }
        Ok(match game.turn(state) {
            Turn::Over => task.payoffs(state),
            _ => task.estimates(state),
        })
    }

    /// Plays one move, 0 if there is none; and what the rule of repetition makes of it.
    fn play_one<K>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        state: &mut G::State,
        player: Player,
        path: Option<&mut Path>,
    ) -> (u32, Ruling)
    where
        K: Knowledge<G>,
    {
        let Task { game, config, .. } = task;
        self.moves.clear();
        game.moves(state, &mut self.moves);
        if let Some(path) = &path {
            let stuck = path.retain_legal(game, self.rule, state, &mut self.moves, 0);
            if !stuck.is_open() {
                return (0, stuck);
            }
        }
        if self.moves.is_empty() {
            return (0, Ruling::Open);
        }
        let mv = match config.policy {
            Policy::Game | Policy::Uniform => self.any(thread),
            Policy::LastGoodReply => self.reply(game, thread, player),
            Policy::Greedy | Policy::NGrams if thread.rng.random_bool(config.epsilon) => {
                self.any(thread)
            }
            Policy::NGrams => self.by_grams(game, thread, player),
            Policy::Greedy => {
                task.known(state, &self.moves, player, &mut self.scores);
                let scores = &self.scores;
                highest(&self.moves, &mut thread.rng, |place| scores[place])
            }
        };
        let made = path
            .as_ref()
            .map_or(Made::NOTHING, |_| Made::of(game, self.rule, state, mv));
        game.play(state, mv);
        if config.remembers() {
            self.remember(task, thread, player, mv);
        }
        match path {
            Some(path) => (1, entered(game, self.rule, state, path, made)),
            None => (1, Ruling::Open),
        }
    }

    /// Adds a move to the line of a thread.
    pub fn remember<K>(
        &mut self,
        task: Task<'_, G, K>,
        thread: &mut Thread,
        player: Player,
        mv: G::Move,
    ) {
        if task.config.policy == Policy::LastGoodReply {
            self.line.truncate(thread.line.len());
            self.line.push(mv);
        }
        let index = task.game.move_index(mv) as u32;
        thread.line.push(Ply { player, index });
    }

    fn any(&self, thread: &mut Thread) -> G::Move {
        self.moves[thread.rng.random_range(0..self.moves.len())]
    }

    fn reply(&self, game: &G, thread: &mut Thread, player: Player) -> G::Move {
        let last = thread.line.last();
        let known = last.and_then(|last| self.replies[place(game, player, last.index)]);
        match known {
            Some(reply) if self.moves.contains(&reply) => reply,
            _ => self.any(thread),
        }
    }

    /// Every move of the line but the first is a reply to the one before it: remembered if it won,
    /// forgotten if it lost.
    fn learn_replies<K>(&mut self, task: Task<'_, G, K>, thread: &Thread, values: &Values)
    where
        K: Knowledge<G>,
    {
        let mut last = None;
        for (ply, &mv) in thread.line.iter().zip(&self.line) {
            let value = task.view(ply.player).value(values);
            if let Some(last) = last {
                let reply = &mut self.replies[place(task.game, ply.player, last)];
                match value {
                    0.0 => {}
                    value if value > 0.0 => *reply = Some(mv),
                    _ if *reply == Some(mv) => *reply = None,
                    _ => {}
                }
            }
            last = Some(ply.index);
        }
    }

    fn by_grams(&self, game: &G, thread: &mut Thread, player: Player) -> G::Move {
        let last = thread.line.last().map(|last| last.index);
        let (singles, pairs) = (&self.singles, &self.pairs);
        let moves = &self.moves;
        highest(moves, &mut thread.rng, |at| {
            let index = game.move_index(moves[at]) as u32;
            let single = singles[place(game, player, index)];
            // What was never tried is taken to win.
            let one = match single.count {
                0 => 1.0,
                count => single.sum / count as f32,
            };
            let pair = last.map(|last| pairs[paired(player, last, index)]);
            match pair {
                Some(pair) if pair.count > 0 => (one + pair.sum / pair.count as f32) / 2.0,
                _ => one,
            }
        })
    }

    fn learn_grams<K>(&mut self, task: Task<'_, G, K>, thread: &Thread, values: &Values)
    where
        K: Knowledge<G>,
    {
        let mut last = None;
        for &Ply { player, index } in &thread.line {
            let value = task.view(player).value(values) as f32;
            self.singles[place(task.game, player, index)].add(value);
            if let Some(last) = last {
                self.pairs[paired(player, last, index)].add(value);
            }
            last = Some(index);
        }
    }
}

/// Enters a position on the path, unless the game is over in it.
fn entered<G: Key>(
    game: &G,
    rule: Repetition,
    state: &G::State,
    path: &mut Path,
    made: Made,
) -> Ruling {
    match game.turn(state) {
        Turn::Over => Ruling::Open,
        _ => path.enter(game, rule, state, made),
    }
}

/// The place of a move of a player in a table.
fn place<G: MoveIndex>(game: &G, player: Player, index: u32) -> usize {
    player.index() * game.move_indices() + index as usize
}

/// The place of a pair of moves; some share one.
fn paired(player: Player, last: u32, index: u32) -> usize {
    let mixed = (u64::from(last) << 32 | u64::from(index) << 1 | u64::from(player.0 & 1))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 48) as usize % PAIRS
}

/// A move with the highest merit, each of several with the same probability.
fn highest<M: Copy, S: PartialOrd>(
    moves: &[M],
    rng: &mut GameRng,
    merit: impl Fn(usize) -> S,
) -> M {
    let (mut best, mut most, mut ties) = (0, merit(0), 1);
    for at in 1..moves.len() {
        let own = merit(at);
        if own > most {
            (best, most, ties) = (at, own, 1);
        } else if own == most {
            ties += 1;
            if rng.random_range(0..ties) == 0 {
                best = at;
            }
        }
    }
    moves[best]
}
