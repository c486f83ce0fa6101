//! Depth-first proof-number search of sums (Nagai 2002), one thread of it, with plain depth-first
//! search at its leaves.
//!
//! Of a sum's moves that is looked into after which the other player is nearest to having lost. The
//! proof number of a sum that is lost move by move is that of its hardest move and one for each
//! other move (weak proof numbers, Ueda et al. 2008): the same sums come up after many orders of
//! moves, so that adding up would count them over and over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use tabia_game::{Cancel, Combinatorial, Limits, Meter, Player, Stopped, TextError, threads};

use super::multiset::{Change, Multiset};
use super::numbers::{INFINITE, ProofPair};
use super::pace::Pace;
use super::parts::Parts;
use super::table::TranspositionTable;
use super::{MAX_PLIES, Sum, Unsolved};
use crate::evaluate::{PLIES_ON_A_STACK, STACK};
use crate::{Exceeded, Value};

/// Nodes of the depth-first search of a sum before it is looked into by proof numbers.
const BUDGET: u64 = 500;

/// A move is looked into until it is harder than the second best by the best's part of this many.
const AHEAD: u32 = 4;

/// How hard it is at first to refute a move more than the other player has.
const HARDNESS: i64 = 2;

/// How many times as hard a new sum seems that another thread is at work on.
const AWAY: u32 = 8;

/// Which sums threads are at work on, roughly: they are held to be a little harder, so that threads
/// part (virtual proof numbers, Kaneko 2010).
#[derive(Debug)]
pub struct Busy(Vec<AtomicU16>);

impl Busy {
    const SIZE: usize = 1 << 14;

    pub fn new() -> Busy {
        Busy(bytemuck::zeroed_vec(Self::SIZE))
    }

    fn at(&self, key: u128) -> &AtomicU16 {
        &self.0[(key >> 64) as usize % Self::SIZE]
    }

    /// How hard it seems to prove a claim on a sum that other threads may be at work on. In one
    /// that the table does not know yet they are at its depth-first search, and there is nothing to
    /// help them with.
    fn seeming(&self, key: u128, number: u32, is_new: bool) -> u32 {
        let others = u32::from(self.at(key).load(Ordering::Relaxed));
        if number == 0 || others == 0 {
            return number;
        }
        let more = if is_new {
            AWAY.saturating_mul(1 + number)
        } else {
            1 + number / 4
        };
        number
            .saturating_add(others.saturating_mul(more))
            .min(INFINITE - 1)
    }
}

/// A move and what is known of the sum after it.
#[derive(Debug)]
struct Child<M> {
    key: u128,
    numbers: ProofPair,
    promise: i64,
    change: Change<M>,
}

/// A sum after a move.
#[derive(Debug)]
struct Reply<P> {
    key: u128,
    sum: Multiset<P>,
}

/// A thread with values of its own.
#[derive(Debug)]
pub struct Worker<R: Combinatorial> {
    parts: Parts<R>,
    /// Bytes for what is known of parts.
    room: u64,
    pace: Arc<Pace>,
    table: Arc<TranspositionTable>,
    busy: Option<Arc<Busy>>,
    rules: R,
    /// What is taken up again by the next node.
    spare_children: Vec<Vec<Child<R::Move>>>,
    spare_sums: Vec<Multiset<R::Position>>,
    spare_replies: Vec<Vec<Reply<R::Position>>>,
    moves: Vec<R::Move>,
    spare_changes: Vec<Vec<(i64, Change<R::Move>)>>,
    /// Nodes of the last search.
    spent: u64,
}

/// On what terms a search goes on.
struct Terms<'a> {
    meter: Meter,
    done: &'a Cancel,
}

impl Terms<'_> {
    /// Counts a node.
    #[inline]
    fn tick(&mut self, ply: u32) -> Result<(), Unsolved> {
        self.meter.tick()?;
        if self.done.is_cancelled() {
            return Err(Stopped.into());
        }
        if ply >= MAX_PLIES {
            return Err(Unsolved::Plies);
        }
        Ok(())
    }
}

impl<R: Combinatorial + Clone> Worker<R> {
    pub fn new(
        rules: R,
        room: u64,
        pace: &Arc<Pace>,
        table: &Arc<TranspositionTable>,
        busy: Option<&Arc<Busy>>,
    ) -> Worker<R> {
        Worker {
            parts: Parts::new(rules.clone(), room, table, pace),
            room,
            pace: Arc::clone(pace),
            table: Arc::clone(table),
            busy: busy.map(Arc::clone),
            rules,
            spare_children: Vec::new(),
            spare_sums: Vec::new(),
            spare_replies: Vec::new(),
            moves: Vec::new(),
            spare_changes: Vec::new(),
            spent: 0,
        }
    }

