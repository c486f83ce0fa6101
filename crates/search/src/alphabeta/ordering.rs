//! Dynamic move ordering: what the search remembers about moves.
//!
//! Killer moves (Akl and Newborn 1977), the history heuristic (Schaeffer 1983), butterfly boards
//! (Hartmann 1988), the relative history heuristic (Winands et al. 2004), the countermove heuristic
//! (Uiterwijk 1992), and their descendants in today's chess programs: history with gravity and
//! continuation history. All speak of moves by their index.

use tabia_game::{Knowledge, Player, URGENT, zobrist};

use super::AlphaBetaGame;
use super::config::{Config, History};
use super::node::Worker;

/// Classes of moves, from the first tried to the last; within a class the dynamic score decides.
pub(super) mod class {
    pub const TABLE: i32 = 255;
    pub const URGENT: i32 = 200;
    pub const KILLER: i32 = 190;
    pub const COUNTERMOVE: i32 = 180;
    pub const ORDINARY: i32 = 100;

    /// The class that a move's score begins with.
    pub fn of(score: u64) -> i32 {
        (score >> 56) as i32
    }
}

/// How the moves of a node come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Not looked at yet.
    Unknown,
    /// As they were generated.
    Generated,
    /// By their scores, best first.
    Scored,
}

impl<G: AlphaBetaGame, K: Knowledge<G>> Worker<'_, G, K> {
    /// Moves the table's move to the front, if it is among those from `base` on.
    pub fn bring_forward(&mut self, base: usize, table_move: Option<u32>) -> bool {
        let Some(index) = table_move else {
            return false;
        };
        let game = self.game;
        let moves = &mut self.moves[base..];
        let found = moves
            .iter()
            .position(|&mv| game.move_index(mv) as u32 == index);
        if let Some(at) = found {
            moves[..=at].rotate_right(1);
        }
        found.is_some()
    }

    /// Scores the moves from `base` on, unless they stay in the order of generation.
    pub fn order(
        &mut self,
        mover: Player,
        ply: usize,
        base: usize,
        table_move: Option<u32>,
    ) -> Order {
        let config = self.config;
        let dynamic = config.history != History::None || config.continuation;
        let special = config.killers > 0 || config.countermove || table_move.is_some();
        if !(dynamic || special || config.static_order) {
            return Order::Generated;
        }
        let previous = self.played.last().copied().flatten();
        let killers = self.memory.killers.get(ply).copied().unwrap_or_default();
        let countermove = self.memory.countermove(previous);
        self.scores.resize(base, 0);
        self.priorities.clear();
        if config.static_order {
            let moves = &self.moves[base..];
            self.knowledge
                .priorities(self.game, &self.state, moves, &mut self.priorities);
        }
        for i in base..self.moves.len() {
            let mv = self.moves[i];
            let index = self.game.move_index(mv) as u32;
            let priority = self
                .priorities
                .get(i - base)
                .map_or(0, |&p| p.clamp(-99, 99));
            let class = if table_move == Some(index) {
                class::TABLE
            } else if priority >= URGENT {
                class::URGENT + priority - URGENT
            } else if let Some(rank) = killers.rank(index) {
                class::KILLER - rank as i32
            } else if countermove == Some(index) {
                class::COUNTERMOVE
            } else {
                class::ORDINARY + priority
            };
            let score = if dynamic {
                self.memory.score(config, mover, index, previous)
            } else {
                0
            };
            self.scores.push((class as u64) << 56 | score);
        }
        Order::Scored
    }

    /// Brings the best of the remaining moves to the front; the others keep their order.
    #[inline]
    pub fn pick(&mut self, next: usize, end: usize) {
        let (mut best, mut highest) = (0, 0);
        for (i, &score) in self.scores[next..end].iter().enumerate() {
            if score > highest {
                (best, highest) = (i, score);
            }
        }
        if best == 0 {
            return;
        }
        let mv = self.moves[next + best];
        for i in (next..next + best).rev() {
            self.scores[i + 1] = self.scores[i];
            self.moves[i + 1] = self.moves[i];
        }
        self.scores[next] = highest;
        self.moves[next] = mv;
    }
}

