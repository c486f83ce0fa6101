//! One thread of df-pn: a depth-first walk that leaves a position when its proof or disproof number
//! reaches a threshold, beyond which another position is more promising.

use std::sync::atomic::Ordering::Relaxed;

use tabia_game::{Cancel, Key, Limits, Meter, Stopped, Turn};

use super::keys::{Busy, ByKey, Keys, salted};
use super::{Effort, Entry, Known, NOTHING, Numbers, ThreadMemory, TranspositionTable};
use crate::best_first::Initial;
use crate::{Attack, INFINITY, Lack, Settled, Status};

/// A look at everything as one graph pays off if one node in this many is a repetition.
const OFTEN: u64 = 4096;
/// A look takes one position for this many nodes at most.
const SWEPT: u64 = 4;

/// Lines longer than this are given up. The stack then has four kilobytes for each position.
const MAX_DEPTH: u32 = 1 << 18;

/// A position one move on.
#[derive(Clone, Copy)]
struct Child<M> {
    mv: M,
    key: u64,
    numbers: Numbers,
    /// Its place in the order of the game's moves, if that is a number to be kept.
    ordinal: Option<u16>,
}

/// What the children say of a position.
struct Summary {
    numbers: Numbers,
    /// The most promising child, as an index from the first.
    best: usize,
    /// The number by which children are chosen, of the second best.
    second: u32,
}

/// On what terms a thread works.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub limits: &'a Limits,
    /// Raised when another thread is done.
    pub finished: &'a Cancel,
    pub room: ThreadMemory,
    /// How far earlier searches had come.
    pub effort: Effort,
    /// What other threads are at work on, if there are any.
    pub busy: Option<&'a Busy>,
    /// The number of the thread; only the first one looks at everything as one graph.
    pub number: usize,
    /// Whether every position is searched until it is decided.
    pub depth_first: bool,
}

pub(super) struct Worker<'a, G: Key, I, S> {
    pub game: &'a G,
    pub settled: &'a dyn Settled<G>,
    initial: &'a I,
    keys: &'a S,
    pub table: &'a TranspositionTable,
    pub attack: Attack,
    pub state: G::State,
    /// The positions from the root to the present one, with their depths.
    pub path: ByKey<u32>,
    pub moves: Vec<G::Move>,
    children: Vec<Child<G::Move>>,
    meter: Meter,
    /// Watches the time and the flag where what is counted are no nodes.
    clock: Meter,
    pub terms: Terms<'a>,
    /// How far the search had come before; repetitions and the next look are kept up to date.
    pub effort: Effort,
    /// What ended the search, if no limit did.
    pub lack: Option<Lack>,
}

