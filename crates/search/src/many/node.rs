//! The recursion of max^n and its prunings.
//!
//! # Pruning
//!
//! All safe prunings are one rule. On the path to a node x of player j let y_1, ..., y_k be the
//! nodes above it, from the nearest, as long as their players and j are all different. If all of
//! y_1, ..., y_i-1 prefer what comes of x to what they have, each of them gets at least their best
//! so far; j gets at least theirs; everybody else at least the least there is. What remains of the
//! total is the most that is left for the player at y_i. If they do not prefer that, x is
//! *rejected* by y_i: nothing more need be known of x, as long as whatever the players between
//! would do instead of x is not to the taste of y_i either. With i = 1 that is shallow pruning, and
//! with the players between at their last moves last-branch pruning. In general it is speculative:
//! a player between who finds something better that y_i does like searches again what was rejected.
//! In Sturtevant (2003) they do so whenever they find something better; that y_i likes it is the
//! weaker, and sufficient, condition.
//!
//! Where the player at y_i would get exactly what they have, everybody's share is known, and the
//! tie rule decides on that vector. The values found are therefore those of the unpruned search,
//! for every tie rule.

use tabia_game::{
    Game, Key, Knowledge, Made, Meter, MoveIndex, Path, Player, Repetition, Ruling, Stopped, Turn,
    URGENT,
};

use super::aims::{Aims, MAX_PLAYERS, Vector, Want, cap};
use super::config::{Config, Prune};
use super::table::{Entry, Known, Table};
use super::ties::Offer;
use super::{Memory, Stats};
use crate::alphabeta::MAX_DEPTH;

/// What came of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// Its values.
    Values {
        values: Vector,
        /// Whether no estimate went into them.
        complete: bool,
    },
    /// Whatever they are, the player of this level does not want them.
    Rejected { level: usize, complete: bool },
}

/// A node on the path.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub player: usize,
    pub best: Option<Offer>,
    pub best_complete: bool,
    /// The player gets at least this, as the table knows, and whether no estimate went into it.
    pub known: Option<(i32, bool)>,
    /// The place of the move that is being searched.
    pub number: u32,
    /// Whether it is the last.
    pub last: bool,
    /// Bounds of what everybody gets, and of what there is.
    pub least: Vector,
    pub most: Vector,
    pub total: i32,
    pub complete: bool,
}

/// A move that was rejected by a player further up.
pub(super) struct Waiting {
    number: u32,
    level: usize,
    /// It matters after all.
    due: bool,
}

/// The search of one position.
pub(super) struct Worker<'a, G: Game, K, A> {
    pub game: &'a G,
    pub knowledge: &'a K,
    pub aims: &'a A,
    pub config: &'a Config,
    pub prune: Prune,
    pub table: Option<&'a mut Table>,
    pub memory: &'a mut Memory,
    pub state: G::State,
    pub path: Path,
    pub meter: Meter,
    pub stats: Stats,
    pub root: usize,
    pub players: usize,
    pub wants: [Want; MAX_PLAYERS],
    /// The value of one unit of worth, and of the largest worth.
    pub unit: i32,
    pub top: i32,
    /// One stack of moves for all nodes on the path.
    pub moves: Vec<G::Move>,
    pub keys: Vec<i64>,
    pub priorities: Vec<i32>,
    pub frames: Vec<Frame>,
    pub waiting: Vec<Waiting>,
    /// The best line found below each ply.
    pub lines: Vec<Vec<G::Move>>,
    pub repetition: Repetition,
    /// Moves of the root that are left out, to find the best of the others.
    pub excluded: Vec<G::Move>,
}

impl<G, K, A> Worker<'_, G, K, A>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    A: Aims<G>,
{
    /// Searches the root.
    pub fn search(&mut self, depth: i32) -> Result<Found, Stopped> {
        self.lines.resize_with(MAX_DEPTH as usize + 2, Vec::new);
        self.moves.clear();
        self.frames.clear();
        self.waiting.clear();
        self.lines[0].clear();
        self.meter.tick()?;
        let player = match self.game.turn(&self.state) {
            Turn::Player(player) => player,
            _ => return Ok(self.finished()),
        };
        self.node(player, depth, 0)
    }