/// Killer moves of one ply, the most recently used first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Killers {
    moves: [u32; 4],
}

/// No move has this index.
const NO_MOVE: u32 = u32::MAX;

impl Default for Killers {
    fn default() -> Self {
        Killers {
            moves: [NO_MOVE; 4],
        }
    }
}

impl Killers {
    /// A move has produced a cutoff; with room for `count` killers the least recently used goes.
    #[inline]
    pub fn cutoff(&mut self, index: u32, count: usize) {
        let slots = &mut self.moves[..count.min(4)];
        let found = slots.iter().position(|&k| k == index);
        let last = found.unwrap_or(slots.len().saturating_sub(1));
        if let Some(upto) = slots.get_mut(..=last) {
            upto.rotate_right(1);
            upto[0] = index;
        }
    }

    /// The rank of a killer move.
    #[inline]
    pub fn rank(&self, index: u32) -> Option<usize> {
        self.moves.iter().position(|&k| k == index)
    }
}

/// The limit that history with gravity fades towards.
const GRAVITY_LIMIT: i64 = 1 << 14;
/// Pairs of moves share a table of this many entries.
const CONTINUATIONS: usize = 1 << 18;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Record {
    best: u64,
    tried: u64,
    gravity: i64,
    /// What these come to; kept up to date, since moves are ordered more often than remembered.
    standing: u64,
}

/// A relative history of one.
pub(super) const ONE: u64 = 1 << 40;
/// Signed weights lie within this on either side.
const OFFSET: i64 = 1 << 15;
/// Dynamic scores stay below the bits of the class.
const MAX_SCORE: u64 = (1 << 56) - 1;

impl Record {
    fn update(&mut self, config: &Config) {
        self.standing = match config.history {
            History::None => 0,
            History::History => self.best.min(MAX_SCORE),
            History::Butterfly => self.tried.min(MAX_SCORE),
            History::Relative => {
                let ratio = match self.tried {
                    0 if config.optimistic => 1.0,
                    tried => self.best as f64 / tried.max(1) as f64,
                };
                ((ratio * ONE as f64) as u64).min(MAX_SCORE)
            }
            History::Gravity => (self.gravity + OFFSET) as u64,
        };
    }
}

/// What is remembered about moves, through a whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    indices: usize,
    records: Vec<Record>,
    countermoves: Vec<Option<u32>>,
    continuations: Vec<i16>,
    /// Killers by ply.
    pub killers: Vec<Killers>,
}

/// A move already played: who, and which.
pub type PlayedMove = (Player, u32);

impl Memory {
    /// An empty memory for a game with this many move indices.
    pub fn new(indices: usize, config: &Config) -> Memory {
        let sized = |wanted: bool, size: usize| if wanted { size } else { 0 };
        let mut untried = Record::default();
        untried.update(config);
        Memory {
            indices,
            records: vec![untried; sized(config.history != History::None, 2 * indices)],
            countermoves: vec![None; sized(config.countermove, 2 * indices)],
            continuations: vec![0; sized(config.continuation, CONTINUATIONS)],
            killers: Vec::new(),
        }
    }

    /// A new search begins: old scores count half, and killers belong to other plies.
    pub fn new_search(&mut self, config: &Config) {
        for record in &mut self.records {
            record.best /= 2;
            record.tried /= 2;
            record.gravity /= 2;
            record.update(config);
        }
        self.killers.clear();
    }

    #[inline]
    fn slot(&self, config: &Config, player: Player, index: u32) -> usize {
        let table = if config.shared_history {
            0
        } else {
            player.index() & 1
        };
        table * self.indices + index as usize
    }

    #[inline]
    fn continuation_slot((player, before): PlayedMove, index: u32) -> usize {
        let pair = u64::from(before) << 33 | u64::from(index) << 1 | u64::from(player.0);
        (zobrist::mix(pair) >> 46) as usize
    }

