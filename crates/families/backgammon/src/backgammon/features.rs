//! What a network is told of a board: checkers point by point, and what players look at.
//!
//! The first 200 numbers are the checkers of each side, four for each of its 25 places, as in the
//! networks of GNU Backgammon (Hauk, Buro and Schaeffer 2004, section 3): one checker, two, three
//! or more, and how many more than three. The rest are features that one layer cannot make of them:
//! races, shots at blots, ways out from behind a prime, anchors, contact still to be broken,
//! checkers borne off.

use super::board::{BAR, Board, CHECKERS, HOME, POINTS, Side};
use super::plays::Roll;

/// Which network evaluates a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionClass {
    /// The players have passed each other: nobody can be hit any more.
    Race,
    /// One of them has few checkers left but those on its lowest two points.
    Crashed,
    /// Any other position.
    Contact,
}

impl PositionClass {
    /// All classes.
    pub const ALL: [PositionClass; 3] = [
        PositionClass::Contact,
        PositionClass::Crashed,
        PositionClass::Race,
    ];

    /// The class of a board on which both sides have checkers.
    pub fn of(board: &Board) -> PositionClass {
        let few = |side: &Side| side[2..].iter().map(|&n| u32::from(n)).sum::<u32>() <= FEW;
        if !board.is_contact() {
            PositionClass::Race
        } else if board.sides().iter().any(few) {
            PositionClass::Crashed
        } else {
            PositionClass::Contact
        }
    }
}

/// A side with no more checkers than this above its lowest two points has crashed.
const FEW: u32 = 6;

/// Numbers for each place, and features of each side.
const UNITS: usize = 4;
const OWN: usize = 32;
/// Numbers that a network is told.
pub const INPUTS: usize = 2 * (UNITS * (POINTS + 1) + OWN);

/// The inputs of a board, the player on roll first.
pub fn inputs(board: &Board, out: &mut [f32; INPUTS]) {
    out.fill(0.0);
    let contact = board.is_contact();
    let (halves, _) = out.as_chunks_mut::<{ INPUTS / 2 }>();
    let views = [View::of(board, 0), View::of(board, 1)];
    for (side, half) in halves.iter_mut().enumerate() {
        let (places, own) = half.split_at_mut(UNITS * (POINTS + 1));
        for (units, &n) in places.chunks_exact_mut(UNITS).zip(&board.sides()[side]) {
            match n {
                0 => {}
                1 => units[0] = 1.0,
                2 => units[1] = 1.0,
                n => {
                    units[2] = 1.0;
                    units[3] = f32::from(n - 3) / 2.0;
                }
            }
        }
        features(board, side, contact, &views[side], &views[1 - side], own);
    }
}

/// Where the checkers of a side are, as bits in its own numbers: the lowest bit is its ace point.
struct View {
    /// Points with a checker, the bar included.
    held: u32,
    /// Points with one checker only.
    blots: u32,
    /// Points with two or more.
    made: u32,
}

impl View {
    fn of(board: &Board, side: usize) -> View {
        let mut view = View {
            held: 0,
            blots: 0,
            made: 0,
        };
        for (i, &n) in board.sides()[side].iter().enumerate() {
            view.held |= u32::from(n > 0) << i;
            if i < POINTS {
                view.blots |= u32::from(n == 1) << i;
                view.made |= u32::from(n > 1) << i;
            }
        }
        view
    }
}

/// The same points in the numbers of the other side.
#[inline]
fn turned(points: u32) -> u32 {
    (points & ((1 << POINTS) - 1)).reverse_bits() >> (u32::BITS - POINTS as u32)
}