impl<'a, G, I, S> Worker<'a, G, I, S>
where
    G: Key,
    I: Initial<G>,
    S: Keys<G>,
{
    pub fn new(
        game: &'a G,
        (settled, initial, keys): (&'a dyn Settled<G>, &'a I, &'a S),
        table: &'a TranspositionTable,
        attack: Attack,
        terms: Terms<'a>,
    ) -> Worker<'a, G, I, S> {
        let clock = Limits {
            nodes: None,
            ..terms.limits.clone()
        };
        Worker {
            game,
            settled,
            initial,
            keys,
            table,
            attack,
            state: game.start(),
            path: ByKey::default(),
            moves: Vec::new(),
            children: Vec::new(),
            meter: terms.limits.meter(),
            clock: clock.meter(),
            effort: terms.effort,
            terms,
            lack: None,
        }
    }

    /// How far the search has come, with all before it.
    pub fn effort(&self) -> Effort {
        Effort {
            nodes: self.effort.nodes.saturating_add(self.meter.nodes()),
            ..self.effort
        }
    }

    pub fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Searches until the position is decided. Where positions recur the search stops now and then
    /// and looks at everything it has met as one graph.
    pub fn search(&mut self, state: &G::State) -> Result<Numbers, Stopped> {
        loop {
            self.state = state.clone();
            self.path.clear();
            self.moves.clear();
            self.children.clear();
            match self.visit(0, INFINITY, INFINITY) {
                Ok(numbers) if numbers.is_decided() => return Ok(numbers),
                Err(stopped) if self.is_over() || !self.is_paused() => return Err(stopped),
                _ => {}
            }
            let Effort {
                nodes, repetitions, ..
            } = self.effort();
            self.effort.look = nodes.saturating_mul(2).max(1);
            if self.terms.number == 0 && repetitions > nodes / OFTEN {
                let most = (nodes / SWEPT).min(u64::from(u32::MAX / 2)) as usize;
                if let Some(numbers) = self.sweep(state, most) {
                    return Ok(numbers);
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.meter.is_stopped() || self.lack.is_some()
    }

    fn is_paused(&self) -> bool {
        self.effort().nodes >= self.effort.look
    }

    /// Whether time is up or the work is done elsewhere; to be asked for every position that is no
    /// node.
    #[inline]
    pub fn is_stopped(&mut self) -> bool {
        self.clock.tick().is_err() || self.terms.finished.is_cancelled()
    }

    #[inline]
    pub fn key(&self) -> u64 {
        self.key_of(&self.state)
    }

    /// The key by which the table and the path know a position.
    #[inline]
    pub fn key_of(&self, state: &G::State) -> u64 {
        salted(self.keys.key(self.game, state), self.attack)
    }

    #[inline]
    pub fn attacking(&self, state: &G::State) -> bool {
        self.game.turn(state) == Turn::Player(self.attack.attacker)
    }

    /// Searches the present position, which is not decided, until one of its numbers reaches its
    /// threshold.
    fn visit(&mut self, depth: u32, pn_limit: u32, dn_limit: u32) -> Result<Numbers, Stopped> {
        if depth >= MAX_DEPTH {
            self.lack = Some(Lack::Depth);
        }
        if self.lack.is_some() || self.terms.finished.is_cancelled() || self.is_paused() {
            return Err(Stopped);
        }
        let before = self.meter.nodes();
        let key = self.key();
        let attacking = self.attacking(&self.state);
        self.path.insert(key, depth);
        let first = self.children.len();
        self.expand(first, attacking)?;
        // With cycles the numbers below may have risen by way of this very position, so that a
        // visit could end before it has begun, again and again. Each goes one step deeper at least,
        // unless the position itself is new.
        let mut begun = self.table.get(key).is_none();
        let summary = loop {
            let summary = self.sum_up(first, attacking);
            let Numbers { pn, dn, .. } = summary.numbers;
            let beyond = pn >= pn_limit || dn >= dn_limit;
            if summary.numbers.is_decided() || begun && beyond {
                break summary;
            }
            begun = true;
            let below = self.descend(first, &summary, attacking, depth, pn_limit, dn_limit);
            if let Err(stopped) = below {
                // What was found so far is kept for when the search goes on.
                self.record(key, depth, summary.numbers, None, 1);
                return Err(stopped);
            }
        };
        let best = self.children[first + summary.best].ordinal;
        self.children.truncate(first);
        self.path.remove(&key);
        let work = (self.meter.nodes() - before).max(2).ilog2() as u8;
        Ok(self.record(key, depth, summary.numbers, best, work))
    }

    /// Enters what was found of the present position, and says what it relies on from now on.
    fn record(
        &mut self,
        key: u64,
        depth: u32,
        found: Numbers,
        best: Option<u16>,
        work: u8,
    ) -> Numbers {
        let known = match found.status() {
            Status::Proved => Known::Proved,
            Status::Disproved if found.low >= depth => Known::Disproved,
            Status::Disproved => Known::Doubtful,
            Status::Unknown => Known::Open {
                pn: found.pn,
                dn: found.dn,
            },
        };
        self.table.put(key, Entry { known, best, work });
        if known == Known::Disproved && found.low != NOTHING {
            self.settle_below();
            return Numbers::disproved(NOTHING);
        }
        found
    }

    /// Appends the positions one move on, each once. One that decides ends the list.
    fn expand(&mut self, first: usize, attacking: bool) -> Result<(), Stopped> {
        let from = self.moves.len();
        self.game.moves(&self.state, &mut self.moves);
        for ordinal in 0..self.moves.len() - from {
            self.meter.tick()?;
            let mv = self.moves[from + ordinal];
            let token = self.game.play(&mut self.state, mv);
            let key = self.key();
            let known = self.children[first..].iter().any(|child| child.key == key);
            if !known {
                let numbers = self.look(key);
                self.children.push(Child {
                    mv,
                    key,
                    numbers,
                    ordinal: u16::try_from(ordinal).ok(),
                });
            }
            self.game.undo(&mut self.state, token);
            let decides = self.children.last().is_some_and(|child| {
                let Numbers { pn, dn, low } = child.numbers;
                if attacking {
                    pn == 0
                } else {
                    dn == 0 && low == NOTHING
                }
            });
            if decides {
                break;
            }
        }
        self.moves.truncate(from);
        Ok(())
    }

    /// What is known of the present position, one beyond the path.
    fn look(&mut self, key: u64) -> Numbers {
        match self.attack.status(self.game, &self.state, self.settled) {
            Status::Proved => return Numbers::PROVED,
            Status::Disproved => return Numbers::disproved(NOTHING),
            Status::Unknown => {}
        }
        if let Some(&depth) = self.path.get(&key) {
            self.effort.repetitions += 1;
            return Numbers::disproved(depth);
        }
        match self.table.get(key).map(|entry| entry.known) {
            Some(Known::Proved) => Numbers::PROVED,
            Some(Known::Disproved) => Numbers::disproved(NOTHING),
            Some(Known::Open { pn, dn }) => Numbers {
                pn,
                dn,
                low: NOTHING,
            },
            Some(Known::Doubtful) => match self.simulate() {
                Some(low) => Numbers::disproved(low),
                None => self.begin(),
            },
            None => self.begin(),
        }
    }

    /// The numbers of a position that was never looked at.
    fn begin(&mut self) -> Numbers {
        let attacking = self.attacking(&self.state);
        let (game, attacker) = (self.game, self.attack.attacker);
        let initial = self
            .initial
            .numbers(game, &self.state, attacker, attacking, &mut self.moves)
            .open();
        Numbers {
            pn: initial.pn,
            dn: initial.dn,
            low: NOTHING,
        }
    }

    /// The number that counts in the choice of a child: the proof number for the attacker, the
    /// disproof number for the defender.
    #[inline]
    fn weight(&self, child: &Child<G::Move>, attacking: bool) -> u32 {
        let number = if attacking {
            child.numbers.pn
        } else {
            child.numbers.dn
        };
        match self.terms.busy {
            Some(busy) if number > 0 && number < INFINITY => {
                let others = u32::from(busy.at(child.key).load(Relaxed));
                number.saturating_add(others.saturating_mul(1 + number / 2))
            }
            _ => number,
        }
    }

    fn sum_up(&self, first: usize, attacking: bool) -> Summary {
        // The attacker needs one proof and the disproof of all; with the defender it is the other
        // way round, and `one` and `all` exchange their parts. The number of all is not the sum but
        // the largest and one for each other child (weak proof numbers, Ueda et al. 2008): where
        // lines meet again, sums count the same work many times over.
        let (mut one, mut all, mut open, mut unsolved) = (INFINITY, 0u32, false, 0u32);
        let (mut weight, mut second, mut best) = (INFINITY, INFINITY, 0);
        let (mut lowest, mut highest) = (NOTHING, 0);
        for (i, child) in self.children[first..].iter().enumerate() {
            let Numbers { pn, dn, low } = child.numbers;
            let (single, summed) = if attacking { (pn, dn) } else { (dn, pn) };
            let own = self.weight(child, attacking);
            // Of several disproofs the one that relies on the least is the best for the defender.
            let better = own < weight || own == 0 && weight == 0 && !attacking && low > highest;
            if better {
                second = weight;
                (weight, best, highest) = (own, i, low);
            } else if own < second {
                second = own;
            }
            one = one.min(single);
            if summed == INFINITY {
                open = true;
            }
            if summed > 0 && summed < INFINITY {
                unsolved += 1;
            }
            all = all.max(summed.min(INFINITY - 1));
            lowest = lowest.min(low);
        }
        if open {
            all = INFINITY;
        } else if unsolved > 0 {
            all = all.saturating_add(unsolved - 1).min(INFINITY - 1);
        }
        let numbers = if attacking {
            Numbers {
                pn: one,
                dn: all,
                low: lowest,
            }
        } else {
            Numbers {
                pn: all,
                dn: one,
                low: highest,
            }
        };
        let low = if numbers.dn == 0 {
            numbers.low
        } else {
            NOTHING
        };
        Summary {
            numbers: Numbers { low, ..numbers },
            best,
            second,
        }
    }

    /// Searches the most promising child until another one, or another position further up, is
    /// more promising.
    fn descend(
        &mut self,
        first: usize,
        summary: &Summary,
        attacking: bool,
        depth: u32,
        pn_limit: u32,
        dn_limit: u32,
    ) -> Result<(), Stopped> {
        let at = first + summary.best;
        let child = self.children[at];
        let Numbers { pn, dn, .. } = summary.numbers;
        // The second best may grow by a quarter before it is its turn.
        let patience = (summary.second / 4).max(1);
        let other = summary.second.saturating_add(patience);
        let rest = |limit: u32, sum: u32, own: u32| match limit {
            INFINITY => INFINITY,
            limit => limit.saturating_sub(sum).saturating_add(own),
        };
        let (pn_limit, dn_limit) = if attacking {
            (pn_limit.min(other), rest(dn_limit, dn, child.numbers.dn))
        } else {
            (rest(pn_limit, pn, child.numbers.pn), dn_limit.min(other))
        };
        let pn_limit = pn_limit.max(child.numbers.pn.saturating_add(1));
        let dn_limit = dn_limit.max(child.numbers.dn.saturating_add(1));
        let (pn_limit, dn_limit) = match self.terms.depth_first {
            true => (INFINITY, INFINITY),
            false => (pn_limit, dn_limit),
        };
        let token = self.game.play(&mut self.state, child.mv);
        if let Some(busy) = self.terms.busy {
            busy.at(child.key).fetch_add(1, Relaxed);
        }
        let numbers = self.visit(depth + 1, pn_limit, dn_limit);
        if let Some(busy) = self.terms.busy {
            busy.at(child.key).fetch_sub(1, Relaxed);
        }
        let numbers = numbers?;
        self.game.undo(&mut self.state, token);
        self.children[at].numbers = numbers;
        self.refresh(first, at);
        Ok(())
    }

    /// What was found below one child may have told of others.
    fn refresh(&mut self, first: usize, except: usize) {
        for at in (first..self.children.len()).filter(|&at| at != except) {
            let child = self.children[at];
            if child.numbers.is_decided() {
                continue;
            }
            let known = self.table.get(child.key).map(|entry| entry.known);
            self.children[at].numbers = match known {
                Some(Known::Proved) => Numbers::PROVED,
                Some(Known::Disproved) => Numbers::disproved(NOTHING),
                Some(Known::Open { pn, dn }) => Numbers {
                    pn,
                    dn,
                    low: NOTHING,
                },
                Some(Known::Doubtful) | None => child.numbers,
            };
        }
    }
}