    /// Values the position just entered.
    fn entered(&mut self, depth: i32, ply: usize, made: Made) -> Result<Found, Stopped> {
        self.meter.tick()?;
        self.stats.deepest = self.stats.deepest.max(ply);
        self.lines[ply].clear();
        let Turn::Player(player) = self.game.turn(&self.state) else {
            return Ok(self.finished());
        };
        if !self.repetition.is_tracked() {
            return self.node(player, depth, ply);
        }
        let (game, rule) = (self.game, self.repetition);
        let ruling = self.path.enter(game, rule, &self.state, made);
        let found = match ruling.is_open() {
            false => Ok(self.judged(ruling)),
            true => self.node(player, depth, ply),
        };
        self.path.pop();
        found
    }

    /// A move that is about to be played, as far as the rule of repetition needs to know it.
    #[inline]
    pub(super) fn made(&self, mv: G::Move) -> Made {
        Made::of(self.game, self.repetition, &self.state, mv)
    }

    /// The values of a position in which the rule of repetition has ended the game.
    pub(super) fn judged(&mut self, ruling: Ruling) -> Found {
        self.stats.leaves += 1;
        let mut values = [0; MAX_PLAYERS];
        for (player, value) in values[..self.players].iter_mut().enumerate() {
            let worth = self
                .aims
                .judged(self.game, &self.state, ruling, Player(player as u8));
            *value = self.unit * worth;
        }
        // A draw by repetition is true of the present path only, so never complete.
        self.wanted(values, self.repetition.has_exact_keys())
    }

    /// Takes the moves from `base` on off the stack that the rule of repetition forbids.
    #[inline]
    pub(super) fn retain_legal(&mut self, base: usize) -> Ruling {
        let (game, rule) = (self.game, self.repetition);
        self.path
            .retain_legal(game, rule, &mut self.state, &mut self.moves, base)
    }

    /// Values as the players see them.
    #[inline]
    pub(super) fn wanted(&self, values: Vector, complete: bool) -> Found {
        let mut wanted = [0; MAX_PLAYERS];
        for (player, value) in wanted[..self.players].iter_mut().enumerate() {
            *value = self.wants[player].of(&values, player, self.players);
        }
        Found::Values {
            values: wanted,
            complete,
        }
    }

    pub(super) fn finished(&mut self) -> Found {
        self.stats.leaves += 1;
        let mut values = [0; MAX_PLAYERS];
        for (player, value) in values[..self.players].iter_mut().enumerate() {
            *value = self.unit
                * self
                    .aims
                    .worth(self.game, &self.state, Player(player as u8));
        }
        self.wanted(values, true)
    }

    pub(super) fn estimated(&mut self) -> Found {
        self.stats.leaves += 1;
        let mut values = [0; MAX_PLAYERS];
        for (player, value) in values[..self.players].iter_mut().enumerate() {
            let player = Player(player as u8);
            let estimate = self.knowledge.evaluate(self.game, &self.state, player);
            *value = estimate.clamp(1 - self.top, self.top - 1);
        }
        if self.prune > Prune::Nothing {
            let (least, most, total) = self.paid();
            for (value, &most) in values[..self.players].iter_mut().zip(&most) {
                *value = (*value).min(most);
            }
            cap(&mut values, self.players, &least, total);
        }
        self.wanted(values, false)
    }

    /// Bounds of values as the players see them: the least and the most that everybody gets from
    /// here, and the most that all get together.
    fn bounds(&self) -> (Vector, Vector, i32) {
        let (least, most, total) = self.paid();
        if self.wants[0] == Want::Own {
            return (least, most, total);
        }
        let (mut behind, mut ahead) = ([0; MAX_PLAYERS], [0; MAX_PLAYERS]);
        let others = self.players as i32 - 1;
        let (all_least, all_most): (i32, i32) = (least.iter().sum(), most.iter().sum());
        for player in 0..self.players {
            behind[player] = others * least[player] - (all_most - most[player]);
            ahead[player] = others * most[player] - (all_least - least[player]);
        }
        (behind, ahead, 0)
    }

    /// The same of payoffs.
    fn paid(&self) -> (Vector, Vector, i32) {
        let (mut least, mut most) = ([0; MAX_PLAYERS], [0; MAX_PLAYERS]);
        for player in 0..self.players {
            let range = self
                .aims
                .range(self.game, &self.state, Player(player as u8));
            (least[player], most[player]) = (self.unit * range.0, self.unit * range.1);
        }
        let total = match self.aims.total(self.game, &self.state) {
            Some(total) => self.unit * total,
            None => most.iter().sum(),
        };
        (least, most, total)
    }