fn features(board: &Board, side: usize, contact: bool, own: &View, other: &View, out: &mut [f32]) {
    let checkers = &board.sides()[side];
    let off = board.off(side);
    for (i, unit) in out[..3].iter_mut().enumerate() {
        *unit = (f32::from(off) / 5.0 - i as f32).clamp(0.0, 1.0);
    }
    let pips = board.pips(side) as f32;
    out[3] = pips / 100.0;
    out[4] = (board.pips(1 - side) as f32 - pips) / 50.0;
    out[5] = own.made.count_ones() as f32 / 6.0;
    out[6] = (own.made & 0x3f).count_ones() as f32 / 6.0;
    if !contact {
        return;
    }
    let rearmost = checkers.iter().rposition(|&n| n > 0).unwrap_or(0);
    out[7] = rearmost as f32 / POINTS as f32;
    // Checkers in the opponent's home or on the bar, and the anchors there.
    let back: u8 = checkers[POINTS - HOME..].iter().sum();
    out[8] = f32::from(back) / 3.0;
    out[9] = (own.made >> (POINTS - HOME)).count_ones() as f32 / 2.0;
    // Rolls of the opponent that hit, and the pips lost by them.
    let shots = shots(own, other);
    out[10] = shots.hitting as f32 / 36.0;
    out[11] = shots.lost as f32 / (36.0 * 12.0);
    out[20] = shots.double as f32 / 36.0;
    // Rolls with which the rearmost checker gets past the next six points.
    let walls = turned(other.made);
    out[12] = escapes(walls, rearmost) as f32 / 36.0;
    // Rolls that free whoever stands before the own points, where that is hardest.
    let own_walls = own.made;
    let trapped = (0..12)
        .map(|at| escapes(turned(own_walls), POINTS - 1 - at))
        .min();
    out[13] = trapped.unwrap_or(0) as f32 / 36.0;
    out[14] = longest_run(own_walls) as f32 / 6.0;
    // Entering against the opponent's home board.
    let open = HOME as u32 - (other.made & 0x3f).count_ones();
    let stays_out = (HOME as u32 - open).pow(2) as f32 / 36.0;
    out[15] = stays_out;
    out[16] = if checkers[BAR] > 0 { stays_out } else { 0.0 };
    out[17] = own.blots.count_ones() as f32 / 4.0;
    out[18] = (own.blots & 0x3f).count_ones() as f32 / 3.0;
    // Pips to play before the home board must be broken: those above the six point.
    let spare = checkers[HOME..]
        .iter()
        .zip(1u32..)
        .map(|(&n, far)| u32::from(n) * far);
    out[19] = spare.sum::<u32>() as f32 / 100.0;
    structure(checkers, own, other, walls, &mut out[21..]);
    debug_assert!(off <= CHECKERS);
}

/// What the checkers of a side are to each other and to the opponent's rearmost one.
fn structure(checkers: &Side, own: &View, other: &View, walls: u32, out: &mut [f32]) {
    // Pips to play until all have passed the opponent, and pips of those that have.
    let line = turned(other.held).trailing_zeros() as usize;
    let line = if other.held >> BAR != 0 { 0 } else { line };
    let (mut behind, mut past) = (0, 0);
    // Ways out of the back checkers, and of all that are not at home yet.
    let (mut back, mut freedom, mut mobility) = (0, 0, 0);
    let (mut sum, mut squares) = (0, 0);
    for (place, &n) in checkers.iter().enumerate() {
        if n == 0 {
            continue;
        }
        let n = u32::from(n);
        match place.checked_sub(line) {
            Some(far) => behind += n * (far as u32 + 1),
            None => past += n * (place as u32 + 1),
        }
        if place >= HOME {
            let ways = escapes(walls, place);
            mobility += n * ways * (place - HOME + 1) as u32;
            if place >= POINTS / 2 {
                back += n;
                freedom += n * ways;
            }
        }
        sum += n * place as u32;
        squares += n * (place * place) as u32;
    }
    out[0] = behind as f32 / 100.0;
    out[1] = past as f32 / 50.0;
    out[2] = freedom as f32 / (36 * back.max(1)) as f32;
    out[3] = mobility as f32 / 3600.0;
    // How far they are scattered: the variance of their places.
    let count = checkers.iter().map(|&n| u32::from(n)).sum::<u32>().max(1) as f32;
    let mean = sum as f32 / count;
    out[4] = (squares as f32 / count - mean * mean) / 50.0;
    // The last checker but one, if it stands elsewhere.
    let last = rearmost_of(own.held);
    let next = rearmost_of(own.held & !(1u32 << last));
    out[5] = escapes(walls, next as usize) as f32 / 36.0;
    // The anchors furthest back and furthest on, and two of them: a back game.
    let anchors = own.made >> (POINTS - HOME);
    if anchors != 0 {
        out[6] = (rearmost_of(anchors) + 1) as f32 / HOME as f32;
        out[7] = (HOME as u32 - anchors.trailing_zeros()) as f32 / HOME as f32;
        out[8] = f32::from(u8::from(anchors.count_ones() > 1)) * back as f32 / 6.0;
    }
    // Points that another one lies before at a die's distance, so that it is easily reached.
    let near = (1..=HOME).fold(0, |near, die| near | own.made << die);
    out[9] = (own.made & near).count_ones() as f32 / own.made.count_ones().max(1) as f32;
    // Checkers ready to make points at home: blots and spares from the six point to the eleven
    // point.
    let ready = checkers[HOME - 1..11].iter().map(|&n| match n {
        0 | 2 => 0,
        1 => 1,
        n => n - 2,
    });
    out[10] = f32::from(ready.sum::<u8>()) / 5.0;
}

/// The highest place of a set, zero if there is none.
#[inline]
fn rearmost_of(set: u32) -> u32 {
    (u32::BITS - 1).saturating_sub(set.leading_zeros())
}