    /// Nodes of the last search, also if it did not come to its end.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Forgets all parts and values, and begins at this pace.
    pub fn forget(&mut self, pace: &Arc<Pace>) {
        self.parts = Parts::new(self.rules.clone(), self.room, &self.table, pace);
        self.pace = Arc::clone(pace);
    }

    /// Whether the mover wins.
    pub fn wins(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        limits: &Limits,
        done: &Cancel,
    ) -> Result<bool, Unsolved> {
        let mut terms = Terms {
            meter: limits.meter(),
            done,
        };
        let wins = loop {
            self.parts.watch(limits);
            match self.wins_on(sum, mover, &mut terms) {
                // What the table knows stays, so that the search gets on with fewer values.
                Err(Unsolved::Exceeded(Exceeded::Values(_) | Exceeded::Memory(_)))
                    if self.pace.shrink() =>
                {
                    let pace = Arc::clone(&self.pace);
                    self.forget(&pace);
                }
                wins => break wins,
            }
        };
        self.spent = terms.meter.nodes();
        wins
    }
}

impl<R: Combinatorial> Worker<R> {
    /// The nimber of a sum of impartial positions and nimbers.
    pub fn nimber(
        &mut self,
        sum: Sum<'_, R::Position>,
        limits: &Limits,
    ) -> Result<Option<u32>, Unsolved> {
        self.spent = 0;
        self.parts.watch(limits);
        let values = self.read(sum)?;
        let Some(heap) = self.heap(sum, &values) else {
            return Ok(None);
        };
        let mut meter = limits.meter();
        let nimber = self.parts.nimbers().nimber(sum.positions, &mut meter);
        self.spent = meter.nodes();
        Ok(Some(heap ^ nimber?))
    }

    fn read(&mut self, sum: Sum<'_, R::Position>) -> Result<Vec<Value>, Unsolved> {
        let values = sum.values.iter();
        let values = values.map(|text| self.parts.values().read(text));
        Ok(values.collect::<Result<Vec<Value>, TextError>>()?)
    }

    /// What the values come to, if they are nimbers and all positions are impartial.
    fn heap(&mut self, sum: Sum<'_, R::Position>, values: &[Value]) -> Option<u32> {
        let mut positions = sum.positions.iter();
        if !positions.all(|position| self.rules.is_impartial(position)) {
            return None;
        }
        let known = self.parts.values();
        let mut nimbers = values.iter().map(|&value| known.as_nimber(value));
        nimbers.try_fold(0, |heap, nimber| Some(heap ^ nimber?))
    }

    fn wins_on(
        &mut self,
        sum: Sum<'_, R::Position>,
        mover: Player,
        terms: &mut Terms<'_>,
    ) -> Result<bool, Unsolved> {
        let values = self.read(sum)?;
        if let Some(heap) = self.heap(sum, &values) {
            let nimbers = self.parts.nimbers();
            return Ok(!nimbers.is(sum.positions, heap, &mut terms.meter)?);
        }
        let mut multiset = Multiset::default();
        for position in sum.positions {
            self.parts.add(&mut multiset, position)?;
        }
        for value in values {
            self.parts.add_value(&mut multiset, value)?;
        }
        self.parts.recall(&mut multiset);
        self.prove(&multiset, mover, terms)
    }

    fn prove(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        terms: &mut Terms<'_>,
    ) -> Result<bool, Unsolved> {
        if let Some(known) = self.decided(sum, mover)? {
            return Ok(known);
        }
        let key = self.parts.key(sum, mover)?;
        let limit = ProofPair {
            proof: INFINITE,
            disproof: INFINITE,
        };
        loop {
            let numbers = self.look_into(sum, key, mover, limit, terms, 0)?;
            if let Some(wins) = numbers.decided() {
                return Ok(wins);
            }
        }
    }

