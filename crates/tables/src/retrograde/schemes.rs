//! Four ways to propagate values through a component, side by side (Wu et al. 2004, section 2).
//!
//! All start from the positions whose moves are all known. They differ in how news travel: by
//! looking at every undecided position again (I), by taking moves back and asking the move
//! generator whether a position has any hope left (II), or by taking moves back and counting the
//! moves that are not yet known to lose (III and IV). A win is final when it is found if positions
//! are looked at in the order of their distance; what is known from outside may be of any depth and
//! waits for its turn. All four give the same labels.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use bytemuck::zeroed_vec;
use tabia_game::threads;
use tabia_game::{Cancel, Wdl};

use super::component::{Component, Outside, Visitor};
use super::labels::{Labels, MAX_PLIES};

/// How values are propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// I: repeated forward scans. The only one that takes no moves back.
    Scans,
    /// II: layers backwards, and a forward check whether a position is lost.
    Checks,
    /// III: a queue of news and counters of unknown moves, one thread.
    Queue,
    /// IV: layers backwards with counters.
    Layers,
}

impl Scheme {
    /// All of them, in the order of the paper.
    pub const ALL: [Scheme; 4] = [Scheme::Scans, Scheme::Checks, Scheme::Queue, Scheme::Layers];

    /// What options call it.
    pub fn word(self) -> &'static str {
        match self {
            Scheme::Scans => "scans",
            Scheme::Checks => "checks",
            Scheme::Queue => "queue",
            Scheme::Layers => "layers",
        }
    }

    /// The bytes that counters take; the queue's own memory is not bounded beforehand, but each
    /// position is in it once at most.
    pub fn bytes(self, positions: u64) -> u64 {
        match self {
            Scheme::Scans | Scheme::Checks => 0,
            Scheme::Layers => positions.saturating_mul(2),
            Scheme::Queue => positions.saturating_mul(2 + 8),
        }
    }
}

/// What the work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Rounds, or scans of everything.
    pub rounds: u64,
    /// Positions whose moves were generated.
    pub generated: u64,
    /// Positions whose predecessors were generated.
    pub undone: u64,
}

/// A position with a drawn way out can never be lost: its counter is not counted down.
const HELD: u16 = u16::MAX;
/// Threads take this many positions at a time; a multiple of 64.
const CHUNK: u64 = 1 << 14;

/// One run over a component.
pub(super) struct Run<'a, L> {
    component: &'a dyn Component,
    labels: L,
    cancel: &'a Cancel,
    progress: &'a (dyn Fn(u64) + Sync),
    generated: AtomicU64,
    undone: AtomicU64,
}

