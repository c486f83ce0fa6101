//! The recursion: move nodes by alpha-beta, chance nodes by bounds of their outcomes.
//!
//! Values are those of the first player throughout, so that a player may move several times in a
//! row, an outcome may lead to either player or to another chance event, and nothing changes sign
//! but at the nodes of the second player.

use tabia_game::{
    CERTAIN, Knowledge, Made, Meter, Path, Player, Repetition, Ruling, Stopped, Turn,
};

use super::bounds::{OutcomeBounds, ValueRange, total, window};
use super::table::{Entry, Table};
use super::{ChanceGame, Clamp, Config, Regression, Scalar, Stats};

/// What a search returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<V> {
    /// A value, or a bound if it lies outside the window.
    pub value: V,
    /// Whether no static evaluation went into it.
    pub complete: bool,
}

/// A move that was played, and whether it was entered on the path.
pub(super) struct Entered<U> {
    token: U,
    on_path: bool,
}

/// One thread of the search.
pub(super) struct Worker<'a, G: ChanceGame, K, V> {
    pub game: &'a G,
    pub knowledge: &'a K,
    pub config: &'a Config,
    pub regressions: &'a [Regression],
    pub table: Option<&'a Table<V>>,
    pub state: G::State,
    pub path: Path,
    pub repetition: Repetition,
    /// What the rule of repetition makes of the position just entered.
    pub ruling: Ruling,
    pub meter: Meter,
    pub stats: Stats,
    pub moves: Vec<G::Move>,
    pub keys: Vec<i64>,
    pub priorities: Vec<i32>,
    pub weights: Vec<(G::Move, u64)>,
    pub outcomes: Vec<OutcomeBounds<G::Move, V>>,
    /// How often a move was best, by player and number, weighted by depth.
    pub history: Vec<u32>,
    /// The number of the thread: the others go through outcomes in another order.
    pub number: usize,
    /// The bounds of all values.
    pub all: ValueRange<V>,
    /// Moves of the root that are left out, to find the best of the others.
    pub excluded: Vec<G::Move>,
}

