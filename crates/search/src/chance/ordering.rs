//! Which moves and outcomes are looked at, and in which order.

use std::cmp::Reverse;

use rand::RngExt;
use tabia_game::{CERTAIN, Knowledge, Player, Seed, zobrist};

use super::bounds::OutcomeBounds;
use super::node::Worker;
use super::{ChanceGame, Filter, MoveOrder, OutcomeOrder, ProbeChoice, Scalar};

impl<G, K, V> Worker<'_, G, K, V>
where
    G: ChanceGame,
    K: Knowledge<G>,
    V: Scalar,
{
    /// The successor to probe in this round: the one of the table, then the ones that the game's
    /// knowledge ranks highest.
    pub(super) fn pick(&mut self, player: Player, round: usize) -> Option<G::Move> {
        let first = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        self.retain_legal(first);
        if self.moves.len() - first > 1 {
            match self.config.pick {
                ProbeChoice::First => {}
                ProbeChoice::Quick => self.sort(first, MoveOrder::Quick, player, None),
                ProbeChoice::Static => self.sort(first, MoveOrder::Static, player, None),
                ProbeChoice::Table => {
                    let best = self.look_up().and_then(|entry| entry.best);
                    self.sort(first, MoveOrder::Quick, player, best);
                }
            }
        }
        let mv = self.moves.get(first + round).copied();
        self.moves.truncate(first);
        mv
    }

    /// Leaves out the moves whose static evaluation is too low, and puts the others in its order;
    /// tells whether any are left out. GNU Backgammon keeps a few moves at the root and one move
    /// elsewhere (Hauk, Buro and Schaeffer 2004, section 4.1).
    pub(super) fn filter(
        &mut self,
        first: usize,
        player: Player,
        filter: Filter,
        root: bool,
    ) -> bool {
        let listed = self.moves.len();
        let from = self.keys.len();
        self.static_keys(first, player);
        insertion_sort(&mut self.moves[first..], &mut self.keys[from..]);
        let keep = if root {
            let within = (filter.within * f64::from(CERTAIN)) as i64;
            let least = self.keys[from..].first().map_or(0, |best| best - within);
            let near = self.keys[from..].partition_point(|&key| key >= least);
            near.clamp(filter.accept, filter.accept + filter.more)
        } else {
            filter.width
        };
        self.keys.truncate(from);
        self.moves.truncate(listed.min(first + keep.max(1)));
        self.moves.len() < listed
    }

    pub(super) fn order_moves(
        &mut self,
        first: usize,
        player: Player,
        depth: i32,
        best: Option<u32>,
    ) {
        if self.moves.len() - first < 2 {
            return;
        }
        // The order of leaves only matters if one of them may cut, and then a cheap one does.
        let order = match self.config.order {
            MoveOrder::Static if depth <= 1 => MoveOrder::Quick,
            order => order,
        };
        if order != MoveOrder::Generated || best.is_some() || self.config.history {
            self.sort(first, order, player, best);
        }
    }

    /// Sorts the moves listed from `first` on, those that stay equal in the order of generation.
    fn sort(&mut self, first: usize, order: MoveOrder, player: Player, best: Option<u32>) {
        let from = self.keys.len();
        match order {
            MoveOrder::Generated => self.keys.extend((first..self.moves.len()).map(|_| 0)),
            MoveOrder::Random => {
                let key = self.game.key(&self.state);
                let number =
                    |i: usize| (zobrist::number(self.config.seed, key ^ i as u64) >> 8) as i64;
                self.keys.extend((first..self.moves.len()).map(number));
            }
            MoveOrder::Quick => {
                self.priorities.clear();
                self.knowledge.priorities(
                    self.game,
                    &self.state,
                    &self.moves[first..],
                    &mut self.priorities,
                );
                let keys = self.priorities.iter().map(|&p| i64::from(p) << 32);
                self.keys.extend(keys);
            }
            MoveOrder::Static => {
                self.static_keys(first, player);
                self.keys[from..].iter_mut().for_each(|key| *key <<= 32);
            }
        }
        for (i, key) in (first..self.moves.len()).zip(from..) {
            let mv = self.moves[i];
            if best == Some(self.game.move_index(mv) as u32) {
                self.keys[key] = i64::MAX;
            } else if self.config.history {
                let at = self.remembered(player, mv);
                self.keys[key] = self.keys[key].saturating_add(i64::from(self.history[at]));
            }
        }
        insertion_sort(&mut self.moves[first..], &mut self.keys[from..]);
        self.keys.truncate(from);
    }

    /// Appends the static evaluations of where the moves listed from `first` on lead.
    fn static_keys(&mut self, first: usize, player: Player) {
        self.priorities.clear();
        self.knowledge.evaluations(
            self.game,
            &self.state,
            &self.moves[first..],
            player,
            &mut self.priorities,
        );
        let keys = self.priorities.iter().map(|&value| i64::from(value));
        self.keys.extend(keys);
    }

    pub(super) fn remembered(&self, player: Player, mv: G::Move) -> usize {
        player.index() * self.game.move_indices() + self.game.move_index(mv)
    }

    /// Lists the outcomes of the present chance event: all of them, or with Monte Carlo *-Minimax
    /// (Lanctot et al. 2013) a sample. The sample is a matter of the position alone, so that the
    /// table stays true.
    pub(super) fn list_outcomes(&mut self) {
        self.weights.clear();
        self.game.outcomes(&self.state, &mut self.weights);
        let samples = self.config.samples as usize;
        if samples > 0 && samples < self.weights.len() || self.weights.is_empty() {
            let seed = Seed::new(self.config.seed).number(self.game.key(&self.state));
            let mut rng = seed.rng();
            let mut drawn: Vec<(G::Move, u64)> = Vec::new();
            for _ in 0..samples.max(1) {
                let mv = self.game.sample_outcome(&self.state, &mut rng);
                match drawn.iter_mut().find(|(known, _)| *known == mv) {
                    Some((_, times)) => *times += 1,
                    None => drawn.push((mv, 1)),
                }
            }
            self.weights = drawn;
        }
        let sum: u64 = self.weights.iter().map(|(_, weight)| weight).sum();
        let all = self.all;
        let listed = self.weights.iter().map(|&(mv, weight)| {
            OutcomeBounds::unknown(mv, V::ratio(weight as i64, sum.max(1)), all)
        });
        self.outcomes.extend(listed);
        if self.number > 0 {
            // Threads part at chance nodes and meet in the table.
            let mut rng = Seed::new(self.number as u64)
                .number(self.meter.nodes())
                .rng();
            let first = self.outcomes.len() - self.weights.len();
            let by = rng.random_range(0..self.weights.len().max(1));
            self.outcomes[first..].rotate_left(by);
        }
    }

    pub(super) fn order_outcomes(&mut self, first: usize) {
        let outcomes = &mut self.outcomes[first..];
        let by = |key: fn(&OutcomeBounds<G::Move, V>) -> V| {
            move |a: &OutcomeBounds<G::Move, V>, b: &OutcomeBounds<G::Move, V>| {
                let (a, b) = (Reverse(key(a)), Reverse(key(b)));
                a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
            }
        };
        match self.config.outcomes {
            OutcomeOrder::Given => {}
            OutcomeOrder::Likely => outcomes.sort_by(by(|o| o.probability)),
            OutcomeOrder::Widest => {
                outcomes.sort_by(by(|o| o.probability * (o.estimated.hi - o.estimated.lo)));
            }
        }
    }
}

/// Sorts moves by descending keys. Lists are short and often nearly in order.
pub(crate) fn insertion_sort<M: Copy>(moves: &mut [M], keys: &mut [i64]) {
    for i in 1..moves.len() {
        let (mv, key) = (moves[i], keys[i]);
        let mut at = i;
        while at > 0 && keys[at - 1] < key {
            moves[at] = moves[at - 1];
            keys[at] = keys[at - 1];
            at -= 1;
        }
        (moves[at], keys[at]) = (mv, key);
    }
}
