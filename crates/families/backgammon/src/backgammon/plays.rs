//! All legal plays of a roll, each resulting position once.
//!
//! The points a player holds and those that are closed to them are two words of bits, and the
//! checkers that can move by a die are a few operations on them. A play is the multiset of its
//! steps: what it leads to does not depend on their order, as long as some order is legal.
//!
//! *Doubles.* All steps are equally long, so two multisets of steps never lead to the same
//! position; and whatever order is legal, the order from the rearmost checker down is legal too.
//! Searching in that order alone meets every play once.
//!
//! *Two different dice.* A table of bits says for each checker moved by the larger die which ones
//! can be moved by the smaller, in either order. Two such pairs lead to the same position in two
//! cases only: one checker moves by both dice, in either order, and hits nothing on the way; or two
//! checkers are borne off and it does not matter by which die. Of each such couple one is left out,
//! and no set of positions seen is needed.

use super::board::{BAR, Board, HOME, POINTS, Side};

/// The faces of a die.
const FACES: u8 = 6;
const BAR_BIT: u32 = 1 << BAR;

/// Two dice, as they were thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    dice: [u8; 2],
}

impl Roll {
    /// Two dice in this order; nothing if they are not between 1 and 6.
    pub fn thrown(first: u8, second: u8) -> Option<Roll> {
        let possible = [first, second].iter().all(|d| (1..=FACES).contains(d));
        possible.then_some(Roll {
            dice: [first, second],
        })
    }

    /// Two dice, the larger first; nothing if they are not between 1 and 6.
    pub fn new(one: u8, other: u8) -> Option<Roll> {
        Roll::thrown(one.max(other), one.min(other))
    }

    /// The 21 rolls with how many of the 36 throws show them.
    pub fn all() -> impl Iterator<Item = (Roll, u64)> {
        (1..=FACES).flat_map(|high| {
            (1..=high).map(move |low| {
                let dice = [high, low];
                (Roll { dice }, if high == low { 1 } else { 2 })
            })
        })
    }

    /// The dice in the order they were thrown.
    #[inline]
    pub fn dice(self) -> [u8; 2] {
        self.dice
    }

    /// The same dice, the larger first.
    #[inline]
    #[must_use]
    pub fn sorted(self) -> Roll {
        let [one, other] = self.dice;
        Roll {
            dice: [one.max(other), one.min(other)],
        }
    }

    /// Whether both dice show the same.
    #[inline]
    pub fn is_double(self) -> bool {
        self.dice[0] == self.dice[1]
    }
}

/// A checker moves between two places, in the numbers of the player who moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// A point from 1 to 24, or 25 for the bar.
    pub from: u8,
    /// A point from 1 to 24, or 0 for a checker that is borne off.
    pub to: u8,
}

impl Step {
    const NONE: Step = Step { from: 0, to: 0 };

    #[inline]
    fn new(place: u32, die: u32) -> Step {
        Step {
            from: (place + 1) as u8,
            to: (place + 1).saturating_sub(die) as u8,
        }
    }
}

/// What a player does with a roll: up to four steps, from the rearmost checker down. No step at all
/// means that nothing can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play {
    steps: [Step; 4],
}

impl Play {
    /// The play of a player who cannot move.
    pub const NONE: Play = Play {
        steps: [Step::NONE; 4],
    };

    /// The steps, in an order in which they can be made.
    #[inline]
    pub fn steps(self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().take_while(|step| step.from > 0)
    }

    /// Whether no checker moves.
    #[inline]
    pub fn is_none(self) -> bool {
        self.steps[0].from == 0
    }

    /// All steps in one number.
    #[inline]
    pub(super) fn bits(self) -> u64 {
        let [a, b, c, d] = self.steps;
        u64::from_le_bytes([a.from, a.to, b.from, b.to, c.from, c.to, d.from, d.to])
    }
}

/// What move generation needs to know of a board.
struct Reach<'a> {
    own: &'a Side,
    /// Where the player has checkers.
    held: u32,
    /// Where the opponent has two or more.
    closed: u32,
    /// Where the opponent has one.
    blots: u32,
}

impl<'a> Reach<'a> {
    #[inline]
    fn of(board: &'a Board) -> Reach<'a> {
        let [own, other] = board.sides();
        let (mut held, mut closed, mut blots) = (0, 0, 0);
        for (i, &n) in own.iter().enumerate() {
            held |= u32::from(n > 0) << i;
        }
        for (i, &n) in other[..POINTS].iter().rev().enumerate() {
            closed |= u32::from(n > 1) << i;
            blots |= u32::from(n == 1) << i;
        }
        Reach {
            own,
            held,
            closed,
            blots,
        }
    }

    /// Which of the places held can be left by a die.
    #[inline]
    fn movable(&self, held: u32, die: u32) -> u32 {
        let stepping = ((held >> die) & !self.closed) << die;
        if held & BAR_BIT != 0 {
            return stepping & BAR_BIT;
        }
        if held >> HOME != 0 {
            return stepping;
        }
        // Off from the very point of the die, or from the rearmost one if none is behind.
        let off = match held >> die {
            0 => rearmost(held),
            _ => held & (1 << (die - 1)),
        };
        stepping | off
    }

    /// The places held after the first step of a turn, from here by a die.
    #[inline]
    fn moved(&self, place: u32, die: u32) -> u32 {
        let left = match self.own[place as usize] {
            1 => self.held & !(1 << place),
            _ => self.held,
        };
        left | target(place, die)
    }
}

#[inline]
fn rearmost(held: u32) -> u32 {
    match held {
        0 => 0,
        _ => 1 << (31 - held.leading_zeros()),
    }
}

/// The bit of the place a checker comes to; none if it is borne off.
#[inline]
fn target(place: u32, die: u32) -> u32 {
    (1 << place) >> die
}

#[inline]
fn places(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (place < u32::BITS).then_some(place)
    })
}