impl<'a, L: Labels> Run<'a, L> {
    pub fn new(
        component: &'a dyn Component,
        cancel: &'a Cancel,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        Run {
            component,
            labels: L::new(component.positions()),
            cancel,
            progress,
            generated: AtomicU64::new(0),
            undone: AtomicU64::new(0),
        }
    }

    /// Labels everything; what stays undecided is drawn. The labels mean nothing if the work was
    /// cancelled.
    pub fn run(mut self, scheme: Scheme) -> (L, Effort) {
        let rounds = match scheme {
            Scheme::Scans => self.scans(),
            Scheme::Checks => self.checks(),
            Scheme::Queue => self.queue(),
            Scheme::Layers => self.layers(),
        };
        let effort = Effort {
            rounds,
            generated: self.generated.into_inner(),
            undone: self.undone.into_inner(),
        };
        (self.labels, effort)
    }

    /// Works on all positions, in parallel.
    fn each_chunk(&self, work: impl Fn(Range<u64>, &mut dyn Visitor, &mut Vec<u64>) + Sync) {
        let len = self.component.positions();
        threads::each(len.div_ceil(CHUNK), &|chunk| {
            if !self.cancel.is_cancelled() {
                let (mut visitor, mut buffer) = (self.component.visitor(), Vec::new());
                let range = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
                work(range, &mut *visitor, &mut buffer);
            }
        });
    }

    /// The first scan: labels what is known from outside, and tells of each undecided position how
    /// many of its moves stay inside; [`HELD`] if it cannot be lost.
    fn begin(&self, count: impl Fn(u64, u16) + Sync) {
        let done = AtomicU64::new(0);
        self.each_chunk(|range, visitor, inside| {
            let positions = range.end - range.start;
            for index in range {
                inside.clear();
                match visitor.moves(index, inside) {
                    Err(value) => match value.wdl {
                        Wdl::Win => self.labels.win(index, 0),
                        Wdl::Loss => self.labels.lose(index, 0),
                        Wdl::Draw => self.labels.draw(index),
                    },
                    Ok(outside) => self.begin_at(index, outside, inside.len(), &count),
                }
            }
            self.generated.fetch_add(positions, Ordering::Relaxed);
            let done = done.fetch_add(positions, Ordering::Relaxed) + positions;
            (self.progress)(done);
        });
    }

    fn begin_at(&self, index: u64, outside: Outside, inside: usize, count: impl Fn(u64, u16)) {
        if let Some(plies) = outside.win {
            self.labels.win(index, plies);
            // Where distances count there may be a quicker win inside.
            count(index, HELD);
        } else if inside == 0 {
            match outside.loss {
                Some(plies) if !outside.draw => self.labels.lose(index, plies),
                _ => self.labels.draw(index),
            }
        } else if outside.draw || inside >= usize::from(HELD) {
            debug_assert!(inside < usize::from(HELD), "no game has so many moves");
            count(index, HELD);
        } else {
            if let Some(plies) = outside.loss {
                self.labels.last(index, plies);
            }
            count(index, inside as u16);
        }
    }

    /// What the labels of its successors say of an undecided position, as far as they are decided
    /// in fewer than `plies` plies where distances count. The buffer is left as it was.
    fn judge(
        &self,
        index: u64,
        plies: u16,
        visitor: &mut dyn Visitor,
        buffer: &mut Vec<u64>,
    ) -> Option<(Wdl, u16)> {
        let first = buffer.len();
        self.generated.fetch_add(1, Ordering::Relaxed);
        let mut seen = visitor.moves(index, buffer).ok()?;
        for next in buffer.drain(first..) {
            match self.labels.get(next) {
                Some(value) if value.plies.is_none_or(|n| n < plies) => seen.meet(value),
                _ => seen.draw = true,
            }
        }
        match (seen.win, seen.loss) {
            (Some(win), _) => Some((Wdl::Win, win)),
            (None, Some(loss)) if !seen.draw => Some((Wdl::Loss, loss)),
            _ => None,
        }
    }

    fn is_open(&self, index: u64) -> bool {
        self.labels.get(index).is_none()
    }

    /// Whether a scan looks at a position again. Wins from outside may be undercut by quicker ones.
    fn is_scanned(&self, index: u64) -> bool {
        match self.labels.get(index) {
            None => true,
            Some(value) => L::DISTANCES && value.wdl == Wdl::Win,
        }
    }

    fn scans(&mut self) -> u64 {
        self.begin(|_, _| {});
        let mut round = 1u64;
        loop {
            let plies = u16::try_from(round).unwrap_or(MAX_PLIES).min(MAX_PLIES);
            let (changed, waiting) = (AtomicBool::new(false), AtomicBool::new(false));
            self.each_chunk(|range, visitor, inside| {
                for index in range.filter(|&index| self.is_scanned(index)) {
                    let before = self.labels.get(index);
                    let Some((wdl, n)) = self.judge(index, plies, visitor, inside) else {
                        continue;
                    };
                    if L::DISTANCES && n > plies {
                        waiting.store(true, Ordering::Relaxed);
                        continue;
                    }
                    match (wdl, before) {
                        (Wdl::Win, Some(value)) if value.plies.is_some_and(|m| m <= n) => continue,
                        (Wdl::Win, _) => self.labels.win(index, n),
                        (Wdl::Loss, _) => self.labels.lose(index, n),
                        (Wdl::Draw, _) => continue,
                    }
                    changed.store(true, Ordering::Relaxed);
                }
            });
            round += 1;
            let idle = !changed.into_inner() && !waiting.into_inner() && !self.pending(plies);
            if idle || self.cancel.is_cancelled() || self.labels.overflowed() {
                return round;
            }
        }
    }

    /// Whether positions known from outside are decided in this many plies or more.
    fn pending(&mut self, plies: u16) -> bool {
        L::DISTANCES && self.labels.end_round(plies - 1)
    }

    fn checks(&mut self) -> u64 {
        self.begin(|_, _| {});
        self.rounds(|run, index, wdl, round, visitor, buffer| {
            visitor.predecessors(index, buffer);
            run.undone.fetch_add(1, Ordering::Relaxed);
            for at in 0..buffer.len() {
                let index = buffer[at];
                if wdl == Wdl::Loss {
                    run.labels.win(index, round.saturating_add(1));
                } else if run.is_open(index)
                    && let Some((Wdl::Loss, plies)) =
                        run.judge(index, round.saturating_add(1), visitor, buffer)
                {
                    run.labels.lose(index, plies);
                }
            }
        })
    }

    fn layers(&mut self) -> u64 {
        let counters: Vec<AtomicU16> = zeroed_vec(self.component.positions() as usize);
        self.begin(|index, moves| counters[index as usize].store(moves, Ordering::Relaxed));
        self.rounds(|run, index, wdl, round, visitor, before| {
            run.undone.fetch_add(1, Ordering::Relaxed);
            let next = round.saturating_add(1);
            visitor.predecessors(index, before);
            for &index in before.iter() {
                run.tell(&counters, index, wdl, next);
            }
        })
    }

    /// Tells a position that one of its moves leads to a decided one, so that its own end is
    /// `plies` away. True if that decides it.
    #[inline]
    fn tell(&self, counters: &[AtomicU16], index: u64, news: Wdl, plies: u16) -> bool {
        if news == Wdl::Loss {
            let open = self.is_open(index);
            self.labels.win(index, plies);
            return open;
        }
        let counter = &counters[index as usize];
        let before = counter.load(Ordering::Relaxed);
        if before == HELD || before == 0 {
            return false;
        }
        let last = counter.fetch_sub(1, Ordering::Relaxed) == 1;
        // A position with a way to win is never told of all its moves that they lose.
        if last {
            self.labels.lose(index, plies);
        }
        last
    }

    /// Rounds of news travelling backwards. Each has an empty buffer.
    fn rounds(
        &mut self,
        spread: impl Fn(&Self, u64, Wdl, u16, &mut dyn Visitor, &mut Vec<u64>) + Sync,
    ) -> u64 {
        let mut round = 0u16;
        let mut rounds = 0;
        if !L::DISTANCES && !self.labels.end_round(round) {
            return 0;
        }
        loop {
            self.each_chunk(|range, visitor, buffer| {
                self.labels.in_round(round, range, |index, wdl| {
                    buffer.clear();
                    spread(self, index, wdl, round, visitor, buffer);
                });
            });
            rounds += 1;
            let more = self.labels.end_round(round);
            if !more || self.cancel.is_cancelled() || self.labels.overflowed() {
                return rounds;
            }
            if L::DISTANCES {
                round += 1;
            }
        }
    }

    /// The queue is a list for each number of plies where distances count, since news from outside
    /// must wait for their turn; else one list, in the order in which the news came in.
    fn queue(&mut self) -> u64 {
        let counters: Vec<AtomicU16> = zeroed_vec(self.component.positions() as usize);
        self.begin(|index, moves| counters[index as usize].store(moves, Ordering::Relaxed));
        let mut lists: Vec<VecDeque<u64>> = Vec::new();
        let push = |lists: &mut Vec<VecDeque<u64>>, labels: &L, index: u64| {
            let plies = labels.get(index).and_then(|value| value.plies).unwrap_or(0);
            let list = usize::from(plies);
            if lists.len() <= list {
                lists.resize_with(list + 1, VecDeque::new);
            }
            lists[list].push_back(index);
        };
        // Losses before wins: a win that follows from one is final at once.
        for wanted in [Wdl::Loss, Wdl::Win] {
            for index in 0..self.component.positions() {
                if self.labels.get(index).is_some_and(|v| v.wdl == wanted) {
                    push(&mut lists, &self.labels, index);
                }
            }
        }
        let mut visitor = self.component.visitor();
        let mut before = Vec::new();
        let (mut list, mut popped) = (0, 0u64);
        while list < lists.len() && !self.labels.overflowed() {
            let Some(index) = lists[list].pop_front() else {
                list += 1;
                continue;
            };
            popped += 1;
            if popped.is_multiple_of(CHUNK) && self.cancel.is_cancelled() {
                break;
            }
            let Some(value) = self.labels.get(index) else {
                continue;
            };
            let plies = value.plies.unwrap_or(0);
            if usize::from(plies) != list {
                // A quicker win was found meanwhile, and has had its turn.
                continue;
            }
            before.clear();
            visitor.predecessors(index, &mut before);
            let next = plies.saturating_add(u16::from(L::DISTANCES));
            for &index in &before {
                let known = self.labels.get(index);
                self.tell(&counters, index, value.wdl, next);
                if self.labels.get(index) != known {
                    push(&mut lists, &self.labels, index);
                }
            }
        }
        self.undone.fetch_add(popped, Ordering::Relaxed);
        1
    }
}
