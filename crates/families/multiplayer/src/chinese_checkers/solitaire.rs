//! One player alone on the board: how many moves it takes to bring all pieces into the target
//! (Sturtevant 2003).
//!
//! The positions are sets of six cells, of the 49 that a player needs or of all 73, numbered in the
//! combinatorial number system. Distances are found outwards from the target. Steps and jumps can
//! be taken back as they were made; only pieces that must not leave the target cannot be brought
//! out of it, so that taken back none goes into it from outside.

use tabia_game::Player;
use tabia_game::bits::Bits;
use tabia_tables::patterns::Abstraction;

use super::star::{
    self, BIT, BITS, CELL, CELLS, FRAMES, LOW, PIECES, TURNED_BACK, WIDTH, backwards,
};
use super::{ChineseCheckers, FRAMED, Foreign, Rules, STAR, State, TRIANGLE_CELLS};

/// The numbers of positions of one player, who begins in the first triangle.
#[derive(Clone, Debug)]
pub struct Solitaire {
    foreign: Foreign,
    leave: bool,
    /// For the k-th piece and each place the number of sets of k places before it.
    before: Box<[[u32; CELLS]; PIECES + 1]>,
    /// Whose distance from the end is asked for.
    player: Player,
}

/// The place of a bit of a frame among the 49.
#[inline]
fn place(bit: usize) -> usize {
    bit / 8 * WIDTH + bit % 8
}

#[inline]
fn bit(place: usize) -> usize {
    place / WIDTH * 8 + place % WIDTH
}

impl Solitaire {
    /// The positions of one player by these rules.
    pub fn new(rules: Rules) -> Solitaire {
        let mut before = Box::new([[0; CELLS]; PIECES + 1]);
        before[0].fill(1);
        for k in 1..=PIECES {
            for n in 1..CELLS {
                before[k][n] = before[k][n - 1] + before[k - 1][n - 1];
            }
        }
        Solitaire {
            foreign: rules.foreign,
            leave: rules.leave,
            before,
            player: Player::FIRST,
        }
    }

    /// The same for another player.
    #[must_use]
    pub fn of(mut self, player: Player) -> Solitaire {
        self.player = player;
        self
    }

    /// Cells that a piece may stand on.
    fn places(&self) -> usize {
        match self.foreign {
            Foreign::Open => CELLS,
            _ => WIDTH * WIDTH,
        }
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        let places = self.places() as u64;
        let product = |from: u64| (from + 1 - PIECES as u64..=from).product::<u64>();
        product(places) / product(PIECES as u64)
    }

    /// The number of the position of a player's pieces.
    #[inline]
    pub fn number(&self, game: &ChineseCheckers, state: &State, player: Player) -> u64 {
        let index = player.index() % state.pieces.len();
        let home = usize::from(game.home(player));
        if self.foreign == Foreign::Open {
            let cells = state.pieces[index].iter();
            let turned = cells.fold(0u128, |set, cell| set | 1 << TURNED_BACK[home][cell]);
            return self.rank_star(turned);
        }
        match home < FRAMES {
            true => self.rank(state.framed[index]),
            false => self.rank(backwards(state.framed[index])),
        }
    }

    /// The number of a set of six cells of the rhombus.
    #[inline]
    fn rank(&self, mut set: u64) -> u64 {
        let mut number = 0;
        for before in &self.before[1..] {
            number += before[place(set.trailing_zeros() as usize % BITS)];
            set &= set.wrapping_sub(1);
        }
        u64::from(number)
    }

    #[inline]
    fn rank_star(&self, set: u128) -> u64 {
        let numbers = set.iter().zip(&self.before[1..]);
        u64::from(numbers.map(|(cell, before)| before[cell]).sum::<u32>())
    }

    /// The places of the set with a number, the last one first.
    #[inline]
    fn unranked(&self, number: u64) -> impl Iterator<Item = usize> {
        let mut left = number as u32;
        let mut end = self.places();
        (1..=PIECES).rev().map(move |k| {
            let before = &self.before[k];
            end -= 1;
            while before[end] > left {
                end -= 1;
            }
            left -= before[end];
            end
        })
    }

    /// Moves taken back on the rhombus.
    fn expand_rhombus(&self, number: u64, out: &mut Vec<(u64, u32)>) {
        let set = self
            .unranked(number)
            .fold(0u64, |set, place| set | 1 << bit(place));
        for from in set.iter() {
            let piece = 1 << from;
            let mut to = star::reach(piece, set);
            if !self.leave && piece & LOW == 0 {
                to &= !LOW;
            }
            let others = set & !piece;
            while to != 0 {
                let landed = to & to.wrapping_neg();
                out.push((self.rank(others | landed), 1));
                to &= to - 1;
            }
        }
    }

