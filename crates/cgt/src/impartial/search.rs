//! Nimbers of positions of any impartial game, by search.
//!
//! The nimber of a part is n if no move leads to n, and to each smaller number one does. So the
//! question whether it is n is answered by the first move that leads there, and the nimber of a sum
//! is asked for with all parts but one known by theirs: a position is a single part beside a heap
//! (Lemoine and Viennot 2012, "Nimbers are inevitable"). What is excluded is remembered as well as
//! what is known.

use std::cmp::Reverse;

use tabia_game::{Combinatorial, Meter, Player, Stopped};

use super::Mex;
use super::memo::{KNOWN_BITS, Memo};
use crate::fingerprint;

/// Marks a nimber that is known; otherwise the bits below are the nimbers that are excluded.
const EXACT: u64 = 1 << (KNOWN_BITS - 1);

/// Why a nimber was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfound {
    /// A limit on nodes or time was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The positions on the way to the end of a line of play take too much memory, in bytes.
    #[error(
        "the positions of one line of play would take more than their share of the memory, {} MB",
        .0.div_ceil(1 << 20)
    )]
    Room(u64),
}

/// What is known of the nimber of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Is(u32),
    IsNone(u64),
}

impl Known {
    /// Whether it is known that the nimber is another one.
    #[inline]
    fn excludes(self, nimber: u32) -> bool {
        match self {
            Known::Is(known) => known != nimber,
            Known::IsNone(mask) => mask & bit(nimber) != 0,
        }
    }
}

/// The bit of a nimber that is excluded. Large ones have none.
#[inline]
fn bit(nimber: u32) -> u64 {
    match nimber < KNOWN_BITS - 1 {
        true => 1 << nimber,
        false => 0,
    }
}

/// A part whose nimber is not known.
#[derive(Debug)]
struct Part<P> {
    key: u128,
    moves: usize,
    position: P,
}

/// What a move leads to: parts, and a heap for those whose nimbers are known.
#[derive(Clone, Copy, Debug)]
struct Reply {
    heap: u32,
    /// Where the parts begin and end.
    start: usize,
    end: usize,
    /// The sum of the keys.
    key: u128,
    moves: usize,
}

impl Reply {
    /// Replaces the last part by its nimber.
    #[inline]
    fn absorb(&mut self, nimber: u32) {
        self.end -= 1;
        self.heap ^= nimber;
    }

    #[inline]
    fn is_known(&self) -> bool {
        self.start == self.end
    }
}

/// A part that is looked into.
#[derive(Debug)]
struct Frame<P> {
    key: u128,
    /// The nimber that is asked about, or none if it is the nimber that is asked for.
    goal: Option<u32>,
    /// The nimber that a move is looked for to: the goal first, then all from 0 on.
    asked: u32,
    is_goal_first: bool,
    /// The bits of the nimbers that are excluded.
    excluded: u64,
    /// What moves lead to, as far as it is not known, that with the fewest moves first.
    replies: Vec<Reply>,
    /// The reply that is looked into.
    place: usize,
    parts: Vec<Part<P>>,
    /// The nimbers that moves are known to lead to.
    reached: Mex,
    /// Nodes when it was begun.
    before: u64,
}

impl<P> Default for Frame<P> {
    fn default() -> Frame<P> {
        Frame {
            key: 0,
            goal: None,
            asked: 0,
            is_goal_first: false,
            excluded: 0,
            replies: Vec::new(),
            place: 0,
            parts: Vec::new(),
            reached: Mex::new(),
            before: 0,
        }
    }
}

/// What is to be done next at a part.
enum Next {
    /// The last part of the reply at the present place is looked into, with this goal.
    Ask(Option<u32>),
    /// The nimber, or nothing if it is not the goal.
    Tell(Option<u32>),
}

/// A search for nimbers, which remembers what it has found. Lines of play may be of any length.
///
/// ```
/// use tabia_cgt::impartial::NimberSearch;
/// use tabia_combinatorial::nim::Nim;
/// use tabia_game::{Combinatorial, Limits};
///
/// let heaps = Nim.parse_position("3,5,7").expect("heaps");
/// let mut search = NimberSearch::new(Nim, 1 << 20);
/// let mut meter = Limits::default().meter();
/// assert_eq!(search.nimber(&[heaps.clone()], &mut meter), Ok(1));
/// assert_eq!(search.is(&[heaps], 0, &mut meter), Ok(false));
/// ```
#[derive(Debug)]
pub struct NimberSearch<R: Combinatorial> {
    rules: R,
    memo: Memo,
    /// Bytes for the positions of one line of play.
    room: u64,
    stack: Vec<Frame<R::Position>>,
    spare: Vec<Frame<R::Position>>,
    /// Parts on the stack.
    parts: usize,
    moves: Vec<R::Move>,
    split: Vec<R::Position>,
    looked_at: u64,
}

