//! Beyond the horizon: following tactical moves until the position is quiet.

use tabia_game::{Knowledge, Ruling, Stopped, Turn};

use super::AlphaBetaGame;
use super::node::Worker;
use super::ordering::Order;
use super::window::{Node, Scored, Window};

/// Quiescence search stops after this many plies.
pub(super) const QUIESCENCE_PLIES: usize = 32;

impl<G: AlphaBetaGame, K: Knowledge<G>> Worker<'_, G, K> {
    /// The value of a position at the horizon. The player to move may always stand pat. What is
    /// remembered of moves orders them here but is not updated, since the moves left out may be
    /// better (Winands et al. 2004, section 3).
    pub fn quiescence(&mut self, node: Node, plies_left: usize) -> Result<Scored, Stopped> {
        let mut best = Scored::open(self.estimate(node.mover));
        if best.score >= node.window.beta || plies_left == 0 {
            return Ok(self.shown(best, node.window));
        }
        let base = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        if let Some(stuck) = self.retain_legal(node.mover, node.ply, base) {
            return Ok(self.shown(stuck, node.window));
        }
        let mut kept = base;
        for i in base..self.moves.len() {
            let mv = self.moves[i];
            if self.knowledge.is_tactical(self.game, &self.state, mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        let result = self.quiescence_moves(node, base, &mut best, plies_left - 1);
        self.moves.truncate(base);
        self.scores.truncate(base);
        result.map(|()| self.shown(best, node.window))
    }

    fn quiescence_moves(
        &mut self,
        node: Node,
        base: usize,
        best: &mut Scored,
        plies_left: usize,
    ) -> Result<(), Stopped> {
        let last = self.moves.len();
        let order = self.order(node.mover, node.ply, base, None);
        for next in base..last {
            if order == Order::Scored {
                self.pick(next, last);
            }
            let alpha = node.window.alpha.max(best.score);
            let window = Window {
                alpha,
                ..node.window
            };
            let mv = self.moves[next];
            let inner = Node {
                window,
                ply: node.ply + 1,
                ..node
            };
            let score = self.quiescence_child(inner, mv, plies_left)?;
            best.score = best.score.max(score);
            if best.score >= node.window.beta {
                break;
            }
        }
        Ok(())
    }

    fn quiescence_child(
        &mut self,
        node: Node,
        mv: G::Move,
        plies_left: usize,
    ) -> Result<i32, Stopped> {
        self.meter.tick()?;
        self.stats.quiescence += 1;
        let made = self.made(mv);
        let token = self.game.play(&mut self.state, mv);
        let mut ruling = Ruling::Open;
        // Tactical moves are taken to repeat nothing where a repetition is only a draw.
        let tracked = self.repetition.has_exact_keys() && self.game.turn(&self.state) != Turn::Over;
        if tracked {
            let (game, rule) = (self.game, self.repetition);
            ruling = self.path.enter(game, rule, &self.state, made);
        }
        let result = match self.game.turn(&self.state) {
            Turn::Over | Turn::Chance => Ok(self.finished(node.mover, node.ply)),
            _ if !ruling.is_open() => Ok(self.judged(ruling, node.mover, node.ply)),
            Turn::Player(next) if next == node.mover => self.quiescence(node, plies_left),
            Turn::Player(mover) => {
                let below = Node {
                    mover,
                    window: node.window.flipped(),
                    ..node
                };
                self.quiescence(below, plies_left).map(|value| -value)
            }
        };
        if tracked {
            self.path.pop();
        }
        self.game.undo(&mut self.state, token);
        result.map(|value| value.score)
    }
}
