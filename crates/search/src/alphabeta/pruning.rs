//! What may settle a node before its moves are searched, or shorten their search: enhanced
//! transposition cutoffs, and the unsafe ones: null move, multi-cut, late-move reductions, the
//! beam.

use tabia_game::{CERTAIN, Knowledge, Made, Ruling, Stopped, Turn};

use super::AlphaBetaGame;
use super::config::{MultiCut, NullMove};
use super::node::{Progress, Valued, Worker};
use super::ordering::{Order, class};
use super::stats::NodeType;
use super::window::{Node, Scored};
use crate::score;
use crate::table::{Bound, TranspositionTable};

/// Moves after this many may be reduced, in searches of at least `REDUCE_DEPTH` plies.
const REDUCE_AFTER: usize = 3;
const REDUCE_DEPTH: i32 = 3;

impl<G: AlphaBetaGame, K: Knowledge<G>> Worker<'_, G, K> {
    /// Whether forward pruning is allowed: not at the root, nor where an exact value is wanted or
    /// a forced result is at stake.
    fn may_prune(&self, node: Node) -> bool {
        node.ply > 0
            && node.kind != NodeType::Pv
            && node.window.is_null()
            && node.window.beta.abs() < CERTAIN
    }

    /// Null-move pruning (Donninger 1993) at CUT and ALL nodes, never twice in a row.
    pub fn null_move(&mut self, node: Node) -> Result<Option<Scored>, Stopped> {
        let saved = match self.config.null_move {
            NullMove::Off => return Ok(None),
            NullMove::Fixed(plies) => plies,
            NullMove::Adaptive if node.kind == NodeType::All => 3,
            NullMove::Adaptive => {
                let endgame = self.knowledge.is_endgame(self.game, &self.state);
                if node.depth > if endgame { 8 } else { 6 } {
                    3
                } else {
                    2
                }
            }
        };
        let after_null = matches!(self.played.last(), Some(None));
        if node.depth < 2 || after_null || !self.may_prune(node) {
            return Ok(None);
        }
        let Some(token) = self.knowledge.pass(self.game, &mut self.state) else {
            return Ok(None);
        };
        self.played.push(None);
        let inner = Node {
            depth: node.depth - 1 - saved,
            ply: node.ply + 1,
            kind: node.kind.child(0),
            ..node
        };
        // Nobody is to blame for what a move that is not in the rules repeats.
        let result = self.entered(inner, Made::NOTHING);
        self.played.pop();
        self.game.undo(&mut self.state, token);
        if result?.score < node.window.beta {
            return Ok(None);
        }
        self.stats.null_cutoffs += 1;
        Ok(Some(Scored::open(node.window.beta)))
    }

    /// Enhanced transposition cutoffs (Schaeffer and Plaat 1996): what the table knows of the
    /// children may settle the node, or raise alpha.
    pub fn enhanced_transposition_cutoff(
        &mut self,
        node: Node,
        base: usize,
        search: &mut Progress,
    ) -> Option<Valued> {
        let table = self.table?;
        if self.config.etc == 0 || node.depth <= self.config.etc || node.ply == 0 {
            return None;
        }
        for i in base..self.moves.len() {
            let mv = self.moves[i];
            let made = self.made(mv);
            let token = self.game.play(&mut self.state, mv);
            let known = self.known_child(table, node, made);
            self.game.undo(&mut self.state, token);
            let Some((value, searched)) = known else {
                continue;
            };
            if value.score <= search.alpha.max(search.best.score) {
                continue;
            }
            let index = self.game.move_index(mv) as u32;
            self.lines[node.ply].clear();
            self.lines[node.ply].push(mv);
            if value.score >= node.window.beta {
                self.stats.etc_cutoffs += 1;
                self.credit(node.mover, Some(index), searched + 1);
                return Some((self.shown(value, node.window), Some(index)));
            }
            search.alpha = value.score;
            search.best = value;
            search.best_move = Some(index);
        }
        None
    }

    /// A lower bound for the node's mover on the child just entered, from the table, and the depth
    /// it was searched to.
    fn known_child(
        &mut self,
        table: &TranspositionTable,
        node: Node,
        made: Made,
    ) -> Option<(Scored, i32)> {
        let Turn::Player(next) = self.game.turn(&self.state) else {
            return None;
        };
        let mut ruling = Ruling::Open;
        if self.tracks_path() {
            let (game, rule) = (self.game, self.repetition);
            ruling = self.path.enter(game, rule, &self.state, made);
        }
        self.stats.probes += 1;
        let entry = table.probe(self.key());
        if self.tracks_path() {
            self.path.pop();
        }
        let entry = entry.filter(|_| ruling.is_open())?;
        self.stats.hits += 1;
        let helpful = if next == node.mover {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let says_enough = entry.bound == Bound::Exact || entry.bound == helpful;
        if !says_enough || !self.is_deep_enough(entry, node.depth - 1) {
            return None;
        }
        let score = score::from_table(entry.score, node.ply + 1);
        let value = Scored {
            score,
            complete: entry.complete,
        };
        Some((
            if next == node.mover { value } else { -value },
            i32::from(entry.depth),
        ))
    }

    /// Beam search (Tegos 2002, section 6.2): of the moves from `base` on only those stay whose
    /// successors look best to whoever moves, in that order. Whether any was left out.
    pub fn narrow(&mut self, node: Node, base: usize) -> Result<bool, Stopped> {
        let (width, found) = (self.config.beam, self.moves.len() - base);
        if width == 0 || found <= width {
            return Ok(false);
        }
        let mut beam = std::mem::take(&mut self.beam);
        beam.clear();
        for i in base..self.moves.len() {
            self.meter.tick()?;
            let token = self.game.play(&mut self.state, self.moves[i]);
            let estimate = match self.game.turn(&self.state) {
                Turn::Over => self.finished(node.mover, node.ply + 1).score,
                _ => self.estimate(node.mover),
            };
            self.game.undo(&mut self.state, token);
            // Of equals the one that was generated first.
            beam.push((-estimate, (i - base) as u32));
        }
        beam.select_nth_unstable(width - 1);
        beam.truncate(width);
        beam.sort_unstable();
        // The moves that stay are put behind the others and then moved to the front.
        for &(_, i) in &beam {
            self.moves.push(self.moves[base + i as usize]);
        }
        self.moves.copy_within(base + found.., base);
        self.moves.truncate(base + width);
        self.beam = beam;
        Ok(true)
    }

    /// Whether multi-cut pruning is tried at this node.
    pub fn may_multi_cut(&self, node: Node) -> bool {
        let deep = |rule: MultiCut| node.depth - 1 - rule.reduction > 0;
        self.config.multi_cut.is_some_and(deep) && self.may_prune(node)
    }

    /// Multi-cut pruning (Björnsson and Marsland 1999) at CUT and ALL nodes.
    pub fn multi_cut(
        &mut self,
        node: Node,
        base: usize,
        order: Order,
    ) -> Result<Option<Valued>, Stopped> {
        let Some(rule) = self.config.multi_cut else {
            return Ok(None);
        };
        let reduced = node.depth - 1 - rule.reduction;
        let mut cutoffs = 0;
        let last = self.moves.len();
        for next in base..last.min(base + rule.moves) {
            if order == Order::Scored {
                self.pick(next, last);
            }
            let mv = self.moves[next];
            let expected = node.kind.child(next - base);
            let value = self.follow(node, mv, node.window, reduced, expected)?;
            if value.score < node.window.beta {
                continue;
            }
            let index = self.game.move_index(mv) as u32;
            self.credit(node.mover, Some(index), reduced);
            cutoffs += 1;
            if cutoffs >= rule.cutoffs {
                self.stats.multi_cutoffs += 1;
                return Ok(Some((Scored::open(node.window.beta), Some(index))));
            }
        }
        Ok(None)
    }

    /// How many plies a late move is searched shallower at first.
    #[inline]
    pub fn reduction(&mut self, depth: i32, number: usize, next: usize, order: Order) -> i32 {
        if !self.config.late_move_reductions || number < REDUCE_AFTER || depth < REDUCE_DEPTH {
            return 0;
        }
        // Only moves that nothing but history speaks for.
        if order == Order::Scored && class::of(self.scores[next]) > class::ORDINARY {
            return 0;
        }
        self.stats.reductions += 1;
        if number >= 4 * REDUCE_AFTER && depth > REDUCE_DEPTH + 2 {
            2
        } else {
            1
        }
    }
}