impl Board {
    /// Appends all legal plays of the player on roll, each resulting board once and in a fixed
    /// order; [`Play::NONE`] alone if no checker can move.
    pub fn plays(&self, roll: Roll, out: &mut Vec<Play>) {
        self.each_play(roll, |play| out.push(play));
    }

    /// Visits what [`Board::plays`] lists.
    #[inline]
    pub fn each_play(&self, roll: Roll, visit: impl FnMut(Play)) {
        let reach = Reach::of(self);
        let [high, low] = roll.sorted().dice.map(u32::from);
        if high == low {
            doubles(&reach, high, visit);
        } else {
            pairs(&reach, high, low, visit);
        }
    }
}

fn pairs(reach: &Reach, high: u32, low: u32, mut visit: impl FnMut(Play)) {
    // Bit q of entry p: p can be left by the larger die and q by the smaller, in some order.
    let mut both = [0u32; BAR + 1];
    let mut any = 0;
    let by_high = reach.movable(reach.held, high);
    for p in places(by_high) {
        let set = reach.movable(reach.moved(p, high), low);
        both[p as usize] |= set;
        any |= set;
    }
    let by_low = reach.movable(reach.held, low);
    for q in places(by_low) {
        for p in places(reach.movable(reach.moved(q, low), high)) {
            both[p as usize] |= 1 << q;
            any |= 1 << q;
        }
    }
    if any == 0 {
        let (set, die) = match by_high {
            0 => (by_low, low),
            _ => (by_high, high),
        };
        places(set).for_each(|p| visit(single(Step::new(p, die))));
        if set == 0 {
            visit(Play::NONE);
        }
        return;
    }
    let has = |p: u32, q: u32| both[p as usize] & (1 << q) != 0;
    for p in 0..=BAR as u32 {
        for q in places(both[p as usize]) {
            // One checker, the smaller die first: the same as the larger first if neither hits
            // midway.
            let one_checker = q == p + low
                && q >= high
                && has(q, q - high)
                && reach.blots & (1 << (q - high) | 1 << p) == 0;
            // Two checkers borne off: the same with the dice exchanged.
            let exchanged = p < q && q < low && has(q, p);
            if !one_checker && !exchanged {
                visit(two(Step::new(p, high), Step::new(q, low)));
            }
        }
    }
}

#[inline]
fn single(step: Step) -> Play {
    let mut play = Play::NONE;
    play.steps[0] = step;
    play
}

#[inline]
fn two(one: Step, other: Step) -> Play {
    let mut play = Play::NONE;
    play.steps[..2].copy_from_slice(&if one.from >= other.from {
        [one, other]
    } else {
        [other, one]
    });
    play
}

fn doubles(reach: &Reach, die: u32, mut visit: impl FnMut(Play)) {
    for length in (1..=4).rev() {
        let mut search = Doubles {
            reach,
            own: *reach.own,
            die,
            length,
            play: Play::NONE,
            visit: &mut visit,
        };
        if search.descend(reach.held, 0, BAR as u32) {
            return;
        }
    }
    visit(Play::NONE);
}

/// A search for the plays of this many equal steps.
struct Doubles<'a, F> {
    reach: &'a Reach<'a>,
    own: Side,
    die: u32,
    length: usize,
    play: Play,
    visit: F,
}

impl<F: FnMut(Play)> Doubles<'_, F> {
    /// Goes on after some steps, the last of them from a place behind which none may move now, and
    /// says whether a play was found.
    fn descend(&mut self, held: u32, made: usize, last: u32) -> bool {
        if made == self.length {
            (self.visit)(self.play);
            return true;
        }
        let mut found = false;
        let not_behind = (2 << last) - 1;
        for place in places(self.reach.movable(held, self.die) & not_behind) {
            let (from, to) = (place as usize, place.checked_sub(self.die));
            self.own[from] -= 1;
            if let Some(to) = to {
                self.own[to as usize] += 1;
            }
            let left = match self.own[from] {
                0 => held & !(1 << place),
                _ => held,
            };
            self.play.steps[made] = Step::new(place, self.die);
            found |= self.descend(left | target(place, self.die), made + 1, place);
            self.play.steps[made] = Step::NONE;
            self.own[from] += 1;
            if let Some(to) = to {
                self.own[to as usize] -= 1;
            }
        }
        found
    }
}