    /// The key under which the table knows the position; see the notes on repetition of
    /// [`alphabeta`](crate::alphabeta).
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.game.key_on_path(&self.state, &self.path)
    }

    /// The key under which the table knows what a position has in common with others, and what is
    /// to be added to the values that it has under that key.
    fn shared_key(&self) -> (u64, Vector) {
        let own = self.wants[..self.players]
            .iter()
            .all(|&want| want == Want::Own);
        let shared = (own && self.aims.are_payoffs() && !self.repetition.is_tracked())
            .then(|| self.game.future_key(&self.state))
            .flatten();
        match shared {
            Some(key) => (key, self.paid().0),
            None => (self.key(), [0; MAX_PLAYERS]),
        }
    }

    fn node(&mut self, player: Player, depth: i32, ply: usize) -> Result<Found, Stopped> {
        if depth <= 0 || ply >= MAX_DEPTH as usize {
            return Ok(self.estimated());
        }
        let (key, share) = self.shared_key();
        let entry = self.table.as_ref().and_then(|table| table.get(key));
        let mut known = None;
        if let Some(entry) = entry.filter(|entry| entry.serves(depth) && ply > 0) {
            match entry.known {
                Known::Exact(values) => {
                    self.stats.table_cutoffs += 1;
                    return Ok(Found::Values {
                        values: std::array::from_fn(|p| values[p] + share[p]),
                        complete: entry.complete,
                    });
                }
                Known::Least(least) => {
                    known = Some((least + share[player.index()], entry.complete));
                }
            }
        }
        let (least, most, total) = match self.prune {
            Prune::Nothing => ([0; MAX_PLAYERS], [0; MAX_PLAYERS], 0),
            _ => self.bounds(),
        };
        self.frames.push(Frame {
            player: player.index(),
            best: None,
            best_complete: true,
            known,
            number: 0,
            last: false,
            least,
            most,
            total,
            complete: true,
        });
        let (base, waiting) = (self.moves.len(), self.waiting.len());
        self.game.moves(&self.state, &mut self.moves);
        let stuck = self.retain_legal(base);
        let narrowed = ply == 0 && !self.excluded.is_empty();
        if narrowed {
            let excluded = &self.excluded;
            self.moves.retain(|mv| !excluded.contains(mv));
        }
        let table_move = entry.and_then(|entry| entry.best);
        let result = match stuck.is_open() {
            false => Ok((self.judged(stuck), None)),
            true => self.expanded(depth, ply, base, waiting, table_move),
        };
        self.moves.truncate(base);
        self.waiting.truncate(waiting);
        let frame = self.frames.pop();
        let (found, best) = result?;
        if let Some(frame) = frame
            && !narrowed
        {
            self.remember((key, share), depth, player, &frame, found, best);
        }
        Ok(found)
    }

    /// Enters what was found into the table.
    fn remember(
        &mut self,
        (key, share): (u64, Vector),
        depth: i32,
        player: Player,
        frame: &Frame,
        found: Found,
        best: Option<u32>,
    ) {
        if let Some(index) = best
            && self.config.history
        {
            self.memory.credit(player.index(), index, depth);
        }
        let Some(table) = &mut self.table else { return };
        let (known, complete) = match (found, frame.best) {
            (Found::Values { values, complete }, _) => {
                let gains = std::array::from_fn(|p| values[p] - share[p]);
                (Known::Exact(gains), complete)
            }
            (Found::Rejected { .. }, Some(offer)) => {
                let own = offer.values[frame.player] - share[frame.player];
                (Known::Least(own), frame.best_complete)
            }
            (Found::Rejected { .. }, None) => return,
        };
        let depth = depth as u8;
        table.put(
            key,
            Entry {
                known,
                depth,
                complete,
                best,
            },
        );
    }

    /// Searches the moves that lie on the stack from `base` on; what came of it, and the index of
    /// the best move.
    fn expanded(
        &mut self,
        depth: i32,
        ply: usize,
        base: usize,
        waiting: usize,
        table_move: Option<u32>,
    ) -> Result<(Found, Option<u32>), Stopped> {
        if self.prune >= Prune::Shallow
            && let Some(rejected) = self.out_of_reach(ply).or_else(|| self.rejected(ply))
        {
            return Ok((rejected, None));
        }
        self.order(ply, base, table_move);
        let count = (self.moves.len() - base) as u32;
        let mut best_move = None;
        let mut next = 0;
        loop {
            let number = if next < count {
                next += 1;
                next - 1
            } else {
                // What turned out to matter after all.
                let Some(due) = self.waiting[waiting..].iter().position(|w| w.due) else {
                    break;
                };
                self.stats.searched_again += 1;
                self.waiting.swap_remove(waiting + due).number
            };
            self.frames[ply].number = number;
            self.frames[ply].last = number + 1 == count;
            let mv = self.moves[base + number as usize];
            let made = self.made(mv);
            let token = self.game.play(&mut self.state, mv);
            let found = self.entered(depth - 1, ply + 1, made);
            self.game.undo(&mut self.state, token);
            match found? {
                Found::Values { values, complete } => {
                    self.frames[ply].complete &= complete;
                    if self.offered(ply, Offer { values, number }, complete, waiting) {
                        best_move = Some(self.game.move_index(mv) as u32);
                        self.record_line(ply, mv);
                    }
                }
                Found::Rejected { level, complete } => {
                    self.frames[ply].complete &= complete;
                    if level < ply {
                        self.waiting.push(Waiting {
                            number,
                            level,
                            due: false,
                        });
                    }
                }
            }
            if self.prune == Prune::Nothing {
                continue;
            }
            if let Some(values) = self.all_there_is(ply, waiting) {
                self.stats.immediate += 1;
                return Ok((values, best_move));
            }
            if let Some(cut) = self.cut(ply) {
                if let (Some(index), Found::Rejected { .. }) = (best_move, cut) {
                    self.memory.killer(ply, index, self.config.killers);
                }
                return Ok((cut, best_move));
            }
        }
        let frame = &self.frames[ply];
        let levels = self.waiting[waiting..].iter().map(|w| w.level);
        let found = match (levels.min(), frame.best) {
            (None, Some(offer)) => Found::Values {
                values: offer.values,
                complete: frame.complete,
            },
            (Some(level), _) => Found::Rejected {
                level,
                complete: frame.complete,
            },
            // A player to move has a move; a game that breaks this promise ends here.
            (None, None) => self.estimated(),
        };
        Ok((found, best_move))
    }

    /// Takes an offer if the player prefers it to what they have.
    fn offered(&mut self, ply: usize, offer: Offer, complete: bool, waiting: usize) -> bool {
        let frame = &mut self.frames[ply];
        let (player, root) = (frame.player, self.root);
        if let Some(best) = &frame.best
            && !self.config.ties.prefers(player, root, &offer, best)
        {
            return false;
        }
        frame.best = Some(offer);
        frame.best_complete = complete;
        for i in waiting..self.waiting.len() {
            self.waiting[i].due |= !self.rejects(self.waiting[i].level, &offer.values);
        }
        true
    }

    /// The best line of a node is its best move and the best line behind it.
    fn record_line(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Puts the moves from `base` on in order, where the order matters.
    fn order(&mut self, ply: usize, base: usize, table_move: Option<u32>) {
        let Config {
            killers,
            history,
            static_order,
            ..
        } = *self.config;
        // An order that changes from search to search would change how ties are broken.
        let fixed = self.config.ties == super::Ties::First;
        let matters = self.prune > Prune::Nothing || ply == 0 || fixed;
        if !matters || !(static_order || !fixed && (killers > 0 || history || table_move.is_some()))
        {
            return;
        }
        self.priorities.clear();
        if static_order {
            let moves = &self.moves[base..];
            self.knowledge
                .priorities(self.game, &self.state, moves, &mut self.priorities);
        }
        let player = self.frames[ply].player;
        self.keys.clear();
        for (i, &mv) in self.moves[base..].iter().enumerate() {
            let index = self.game.move_index(mv) as u32;
            let priority = self.priorities.get(i).map_or(0, |&p| p.clamp(-99, 99));
            let class = if fixed {
                100 + priority
            } else if table_move == Some(index) {
                1000
            } else if priority >= URGENT {
                300 + priority
            } else if let Some(rank) = self.memory.killer_rank(ply, index) {
                250 - rank as i32
            } else {
                100 + priority
            };
            let past = match history && !fixed {
                true => self.memory.standing(player, index),
                false => 0,
            };
            self.keys.push((i64::from(class) << 40) + i64::from(past));
        }
        crate::chance::insertion_sort(&mut self.moves[base..], &mut self.keys);
    }
}
