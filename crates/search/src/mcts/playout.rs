//! Playouts: from a leaf of the tree to the end of the game, or to an evaluation before it.
//!
//! A thread has its own [`Roller`], with its own luck and its own memory of good replies and
//! N-grams, so that playouts share nothing and a search by one thread is always the same.

use rand::RngExt;
use tabia_game::{
    CERTAIN, Game, GameRng, Key, Knowledge, Limits, Made, Meter, MoveIndex, Path, Player,
    Repetition, Ruling, Stopped, Turn,
};

use super::Throw;
use super::config::{Config, Heuristic, Policy};
use super::tree::View;

/// No playout is longer.
const LONGEST: u32 = 10_000;
/// Pairs of moves that are remembered apart.
const PAIRS: usize = 1 << 16;

/// What the search is about.
pub(super) struct Task<'a, G, K> {
    pub game: &'a G,
    pub knowledge: &'a K,
    pub config: &'a Config,
    /// The player against all others, where values are those of one player.
    pub hero: Player,
}

impl<G, K> Clone for Task<'_, G, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, K> Copy for Task<'_, G, K> {}

impl<G: Game, K: Knowledge<G>> Task<'_, G, K> {
    fn seat(&self, place: usize, values: usize) -> Player {
        match values {
            1 => self.hero,
            _ => Player(place as u8),
        }
    }

    /// The values of a finished game.
    pub fn payoffs<const V: usize>(&self, state: &G::State) -> [f64; V] {
        let largest = f64::from(self.game.max_payoff().max(1));
        std::array::from_fn(|i| f64::from(self.game.payoff(state, self.seat(i, V))) / largest)
    }

    /// The values of a game that the rule of repetition has ended.
    pub fn judged<const V: usize>(&self, ruling: Ruling) -> [f64; V] {
        let largest = f64::from(self.game.max_payoff().max(1));
        std::array::from_fn(|i| f64::from(ruling.payoff(self.game, self.seat(i, V))) / largest)
    }

    /// The values of a position as it looks.
    pub fn estimates<const V: usize>(&self, state: &G::State) -> [f64; V] {
        let evaluate = |player| self.knowledge.evaluate(self.game, state, player);
        std::array::from_fn(|i| f64::from(evaluate(self.seat(i, V))) / f64::from(CERTAIN))
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
pub(super) struct Ply<M> {
    pub player: Player,
    pub index: u32,
    pub mv: M,
}

/// Plays out positions.
pub(super) struct Roller<G: Game> {
    pub rng: GameRng,
    pub meter: Meter,
    pub moves: Vec<G::Move>,
    pub scores: Vec<i32>,
    /// The moves since the root, where they are remembered.
    pub line: Vec<Ply<G::Move>>,
    state: Option<G::State>,
    rule: Repetition,
    /// A path of its own, for playouts after one that others read.
    path: Option<Path>,
    replies: Vec<Option<G::Move>>,
    singles: Vec<Mean>,
    pairs: Vec<Mean>,
}

impl<G: Key + MoveIndex> Roller<G> {
    pub fn new(game: &G, config: &Config, rng: GameRng, limits: &Limits) -> Roller<G> {
        let numbers = game.players() * game.move_indices();
        let sized = |policy, size| if config.policy == policy { size } else { 0 };
        Roller {
            rng,
            meter: limits.meter(),
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

    /// The values of playing on from here, after a path that is left as it is.
    pub fn play_out_after<K, T, const V: usize>(
        &mut self,
        task: Task<'_, G, K>,
        start: &G::State,
        history: Option<&Path>,
    ) -> Result<[f64; V], Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let Some(history) = history else {
            return self.play_out::<K, T, V>(task, start, None);
        };
        let mut path = self.path.take().unwrap_or_default();
        path.clone_from(history);
        let values = self.play_out::<K, T, V>(task, start, Some(&mut path));
        self.path = Some(path);
        values
    }

    /// The values of playing on from here. The path ends here, too; it is extended and then left as
    /// it was.
    pub fn play_out<K, T, const V: usize>(
        &mut self,
        task: Task<'_, G, K>,
        start: &G::State,
        mut path: Option<&mut Path>,
    ) -> Result<[f64; V], Stopped>
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
        let values = self.play_on::<K, T, V>(task, &mut state, path.as_deref_mut());
        if let Some(path) = path {
            path.truncate(len);
        }
        self.state = Some(state);
        let values = values?;
        match task.config.policy {
            Policy::LastGoodReply => self.learn_replies(task, &values),
            Policy::NGrams => self.learn_grams(task, &values),
            _ => {}
        }
        Ok(values)
    }

    fn play_on<K, T, const V: usize>(
        &mut self,
        task: Task<'_, G, K>,
        state: &mut G::State,
        path: Option<&mut Path>,
    ) -> Result<[f64; V], Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let Task { game, config, .. } = task;
        let mut left = match config.plies {
            0 => LONGEST,
            plies => plies,
        };
        let by_game = config.policy == Policy::Game && !config.remembers();
        if let Some(path) = path {
            return self.play_on_path::<K, T, V>(task, state, path, left);
        }
        while left > 0 {
            let played = match game.turn(state) {
                Turn::Over => return Ok(task.payoffs(state)),
                Turn::Chance => match T::throw(game, state, &mut self.rng) {
                    Some(outcome) => {
                        game.play(state, outcome);
                        1
                    }
                    None => 0,
                },
                Turn::Player(_) if by_game => {
                    game.play_at_random(state, left, &mut self.moves, &mut self.rng)
                }
                Turn::Player(player) => self.play_one(task, state, player, None).0,
            };
            if played == 0 {
                break;
            }
            self.meter.spend(u64::from(played))?;
            left -= played;
        }
        Ok(match game.turn(state) {
            Turn::Over => task.payoffs(state),
            _ => task.estimates(state),
        })
    }

    /// The same under a rule of repetition.
    fn play_on_path<K, T, const V: usize>(
        &mut self,
        task: Task<'_, G, K>,
        state: &mut G::State,
        path: &mut Path,
        plies: u32,
    ) -> Result<[f64; V], Stopped>
    where
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let (game, rule) = (task.game, self.rule);
        for _ in 0..plies {
            let (played, ruling) = match game.turn(state) {
                Turn::Over => return Ok(task.payoffs(state)),
                Turn::Chance => match T::throw(game, state, &mut self.rng) {
                    Some(outcome) => {
                        let made = Made::of(game, rule, state, outcome);
                        game.play(state, outcome);
                        (1, entered(game, rule, state, path, made))
                    }
                    None => (0, Ruling::Open),
                },
                Turn::Player(player) => self.play_one(task, state, player, Some(path)),
            };
            if !ruling.is_open() {
                return Ok(task.judged(ruling));
            }
            if played == 0 {
                break;
            }
            self.meter.spend(u64::from(played))?;
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
            Policy::Game | Policy::Uniform => self.any(),
            Policy::LastGoodReply => self.reply(game, player),
            Policy::Greedy | Policy::NGrams if self.rng.random_bool(config.epsilon) => self.any(),
            Policy::NGrams => self.by_grams(game, player),
            Policy::Greedy => {
                task.known(state, &self.moves, player, &mut self.scores);
                let scores = &self.scores;
                highest(&self.moves, &mut self.rng, |place| scores[place])
            }
        };
        let made = path
            .as_ref()
            .map_or(Made::NOTHING, |_| Made::of(game, self.rule, state, mv));
        game.play(state, mv);
        if config.remembers() {
            self.remember(game, player, mv);
        }
        match path {
            Some(path) => (1, entered(game, self.rule, state, path, made)),
            None => (1, Ruling::Open),
        }
    }

    pub fn remember(&mut self, game: &G, player: Player, mv: G::Move) {
        let index = game.move_index(mv) as u32;
        self.line.push(Ply { player, index, mv });
    }

    fn any(&mut self) -> G::Move {
        self.moves[self.rng.random_range(0..self.moves.len())]
    }

    fn reply(&mut self, game: &G, player: Player) -> G::Move {
        let last = self.line.last();
        let known = last.and_then(|last| self.replies[place(game, player, last.index)]);
        match known {
            Some(reply) if self.moves.contains(&reply) => reply,
            _ => self.any(),
        }
    }

    /// Every move of the line but the first is a reply to the one before it: remembered if it won,
    /// forgotten if it lost.
    fn learn_replies<K, const V: usize>(&mut self, task: Task<'_, G, K>, values: &[f64; V])
    where
        K: Knowledge<G>,
    {
        let mut last = None;
        for ply in &self.line {
            let value = View::new::<V>(ply.player, task.hero).value(values);
            if let Some(last) = last {
                let reply = &mut self.replies[place(task.game, ply.player, last)];
                match value {
                    0.0 => {}
                    value if value > 0.0 => *reply = Some(ply.mv),
                    _ if *reply == Some(ply.mv) => *reply = None,
                    _ => {}
                }
            }
            last = Some(ply.index);
        }
    }

    fn by_grams(&mut self, game: &G, player: Player) -> G::Move {
        let last = self.line.last().map(|last| last.index);
        let (singles, pairs) = (&self.singles, &self.pairs);
        let moves = &self.moves;
        highest(moves, &mut self.rng, |at| {
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

    fn learn_grams<K, const V: usize>(&mut self, task: Task<'_, G, K>, values: &[f64; V])
    where
        K: Knowledge<G>,
    {
        let mut last = None;
        for &Ply { player, index, .. } in &self.line {
            let value = View::new::<V>(player, task.hero).value(values) as f32;
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
