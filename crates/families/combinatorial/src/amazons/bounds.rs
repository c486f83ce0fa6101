//! Bounds on who has more moves, and positions that they decide (in the manner of Müller 2001,
//! "Solving 5x5 Amazons", and of Song and Müller 2014).
//!
//! What arrows cut off from each other are rooms, and a position is worth the sum of its rooms:
//! numbers of moves where queens of one side are alone, something in between where both are. In a
//! room take the empty squares that hang together and beside which no black queen stands. Black
//! cannot get there, by queen or arrow, as long as the white queens beside them stay, or leave
//! arrows where they stood. One of these goes in and shoots back at the square that it came from,
//! so that nothing is opened, and then moves on within. So White has some moves that Black cannot
//! take away. Black in turn has no more moves than there are other empty squares in the room, since
//! every move takes one. White is thus ahead by the difference at least, and Black likewise.

use tabia_game::bits::Bits;
use tabia_game::{Player, Wdl};
use tabia_registry::Settled;

use super::{Amazons, Blocked, Set, State};

/// Positions that are looked at for a way to fill an area.
const EFFORT: u32 = 60;

impl Amazons {
    /// By how many moves White is ahead at least and at most, whoever is to move.
    pub fn bounds(&self, state: &State) -> [i32; 2] {
        let open = self.lines.full & !state.arrows;
        let queens = state.queens[0] | state.queens[1];
        let (mut rest, mut bounds) = (queens, [0; 2]);
        while !rest.is_empty() {
            let room = self.region(rest & rest.wrapping_neg(), open);
            rest &= !room;
            let own = state.queens.map(|set| set & room);
            let [least, most] = self.room_bounds(own, room & !queens);
            bounds = [bounds[0] + least, bounds[1] + most];
        }
        bounds
    }

    /// What hangs together with some squares.
    fn region(&self, from: Set, open: Set) -> Set {
        let mut region = from;
        loop {
            let more = self.lines.around(region) & open;
            if more == region {
                return region;
            }
            region = more;
        }
    }

    fn room_bounds(&self, queens: [Set; 2], empty: Set) -> [i32; 2] {
        let squares = empty.count() as i32;
        // Squares that the other side cannot reach, and moves there.
        let (mut kept, mut moves) = ([0; 2], [0; 2]);
        let (mut rest, mut inside) = (empty, 0);
        while !rest.is_empty() {
            let area = self.region(rest & rest.wrapping_neg(), empty);
            rest &= !area;
            let near = self.lines.around(area);
            let beside = queens.map(|set| set & near);
            let owner = match beside.map(|set| set.is_empty()) {
                [false, true] => 0,
                [true, false] => 1,
                _ => continue,
            };
            let size = area.count() as i32;
            kept[owner] += size;
            // Every queen goes into one area at most.
            let (mut best, mut who) = (0, 0);
            for queen in (beside[owner] & !inside).iter() {
                let found = self.moves_inside(queen, area);
                if found > best {
                    (best, who) = (found, Set::bit(queen));
                }
                if best == size {
                    break;
                }
            }
            inside |= who;
            moves[owner] += best;
        }
        [moves[0] - (squares - kept[0]), squares - kept[1] - moves[1]]
    }

    /// How many moves a queen beside an area makes at least that goes in and shoots back.
    fn moves_inside(&self, queen: usize, area: Set) -> i32 {
        let (size, walls) = (area.count() as i32, self.lines.full & !area);
        let mut best = 0;
        for goal in self.lines.sight(queen, Blocked::new(walls)).iter() {
            let mut effort = EFFORT;
            best = best.max(1 + self.filled(goal, area, &mut effort));
            if best == size {
                break;
            }
        }
        best
    }

    /// How many moves a queen alone in an area makes at least. Moves that cut nothing off are
    /// followed.
    fn filled(&self, queen: usize, area: Set, effort: &mut u32) -> i32 {
        let most = area.count() as i32 - 1;
        let walls = Blocked::new(self.lines.full & !area);
        let goals = self.lines.sight(queen, walls);
        if goals.is_empty() || *effort == 0 {
            // Whoever can go somewhere can shoot back.
            return i32::from(!goals.is_empty());
        }
        *effort -= 1;
        let mut best = 1;
        for goal in goals.iter() {
            for arrow in self.lines.sight(goal, walls).iter() {
                let left = area & !Set::bit(arrow);
                if self.region(Set::bit(goal), left) == left {
                    best = best.max(1 + self.filled(goal, left, effort));
                }
                if best == most {
                    return best;
                }
            }
        }
        best
    }
}

/// The winner of positions whose bounds on moves tell it, before they are over.
#[derive(Clone, Copy, Debug, Default)]
pub struct SettledByBounds;

impl Settled<Amazons> for SettledByBounds {
    /// Whoever moves wins with more moves than the opponent, and loses with as many or fewer.
    fn value(&self, game: &Amazons, state: &State) -> Option<Wdl> {
        let [least, most] = match (game.bounds(state), state.mover) {
            (bounds, Player::FIRST) => bounds,
            ([least, most], _) => [-most, -least],
        };
        match (least > 0, most <= 0) {
            (true, _) => Some(Wdl::Win),
            (_, true) => Some(Wdl::Loss),
            _ => None,
        }
    }
}