    /// A move was searched to this depth.
    #[inline]
    pub fn tried(&mut self, config: &Config, player: Player, index: u32, depth: i32) {
        if matches!(config.history, History::Butterfly | History::Relative) {
            let slot = self.slot(config, player, index);
            let record = &mut self.records[slot];
            record.tried = record
                .tried
                .saturating_add(config.tried_increment.of(depth));
            record.update(config);
        }
    }

    /// A move caused a cutoff or was best in a search of this depth.
    #[inline]
    pub fn best(&mut self, config: &Config, player: Player, index: u32, depth: i32) {
        if matches!(config.history, History::History | History::Relative) {
            let slot = self.slot(config, player, index);
            let record = &mut self.records[slot];
            record.best = record.best.saturating_add(config.best_increment.of(depth));
            record.update(config);
        }
    }

    /// A move caused a cutoff after these had been tried in vain.
    pub fn cutoff(
        &mut self,
        config: &Config,
        player: Player,
        index: u32,
        depth: i32,
        previous: Option<PlayedMove>,
        in_vain: impl Iterator<Item = u32>,
    ) {
        let bonus = (i64::from(depth) * i64::from(depth) * 16).clamp(1, GRAVITY_LIMIT / 4);
        if let (true, Some((opponent, before))) = (config.countermove, previous) {
            let slot = (opponent.index() & 1) * self.indices + before as usize;
            self.countermoves[slot] = Some(index);
        }
        if config.history != History::Gravity && !config.continuation {
            return;
        }
        self.weigh(config, player, index, previous, bonus);
        for other in in_vain {
            self.weigh(config, player, other, previous, -bonus);
        }
    }

    fn weigh(
        &mut self,
        config: &Config,
        player: Player,
        index: u32,
        previous: Option<PlayedMove>,
        bonus: i64,
    ) {
        let fade = |weight: i64| weight + bonus - weight * bonus.abs() / GRAVITY_LIMIT;
        if config.history == History::Gravity {
            let slot = self.slot(config, player, index);
            let record = &mut self.records[slot];
            record.gravity = fade(record.gravity);
            record.update(config);
        }
        if let (true, Some(previous)) = (config.continuation, previous) {
            let weight = &mut self.continuations[Self::continuation_slot(previous, index)];
            *weight = fade(i64::from(*weight)) as i16;
        }
    }

    /// The refutation of the opponent's last move that worked before.
    #[inline]
    pub fn countermove(&self, previous: Option<PlayedMove>) -> Option<u32> {
        let (opponent, before) = previous?;
        *self
            .countermoves
            .get((opponent.index() & 1) * self.indices + before as usize)?
    }