impl<R: Combinatorial> NimberSearch<R> {
    /// A search that takes about this many bytes at most: half of them for what it remembers.
    pub fn new(rules: R, bytes: u64) -> NimberSearch<R> {
        NimberSearch {
            rules,
            memo: Memo::new(bytes / 2),
            room: bytes / 2,
            stack: Vec::new(),
            spare: Vec::new(),
            parts: 0,
            moves: Vec::new(),
            split: Vec::new(),
            looked_at: 0,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// How many times the moves of a part have been looked at.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// The nimber of a sum of impartial positions. Every part whose moves are looked at counts as a
    /// node.
    pub fn nimber(&mut self, positions: &[R::Position], meter: &mut Meter) -> Result<u32, Unfound> {
        let (mut reply, parts) = self.sum(positions);
        while let Some(part) = parts[..reply.end].last() {
            let nimber = self.search(part, None, meter)?;
            reply.absorb(nimber.unwrap_or_default());
        }
        Ok(reply.heap)
    }

    /// Whether a sum of impartial positions has this nimber.
    pub fn is(
        &mut self,
        positions: &[R::Position],
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<bool, Unfound> {
        let (mut reply, parts) = self.sum(positions);
        while let Some(part) = parts[..reply.end].last() {
            let goal = (reply.end == 1).then_some(nimber ^ reply.heap);
            match self.search(part, goal, meter)? {
                Some(nimber) => reply.absorb(nimber),
                None => return Ok(false),
            }
        }
        Ok(reply.heap == nimber)
    }

    /// The parts of a sum.
    fn sum(&mut self, positions: &[R::Position]) -> (Reply, Vec<Part<R::Position>>) {
        let mut split = std::mem::take(&mut self.split);
        for position in positions {
            self.rules.split(position, &mut split);
        }
        let mut parts = Vec::new();
        let reply = self.gather(&mut split, &mut parts);
        self.split = split;
        (reply, parts)
    }

    #[inline]
    fn known(&self, key: u128) -> Known {
        match self.memo.get(key) {
            bits if bits & EXACT != 0 => Known::Is(bits as u32),
            mask => Known::IsNone(mask),
        }
    }

    fn remember(&mut self, key: u128, known: Known, work: u64) {
        match known {
            Known::Is(nimber) => self.memo.put(key, EXACT | u64::from(nimber), work),
            Known::IsNone(0) => {}
            Known::IsNone(mask) => self.memo.put(key, mask, work),
        }
    }

    /// Takes parts out of a list: pairs cancel out, nimbers that are known add up, and the others
    /// are put behind those that there are, the one with the most moves first.
    fn gather(&self, split: &mut Vec<R::Position>, parts: &mut Vec<Part<R::Position>>) -> Reply {
        let start = parts.len();
        let mut heap = 0;
        for position in split.drain(..) {
            let key = fingerprint::of_hash(&position);
            if let Known::Is(nimber) = self.known(key) {
                heap ^= nimber;
                continue;
            }
            if let Some(twin) = parts[start..].iter().position(|part| part.key == key) {
                parts.swap_remove(start + twin);
                continue;
            }
            let moves = self.rules.mobility(&position, Player::FIRST);
            parts.push(Part {
                key,
                moves,
                position,
            });
        }
        let new = &mut parts[start..];
        new.sort_unstable_by_key(|part| (Reverse(part.moves), part.key));
        let keys = new.iter().map(|part| part.key);
        Reply {
            heap,
            start,
            end: start + new.len(),
            key: keys.fold(0, u128::wrapping_add),
            moves: new.iter().map(|part| part.moves).sum(),
        }
    }

    /// The nimber of a part, or nothing if it is not the goal and not known either.
    fn search(
        &mut self,
        part: &Part<R::Position>,
        goal: Option<u32>,
        meter: &mut Meter,
    ) -> Result<Option<u32>, Unfound> {
        match self.known(part.key) {
            Known::Is(nimber) => return Ok(Some(nimber)),
            known if goal.is_some_and(|goal| known.excludes(goal)) => return Ok(None),
            _ => {}
        }
        let found = self.search_on(part, goal, meter);
        // After an error there is something left.
        while let Some(frame) = self.stack.pop() {
            self.close(frame, None, meter);
        }
        found
    }

    fn search_on(
        &mut self,
        part: &Part<R::Position>,
        goal: Option<u32>,
        meter: &mut Meter,
    ) -> Result<Option<u32>, Unfound> {
        let first = self.open(part, goal, meter)?;
        self.stack.push(first);
        while let Some(mut frame) = self.stack.pop() {
            match self.advance(&mut frame) {
                Next::Ask(goal) => {
                    let reply = frame.replies[frame.place];
                    let next = self.open(&frame.parts[reply.end - 1], goal, meter);
                    self.stack.push(frame);
                    self.stack.push(next?);
                }
                Next::Tell(found) => {
                    self.close(frame, found, meter);
                    let Some(before) = self.stack.last_mut() else {
                        return Ok(found);
                    };
                    match found {
                        Some(nimber) => before.replies[before.place].absorb(nimber),
                        None => before.place += 1,
                    }
                }
            }
        }
        Ok(None)
    }

    /// Begins with a part.
    fn open(
        &mut self,
        part: &Part<R::Position>,
        goal: Option<u32>,
        meter: &mut Meter,
    ) -> Result<Frame<R::Position>, Unfound> {
        meter.tick()?;
        self.looked_at += 1;
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.before = meter.nodes();
        frame.key = part.key;
        frame.excluded = match self.known(part.key) {
            Known::IsNone(mask) => mask,
            Known::Is(_) => 0,
        };
        frame.goal = goal;
        frame.is_goal_first = goal.is_some();
        self.expand(part, &mut frame);
        self.parts += frame.parts.len();
        match goal {
            Some(goal) => self.ask(&mut frame, goal),
            None => self.ask_from(&mut frame, 0),
        }
        let bytes = self.parts * (size_of::<Part<R::Position>>() + size_of::<Reply>());
        match bytes as u64 > self.room {
            true => {
                self.close(frame, None, meter);
                Err(Unfound::Room(self.room))
            }
            false => Ok(frame),
        }
    }

    /// Ends with a part, and remembers what is known of it.
    fn close(&mut self, mut frame: Frame<R::Position>, found: Option<u32>, meter: &Meter) {
        let known = found.map_or(Known::IsNone(frame.excluded), Known::Is);
        self.remember(frame.key, known, meter.nodes() - frame.before + 1);
        self.parts -= frame.parts.len();
        frame.replies.clear();
        frame.parts.clear();
        frame.reached.clear();
        self.spare.push(frame);
    }

    /// Lists what moves lead to, each once.
    fn expand(&mut self, part: &Part<R::Position>, frame: &mut Frame<R::Position>) {
        let mut moves = std::mem::take(&mut self.moves);
        let mut split = std::mem::take(&mut self.split);
        moves.clear();
        self.rules.moves(&part.position, Player::FIRST, &mut moves);
        for &mv in &moves {
            let mut next = part.position.clone();
            self.rules.play(&mut next, Player::FIRST, mv);
            self.rules.split(&next, &mut split);
            let reply = self.gather(&mut split, &mut frame.parts);
            match reply.is_known() {
                true => frame.reached.insert(reply.heap),
                false => frame.replies.push(reply),
            }
        }
        self.moves = moves;
        self.split = split;
        let replies = &mut frame.replies;
        replies.sort_unstable_by_key(|reply| (reply.moves, reply.key, reply.heap));
        replies.dedup_by_key(|reply| (reply.key, reply.heap));
    }

    /// Looks for a move to a nimber from now on.
    fn ask(&self, frame: &mut Frame<R::Position>, nimber: u32) {
        frame.asked = nimber;
        frame.place = 0;
        // What is known by now costs no search.
        let Frame {
            replies,
            parts,
            reached,
            ..
        } = frame;
        replies.retain_mut(|reply| {
            self.simplify(reply, parts);
            if reply.is_known() {
                reached.insert(reply.heap);
            }
            !reply.is_known()
        });
    }

    /// Looks for a move to the first nimber from this one on that is not excluded.
    fn ask_from(&self, frame: &mut Frame<R::Position>, nimber: u32) {
        let excluded = |nimber: &u32| frame.excluded & bit(*nimber) != 0;
        let next = (nimber..).find(|nimber| !excluded(nimber));
        self.ask(frame, next.unwrap_or(u32::MAX));
    }

    /// Replaces parts at the end of a reply by their nimbers, as far as these are known.
    #[inline]
    fn simplify(&self, reply: &mut Reply, parts: &[Part<R::Position>]) {
        while reply.end > reply.start
            && let Known::Is(nimber) = self.known(parts[reply.end - 1].key)
        {
            reply.absorb(nimber);
        }
    }

    /// Goes on with a part as far as that needs no look into another.
    fn advance(&self, frame: &mut Frame<R::Position>) -> Next {
        loop {
            if frame.reached.contains(frame.asked) {
                frame.excluded |= bit(frame.asked);
                if frame.is_goal_first {
                    return Next::Tell(None);
                }
                self.ask_from(frame, frame.asked + 1);
                continue;
            }
            // No move leads to the goal, so that it is the nimber unless a smaller one is.
            if Some(frame.asked) == frame.goal && !frame.is_goal_first {
                return Next::Tell(frame.goal);
            }
            let Some(reply) = frame.replies.get_mut(frame.place) else {
                if frame.is_goal_first {
                    frame.is_goal_first = false;
                    self.ask_from(frame, 0);
                    continue;
                }
                return Next::Tell(Some(frame.asked));
            };
            self.simplify(reply, &frame.parts);
            if reply.is_known() {
                frame.reached.insert(reply.heap);
                frame.replies.remove(frame.place);
                continue;
            }
            if reply.end > reply.start + 1 {
                return Next::Ask(None);
            }
            let part = &frame.parts[reply.start];
            let goal = frame.asked ^ reply.heap;
            // There is a move to each smaller number.
            if self.known(part.key).excludes(goal) || goal as usize > part.moves {
                frame.place += 1;
                continue;
            }
            return Next::Ask(Some(goal));
        }
    }
}