    /// The same on the whole star, or with jumps through all of it.
    fn expand_star(&self, number: u64, out: &mut Vec<(u64, u32)>) {
        let open = self.foreign == Foreign::Open;
        let cell = |place: usize| match open {
            true => place,
            false => usize::from(CELL[0][bit(place)]),
        };
        let set = self
            .unranked(number)
            .fold(0u128, |set, place| set | 1 << cell(place));
        let stops = if open { STAR } else { FRAMED[0] };
        let target = TRIANGLE_CELLS[3];
        for from in set.iter() {
            let piece = 1u128 << from;
            let mut to = star::reach_star(from, set, stops);
            if !self.leave && piece & target == 0 {
                to &= !target;
            }
            for landed in to.iter() {
                let moved = (set & !piece) | 1 << landed;
                let number = match open {
                    true => self.rank_star(moved),
                    false => self.rank(moved.iter().fold(0, |set, cell| set | BIT[0][cell])),
                };
                out.push((number, 1));
            }
        }
    }
}

impl Abstraction<ChineseCheckers> for Solitaire {
    /// Such as `solitaire-49`; with `through` or `leave` where the rules are others than those of
    /// the thesis.
    fn text(&self) -> String {
        let foreign = match self.foreign {
            Foreign::Through => "-through",
            _ => "",
        };
        let leave = if self.leave { "-leave" } else { "" };
        format!("solitaire-{}{foreign}{leave}", self.places())
    }

    fn patterns(&self) -> Option<u64> {
        Some(self.positions())
    }

    fn rests(&self) -> u32 {
        1
    }

    #[inline]
    fn pattern(&self, game: &ChineseCheckers, state: &State) -> u64 {
        self.number(game, state, self.player)
    }

    fn goal(&self) -> (u64, u32) {
        let goal = match self.foreign {
            Foreign::Open => self.rank_star(TRIANGLE_CELLS[3]),
            _ => self.rank(LOW),
        };
        (goal, 1)
    }

    fn expand(&self, pattern: u64, rests: u32, out: &mut Vec<(u64, u32)>) -> u32 {
        match self.foreign {
            Foreign::Closed => self.expand_rhombus(pattern, out),
            _ => self.expand_star(pattern, out),
        }
        rests
    }

    /// By the rules: six coordinates on a board of arrays, steps and jumps from cell to cell, and
    /// the number of a set by counting the sets before it.
    fn neighbours(&self, pattern: u64, rest: u32, out: &mut Vec<(u64, u32, u8)>) {
        plain::moves(self, pattern, &mut |number| out.push((number, rest, 1)));
    }
}

/// The same moves forwards, in the plainest way.
mod plain {
    use super::{CELL, Foreign, PIECES, Solitaire, bit};
    use crate::chinese_checkers::star::{CELLS, NEXT, NONE, TRIANGLE};

    fn choose(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
    }

    /// The cell of each place.
    fn cell(solitaire: &Solitaire, place: usize) -> usize {
        match solitaire.foreign {
            Foreign::Open => place,
            _ => usize::from(CELL[0][bit(place)]),
        }
    }

    /// Cells that jumps from a cell reach, itself included.
    fn jump(taken: &[bool], may_pass: &dyn Fn(usize) -> bool, at: usize, seen: &mut Vec<usize>) {
        seen.push(at);
        for (direction, &over) in NEXT[at].iter().enumerate() {
            let over = usize::from(over);
            if over == usize::from(NONE) || !taken[over] {
                continue;
            }
            let land = usize::from(NEXT[over][direction]);
            if land == usize::from(NONE) || taken[land] || seen.contains(&land) || !may_pass(land) {
                continue;
            }
            jump(taken, may_pass, land, seen);
        }
    }

    pub(super) fn moves(solitaire: &Solitaire, number: u64, tell: &mut dyn FnMut(u64)) {
        let cells: Vec<usize> = (0..solitaire.places())
            .map(|p| cell(solitaire, p))
            .collect();
        // Sets in the order of their highest places, then of the next ones.
        let mut left = number;
        let mut places = Vec::with_capacity(PIECES);
        for k in (1..=PIECES as u64).rev() {
            let mut place = k - 1;
            while choose(place + 1, k) <= left {
                place += 1;
            }
            left -= choose(place, k);
            places.push(place as usize);
        }
        let mut taken = [false; CELLS];
        for &place in &places {
            taken[cells[place]] = true;
        }
        let is_foreign = |cell: usize| !matches!(TRIANGLE[cell], 0 | 3 | 6);
        let may_stop = |cell: usize| solitaire.foreign == Foreign::Open || !is_foreign(cell);
        let may_pass = |cell: usize| solitaire.foreign != Foreign::Closed || !is_foreign(cell);
        for moved in 0..PIECES {
            let from = cells[places[moved]];
            taken[from] = false;
            let mut reached = Vec::new();
            jump(&taken, &may_pass, from, &mut reached);
            let near = NEXT[from].iter().map(|&near| usize::from(near));
            reached.extend(near.filter(|&near| near != usize::from(NONE) && !taken[near]));
            reached.sort_unstable();
            reached.dedup();
            for to in reached {
                let leaves = TRIANGLE[from] == 3 && TRIANGLE[to] != 3;
                if to == from || !may_stop(to) || (leaves && !solitaire.leave) {
                    continue;
                }
                let mut after = places.clone();
                after[moved] = cells.iter().position(|&c| c == to).unwrap_or(0);
                after.sort_unstable();
                let sets = (1u64..).zip(&after).map(|(k, &p)| choose(p as u64, k));
                tell(sets.sum());
            }
            taken[from] = true;
        }
    }
}
