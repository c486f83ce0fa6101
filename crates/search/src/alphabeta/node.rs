//! The recursion: one node of the search.

use tabia_game::{
    CERTAIN, Game, Knowledge, Made, Meter, Path, Player, Repetition, Ruling, Stopped, Turn,
};

use super::busy::Busy;
use super::config::{Config, Method};
use super::ordering::{Memory, Order, PlayedMove};
use super::quiescence::QUIESCENCE_PLIES;
use super::stats::{CUTOFF_ROW, NodeType, Stats};
use super::window::{Node, Scored, Window};
use super::{AlphaBetaGame, MAX_DEPTH};
use crate::score::{self, INFINITY};
use crate::table::{Bound, Entry, TranspositionTable};

/// Threads keep out of each other's way at nodes of at least this depth.
const DEFER_DEPTH: i32 = 3;

/// One thread of the search.
pub(super) struct Worker<'a, G: Game, K> {
    pub game: &'a G,
    pub knowledge: &'a K,
    pub config: &'a Config,
    pub table: Option<&'a TranspositionTable>,
    pub busy: Option<&'a Busy>,
    pub memory: &'a mut Memory,
    pub state: G::State,
    pub path: Path,
    pub meter: Meter,
    pub stats: Stats,
    /// One stack of moves for all nodes on the path, and the scores that order them.
    pub moves: Vec<G::Move>,
    pub scores: Vec<u64>,
    pub priorities: Vec<i32>,
    /// Moves of one node with the estimates of where they lead.
    pub beam: Vec<(i32, u32)>,
    /// The best line found below each ply.
    pub lines: Vec<Vec<G::Move>>,
    /// The moves that led here; `None` for a null move.
    pub played: Vec<Option<PlayedMove>>,
    pub repetition: Repetition,
    pub max_payoff: i32,
    pub distances: bool,
    /// Moves of the root that are left out, to find the best of the others.
    pub excluded: Vec<G::Move>,
}

/// What is known of a node while its moves are searched.
pub(super) struct Progress {
    pub alpha: i32,
    pub best: Scored,
    pub best_move: Option<u32>,
    all_complete: bool,
}

impl Progress {
    /// A win needs one move that is sure to win; anything else is as sure as all moves together.
    fn value(&self) -> Scored {
        let won = self.best.score >= CERTAIN;
        Scored {
            complete: self.best.complete && (won || self.all_complete),
            ..self.best
        }
    }
}

/// The value of a node and the index of its best move.
pub(super) type Valued = (Scored, Option<u32>);