/// What the opponent's next roll can do to blots.
#[derive(Clone, Copy, Debug, Default)]
struct Shots {
    /// Of the 36 rolls those that hit.
    hitting: u32,
    /// Those that can hit two blots or more, if not always at once.
    double: u32,
    /// The sum over all rolls of the pips that the costliest hit takes.
    lost: u32,
}

/// The rolls that let the opponent hit. Whether a checker on the bar can enter elsewhere is left
/// aside.
fn shots(own: &View, other: &View) -> Shots {
    let mut found = Shots::default();
    if own.blots == 0 {
        return found;
    }
    let blots = turned(own.blots);
    let walls = turned(own.made);
    let from = match other.held >> BAR {
        0 => other.held,
        _ => 1 << BAR,
    };
    for (roll, weight) in Roll::all() {
        let [a, b] = roll.dice().map(u32::from);
        let mut reached = 0;
        if a == b {
            let mut at = from;
            for _ in 0..4 {
                at = (at >> a) & !walls;
                reached |= at;
            }
        } else {
            let (by_a, by_b) = ((from >> a) & !walls, (from >> b) & !walls);
            reached = by_a | by_b | ((by_a >> b) & !walls) | ((by_b >> a) & !walls);
        }
        let hit = reached & blots;
        if hit != 0 {
            found.hitting += weight as u32;
            found.double += weight as u32 * u32::from(hit.count_ones() > 1);
            // What has come furthest stands highest in the opponent's numbers.
            found.lost += weight as u32 * (u32::BITS - hit.leading_zeros());
        }
    }
    found
}

/// How many of the 36 rolls take a checker at this place past the six points before it, where
/// `walls` are closed.
#[inline]
fn escapes(walls: u32, place: usize) -> u32 {
    let ahead = match place {
        0 => 0,
        _ => (walls << (u32::BITS as usize - place)).reverse_bits() & (ESCAPES.len() as u32 - 1),
    };
    u32::from(ESCAPES[ahead as usize])
}

/// The rolls that escape, for each set of closed points among the next twelve; bit 0 is the
/// nearest.
static ESCAPES: [u8; 1 << 12] = {
    let mut table = [0; 1 << 12];
    let mut walls = 0;
    while walls < table.len() {
        let mut a = 1;
        while a <= 6 {
            let mut b = 1;
            while b <= 6 {
                table[walls] += can_escape(walls, a, b) as u8;
                b += 1;
            }
            a += 1;
        }
        walls += 1;
    }
    table
};

/// Whether a checker gets more than six points on by these dice.
const fn can_escape(walls: usize, a: usize, b: usize) -> bool {
    const fn is_open(walls: usize, distance: usize) -> bool {
        distance > 12 || walls >> (distance - 1) & 1 == 0
    }
    if a != b {
        let on_the_way = is_open(walls, a) || is_open(walls, b);
        return a + b > HOME && on_the_way && is_open(walls, a + b);
    }
    let mut distance = a;
    let mut steps = 1;
    while steps <= 4 {
        if !is_open(walls, distance) {
            return false;
        }
        if distance > HOME {
            return true;
        }
        distance += a;
        steps += 1;
    }
    false
}

/// The most points in a row.
fn longest_run(points: u32) -> u32 {
    let mut length = 0;
    let mut runs = points;
    while runs != 0 {
        runs &= runs >> 1;
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_that_escape() {
        // Nothing in the way: 21 throws of more than six pips, and 22 and 33.
        assert_eq!(ESCAPES[0], 21 + 2);
        // A full prime is not to be passed.
        assert_eq!(ESCAPES[0x3f], 0);
        // At the edge of a five-point prime a six is needed, eleven rolls of 36.
        assert_eq!(ESCAPES[0x1f], 11);
    }

    #[test]
    fn shots_at_a_blot() {
        // A blot six points away, nothing between: 17 rolls hit (any six, 51, 42, 33, 22).
        let mut sides = [[0; 25]; 2];
        sides[0][11] = 1;
        sides[1][POINTS - 1 - 11 + 6] = 1;
        let board = Board::new(sides).unwrap();
        let [own, other] = [View::of(&board, 0), View::of(&board, 1)];
        assert_eq!(shots(&own, &other).hitting, 17);
        assert_eq!(shots(&own, &other).double, 0);
        // From there it must go back to the bar: 25 points less the 12 it still has to go.
        assert_eq!(shots(&own, &other).lost, 17 * (25 - 12));
        assert_eq!(shots(&other, &own).hitting, 17, "and the other way round");
    }

    #[test]
    fn inputs_mirror() {
        let mut here = [0.0; INPUTS];
        let mut there = [0.0; INPUTS];
        let board = Board::START;
        let after = board.after(crate::backgammon::Play::NONE);
        inputs(&after, &mut here);
        inputs(&after.swapped(), &mut there);
        assert_eq!(here[..INPUTS / 2], there[INPUTS / 2..]);
        assert!(here.iter().all(|x| x.is_finite()));
    }
}