    /// The dynamic score of a move: higher is earlier. At most 2^56 - 1.
    #[inline]
    pub fn score(
        &self,
        config: &Config,
        player: Player,
        index: u32,
        previous: Option<PlayedMove>,
    ) -> u64 {
        let standing = match config.history {
            History::None => 0,
            _ => self.records[self.slot(config, player, index)].standing,
        };
        if !config.continuation {
            return standing;
        }
        let weight = previous.map_or(0, |previous| {
            self.continuations[Self::continuation_slot(previous, index)]
        });
        let weight = (i64::from(weight) + OFFSET) as u64;
        // A pair of moves at its limit weighs as much as a move that was always best.
        let scale = match config.history {
            History::Relative => ONE / GRAVITY_LIMIT as u64,
            _ => 1,
        };
        standing.saturating_add(weight * scale).min(MAX_SCORE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Increment;
    use super::*;

    fn config(history: History) -> Config {
        Config {
            history,
            best_increment: Increment::One,
            tried_increment: Increment::One,
            killers: 2,
            ..Config::default()
        }
    }

    const X: u32 = 3;
    const Y: u32 = 5;

    /// X was best 5 of 5 times, Y 50 of 100 times.
    fn rare_and_frequent(config: &Config) -> Memory {
        let mut memory = Memory::new(8, config);
        for (index, best, tried) in [(X, 5, 5), (Y, 50, 100)] {
            (0..tried).for_each(|_| memory.tried(config, Player::FIRST, index, 4));
            (0..best).for_each(|_| memory.best(config, Player::FIRST, index, 4));
        }
        memory
    }

    fn prefers_x(history: History) -> bool {
        let config = config(history);
        let memory = rare_and_frequent(&config);
        let score = |index| memory.score(&config, Player::FIRST, index, None);
        score(X) > score(Y)
    }

    /// Winands et al. (2004), sections 2 and 3: history prefers the frequent move, relative history
    /// the one that is good whenever it can be played.
    #[test]
    fn winands_eq_1_relative_history_prefers_the_rare_good_move() {
        assert!(!prefers_x(History::History));
        assert!(!prefers_x(History::Butterfly));
        assert!(prefers_x(History::Relative));
    }

    #[test]
    fn winands_eq_1_equal_butterfly_scores_give_the_order_of_history() {
        let remember = |history| {
            let config = config(history);
            let mut memory = Memory::new(8, &config);
            for index in 0..8 {
                (0..20).for_each(|_| memory.tried(&config, Player::SECOND, index, 2));
                (0..(index * 5) % 8).for_each(|_| memory.best(&config, Player::SECOND, index, 2));
            }
            assert_eq!(
                memory.score(&config, Player::FIRST, 7, None),
                0,
                "the other player's"
            );
            let mut indices: Vec<u32> = (0..8).collect();
            indices.sort_by_key(|&i| memory.score(&config, Player::SECOND, i, None));
            indices
        };
        assert_eq!(remember(History::History), remember(History::Relative));
    }

    #[test]
    fn winands_eq_1_untried_moves_score_nothing_or_everything() {
        let config = config(History::Relative);
        let memory = Memory::new(8, &config);
        assert_eq!(memory.score(&config, Player::FIRST, X, None), 0);
        let config = Config {
            optimistic: true,
            ..config
        };
        let memory = Memory::new(8, &config);
        assert_eq!(memory.score(&config, Player::FIRST, X, None), ONE);
    }

    #[test]
    fn a_new_search_halves_the_scores() {
        let config = config(History::History);
        let mut memory = rare_and_frequent(&config);
        memory.new_search(&config);
        assert_eq!(memory.score(&config, Player::FIRST, Y, None), 25);
        assert_eq!(memory.score(&config, Player::FIRST, X, None), 2);
    }

    #[test]
    fn increments_are_those_of_tables_1_and_2() {
        use Increment::{Cube, Depth, Exponential, One, Square};
        let of = |depth| [One, Depth, Square, Cube, Exponential].map(|i| i.of(depth));
        assert_eq!(of(5), [1, 5, 25, 125, 32]);
        assert_eq!(of(14), [1, 14, 196, 2744, 16384]);
    }

    #[test]
    fn the_least_recently_used_killer_is_replaced() {
        let mut killers = Killers::default();
        for index in [1, 2, 1, 3] {
            killers.cutoff(index, 2);
        }
        assert_eq!([1, 2, 3].map(|i| killers.rank(i)), [Some(1), None, Some(0)]);
        let mut none = Killers::default();
        none.cutoff(1, 0);
        assert_eq!(none.rank(1), None);
    }

    #[test]
    fn gravity_punishes_moves_tried_in_vain_and_stays_within_its_limit() {
        let config = Config {
            continuation: true,
            countermove: true,
            ..config(History::Gravity)
        };
        let mut memory = Memory::new(8, &config);
        let previous = Some((Player::SECOND, 1));
        for _ in 0..1000 {
            memory.cutoff(&config, Player::FIRST, X, 30, previous, [Y].into_iter());
        }
        let score = |index, previous| memory.score(&config, Player::FIRST, index, previous);
        assert!(score(X, previous) > score(0, previous) && score(0, previous) > score(Y, previous));
        assert!(
            score(X, previous) > score(X, None),
            "the continuation adds to it"
        );
        assert!(score(X, previous) <= 2 * (OFFSET + GRAVITY_LIMIT) as u64);
        assert_eq!(memory.countermove(previous), Some(X));
        assert_eq!(memory.countermove(Some((Player::FIRST, 1))), None);
    }
}