impl<G, K, V> Worker<'_, G, K, V>
where
    G: ChanceGame,
    K: Knowledge<G>,
    V: Scalar,
{
    /// Plays a move or an outcome of chance and enters the position on the path.
    #[inline]
    pub(super) fn follow(&mut self, mv: G::Move) -> Entered<G::Undo> {
        if !self.repetition.is_tracked() {
            let token = self.game.play(&mut self.state, mv);
            return Entered {
                token,
                on_path: false,
            };
        }
        let (game, rule) = (self.game, self.repetition);
        let made = Made::of(game, rule, &self.state, mv);
        let token = game.play(&mut self.state, mv);
        let on_path = game.turn(&self.state) != Turn::Over;
        if on_path {
            self.ruling = self.path.enter(game, rule, &self.state, made);
        }
        Entered { token, on_path }
    }

    /// Takes back what was entered last.
    #[inline]
    pub(super) fn leave(&mut self, entered: Entered<G::Undo>) {
        if entered.on_path {
            self.path.pop();
            self.ruling = Ruling::Open;
        }
        self.game.undo(&mut self.state, entered.token);
    }

    /// Takes the moves from `first` on off the stack that the rule of repetition forbids.
    #[inline]
    pub(super) fn retain_legal(&mut self, first: usize) -> Ruling {
        let (game, rule) = (self.game, self.repetition);
        self.path
            .retain_legal(game, rule, &mut self.state, &mut self.moves, first)
    }

    /// The value of a position in which the rule of repetition has ended the game.
    fn judged(&mut self, ruling: Ruling) -> Found<V> {
        self.stats.leaves += 1;
        let payoff = i64::from(ruling.payoff(self.game, Player::FIRST));
        let largest = u64::from(self.game.max_payoff().unsigned_abs().max(1));
        Found {
            value: V::ratio(payoff * i64::from(CERTAIN), largest),
            // A draw by repetition is true of the present path only.
            complete: self.repetition.has_exact_keys(),
        }
    }

    /// Searches the present position, which is not the root.
    fn search(&mut self, depth: i32, window: ValueRange<V>) -> Result<Found<V>, Stopped> {
        self.meter.tick()?;
        match self.game.turn(&self.state) {
            Turn::Over => {
                self.stats.leaves += 1;
                Ok(self.finished())
            }
            _ if !self.ruling.is_open() => Ok(self.judged(self.ruling)),
            _ if depth <= 0 => {
                self.stats.leaves += 1;
                let estimate = self
                    .knowledge
                    .evaluate(self.game, &self.state, Player::FIRST);
                Ok(Found {
                    value: V::ratio(i64::from(estimate), 1),
                    complete: false,
                })
            }
            Turn::Player(player) => self.decide(player, depth, window, None),
            Turn::Chance => self.expect(depth, window),
        }
    }

    /// The value of a finished game.
    fn finished(&self) -> Found<V> {
        let payoff = i64::from(self.game.payoff(&self.state, Player::FIRST));
        let largest = u64::from(self.game.max_payoff().unsigned_abs().max(1));
        Found {
            value: V::ratio(payoff * i64::from(CERTAIN), largest),
            complete: true,
        }
    }

    /// Searches the root.
    pub fn root(
        &mut self,
        depth: i32,
        window: ValueRange<V>,
        best: &mut Option<G::Move>,
    ) -> Result<Found<V>, Stopped> {
        match self.game.turn(&self.state) {
            Turn::Player(player) => self.decide(player, depth, window, Some(best)),
            Turn::Chance => self.expect(depth, window),
            Turn::Over => Ok(self.finished()),
        }
    }

    pub(super) fn look_up(&self) -> Option<Entry<V>> {
        self.table?
            .get(self.game.key_on_path(&self.state, &self.path))
    }

    /// What the table says of a search to this depth, if that is enough.
    fn cutoff(entry: &Entry<V>, depth: i32, window: ValueRange<V>) -> Option<Found<V>> {
        if !entry.serves(depth as u8) {
            return None;
        }
        let ValueRange { lo, hi } = entry.range;
        let value = if lo >= window.hi || entry.range.is_exact() {
            lo
        } else if hi <= window.lo {
            hi
        } else {
            return None;
        };
        let complete = entry.complete;
        Some(Found { value, complete })
    }

    fn enter(&self, depth: i32, window: ValueRange<V>, found: Found<V>, best: Option<G::Move>) {
        let Some(table) = self.table else { return };
        let value = found.value;
        let range = if value <= window.lo {
            ValueRange {
                lo: self.all.lo,
                hi: value,
            }
        } else if value >= window.hi {
            ValueRange {
                lo: value,
                hi: self.all.hi,
            }
        } else {
            ValueRange {
                lo: value,
                hi: value,
            }
        };
        let entry = Entry {
            range,
            depth: depth as u8,
            complete: found.complete,
            best: best.map(|mv| self.game.move_index(mv) as u32),
        };
        table.put(self.game.key_on_path(&self.state, &self.path), entry);
    }

    /// Searches a move node. At the root the best move is told, also when the search is stopped.
    fn decide(
        &mut self,
        player: Player,
        depth: i32,
        window: ValueRange<V>,
        mut told: Option<&mut Option<G::Move>>,
    ) -> Result<Found<V>, Stopped> {
        let entry = self.look_up();
        if let (Some(entry), None) = (&entry, &told)
            && let Some(found) = Self::cutoff(entry, depth, window)
        {
            return Ok(found);
        }
        let first = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        let stuck = self.retain_legal(first);
        if !stuck.is_open() {
            return Ok(self.judged(stuck));
        }
        let narrowed = told.is_some() && !self.excluded.is_empty();
        if narrowed {
            let excluded = &self.excluded;
            self.moves.retain(|mv| !excluded.contains(mv));
        }
        let remembered = entry.and_then(|entry| entry.best);
        let left_out = match self.config.filter {
            Some(filter) if depth > 1 => self.filter(first, player, filter, told.is_some()),
            _ => {
                self.order_moves(first, player, depth, remembered);
                false
            }
        };
        // From here on values are those of the player to move.
        let own = |range: ValueRange<V>| match player {
            Player::FIRST => range,
            _ => range.flipped(),
        };
        let whole = own(window);
        let mut alpha = whole.lo;
        let mut best: Option<(V, G::Move)> = None;
        let mut complete = !left_out;
        for i in first..self.moves.len() {
            let mv = self.moves[i];
            let beyond = ValueRange {
                lo: alpha,
                hi: whole.hi,
            };
            let below = if self.config.prune {
                own(beyond)
            } else {
                self.all
            };
            let entered = self.follow(mv);
            let found = self.search(depth - 1, below);
            self.leave(entered);
            let found = found.inspect_err(|_| self.moves.truncate(first))?;
            let value = match player {
                Player::FIRST => found.value,
                _ => -found.value,
            };
            complete &= found.complete;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, mv));
                if let Some(told) = told.as_deref_mut() {
                    *told = Some(mv);
                }
            }
            alpha = alpha.most(value);
            if self.config.prune && value >= whole.hi {
                self.stats.cutoffs += 1;
                complete = found.complete;
                break;
            }
        }
        self.moves.truncate(first);
        let Some((value, mv)) = best else {
            // A player who cannot move although the game goes on: nothing to expect but the
            // estimate.
            return self.search(0, window);
        };
        if self.config.history {
            let at = self.remembered(player, mv);
            self.history[at] = self.history[at].saturating_add(depth.unsigned_abs().pow(2));
        }
        let value = match player {
            Player::FIRST => value,
            _ => -value,
        };
        let found = Found { value, complete };
        if !narrowed {
            self.enter(depth, window, found, Some(mv));
        }
        Ok(found)
    }

    /// Searches a chance node.
    fn expect(&mut self, depth: i32, node: ValueRange<V>) -> Result<Found<V>, Stopped> {
        let entry = self.look_up();
        if let Some(entry) = &entry
            && let Some(found) = Self::cutoff(entry, depth, node)
        {
            return Ok(found);
        }
        let first = self.outcomes.len();
        self.list_outcomes();
        let found = self.weigh(first, depth, node);
        self.outcomes.truncate(first);
        let found = found?;
        self.enter(depth, node, found, None);
        Ok(found)
    }

    /// Tightens the bounds of the outcomes listed from `first` on until the node is decided.
    fn weigh(
        &mut self,
        first: usize,
        depth: i32,
        node: ValueRange<V>,
    ) -> Result<Found<V>, Stopped> {
        if self.config.prune {
            self.stats.chance += 1;
            if self.config.etc
                && let Some(found) = self.recall(first, depth, node)
            {
                return Ok(found);
            }
            if let Some(found) = self.guess(first, depth, node)? {
                return Ok(found);
            }
            if self.config.probes > 0
                && let Some(found) = self.probe(first, depth, node)?
            {
                return Ok(found);
            }
        }
        self.order_outcomes(first);
        for i in first..self.outcomes.len() {
            // As printed, even an outcome whose bounds have met is searched.
            if self.config.clamp == Clamp::Bounds && self.outcomes[i].proven.is_exact() {
                continue;
            }
            let (wanted, through) = match self.config.prune {
                true => self.through(first, i, node),
                false => (self.all, self.all),
            };
            let entered = self.follow(self.outcomes[i].mv);
            let found = self.search(self.below(depth), through);
            self.leave(entered);
            let Found { value, complete } = found?;
            let outcome = &mut self.outcomes[i];
            outcome.complete &= complete;
            outcome.settle(value);
            if self.config.prune {
                // Rounding must not keep alive what the window has decided.
                let sum = total(&self.outcomes[first..]);
                if value <= wanted.lo || sum.hi <= node.lo {
                    return Ok(self.summed(first, sum.hi.least(node.lo)));
                }
                if value >= wanted.hi || sum.lo >= node.hi {
                    return Ok(self.summed(first, sum.lo.most(node.hi)));
                }
            }
        }
        let sum = total(&self.outcomes[first..]);
        Ok(self.summed(first, sum.lo))
    }

    /// The depth that is left after the outcome just played. An event that follows another at once
    /// counts even where events do not: players who can only pass would be searched for ever.
    fn below(&self, depth: i32) -> i32 {
        let counts = self.config.count_chance || self.game.turn(&self.state) == Turn::Chance;
        depth - i32::from(counts)
    }

    fn summed(&self, first: usize, value: V) -> Found<V> {
        let complete = self.outcomes[first..].iter().all(|o| o.complete);
        Found { value, complete }
    }

    /// The window that decides an outcome, and the one it is searched through.
    fn through(
        &self,
        first: usize,
        i: usize,
        node: ValueRange<V>,
    ) -> (ValueRange<V>, ValueRange<V>) {
        let wanted = window(&self.outcomes[first..], i - first, node);
        let through = match self.config.clamp {
            Clamp::Nothing => wanted,
            Clamp::Values => self.all.clamp(wanted),
            Clamp::Bounds => self.outcomes[i].estimated.clamp(wanted),
        };
        (wanted, through)
    }

    /// The node's value if its bounds already decide it.
    fn decided(&self, first: usize, node: ValueRange<V>) -> Option<Found<V>> {
        let sum = total(&self.outcomes[first..]);
        if sum.lo >= node.hi {
            Some(self.summed(first, sum.lo))
        } else if sum.hi <= node.lo {
            Some(self.summed(first, sum.hi))
        } else {
            None
        }
    }

    /// Enhanced transposition cutoffs (StarETC, Veness and Blair 2007): what the table knows of the
    /// outcomes tightens their bounds before anything is searched.
    fn recall(&mut self, first: usize, depth: i32, node: ValueRange<V>) -> Option<Found<V>> {
        for i in first..self.outcomes.len() {
            let entered = self.follow(self.outcomes[i].mv);
            let below = self.below(depth);
            let known = match self.game.turn(&self.state) {
                _ if !self.ruling.is_open() => None,
                Turn::Over => {
                    let value = self.finished().value;
                    let range = ValueRange {
                        lo: value,
                        hi: value,
                    };
                    Some((range, true))
                }
                _ if below <= 0 => None,
                _ => self
                    .look_up()
                    .filter(|entry| entry.serves(below as u8))
                    .map(|entry| (entry.range, entry.complete)),
            };
            self.leave(entered);
            if let Some((range, complete)) = known {
                let outcome = &mut self.outcomes[i];
                outcome.raise(range.lo);
                outcome.lower(range.hi);
                outcome.complete &= complete;
            }
        }
        let found = self.decided(first, node);
        self.stats.recalled += u64::from(found.is_some());
        found
    }

    /// ChanceProbCut (Schadd 2011, section 5.3): a shallow search of every outcome predicts the
    /// range of its deep value. Several regressions for one depth are tried from the shallowest on.
    fn guess(
        &mut self,
        first: usize,
        depth: i32,
        node: ValueRange<V>,
    ) -> Result<Option<Found<V>>, Stopped> {
        let Some(width) = self.config.probcut else {
            return Ok(None);
        };
        let regressions = self.regressions;
        for regression in regressions.iter().filter(|r| r.depth == depth) {
            self.stats.guesses += 1;
            for i in first..self.outcomes.len() {
                if self.outcomes[i].proven.is_exact() {
                    continue;
                }
                let entered = self.follow(self.outcomes[i].mv);
                let mover = self.game.turn(&self.state);
                let found = self.search(self.below(depth) - regression.reduction, self.all);
                self.leave(entered);
                let Found { value, complete } = found?;
                let outcome = &mut self.outcomes[i];
                if complete {
                    outcome.settle(value);
                } else {
                    // Lines speak of values for the player to move.
                    outcome.estimate(match mover {
                        Turn::Player(Player::SECOND) => regression.range(-value, width).flipped(),
                        _ => regression.range(value, width),
                    });
                    outcome.complete = false;
                }
                if let Some(found) = self.decided(first, node) {
                    self.stats.guessed += 1;
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Probes: one successor of each outcome after another bounds its value from the side of the
    /// player to move (Star2; with more than one round Star2.5).
    fn probe(
        &mut self,
        first: usize,
        depth: i32,
        node: ValueRange<V>,
    ) -> Result<Option<Found<V>>, Stopped> {
        self.stats.probed += 1;
        for round in 0..self.config.probes as usize {
            for i in first..self.outcomes.len() {
                if self.outcomes[i].proven.is_exact() {
                    continue;
                }
                let (_, through) = self.through(first, i, node);
                let entered = self.follow(self.outcomes[i].mv);
                let probed = self.probe_one(i, round, self.below(depth), through);
                self.leave(entered);
                probed?;
                if let Some(found) = self.decided(first, node) {
                    self.stats.probe_cutoffs += 1;
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Probes the present position, which is what outcome `i` leads to.
    fn probe_one(
        &mut self,
        i: usize,
        round: usize,
        below: i32,
        through: ValueRange<V>,
    ) -> Result<(), Stopped> {
        let player = match self.game.turn(&self.state) {
            Turn::Player(player) if below > 0 && self.ruling.is_open() => player,
            Turn::Over => {
                self.meter.tick()?;
                self.stats.leaves += 1;
                let Found { value, .. } = self.finished();
                self.outcomes[i].settle(value);
                return Ok(());
            }
            _ if below <= 0 || !self.ruling.is_open() => {
                let Found { value, complete } = self.search(below, through)?;
                self.outcomes[i].settle(value);
                self.outcomes[i].complete &= complete;
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(mv) = self.pick(player, round) else {
            return Ok(());
        };
        let entered = self.follow(mv);
        let found = self.search(below - 1, through);
        self.leave(entered);
        let Found { value, complete } = found?;
        let outcome = &mut self.outcomes[i];
        // A value outside the window on the far side is no bound of the right kind.
        if player == Player::FIRST && value > through.lo {
            outcome.raise(value);
            outcome.complete &= complete;
        } else if player == Player::SECOND && value < through.hi {
            outcome.lower(value);
            outcome.complete &= complete;
        }
        Ok(())
    }
}