    /// Whether the mover wins, if values and bounds alone decide it.
    fn decided(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<Option<bool>, Unsolved> {
        if sum.parts.is_empty() && sum.hot.len() <= 2 {
            return self.parts.value_won(sum.cold, &sum.hot, mover).map(Some);
        }
        if let Some(known) = self.parts.bounded(sum, mover)? {
            return Ok(Some(known));
        }
        self.parts.won_by_parts(sum, mover)
    }

    /// Searches until a number reaches its limit. Long lines of play get another stack on the way.
    fn look_into(
        &mut self,
        sum: &Multiset<R::Position>,
        key: u128,
        mover: Player,
        limit: ProofPair,
        terms: &mut Terms<'_>,
        ply: u32,
    ) -> Result<ProofPair, Unsolved> {
        terms.tick(ply)?;
        if ply == 0 || !(ply as usize).is_multiple_of(PLIES_ON_A_STACK) {
            return self.look_closely(sum, key, mover, limit, terms, ply);
        }
        threads::on_a_stack(STACK, || {
            self.look_closely(sum, key, mover, limit, terms, ply)
        })
    }

    fn look_closely(
        &mut self,
        sum: &Multiset<R::Position>,
        key: u128,
        mover: Player,
        limit: ProofPair,
        terms: &mut Terms<'_>,
        ply: u32,
    ) -> Result<ProofPair, Unsolved> {
        let before = terms.meter.nodes();
        self.parts.searched();
        if self.table.get(key).is_none() {
            let mut budget = BUDGET;
            if let Some(wins) = self.settle(sum, key, mover, &mut budget, terms, ply)? {
                return Ok(ProofPair::of(wins));
            }
        }
        let mut children = self.spare_children.pop().unwrap_or_default();
        let numbers = match self.expand(sum, mover, &mut children)? {
            true => ProofPair::of(true),
            false => self.weigh(sum, key, mover, limit, &mut children, terms, ply)?,
        };
        children.clear();
        self.spare_children.push(children);
        let work = terms.meter.nodes() - before + 1;
        numbers.put(&self.table, key, work);
        Ok(numbers)
    }

    /// Whether the mover wins, by depth-first search of this many nodes; nothing if these are too
    /// few.
    ///
    /// Most sums are so simple that proof numbers would only be in the way.
    fn settle(
        &mut self,
        sum: &Multiset<R::Position>,
        key: u128,
        mover: Player,
        budget: &mut u64,
        terms: &mut Terms<'_>,
        ply: u32,
    ) -> Result<Option<bool>, Unsolved> {
        if *budget == 0 {
            return Ok(None);
        }
        *budget -= 1;
        terms.tick(ply)?;
        self.parts.searched();
        let before = terms.meter.nodes();
        let mut replies = self.spare_replies.pop().unwrap_or_default();
        let mut found = Some(self.reply(sum, mover, &mut replies)?);
        if found == Some(false) {
            for reply in &replies {
                let known = ProofPair::get(&self.table, reply.key).and_then(ProofPair::decided);
                let answer = match known {
                    Some(known) => Some(known),
                    None => {
                        self.settle(&reply.sum, reply.key, mover.other(), budget, terms, ply + 1)?
                    }
                };
                match answer {
                    Some(true) => {}
                    Some(false) => {
                        found = Some(true);
                        break;
                    }
                    None => {
                        found = None;
                        break;
                    }
                }
            }
        }
        self.spare_sums
            .extend(replies.drain(..).map(|reply| reply.sum));
        self.spare_replies.push(replies);
        if let Some(wins) = found {
            let work = terms.meter.nodes() - before + 1;
            ProofPair::of(wins).put(&self.table, key, work);
        }
        Ok(found)
    }

    /// Lists the sums after all moves that are not known to lose, the most promising first; true if
    /// a move is known to win: that is found out before any move is searched.
    fn reply(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        replies: &mut Vec<Reply<R::Position>>,
    ) -> Result<bool, Unsolved> {
        let mut changes = self.spare_changes.pop().unwrap_or_default();
        self.parts
            .changes(sum, mover, &mut self.moves, &mut changes)?;
        changes.sort_by_key(|(promise, _)| std::cmp::Reverse(*promise));
        let mut won = false;
        for (_, change) in changes.drain(..) {
            let mut next = self.spare_sums.pop().unwrap_or_default();
            self.parts.after(sum, mover, change, &mut next)?;
            let mut known = self.decided(&next, mover.other())?;
            if known.is_none() {
                let key = self.parts.key(&next, mover.other())?;
                let numbers = ProofPair::get(&self.table, key);
                known = numbers.and_then(ProofPair::decided);
                if known.is_none() && replies.iter().all(|reply| reply.key != key) {
                    replies.push(Reply { key, sum: next });
                    continue;
                }
            }
            self.spare_sums.push(next);
            if known == Some(false) {
                won = true;
                break;
            }
        }
        changes.clear();
        self.spare_changes.push(changes);
        Ok(won)
    }

    /// Looks into the most promising move again and again, until a number of the sum reaches its
    /// limit.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of them say what is searched"
    )]
    fn weigh(
        &mut self,
        sum: &Multiset<R::Position>,
        key: u128,
        mover: Player,
        limit: ProofPair,
        children: &mut [Child<R::Move>],
        terms: &mut Terms<'_>,
        ply: u32,
    ) -> Result<ProofPair, Unsolved> {
        let mut next = self.spare_sums.pop().unwrap_or_default();
        let numbers = loop {
            // Another thread may have come to the end here.
            if self.busy.is_some()
                && let Some(wins) = ProofPair::get(&self.table, key).and_then(ProofPair::decided)
            {
                break ProofPair::of(wins);
            }
            let mut proof = INFINITE;
            let mut second = INFINITE;
            let mut hardest = 0;
            let mut open = 0;
            let mut best = None;
            let mut best_order = (u32::MAX, i64::MAX);
            for (i, child) in children.iter_mut().enumerate() {
                let found = ProofPair::get(&self.table, child.key);
                if let Some(found) = found {
                    child.numbers = found;
                }
                let ProofPair {
                    proof: against,
                    disproof: ours,
                } = child.numbers;
                if against == 0 {
                    continue;
                }
                open += 1;
                hardest = hardest.max(against);
                proof = proof.min(ours);
                let seeming = match &self.busy {
                    Some(busy) => busy.seeming(child.key, ours, found.is_none()),
                    None => ours,
                };
                let order = (seeming, -child.promise);
                if order < best_order {
                    second = best_order.0.min(INFINITE);
                    best = Some(i);
                    best_order = order;
                } else {
                    second = second.min(seeming);
                }
            }
            let Some(best) = best else {
                break ProofPair::of(false);
            };
            if proof == 0 {
                break ProofPair::of(true);
            }
            let disproof = hardest.saturating_add(open - 1).min(INFINITE - 1);
            if proof >= limit.proof || disproof >= limit.disproof {
                break ProofPair { proof, disproof };
            }
            let mut child_limit = ProofPair {
                proof: limit.disproof.saturating_sub(open - 1),
                disproof: limit.proof.min(second.saturating_add(1 + second / AHEAD)),
            };
            let child = &children[best];
            let (change, child_key) = (child.change, child.key);
            if self.busy.is_some() {
                // A move that is chosen only because others are busy with the better ones gets its
                // turn, too.
                let beyond = child.numbers.disproof.saturating_add(1).min(INFINITE);
                child_limit.disproof = child_limit.disproof.max(beyond);
            }
            self.parts.after(sum, mover, change, &mut next)?;
            if let Some(busy) = &self.busy {
                busy.at(child_key).fetch_add(1, Ordering::Relaxed);
            }
            let found =
                self.look_into(&next, child_key, mover.other(), child_limit, terms, ply + 1);
            if let Some(busy) = &self.busy {
                busy.at(child_key).fetch_sub(1, Ordering::Relaxed);
            }
            children[best].numbers = found?;
        };
        self.spare_sums.push(next);
        Ok(numbers)
    }

    /// Lists the moves that are not known to lose; true if one is known to win.
    fn expand(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        children: &mut Vec<Child<R::Move>>,
    ) -> Result<bool, Unsolved> {
        let mut changes = self.spare_changes.pop().unwrap_or_default();
        let mut next = self.spare_sums.pop().unwrap_or_default();
        let mut won = false;
        self.parts
            .changes(sum, mover, &mut self.moves, &mut changes)?;
        for (promise, change) in changes.drain(..) {
            self.parts.after(sum, mover, change, &mut next)?;
            match self.decided(&next, mover.other())? {
                Some(true) => continue,
                Some(false) => {
                    won = true;
                    break;
                }
                None => {}
            }
            let key = self.parts.key(&next, mover.other())?;
            let numbers = match ProofPair::get(&self.table, key) {
                Some(found) => found,
                None => self.initial(&next, mover.other())?,
            };
            match numbers.decided() {
                Some(true) => continue,
                Some(false) => {
                    won = true;
                    break;
                }
                None => {}
            }
            children.push(Child {
                key,
                numbers,
                promise,
                change,
            });
        }
        changes.clear();
        self.spare_changes.push(changes);
        self.spare_sums.push(next);
        children.sort_unstable_by_key(|child| child.key);
        children.dedup_by_key(|child| child.key);
        Ok(won)
    }

    /// The numbers of a sum that has not been searched: the more moves, and the more of them than
    /// the other player has, the harder to refute.
    fn initial(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
    ) -> Result<ProofPair, Unsolved> {
        let [left, right] = self.parts.moves_of(sum)?;
        let (own, others) = match mover {
            Player::FIRST => (left, right),
            _ => (right, left),
        };
        let hardness = |those: i64, these: i64| {
            let moves = 1 + HARDNESS * those * those / (these + 1);
            u32::try_from(moves).map_or(INFINITE - 1, |moves| moves.min(INFINITE - 1))
        };
        Ok(ProofPair {
            proof: hardness(others, own),
            disproof: hardness(own, others),
        })
    }
}