impl<G: AlphaBetaGame, K: Knowledge<G>> Worker<'_, G, K> {
    /// The value of the position for `mover`, whose turn it is.
    pub fn root(&mut self, mover: Player, window: Window, depth: i32) -> Result<Scored, Stopped> {
        self.meter.tick()?;
        self.stats.calls += 1;
        self.lines
            .resize_with(MAX_DEPTH as usize + QUIESCENCE_PLIES + 2, Vec::new);
        self.memory
            .killers
            .resize_with(MAX_DEPTH as usize + 2, Default::default);
        self.moves.clear();
        self.scores.clear();
        self.lines[0].clear();
        let node = Node {
            mover,
            window,
            depth,
            ply: 0,
            kind: NodeType::Pv,
        };
        match self.excluded.is_empty() {
            true => self.node(node),
            false => self.narrowed_root(node),
        }
    }

    #[inline]
    pub fn tracks_path(&self) -> bool {
        self.repetition.is_tracked()
    }

    /// A move that is about to be played, as far as the rule of repetition needs to know it.
    #[inline]
    pub fn made(&self, mv: G::Move) -> Made {
        Made::of(self.game, self.repetition, &self.state, mv)
    }

    /// Takes the moves from `base` on off the stack that the rule of repetition forbids; the value
    /// of the position for the player to move if none is left.
    #[inline]
    pub fn retain_legal(&mut self, mover: Player, ply: usize, base: usize) -> Option<Scored> {
        if !self.repetition.forbids() {
            return None;
        }
        let (game, rule) = (self.game, self.repetition);
        let ruling = self
            .path
            .retain_legal(game, rule, &mut self.state, &mut self.moves, base);
        (!ruling.is_open()).then(|| self.judged(ruling, mover, ply))
    }

    /// What a position is worth to `speaker` whose game the rule of repetition has ended.
    pub fn judged(&mut self, ruling: Ruling, speaker: Player, ply: usize) -> Scored {
        self.stats.leaves += 1;
        self.stats.repetitions += 1;
        if !self.repetition.has_exact_keys() {
            // True of the present path only, so never complete.
            return Scored::open(0);
        }
        let payoff = ruling.payoff(self.game, speaker);
        Scored {
            score: score::of_payoff(payoff, self.max_payoff, self.distances, ply),
            complete: true,
        }
    }

    /// The key under which the table knows the position: see the module's notes on repetition.
    #[inline]
    pub fn key(&self) -> u64 {
        self.game.key_on_path(&self.state, &self.path)
    }

    /// Plays a move, values the position it leads to for the one who played it, and takes it back.
    #[inline]
    pub fn follow(
        &mut self,
        node: Node,
        mv: G::Move,
        window: Window,
        depth: i32,
        kind: NodeType,
    ) -> Result<Scored, Stopped> {
        let made = self.made(mv);
        let token = self.game.play(&mut self.state, mv);
        self.played
            .push(Some((node.mover, self.game.move_index(mv) as u32)));
        let inner = Node {
            window,
            depth,
            ply: node.ply + 1,
            kind,
            ..node
        };
        let result = self.entered(inner, made);
        self.played.pop();
        self.game.undo(&mut self.state, token);
        result
    }

    /// Values the position just entered for the player who entered it; the sign changes only if
    /// the mover does.
    pub fn entered(&mut self, node: Node, made: Made) -> Result<Scored, Stopped> {
        self.meter.tick()?;
        self.stats.calls += 1;
        self.stats.deepest = self.stats.deepest.max(node.ply);
        self.lines[node.ply].clear();
        let Turn::Player(mover) = self.game.turn(&self.state) else {
            self.stats.leaves += 1;
            return Ok(self.finished(node.mover, node.ply));
        };
        let mut ruling = Ruling::Open;
        if self.tracks_path() {
            let (game, rule) = (self.game, self.repetition);
            ruling = self.path.enter(game, rule, &self.state, made);
        }
        let result = if !ruling.is_open() {
            Ok(self.judged(ruling, node.mover, node.ply))
        } else if mover == node.mover {
            self.node(node)
        } else {
            self.node(Node {
                mover,
                window: node.window.flipped(),
                ..node
            })
            .map(|value| -value)
        };
        if self.tracks_path() {
            self.path.pop();
        }
        result
    }

    pub fn finished(&self, speaker: Player, ply: usize) -> Scored {
        let payoff = self.game.payoff(&self.state, speaker);
        let score = score::of_payoff(payoff, self.max_payoff, self.distances, ply);
        Scored {
            score,
            complete: true,
        }
    }

    pub fn estimate(&mut self, mover: Player) -> i32 {
        self.stats.evaluations += 1;
        score::of_estimate(self.knowledge.evaluate(self.game, &self.state, mover))
    }

    /// The value of an unfinished position for the player to move.
    fn node(&mut self, node: Node) -> Result<Scored, Stopped> {
        let Node {
            mover,
            window,
            depth,
            ply,
            kind,
        } = node;
        if depth <= 0 || ply >= MAX_DEPTH as usize {
            self.stats.leaves += 1;
            if self.config.quiescence {
                return self.quiescence(node, QUIESCENCE_PLIES);
            }
            return Ok(Scored::open(self.estimate(mover)));
        }
        self.stats.types[kind as usize] += 1;
        let key = self.key();
        let mut table_move = None;
        if let Some(table) = self.table {
            self.stats.probes += 1;
            if let Some(entry) = table.probe(key) {
                self.stats.hits += 1;
                table_move = entry.best;
                if let Some(value) = self.settled_by(entry, node).filter(|_| ply > 0) {
                    self.stats.table_cutoffs += 1;
                    self.credit(mover, entry.best, i32::from(entry.depth));
                    return Ok(self.shown(value, window));
                }
            }
        }
        if let Some(value) = self.null_move(node)? {
            return Ok(value);
        }
        let base = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        let result = match self.retain_legal(mover, ply, base) {
            Some(stuck) => Ok((self.shown(stuck, window), None)),
            None => self
                .narrow(node, base)
                .and_then(|narrowed| self.expanded(node, base, table_move, narrowed)),
        };
        self.moves.truncate(base);
        self.scores.truncate(base);
        let (value, best) = result?;
        if let Some(table) = self.table {
            let bound = if value.score >= window.beta {
                Bound::Lower
            } else if value.score <= window.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            let score = score::to_table(value.score, ply);
            let complete = value.complete;
            table.store(
                key,
                Entry {
                    score,
                    bound,
                    depth: depth as u8,
                    complete,
                    best,
                },
            );
        }
        Ok(value)
    }

    /// Fail-hard search never returns a value outside its window.
    #[inline]
    pub fn shown(&self, value: Scored, window: Window) -> Scored {
        match self.config.method {
            Method::FailHard => Scored {
                score: value.score.clamp(window.alpha, window.beta),
                ..value
            },
            _ => value,
        }
    }

    /// The value of a node whose table entry decides it.
    fn settled_by(&self, entry: Entry, node: Node) -> Option<Scored> {
        let score = score::from_table(entry.score, node.ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.window.beta,
            Bound::Upper => score <= node.window.alpha,
        };
        let settled = decides && self.is_deep_enough(entry, node.depth);
        settled.then_some(Scored {
            score,
            complete: entry.complete,
        })
    }

    /// Whether an entry may stand in for a search of this depth.
    #[inline]
    pub fn is_deep_enough(&self, entry: Entry, depth: i32) -> bool {
        let searched = i32::from(entry.depth);
        if self.config.graft {
            entry.complete || searched >= depth
        } else {
            searched == depth || entry.complete && searched <= depth
        }
    }

    /// A move settled a node in a search of this depth without being searched here.
    pub fn credit(&mut self, mover: Player, best: Option<u32>, depth: i32) {
        if let Some(index) = best {
            self.memory.tried(self.config, mover, index, depth);
            self.memory.best(self.config, mover, index, depth);
        }
    }

    /// The value of a node whose moves lie on the stack from `base` on.
    pub fn expanded(
        &mut self,
        node: Node,
        base: usize,
        table_move: Option<u32>,
        narrowed: bool,
    ) -> Result<Valued, Stopped> {
        let Node {
            mover,
            window,
            depth,
            ..
        } = node;
        let fail_hard = self.config.method == Method::FailHard;
        let least = if fail_hard { window.alpha } else { -INFINITY };
        let mut search = Progress {
            alpha: window.alpha,
            best: Scored {
                score: least,
                complete: true,
            },
            best_move: None,
            all_complete: !narrowed,
        };
        if let Some(cut) = self.enhanced_transposition_cutoff(node, base, &mut search) {
            return Ok(cut);
        }
        // The table's move often suffices, so the others are put in order only after it.
        let known_first = self.bring_forward(base, table_move);
        let mut order = Order::Unknown;
        if self.may_multi_cut(node) {
            order = self.order(mover, node.ply, base, table_move);
            if let Some(cut) = self.multi_cut(node, base, order)? {
                return Ok(cut);
            }
        }
        let busy = self.busy.filter(|_| depth >= DEFER_DEPTH);
        let last = self.moves.len();
        // Moves that another thread is busy with are put behind the others and searched last.
        let mut waiting = last;
        let mut next = base;
        while next < last {
            if order == Order::Unknown && (next > base || !known_first) {
                order = self.order(mover, node.ply, next, None);
            }
            if order == Order::Scored && next < waiting {
                self.pick(next, waiting);
            }
            let mv = self.moves[next];
            let number = next - base;
            let index = self.game.move_index(mv) as u32;
            let claim = busy.map(|busy| (busy, Busy::claim(self.game.key(&self.state), index)));
            if let Some((busy, claim)) = claim {
                if number > 0 && next < waiting && busy.is_taken(claim) {
                    self.stats.deferred += 1;
                    self.moves[next..last].rotate_left(1);
                    if order == Order::Scored {
                        self.scores[next..last].rotate_left(1);
                    }
                    waiting -= 1;
                    continue;
                }
                busy.take(claim);
            }
            let reduction = self.reduction(depth, number, next, order);
            let inner = Node {
                window: Window {
                    alpha: search.alpha,
                    ..window
                },
                ..node
            };
            let result = self.child(inner, mv, number, reduction);
            if let Some((busy, claim)) = claim {
                busy.free(claim);
            }
            let value = result?;
            self.memory.tried(self.config, mover, index, depth);
            search.all_complete &= value.complete;
            if value.score > search.best.score {
                search.best = value;
                search.best_move = Some(index);
                // Nobody asks for the line of a node that only answers yes or no.
                if !window.is_null() || node.ply == 0 {
                    self.record_line(node.ply, mv);
                }
            }
            if self.config.method != Method::Minimax {
                search.alpha = search.alpha.max(value.score);
                if search.alpha >= window.beta {
                    self.cutoff(node, index, base..next);
                    return Ok((self.shown(value, window), Some(index)));
                }
            }
            next += 1;
        }
        if let Some(index) = search.best_move {
            self.memory.best(self.config, mover, index, depth);
        }
        Ok((search.value(), search.best_move))
    }

    /// The best line of a node is its best move and the best line behind it.
    #[inline]
    fn record_line(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Remembers the move that refuted a node after those at `in_vain` on the stack had not.
    fn cutoff(&mut self, node: Node, index: u32, in_vain: std::ops::Range<usize>) {
        let Node {
            mover, depth, ply, ..
        } = node;
        self.stats.cutoffs[in_vain.len().min(CUTOFF_ROW - 1)] += 1;
        self.memory.killers[ply].cutoff(index, self.config.killers);
        self.memory.best(self.config, mover, index, depth);
        let previous = self.played.last().copied().flatten();
        let game = self.game;
        let in_vain = self.moves[in_vain]
            .iter()
            .map(|&mv| game.move_index(mv) as u32);
        self.memory
            .cutoff(self.config, mover, index, depth, previous, in_vain);
    }

    /// Values one move: with the whole window, or with a null window first.
    #[inline]
    fn child(
        &mut self,
        node: Node,
        mv: G::Move,
        number: usize,
        reduction: i32,
    ) -> Result<Scored, Stopped> {
        let Node { window, depth, .. } = node;
        let expected = node.kind.child(number);
        let null = Window::null(window.alpha);
        if reduction > 0 {
            let value = self.follow(node, mv, null, depth - 1 - reduction, expected)?;
            if value.score <= window.alpha {
                return Ok(Scored::open(value.score));
            }
        }
        if number == 0 || self.config.method != Method::Pvs {
            return self.follow(node, mv, window, depth - 1, expected);
        }
        let value = self.follow(node, mv, null, depth - 1, expected)?;
        if value.score > window.alpha && value.score < window.beta && !window.is_null() {
            self.stats.researches += 1;
            return self.follow(node, mv, window, depth - 1, NodeType::Pv);
        }
        Ok(value)
    }
}
